/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_TESTBED_H
#define NFSRDMA_EXAMPLES_TESTBED_H

#include "helper/ethernet-network-helper.h"
#include "link/ethernet-pcap.h"
#include "perftest/line-rate-watch.h"
#include "rnic/hardware/device.h"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

struct ClusterPlan;

/// What the user said about hosts and link; an empty text stands for the scenario's default.
struct TestbedOptions
{
    std::string profile{"generic-100g"}; ///< Of scenarios/profiles/rnic, or a file like those.
    std::string linkRate;
    std::string delay;
    std::string mtu;
    std::string seed;
    std::string pcap;   ///< Prefix of the captures; empty: none.
    bool events{false}; ///< Consumers sleep until the interrupt; else they poll.

    /// Adds --profile, --link-rate, --delay, --mtu, --seed, --pcap and --events.
    static void Describe(boost::program_options::options_description& description);
    /// \return what the command line says.
    static TestbedOptions From(const boost::program_options::variables_map& values);
};

/**
 * \brief Two hosts with an RNIC each, on one cable; they exist while the object does.
 *
 *     10.77.0.1 (server) ---- 10.77.0.2 (client)
 *
 * The simulator must be unused before, and is destroyed with the object.
 */
class Testbed
{
  public:
    /// Numbers of the hosts, and of their nodes.
    enum Host
    {
        SERVER = 0,
        CLIENT = 1
    };

    /// Reads the profile, then builds. Throws ScenarioError for what the user has to put right;
    /// nothing has been written then.
    explicit Testbed(const TestbedOptions& options);
    ~Testbed();
    Testbed(const Testbed&) = delete;
    Testbed& operator=(const Testbed&) = delete;

    /// Opens the captures that the options ask for. Throws ScenarioError.
    void StartCaptures();

    [[nodiscard]] Ptr<RnicDevice> GetDevice(Host host) const;
    [[nodiscard]] IpAddress GetAddress(Host host) const;
    /// \return name of the profile, of a file its stem.
    [[nodiscard]] const std::string& GetProfile() const;
    [[nodiscard]] DataRate GetLinkRate() const;
    [[nodiscard]] Time GetDelay() const;
    /// \return octets of the largest IP packet.
    [[nodiscard]] uint32_t GetMtu() const;
    [[nodiscard]] bool UsesEvents() const;
    /// \return what is wrong when a port has sent more than its line carries; else empty.
    [[nodiscard]] std::string GetLineFault() const;

  private:
    void Build(const ClusterPlan& plan);

    std::string m_profile;
    std::string m_pcap; ///< Prefix.
    bool m_events;
    DataRate m_rate;
    Time m_delay;
    uint32_t m_mtu{0};
    EthernetNetwork m_network;
    std::vector<Ptr<RnicDevice>> m_devices;
    std::vector<Ptr<EthernetPcap>> m_captures;
    std::vector<std::unique_ptr<LineRateWatch>> m_lines; ///< By host.
};

/// Throws ScenarioError unless a file \p path can be written; \p option named it.
void RequireWritable(const std::string& path, const std::string& option);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_TESTBED_H
