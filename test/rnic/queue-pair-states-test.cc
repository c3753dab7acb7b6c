/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/side-story.h"

#include "ns3/simulator.h"

#include <gmock/gmock.h>
#include <ostream>

namespace ns3::nfsrdma
{

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Status = WorkCompletionStatus;
using State = QueuePairState;

void
PrintTo(QueuePairState state, std::ostream* out)
{
    *out << ToString(state);
}

namespace
{

constexpr State ALL_STATES[] = {State::IDLE,
                                State::RTS,
                                State::CLOSING,
                                State::TERMINATE,
                                State::ERROR};

} // namespace

class QueuePairStates : public RnicTest
{
  protected:
    static constexpr uint32_t DEPTH = 16;

    QueuePairCapabilities GetCapabilities(const RnicHost& /* host */) override
    {
        return {DEPTH, DEPTH};
    }

    /// Connects, opens the responder, and posts one receive on each side.
    void Establish()
    {
        Connect();
        OpenResponder();
        ASSERT_TRUE(m_client.pair->PostReceive({21, {}}));
        ASSERT_TRUE(m_server.pair->PostReceive({31, {}}));
    }

    /// Brings the client, with one receive posted, to \p state, where it stays until time passes.
    void Enter(State state)
    {
        if (state == State::IDLE)
        {
            ASSERT_TRUE(m_client.pair->PostReceive({21, {}}));
            return;
        }
        Establish();
        if (state != State::RTS)
        {
            ASSERT_TRUE(m_client.pair->Modify(state));
        }
        if (state == State::ERROR)
        {
            Run();
            m_client.received.clear();
        }
        ASSERT_EQ(m_client.pair->GetState(), state);
    }

