/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_RUN_SCENARIO_RUN_H
#define NFSRDMA_SCENARIOS_SIMULATOR_RUN_SCENARIO_RUN_H

#include "helper/cluster-form-costs.h"
#include "helper/cluster-helper.h"
#include "helper/cpu-watch.h"
#include "helper/drop-watch.h"
#include "helper/explore/event-order.h"
#include "helper/explore/exploring-simulator.h"
#include "helper/explore/invariants.h"
#include "helper/guarantees.h"
#include "helper/latency-stack.h"
#include "helper/memory-watch.h"
#include "helper/mount-statistics.h"
#include "helper/progress-meter.h"
#include "helper/queue-sampler.h"
#include "helper/resource-watch.h"
#include "helper/rpc-recorder.h"
#include "helper/run-digest.h"
#include "helper/service-times-book.h"
#include "helper/stall-watchdog.h"
#include "helper/utilisation-watch.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/report/output-directory.h"
#include "scenarios/simulator/report/run-charts.h"
#include "scenarios/simulator/report/run-report.h"
#include "scenarios/simulator/run/adversary-run.h"
#include "scenarios/simulator/run/checkpoint.h"
#include "scenarios/simulator/run/fault-run.h"
#include "scenarios/simulator/run/pending-work.h"
#include "scenarios/simulator/setup/cluster-plan.h"

#include <chrono>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Which files a run writes besides manifest.json and summary.json.
struct RunDetail
{
    bool tables{true};   ///< mountstats.txt, and what happened of faults and adversaries.
    bool progress{true}; ///< Show progress on a terminal, and what goes wrong meanwhile.
    bool rpcs{true};     ///< rpc.csv, when output.rpc_csv.
    /// See ProgressMeter; wall-clock time.
    std::chrono::milliseconds progressInterval{0};
    Time checkpointInterval{}; ///< Of simulated time; 0: no partial results.
};

/// Has the events of a run take another order than that of their times.
struct RunOrder
{
    EventOrder moves;
    /// Called when the cluster is there and nothing has happened yet; may be null.
    std::function<void(ExploringSimulator& simulator, const Cluster& cluster)> prepare{};
};

/**
 * \brief One simulation of one resolved scenario, from an empty simulator to the census. A process
 * can make one at a time.
 */
class ScenarioRun
{
  public:
    /// \param plan outlives this
    /// \param directory takes the run's files
    ScenarioRun(const ClusterPlan& plan, OutputDirectory& directory, const RunDetail& detail);
    /// As above, in the order of events that \p order says, with a watch over what always holds.
    ScenarioRun(const ClusterPlan& plan,
                OutputDirectory& directory,
                const RunDetail& detail,
                RunOrder order);
    ~ScenarioRun();

    /// Runs to the end of the work. To be called once. With RunDetail::checkpointInterval it also
    /// returns in copies of the process, with a report that is partial, and whose results go to the
    /// same OutputDirectory: they have to be committed, and the copy ended.
    RunReport Execute();

  private:
    /// Has the simulator order events as wanted.
    void OrderEvents();
    /// The work is done: looks, once nothing is under way, at what has to hold then.
    void CheckInvariants(RunReport& report);
    /// Takes what the cluster tells of frames, RPCs and phases.
    void Connect();
    void TakeRpc(uint32_t client, const RpcRecord& record);
    /// The run has entered a phase.
    void TakePhase(RunPhase phase);
    /// \return the phase of the run in which an RPC arrived that has ended now.
    [[nodiscard]] RunPhase GetPhase(uint32_t client, const RpcRecord& record) const;
    /// \return octets of file data that each client has moved so far.
    [[nodiscard]] std::vector<DataOctets> CountData() const;

    /// An RPC of the work that has ended.
    struct EndedRpc
    {
        uint32_t client{0};
        RpcRecord record;
        std::optional<RpcServiceTimes> service;
    };

