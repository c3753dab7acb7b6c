/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_RUN_REPORT_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_RUN_REPORT_H

#include "fault/outcome.h"
#include "helper/cluster-adversaries.h"
#include "helper/conservation.h"
#include "helper/fairness.h"
#include "helper/host-counters.h"
#include "helper/latency-distributions.h"
#include "helper/latency-stack.h"
#include "helper/leftover-census.h"
#include "helper/lock-use.h"
#include "helper/measurement.h"
#include "helper/memory-watch.h"
#include "helper/resource-meter.h"
#include "helper/rpc-balance.h"
#include "helper/rpc-statistics.h"
#include "helper/utilisation-watch.h"
#include "nfs/store/server-storage.h"
#include "nfs/types/cached-requests.h"
#include "rpcrdma/registration/statistics.h"
#include "scenarios/simulator/report/loss-report.h"
#include "scenarios/simulator/report/network-report.h"
#include "workload/check/mismatch.h"
#include "workload/replay/mismatch-report.h"
#include "workload/result.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// Exit statuses of the program.
enum class RunStatus : int
{
    OK = 0,
    FAILED = 1,  ///< Something was not as written, or was left over.
    USER = 2,    ///< The user's input is wrong.
    STALLED = 3, ///< The run stopped making progress.
};

/// Read-back checks summed over all clients.
struct VerificationTotals
{
    ContentCheck reads;   ///< What READs and READLINKs gave, during the run.
    ContentCheck exports; ///< Whole exports, after the run.
    uint64_t failedOperations{0};

    // Replay: replies compared with the recorded ones.
    uint64_t replayCompared{0};
    uint64_t replayMismatches{0};
    std::vector<std::string> replayDescribed;

    [[nodiscard]] uint64_t GetMismatches() const
    {
        return reads.mismatches + exports.mismatches;
    }
};

/// What a host needed.
struct HostReport
{
    std::string name;
    uint64_t reassemblyPeak{0}; ///< Most octets in reassembly at a time, of all connections.
    double reassemblyMean{0};   ///< Mean over the run of the same.
    uint64_t placedAhead{0};    ///< FPDUs placed ahead of order.
    uint32_t cores{0};
    double cpuBusy{0};       ///< Share of the time of its cores, while workloads ran.
    Time coreTime;           ///< That all its cores worked, while workloads ran.
    uint64_t receivePeak{0}; ///< Servers: most octets of receive buffers at a time.
    uint64_t exposedPeak{0}; ///< Servers: most octets of replies exposed as Read chunk at a time.
};

/// What was done to make memory known, on all connections.
struct RegistrationReport
{
    RegistrationStatistics clients;
    RegistrationStatistics servers;
};

/// What a ResourceWatch has measured of one resource, while workloads ran.
struct ResourceReport
{
    std::string host;
    std::string name;
    ResourceUse use;
};

/// What the storage of a server with a page cache has counted, setup included.
struct CacheReport
{
    std::string host;
    ServerStorageStatistics statistics;
    uint64_t cachedPages{0};
    uint64_t dirtyPages{0};
    uint64_t evictedPages{0};
};

/// What the caches of a client have answered, setup included.
struct ClientCacheReport
{
    uint32_t client{0};
    FileCacheStatistics statistics;
};

/// What a workload of a client measured.
struct WorkloadReport
{
    std::string name; ///< Of its section, or its kind.
    std::string kind;
    uint32_t client{0};
    std::vector<WorkloadResult> results;
};

/// What became of a fault plan.
struct FaultReport
{
    std::vector<FaultOutcome> outcomes; ///< In the order of the plan; empty: there was none.
    uint64_t stopped{0};                ///< Frames lost to links down or narrow, and partitions.
};

/// What became of a role of one host.
struct AdversaryOutcome
{
    std::string name; ///< Of its section.
    std::string role;
    std::string host;
    std::map<std::string, uint64_t> broken; ///< Rules broken, by what was done.

    [[nodiscard]] uint64_t GetBroken() const
    {
        uint64_t total = 0;
        for (const auto& [what, count] : broken)
        {
            total += count;
        }
        return total;
    }
};

/// What became of sections [adversary NAME].
struct AdversaryReport
{
    std::vector<AdversaryOutcome> outcomes; ///< Empty: there were none.
    std::vector<VictimReport> victims;      ///< Honest hosts, servers first.
};

/// How evenly what was done was shared, in the time that the measures of RPCs cover.
struct FairnessReport
{
    Fairness clientRpcs;       ///< RPCs that succeeded, by client.
    Fairness clientOctets;     ///< Octets of file data, by client.
    Fairness populations;      ///< Operations per client, by workload.
    Fairness populationOctets; ///< Octets per client, by workload.
};

/// What the measures of RPCs cover: all but the RPCs counted here.
struct RpcWindow
{
    static constexpr const char* COVERS =
        "RPCs that end in the measurement; latencies of those submitted in it";

