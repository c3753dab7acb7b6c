/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-adversaries.h"

#include "link/ethernet-channel.h"
#include "mpa/internet-address.h"

#include <numeric>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t BAIT_OCTETS = 1048576;
constexpr uint32_t BAIT_NAMES = 400;

void
LayBait(FileStore& store, AdversaryHost& host)
{
    const std::string name = "bait-" + host.name;
    auto root = store.GetExport(name);
    if (!root)
    {
        root = store.CreateExport(name);
        store.AddFile(*root, "file", BAIT_OCTETS);
        const InodeNumber names = store.AddDirectory(*root, "names");
        for (uint32_t i = 0; i < BAIT_NAMES; ++i)
        {
            store.AddFile(names, "name-" + std::to_string(i), 0);
        }
    }
    host.baitFile = store.GetHandle(*store.FindPath(*root, "file"));
    host.baitDirectory = store.GetHandle(*store.FindPath(*root, "names"));
}

} // namespace

AdversaryHost
MakeAdversaryHost(const Cluster& cluster, uint32_t host, AdversarySide side)
{
    const auto servers = cluster.GetServerHostCount();
    const bool isServer = host < servers;
    AdversaryHost made;
    made.name = cluster.GetHostName(host);
    made.device = cluster.GetDevice(host);
    made.address = cluster.GetAddress(host);
    for (uint32_t peer = 0; peer < cluster.GetHostCount(); ++peer)
    {
        if (side == AdversarySide::LINK || (peer < servers) != isServer)
        {
            for (const auto& address : cluster.GetNetwork().hostAddresses[peer])
            {
                made.peers.emplace(address, cluster.GetHostName(peer));
            }
        }
    }
    if (side == AdversarySide::LINK)
    {
        for (const auto& port : cluster.GetNetwork().hostPorts[host])
        {
            const auto channel = DynamicCast<EthernetChannel>(port->GetChannel());
            made.linkEnds.push_back(channel->GetPeer(*port));
        }
        return made;
    }
    if (isServer)
    {
        made.node = cluster.GetServers()[host].node;
        made.server = cluster.GetServers()[host].transport;
        return made;
    }
    const ClusterClient& client = cluster.GetClients()[host - servers];
    const NfsRdmaServer& server = cluster.GetServers()[client.server];
    made.node = client.stack.node;
    made.target = MakeSocketAddress(cluster.GetAddress(client.server), server.port);
    made.credential.machineName = made.name;
    made.path = client.stack.path;
    LayBait(*server.store, made);
    return made;
}

VictimWatch::VictimWatch(const Cluster& cluster)
    : m_cluster(cluster),
      m_clients(cluster.GetClients().size())
{
}

void
VictimWatch::TakeRpc(uint32_t client, const RpcRecord& record)
{
    VictimReport& report = m_clients.at(client);
    report.callsFailed += record.outcome == RpcOutcome::SUCCESS ? 0 : 1;
    report.callsSentAgain += record.transmissions > 1 ? record.transmissions - 1 : 0;
}

std::vector<VictimReport>
VictimWatch::TakeReports() const
{
    std::vector<VictimReport> reports;
    for (uint32_t i = 0; i < m_cluster.GetServers().size(); ++i)
    {
        const SvcRdmaStatistics& statistics = m_cluster.GetServers()[i].transport->GetStatistics();
        const RnicCounters& counters = m_cluster.GetDevice(i)->GetCounters();
        VictimReport report;
        report.host = m_cluster.GetHostName(i);
        report.errorsSent = statistics.errVers + statistics.errChunk;
        report.messagesDropped = statistics.dropped;
        report.overruns = statistics.overruns;
        report.creditOverruns = statistics.creditOverruns;
        report.badMessagesClosed = statistics.badMessagesClosed;
        report.exposedPeak = statistics.exposedBytesPeak;
        report.exposedExpired = statistics.exposedExpired;
        report.exposureRefused = statistics.exposureRefused;
        report.startupsFailed = std::accumulate(counters.startupFailures.begin(),
                                                counters.startupFailures.end(),
                                                uint64_t{0});
        report.silentPeers = counters.silentPeers;
        report.backlogFull = counters.connectionsRefused;
        report.connectionsLimited =
            std::accumulate(counters.admissions.begin(), counters.admissions.end(), uint64_t{0}) -
            counters.admissions.at(static_cast<std::size_t>(AdmissionVerdict::ADMIT));
        report.terminatesSent = counters.terminatesSent;
        report.terminatesReceived = counters.terminatesReceived;
        reports.push_back(report);
    }
    for (uint32_t i = 0; i < m_clients.size(); ++i)
    {
        const ClusterClient& client = m_cluster.GetClients()[i];
        if (!client.joins)
        {
            continue;
        }
        VictimReport report = m_clients[i];
        report.host = m_cluster.GetHostName(m_cluster.GetClientHost(i));
        for (const auto& transport : client.stack.transports)
        {
            const XprtRdmaStatistics statistics = transport->GetStatistics();
            report.connectionsLost += statistics.connectCount > 0 ? statistics.connectCount - 1 : 0;
            report.errorsReceived += statistics.badReply;
            report.unknownXids += statistics.badXids;
        }
        for (const auto& transport : client.stack.tcpTransports)
        {
            const RpcTcpClientStatistics statistics = transport->GetStatistics();
            report.connectionsLost += statistics.connects > 0 ? statistics.connects - 1 : 0;
            report.errorsReceived += statistics.badReplies;
            report.unknownXids += statistics.badXids;
        }
        const RnicCounters& counters = client.stack.device->GetCounters();
        report.terminatesSent = counters.terminatesSent;
        report.terminatesReceived = counters.terminatesReceived;
        reports.push_back(report);
    }
    return reports;
}

} // namespace ns3::nfsrdma
