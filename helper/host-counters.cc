/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/host-counters.h"

#include "helper/cluster.h"
#include "host/iommu.h"
#include "ipsec/inline-crypto.h"
#include "link/arp-queue.h"
#include "link/ethernet-net-device.h"
#include "link/neighbour-discovery.h"
#include "mpa/host-tcp.h"
#include "mpa/tcp-engine.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

using NamedCounts = std::vector<std::pair<const char*, uint64_t>>;

NamedCounts
ListRdma(const RnicCounters& counters)
{
    const auto sent = [&counters](RdmapOpcode opcode) {
        return counters.messagesSent[static_cast<std::size_t>(opcode)];
    };
    uint64_t sends = 0;
    for (const RdmapOpcode opcode : {RdmapOpcode::SEND,
                                     RdmapOpcode::SEND_INVALIDATE,
                                     RdmapOpcode::SEND_SE,
                                     RdmapOpcode::SEND_SE_INVALIDATE})
    {
        sends += sent(opcode);
    }
    return {
        {"iwInRdmaReads",
         counters.segmentsReceived[static_cast<std::size_t>(RdmapOpcode::READ_REQUEST)]},
        {"iwInRdmaSends", counters.sendsReceived},
        {"iwInRdmaWrites", counters.messagesReceived[static_cast<std::size_t>(RdmapOpcode::WRITE)]},
        {"iwOutRdmaReads", sent(RdmapOpcode::READ_REQUEST)},
        {"iwOutRdmaSends", sends},
        {"iwOutRdmaWrites", sent(RdmapOpcode::WRITE)},
        {"iwRdmaBnd", counters.windowBindings},
        {"iwRdmaInv", counters.localInvalidations}};
}

NamedCounts
ListEthtool(const EthernetPortCounters& counters)
{
    return {{"rx_packets", counters.framesArrived - counters.framesDamaged},
            {"rx_bytes", counters.octetsArrived - counters.octetsDamaged},
            {"rx_crc_errors", counters.framesDamaged},
            {"tx_packets", counters.framesSent},
            {"tx_bytes", counters.octetsSent},
            {"tx_dropped", counters.framesDropped}};
}

/// Of flow control, by the names that ethtool -S has with it.
NamedCounts
ListPause(const EthernetNetDevice& port)
{
    const auto& counters = port.GetCounters();
    const auto paused = static_cast<uint64_t>(port.GetPausedTime().GetMicroSeconds());
    switch (port.GetFlowControl())
    {
    case FlowControl::PAUSE:
        return {{"rx_pause", counters.pauseReceived},
                {"rx_pause_duration", paused},
                {"tx_pause", counters.pauseSent}};
    case FlowControl::PFC:
        return {{"rx_prio0_pause", counters.pauseReceived},
                {"rx_prio0_pause_duration", paused},
                {"tx_prio0_pause", counters.pauseSent}};
    case FlowControl::NONE:
        break;
    }
    return {};
}

NamedCounts
ListBond(const BondNetDevice& bond)
{
    const auto& counters = bond.GetCounters();
    NamedCounts counts{{"failovers", counters.failovers},
                       {"peers_notified", counters.peersNotified},
                       {"backup_discarded", counters.backupDiscarded},
                       {"tx_without_port", counters.withoutPort}};
    if (bond.GetMonitor() != nullptr)
    {
        counts.emplace_back("arp_probes", counters.arpProbes);
    }
    if (const auto* const aggregate = bond.GetAggregate())
    {
        const auto& lacp = aggregate->GetCounters();
        counts.emplace_back("lacpdu_rx", lacp.received);
        counts.emplace_back("lacpdu_tx", lacp.sent);
        counts.emplace_back("lacpdu_illegal_rx", lacp.illegal);
    }
    return counts;
}

NamedCounts
ListNstat(const TcpCounters& counters)
{
    const uint64_t repeated = counters.fastRetransmits + counters.timerRetransmits;
    return {{"TcpRetransSegs", repeated},
            {"TcpExtTCPOrigDataSent",
             counters.segmentsSent > repeated ? counters.segmentsSent - repeated : 0},
            {"TcpExtTCPTimeouts", counters.timeouts},
            {"TcpExtTCPFastRetrans", counters.fastRetransmits},
            {"TcpExtTCPSackRecovery", counters.fastRecoveries},
            {"TcpExtTCPOFOQueue", counters.outOfOrder},
            {"TcpExtTCPWinProbe", counters.probes},
            {"TcpExtTCPMTUPSuccess", counters.mtuProbesPassed},
            {"TcpExtTCPMTUPFail", counters.mtuProbesFailed},
            {"IpExtInCEPkts", counters.marked}};
}

