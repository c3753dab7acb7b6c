/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/transfer-time.h"
#include "rnic/flow-fixture.h"
#include "rnic/queue/work-descriptor.h"

#include "ns3/data-rate.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <map>
#include <random>

namespace ns3::nfsrdma
{

namespace
{

/// What a queue pair has told of one work request.
struct DoneWork
{
    uint64_t id{0};
    WorkCompletionOpcode kind{WorkCompletionOpcode::SEND};
    WorkCompletionStatus status{WorkCompletionStatus::SUCCESS};
    WorkTimeline timeline;
    Time polled;
};

Time
GetSum(const WorkTimeline& timeline)
{
    Time sum;
    for (std::size_t stage = 0; stage < WORK_STAGES; stage++)
    {
        sum += timeline.GetStage(static_cast<WorkStage>(stage));
    }
    return sum;
}

void
Watch(const Ptr<QueuePair>& pair, std::vector<DoneWork>& done)
{
    pair->TraceConnectWithoutContext(
        "WorkDone",
        Callback<void, uint64_t, WorkCompletionOpcode, WorkCompletionStatus, const WorkTimeline&>(
            [&done](uint64_t id,
                    WorkCompletionOpcode kind,
                    WorkCompletionStatus status,
                    const WorkTimeline& timeline) {
                done.push_back({id, kind, status, timeline, Simulator::Now()});
            }));
}

/// Everything is idle, and costs what the attributes say by default.
class IdleTimeline : public RnicTest
{
  protected:
    static constexpr uint32_t ELEMENT = WorkDescriptor::BASE_SIZE + WorkDescriptor::ELEMENT_SIZE;

    using Stages = std::map<WorkStage, Time>;

    void SetUp() override
    {
        RnicTest::SetUp();
        Connect();
        OpenResponder();
        m_memory = MakeRegion(m_client);
        m_peer = MakeRegion(m_server);
        Watch(m_client.pair, m_sent);
        Watch(m_server.pair, m_received);
    }

    Ptr<MemoryRegion> MakeRegion(RnicHost& host)
    {
        constexpr uint32_t LENGTH = 65536;
        const HostBuffer& buffer = Keep(host.Room(LENGTH));
        return host.device
            ->RegisterMemory(host.domain,
                             buffer.GetAddress(),
                             LENGTH,
                             ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ,
                             0)
            .value();
    }

    SendWorkRequest Make(WorkRequestOpcode opcode, uint32_t length) const
    {
        SendWorkRequest request;
        request.opcode = opcode;
        request.elements = {{0, length, m_memory->GetStag()}};
        request.remoteStag = m_peer->GetStag();
        return request;
    }

    /// Posts \p request and runs. \return its timeline, which adds up
    WorkTimeline Do(const SendWorkRequest& request)
    {
        const Time start = Simulator::Now();
        m_sent.clear();
        PostSend(m_client, request);
        Run();
        EXPECT_EQ(m_sent.size(), 1U);
        const DoneWork& work = m_sent.at(0);
        EXPECT_EQ(work.status, WorkCompletionStatus::SUCCESS);
        EXPECT_EQ(work.timeline.GetStart(), start);
        EXPECT_EQ(work.timeline.GetLatest(), work.polled);
        EXPECT_EQ(GetSum(work.timeline), work.polled - start);
        return work.timeline;
    }

    [[nodiscard]] Time OnBus(uint64_t octets) const
    {
        return GetTransferTime(octets, m_client.device->GetSettings().pcieRate);
    }

    /// \return the stages before the engine, of one work request with \p descriptor octets.
    [[nodiscard]] Stages Posted(uint32_t descriptor) const
    {
        const RnicDevice& device = *m_client.device;
        return {{WorkStage::POST, device.GetHostCpu()->GetPostCost(1, 0)},
                {WorkStage::DOORBELL, device.GetSettings().doorbell},
                {WorkStage::FETCH, device.GetSettings().wqeFetch + OnBus(descriptor)}};
    }

    /// Adds the stages of the completion.
    [[nodiscard]] Stages WithCompletion(Stages stages) const
    {
        const RnicDevice& device = *m_client.device;
        const HostCpu& cpu = *device.GetHostCpu();
        stages[WorkStage::CQE] = device.GetSettings().cqeWrite + OnBus(RnicClocks::CQE_SIZE);
        stages[WorkStage::NOTIFY] =
            device.GetSettings().interruptLatency + cpu.GetInterruptCost() + cpu.GetWakeUp();
        return stages;
    }

