/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class QueueRules : public RnicTest
{
  protected:
    QueuePairCapabilities GetCapabilities(const RnicHost& /* host */) override
    {
        return {8, 8};
    }

    static constexpr uint32_t RIGHTS =
        ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ;
};

TEST_F(QueueRules, IdleAcceptsReceivesAndRefusesSends)
{
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::IDLE);
    EXPECT_TRUE(m_client.pair->PostReceive({}));
    EXPECT_EQ(m_client.pair->GetPostedReceives(), 1U);
    const auto posted = m_client.pair->PostSend(SendWorkRequest());
    ASSERT_FALSE(posted);
    EXPECT_EQ(posted.error(), VerbsError::NOT_CONNECTED);
}

TEST_F(QueueRules, MoveToErrorFlushesAnIdleQueuePair)
{
    ReceiveWorkRequest receive;
    receive.id = 3;
    ASSERT_TRUE(m_client.pair->PostReceive(receive));
    m_client.pair->MoveToError();
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    Run();
    EXPECT_THAT(m_client.ReceivedIds(), ElementsAre(3));
    EXPECT_THAT(m_client.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_client.states, ElementsAre(QueuePairState::ERROR));
}

TEST_F(QueueRules, ErrorFlushesWhatIsPostedAtOnce)
{
    Connect();
    m_client.pair->MoveToError();
    Run();
    SendWorkRequest send;
    send.id = 11;
    send.signaled = false;
    ReceiveWorkRequest receive;
    receive.id = 12;
    EXPECT_TRUE(m_client.pair->PostSend(send));
    EXPECT_TRUE(m_client.pair->PostReceive(receive));
    EXPECT_EQ(m_client.pair->GetOutstandingSends(), 0U);
    EXPECT_EQ(m_client.pair->GetPostedReceives(), 0U);
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(11));
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_client.ReceivedIds(), ElementsAre(12));
    EXPECT_THAT(m_client.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
}

TEST_F(QueueRules, PostChecksElementsLengthsAndRegistrations)
{
    m_client.device->SetAttribute("MaxMessage", UintegerValue(1000));
    Connect();
    const HostBuffer buffer = m_client.Room(2000);
    const auto region = m_client.device->AllocateMemoryRegion(m_client.domain, 1).value();
    const auto refused = [this](const SendWorkRequest& request) {
        const auto posted = m_client.pair->PostSend(request);
        return !posted && posted.error() == VerbsError::INVALID_ARGUMENT;
    };
    SendWorkRequest request = Send(1, buffer);
    EXPECT_TRUE(refused(request)) << "longer than MaxMessage";
    request.elements.assign(7, {buffer.GetAddress(), 1, 0});
    EXPECT_TRUE(refused(request)) << "more than MaxElements";
    request.opcode = WorkRequestOpcode::RDMA_READ;
    request.elements.assign(2, {buffer.GetAddress(), 1, 0});
    EXPECT_TRUE(refused(request)) << "a Read with two elements";
    request.elements.clear();
    EXPECT_TRUE(refused(request)) << "a Read with none";

    const SendWorkRequest good = Register(1, region, buffer, 1, ACCESS_REMOTE_READ);
    request = good;
    request.region = nullptr;
    EXPECT_TRUE(refused(request)) << "no region";
    request = good;
    request.registration.length = 0;
    EXPECT_TRUE(refused(request)) << "no octets";
    request = good;
    request.registration.access = ACCESS_REMOTE_WRITE;
    EXPECT_TRUE(refused(request)) << "remote without local write";
    request = good;
    request.registration.iova = 0xffffffffffffff00;
    EXPECT_TRUE(refused(request)) << "iova wraps";
    request = good;
    request.registration.length = 2001;
    EXPECT_TRUE(refused(request)) << "memory not allocated";
    const HostBuffer two = m_client.Room(4097);
    EXPECT_TRUE(refused(Register(1, region, two, 1, ACCESS_REMOTE_READ))) << "two pages";
    EXPECT_TRUE(m_client.pair->PostSend(good));

    ReceiveWorkRequest receive;
    receive.elements.assign(7, {buffer.GetAddress(), 1, 0});
    EXPECT_FALSE(m_client.pair->PostReceive(receive));
}

