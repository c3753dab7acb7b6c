/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_FLOW_ETHERNET_FLOW_MONITOR_HELPER_H
#define NFSRDMA_HELPER_FLOW_ETHERNET_FLOW_MONITOR_HELPER_H

#include "ns3/flow-monitor-helper.h"
#include "ns3/flow-monitor.h"
#include "ns3/node-container.h"

namespace ns3::nfsrdma
{

/**
 * \brief Installs ns-3's FlowMonitor on hosts, with probes for what passes their IP by: established
 * connections of the RNIC's TCP (EthernetFlowProbe). Flows of both kinds are those of one monitor.
 *
 *     FlowMonitorHelper flows;
 *     const auto monitor = EthernetFlowMonitorHelper::Install(flows, cluster->GetNetwork().hosts);
 *     Simulator::Run();
 *     monitor->SerializeToXmlFile("flows.xml", true, true);
 *
 * Before the first packet. The helper has to outlive the simulation, as always.
 */
class EthernetFlowMonitorHelper
{
  public:
    /// \param flows makes the monitor, if it has not yet \param hosts with IPv4 or IPv6, and
    /// EthernetNetDevices
    static Ptr<FlowMonitor> Install(FlowMonitorHelper& flows, const NodeContainer& hosts);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_FLOW_ETHERNET_FLOW_MONITOR_HELPER_H
