/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/channel-bounds.h"
#include "nfs/v4/server/identifiers.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{
namespace
{

// ---- identifiers ----

TEST(Nfs4ServerId, AreLaidOutAsInTheCaptures)
{
    const Nfs4ClientId client = MakeNfs4ClientId(0x6b010ee9, 0x351d31f5);
    EXPECT_EQ(client, 0xe90e016bf5311d35U);
    EXPECT_EQ(GetNfs4Boot(client), 0x6b010ee9U);
    const Nfs4SessionId session = MakeNfs4SessionId(client, 2);
    const Nfs4SessionId expected{0xe9, 0x0e, 0x01, 0x6b, 0xf5, 0x31, 0x1d, 0x35, 2};
    EXPECT_EQ(session, expected);
    EXPECT_EQ(GetNfs4SessionNumber(session), 2U);
    const Nfs4StateId state = MakeNfs4StateId(client, 0x24);
    EXPECT_EQ(GetNfs4Client(state), client);
    EXPECT_EQ(GetNfs4StateNumber(state), 0x24U);
}

// ---- slots ----

class Nfs4Slots : public testing::Test
{
  protected:
    static Nfs4SlotTable::Request Make(uint32_t sequence, bool cache = false, uint32_t ops = 3)
    {
        return {0, sequence, cache, ops, {}};
    }

    void Carry(const Nfs4SlotTable::Request& request,
               Nfs4Status status = Nfs4Status::OK,
               uint32_t results = 3)
    {
        const auto verdict = m_slots.Check(request);
        ASSERT_EQ(verdict.status, Nfs4Status::OK);
        ASSERT_EQ(verdict.replay, nullptr);
        m_slots.Begin(request);
        RpcPayload payload;
        payload.octets = {1, 2, 3, 4};
        m_slots.End(request.slot, status, results, payload);
    }

    Nfs4SlotTable m_slots{2};
};

TEST_F(Nfs4Slots, CountUp)
{
    Carry(Make(1));
    Carry(Make(2));
    EXPECT_EQ(m_slots.Check(Make(4)).status, Nfs4Status::SEQ_MISORDERED);
    EXPECT_EQ(m_slots.Check(Make(1)).status, Nfs4Status::SEQ_MISORDERED);
}

/// Five slots that may become eight.
class Nfs4GrowingSlots : public testing::Test
{
  protected:
    /// A request in \p slot of a client that uses none above \p highest.
    void Carry(uint32_t slot, uint32_t sequence, uint32_t highest)
    {
        const Nfs4SlotTable::Request request{slot, sequence, false, 3, {}};
        const auto verdict = m_slots.Check(request);
        ASSERT_EQ(verdict.status, Nfs4Status::OK) << "slot " << slot;
        ASSERT_EQ(verdict.replay, nullptr) << "slot " << slot;
        m_slots.Acknowledge(slot, highest);
        m_slots.Begin(request);
        m_slots.Grow(slot);
        m_slots.End(slot, Nfs4Status::OK, 3, RpcPayload());
    }

