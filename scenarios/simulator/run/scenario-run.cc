/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/run/scenario-run.h"

#include "helper/explore/frame-fate.h"
#include "helper/rpc-operation.h"
#include "nfs/v4/client/mounted-files.h"
#include "rpc/tcp/host-sockets.h"
#include "scenarios/simulator/report/esp-keys.h"
#include "scenarios/simulator/report/line-groups.h"
#include "scenarios/simulator/report/run-resources.h"
#include "scenarios/simulator/report/tls-dissector.h"
#include "scenarios/simulator/run/cluster-from-plan.h"
#include "scenarios/simulator/run/run-verification.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// Runs until nothing is left to happen, or \p patience is over.
void
Drain(Time patience)
{
    Simulator::Stop(patience);
    Simulator::Run();
}

} // namespace

ScenarioRun::ScenarioRun(const ClusterPlan& plan,
                         OutputDirectory& directory,
                         const RunDetail& detail)
    : m_plan(plan),
      m_directory(directory),
      m_detail(detail)
{
}

ScenarioRun::ScenarioRun(const ClusterPlan& plan,
                         OutputDirectory& directory,
                         const RunDetail& detail,
                         RunOrder order)
    : m_plan(plan),
      m_directory(directory),
      m_detail(detail),
      m_order(std::move(order))
{
}

ScenarioRun::~ScenarioRun()
{
    m_invariants.reset();
    m_guarantees.reset();
    m_watchdog.reset();
    m_pending.reset();
    m_faults.reset();
    m_adversaries.reset();
    m_queues.reset();
    m_utilisation.reset();
    m_cluster.reset();
    Simulator::Destroy();
    m_drops.reset();
    m_memory.reset();
    m_services.reset();
}