TEST_F(QueueRules, ReceiveQueueHoldsItsDepth)
{
    for (int i = 0; i < 8; i++)
    {
        EXPECT_TRUE(m_client.pair->PostReceive({}));
    }
    const auto posted = m_client.pair->PostReceive({});
    ASSERT_FALSE(posted);
    EXPECT_EQ(posted.error(), VerbsError::NO_MEMORY);
}

/// The client does not poll by itself.
class Slots : public QueueRules
{
  protected:
    void SetUp() override
    {
        QueueRules::SetUp();
        Connect();
        OpenResponder();
        m_client.sendCompletions->SetNotifyCallback(CompletionQueue::NotifyCallback());
        for (int i = 0; i < 8; i++)
        {
            ASSERT_TRUE(m_server.pair->PostReceive({}));
        }
    }

    bool PostEmpty(uint64_t id, bool signaled)
    {
        SendWorkRequest request;
        request.id = id;
        request.signaled = signaled;
        return m_client.pair->PostSend(request).has_value();
    }
};

TEST_F(Slots, UnsignaledOnesComeBackWithALaterSignaledOnePolled)
{
    for (uint64_t id = 0; id < 7; id++)
    {
        ASSERT_TRUE(PostEmpty(id, false));
    }
    ASSERT_TRUE(PostEmpty(7, true));
    EXPECT_FALSE(PostEmpty(8, false));
    Run();
    EXPECT_EQ(m_client.pair->GetOutstandingSends(), 0U);
    EXPECT_FALSE(PostEmpty(8, false)) << "completed, not polled";
    ASSERT_EQ(m_client.sendCompletions->GetCount(), 1U);
    EXPECT_EQ(m_client.sendCompletions->Poll()->id, 7U);
    for (uint64_t id = 0; id < 8; id++)
    {
        EXPECT_TRUE(PostEmpty(id, false));
    }
}

TEST_F(Slots, ASignaledOneGivesBackOnlyThoseBeforeIt)
{
    ASSERT_TRUE(PostEmpty(0, false));
    ASSERT_TRUE(PostEmpty(1, true));
    for (uint64_t id = 2; id < 8; id++)
    {
        ASSERT_TRUE(PostEmpty(id, false));
    }
    Run();
    EXPECT_EQ(m_client.sendCompletions->Poll()->id, 1U);
    EXPECT_TRUE(PostEmpty(8, true));
    EXPECT_TRUE(PostEmpty(9, true));
    EXPECT_FALSE(PostEmpty(10, true));
}

TEST_F(Slots, AChainIsPostedWholeOrNotAtAll)
{
    const std::vector<SendWorkRequest> nine(9);
    const auto posted = m_client.pair->PostSend(nine);
    ASSERT_FALSE(posted);
    EXPECT_EQ(posted.error(), VerbsError::NO_MEMORY);
    EXPECT_EQ(m_client.pair->GetOutstandingSends(), 0U);
    const uint64_t doorbells = m_client.device->GetCounters().doorbells;
    EXPECT_TRUE(m_client.pair->PostSend(std::vector<SendWorkRequest>(8)));
    EXPECT_EQ(m_client.device->GetCounters().doorbells, doorbells + 1);
}

class Reads : public QueueRules
{
  protected:
    static constexpr uint32_t ORD = 2;

    CmConnectionParameters GetParameters(const RnicHost& host) override
    {
        const bool client = &host == &m_client;
        return {{}, client ? 0U : ORD, client ? 100U : 0U};
    }

    void ConfigureDevice(RnicHost& host) override
    {
        if (&host == &m_server)
        {
            host.device->SetAttribute("MaxIrd", UintegerValue(ORD));
        }
    }

