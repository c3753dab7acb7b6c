/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/session-slots.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace ns3::nfsrdma
{

class Nfs4ClientSlots : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_table.Reset(4);
    }

    Nfs4SlotUse Take()
    {
        const auto use = m_table.Allocate();
        EXPECT_TRUE(use);
        return use.value_or(Nfs4SlotUse());
    }

    static Nfs4SlotReply Ok(uint32_t target = 3)
    {
        return {Nfs4Status::OK, target, target};
    }

    /// One call in the lowest slot that ends with \p reply.
    Nfs4SlotVerdict Call(const Nfs4SlotReply& reply)
    {
        const uint32_t slot = Take().slot;
        const auto verdict = m_table.Finish(slot, reply, false);
        m_table.Release(slot);
        return verdict;
    }

    Nfs4ClientSlotTable m_table;
};

TEST_F(Nfs4ClientSlots, LowestFreeSlotIsUsedAndTheHighestInUseIsTold)
{
    EXPECT_EQ(Take().slot, 0U);
    const auto second = Take();
    EXPECT_EQ(second.slot, 1U);
    EXPECT_EQ(second.highestUsed, 1U);
    EXPECT_EQ(Take().slot, 2U);
    m_table.Release(1);
    const auto again = Take();
    EXPECT_EQ(again.slot, 1U);
    EXPECT_EQ(again.highestUsed, 2U);
    EXPECT_EQ(m_table.GetUsed(), 3U);
    EXPECT_EQ(Take().slot, 3U);
    EXPECT_FALSE(m_table.Allocate());
}

TEST_F(Nfs4ClientSlots, SequenceNumberCountsUpWithEachCall)
{
    for (uint32_t i = 1; i < 5; ++i)
    {
        const auto use = Take();
        EXPECT_EQ(use.slot, 0U);
        EXPECT_EQ(use.sequence, i);
        EXPECT_EQ(m_table.Finish(0, Ok(), false), Nfs4SlotVerdict::DONE);
        m_table.Release(0);
    }
}

TEST_F(Nfs4ClientSlots, SlotNotSentKeepsItsNumber)
{
    Take();
    m_table.Release(0);
    EXPECT_EQ(Take().sequence, 1U);
}

TEST_F(Nfs4ClientSlots, InterruptedCallThatTheServerSawCostsANumber)
{
    EXPECT_EQ(Call(Ok()), Nfs4SlotVerdict::DONE);
    EXPECT_EQ(Call({}), Nfs4SlotVerdict::DONE);
    const auto use = Take();
    EXPECT_EQ(use.sequence, 3U);
    EXPECT_EQ(m_table.Finish(0, Ok(), false), Nfs4SlotVerdict::DONE);
}

TEST_F(Nfs4ClientSlots, InterruptedCallThatTheServerDidNotSeeIsFoundByAProbe)
{
    Call(Ok());
    Call({});
    EXPECT_EQ(Take().sequence, 3U);
    ASSERT_EQ(m_table.Finish(0, {Nfs4Status::SEQ_MISORDERED, 0, 0}, false), Nfs4SlotVerdict::PROBE);
    EXPECT_EQ(m_table.Reuse(0).sequence, 2U);
    EXPECT_EQ(m_table.Finish(0, Ok(), true), Nfs4SlotVerdict::DONE);
    m_table.Release(0);
    EXPECT_EQ(Take().sequence, 3U);
}

TEST_F(Nfs4ClientSlots, ProbeGoesDownToTheLastNumberAcknowledged)
{
    Call(Ok());
    Call({});
    Call({});
    Call({});
    EXPECT_EQ(Take().sequence, 5U);
    const Nfs4SlotReply misordered{Nfs4Status::SEQ_MISORDERED, 0, 0};
    EXPECT_EQ(m_table.Finish(0, misordered, false), Nfs4SlotVerdict::PROBE);
    EXPECT_EQ(m_table.Finish(0, misordered, true), Nfs4SlotVerdict::PROBE);
    EXPECT_EQ(m_table.Finish(0, misordered, true), Nfs4SlotVerdict::PROBE);
    EXPECT_EQ(m_table.Reuse(0).sequence, 2U);
    EXPECT_EQ(m_table.Finish(0, Ok(), true), Nfs4SlotVerdict::DONE);
    m_table.Release(0);
    EXPECT_EQ(Take().sequence, 3U);
}

TEST_F(Nfs4ClientSlots, ProbeThatIsTakenForAReplayRecoversTheSlot)
{
    Call(Ok());
    Call({});
    Take();
    EXPECT_EQ(m_table.Finish(0, {Nfs4Status::SEQ_MISORDERED, 0, 0}, false), Nfs4SlotVerdict::PROBE);
    EXPECT_EQ(m_table.Finish(0, {Nfs4Status::SEQ_FALSE_RETRY, 0, 0}, true), Nfs4SlotVerdict::DONE);
    m_table.Release(0);
    EXPECT_EQ(Take().sequence, 3U);
}

TEST_F(Nfs4ClientSlots, SlotThatAProbeCannotRecoverIsLost)
{
    Call(Ok());
    Call({});
    Take();
    const Nfs4SlotReply misordered{Nfs4Status::SEQ_MISORDERED, 0, 0};
    EXPECT_EQ(m_table.Finish(0, misordered, false), Nfs4SlotVerdict::PROBE);
    EXPECT_EQ(m_table.Finish(0, misordered, true), Nfs4SlotVerdict::LOST);
    m_table.Release(0);
    EXPECT_EQ(m_table.GetLost(), 1U);
    EXPECT_EQ(Take().slot, 1U);
    m_table.Release(1);
    m_table.Reset(4);
    EXPECT_EQ(m_table.GetLost(), 0U);
    EXPECT_EQ(Take().slot, 0U);
}