    static void Expect(const WorkTimeline& timeline, const Stages& stages)
    {
        for (std::size_t i = 0; i < WORK_STAGES; i++)
        {
            const auto stage = static_cast<WorkStage>(i);
            const auto expected = stages.find(stage);
            EXPECT_EQ(timeline.GetStage(stage),
                      expected == stages.end() ? Time(0) : expected->second)
                << ToString(stage);
        }
    }

    [[nodiscard]] Time GetEngineTime() const
    {
        return m_client.device->GetSettings().txPerWqe + m_client.device->GetSettings().txPerFpdu;
    }

    Ptr<MemoryRegion> m_memory;
    Ptr<MemoryRegion> m_peer;
    std::vector<DoneWork> m_sent;
    std::vector<DoneWork> m_received;
};

TEST_F(IdleTimeline, SendAndReceive)
{
    constexpr uint32_t LENGTH = 64;
    const Time posted = Simulator::Now();
    ASSERT_TRUE(m_server.pair->PostReceive({7, {{0, LENGTH, m_peer->GetStag()}}}));
    Run();
    Stages stages = Posted(ELEMENT);
    stages[WorkStage::ENGINE] = GetEngineTime();
    stages[WorkStage::GATHER] = m_client.device->GetSettings().pcieLatency + OnBus(LENGTH);
    Expect(Do(Make(WorkRequestOpcode::SEND, LENGTH)), WithCompletion(stages));

    ASSERT_EQ(m_received.size(), 1U);
    const DoneWork& received = m_received[0];
    EXPECT_EQ(received.id, 7U);
    EXPECT_EQ(received.kind, WorkCompletionOpcode::RECEIVE);
    EXPECT_EQ(GetSum(received.timeline), received.polled - posted);
    Stages there;
    there[WorkStage::POST] = m_server.device->GetHostCpu()->GetPostCost(1, 0);
    there[WorkStage::RESPONSE] = received.timeline.GetStage(WorkStage::RESPONSE);
    there[WorkStage::RECEIVE] = m_server.device->GetSettings().rxPerFpdu;
    there[WorkStage::PLACEMENT] = m_server.device->GetSettings().pcieLatency + OnBus(LENGTH);
    Expect(received.timeline, WithCompletion(there));
    EXPECT_GT(there[WorkStage::RESPONSE], Time(0));
}

TEST_F(IdleTimeline, WriteOfSeveralFpdus)
{
    constexpr uint32_t LENGTH = 10000;
    const uint32_t payload = m_client.pair->GetConnection().GetMulpdu() - DdpTaggedHeader::SIZE;
    const uint32_t fpdus = (LENGTH + payload - 1) / payload;
    ASSERT_GT(fpdus, 3U);
    Stages stages = Posted(ELEMENT);
    stages[WorkStage::ENGINE] = GetEngineTime();
    stages[WorkStage::GATHER] = m_client.device->GetSettings().pcieLatency + OnBus(payload);
    stages[WorkStage::TRANSMIT] = OnBus(payload) * int64_t{fpdus - 1};
    ASSERT_GT(OnBus(payload), GetEngineTime());
    Expect(Do(Make(WorkRequestOpcode::RDMA_WRITE, LENGTH)), WithCompletion(stages));
}

TEST_F(IdleTimeline, Read)
{
    constexpr uint32_t LENGTH = 64;
    const auto expect = [this](Time response) {
        const WorkTimeline timeline = Do(Make(WorkRequestOpcode::RDMA_READ, LENGTH));
        Stages stages = Posted(ELEMENT);
        stages[WorkStage::ENGINE] = GetEngineTime();
        stages[WorkStage::RESPONSE] =
            response.IsZero() ? timeline.GetStage(WorkStage::RESPONSE) : response;
        stages[WorkStage::RECEIVE] = m_client.device->GetSettings().rxPerFpdu;
        stages[WorkStage::PLACEMENT] = m_client.device->GetSettings().pcieLatency + OnBus(LENGTH);
        Expect(timeline, WithCompletion(stages));
        return stages[WorkStage::RESPONSE];
    };
    expect(Time(0));
    const Time response = expect(Time(0));
    const RnicDevice& device = *m_server.device;
    EXPECT_GT(response,
              device.GetSettings().rxPerFpdu + device.GetSettings().readRequestTurnaround +
                  GetEngineTime() + device.GetSettings().pcieLatency + OnBus(LENGTH));
    m_server.device->SetAttribute("ReadRequestTurnaround", TimeValue(MicroSeconds(5)));
    expect(response + MicroSeconds(5) - NanoSeconds(100));
}

TEST_F(IdleTimeline, RegistrationAndInvalidation)
{
    const HostBuffer buffer = m_client.Room(3 * HostMemory::PAGE_SIZE);
    const auto region = m_client.device->AllocateMemoryRegion(m_client.domain, 8).value();
    const SendWorkRequest registration = Register(1, region, buffer, 1, ACCESS_REMOTE_READ);
    const RnicDevice& device = *m_client.device;
    Stages stages = Posted(WorkDescriptor::BASE_SIZE);
    stages[WorkStage::ENGINE] = device.GetSettings().registerBase +
                                device.GetSettings().registerPerPage *
                                    static_cast<int64_t>(registration.registration.CountPages());
    Expect(Do(registration), WithCompletion(stages));
    stages[WorkStage::ENGINE] = device.GetSettings().invalidateCost;
    Expect(Do(Invalidate(2, region->GetStag())), WithCompletion(stages));
}

TEST_F(IdleTimeline, AContextIsFetchedOnce)
{
    m_client.device->SetAttribute("ContextCacheSize", UintegerValue(1));
    const SendWorkRequest write = Make(WorkRequestOpcode::RDMA_WRITE, 0);
    const WorkTimeline first = Do(write);
    EXPECT_EQ(first.GetStage(WorkStage::CONTEXT), m_client.device->GetSettings().contextMiss);
    EXPECT_EQ(first.GetStage(WorkStage::ENGINE), GetEngineTime());
    EXPECT_EQ(Do(write).GetStage(WorkStage::CONTEXT), Time(0));
    EXPECT_EQ(m_client.device->GetCounters().contextMisses, 1U);
}

TEST_F(IdleTimeline, TheContextOfAStagIsFetchedOnce)
{
    m_client.device->SetAttribute("StagCacheSize", UintegerValue(1));
    const SendWorkRequest read = Make(WorkRequestOpcode::RDMA_READ, 64);
    const WorkTimeline first = Do(read);
    EXPECT_EQ(first.GetStage(WorkStage::CONTEXT), m_client.device->GetSettings().contextMiss);
    EXPECT_EQ(first.GetStage(WorkStage::RECEIVE), m_client.device->GetSettings().rxPerFpdu);
    EXPECT_EQ(Do(read).GetStage(WorkStage::CONTEXT), Time(0));
}

TEST_F(IdleTimeline, AnUnsignaledWorkRequestEndsWhenItIsDone)
{
    SendWorkRequest write = Make(WorkRequestOpcode::RDMA_WRITE, 0);
    write.signaled = false;
    PostSend(m_client, write);
    Run();
    ASSERT_EQ(m_sent.size(), 1U);
    Stages stages = Posted(ELEMENT);
    stages[WorkStage::ENGINE] = GetEngineTime();
    Expect(m_sent[0].timeline, stages);
}

TEST_F(IdleTimeline, FlushedWorkHasBeenWhereItWas)
{
    ASSERT_TRUE(m_client.pair->PostReceive({9, {}}));
    const Time start = Simulator::Now();
    PostSend(m_client, Make(WorkRequestOpcode::SEND, 64));
    Simulator::Schedule(NanoSeconds(400), [this] { m_client.pair->MoveToError(); });
    Run();
    ASSERT_EQ(m_sent.size(), 2U);
    for (const DoneWork& work : m_sent)
    {
        EXPECT_EQ(work.status, WorkCompletionStatus::WR_FLUSH_ERR);
        EXPECT_EQ(GetSum(work.timeline), work.polled - start);
        EXPECT_EQ(work.timeline.GetStage(WorkStage::ENGINE), Time(0));
    }
    const bool sendFirst = m_sent[0].kind == WorkCompletionOpcode::SEND;
    EXPECT_EQ(m_sent[sendFirst ? 0 : 1].timeline.GetStage(WorkStage::DOORBELL),
              m_client.device->GetSettings().doorbell);
}

class InlineTimeline : public IdleTimeline
{
  protected:
    QueuePairCapabilities GetCapabilities(const RnicHost& /* host */) override
    {
        QueuePairCapabilities capabilities;
        capabilities.maxInline = LENGTH;
        return capabilities;
    }

