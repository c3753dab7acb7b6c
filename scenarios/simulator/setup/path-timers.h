/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_PATH_TIMERS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_PATH_TIMERS_H

#include "helper/topology/topology.h"
#include "scenarios/simulator/setup/host-settings.h"

#include "ns3/nstime.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The timers of a scenario beside the longest round trip between a client and a server: of
 * links, empty, without what switches and hosts add.
 *
 * tcp.connect_timeout and tcp.initial_rtt follow a path that is longer than their defaults, unless
 * the user has set them; a timer shorter than the path is named.
 */
class PathTimers
{
  public:
    PathTimers() = default;
    PathTimers(const ScenarioConfig& config,
               const std::vector<HostSettings>& settings,
               const Topology& topology);

    [[nodiscard]] Time GetRoundTrip() const;
    /// \return tcp.connect_timeout, or four round trips when that is longer and it is not set.
    [[nodiscard]] Time GetConnectTimeout() const;
    /// \return tcp.initial_rtt, or the round trip when that is longer and it is not set.
    [[nodiscard]] Time GetInitialRtt() const;
    /// \return a phrase for each timer that is shorter than the round trip, or than four for
    /// tcp.connect_timeout: the key, its value, and what is used in its place, if anything.
    [[nodiscard]] const std::vector<std::string>& GetShort() const;
    /// \return a line for the user that says so; empty when no timer is too short.
    [[nodiscard]] std::string Describe() const;

  private:
    Time Follow(const ScenarioConfig& config, const std::string& key, Time least);
    void NoteShort(const ScenarioConfig& config, const std::string& key);

    Time m_roundTrip;
    Time m_connectTimeout;
    Time m_initialRtt;
    std::vector<std::string> m_short;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_PATH_TIMERS_H
