/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host-fault-fixture.h"

#include "helper/cluster-faults.h"
#include "helper/run-digest.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/config/scenario-file.h"
#include "scenarios/simulator/run/cluster-from-plan.h"
#include "scenarios/simulator/run/run-verification.h"
#include "scenarios/simulator/setup/workload-input.h"

#include "ns3/simulator.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

namespace
{

constexpr int64_t PATIENCE = 1000; // s

void
Drain()
{
    Simulator::Stop(Seconds(PATIENCE));
    Simulator::Run();
}

} // namespace

HostFault
MakeFault(HostFaultKind kind, Time duration, uint64_t amount, Time delay, const std::string& peer)
{
    HostFault fault;
    fault.kind = kind;
    fault.duration = duration;
    fault.amount = amount;
    fault.delay = delay;
    fault.peer = peer;
    return fault;
}

void
HostFaultTest::Begin(const Cluster& /* cluster */)
{
}

void
HostFaultTest::Look(const Cluster& /* cluster */)
{
}

FaultedRun
HostFaultTest::Run(const std::string& scenario, const std::vector<TimedFault>& faults)
{
    const ScenarioSchema schema = ScenarioSchema::Standard();
    ScenarioPath path;
    path.directories.push_back(std::string(NFSRDMA_SOURCE_DIR) + "/scenarios");
    const ScenarioConfig config(schema,
                                path,
                                ScenarioFile::Parse("faults.ini", scenario).GetEntries());
    const auto plan = ClusterPlan::Resolve(config, WorkloadInput::Load(config, path));
    ConfigureSimulator(plan);
    FaultedRun run;
    {
        const auto cluster = BuildCluster(plan);
        const auto targets = MakeHostFaultTargets(*cluster);
        RunDigest digest(cluster->GetHostCount());
        cluster->SetFrameCallback([&digest](uint32_t host, const Ptr<const Packet>& frame) {
            digest.AddFrame(host, Simulator::Now(), frame);
        });
        cluster->SetRpcCallback([&](uint32_t client, const RpcRecord& record) {
            digest.AddRecord(cluster->GetClientHost(client), record);
            ++run.rpcs;
            if (record.outcome != RpcOutcome::SUCCESS)
            {
                run.outcomes.push_back(record.outcome);
            }
        });
        std::size_t begun = 0;
        cluster->SetPhaseCallback([&](uint32_t /* client */, WorkloadPhase phase) {
            if (phase != WorkloadPhase::RUN || ++begun != cluster->GetClients().size())
            {
                return;
            }
            Begin(*cluster);
            for (const auto& timed : faults)
            {
                HostFaultTarget& target = *targets.at(timed.host);
                EXPECT_EQ(target.Refuse(timed.fault), "");
                Simulator::Schedule(timed.after,
                                    [&target, fault = timed.fault] { target.Inject(fault); });
            }
        });
        cluster->SetFinishedCallback([] { Simulator::Stop(); });
        cluster->Start();
        Drain();
        run.finished = cluster->IsFinished();
        if (!run.finished)
        {
            run.report.waiting = cluster->DescribeWaiting();
        }
        Look(*cluster);
        for (const auto& client : cluster->GetClients())
        {
            run.connects += client.stack.transport->GetStatistics().connectCount;
        }
        cluster->Disconnect();
        Drain();
        cluster->Stop();
        Drain();
        run.report.leftovers = cluster->TakeCensus();
        SumUpWorkloads(*cluster, run.report);
        if (run.finished)
        {
            VerifyExports(*cluster, run.report);
        }
        run.report.frames = digest.GetFrames();
        run.report.digest = digest.Finish();
    }
    Simulator::Destroy();
    return run;
}

void
HostFaultTest::ExpectSound(const FaultedRun& run)
{
    EXPECT_TRUE(run.finished) << ::testing::PrintToString(run.report.waiting);
    EXPECT_EQ(run.report.verification.GetMismatches(), 0U)
        << ::testing::PrintToString(run.report.verification.exports.described)
        << ::testing::PrintToString(run.report.verification.reads.described);
    EXPECT_THAT(run.report.leftovers.GetLines(), ::testing::IsEmpty());
}

} // namespace ns3::nfsrdma