    void SetUp() override
    {
        QueueRules::SetUp();
        Connect();
        m_source = m_server.Fill(Pattern(4000));
        m_remote = RegisterNow(m_server, m_source, ACCESS_REMOTE_READ);
        m_sink = m_client.Room(4000);
        m_local = RegisterNow(m_client, m_sink, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    }

    SendWorkRequest MakeRead(uint64_t id)
    {
        return Read(id, *m_local, 4000, m_remote->GetStag(), m_source.GetAddress());
    }

    HostBuffer m_source;
    HostBuffer m_sink;
    Ptr<MemoryRegion> m_remote;
    Ptr<MemoryRegion> m_local;
};

TEST_F(Reads, OrdIsLoweredToThePeersIrdAndStallsTheQueue)
{
    EXPECT_EQ(m_client.pair->GetOrd(), ORD);
    EXPECT_EQ(m_server.pair->GetIrd(), ORD);
    uint32_t most = 0;
    const Time start = Simulator::Now();
    std::vector<SendWorkRequest> chain;
    for (uint64_t id = 0; id < 6; id++)
    {
        chain.push_back(MakeRead(id));
    }
    ASSERT_TRUE(m_client.pair->PostSend(chain));
    while (m_client.sent.size() < 6)
    {
        Simulator::Stop(NanoSeconds(50));
        Simulator::Run();
        most = std::max(most, m_server.pair->GetStream()->GetInboundReads());
        ASSERT_LT(Simulator::Now() - start, MilliSeconds(1));
    }
    EXPECT_EQ(most, ORD);
    EXPECT_THAT(m_client.SentIds(), ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(m_client.SentStatuses(), Each(Status::SUCCESS));
    EXPECT_GE(m_client.device->GetCounters().ordStalls, 1U);
    EXPECT_EQ(m_client.Octets(m_sink), Pattern(4000));
}

TEST_F(Reads, CompletionsKeepPostingOrderAcrossKinds)
{
    ASSERT_TRUE(m_server.pair->PostReceive({}));
    SendWorkRequest send;
    send.id = 2;
    ASSERT_TRUE(m_client.pair->PostSend(std::vector<SendWorkRequest>{MakeRead(1), send}));
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2));
    EXPECT_EQ(m_server.device->GetCounters()
                  .segmentsReceived[static_cast<std::size_t>(RdmapOpcode::SEND)],
              1U);
}

TEST_F(Reads, AFencedSendWaitsForTheRead)
{
    ASSERT_TRUE(m_server.pair->PostReceive({}));
    SendWorkRequest send;
    send.id = 2;
    send.fence = true;
    ASSERT_TRUE(m_client.pair->PostSend(std::vector<SendWorkRequest>{MakeRead(1), send}));
    const auto& counters = m_client.device->GetCounters();
    const Time start = Simulator::Now();
    while (counters.payloadReceived < 4000)
    {
        EXPECT_EQ(counters.segmentsSent[static_cast<std::size_t>(RdmapOpcode::SEND)], 0U);
        Simulator::Stop(NanoSeconds(20));
        Simulator::Run();
        ASSERT_LT(Simulator::Now() - start, MilliSeconds(1));
    }
    Run();
    EXPECT_EQ(counters.segmentsSent[static_cast<std::size_t>(RdmapOpcode::SEND)], 1U);
    EXPECT_EQ(counters.fenceStalls, 1U);
    EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2));
}

TEST_F(Reads, LocalInvalidationWaitsForTheReadBeforeIt)
{
    ASSERT_TRUE(m_client.pair->PostSend(
        std::vector<SendWorkRequest>{MakeRead(1), Invalidate(2, m_local->GetStag())}));
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2));
    EXPECT_THAT(m_client.SentStatuses(), Each(Status::SUCCESS));
    EXPECT_EQ(m_client.Octets(m_sink), Pattern(4000));
    EXPECT_FALSE(m_local->IsValid());
}

