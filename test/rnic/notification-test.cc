/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/interrupt-moderator.h"
#include "rnic/rnic-fixture.h"

#include "ns3/simulator.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using Action = InterruptModerator::Action;

TEST(InterruptModeratorTest, TellsOnceAfterArming)
{
    InterruptModerator moderator;
    EXPECT_EQ(moderator.Write(true), Action::NONE);
    moderator.Arm(NotifyKind::NEXT);
    EXPECT_EQ(moderator.Write(false), Action::INTERRUPT);
    EXPECT_EQ(moderator.Write(false), Action::NONE);
}

TEST(InterruptModeratorTest, WaitsForASolicitedEntryOnly)
{
    InterruptModerator moderator;
    moderator.Arm(NotifyKind::SOLICITED);
    EXPECT_EQ(moderator.Write(false), Action::NONE);
    EXPECT_EQ(moderator.Write(true), Action::INTERRUPT);
}

TEST(InterruptModeratorTest, NextStandsOverSolicited)
{
    InterruptModerator moderator;
    moderator.Arm(NotifyKind::SOLICITED);
    moderator.Arm(NotifyKind::NEXT);
    moderator.Arm(NotifyKind::SOLICITED);
    EXPECT_EQ(moderator.Write(false), Action::INTERRUPT);
}

TEST(InterruptModeratorTest, HoldsEntriesOfTheArmedKindBack)
{
    InterruptModerator moderator;
    moderator.SetModeration(3, MicroSeconds(8));
    moderator.Arm(NotifyKind::SOLICITED);
    EXPECT_EQ(moderator.Write(true), Action::START_TIMER);
    EXPECT_EQ(moderator.Write(false), Action::NONE);
    EXPECT_EQ(moderator.Write(true), Action::NONE);
    EXPECT_EQ(moderator.Write(true), Action::INTERRUPT);
    moderator.Arm(NotifyKind::NEXT);
    EXPECT_EQ(moderator.Write(false), Action::START_TIMER);
    moderator.Expire();
    EXPECT_EQ(moderator.Write(false), Action::NONE);
}

/// Counts the calls of the handler of the server's receives, which polls nothing by itself.
class ServerNotifications : public RnicTest
{
  protected:
    static constexpr int RECEIVES = 16;

    void SetUp() override
    {
        RnicTest::SetUp();
        Connect();
        OpenResponder();
        m_queue = m_server.receiveCompletions;
        m_queue->SetNotifyCallback(Callback<void, Ptr<CompletionQueue>>(
            [this](const Ptr<CompletionQueue>&) { m_calls.push_back(Simulator::Now()); }));
        for (int i = 0; i < RECEIVES; i++)
        {
            ASSERT_TRUE(m_server.pair->PostReceive({}));
        }
        SendSome(1, false); // takes what the fixture has armed
        m_calls.clear();
    }

    /// \return how many events it takes.
    uint64_t SendSome(int count, bool solicited)
    {
        const uint64_t before = Simulator::GetEventCount();
        SendWorkRequest request;
        request.solicited = solicited;
        EXPECT_TRUE(m_client.pair->PostSend(std::vector<SendWorkRequest>(count, request)));
        Run();
        return Simulator::GetEventCount() - before;
    }

    void WatchEntries()
    {
        m_queue->TraceConnectWithoutContext(
            "Completion",
            Callback<void, const WorkCompletion&>(
                [this](const WorkCompletion&) { m_written.push_back(Simulator::Now()); }));
    }

    Time GetInterruptTime(bool sleeping) const
    {
        const HostCpu& cpu = *m_server.device->GetHostCpu();
        return m_server.device->GetSettings().interruptLatency + cpu.GetInterruptCost() +
               (sleeping ? cpu.GetWakeUp() : Time(0));
    }

    Ptr<CompletionQueue> m_queue;
    std::vector<Time> m_calls;
    std::vector<Time> m_written; ///< From WatchEntries() on.
};

class NotificationKinds : public ServerNotifications
{
  protected:
    void SetUp() override
    {
        ServerNotifications::SetUp();
        WatchEntries();
    }
};

TEST_F(NotificationKinds, ASolicitedSendIsSeenAtBothEnds)
{
    SendSome(1, true);
    SendSome(1, false);
    EXPECT_FALSE(m_queue->Poll()->solicited);
    EXPECT_TRUE(m_queue->Poll()->solicited);
    EXPECT_FALSE(m_queue->Poll()->solicited);
}

TEST_F(NotificationKinds, SolicitedIgnoresPlainSends)
{
    m_queue->RequestNotify(NotifyKind::SOLICITED);
    SendSome(2, false);
    EXPECT_TRUE(m_calls.empty());
    SendSome(1, true);
    ASSERT_EQ(m_calls.size(), 1U);
    EXPECT_EQ(m_calls[0], m_written[2] + GetInterruptTime(true));
}

TEST_F(NotificationKinds, AnErrorIsSolicited)
{
    m_queue->RequestNotify(NotifyKind::SOLICITED);
    m_server.pair->MoveToError();
    Run();
    EXPECT_EQ(m_calls.size(), 1U);
}

