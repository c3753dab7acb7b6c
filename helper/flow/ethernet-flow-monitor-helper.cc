/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/flow/ethernet-flow-monitor-helper.h"

#include "helper/flow/ethernet-flow-probe.h"

namespace ns3::nfsrdma
{

Ptr<FlowMonitor>
EthernetFlowMonitorHelper::Install(FlowMonitorHelper& flows, const NodeContainer& hosts)
{
    const auto monitor = flows.Install(hosts);
    const auto ipv4 = DynamicCast<Ipv4FlowClassifier>(flows.GetClassifier());
    const auto ipv6 = DynamicCast<Ipv6FlowClassifier>(flows.GetClassifier6());
    for (uint32_t host = 0; host < hosts.GetN(); ++host)
    {
        const auto node = hosts.Get(host);
        for (uint32_t number = 0; number < node->GetNDevices(); ++number)
        {
            if (const auto device = DynamicCast<EthernetNetDevice>(node->GetDevice(number)))
            {
                // The monitor keeps it.
                Create<EthernetFlowProbe>(monitor, ipv4, ipv6, device);
            }
        }
    }
    return monitor;
}

} // namespace ns3::nfsrdma