RunReport
ScenarioRun::Execute()
{
    ConfigureSimulator(m_plan);
    if (m_order)
    {
        OrderEvents();
    }
    m_cluster = BuildCluster(m_plan);
    m_guarantees = std::make_unique<Guarantees>(*m_cluster);
    m_drops = std::make_unique<DropWatch>(m_cluster->GetNetwork());
    m_memory = std::make_unique<MemoryWatch>(*m_cluster);
    m_services = std::make_unique<ServiceTimesBook>();
    for (const auto& server : m_cluster->GetServers())
    {
        m_services->Watch(server.transport);
        if (server.tcp)
        {
            m_services->Watch(server.tcp);
        }
    }
    if (!m_plan.faults.empty())
    {
        m_faults = std::make_unique<FaultRun>(m_plan, *m_cluster);
        m_faults->Start();
    }
    if (!m_plan.adversaries.empty())
    {
        m_adversaries = std::make_unique<AdversaryRun>(m_plan.adversaries, *m_cluster);
        m_adversaries->Start();
    }
    Connect();
    OpenCaptures();
    SampleQueues();
    Watch();

    if (m_order)
    {
        m_invariants = std::make_unique<Invariants>(*m_cluster);
        for (const auto& ports : m_cluster->GetNetwork().hostPorts)
        {
            for (const auto& port : ports)
            {
                FrameFate::Install(m_simulator, port);
            }
        }
        if (m_order->prepare)
        {
            m_order->prepare(*m_simulator, *m_cluster);
        }
    }
    m_cluster->Start();
    m_cluster->GetMeasurement().SetPhaseCallback([this](RunPhase phase) { TakePhase(phase); });
    m_watchdog->Start();
    Simulator::Run();
    m_watchdog->Stop();
    m_progress.reset();
    m_charts->Stop();
    if (m_queues)
    {
        m_queues->Stop();
    }

    RunReport report;
    report.seed = m_plan.seed;
    report.simulated = Simulator::Now();
    report.lastProgress = m_watchdog->GetLastProgress();
    report.isPartial = m_isPartial;
    m_checkpoint.reset();
    if (m_isPartial)
    {
        report.status = RunStatus::STALLED;
    }
    else if (!m_cluster->IsFinished())
    {
        report.status = RunStatus::STALLED;
        report.waiting = GroupLines(m_cluster->DescribeWaiting());
        report.stall = {m_watchdog->GetReason(), {}};
        for (const auto& timer : m_watchdog->GetPending())
        {
            report.stall.pending.push_back(ToString(timer));
        }
        report.stall.pending = GroupLines(report.stall.pending);
    }
    if (m_invariants)
    {
        CheckInvariants(report);
    }
    EndFaults(report);
    EndAdversaries(report);
    CloseWindow();
    AwaitUnderWay();
    WriteEspKeys(report);
    WriteTlsSecrets(report);
    WriteMountStatistics(report.simulated);
    SumUpHosts(*m_cluster, *m_processors, report);
    report.utilisation = m_utilisations;
    report.memory = m_memory->GetUses(Simulator::Now());
    SumUpTransports(*m_cluster, report);
    ListClientCaches(*m_cluster, report);
    report.refusals = std::move(m_refusals);
    SumUpEnds(*m_cluster, report);
    report.ports = ListPorts(m_cluster->GetNetwork());
    report.roundTrip = m_plan.path.GetRoundTrip();
    report.shortTimers = m_plan.path.GetShort();
    if (m_resources)
    {
        SumUpResources(*m_cluster, *m_resources, report);
        report.serverTransports = m_memory->GetServerTransports(Simulator::Now());
    }
    TearDown(report);
    SumUpWorkloads(*m_cluster, report);
    if (report.status != RunStatus::STALLED)
    {
        VerifyExports(*m_cluster, report);
        report.status = IsVerified(report) ? RunStatus::OK : RunStatus::FAILED;
    }
    report.statistics = std::move(m_statistics);
    report.stacks = std::move(m_stacks);
    report.latencies = std::move(m_latencies);
    for (const auto& total : GetWorkloadTotals(report))
    {
        for (const auto& result : total.results)
        {
            report.latencies.Add({LatencyDistributions::WORKLOAD, total.name, result.item},
                                 result.latency);
        }
    }
    ReportLoss(report);
    ReportFairness(report);
    if ((!IsConserved(report) || !report.brokenGuarantees.empty()) &&
        report.status == RunStatus::OK)
    {
        report.status = RunStatus::FAILED;
    }
    if (m_invariants && report.verification.failedOperations > 0)
    {
        report.broken.emplace_back("an operation has failed");
    }
    if (!report.broken.empty() && report.status == RunStatus::OK)
    {
        report.status = RunStatus::FAILED;
    }
    report.window = m_window;
    return report;
}

void
ScenarioRun::OrderEvents()
{
    m_simulator = CreateObject<ExploringSimulator>();
    m_simulator->SetOrder(m_order->moves);
    m_simulator->SetFloating(m_plan.explore.floating);
    m_simulator->SetPatience(m_plan.explore.patience);
    Simulator::SetImplementation(m_simulator);
}

void
ScenarioRun::CheckInvariants(RunReport& report)
{
    m_simulator->SetWatch(nullptr);
    for (const auto& move : m_simulator->GetMissed())
    {
        report.missedMoves.push_back(move.ToText());
    }
    if (report.status != RunStatus::STALLED)
    {
        AwaitUnderWay();
        Drain(m_plan.explore.patience);
        m_invariants->CheckAtRest();
    }
    report.broken = m_invariants->GetBroken();
}