    Nfs4SlotTable m_slots{5, 8};
};

TEST_F(Nfs4GrowingSlots, AreReducedToOneAndNoneToNone)
{
    EXPECT_EQ(m_slots.Reduce(100), 4U);
    EXPECT_EQ(m_slots.GetTarget(), 1U);
    EXPECT_EQ(m_slots.Reduce(1), 0U);
    Nfs4SlotTable none(0);
    EXPECT_EQ(none.Reduce(1), 0U);
    EXPECT_EQ(none.GetTarget(), 0U);
}

TEST_F(Nfs4GrowingSlots, GrowByAFifthWhenTheLastOneIsUsed)
{
    Carry(3, 1, 3);
    EXPECT_EQ(m_slots.GetCount(), 5U);
    Carry(4, 1, 4);
    EXPECT_EQ(m_slots.GetCount(), 6U);
    Carry(5, 1, 5);
    EXPECT_EQ(m_slots.GetCount(), 8U) << "6 and a fifth, rounded up";
    Carry(7, 1, 7);
    EXPECT_EQ(m_slots.GetCount(), 8U) << "the ceiling";
    EXPECT_EQ(m_slots.GetTarget(), 8U);
}

TEST_F(Nfs4GrowingSlots, WithoutACeilingTheyStayAsTheyAre)
{
    m_slots = Nfs4SlotTable(5);
    Carry(4, 1, 4);
    EXPECT_EQ(m_slots.GetCount(), 5U);
}

TEST_F(Nfs4GrowingSlots, GoWhenAClientThatKnowsTheTargetUsesNoMore)
{
    Carry(0, 1, 4);
    EXPECT_EQ(m_slots.Reduce(2), 2U);
    EXPECT_EQ(m_slots.GetTarget(), 3U);
    Carry(0, 2, 2);
    EXPECT_EQ(m_slots.GetCount(), 5U) << "the client had not been told";
    Carry(4, 1, 4);
    EXPECT_EQ(m_slots.GetCount(), 5U) << "the last slot is used, but slots are being taken away";
    Carry(0, 3, 4);
    EXPECT_EQ(m_slots.GetCount(), 5U) << "the client still uses more";
    Carry(0, 4, 2);
    EXPECT_EQ(m_slots.GetCount(), 3U);
    EXPECT_EQ(m_slots.Check({3, 1, false, 3, {}}).status, Nfs4Status::BADSLOT);
}

TEST_F(Nfs4GrowingSlots, OneIsNeverTakenAway)
{
    EXPECT_EQ(m_slots.Reduce(100), 4U);
    EXPECT_EQ(m_slots.GetTarget(), 1U);
    EXPECT_EQ(m_slots.Reduce(1), 0U);
}

TEST_F(Nfs4GrowingSlots, OneThatIsUnderWayStays)
{
    const Nfs4SlotTable::Request late{3, 1, false, 3, {}};
    Carry(0, 1, 0);
    m_slots.Begin(late);
    m_slots.Reduce(3);
    Carry(0, 2, 0);
    Carry(0, 3, 0);
    EXPECT_EQ(m_slots.GetCount(), 4U);
    m_slots.End(3, Nfs4Status::OK, 3, RpcPayload());
    Carry(0, 4, 0);
    EXPECT_EQ(m_slots.GetCount(), 2U);
}

/// The client may have forgotten the slot, or count on.
TEST_F(Nfs4GrowingSlots, OneThatComesAgainTakesItsNextNumberOrOne)
{
    for (uint32_t sequence = 1; sequence <= 3; ++sequence)
    {
        Carry(3, sequence, 3);
    }
    Carry(0, 1, 3);
    m_slots.Reduce(2);
    Carry(0, 2, 2);
    Carry(0, 3, 2);
    ASSERT_EQ(m_slots.GetCount(), 3U);
    Carry(2, 1, 2);
    ASSERT_EQ(m_slots.GetCount(), 4U);
    EXPECT_EQ(m_slots.Check({3, 4, false, 3, {}}).status, Nfs4Status::OK);
    EXPECT_EQ(m_slots.Check({3, 2, false, 3, {}}).status, Nfs4Status::SEQ_MISORDERED);
    Carry(3, 1, 3);
    EXPECT_EQ(m_slots.Check({3, 4, false, 3, {}}).status, Nfs4Status::SEQ_MISORDERED)
        << "it counts from 1 now";
}

TEST_F(Nfs4Slots, WrapAround)
{
    Nfs4SlotTable::Request request = Make(1);
    bool replay = false;
    EXPECT_EQ(Nfs4SlotTable::CheckSequence(0, 0xffffffff, false, replay), Nfs4Status::OK);
    EXPECT_FALSE(replay);
    request.slot = 2;
    EXPECT_EQ(m_slots.Check(request).status, Nfs4Status::BADSLOT);
}

TEST_F(Nfs4Slots, FirstSequenceIsOne)
{
    EXPECT_EQ(m_slots.Check(Make(0)).status, Nfs4Status::SEQ_MISORDERED);
}

TEST_F(Nfs4Slots, UnderWay)
{
    m_slots.Begin(Make(1));
    EXPECT_EQ(m_slots.GetInUse(), 1U);
    EXPECT_EQ(m_slots.Check(Make(1)).status, Nfs4Status::DELAY);
    EXPECT_EQ(m_slots.Check(Make(2)).status, Nfs4Status::SEQ_MISORDERED);
}

TEST_F(Nfs4Slots, ReplayOfKeptReply)
{
    Carry(Make(1, true));
    const auto verdict = m_slots.Check(Make(1, true));
    ASSERT_NE(verdict.replay, nullptr);
    EXPECT_TRUE(verdict.replay->kept);
    EXPECT_EQ(verdict.replay->results.octets.size(), 4U);
}

TEST_F(Nfs4Slots, ReplayThatWasNotKept)
{
    Carry(Make(1));
    const auto verdict = m_slots.Check(Make(1));
    ASSERT_NE(verdict.replay, nullptr);
    EXPECT_FALSE(verdict.replay->kept);
    EXPECT_TRUE(verdict.replay->results.octets.empty());
}

TEST_F(Nfs4Slots, SoloSequenceIsAlwaysKept)
{
    Carry(Make(1, false, 1), Nfs4Status::OK, 1);
    const auto verdict = m_slots.Check(Make(1, false, 1));
    ASSERT_NE(verdict.replay, nullptr);
    EXPECT_TRUE(verdict.replay->kept);
}

TEST_F(Nfs4Slots, FalseRetries)
{
    Carry(Make(1, true));
    EXPECT_EQ(m_slots.Check(Make(1, false)).status, Nfs4Status::SEQ_FALSE_RETRY);
    EXPECT_EQ(m_slots.Check(Make(1, true, 2)).status, Nfs4Status::SEQ_FALSE_RETRY);
    EXPECT_EQ(m_slots.Check(Make(1, true, 4)).status, Nfs4Status::SEQ_FALSE_RETRY);
    Nfs4SlotTable::Request other = Make(1, true);
    other.principal.who.uid = 7;
    EXPECT_EQ(m_slots.Check(other).status, Nfs4Status::SEQ_FALSE_RETRY);
}

TEST_F(Nfs4Slots, ErrorMayHaveFewerResults)
{
    Carry(Make(1, true), Nfs4Status::NOENT, 2);
    EXPECT_NE(m_slots.Check(Make(1, true)).replay, nullptr);
}

// ---- sessions ----

TEST(Nfs4SessionLimits, AreTheCaptured)
{
    ChannelAttrs4 fore{7, 1049620, 1049480, 7584, 8, 64, {}};
    ASSERT_EQ(Nfs4SessionLimits().Bound(fore), Nfs4Status::OK);
    EXPECT_EQ(fore.headerPadSize, 0U);
    EXPECT_EQ(fore.maxRequestSize, 266240U);
    EXPECT_EQ(fore.maxResponseSize, 266240U);
    EXPECT_EQ(fore.maxResponseSizeCached, 2128U);
    EXPECT_EQ(fore.maxOperations, 8U);
    EXPECT_EQ(fore.maxRequests, 30U);
}

TEST(Nfs4SessionLimits, RefuseTooSmall)
{
    ChannelAttrs4 fore{0, 40, 4096, 0, 8, 64, {}};
    EXPECT_EQ(Nfs4SessionLimits().Bound(fore), Nfs4Status::TOOSMALL);
    ChannelAttrs4 back{0, 4096, 4096, 0, 1, 1, {}};
    EXPECT_EQ(Nfs4SessionLimits::BoundBack(back), Nfs4Status::TOOSMALL);
    ChannelAttrs4 bounded{0, 4068, 4000, 0, 2, 16, {}};
    EXPECT_EQ(Nfs4SessionLimits::BoundBack(bounded, 996), Nfs4Status::OK);
    EXPECT_EQ(bounded.maxRequestSize, 996U);
    EXPECT_EQ(bounded.maxResponseSize, 996U);
}

TEST(Nfs4Sessions, AreFoundByTheWholeIdentifier)
{
    Nfs4SessionTable sessions;
    const Nfs4SessionId first = sessions.Create(5, 1, {}, {}).id;
    Nfs4SessionId wrong = first;
    wrong[0] ^= 1;
    EXPECT_NE(sessions.Find(first), nullptr);
    EXPECT_EQ(sessions.Find(wrong), nullptr);
    EXPECT_TRUE(sessions.HasAny(5));
    sessions.DestroyOf(5);
    EXPECT_EQ(sessions.Find(first), nullptr);
    EXPECT_NE(sessions.Create(5, 1, {}, {}).id, first);
}

} // namespace
} // namespace ns3::nfsrdma::test
