/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_NETWORK_REPORT_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_NETWORK_REPORT_H

#include "link/switch-port.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

struct EthernetNetwork;

/// What has gone out at a port of a switch.
struct PortReport
{
    std::string ethernetSwitch;
    std::string peer; ///< The host or switch behind it.
    bool towardsSwitch{false};
    SwitchPort::Counters counters;
    Ptr<EthernetNetDevice> device;

    /// \return octets that a frame has found waiting, on average.
    [[nodiscard]] double GetMeanQueue() const;
};

/// \return the ports of all switches, in their order.
std::vector<PortReport> ListPorts(const EthernetNetwork& network);

/// \return sums over the ports, PAUSE frames only with flow control, and the one with the longest
/// mean queue.
nlohmann::ordered_json DescribeNetwork(const std::vector<PortReport>& ports);

/// \return ports.csv: a row for each port; with flow control three columns more.
std::string MakePortsCsv(const std::vector<PortReport>& ports);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_NETWORK_REPORT_H
