/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/rnic-helper.h"

#include "host/buffer-store.h"
#include "link/bond-net-device.h"
#include "mpa/transport.h"
#include "rnic/connect/cm-id.h"

#include "ns3/abort.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

namespace
{

/// Half of all: a device needs room above its first.
constexpr uint64_t FIRST_STAG_INDICES = 0x800000;
constexpr uint64_t STAG_STRIDE = 65536;

template <typename T>
void
AggregateUnlessThere(const StackAttributes& attributes, Ptr<Node> node)
{
    if (!node->GetObject<T>())
    {
        node->AggregateObject(attributes.Create<T>());
    }
}

} // namespace

RnicHelper::RnicHelper(const StackAttributes& attributes)
    : m_attributes(attributes)
{
}

void
RnicHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    const auto colons = name.find("::");
    if (colons == std::string::npos)
    {
        m_attributes.Set("RnicDevice", name, value);
    }
    else
    {
        m_attributes.Set(name.substr(0, colons), name.substr(colons + 2), value);
    }
}

Ptr<RnicDevice>
RnicHelper::Install(Ptr<Node> node) const
{
    return Install(node,
                   1 + static_cast<uint32_t>(node->GetId() * STAG_STRIDE % FIRST_STAG_INDICES));
}

Ptr<RnicDevice>
RnicHelper::Install(Ptr<Node> node, uint32_t firstStagIndex) const
{
    NS_ABORT_MSG_UNLESS(node->GetObject<Ipv4>() || node->GetObject<Ipv6>(),
                        "node " << node->GetId() << " has no IP stack");
    NS_ABORT_MSG_IF(node->GetObject<RnicDevice>(), "node " << node->GetId() << " has an RNIC");
    AggregateUnlessThere<HostMemory>(m_attributes, node);
    AggregateUnlessThere<HostBufferStore>(m_attributes, node);
    AggregateUnlessThere<HostCpu>(m_attributes, node);
    const auto device = m_attributes.Create<RnicDevice>();
    device->SetAttribute("FirstStagIndex", UintegerValue(firstStagIndex));
    device->SetMpaSettings(m_attributes.Create<MpaSettings>());
    device->SetTransport(m_attributes.Create<MpaTransport>());
    device->SetNode(node);
    node->AggregateObject(device);
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (const auto bond = DynamicCast<BondNetDevice>(node->GetDevice(i)))
        {
            bond->TraceConnectWithoutContext(
                "AddressChange",
                Callback<void, Mac48Address, Mac48Address>(
                    [rnic = PeekPointer(device)](Mac48Address /* before */,
                                                 Mac48Address /* now */) {
                        for (const auto& id : rnic->ListIds())
                        {
                            id->HandleAddressChange();
                        }
                    }));
        }
    }
    return device;
}

std::vector<Ptr<RnicDevice>>
RnicHelper::Install(const NodeContainer& nodes) const
{
    std::vector<Ptr<RnicDevice>> devices;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        devices.push_back(Install(*node));
    }
    return devices;
}

} // namespace ns3::nfsrdma