void
ScenarioRun::Connect()
{
    m_digest = std::make_unique<RunDigest>(m_cluster->GetHostCount());
    std::vector<Ptr<HostCpu>> processors;
    for (uint32_t host = 0; host < m_cluster->GetHostCount(); ++host)
    {
        processors.push_back(m_cluster->GetDevice(host)->GetHostCpu());
    }
    m_processors = std::make_unique<CpuWatch>(std::move(processors));
    m_utilisation = std::make_unique<UtilisationWatch>(*m_cluster);
    if (m_plan.output.resources)
    {
        m_resources = WatchResources(*m_cluster);
    }
    m_charts = std::make_unique<RunCharts>(m_plan, *m_cluster, m_directory);
    m_mounts.resize(m_cluster->GetClients().size());
    m_runBegan.resize(m_cluster->GetClients().size(), Time::Max());
    m_data.resize(m_cluster->GetClients().size());
    m_rpcs.resize(m_cluster->GetClients().size());
    for (const auto& client : m_cluster->GetClients())
    {
        std::string names;
        for (const auto& workload : client.workloads)
        {
            names += (names.empty() ? "" : "+") + workload->GetName();
        }
        m_workloads.push_back(std::move(names));
    }
    m_cluster->SetFrameCallback([this](uint32_t host, const Ptr<const Packet>& frame) {
        m_digest->AddFrame(host, Simulator::Now(), frame);
        m_charts->TakeFrame(host, frame);
    });
    m_cluster->SetRpcCallback(
        [this](uint32_t client, const RpcRecord& record) { TakeRpc(client, record); });
    m_cluster->SetPhaseCallback([this](uint32_t client, WorkloadPhase phase) {
        if (phase == WorkloadPhase::RUN)
        {
            m_runBegan.at(client) = Simulator::Now();
        }
    });
    if (m_detail.rpcs && m_plan.output.rpcCsv)
    {
        m_rpcStream.open(m_directory.Add("rpc.csv"), std::ios::binary);
        m_recorder = std::make_unique<RpcRecorder>(m_rpcStream);
        m_formCosts = std::make_unique<ClusterFormCosts>(*m_cluster,
                                                         *m_plan.topology,
                                                         m_plan.path.GetRoundTrip() / 2);
    }
}

void
ScenarioRun::TakeRpc(uint32_t client, const RpcRecord& record)
{
    m_watchdog->Progress(!IsPutOff(record));
    if (m_invariants)
    {
        m_invariants->TakeRpc(client, record);
    }
    m_digest->AddRecord(m_cluster->GetClientHost(client), record);
    m_mounts.at(client).Add(record);
    m_charts->TakeRpc(client, record);
    const auto service =
        m_services->Take(m_cluster->GetNetwork().hostAddresses[m_cluster->GetClientHost(client)],
                         record);
    const RpcServiceTimes* const times = service ? &*service : nullptr;
    const RunPhase phase = GetPhase(client, record);
    if (phase == RunPhase::SETUP)
    {
        ++m_window.ofSetup;
    }
    else if (m_leaving)
    {
        ++m_window.ofUnmount;
    }
    else if (m_plan.measurement.findWarmUp)
    {
        m_held.push_back({client, record, service});
    }
    else
    {
        Measure({client, record, service}, m_cluster->GetMeasurement().GetWindow());
    }
    if (m_adversaries && !m_leaving)
    {
        m_adversaries->TakeRpc(client, record);
    }
    if (m_recorder)
    {
        const FormCosts costs = m_formCosts->Get(client, record);
        m_recorder->Add({client,
                         m_cluster->GetClients()[client].server,
                         m_workloads[client],
                         ToString(phase),
                         record,
                         times,
                         &costs});
    }
    if (m_progress && m_progress->IsDue())
    {
        m_progress->Show(m_cluster->GetProgress(), Simulator::Now(), Simulator::GetEventCount());
    }
    if (m_checkpoint && !m_leaving && m_checkpoint->IsDue(Simulator::Now()))
    {
        WritePartial();
    }
}

void
ScenarioRun::WritePartial()
{
    if (m_checkpoint->Fork(Simulator::Now()))
    {
        m_isPartial = true;
        m_checkpoint.reset();
        m_progress.reset();
        m_detail.progress = false;
        Simulator::Stop();
    }
}

