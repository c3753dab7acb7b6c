/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-form-costs.h"

#include "helper/cluster.h"
#include "link/ethernet-switch.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

/// Preamble, header, check sequence and gap of Ethernet; IP and TCP without options; MPA and DDP.
constexpr uint32_t ETHERNET = 38;
constexpr uint32_t IPV4_AND_TCP = 40;
constexpr uint32_t IPV6_AND_TCP = 60;
constexpr uint32_t FPDU = 24;

template <typename Value>
auto
GetAttributeOf(const ObjectBase& object, const char* name)
{
    Value value;
    object.GetAttribute(name, value);
    return value.Get();
}

FormCostEnd
MakeEnd(const Ptr<RnicDevice>& device, const ObjectBase& transport)
{
    return {device->GetSettings(),
            device->GetHostCpu(),
            GetAttributeOf<TimeValue>(transport, "MapCost"),
            static_cast<uint32_t>(GetAttributeOf<UintegerValue>(transport, "RegionPages"))};
}

bool
HasRemoteInvalidation(const RpcRdmaClient& client, const RpcRdmaServer& server)
{
    const auto policy = GetAttributeOf<StringValue>(server, "RemoteInvalidationPolicy");
    return policy != "never" && GetAttributeOf<BooleanValue>(client, "RemoteInvalidation") &&
           (policy == "linux" || GetAttributeOf<BooleanValue>(server, "RemoteInvalidation"));
}

} // namespace

ClusterFormCosts::ClusterFormCosts(const Cluster& cluster, const Topology& topology, Time oneWay)
    : m_cluster(cluster),
      m_topology(topology),
      m_routes(topology),
      m_oneWay(oneWay)
{
}

FormCosts
ClusterFormCosts::Get(uint32_t client, const RpcRecord& record)
{
    if (record.callReason == CallReason::NOT_SENT)
    {
        return {};
    }
    auto model = m_models.find(client);
    if (model == m_models.end())
    {
        model = m_models.emplace(client, Make(client)).first;
    }
    return model->second.Get(record);
}

FormCostModel
ClusterFormCosts::Make(uint32_t client) const
{
    const ClusterClient& one = m_cluster.GetClients().at(client);
    const NfsRdmaServer& server = m_cluster.GetServers().at(one.server);
    const RpcRdmaClient& transport = *one.stack.transport;
    const auto own = MakeEnd(m_cluster.GetDevice(m_cluster.GetClientHost(client)), transport);
    const auto peer = MakeEnd(server.device, *server.transport);
    FormCostRules rules;
    rules.registration = GetAttributeOf<StringValue>(transport, "RegistrationStrategy");
    rules.remoteInvalidation = peer.device.sendWithInvalidate && own.device.sendWithInvalidate &&
                               HasRemoteInvalidation(transport, *server.transport);
    rules.bufferSize =
        static_cast<uint32_t>(GetAttributeOf<UintegerValue>(transport, "BufferSize"));
    return {own, peer, GetPath(client), rules};
}

FormCostPath
ClusterFormCosts::GetPath(uint32_t client) const
{
    const EthernetNetwork& network = m_cluster.GetNetwork();
    const uint32_t from = m_cluster.GetClientHost(client);
    const uint32_t to = m_cluster.GetServerHost(m_cluster.GetClients().at(client).server);
    FormCostPath path;
    path.rate =
        std::min(network.devices.at(from)->GetDataRate(), network.devices.at(to)->GetDataRate());
    if (!network.switches.empty())
    {
        const auto& link = m_topology.GetLinks().at(m_topology.GetLinksOf(from).front());
        path.links = 1 + m_routes.GetDistance(link.GetPeer(from), to);
        path.latency = GetAttributeOf<TimeValue>(*network.switches.front(), "Latency") *
                       int64_t{path.links - 1};
    }
    path.latency += m_oneWay;
    const auto own = network.GetInterfaces(from).front();
    const auto peer = network.GetInterfaces(to).front();
    const uint32_t headers =
        FPDU + (network.addresses.at(from).IsIpv4() ? IPV4_AND_TCP : IPV6_AND_TCP);
    const uint32_t protection = own->GetWireMtu() - own->GetMtu();
    path.payload = std::min<uint32_t>(own->GetMtu(), peer->GetMtu()) - headers;
    path.overhead = ETHERNET + headers + protection;
    return path;
}

} // namespace ns3::nfsrdma