/// Of the adapter's own TCP, by the names of irdma.
NamedCounts
ListEngineSegments(const TcpEngineCounters& counters)
{
    return {{"tcpInSegs", counters.inSegments},
            {"tcpOutSegs", counters.outSegments},
            {"tcpRetransSegs", counters.retransmits}};
}

/// What the adapter's own TCP counts beyond what every TCP does.
NamedCounts
ListEngineNstat(const TcpEngineCounters& counters)
{
    return {{"TcpOutRsts", counters.outResets},
            {"TcpExtDelayedACKs", counters.delayedAcks},
            {"TcpExtTCPLossProbes", counters.lossProbes},
            {"TcpExtTCPLossProbeRecovery", counters.lossProbeRecoveries},
            {"TcpExtTCPSpuriousRTOs", counters.spuriousTimeouts},
            {"TcpExtTCPDSACKRecv", counters.dsacksReceived},
            {"TcpExtTCPSACKReneging", counters.sackRenegings},
            {"TcpExtTCPKeepAlive", counters.keepAlives},
            {"TcpExtTCPChallengeACK", counters.challengeAcks},
            {"TcpExtTCPACKSkippedChallenge", counters.challengesSkipped},
            {"TcpExtPAWSEstab", counters.pawsDropped},
            {"TcpExtTCPAbortOnTimeout", counters.aborted}};
}

NamedCounts
ListTls(const RpcTls& tls)
{
    const auto statistics = tls.GetStatistics();
    return {{"TlsProbes", statistics.probes},
            {"TlsRefused", statistics.refused},
            {"TlsHandshakes", statistics.handshakes},
            {"TlsHandshakesFailed", statistics.handshakesFailed},
            {"TlsTimedOut", statistics.timedOut},
            {"TlsSpurious", statistics.spurious},
            {"TlsRecordsSent", statistics.recordsSent},
            {"TlsOctetsSent", statistics.octetsSent},
            {"TlsOctetsReceived", statistics.octetsReceived},
            {"TlsKeyUpdatesSent", statistics.keyUpdates},
            {"TlsAlertsSent", statistics.alertsSent},
            {"TlsAlertsReceived", statistics.alertsReceived},
            {"TlsDecryptError", statistics.badRecordMac},
            {"TlsCloseNotify", statistics.closeNotify}};
}

/// \return the TLS of a host; null: it has none.
Ptr<RpcTls>
FindTls(const Cluster& cluster, uint32_t host)
{
    Ptr<HostSockets> sockets;
    if (host < cluster.GetServerHostCount())
    {
        sockets = cluster.GetServers()[host].sockets;
    }
    else
    {
        sockets = cluster.GetClients()[host - cluster.GetServerHostCount()].stack.sockets;
    }
    return sockets ? sockets->GetTls() : nullptr;
}

/// Of IPsec, by the names that Linux has in /proc/net/xfrm_stat, where it has one.
NamedCounts
ListIpsec(const InlineCrypto& crypto)
{
    const auto& counters = crypto.GetCounters();
    const auto discarded = [&counters](IpsecDiscard reason) {
        return counters.GetDiscarded(reason);
    };
    return {{"protected_packets", counters.protectedPackets},
            {"protected_octets", counters.protectedOctets},
            {"opened_packets", counters.openedPackets},
            {"opened_octets", counters.openedOctets},
            {"XfrmInNoStates", discarded(IpsecDiscard::NO_ASSOCIATION)},
            {"XfrmInStateSeqError", discarded(IpsecDiscard::REPLAYED)},
            {"XfrmInStateProtoError", discarded(IpsecDiscard::INTEGRITY)},
            {"XfrmInHdrError", discarded(IpsecDiscard::MALFORMED)},
            {"XfrmInStateMismatch", discarded(IpsecDiscard::MISMATCH)},
            {"XfrmInTmplMismatch", discarded(IpsecDiscard::UNPROTECTED)},
            {"XfrmOutStateExpired", discarded(IpsecDiscard::EXPIRED)},
            {"fragments_discarded", discarded(IpsecDiscard::FRAGMENT)},
            {"crypto_overflows", discarded(IpsecDiscard::OVERFLOWED)},
            {"dummies_received", counters.dummies},
            {"rekeys", counters.rekeys},
            {"rekeys_receiving", counters.rekeysReceiving},
            {"sa_cache_misses", crypto.GetEngine().GetMisses()}};
}