RunPhase
ScenarioRun::GetPhase(uint32_t client, const RpcRecord& record) const
{
    return record.arrived < m_runBegan.at(client)
               ? RunPhase::SETUP
               : m_cluster->GetMeasurement().FindPhase(record.arrived);
}

void
ScenarioRun::Measure(const EndedRpc& rpc, const MeasurementWindow& window)
{
    const auto& record = rpc.record;
    const bool ended = window.Contains(record.completed);
    const bool arrived = window.Contains(record.arrived);
    m_window.ofWarmUp += record.completed < window.begin ? 1 : 0;
    m_window.ofDrain += record.completed > window.end ? 1 : 0;
    if (ended || arrived)
    {
        m_statistics.Add(record, ended, arrived);
    }
    if (arrived)
    {
        m_stacks.Add(record, rpc.service ? &*rpc.service : nullptr);
        if (!IsError(record))
        {
            m_latencies.Add(
                {LatencyDistributions::RPC, m_workloads[rpc.client], GetOperationName(record)},
                record.completed - record.arrived);
        }
    }
    m_rpcs[rpc.client] += ended && !IsError(record) ? 1 : 0;
}

std::vector<DataOctets>
ScenarioRun::CountData() const
{
    std::vector<DataOctets> octets;
    for (uint32_t client = 0; client < m_runBegan.size(); ++client)
    {
        octets.push_back(m_cluster->GetData(client));
    }
    return octets;
}

void
ScenarioRun::TakePhase(RunPhase phase)
{
    if (phase == RunPhase::MEASUREMENT)
    {
        m_before = CountData();
        m_processors->Restart();
        m_utilisation->Restart();
        if (m_resources)
        {
            m_resources->Restart();
        }
    }
    else if (phase == RunPhase::DRAIN)
    {
        m_data = CountData();
        for (std::size_t client = 0; client < m_before.size(); ++client)
        {
            m_data[client] = {m_data[client].read - m_before[client].read,
                              m_data[client].written - m_before[client].written};
        }
        m_processors->Stop();
        m_utilisations = m_utilisation->GetUtilisations();
    }
}

void
ScenarioRun::AwaitUnderWay()
{
    const Time patience = Simulator::Now() + m_plan.stall.patience;
    while (m_cluster->IsFinished() && m_cluster->IsWaiting() && Simulator::Now() < patience &&
           !Simulator::IsFinished())
    {
        m_leaving = true;
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
    }
}

void
ScenarioRun::CloseWindow()
{
    auto& measurement = m_cluster->GetMeasurement();
    if (measurement.GetPhase() < RunPhase::DRAIN)
    {
        TakePhase(RunPhase::DRAIN);
    }
    measurement.Close();
    const auto& window = measurement.GetWindow();
    for (const auto& rpc : m_held)
    {
        Measure(rpc, window);
    }
    m_held.clear();
    m_window.begins = window.begin;
    m_window.ends = window.end;
    m_window.fullLoadEnds = measurement.GetFullLoadEnd();
    m_window.phases = measurement.GetPhases();
    m_window.verdict = measurement.GetVerdict();
    m_statistics.SetWindow(window.GetLength());
    DataOctets octets;
    for (const auto& moved : m_data)
    {
        octets += moved;
    }
    m_statistics.SetData(octets.GetTotal());
}

void
ScenarioRun::TakeConnection(uint32_t /* inlineSend */, uint32_t /* inlineReceive */)
{
    m_watchdog->Connected();
}

void
ScenarioRun::TakeLimited(uint64_t /* connection */)
{
    m_watchdog->Displaced();
    if (m_detail.progress && !std::exchange(m_limited, true))
    {
        std::cerr
            << "nfsrdma-sim: a server has too many connections and closes the oldest for each "
               "newcomer: consider more nfs.threads, or nfs.max_connections\n";
    }
}

