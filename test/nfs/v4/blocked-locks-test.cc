/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/blocked-locks.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

namespace
{

/// Waiters for locks on files of a table of states, whose lock owners are numbers.
class Nfs4BlockedLocksTest : public testing::Test
{
  protected:
    static constexpr uint64_t HOLDER = 1;
    static constexpr uint64_t OTHER = 2;
    static constexpr uint64_t WAITER = 3;

    static Nfs4StateOwner MakeOwner(uint8_t name)
    {
        Nfs4StateOwner owner;
        owner.clientId = name;
        owner.owner = ByteVector{name};
        return owner;
    }

    /// \p name waits for octets 0 to 9 of \p file, which \p blocker has.
    void Wait(const Nfs4FileKey& file, uint8_t name, uint64_t blocker = HOLDER, Time since = {})
    {
        Nfs4BlockedLock lock;
        lock.file = file;
        lock.owner = MakeOwner(name);
        lock.wanted = {WAITER + name, true, {0, 9}};
        lock.blocker = blocker;
        lock.since = since;
        m_blocked.Add(std::move(lock));
    }

    /// \return the names of those who are told.
    std::vector<uint8_t> Check(Time now = {})
    {
        std::vector<uint8_t> told;
        m_blocked.Check(m_states, now, LIMIT, [&told](const Nfs4BlockedLock& lock) {
            told.push_back(static_cast<const ByteVector&>(lock.owner.owner).at(0));
        });
        return told;
    }

    const Time LIMIT{Seconds(90)};
    const Nfs4FileKey m_file{12, 1};
    const Nfs4FileKey m_otherFile{13, 1};
    Nfs4StateTable m_states;
    Nfs4BlockedLocks m_blocked;
};

using Told = std::vector<uint8_t>;

TEST_F(Nfs4BlockedLocksTest, IsToldOnceWhenTheLockInTheWayIsGone)
{
    m_states.GetLocks(m_file).Set({HOLDER, true, {5, 20}});
    Wait(m_file, 1);
    EXPECT_EQ(Check(), Told{});
    m_states.GetLocks(m_file).Unlock(HOLDER, {5, 8});
    EXPECT_EQ(Check(), Told{}) << "octet 9 is still locked";
    m_states.GetLocks(m_file).Unlock(HOLDER, {9, 9});
    EXPECT_EQ(Check(), Told{1});
    EXPECT_EQ(Check(), Told{});
    EXPECT_EQ(m_blocked.GetCount(), 0U);
}

TEST_F(Nfs4BlockedLocksTest, IsToldWhenAnotherOneIsInTheWayBecauseTheBlockerWentAway)
{
    m_states.GetLocks(m_file).Set({OTHER, true, {0, 9}});
    Wait(m_file, 1, HOLDER);
    EXPECT_EQ(Check(), Told{1});
}

TEST_F(Nfs4BlockedLocksTest, NobodyWaitsForLongerThanALease)
{
    m_states.GetLocks(m_file).Set({HOLDER, true, {0, 9}});
    Wait(m_file, 1, HOLDER, Seconds(0));
    Wait(m_file, 2, HOLDER, Seconds(1));
    m_states.GetLocks(m_file).UnlockAll(HOLDER);
    EXPECT_EQ(Check(LIMIT + Seconds(1)), Told{2});
    EXPECT_EQ(m_blocked.GetCount(), 0U);
}

TEST_F(Nfs4BlockedLocksTest, AnOwnerWaitsForOneLockOfAFileTheLatest)
{
    m_states.GetLocks(m_file).Set({HOLDER, true, {0, 9}});
    Wait(m_file, 1);
    Wait(m_file, 2);
    Wait(m_otherFile, 1);
    Wait(m_file, 1);
    EXPECT_EQ(m_blocked.GetCount(), 3U);
    EXPECT_EQ(Check(), Told{1}) << "nothing is in the way on the other file";
    m_states.GetLocks(m_file).UnlockAll(HOLDER);
    EXPECT_EQ(Check(), (Told{2, 1})) << "in the order in which they came";
}

TEST_F(Nfs4BlockedLocksTest, WhoHasTheLockDoesNotWaitForIt)
{
    m_states.GetLocks(m_file).Set({HOLDER, true, {0, 9}});
    Wait(m_file, 1);
    Wait(m_file, 2);
    m_blocked.Remove(m_otherFile, MakeOwner(1));
    EXPECT_EQ(m_blocked.GetCount(), 2U);
    m_blocked.Remove(m_file, MakeOwner(1));
    m_states.GetLocks(m_file).UnlockAll(HOLDER);
    EXPECT_EQ(Check(), Told{2});
}

} // namespace
} // namespace ns3::nfsrdma::test