/// Of neighbour tables, both of them where there are two.
NamedCounts
ListNeighbours(const Node& node)
{
    const auto arp = node.GetObject<ArpQueue>();
    const auto discovery = node.GetObject<NeighbourDiscovery>();
    return {{"unresolved_discards",
             (arp ? arp->GetDiscarded() : 0) + (discovery ? discovery->GetDiscarded() : 0)}};
}

NamedCounts
ListRnic(RnicDevice& device)
{
    const RnicCounters& counters = device.GetCounters();
    RnicClocks& clocks = device.GetClocks();
    const auto wait = [](const FlowCredits& credits) {
        return static_cast<uint64_t>(credits.GetWaited().GetNanoSeconds());
    };
    return {{"doorbells", counters.doorbells},
            {"sends_posted", counters.sendsPosted},
            {"receives_posted", counters.receivesPosted},
            {"completions", counters.completions},
            {"interrupts", counters.interrupts},
            {"context_uses", counters.contextUses},
            {"context_hits", counters.contextHits},
            {"context_misses", counters.contextMisses},
            {"packets_lost", counters.packetsLost},
            {"context_loads", counters.contextLoads},
            {"ord_stalls", counters.ordStalls},
            {"fence_stalls", counters.fenceStalls},
            {"receive_buffer_stalls", device.GetReceiveBuffer().GetStalls()},
            {"posted_write_stalled_ns", wait(clocks.GetPostedWrites())},
            {"bus_read_stalled_ns",
             wait(clocks.GetPcie().GetTags()) + wait(clocks.GetPcie().GetCompletions())},
            {"payload_octets_sent", counters.payloadSent},
            {"payload_octets_received", counters.payloadReceived},
            {"terminates_sent", counters.terminatesSent},
            {"terminates_received", counters.terminatesReceived}};
}

NamedCounts
ListDispatch(const RpcServer& server)
{
    const RpcDispatchStatistics& dispatch = server.GetDispatchStatistics();
    const Ptr<RpcThreadPool> threads = server.GetThreadPool();
    const RpcThreadPoolStatistics& statistics = threads->GetStatistics();
    NamedCounts counts{
        {"packets_arrived", dispatch.attempts},
        {"sockets_enqueued", dispatch.enqueued},
        {"sockets_dequeued", dispatch.dequeued},
        {"sockets_dequeued_empty", dispatch.empty},
        {"threads_empty_ns", static_cast<uint64_t>(statistics.heldEmpty.GetNanoSeconds())}};
    if (threads->IsDynamic())
    {
        counts.emplace_back("threads_started", statistics.started);
        counts.emplace_back("threads_left", statistics.left);
        counts.emplace_back("threads_peak", threads->GetRunningMeter().GetPeak());
    }
    return counts;
}

NamedCounts
ListIommu(const HostIommu::Counters& counters)
{
    const auto nanoseconds = [](Time time) { return static_cast<uint64_t>(time.GetNanoSeconds()); };
    return {{"maps", counters.maps},
            {"mapped_pages", counters.mappedPages},
            {"map_ns", nanoseconds(counters.mapTime)},
            {"unmaps", counters.unmaps},
            {"unmap_ns", nanoseconds(counters.unmapTime)},
            {"invalidations", counters.invalidations},
            {"translations", counters.translations},
            {"iotlb_misses", counters.misses},
            {"walk_wait_ns", nanoseconds(counters.walkTime)}};
}

/// \return what is counted of requests that are free before their Send, of a pool of them that is
/// empty, and of Reads that invalidate their sink; none where there is nothing.
NamedCounts
ListRequests(const std::vector<Ptr<RpcRdmaClient>>& transports)
{
    NamedCounts counts{{"requests_unsent", 0}, {"request_waits", 0}, {"reads_invalidate", 0}};
    for (const auto& transport : transports)
    {
        const XprtRdmaStatistics statistics = transport->GetStatistics();
        counts[0].second += statistics.requestsUnsent;
        counts[1].second += statistics.requestWaits;
        counts[2].second += transport->GetReplyPullStatistics().readsInvalidate;
    }
    counts.erase(std::remove_if(counts.begin(),
                                counts.end(),
                                [](const auto& count) { return count.second == 0; }),
                 counts.end());
    return counts;
}