    static constexpr uint32_t LENGTH = 32;
};

TEST_F(InlineTimeline, IsPushed)
{
    SendWorkRequest write = Make(WorkRequestOpcode::RDMA_WRITE, LENGTH);
    write.elements[0] = Element(Keep(m_client.Fill(Pattern(LENGTH))));
    write.inlineData = true;
    const RnicDevice& device = *m_client.device;
    Stages stages;
    stages[WorkStage::POST] = device.GetHostCpu()->GetPostCost(1, LENGTH);
    stages[WorkStage::DOORBELL] = device.GetSettings().doorbell;
    stages[WorkStage::ENGINE] = GetEngineTime();
    Expect(Do(write), WithCompletion(stages));
    EXPECT_GT(stages[WorkStage::POST], device.GetHostCpu()->GetPostCost(1, 0));
}

/// Many queue pairs, big and small messages of all kinds, few cores, interrupts with moderation.
class LoadedTimeline : public FlowTest
{
  protected:
    static constexpr uint32_t FLOWS = 6;

    void ConfigureDevice(RnicHost& host) override
    {
        host.device->SetAttribute("ContextCacheSize", UintegerValue(FLOWS / 2));
        host.device->SetAttribute("StagCacheSize", UintegerValue(1));
        host.device->SetAttribute("ModerationCount", UintegerValue(8));
        host.device->SetAttribute("ModerationPeriod", TimeValue(MicroSeconds(8)));
        host.device->SetAttribute("PcieRate", DataRateValue(DataRate("60Gb/s")));
    }