TEST_F(Reads, FlushCompletesEachQueueInItsOrder)
{
    SendWorkRequest send;
    send.signaled = false;
    std::vector<SendWorkRequest> chain{MakeRead(0), MakeRead(1), MakeRead(2)};
    for (uint64_t id = 3; id < 6; id++)
    {
        send.id = id;
        chain.push_back(send);
    }
    for (uint64_t id = 0; id < 4; id++)
    {
        ReceiveWorkRequest receive;
        receive.id = id;
        ASSERT_TRUE(m_client.pair->PostReceive(receive));
    }
    ASSERT_TRUE(m_client.pair->PostSend(chain));
    while (m_client.device->GetCounters()
               .segmentsSent[static_cast<std::size_t>(RdmapOpcode::READ_REQUEST)] < 2)
    {
        Simulator::Stop(NanoSeconds(20));
        Simulator::Run();
    }
    m_client.pair->MoveToError();
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(m_client.SentStatuses(), Each(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_client.ReceivedIds(), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(m_client.ReceivedStatuses(), Each(Status::WR_FLUSH_ERR));
    EXPECT_EQ(m_client.pair->GetOutstandingSends(), 0U);
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::ERROR);
}

class NoReads : public Reads
{
  protected:
    CmConnectionParameters GetParameters(const RnicHost& /* host */) override
    {
        return {{}, 0, 0};
    }
};

TEST_F(NoReads, AReadWithoutOrdFails)
{
    PostSend(m_client, MakeRead(1));
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::LOC_QP_OP_ERR));
}

TEST_F(QueueRules, AResponderThatMayNotSpeakYetFailsWithoutATerminate)
{
    Connect();
    PostSend(m_server, Invalidate(1, 0x77777701));
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::LOC_QP_OP_ERR));
    EXPECT_THAT(m_client.terminatesReceived, IsEmpty());
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::ERROR);
    EXPECT_THAT(m_client.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
}

class Notification : public QueueRules
{
  protected:
    void SetUp() override
    {
        QueueRules::SetUp();
        Connect();
        OpenResponder();
        m_server.receiveCompletions->SetNotifyCallback(
            Callback<void, Ptr<CompletionQueue>>([this](Ptr<CompletionQueue>) { m_calls++; }));
        for (int i = 0; i < 8; i++)
        {
            ASSERT_TRUE(m_server.pair->PostReceive({}));
        }
    }

    int m_calls{0};
};

TEST_F(Notification, IsOneShot)
{
    PostSend(m_client, {});
    Run();
    PostSend(m_client, {});
    Run();
    EXPECT_EQ(m_calls, 1);
    EXPECT_EQ(m_server.receiveCompletions->GetCount(), 2U);
    m_server.receiveCompletions->RequestNotify();
    PostSend(m_client, {});
    Run();
    EXPECT_EQ(m_calls, 2);
}

TEST_F(Notification, DoesNotTellOfEntriesWrittenBeforeArming)
{
    PostSend(m_client, {});
    Run();
    ASSERT_EQ(m_calls, 1);
    PostSend(m_client, {});
    Run();
    m_server.receiveCompletions->RequestNotify();
    Run();
    EXPECT_EQ(m_calls, 1) << "the entry is there already: only a poll after arming finds it";
    EXPECT_TRUE(m_server.receiveCompletions->Poll());
}

class Overflow : public QueueRules
{
  protected:
    uint32_t GetCompletionDepth() override
    {
        return 4;
    }
};

TEST_F(Overflow, KillsTheQueueAndItsQueuePairs)
{
    Connect();
    std::vector<AsyncEventType> events;
    m_client.sendCompletions->SetNotifyCallback(CompletionQueue::NotifyCallback());
    m_client.sendCompletions->TraceConnectWithoutContext(
        "AsyncEvent",
        Callback<void, AsyncEventType, uint32_t>(
            [&events](AsyncEventType type, uint32_t) { events.push_back(type); }));
    for (int i = 0; i < 5; i++)
    {
        ASSERT_TRUE(m_server.pair->PostReceive({}));
    }
    ASSERT_TRUE(m_client.pair->PostSend(std::vector<SendWorkRequest>(4)));
    Run();
    EXPECT_THAT(events, IsEmpty());
    PostSend(m_client, {});
    Run();
    EXPECT_THAT(events, ElementsAre(AsyncEventType::CQ_ERR));
    EXPECT_TRUE(m_client.sendCompletions->IsDead());
    EXPECT_EQ(m_client.sendCompletions->GetCount(), 4U);
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    EXPECT_THAT(m_client.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
    EXPECT_GE(m_client.device->GetCounters().completionsLost, 1U);
}

} // namespace ns3::nfsrdma