    /// Has the client read from the server until a part of the response has come.
    void ReadUnderWay()
    {
        constexpr uint32_t LENGTH = 100000;
        const HostBuffer& source = Keep(m_server.Fill(Pattern(LENGTH)));
        const auto remote = RegisterNow(m_server, source, ACCESS_REMOTE_READ);
        const HostBuffer& sink = Keep(m_client.Room(LENGTH));
        const auto local = RegisterNow(m_client, sink, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
        PostSend(m_client, Read(1, *local, LENGTH, remote->GetStag(), source.GetAddress()));
        while (m_client.device->GetCounters().payloadReceived == 0)
        {
            Simulator::Stop(NanoSeconds(100));
            Run();
        }
    }
};

const std::vector<CmEventType> WHOLE_LIFE{CmEventType::ESTABLISHED, CmEventType::DISCONNECTED};

/// The connection ended with a Receive posted; with a work request on the send queue as well.
const SideStory FLUSHED{{State::RTS, State::ERROR}, {}, {Status::WR_FLUSH_ERR}, {}, {}, WHOLE_LIFE};
const SideStory FLUSHED_WITH_A_SEND{{State::RTS, State::ERROR},
                                    {Status::WR_FLUSH_ERR},
                                    {Status::WR_FLUSH_ERR},
                                    {},
                                    {},
                                    WHOLE_LIFE};

TEST_F(QueuePairStates, IdleToRts)
{
    Connect();
    ExpectStory(m_client, {{State::RTS}, {}, {}, {}, {}, {CmEventType::ESTABLISHED}});
    ExpectStory(m_server, {{State::RTS}, {}, {}, {}, {}, {CmEventType::ESTABLISHED}});
}

TEST_F(QueuePairStates, IdleToError)
{
    ASSERT_TRUE(m_client.pair->PostReceive({}));
    ASSERT_TRUE(m_client.pair->Modify(State::ERROR));
    Run();
    ExpectStory(m_client, {{State::ERROR}, {}, {Status::WR_FLUSH_ERR}, {}, {}, {}});
}

TEST_F(QueuePairStates, RtsToClosingWithAnIdleSendQueue)
{
    Establish();
    ASSERT_TRUE(m_client.pair->Modify(State::CLOSING));
    Run();
    ExpectStory(m_client,
                {{State::RTS, State::CLOSING, State::ERROR},
                 {},
                 {Status::WR_FLUSH_ERR},
                 {AsyncEventType::SQ_DRAINED},
                 {},
                 WHOLE_LIFE});
    ExpectStory(m_server, FLUSHED);
}

TEST_F(QueuePairStates, ClosingWithAWorkRequestLeftIsError)
{
    Establish();
    PostSend(m_client, {});
    ASSERT_TRUE(m_client.pair->Modify(State::CLOSING));
    Run();
    ExpectStory(m_client, FLUSHED_WITH_A_SEND);
    ExpectStory(m_server, FLUSHED);
}

TEST_F(QueuePairStates, ClosingWithAReadLeftIsError)
{
    Establish();
    ReadUnderWay();
    ASSERT_TRUE(m_client.pair->Modify(State::CLOSING));
    Run();
    ExpectStory(m_client, FLUSHED_WITH_A_SEND);
    ExpectStory(m_server, FLUSHED);
}

TEST_F(QueuePairStates, RtsToTerminateWhileThePeerFailsToo)
{
    Establish();
    PostSend(m_client, {});
    PostSend(m_server, {});
    ASSERT_TRUE(m_client.pair->Modify(State::TERMINATE));
    EXPECT_EQ(m_client.pair->GetState(), State::TERMINATE);
    m_server.pair->MoveToError();
    Run();
    ExpectStory(m_client,
                {{State::RTS, State::TERMINATE, State::ERROR},
                 {Status::WR_FLUSH_ERR},
                 {Status::WR_FLUSH_ERR},
                 {AsyncEventType::QP_FATAL},
                 {"0/0/00"},
                 WHOLE_LIFE});
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
}

TEST_F(QueuePairStates, ATerminateReceived)
{
    Establish();
    ASSERT_TRUE(m_client.pair->Modify(State::TERMINATE));
    Run();
    for (const RnicHost* host : {&m_client, &m_server})
    {
        ExpectStory(*host,
                    {{State::RTS, State::TERMINATE, State::ERROR},
                     {},
                     {Status::WR_FLUSH_ERR},
                     {AsyncEventType::QP_FATAL},
                     {"0/0/00"},
                     WHOLE_LIFE});
    }
    EXPECT_EQ(m_client.device->GetCounters().terminatesSent, 1U);
    EXPECT_EQ(m_client.device->GetCounters().localFaults, 0U) << "nothing was at fault";
    EXPECT_EQ(m_server.device->GetCounters().terminatesReceived, 1U);
}

TEST_F(QueuePairStates, RtsToErrorFlushesBothQueues)
{
    Establish();
    PostSend(m_client, {});
    ASSERT_TRUE(m_client.pair->Modify(State::ERROR));
    Run();
    ExpectStory(m_client, FLUSHED_WITH_A_SEND);
    ExpectStory(m_server, FLUSHED);
}

TEST_F(QueuePairStates, TheConnectionClosedByThePeer)
{
    Establish();
    ReadUnderWay();
    m_server.id->Disconnect();
    Run();
    ExpectStory(m_client, FLUSHED_WITH_A_SEND);
    EXPECT_THAT(m_server.states, ElementsAre(State::RTS, State::CLOSING, State::ERROR))
        << "Reads that it serves are no work of its own";
}

TEST_F(QueuePairStates, TheConnectionLost)
{
    Establish();
    ReadUnderWay();
    ASSERT_TRUE(m_server.device->Destroy(m_server.pair));
    Run();
    ExpectStory(m_client, FLUSHED_WITH_A_SEND);
}

/// Every state, with the client in it.
class InState : public QueuePairStates, public ::testing::WithParamInterface<State>
{
  protected:
    void SetUp() override
    {
        QueuePairStates::SetUp();
        Enter(GetParam());
    }
};

INSTANTIATE_TEST_SUITE_P(States, InState, ::testing::ValuesIn(ALL_STATES), [](const auto& state) {
    return std::string(ToString(state.param));
});

TEST_P(InState, OnlyLegalTransitionsAreTaken)
{
    const State from = GetParam();
    for (const State to : {State::IDLE, State::RTS, State::CLOSING, State::TERMINATE})
    {
        const bool legal = from == State::RTS && (to == State::CLOSING || to == State::TERMINATE);
        if (!legal)
        {
            const auto modified = m_client.pair->Modify(to);
            ASSERT_FALSE(modified) << ToString(to);
            EXPECT_EQ(modified.error(), VerbsError::INVALID_ARGUMENT);
            EXPECT_EQ(m_client.pair->GetState(), from);
        }
    }
    EXPECT_TRUE(m_client.pair->Modify(State::ERROR));
    EXPECT_EQ(m_client.pair->GetState(), State::ERROR);
    Run();
    EXPECT_EQ(m_client.pair->GetState(), State::ERROR);
    EXPECT_EQ(m_client.asyncEvents.size(), from == State::TERMINATE ? 1U : 0U);
    if (from != State::IDLE)
    {
        EXPECT_EQ(m_client.EventTypes(), WHOLE_LIFE);
        EXPECT_EQ(m_server.EventTypes(), WHOLE_LIFE);
    }
}

TEST_P(InState, SendsAreTakenInRtsFlushedInTerminateAndErrorRefusedBefore)
{
    const State state = GetParam();
    const bool refused = state == State::IDLE || state == State::CLOSING;
    const auto one = m_client.pair->PostSend(SendWorkRequest());
    const auto chain = m_client.pair->PostSend(std::vector<SendWorkRequest>(3));
    if (refused)
    {
        EXPECT_EQ(one.error(), VerbsError::NOT_CONNECTED);
        EXPECT_EQ(chain.error(), VerbsError::NOT_CONNECTED);
    }
    else
    {
        EXPECT_TRUE(one);
        EXPECT_TRUE(chain);
    }
    EXPECT_EQ(m_client.pair->GetOutstandingSends(), state == State::RTS ? 4U : 0U);
    for (int i = 0; i < 4 && state == State::RTS; i++)
    {
        ASSERT_TRUE(m_server.pair->PostReceive({}));
    }
    Run();
    ASSERT_EQ(m_client.sent.size(), refused ? 0U : 4U);
    EXPECT_THAT(m_client.SentStatuses(),
                Each(state == State::RTS ? Status::SUCCESS : Status::WR_FLUSH_ERR));
    EXPECT_EQ(m_client.pair->GetOutstandingSends(), 0U);
}

TEST_P(InState, ReceivesAreTakenBeforeAndInRtsFlushedAfter)
{
    const State state = GetParam();
    const bool kept = state == State::IDLE || state == State::RTS;
    EXPECT_TRUE(m_client.pair->PostReceive({22, {}}));
    EXPECT_EQ(m_client.pair->GetPostedReceives(), kept ? 2U : 0U);
    Run();
    if (kept)
    {
        EXPECT_THAT(m_client.received, IsEmpty());
        return;
    }
    ASSERT_FALSE(m_client.received.empty());
    EXPECT_EQ(m_client.ReceivedIds().back(), 22U);
    EXPECT_THAT(m_client.ReceivedStatuses(), Each(Status::WR_FLUSH_ERR));
}

TEST_P(InState, MoreThanTheDepthIsRefused)
{
    const State state = GetParam();
    if (state == State::RTS)
    {
        EXPECT_EQ(m_client.pair->PostSend(std::vector<SendWorkRequest>(DEPTH + 1)).error(),
                  VerbsError::NO_MEMORY);
    }
    const bool kept = state == State::IDLE || state == State::RTS;
    uint32_t taken = 0;
    while (taken < 2 * DEPTH && m_client.pair->PostReceive({}))
    {
        taken++;
    }
    EXPECT_EQ(taken, kept ? DEPTH - 1 : 2 * DEPTH);
}

TEST_P(InState, DestroyDropsTheWorkAndLeavesTheCompletions)
{
    const State state = GetParam();
    // Nobody polls, so that what is in the completion queues stays there.
    for (const auto& queue : {m_client.sendCompletions, m_client.receiveCompletions})
    {
        queue->SetNotifyCallback(CompletionQueue::NotifyCallback());
    }
    const bool flushes = state == State::TERMINATE || state == State::ERROR;
    if (flushes)
    {
        PostSend(m_client, {});
        Simulator::Stop(Time(1));
        Simulator::Run();
    }
    const uint32_t written = m_client.sendCompletions->GetCount();
    EXPECT_EQ(written, flushes ? 1U : 0U);
    const uint32_t received = m_client.receiveCompletions->GetCount();
    if (state == State::RTS || flushes)
    {
        PostSend(m_client, {});
    }
    ASSERT_TRUE(m_client.pair->PostReceive({23, {}}));
    ASSERT_TRUE(m_client.device->Destroy(m_client.pair));
    EXPECT_EQ(m_client.device->Destroy(m_client.pair).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(m_client.pair->PostSend(SendWorkRequest()).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(m_client.pair->Modify(State::ERROR).error(), VerbsError::INVALID_ARGUMENT);
    Run();
    EXPECT_EQ(m_client.sendCompletions->GetCount(), written);
    EXPECT_EQ(m_client.receiveCompletions->GetCount(), received);
    for (uint32_t i = 0; i < written; i++)
    {
        EXPECT_TRUE(m_client.sendCompletions->Poll());
    }
    EXPECT_TRUE(m_client.device->Destroy(m_client.sendCompletions));
    EXPECT_TRUE(m_client.device->Destroy(m_client.receiveCompletions));
    EXPECT_TRUE(m_client.device->Destroy(m_client.domain));
    EXPECT_TRUE(IsZero(m_client.device->GetCensus()));
    if (state != State::IDLE)
    {
        EXPECT_EQ(m_server.pair->GetState(), State::ERROR);
        EXPECT_EQ(m_client.EventTypes(), WHOLE_LIFE);
        EXPECT_EQ(m_server.EventTypes(), WHOLE_LIFE);
    }
}

TEST_P(InState, ObjectsInUseAreNotDestroyed)
{
    const auto& device = m_client.device;
    EXPECT_EQ(device->Destroy(m_client.domain).error(), VerbsError::BUSY);
    EXPECT_EQ(device->Destroy(m_client.sendCompletions).error(), VerbsError::BUSY);
    EXPECT_EQ(device->Destroy(m_client.receiveCompletions).error(), VerbsError::BUSY);
    EXPECT_EQ(m_client.pair->GetState(), GetParam());
}

/// Destroying, from within the events of the pair, what they are about.
class DestroyFromEvents : public QueuePairStates
{
  protected:
    void SetUp() override
    {
        QueuePairStates::SetUp();
        Establish();
        m_server.pair->TraceConnectWithoutContext(
            "AsyncEvent",
            Callback<void, AsyncEventType, uint32_t>([this](AsyncEventType, uint32_t) {
                EXPECT_TRUE(m_server.device->Destroy(m_server.pair));
            }));
    }
};

TEST_F(DestroyFromEvents, OfARefusedWrite)
{
    PostSend(m_client, Write(1, Keep(m_client.Fill(Pattern(100))), 0x12345678, 0));
    Run();
    EXPECT_EQ(m_server.device->GetCensus().queuePairs, 0U);
    EXPECT_EQ(m_client.EventTypes(), WHOLE_LIFE);
    EXPECT_EQ(m_server.EventTypes(), WHOLE_LIFE);
    EXPECT_EQ(m_client.pair->GetState(), State::ERROR);
}

TEST_F(DestroyFromEvents, OfALocalFault)
{
    SendWorkRequest request = Send(1, Keep(m_server.Fill(Pattern(10))));
    request.elements[0].lkey = 0x00ff0001;
    PostSend(m_server, request);
    Run();
    EXPECT_EQ(m_server.device->GetCensus().queuePairs, 0U);
    EXPECT_EQ(m_client.EventTypes(), WHOLE_LIFE);
}

TEST_F(DestroyFromEvents, OfATerminateReceived)
{
    ASSERT_TRUE(m_client.pair->Modify(State::TERMINATE));
    Run();
    EXPECT_EQ(m_server.device->GetCensus().queuePairs, 0U);
    EXPECT_EQ(m_client.EventTypes(), WHOLE_LIFE);
    EXPECT_EQ(m_server.EventTypes(), WHOLE_LIFE);
}

TEST_F(DestroyFromEvents, OfADisconnect)
{
    ASSERT_TRUE(m_server.pair->Modify(State::CLOSING));
    Run();
    EXPECT_EQ(m_server.device->GetCensus().queuePairs, 0U);
    EXPECT_EQ(m_client.EventTypes(), WHOLE_LIFE);
    EXPECT_EQ(m_server.EventTypes(), WHOLE_LIFE);
}

} // namespace ns3::nfsrdma