void
ScenarioRun::OpenCaptures()
{
    for (const auto host : m_plan.output.pcapHosts)
    {
        const auto names = m_cluster->ListCaptures(host);
        for (std::size_t capture = 0; capture < names.size(); ++capture)
        {
            const auto file = m_directory.Add(names[capture] + ".pcap");
            if (!m_cluster->EnablePcap(host, capture, file))
            {
                throw std::runtime_error("cannot write " + file);
            }
        }
    }
}

void
ScenarioRun::SampleQueues()
{
    const Time period = m_plan.output.queueSample;
    if (period.IsStrictlyPositive())
    {
        m_queueStream.open(m_directory.Add("queues.csv"), std::ios::binary);
        m_queues = std::make_unique<QueueSampler>(m_cluster->GetNetwork(), period, m_queueStream);
        m_queues->Start();
    }
}

void
ScenarioRun::Watch()
{
    m_pending = std::make_unique<PendingWork>(m_plan, *m_cluster, m_faults.get());
    m_watchdog = std::make_unique<StallWatchdog>(
        StallWatchdog::Limits{m_plan.stall.limit,
                              m_plan.stall.connections * m_cluster->GetClients().size(),
                              m_plan.stall.retries},
        StallWatchdog::Probe{
            [this] { return !m_cluster->IsFinished(); },
            [this] { return m_cluster->IsWaiting(); },
            [this] { return m_cluster->IsAsked(); },
            [this] { return m_pending->Find(); },
            [this] { return m_pending->CountOctets(); },
        });
    for (const auto& client : m_cluster->GetClients())
    {
        for (const auto& transport : client.stack.transports)
        {
            transport->TraceConnectWithoutContext("Connected",
                                                  MakeCallback(&ScenarioRun::TakeConnection, this));
            transport->TraceConnectWithoutContext("CallRefused",
                                                  MakeCallback(&ScenarioRun::TakeRefusal, this));
        }
    }
    for (const auto& server : m_cluster->GetServers())
    {
        server.rpc->TraceConnectWithoutContext("ConnectionLimited",
                                               MakeCallback(&ScenarioRun::TakeLimited, this));
    }
    m_cluster->SetFinishedCallback([] { Simulator::Stop(); });
    if (m_detail.progress)
    {
        m_progress = std::make_unique<ProgressMeter>("RPCs",
                                                     m_cluster->GetPlanned(),
                                                     m_detail.progressInterval);
    }
    if (m_detail.checkpointInterval.IsStrictlyPositive())
    {
        m_checkpoint = std::make_unique<Checkpoint>(m_detail.checkpointInterval, m_directory);
    }
}

void
ScenarioRun::TakeRefusal(const RpcRecord& record, const std::string& reason)
{
    ++m_refusals[GetOperationName(record) + ": " + reason];
}

void
ScenarioRun::EndFaults(RunReport& report)
{
    if (!m_faults)
    {
        return;
    }
    m_faults->Stop();
    report.faults = m_faults->GetReport();
    m_charts->AddFaults(m_faults->GetFirings());
    if (m_detail.tables)
    {
        m_directory.Write("faults.csv", m_faults->MakeCsv());
    }
}

void
ScenarioRun::EndAdversaries(RunReport& report)
{
    if (!m_adversaries)
    {
        return;
    }
    report.adversaries = m_adversaries->Stop();
    if (m_detail.tables)
    {
        m_directory.Write("adversaries.csv", m_adversaries->MakeCsv());
    }
}

