/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/run/run-verification.h"

#include "helper/cluster-helper.h"
#include "workload/check/content-verifier.h"
#include "workload/check/lock-verifier.h"
#include "workload/replay/trace-rows.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace ns3::nfsrdma
{

namespace
{

void
Add(ContentCheck& total, const ContentCheck& part, const std::string& client)
{
    total.files += part.files;
    total.directories += part.directories;
    total.symlinks += part.symlinks;
    total.octets += part.octets;
    total.uncertainOctets += part.uncertainOctets;
    total.uncertainNames += part.uncertainNames;
    total.mismatches += part.mismatches;
    for (const auto& mismatch : part.described)
    {
        if (total.described.size() < ContentCheck::MAX_DESCRIBED)
        {
            total.described.push_back(
                {client + ":/" + mismatch.path, mismatch.offset, mismatch.what});
        }
    }
}

/// \return whether no client before \p client has the same export.
bool
IsFirstOfTree(const std::vector<ClusterClient>& clients, uint32_t client)
{
    const auto& tree = clients[client].mount->GetSharedTree();
    return tree == nullptr ||
           std::none_of(clients.begin(), clients.begin() + client, [&tree](const auto& other) {
               return other.mount->GetSharedTree() == tree;
           });
}

/// \return who has the export of a client, for paths: the client, or the server and the export.
std::string
NameTree(const Cluster& cluster, uint32_t client)
{
    const auto& one = cluster.GetClients()[client];
    return one.mount->GetSharedTree() == nullptr
               ? cluster.GetHostName(cluster.GetClientHost(client))
               : cluster.GetServerName(one.server) + ":/" + one.exportName;
}

/// Compares the records below \p directory with what the clients that \p has counts of did.
ContentCheck
VerifyLocks(const FileStore& store,
            InodeNumber directory,
            const std::vector<ClusterClient>& clients,
            const std::function<bool(const ClusterClient& client)>& has)
{
    LockVerifier verifier;
    for (const auto& client : clients)
    {
        for (const auto& workload : client.workloads)
        {
            const auto lock = DynamicCast<LockWorkload>(workload);
            if (lock && has(client))
            {
                verifier.Add(*lock);
            }
        }
    }
    return verifier.Verify(store, directory);
}

void
AddReplay(VerificationTotals& totals, const ReplayReport& report, const std::string& client)
{
    totals.replayCompared += report.GetCompared();
    totals.replayMismatches += report.GetMismatches();
    for (const auto& mismatch : report.GetDescribed())
    {
        if (totals.replayDescribed.size() < ReplayReport::MAX_DESCRIBED)
        {
            totals.replayDescribed.push_back(client + ": trace line " +
                                             std::to_string(mismatch.line) + ": " +
                                             mismatch.operation + ": " + mismatch.what);
        }
    }
}

/// \return messages that the server has thrown away without a word, by reason.
/// \return RDMA_ERROR that a server has sent, by reason.
std::map<std::string, uint64_t>
CountErrors(const SvcRdmaStatistics& statistics)
{
    std::map<std::string, uint64_t> errors;
    const uint64_t refused = statistics.exposureRefused;
    if (statistics.errVers > 0)
    {
        errors["sent: ERR_VERS"] = statistics.errVers;
    }
    if (refused > 0)
    {
        errors["sent: a reply went another way or got ERR_CHUNK, since its connection has all that "
               "server_max_pending_read_chunks and server_max_exposed_bytes allow"] = refused;
    }
    if (statistics.errChunk > refused)
    {
        errors["sent: ERR_CHUNK, for what cannot be served"] = statistics.errChunk - refused;
    }
    return errors;
}

std::map<std::string, uint64_t>
CountDrops(const NfsRdmaServer& server)
{
    const auto& transport = server.transport->GetStatistics();
    const auto& rpc = server.rpc->GetStatistics();
    const uint64_t duplicates = server.rpc->GetDuplicateRequestCache().GetStatistics().dropped;
    const uint64_t window = server.gss->GetStatistics().badSequences;
    std::map<std::string, uint64_t> drops{
        {"duplicate in service", duplicates},
        {"outside of the GSS sequence window", window},
        {"not answered by flavour or program",
         rpc.dropped - std::min(rpc.dropped, duplicates + window)},
        {"no RPC call", rpc.badFormat},
        {"reply to no call that is known", transport.unknownReplies},
        {"notice of no pending Read chunk", transport.doneUnknown},
        {"no receive posted", transport.overruns}};
    for (std::size_t fault = 0; fault < transport.discarded.size(); ++fault)
    {
        drops[std::string("header: ") + ToString(static_cast<CallFault>(fault))] +=
            transport.discarded.at(fault);
    }
    for (auto drop = drops.begin(); drop != drops.end();)
    {
        drop = drop->second == 0 ? drops.erase(drop) : std::next(drop);
    }
    return drops;
}

} // namespace

void
SumUpWorkloads(const Cluster& cluster, RunReport& report)
{
    const auto& clients = cluster.GetClients();
    for (uint32_t i = 0; i < clients.size(); ++i)
    {
        const auto name = cluster.GetHostName(cluster.GetClientHost(i));
        if (IsFirstOfTree(clients, i))
        {
            Add(report.verification.reads,
                clients[i].mount->GetContent()->GetReadCheck(),
                NameTree(cluster, i));
        }
        for (const auto& workload : clients[i].workloads)
        {
            report.verification.failedOperations += workload->GetFailed();
            for (const auto& [operation, count] : workload->GetUnsupported())
            {
                report.unsupported[operation] += count;
            }
            if (const auto replay = DynamicCast<ReplayWorkload>(workload))
            {
                AddReplay(report.verification, replay->GetReport(), name);
            }
            auto results = workload->GetResults();
            if (!results.empty())
            {
                report.workloads.push_back(
                    {workload->GetName(), workload->GetKind(), i, std::move(results)});
            }
        }
    }
}

void
SumUpHosts(const Cluster& cluster, const CpuWatch& processors, RunReport& report)
{
    report.servers = cluster.GetServerHostCount();
    for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
    {
        const auto device = cluster.GetDevice(host);
        const auto& reassembly = device->GetReassemblyMeter();
        report.hosts.push_back({cluster.GetHostName(host),
                                reassembly.GetPeak(),
                                reassembly.GetMean(report.simulated),
                                device->GetCounters().placedAhead,
                                device->GetHostCpu()->GetCores(),
                                processors.GetBusyShare(host),
                                processors.GetCoreTime(host)});
    }
    for (uint32_t i = 0; i < cluster.GetServers().size(); ++i)
    {
        const auto& statistics = cluster.GetServers()[i].transport->GetStatistics();
        auto& host = report.hosts[cluster.GetServerHost(i)];
        host.receivePeak += statistics.receiveOctetsPeak;
        host.exposedPeak += statistics.exposedBytesPeak;
    }
}

void
SumUpTransports(const Cluster& cluster, RunReport& report)
{
    for (const auto& client : cluster.GetClients())
    {
        for (const auto& transport : client.stack.transports)
        {
            report.registration.clients += transport->GetRegistrationStatistics();
            const uint64_t connections = transport->GetStatistics().connectCount;
            report.connectionsLost += std::max<uint64_t>(connections, 1) - 1;
        }
        for (const auto& transport : client.stack.tcpTransports)
        {
            const uint64_t connections = transport->GetStatistics().connects;
            report.connectionsLost += std::max<uint64_t>(connections, 1) - 1;
        }
    }
    for (const auto& server : cluster.GetServers())
    {
        report.registration.servers += server.transport->GetRegistrationStatistics();
    }
}

void
ListClientCaches(const Cluster& cluster, RunReport& report)
{
    for (uint32_t i = 0; i < cluster.GetClients().size(); ++i)
    {
        const auto& files = cluster.GetClients()[i].stack.files;
        const auto* const caches = files != nullptr ? files->GetCaches() : nullptr;
        if (caches != nullptr)
        {
            report.clientCaches.push_back({i, caches->GetStatistics()});
        }
    }
}

void
SumUpEnds(const Cluster& cluster, RunReport& report)
{
    for (uint32_t i = 0; i < cluster.GetServers().size(); ++i)
    {
        const auto& server = cluster.GetServers()[i];
        const auto& statistics = server.transport->GetStatistics();
        EndReport ends{cluster.GetServerName(i),
                       statistics.ends,
                       CountDrops(server),
                       CountErrors(statistics)};
        if (server.tcp)
        {
            for (const auto& [reason, count] : server.tcp->GetStatistics().closed)
            {
                ends.connections[reason] += count;
            }
        }
        report.ends.push_back(std::move(ends));
    }
    for (uint32_t i = 0; i < cluster.GetClients().size(); ++i)
    {
        EndReport ends{cluster.GetHostName(cluster.GetClientHost(i)), {}, {}};
        for (const auto& transport : cluster.GetClients()[i].stack.transports)
        {
            for (const auto& [reason, count] : transport->GetEnds())
            {
                ends.connections[reason] += count;
            }
            const auto& faults = transport->GetStatistics().replyFaults;
            for (const auto fault : {ReplyFault::ERR_VERS, ReplyFault::ERR_CHUNK})
            {
                if (const uint64_t count = faults.at(static_cast<std::size_t>(fault)); count > 0)
                {
                    ends.errors[std::string("came: ") + ToString(fault)] += count;
                }
            }
        }
        report.ends.push_back(std::move(ends));
    }
}

void
VerifyExports(const Cluster& cluster, RunReport& report)
{
    const auto& clients = cluster.GetClients();
    for (uint32_t i = 0; i < clients.size(); ++i)
    {
        const auto& client = clients[i];
        if (!IsFirstOfTree(clients, i))
        {
            continue;
        }
        const auto& store = *cluster.GetServers()[client.server].store;
        Add(report.verification.exports,
            ContentVerifier(client.mount->GetContent()->GetTree(), store).Verify(client.root),
            NameTree(cluster, i));
        if (client.mount->GetSharedTree() != nullptr)
        {
            Add(report.verification.exports,
                VerifyLocks(store,
                            client.root,
                            clients,
                            [&client](const ClusterClient& other) {
                                return other.mount->GetSharedTree() ==
                                       client.mount->GetSharedTree();
                            }),
                NameTree(cluster, i));
        }
    }
    for (uint32_t i = 0; i < cluster.GetServers().size(); ++i)
    {
        const auto& store = *cluster.GetServers()[i].store;
        const auto shared = store.GetExport(ClusterHelper::SHARED_EXPORT);
        if (!shared)
        {
            continue;
        }
        Add(report.verification.exports,
            VerifyLocks(store,
                        *shared,
                        clients,
                        [i](const ClusterClient& client) {
                            return client.server == i && client.mount->GetSharedTree() == nullptr;
                        }),
            cluster.GetServerName(i) + ":/" + ClusterHelper::SHARED_EXPORT);
    }
}

bool
IsVerified(const RunReport& report)
{
    const auto& verification = report.verification;
    const bool mayFail = std::any_of(report.faults.outcomes.begin(),
                                     report.faults.outcomes.end(),
                                     [](const auto& fault) { return fault.firings > 0; }) ||
                         std::any_of(report.adversaries.outcomes.begin(),
                                     report.adversaries.outcomes.end(),
                                     [](const auto& one) { return one.GetBroken() > 0; });
    return verification.GetMismatches() == 0 && verification.replayMismatches == 0 &&
           (verification.failedOperations == 0 || mayFail) && report.leftovers.IsEmpty();
}

} // namespace ns3::nfsrdma
