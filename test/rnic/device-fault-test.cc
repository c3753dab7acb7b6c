/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-net-device.h"
#include "rnic/hardware/fault-budget.h"
#include "rnic/rnic-fixture.h"
#include "wire/ip-address.h"

#include "ns3/simulator.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr auto FLUSHED = WorkCompletionStatus::WR_FLUSH_ERR;

TEST(FaultBudgetTest, IsUsedUpByRequestsAndByTime)
{
    FaultBudget budget;
    EXPECT_TRUE(budget.IsEmpty());
    EXPECT_FALSE(budget.Take(Time(0)));
    budget.Add(2, NanoSeconds(10));
    budget.Add(0, NanoSeconds(20));
    EXPECT_TRUE(budget.Take(NanoSeconds(1)));
    EXPECT_TRUE(budget.Take(NanoSeconds(9)));
    EXPECT_TRUE(budget.Take(NanoSeconds(9)));
    EXPECT_TRUE(budget.Take(NanoSeconds(19)));
    EXPECT_FALSE(budget.Take(NanoSeconds(20)));
    EXPECT_TRUE(budget.IsEmpty());
    budget.Add(1, Time::Max());
    EXPECT_TRUE(budget.Take(Seconds(1000)));
    EXPECT_FALSE(budget.Take(Seconds(1000)));
}

/// What goes wrong in the client's device, with the server's as peer.
class DeviceFaultTest : public RnicTest
{
  protected:
    void SetUp() override
    {
        RnicTest::SetUp();
        m_client.device->TraceConnectWithoutContext(
            "AsyncEvent",
            Callback<void, AsyncEventType, uint32_t>(
                [this](AsyncEventType type, uint32_t) { m_deviceEvents.push_back(type); }));
        m_client.receiveCompletions->TraceConnectWithoutContext(
            "AsyncEvent",
            Callback<void, AsyncEventType, uint32_t>(
                [this](AsyncEventType type, uint32_t) { m_queueEvents.push_back(type); }));
    }

    void Completed(RnicHost& host, const WorkCompletion& completion) override
    {
        if (&host == &m_client && completion.opcode == WorkCompletionOpcode::RECEIVE)
        {
            m_received.push_back(Simulator::Now());
        }
    }

    [[nodiscard]] RnicFaults& Faults() const
    {
        return m_client.device->GetFaults();
    }

    static void SetDead(const RnicHost& host, bool dead)
    {
        // The loopback device comes first.
        DynamicCast<EthernetNetDevice>(host.node->GetDevice(1))->SetDead(dead);
    }

    std::vector<AsyncEventType> m_deviceEvents;
    std::vector<AsyncEventType> m_queueEvents;
    std::vector<Time> m_received;
};