TEST_F(Nfs4ClientSlots, FalseRetryMakesTheCallAgainWithTheNextNumber)
{
    Take();
    EXPECT_EQ(m_table.Finish(0, {Nfs4Status::SEQ_FALSE_RETRY, 0, 0}, false),
              Nfs4SlotVerdict::RETRY);
    m_table.Release(0);
    EXPECT_EQ(Take().sequence, 2U);
}

TEST_F(Nfs4ClientSlots, CallStillUnderWayAtTheServerIsMadeAgainLaterInItsSlot)
{
    Take();
    EXPECT_EQ(m_table.Finish(0, {Nfs4Status::DELAY, 0, 0}, false), Nfs4SlotVerdict::RETRY_LATER);
    EXPECT_EQ(m_table.Reuse(0).sequence, 1U);
    Take();
    EXPECT_EQ(m_table.Finish(1, {Nfs4Status::SEQ_MISORDERED, 0, 0}, false),
              Nfs4SlotVerdict::RETRY_LATER);
}

TEST_F(Nfs4ClientSlots, ErrorsOfTheSessionAskForRecovery)
{
    for (const auto status : {Nfs4Status::BADSESSION,
                              Nfs4Status::DEADSESSION,
                              Nfs4Status::CONN_NOT_BOUND_TO_SESSION,
                              Nfs4Status::BADSLOT})
    {
        EXPECT_EQ(Call({status, 0, 0}), Nfs4SlotVerdict::RECOVER) << ToString(status);
    }
    EXPECT_EQ(Call({Nfs4Status::TOO_MANY_OPS, 0, 0}), Nfs4SlotVerdict::DONE);
}

TEST_F(Nfs4ClientSlots, LimitFollowsTheServersTarget)
{
    Call(Ok(7));
    EXPECT_EQ(m_table.GetLimit(), 8U);
    for (uint32_t i = 0; i < 8; ++i)
    {
        EXPECT_EQ(Take().slot, i);
    }
    EXPECT_FALSE(m_table.Allocate());
    EXPECT_EQ(m_table.Finish(7, Ok(1), false), Nfs4SlotVerdict::DONE);
    EXPECT_EQ(m_table.GetLimit(), 2U);
}

TEST_F(Nfs4ClientSlots, ServerIsToldWhenTheLastSlotAboveItsTargetIsFree)
{
    Take();
    Take();
    Take();
    m_table.Finish(2, Ok(0), false);
    EXPECT_FALSE(m_table.Release(0));
    EXPECT_FALSE(m_table.Release(1));
    EXPECT_TRUE(m_table.Release(2));
    EXPECT_EQ(Take().highestUsed, 0U);
}

TEST_F(Nfs4ClientSlots, SlotsGivenUpStartAnew)
{
    m_table.Reset(4);
    for (uint32_t i = 0; i < 4; ++i)
    {
        Take();
    }
    for (uint32_t i = 0; i < 4; ++i)
    {
        m_table.Finish(i, Ok(), false);
        m_table.Release(i);
    }
    Call(Ok(0)); // a new target: this call's slot is of the old one
    Call(Ok(0));
    Call(Ok(3));
    Take();
    const auto use = Take();
    EXPECT_EQ(use.slot, 1U);
    EXPECT_EQ(use.sequence, 1U);
}

/// A server that executes a call when its number is the next one, against random interruptions: it
/// never executes a number twice, and no slot is lost.
TEST_F(Nfs4ClientSlots, RandomInterruptionsKeepBothSidesInStep)
{
    std::mt19937_64 random(20230517);
    m_table.Reset(8);
    std::map<uint32_t, uint32_t> server; // last number executed
    const auto ask = [&](uint32_t slot, bool probe) {
        const uint32_t sequence = m_table.Reuse(slot).sequence;
        Nfs4SlotReply reply{Nfs4Status::SEQ_MISORDERED, 7, 7};
        if (sequence == server[slot] + 1)
        {
            server[slot] = sequence;
            reply.status = Nfs4Status::OK;
        }
        else if (sequence == server[slot])
        {
            reply.status = Nfs4Status::SEQ_FALSE_RETRY;
        }
        return m_table.Finish(slot, reply, probe);
    };
    uint32_t done = 0;
    for (uint32_t i = 0; i < 20000; ++i)
    {
        const uint32_t slot = Take().slot;
        const auto what = random() % 10;
        if (what == 0)
        {
            m_table.Finish(slot, {}, false); // neither side saw the other
        }
        else if (what == 1)
        {
            if (m_table.Reuse(slot).sequence == server[slot] + 1)
            {
                ++server[slot]; // the reply was lost
            }
            m_table.Finish(slot, {}, false);
        }
        else
        {
            auto verdict = ask(slot, false);
            while (verdict == Nfs4SlotVerdict::PROBE)
            {
                verdict = ask(slot, true);
            }
            done += verdict == Nfs4SlotVerdict::DONE ? 1 : 0;
        }
        m_table.Release(slot);
    }
    EXPECT_EQ(m_table.GetLost(), 0U);
    EXPECT_EQ(m_table.GetUsed(), 0U);
    EXPECT_GT(done, 15000U);
}

} // namespace ns3::nfsrdma