    Time begins; ///< Zero: nothing has been measured.
    Time ends;
    Time fullLoadEnds;     ///< When the first workload had no more to do.
    uint64_t ofSetup{0};   ///< Submitted before the work of their client began.
    uint64_t ofWarmUp{0};  ///< Ended before.
    uint64_t ofDrain{0};   ///< Ended afterwards.
    uint64_t ofUnmount{0}; ///< Ended when all work was done.
    std::vector<std::pair<RunPhase, Time>> phases; ///< And when each began.
    Measurement::Verdict verdict;
};

/// What a host has ended or thrown away, by reason.
struct EndReport
{
    std::string host;
    std::map<std::string, uint64_t> connections; ///< Ended, or could not be made.
    std::map<std::string, uint64_t> drops;       ///< Servers: messages not answered.
    std::map<std::string, uint64_t> errors{};    ///< RDMA_ERROR sent by servers, come to clients.
};

/// Why a run was given up.
struct StallReport
{
    std::string reason;               ///< The limit that ended it; empty: it has not stalled.
    std::vector<std::string> pending; ///< What would have happened next, and when.
};

/// What one run gave.
struct RunReport
{
    RunStatus status{RunStatus::OK};
    bool isPartial{false}; ///< Of a run that goes on: it has only what has ended so far.
    uint64_t seed{0};
    Time simulated;    ///< When the last workload finished (or the run stalled, or is so far).
    Time lastProgress; ///< When the latest RPC completed that got an operation further.
    uint64_t events{0};
    uint64_t frames{0}; ///< On all host links, both directions.
    RpcStatistics statistics;
    RpcWindow window;
    LatencyStacks stacks;
    LatencyDistributions latencies; ///< Of RPCs and of workloads.
    LossCounts loss;
    std::vector<LayerBalance> conservation; ///< By layer.
    RpcBalance rpcBalance;
    std::vector<std::string> brokenGuarantees; ///< Of policies: a line each.
    FairnessReport fairness;
    std::vector<Utilisation> utilisation; ///< While workloads ran.
    std::vector<MemoryUse> memory;        ///< Over the whole run.
    std::vector<HostCounter> counters;    ///< Over the whole run.
    std::vector<LockUse> locks;           ///< Over the whole run.
    VerificationTotals verification;
    std::vector<HostReport> hosts; ///< Servers first.
    std::size_t servers{0};
    uint64_t connectionsLost{0};              ///< Of clients, and made anew.
    std::map<std::string, uint64_t> refusals; ///< Calls that could never be sent, by why.
    std::vector<EndReport> ends;              ///< Of each host, servers first.
    RegistrationReport registration;
    std::vector<ResourceReport> resources;   ///< When they were asked for.
    std::vector<MemoryUse> serverTransports; ///< The same; MemoryWatch::GetServerTransports().
    std::vector<CacheReport> caches; ///< Of servers that have one, when they were asked for.
    std::vector<PortReport> ports;   ///< Of switches.
    std::vector<ClientCacheReport> clientCaches; ///< Of clients whose workloads make system calls.
    /// What was dropped, by place; see DropWatch.
    std::vector<std::pair<std::string, uint64_t>> drops;
    /// Of them those in hosts where anything was dropped, by host.
    std::vector<std::pair<std::string, std::vector<std::pair<std::string, uint64_t>>>> hostDrops;
    Time roundTrip;                        ///< Of the longest path; see PathTimers.
    std::vector<std::string> shortTimers;  ///< Timers shorter than that.
    std::vector<WorkloadReport> workloads; ///< Of those that measure, by client.
    std::map<std::string, uint64_t> unsupported;
    LeftoverCensus leftovers;
    FaultReport faults;
    AdversaryReport adversaries;
    uint32_t tlsSecrets{0};           ///< Lines of sslkeylog.txt; 0: no such file.
    uint32_t espKeys{0};              ///< Associations in esp_sa; 0: no such file.
    std::vector<std::string> waiting; ///< STALLED: what each host waits for.
    StallReport stall;                ///< STALLED.
    /// What always holds and did not: when events were ordered.
    std::vector<std::string> broken;
    /// Moves of that order that found nothing to move.
    std::vector<std::string> missedMoves;
    std::string digest;
};

/// What processors did, by side.
struct ProcessorTotals
{
    double serverBusy{0}; ///< Mean over hosts of HostReport::cpuBusy.
    double clientBusy{0};
    Time serverTime; ///< Sum over hosts of HostReport::coreTime.
    Time clientTime;
};

/// \return whether octets are missing, or came from nowhere, in any layer, or RPCs.
[[nodiscard]] bool IsConserved(const RunReport& report);

ProcessorTotals GetProcessorTotals(const RunReport& report);

/// \return for each workload the sum over its clients, client 0 standing for all; the time is that
/// of the client that took the longest.
std::vector<WorkloadReport> GetWorkloadTotals(const RunReport& report);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_RUN_REPORT_H
