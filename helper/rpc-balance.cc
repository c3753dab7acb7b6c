/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/rpc-balance.h"

#include "helper/cluster.h"
#include "helper/conservation.h"

#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// A number of calls, and what became of them.
using CountedCalls = std::pair<uint64_t, const char*>;

/// \return "7 submitted, 5 succeeded, 2 failed, ..."
std::string
ListCalls(const std::vector<CountedCalls>& counted)
{
    std::string text;
    for (const auto& [count, what] : counted)
    {
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
    }
    return text;
}

/// A line unless the first is the sum of the others.
void
CompareCalls(const std::string& host, const std::vector<CountedCalls>& counted, RpcBalance& balance)
{
    uint64_t sum = 0;
    for (std::size_t i = 1; i < counted.size(); ++i)
    {
        sum += counted[i].first;
    }
    if (counted.front().first != sum)
    {
        balance.broken.push_back(host + ": " + ListCalls(counted));
    }
}

void
AddClient(const NamedRpcCounts<ClientRpcCounts>& client, RpcBalance& balance)
{
    const auto& counts = client.counts;
    CompareCalls(client.host,
                 {{counts.submitted, "calls submitted"},
                  {counts.succeeded, "succeeded"},
                  {counts.failed, "failed"},
                  {counts.cancelled, "cancelled"},
                  {counts.outstanding, "outstanding"}},
                 balance);
    auto& sum = balance.clients;
    sum.submitted += counts.submitted;
    sum.succeeded += counts.succeeded;
    sum.failed += counts.failed;
    sum.cancelled += counts.cancelled;
    sum.outstanding += counts.outstanding;
    sum.sent += counts.sent;
    sum.repeated += counts.repeated;
    sum.others += counts.others;
}

void
AddServer(const NamedRpcCounts<ServerRpcCounts>& server, RpcBalance& balance)
{
    const auto& counts = server.counts;
    CompareCalls(server.host,
                 {{counts.received, "messages received"},
                  {counts.answered, "answered"},
                  {counts.refused, "refused"},
                  {counts.dropped, "dropped"},
                  {counts.abandoned, "abandoned"},
                  {counts.others, "no calls"},
                  {counts.inService, "in service"}},
                 balance);
    auto& sum = balance.servers;
    sum.received += counts.received;
    sum.answered += counts.answered;
    sum.refused += counts.refused;
    sum.dropped += counts.dropped;
    sum.abandoned += counts.abandoned;
    sum.others += counts.others;
    sum.inService += counts.inService;
}

ClientRpcCounts
CountCalls(const NfsRdmaClient& stack)
{
    ClientRpcCounts counts;
    for (const auto& transport : stack.transports)
    {
        const auto statistics = transport->GetStatistics();
        const auto& reverse = transport->GetReverseStatistics();
        counts.submitted += statistics.submitted;
        counts.succeeded += statistics.succeeded;
        counts.failed += statistics.failed;
        counts.cancelled += statistics.cancelled;
        counts.outstanding += transport->GetPending();
        counts.repeated += statistics.repeated;
        const uint64_t done = transport->GetReplyPullStatistics().doneSent;
        counts.others += reverse.replies + reverse.errChunk + done;
        // As Linux counts, sends has the answers to callbacks.
        counts.sent += statistics.sends + reverse.errChunk + done;
    }
    for (const auto& transport : stack.tcpTransports)
    {
        const auto statistics = transport->GetStatistics();
        counts.submitted += statistics.submitted;
        counts.succeeded += statistics.succeeded;
        counts.failed += statistics.failed;
        counts.cancelled += statistics.cancelled;
        counts.outstanding += transport->GetPending();
        counts.repeated += statistics.repeated;
        counts.others += statistics.reverseReplies;
        counts.sent += statistics.sends + statistics.reverseReplies;
    }
    if (const auto tls = stack.sockets ? stack.sockets->GetTls() : nullptr)
    {
        const uint64_t probes = tls->GetStatistics().probes;
        counts.others += probes;
        counts.sent += probes;
    }
    return counts;
}

ServerRpcCounts
CountRecords(const RpcTcpServer& server)
{
    const auto& statistics = server.GetStatistics();
    ServerRpcCounts counts;
    counts.received = statistics.records;
    counts.answered = statistics.replies;
    counts.dropped = statistics.dropped;
    counts.abandoned = statistics.abandoned;
    counts.others = statistics.noRpc + statistics.reverseReplies;
    counts.inService = statistics.unanswered;
    return counts;
}

ServerRpcCounts
CountMessages(const RpcRdmaServer& transport)
{
    const auto& statistics = transport.GetStatistics();
    ServerRpcCounts counts;
    counts.received = statistics.recv;
    counts.answered = statistics.replies;
    counts.refused = statistics.errVers + statistics.errChunk;
    counts.dropped = statistics.dropped + statistics.uncredited;
    counts.abandoned = statistics.abandoned;
    counts.others = statistics.notices + statistics.reverseReplies;
    counts.inService = transport.GetUnanswered();
    return counts;
}

} // namespace

RpcBalance
BalanceRpcs(const std::vector<NamedRpcCounts<ClientRpcCounts>>& clients,
            const std::vector<NamedRpcCounts<ServerRpcCounts>>& servers,
            const ConservationLimits& limits)
{
    RpcBalance balance;
    for (const auto& client : clients)
    {
        AddClient(client, balance);
    }
    for (const auto& server : servers)
    {
        AddServer(server, balance);
    }
    const uint64_t sent = balance.clients.sent;
    const uint64_t received = balance.servers.received;
    const bool fromNowhere = received > sent && !limits.foreign;
    if (fromNowhere || (received < sent && !limits.connectionsEnd))
    {
        balance.broken.push_back("between clients and servers: " +
                                 ListCalls({{sent, "messages sent"}, {received, "received"}}));
    }
    balance.lost = sent > received ? sent - received : 0;
    return balance;
}

RpcBalance
BalanceRpcs(const Cluster& cluster, const ConservationLimits& limits)
{
    std::vector<NamedRpcCounts<ClientRpcCounts>> clients;
    for (uint32_t client = 0; client < cluster.GetClients().size(); ++client)
    {
        clients.push_back({cluster.GetHostName(cluster.GetClientHost(client)),
                           CountCalls(cluster.GetClients()[client].stack)});
    }
    std::vector<NamedRpcCounts<ServerRpcCounts>> servers;
    for (uint32_t server = 0; server < cluster.GetServers().size(); ++server)
    {
        const auto& stack = cluster.GetServers()[server];
        if (stack.tcp)
        {
            servers.push_back({cluster.GetServerName(server), CountRecords(*stack.tcp)});
        }
        if (stack.port != 0)
        {
            servers.push_back({cluster.GetServerName(server), CountMessages(*stack.transport)});
        }
    }
    return BalanceRpcs(clients, servers, limits);
}

} // namespace ns3::nfsrdma