/// \return what is counted of releases that a work queue carries out, of a bound on memory, of
/// replies in parts and of a stock of receives; none where the server has none of them.
NamedCounts
ListBounds(const RpcRdmaServer& server)
{
    const auto& statistics = server.GetStatistics();
    NamedCounts counts;
    if (statistics.releasePeak != 0)
    {
        counts = {{"released", statistics.released},
                  {"releases_peak", statistics.releasePeak},
                  {"contexts_limited", statistics.contextsLimited}};
    }
    if (statistics.continuedReplies != 0)
    {
        counts.emplace_back("continued_replies", statistics.continuedReplies);
        counts.emplace_back("continuation_sends", statistics.continuationSends);
    }
    UintegerValue windows;
    server.GetAttribute("ReceiveWindows", windows);
    if (windows.Get() > 1)
    {
        counts.emplace_back("receive_refills", statistics.receiveRefills);
    }
    if (statistics.memoryPeak != 0)
    {
        counts.emplace_back("memory_peak", statistics.memoryPeak);
        counts.emplace_back("memory_refused", statistics.memoryRefused);
    }
    return counts;
}

} // namespace

std::vector<HostCounter>
ListHostCounters(const Cluster& cluster)
{
    std::vector<HostCounter> all;
    for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
    {
        const auto add = [&](const char* source, const NamedCounts& names) {
            for (const auto& [name, value] : names)
            {
                all.push_back({cluster.GetHostName(host), source, name, value});
            }
        };
        const auto device = cluster.GetDevice(host);
        add("rdma", ListRdma(device->GetCounters()));
        const auto engine = device->GetNode()->GetObject<TcpEngine>();
        if (engine)
        {
            add("rdma", ListEngineSegments(engine->GetCounters()));
        }
        const auto& network = cluster.GetNetwork();
        const auto losses = device->ListPortLosses();
        for (std::size_t port = 0; port < network.hostPorts[host].size(); ++port)
        {
            const auto source = network.hostPorts[host].size() > 1
                                    ? "ethtool-" + std::to_string(port + 1)
                                    : std::string("ethtool");
            const auto& own = network.hostPorts[host][port];
            add(source.c_str(), ListEthtool(own->GetCounters()));
            add(source.c_str(), ListPause(*own));
            if (port < losses.size())
            {
                add(source.c_str(), {{"rx_out_of_buffer", losses[port]}});
            }
        }
        if (const auto tls = FindTls(cluster, host))
        {
            add("tls", ListTls(*tls));
        }
        if (const auto crypto =
                DynamicCast<InlineCrypto>(network.GetInterfaces(host).front()->GetFrameStage()))
        {
            add("ipsec", ListIpsec(*crypto));
        }
        if (const auto& bond = network.bonds[host])
        {
            add("bond", ListBond(*bond));
        }
        if (const auto tcp = network.devices[host]->GetNode()->GetObject<HostTcp>())
        {
            add("nstat", ListNstat(tcp->GetCounters()));
        }
        if (engine)
        {
            add("nstat", ListEngineNstat(engine->GetCounters()));
        }
        add("lnstat", ListNeighbours(*network.devices[host]->GetNode()));
        add("rnic", ListRnic(*device));
        for (uint32_t server = 0; server < cluster.GetServers().size(); ++server)
        {
            if (host >= cluster.GetServerHostCount() || cluster.GetServerHost(server) != host)
            {
                continue;
            }
            const auto& stack = cluster.GetServers()[server];
            for (const auto& [name, value] : ListDispatch(*stack.rpc))
            {
                all.push_back({cluster.GetServerName(server), "pool_stats", name, value});
            }
            if (const uint64_t refused = stack.rpc->GetStatistics().unreserved; refused != 0)
            {
                all.push_back(
                    {cluster.GetServerName(server), "nfsd", "unreserved_ports_refused", refused});
            }
            if (const uint64_t refused = stack.rpc->GetStatistics().tooWeak; refused != 0)
            {
                all.push_back({cluster.GetServerName(server), "nfsd", "xprtsec_refused", refused});
            }
            for (const auto& [name, value] : ListBounds(*stack.transport))
            {
                all.push_back({cluster.GetServerName(server), "svc_rdma", name, value});
            }
        }
        for (uint32_t client = 0; client < cluster.GetClients().size(); ++client)
        {
            if (cluster.GetClientHost(client) == host)
            {
                add("xprt_rdma", ListRequests(cluster.GetClients()[client].stack.transports));
            }
        }
        if (HostIommu* const iommu = device->GetHostCpu()->GetIommu())
        {
            add("iommu", ListIommu(iommu->GetCounters()));
        }
    }
    return all;
}

} // namespace ns3::nfsrdma