TEST_F(NotificationKinds, ModerationByCount)
{
    m_queue->SetModeration(3, MilliSeconds(1));
    m_queue->RequestNotify();
    SendSome(4, false);
    ASSERT_EQ(m_written.size(), 4U);
    ASSERT_EQ(m_calls.size(), 1U);
    EXPECT_EQ(m_calls[0], m_written[2] + GetInterruptTime(true));
}

TEST_F(NotificationKinds, ModerationByTime)
{
    m_queue->SetModeration(3, MicroSeconds(10));
    m_queue->RequestNotify();
    SendSome(2, false);
    ASSERT_EQ(m_written.size(), 2U);
    ASSERT_EQ(m_calls.size(), 1U);
    EXPECT_EQ(m_calls[0], m_written[0] + MicroSeconds(10) + GetInterruptTime(true));
}

/// The interrupt is taken meanwhile.
TEST_F(NotificationKinds, ABusyThreadIsNotWokenUpButHasOtherWork)
{
    const auto thread = Create<HostThread>();
    m_queue->SetThread(thread);
    m_queue->RequestNotify();
    const Time until = m_server.device->GetHostCpu()->Run(*thread, MilliSeconds(1));
    SendSome(1, false);
    ASSERT_EQ(m_calls.size(), 1U);
    EXPECT_EQ(m_calls[0], until);
}

TEST_F(NotificationKinds, APollingConsumerSeesItAtOnceOrWhenItsThreadIsFree)
{
    const auto thread = Create<HostThread>();
    const uint64_t interrupts = m_server.device->GetCounters().interrupts;
    m_queue->SetThread(thread);
    m_queue->SetPolling(true);
    m_queue->RequestNotify();
    SendSome(1, false);
    EXPECT_EQ(m_calls, m_written);
    m_queue->RequestNotify();
    const Time until = m_server.device->GetHostCpu()->Run(*thread, MilliSeconds(1));
    SendSome(1, false);
    ASSERT_EQ(m_calls.size(), 2U);
    EXPECT_EQ(m_calls[1], until);
    EXPECT_EQ(m_server.device->GetCounters().interrupts, interrupts);
}

TEST_F(NotificationKinds, EachPollCostsTheThreadTime)
{
    const auto thread = Create<HostThread>();
    m_queue->SetThread(thread);
    while (m_queue->Poll())
    {
    }
    EXPECT_EQ(thread->GetUsed(), m_server.device->GetHostCpu()->GetPollCost());
}

/// Nobody watches the trace source of entries, at first.
class UnwatchedCompletions : public ServerNotifications
{
  protected:
    /// \return after how long the handler is called.
    Time SendAndHearOfIt()
    {
        m_calls.clear();
        m_queue->RequestNotify();
        const Time before = Simulator::Now();
        SendSome(1, false);
        return m_calls.size() == 1 ? m_calls[0] - before : Time(0);
    }
};

TEST_F(UnwatchedCompletions, EntriesBeforeAnInterruptOnItsWayTakeNoEvent)
{
    constexpr int SENDS = 4;
    const auto send = [this] {
        m_queue->RequestNotify();
        return SendSome(SENDS, false);
    };
    const uint64_t unwatched = send();
    EXPECT_EQ(m_queue->GetCount(), 1U + SENDS);
    WatchEntries();
    EXPECT_EQ(send(), unwatched + SENDS);
    EXPECT_EQ(m_written.size(), SENDS);
    EXPECT_EQ(m_calls.size(), 2U);
}

TEST_F(UnwatchedCompletions, AnEntryIsThereWhenNothingIsLeftToHappen)
{
    SendSome(1, false);
    EXPECT_EQ(m_queue->GetCount(), 2U);
}

TEST_F(UnwatchedCompletions, TheHandlerIsCalledAtTheSameTimeAsWhenTheyAreWatched)
{
    const Time unwatched = SendAndHearOfIt();
    EXPECT_GT(unwatched, Time(0));
    WatchEntries();
    EXPECT_EQ(SendAndHearOfIt(), unwatched);
}

TEST_F(UnwatchedCompletions, AnEntryThatAppearsBeforeArmingRaisesNoInterrupt)
{
    SendSome(1, false);
    m_queue->RequestNotify();
    Run();
    EXPECT_TRUE(m_calls.empty());
    EXPECT_TRUE(m_queue->Poll());
}

TEST_F(UnwatchedCompletions, OfADestroyedPairAnEntryThatHasNotAppearedRaisesNoInterrupt)
{
    const Time appears = SendAndHearOfIt() - GetInterruptTime(true);
    m_calls.clear();
    m_queue->RequestNotify();
    EXPECT_TRUE(m_client.pair->PostSend(SendWorkRequest{}));
    Simulator::Stop(appears - NanoSeconds(1));
    Simulator::Run();
    const uint32_t count = m_queue->GetCount();
    EXPECT_TRUE(m_server.device->Destroy(m_server.pair));
    Run();
    EXPECT_TRUE(m_calls.empty());
    EXPECT_EQ(m_queue->GetCount(), count);
}

} // namespace ns3::nfsrdma