    SendWorkRequest MakeWork(Flow& flow) override
    {
        constexpr uint32_t LONGEST = 60000;
        const uint32_t length = m_random() % 3 == 0 ? m_random() % LONGEST : m_random() % 256;
        SendWorkRequest request;
        switch (m_random() % 3)
        {
        case 0:
            request = FlowSend(length);
            break;
        case 1:
            request = FlowRead(length);
            break;
        default:
            request = FlowWrite(length);
            break;
        }
        request.fence = m_random() % 4 == 0;
        m_posted[flow.index].push_back(Simulator::Now());
        return request;
    }

    uint32_t GetReceives(const Flow& /* flow */) override
    {
        return 200;
    }

    void Prepare(Flow& flow) override
    {
        Watch(flow.client, m_done[flow.index]);
        Watch(flow.server, m_receivesDone);
    }

    std::mt19937_64 m_random{7};
    std::map<uint32_t, std::vector<Time>> m_posted; ///< By flow, then by id - 1.
    std::map<uint32_t, std::vector<DoneWork>> m_done;
    std::vector<DoneWork> m_receivesDone;
};

TEST_F(LoadedTimeline, EveryStageCountsOnce)
{
    SetProcessors("Cores", UintegerValue(2));
    AddFlows(FLOWS, 16, 4);
    Start();
    RunFor(MilliSeconds(2));
    Finish();
    std::map<WorkStage, Time> total;
    const auto check = [&total](const DoneWork& work) {
        for (std::size_t i = 0; i < WORK_STAGES; i++)
        {
            const auto stage = static_cast<WorkStage>(i);
            ASSERT_GE(work.timeline.GetStage(stage), Time(0)) << ToString(stage);
            total[stage] += work.timeline.GetStage(stage);
        }
        ASSERT_EQ(work.status, WorkCompletionStatus::SUCCESS);
        ASSERT_EQ(GetSum(work.timeline), work.timeline.GetLatest() - work.timeline.GetStart());
    };
    for (const auto& [flow, works] : m_done)
    {
        const std::vector<Time>& posted = m_posted[flow];
        ASSERT_EQ(works.size(), posted.size());
        ASSERT_GT(works.size(), 100U);
        for (const DoneWork& work : works)
        {
            check(work);
            ASSERT_EQ(work.timeline.GetStart(), posted.at(work.id - 1));
            if (work.id % m_flows[flow].signalEvery == 0)
            {
                ASSERT_EQ(work.timeline.GetLatest(), work.polled);
            }
        }
    }
    for (const DoneWork& work : m_receivesDone)
    {
        check(work);
        ASSERT_EQ(work.timeline.GetLatest(), work.polled);
    }
    for (std::size_t i = 0; i < WORK_STAGES; i++)
    {
        const auto stage = static_cast<WorkStage>(i);
        EXPECT_GT(total[stage], Time(0)) << ToString(stage);
    }
}

} // namespace

} // namespace ns3::nfsrdma
