/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/identifiers.h"
#include "nfs/v4/server/state-table.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>

namespace ns3::nfsrdma::test
{
namespace
{

constexpr uint64_t TO_END = std::numeric_limits<uint64_t>::max();

// ---- byte-range locks ----

TEST(Nfs4LockRange, OfOffsetAndLength)
{
    EXPECT_FALSE(Nfs4LockRange::Make(5, 0));
    EXPECT_FALSE(Nfs4LockRange::Make(TO_END, 2));
    const auto range = Nfs4LockRange::Make(5, TO_END);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->last, TO_END);
    EXPECT_EQ(range->GetLength(), TO_END);
}

TEST(Nfs4ByteRangeLocks, EqualAModelOfOctets)
{
    constexpr uint64_t OCTETS = 24;
    constexpr uint64_t OWNERS = 3;
    std::mt19937_64 random(11);
    Nfs4ByteRangeLocks locks;
    std::vector<std::vector<int>> model(OWNERS, std::vector<int>(OCTETS, 0));
    for (int step = 0; step < 5000; ++step)
    {
        const uint64_t owner = random() % OWNERS;
        const uint64_t first = random() % OCTETS;
        const uint64_t last = first + random() % (OCTETS - first);
        const bool write = random() % 2 == 0;
        const Nfs4ByteRangeLocks::Lock wanted{owner, write, {first, last}};
        if (random() % 3 == 0)
        {
            locks.Unlock(owner, wanted.range);
            std::fill(model[owner].begin() + first, model[owner].begin() + last + 1, 0);
        }
        else
        {
            bool conflict = false;
            for (uint64_t other = 0; other < OWNERS; ++other)
            {
                for (uint64_t i = first; other != owner && i <= last; ++i)
                {
                    conflict = conflict || model[other][i] == 2 || (write && model[other][i] == 1);
                }
            }
            ASSERT_EQ(locks.Test(wanted).has_value(), conflict);
            if (!conflict)
            {
                locks.Set(wanted);
                std::fill(model[owner].begin() + first,
                          model[owner].begin() + last + 1,
                          write ? 2 : 1);
            }
        }
        std::vector<std::vector<int>> held(OWNERS, std::vector<int>(OCTETS, 0));
        for (const auto& lock : locks.GetLocks())
        {
            for (uint64_t i = lock.range.first; i <= lock.range.last; ++i)
            {
                ASSERT_EQ(held[lock.owner][i], 0);
                held[lock.owner][i] = lock.write ? 2 : 1;
            }
        }
        ASSERT_EQ(held, model);
    }
}

// ---- opens, locks, delegations ----

class Nfs4States : public testing::Test
{
  protected:
    static constexpr Nfs4ClientId A = 1;
    static constexpr Nfs4ClientId B = 2;

    Nfs4StatePtr Open(Nfs4ClientId client, uint32_t access, uint32_t deny = 0)
    {
        auto owner = m_states.FindOwner(client, {1}, false);
        if (!owner)
        {
            owner = m_states.MakeOwner(client, {1}, false);
        }
        const auto open = m_states.Open(owner, m_file, access, deny);
        EXPECT_TRUE(open);
        return open.value_or(nullptr);
    }