void
ScenarioRun::TearDown(RunReport& report)
{
    bool isCaptured = true;
    if (report.status != RunStatus::STALLED)
    {
        const Time patience = m_plan.stall.patience;
        m_leaving = true;
        m_cluster->Disconnect();
        Drain(patience);
        isCaptured = m_cluster->Stop();
        Drain(patience);
        report.brokenGuarantees = FindBroken(m_guarantees->List());
        report.leftovers = m_cluster->TakeCensus();
    }
    else
    {
        isCaptured = m_cluster->Stop();
        report.brokenGuarantees = FindBroken(m_guarantees->List());
    }
    if (!isCaptured)
    {
        throw std::runtime_error("cannot write the captures");
    }
    ReportDrops(report);
    const bool disturbed = report.status == RunStatus::STALLED || m_faults || m_adversaries ||
                           report.connectionsLost > 0;
    const ConservationLimits limits{disturbed, m_adversaries != nullptr};
    report.conservation = CheckConservation(*m_cluster, limits);
    report.counters = ListHostCounters(*m_cluster);
    report.locks = ListLockUses(*m_cluster);
    report.rpcBalance = BalanceRpcs(*m_cluster, limits);
    report.events = Simulator::GetEventCount();
    report.frames = m_digest->GetFrames();
    report.digest = m_digest->Finish();
    m_charts->Finish();
    if (m_queues)
    {
        m_queueStream.close();
        if (!m_queueStream)
        {
            throw std::runtime_error("cannot write queues.csv");
        }
    }
    if (m_recorder)
    {
        m_recorder.reset();
        m_rpcStream.close();
        if (!m_rpcStream)
        {
            throw std::runtime_error("cannot write rpc.csv");
        }
    }
}

void
ScenarioRun::ReportDrops(RunReport& report) const
{
    const auto& network = m_cluster->GetNetwork();
    report.drops = m_drops->GetCounts(network);
    for (uint32_t host = 0; host < network.devices.size(); ++host)
    {
        if (auto drops = m_drops->GetHostCounts(host); !drops.empty())
        {
            report.hostDrops.emplace_back(m_cluster->GetHostName(host), std::move(drops));
        }
    }
}

void
ScenarioRun::ReportLoss(RunReport& report) const
{
    auto& loss = report.loss;
    loss.tcp = SumUpTcp(*m_cluster);
    for (const auto& [place, count] : report.drops)
    {
        loss.framesLost += count;
    }
    loss.framesStopped = report.faults.stopped;
    for (const auto& port : report.ports)
    {
        loss.framesMarked += port.counters.marked;
    }
    for (const auto& server : m_cluster->GetServers())
    {
        loss.receiveOverruns += server.transport->GetStatistics().overruns;
    }
    const auto stack = report.stacks.GetTotal();
    constexpr auto CREDIT = static_cast<std::size_t>(LatencyStage::CREDIT);
    loss.creditStalls = stack.met[CREDIT];
    loss.creditStalled = stack.stages[CREDIT];
    loss.callsRepeated = report.statistics.GetTotal().GetRetransmissions();
    loss.reconnects = report.connectionsLost;
}

void
ScenarioRun::ReportFairness(RunReport& report) const
{
    std::vector<double> rpcs;
    std::vector<double> octets;
    for (std::size_t client = 0; client < m_rpcs.size(); ++client)
    {
        if (!m_workloads[client].empty())
        {
            rpcs.push_back(static_cast<double>(m_rpcs[client]));
            octets.push_back(static_cast<double>(m_data[client].GetTotal()));
        }
    }
    std::vector<double> operations;
    std::vector<double> moved;
    for (const auto& total : GetWorkloadTotals(report))
    {
        const auto clients = static_cast<double>(
            std::count_if(report.workloads.begin(),
                          report.workloads.end(),
                          [&total](const auto& part) { return part.name == total.name; }));
        double done = 0;
        double carried = 0;
        for (const auto& result : total.results)
        {
            done += static_cast<double>(result.operations);
            carried += static_cast<double>(result.octets);
        }
        operations.push_back(done / clients);
        moved.push_back(carried / clients);
    }
    report.fairness = {Fairness::Of(rpcs),
                       Fairness::Of(octets),
                       Fairness::Of(operations),
                       Fairness::Of(moved)};
}