TEST_F(DeviceFaultTest, DeviceThatIsGoneTakesItsConnectionsAlong)
{
    Connect();
    const auto& buffer = Keep(m_client.Room(64));
    const auto region = RegisterNow(m_client, buffer, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    PostReceive(m_client, 7, buffer);
    SetDead(m_client, true);
    Faults().Fail();
    EXPECT_FALSE(region->IsValid());
    EXPECT_EQ(m_client.memory->GetPinnedPages(), 0U);
    Run();
    EXPECT_THAT(m_deviceEvents, ElementsAre(AsyncEventType::DEVICE_FATAL));
    EXPECT_THAT(m_client.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DEVICE_REMOVAL));
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    EXPECT_THAT(m_client.ReceivedStatuses(), ElementsAre(FLUSHED));
    // Without a word: the server still thinks it is connected.
    EXPECT_THAT(m_server.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    EXPECT_EQ(m_client.device->GetCounters().deviceFailures, 1U);

    EXPECT_EQ(m_client.device->AllocateProtectionDomain().error(), VerbsError::NO_DEVICE);
    EXPECT_EQ(m_client.device->CreateCompletionQueue(1).error(), VerbsError::NO_DEVICE);
    EXPECT_EQ(m_client.device->AllocateMemoryRegion(m_client.domain, 1).error(),
              VerbsError::NO_DEVICE);
    DestroyAll(m_client, {region});

    SetDead(m_client, false);
    Faults().Recover();
    EXPECT_TRUE(m_client.device->AllocateProtectionDomain());
}

TEST_F(DeviceFaultTest, SegmentsOfTheLostConnectionAreAnsweredWithReset)
{
    Connect();
    OpenResponder();
    SetDead(m_client, true);
    Faults().Fail();
    Simulator::ScheduleNow([this] {
        SetDead(m_client, false);
        Faults().Recover();
    });
    Run();
    EXPECT_THAT(m_server.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    PostSend(m_server, Send(1, Keep(m_server.Fill(Pattern(100)))));
    Run();
    EXPECT_THAT(m_server.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
}

TEST_F(DeviceFaultTest, DeviceIsBackWhenAllThatHasTakenItAwayIsOver)
{
    Faults().Fail();
    Faults().Fail();
    EXPECT_THAT(m_deviceEvents, ElementsAre(AsyncEventType::DEVICE_FATAL));
    Faults().Recover();
    EXPECT_TRUE(Faults().HasFailed());
    Faults().Recover();
    EXPECT_FALSE(Faults().HasFailed());
    Faults().Recover();
    EXPECT_FALSE(Faults().HasFailed());
}

TEST_F(DeviceFaultTest, ListenersHearNothingUntilTheDeviceIsBack)
{
    m_listener = CmId::Create(m_server.device);
    ASSERT_TRUE(m_listener->Listen(PORT));
    m_server.device->GetFaults().Fail();
    const auto attempt = [this](Ptr<QueuePair> pair) {
        std::vector<CmEventType> seen;
        const auto id = CmId::Create(m_client.device);
        id->SetEventCallback(Callback<void, Ptr<CmId>, const CmEvent&>(
            [&seen](Ptr<CmId>, const CmEvent& event) { seen.push_back(event.type); }));
        EXPECT_TRUE(id->Connect(pair, MakeSocketAddress(m_server.address, PORT), {{}, 16, 16}));
        Run();
        id->SetEventCallback(CmId::EventCallback());
        return seen;
    };
    EXPECT_THAT(attempt(m_client.pair), ElementsAre(CmEventType::UNREACHABLE));
    m_server.device->GetFaults().Recover();
    EXPECT_TRUE(m_listener->IsListening());
    const auto makePair = [](RnicHost& host) {
        return host.device
            ->CreateQueuePair(host.domain, host.sendCompletions, host.receiveCompletions, {})
            .value();
    };
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::ERROR);
    const auto served = makePair(m_server);
    m_listener->SetEventCallback(
        Callback<void, Ptr<CmId>, const CmEvent&>([served](Ptr<CmId>, const CmEvent& event) {
            if (event.newId)
            {
                event.newId->Accept(served, {});
            }
        }));
    EXPECT_THAT(attempt(makePair(m_client)), ElementsAre(CmEventType::ESTABLISHED));
}

TEST_F(DeviceFaultTest, ConnectionThatIsBeingMadeIsGoneToo)
{
    m_client.id = CmId::Create(m_client.device);
    std::vector<CmEventType> seen;
    m_client.id->SetEventCallback(Callback<void, Ptr<CmId>, const CmEvent&>(
        [&seen](Ptr<CmId>, const CmEvent& event) { seen.push_back(event.type); }));
    EXPECT_TRUE(m_client.id->Connect(m_client.pair, MakeSocketAddress(m_server.address, PORT), {}));
    Faults().Fail();
    Run();
    EXPECT_THAT(seen, ElementsAre(CmEventType::DEVICE_REMOVAL));
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    EXPECT_EQ(m_client.device->GetCensus().connections, 0U);
}

TEST_F(DeviceFaultTest, FailedQueuePairTerminatesTheStream)
{
    Connect();
    PostReceive(m_client, 1, Keep(m_client.Room(64)));
    EXPECT_EQ(Faults().FailQueuePairs(*IpAddress::Parse("1.2.3.4")), 0U);
    EXPECT_EQ(Faults().FailQueuePairs(m_server.address), 1U);
    Run();
    EXPECT_THAT(m_client.asyncEvents, ElementsAre(AsyncEventType::QP_FATAL));
    EXPECT_THAT(m_client.terminatesSent, ElementsAre("0/0/00 local catastrophic error"));
    EXPECT_THAT(m_server.terminatesReceived, ElementsAre("0/0/00 local catastrophic error"));
    EXPECT_THAT(m_client.ReceivedStatuses(), ElementsAre(FLUSHED));
    EXPECT_THAT(m_client.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
    EXPECT_EQ(m_client.device->GetCounters().pairsFailed, 1U);
    EXPECT_EQ(Faults().FailQueuePairs(std::nullopt), 0U);
}

TEST_F(DeviceFaultTest, OverrunQueueFailsItsQueuePairs)
{
    Connect();
    PostReceive(m_client, 1, Keep(m_client.Room(64)));
    EXPECT_EQ(Faults().OverrunQueues(std::nullopt), 1U);
    Run();
    EXPECT_THAT(m_queueEvents, ElementsAre(AsyncEventType::CQ_ERR));
    EXPECT_TRUE(m_client.receiveCompletions->IsDead());
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    EXPECT_THAT(m_client.received, IsEmpty());
    EXPECT_THAT(m_client.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
    EXPECT_EQ(m_client.device->GetCounters().queuesOverrun, 1U);
    EXPECT_GE(m_client.device->GetCounters().completionsLost, 2U);
}

TEST_F(DeviceFaultTest, FailedRegistrationFailsItsQueuePair)
{
    Connect();
    const auto& buffer = Keep(m_client.Room(4096));
    const auto region = m_client.device->AllocateMemoryRegion(m_client.domain, 4).value();
    Faults().FailRegistrations(1, Time::Max());
    PostSend(m_client, Register(1, region, buffer, 1, ACCESS_REMOTE_READ));
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(WorkCompletionStatus::LOC_QP_OP_ERR));
    EXPECT_FALSE(region->IsValid());
    EXPECT_EQ(m_client.memory->GetPinnedPages(), 0U);
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    EXPECT_EQ(m_client.device->GetCounters().registrationsFailed, 1U);
    // One was to fail.
    EXPECT_TRUE(m_client.device->RegisterMemory(m_client.domain, buffer.GetAddress(), 100, 0, 0));
}

TEST_F(DeviceFaultTest, RegularRegistrationsFailTillTheEnd)
{
    const auto& buffer = Keep(m_client.Room(4096));
    Faults().FailRegistrations(0, MilliSeconds(1));
    const auto make = [this, &buffer] {
        return m_client.device->RegisterMemory(m_client.domain, buffer.GetAddress(), 100, 0, 0);
    };
    EXPECT_EQ(make().error(), VerbsError::NO_MEMORY);
    EXPECT_EQ(make().error(), VerbsError::NO_MEMORY);
    Simulator::Schedule(MilliSeconds(1), [&make] { EXPECT_TRUE(make()); });
    Run();
}

TEST_F(DeviceFaultTest, RegionsAreRefusedForAWhile)
{
    Faults().RefuseRegions(2, MilliSeconds(1));
    const auto allocate = [this] {
        return m_client.device->AllocateMemoryRegion(m_client.domain, 1);
    };
    EXPECT_EQ(allocate().error(), VerbsError::TRY_AGAIN);
    EXPECT_EQ(allocate().error(), VerbsError::TRY_AGAIN);
    EXPECT_TRUE(allocate());
    EXPECT_EQ(m_client.device->GetCounters().regionsRefused, 2U);
}

TEST_F(DeviceFaultTest, SlowReceiverTakesOneCompletionAfterTheOther)
{
    Connect();
    OpenResponder();
    for (uint64_t i = 0; i < 6; ++i)
    {
        PostReceive(m_client, i, Keep(m_client.Room(64)));
    }
    const auto& message = Keep(m_server.Fill(Pattern(8)));
    const auto send = [&](int count) {
        m_received.clear();
        for (int i = 0; i < count; ++i)
        {
            PostSend(m_server, Send(1, message));
        }
        const Time start = Simulator::Now();
        Run();
        return start;
    };
    const Time delay = MicroSeconds(300);
    const uint32_t other = Faults().BeginSlowReceives(*IpAddress::Parse("1.2.3.4"), Seconds(1));
    const uint32_t slow = Faults().BeginSlowReceives(m_server.address, delay);
    const Time start = send(3);
    ASSERT_EQ(m_received.size(), 3U);
    EXPECT_GT(m_received[0], start + delay);
    EXPECT_LT(m_received[0], start + delay + MicroSeconds(100));
    EXPECT_EQ(m_received[1] - m_received[0], delay);
    EXPECT_EQ(m_received[2] - m_received[1], delay);
    Faults().EndSlowReceives(slow);
    Faults().EndSlowReceives(other);
    const Time again = send(3);
    ASSERT_EQ(m_received.size(), 3U);
    EXPECT_LT(m_received[2], again + delay);
}

TEST_F(DeviceFaultTest, SlowReceiverThatIsSlowNoMoreTakesWhatWaits)
{
    Connect();
    OpenResponder();
    PostReceive(m_client, 1, Keep(m_client.Room(64)));
    PostReceive(m_client, 2, Keep(m_client.Room(64)));
    const uint32_t slow = Faults().BeginSlowReceives(std::nullopt, Seconds(10));
    const auto& message = Keep(m_server.Fill(Pattern(8)));
    PostSend(m_server, Send(1, message));
    PostSend(m_server, Send(2, message));
    const Time end = Simulator::Now() + MilliSeconds(1);
    Simulator::Schedule(MilliSeconds(1), [this, slow] { Faults().EndSlowReceives(slow); });
    Run();
    EXPECT_THAT(m_received, ElementsAre(end, end));
}

TEST_F(DeviceFaultTest, PressureOnMemoryKeepsPagesFromBeingPinned)
{
    HostMemory& memory = *m_client.memory;
    ASSERT_TRUE(memory.Pin(3));
    EXPECT_FALSE(memory.IsUnderPressure());
    memory.SetPressure(4);
    EXPECT_TRUE(memory.IsUnderPressure());
    EXPECT_TRUE(memory.CanPin(1));
    EXPECT_FALSE(memory.CanPin(2));
    EXPECT_FALSE(memory.Pin(2));
    memory.SetPressure(2);
    EXPECT_FALSE(memory.CanPin(0));
    memory.SetPressure(std::nullopt);
    EXPECT_TRUE(memory.Pin(100));
    memory.Unpin(103);
}

} // namespace

} // namespace ns3::nfsrdma