    const Nfs4FileKey m_file{12, 1};
    Nfs4StateTable m_states;
};

TEST_F(Nfs4States, StateIdSeqids)
{
    const Nfs4StatePtr open = Open(A, SHARE_READ);
    Nfs4StateId id = open->id;
    EXPECT_EQ(id.seqid, 1U);
    Open(A, SHARE_WRITE);
    const Nfs4StateUse plain;
    Nfs4StateUse sessions;
    sessions.sessions = true;
    EXPECT_EQ(m_states.Find(id, plain).error(), Nfs4Status::OLD_STATEID);
    id.seqid = 3;
    EXPECT_EQ(m_states.Find(id, plain).error(), Nfs4Status::BAD_STATEID);
    id.seqid = 0;
    EXPECT_EQ(m_states.Find(id, plain).error(), Nfs4Status::OLD_STATEID);
    EXPECT_TRUE(m_states.Find(id, sessions));
    id.other[11] = 9;
    EXPECT_EQ(m_states.Find(id, sessions).error(), Nfs4Status::BAD_STATEID);
}

TEST_F(Nfs4States, ShareReservations)
{
    Open(A, SHARE_READ, SHARE_WRITE);
    const auto other = m_states.MakeOwner(B, {1}, false);
    EXPECT_EQ(m_states.Open(other, m_file, SHARE_WRITE, 0).error(), Nfs4Status::SHARE_DENIED);
    EXPECT_EQ(m_states.Open(other, m_file, SHARE_READ, SHARE_READ).error(),
              Nfs4Status::SHARE_DENIED);
    EXPECT_TRUE(m_states.Open(other, m_file, SHARE_READ, 0));
    EXPECT_TRUE(m_states.IsDenied(m_file, SHARE_WRITE));
    EXPECT_FALSE(m_states.IsDenied(m_file, SHARE_READ));
}

TEST_F(Nfs4States, Downgrade)
{
    const Nfs4StatePtr open = Open(A, SHARE_READ);
    EXPECT_EQ(Nfs4StateTable::Downgrade(*open, SHARE_WRITE, 0), Nfs4Status::INVAL);
    Open(A, SHARE_BOTH);
    EXPECT_EQ(open->GetAccess(), SHARE_BOTH);
    EXPECT_EQ(Nfs4StateTable::Downgrade(*open, SHARE_READ, 0), Nfs4Status::OK);
    EXPECT_EQ(open->GetAccess(), SHARE_READ);
    EXPECT_EQ(open->id.seqid, 3U);
}

TEST_F(Nfs4States, CloseTakesLocksAlong)
{
    const Nfs4StatePtr open = Open(A, SHARE_BOTH);
    const auto owner = m_states.MakeOwner(A, {9}, true);
    const Nfs4StatePtr lock = m_states.TakeLockState(owner, open);
    m_states.GetLocks(m_file).Set({owner->number, true, {0, 9}});
    EXPECT_TRUE(m_states.HasLocks(*lock));
    EXPECT_TRUE(m_states.TestLock(m_file, {99, false, {5, 5}}));
    m_states.Close(open);
    EXPECT_FALSE(m_states.TestLock(m_file, {99, false, {5, 5}}));
    EXPECT_EQ(m_states.GetCount(), 0U);
}

TEST_F(Nfs4States, Delegations)
{
    const Nfs4Fh handle;
    EXPECT_EQ(m_states.Delegate(A, m_file, handle, Seconds(0)), nullptr);
    Open(A, SHARE_WRITE);
    EXPECT_EQ(m_states.Delegate(A, m_file, handle, Seconds(0)), nullptr);
    Open(A, SHARE_READ);
    const Nfs4StatePtr mine = m_states.Delegate(A, m_file, handle, Seconds(0));
    ASSERT_NE(mine, nullptr);
    EXPECT_EQ(m_states.Delegate(A, m_file, handle, Seconds(0)), nullptr);
    Open(B, SHARE_READ);
    EXPECT_EQ(m_states.Delegate(B, m_file, handle, Seconds(0)), nullptr) << "A may write";
    EXPECT_EQ(m_states.GetDelegations(m_file, A).size(), 0U);
    ASSERT_EQ(m_states.GetDelegations(m_file, B).size(), 1U);
    EXPECT_TRUE(m_states.Recall(mine, Seconds(5)));
    EXPECT_FALSE(m_states.Recall(mine, Seconds(6)));
    m_states.ReturnDelegation(mine);
    m_states.DropClient(A);
    EXPECT_EQ(m_states.Delegate(B, m_file, handle, Seconds(5)), nullptr) << "had a conflict";
}

TEST_F(Nfs4States, DelegationsAreBlockedForAWhile)
{
    const Nfs4Fh handle;
    Open(A, SHARE_READ);
    const Nfs4StatePtr first = m_states.Delegate(A, m_file, handle, Seconds(0));
    ASSERT_NE(first, nullptr);
    m_states.Recall(first, Seconds(10));
    m_states.DropClient(A);
    Open(A, SHARE_READ);
    EXPECT_EQ(m_states.Delegate(A, m_file, handle, Seconds(59)), nullptr);
    EXPECT_NE(m_states.Delegate(A, m_file, handle, Seconds(61)), nullptr);
}

TEST_F(Nfs4States, RevokedStateIds)
{
    Open(A, SHARE_READ);
    const Nfs4StatePtr delegation = m_states.Delegate(A, m_file, {}, Seconds(0));
    ASSERT_NE(delegation, nullptr);
    m_states.Revoke(delegation, true);
    EXPECT_TRUE(m_states.HasRevoked(A));
    Nfs4StateUse use;
    EXPECT_EQ(m_states.Find(delegation->id, use).error(), Nfs4Status::BAD_STATEID);
    use.sessions = true;
    EXPECT_EQ(m_states.Find(delegation->id, use).error(), Nfs4Status::DELEG_REVOKED);
    use.allowRevoked = true;
    ASSERT_TRUE(m_states.Find(delegation->id, use));
    m_states.Free(delegation);
    EXPECT_FALSE(m_states.HasRevoked(A));
}

TEST(Nfs4OwnerOrder, Seqids)
{
    Nfs4Owner owner;
    owner.nextSeqid = 5;
    EXPECT_EQ(owner.Check(5), Nfs4Owner::Order::NEXT);
    EXPECT_EQ(owner.Check(4), Nfs4Owner::Order::REPLAY);
    EXPECT_EQ(owner.Check(7), Nfs4Owner::Order::BAD);
    owner.Finish(Nfs4Status::BAD_STATEID, {});
    EXPECT_EQ(owner.nextSeqid, 5U);
    Nfs4Owner::Reply reply;
    reply.results = {1};
    owner.Finish(Nfs4Status::DENIED, reply);
    EXPECT_EQ(owner.nextSeqid, 6U);
    EXPECT_EQ(owner.lastReply.results.size(), 1U);
}

} // namespace
} // namespace ns3::nfsrdma::test