void
ScenarioRun::WriteEspKeys(RunReport& report)
{
    if (m_plan.output.pcapHosts.empty() || m_plan.network.ipsecHosts.empty())
    {
        return;
    }
    std::vector<EspKeyRecord> all;
    for (const auto host : m_plan.network.ipsecHosts)
    {
        const auto interfaces = m_cluster->GetNetwork().GetInterfaces(host);
        const auto crypto = DynamicCast<InlineCrypto>(interfaces.front()->GetFrameStage());
        const auto keys = crypto->ListKeys();
        all.insert(all.end(), keys.begin(), keys.end());
    }
    m_directory.Write("esp_sa", MakeEspSa(all));
    report.espKeys = static_cast<uint32_t>(all.size());
}

void
ScenarioRun::WriteTlsSecrets(RunReport& report)
{
    std::ostringstream text;
    for (const auto& client : m_cluster->GetClients())
    {
        const auto tls = client.stack.sockets ? client.stack.sockets->GetTls() : nullptr;
        for (const auto& line : tls ? tls->ListSecrets() : std::vector<std::string>())
        {
            text << line << '\n';
            ++report.tlsSecrets;
        }
    }
    if (report.tlsSecrets > 0)
    {
        m_directory.Write("sslkeylog.txt", text.str());
        m_directory.Write("rpc-with-tls.lua", RPC_WITH_TLS_DISSECTOR);
    }
}

void
ScenarioRun::WriteMountStatistics(Time age)
{
    if (!m_detail.tables)
    {
        return;
    }
    m_directory.Write("mountstats.txt", [this, age](std::ostream& stream) {
        const auto transferSize = m_plan.nfs.transferSize;
        for (std::size_t i = 0; i < m_mounts.size(); ++i)
        {
            const auto& client = m_cluster->GetClients()[i];
            MountDescription mount;
            mount.device = m_cluster->GetServerName(client.server) + ":/" + client.exportName;
            mount.mountPoint = "/mnt/client-" + std::to_string(i);
            const auto& addresses = m_cluster->GetNetwork().hostAddresses;
            mount.server = m_cluster->GetServerAddresses(client.server)[client.serverAddress];
            mount.port = RpcRdmaServer::NFS_RDMA_PORT;
            mount.mountVersion = client.nfsMount ? client.nfsMount->GetMountVersion() : 0;
            mount.localLock = m_plan.nfs.localLock;
            mount.readSize = transferSize;
            if (client.stack.nfs2)
            {
                mount.version = "2";
                mount.readSize = std::min(transferSize, NFS2_MAXDATA);
            }
            else if (const auto nfs4 = DynamicCast<Nfs4FileClient>(client.stack.files))
            {
                mount.version = "4." + std::to_string(nfs4->GetClient()->GetMinorVersion());
                mount.client = addresses[m_cluster->GetClientHost(static_cast<uint32_t>(i))]
                                        [client.serverAddress];
                mount.maxConnect = m_plan.nfs.maxConnect;
                mount.leaseTime = static_cast<uint32_t>(m_plan.nfs.leaseTime.GetSeconds());
            }
            const auto data = m_cluster->GetData(static_cast<uint32_t>(i));
            m_mounts[i].SetData(data.read, data.written);
            mount.connections = m_plan.nfs.connections;
            mount.writeSize = mount.readSize;
            mount.directoryTransferSize = mount.readSize;
            mount.protocol = client.tcp ? "tcp" : "rdma";
            std::vector<std::string> transports;
            for (const auto& transport : client.stack.transports)
            {
                transports.push_back(transport->GetStatistics().Format());
            }
            for (const auto& transport : client.stack.tcpTransports)
            {
                transports.push_back(transport->GetStatistics().Format());
            }
            m_mounts[i].Write(stream, mount, age, transports);
        }
    });
}

} // namespace ns3::nfsrdma