    /// Measures \p rpc, as far as it is in \p window.
    void Measure(const EndedRpc& rpc, const MeasurementWindow& window);
    /// A server has closed a connection for a newcomer.
    void TakeLimited(uint64_t connection);
    /// A client has made a connection.
    void TakeConnection(uint32_t inlineSend, uint32_t inlineReceive);
    /// A call of a client can never be sent.
    void TakeRefusal(const RpcRecord& record, const std::string& reason);
    void OpenCaptures();
    void SampleQueues();
    void Watch();
    /// The work is done: what clients have under way ends, read-ahead for one thing.
    void AwaitUnderWay();
    /// Makes a copy that writes partial results, when they are due.
    void WritePartial();
    /// Nothing more is measured: what has been is summed up.
    void CloseWindow();
    void TearDown(RunReport& report);
    void ReportDrops(RunReport& report) const;
    void ReportLoss(RunReport& report) const;
    void ReportFairness(RunReport& report) const;
    /// No more faults; \p report gets what became of them.
    void EndFaults(RunReport& report);
    /// The same for adversaries.
    void EndAdversaries(RunReport& report);
    /// Writes the keys that captures are encrypted with, if they are.
    void WriteEspKeys(RunReport& report);
    void WriteTlsSecrets(RunReport& report);
    void WriteMountStatistics(Time age);

    const ClusterPlan& m_plan;
    OutputDirectory& m_directory;
    RunDetail m_detail;
    std::optional<RunOrder> m_order;     ///< None: that of times.
    Ptr<ExploringSimulator> m_simulator; ///< Null unless events are ordered.
    bool m_limited{false};               ///< A server has closed a connection for a newcomer.

    std::unique_ptr<RunCharts> m_charts;   ///< Outlives the cluster, which tells it what happens.
    std::unique_ptr<DropWatch> m_drops;    ///< Outlives the cluster, as the above.
    std::unique_ptr<MemoryWatch> m_memory; ///< The same.
    std::unique_ptr<ServiceTimesBook> m_services; ///< The same.
    std::unique_ptr<Cluster> m_cluster;
    std::unique_ptr<Guarantees> m_guarantees;
    std::unique_ptr<Invariants> m_invariants;    ///< Null unless events are ordered.
    std::unique_ptr<FaultRun> m_faults;          ///< Null without a plan.
    std::unique_ptr<AdversaryRun> m_adversaries; ///< Null without any.
    std::unique_ptr<RunDigest> m_digest;
    std::unique_ptr<PendingWork> m_pending;
    std::unique_ptr<StallWatchdog> m_watchdog;
    std::map<std::string, uint64_t> m_refusals; ///< Calls never sent, by operation and reason.
    std::unique_ptr<ProgressMeter> m_progress;
    std::unique_ptr<Checkpoint> m_checkpoint; ///< Null without an interval.
    bool m_isPartial{false};                  ///< This is a copy of the run.
    std::ofstream m_rpcStream;
    std::unique_ptr<RpcRecorder> m_recorder;
    std::unique_ptr<ClusterFormCosts> m_formCosts;
    std::ofstream m_queueStream;
    std::unique_ptr<QueueSampler> m_queues; ///< When output.queue_sample.
    std::vector<MountStatistics> m_mounts;  ///< One a client.
    std::vector<Time> m_runBegan;           ///< One a client: what came before was its setup.
    std::vector<DataOctets> m_data;         ///< One a client: octets moved in the window.
    std::vector<uint64_t> m_rpcs;           ///< One a client: RPCs that succeeded in the window.
    std::vector<std::string> m_workloads;   ///< One a client: the names of its workloads.
    std::vector<DataOctets> m_before;       ///< One a client: octets moved before the window.
    std::vector<EndedRpc> m_held;           ///< RPCs of the work, while its window is to be found.
    RpcWindow m_window;
    std::unique_ptr<CpuWatch> m_processors;
    std::vector<Utilisation> m_utilisations; ///< In the window.
    std::unique_ptr<UtilisationWatch> m_utilisation;
    std::unique_ptr<ResourceWatch> m_resources; ///< When output.resources.
    bool m_leaving{false};                      ///< All are done: clients unmount.
    RpcStatistics m_statistics;
    LatencyStacks m_stacks;
    LatencyDistributions m_latencies; ///< Of RPCs.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_RUN_SCENARIO_RUN_H
