/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/open-state.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{
namespace
{

Nfs4Fh
MakeHandle(uint8_t octet)
{
    return Nfs4Fh(ByteVector{octet});
}

Nfs4StateId
MakeStateId(uint8_t octet, uint32_t seqid)
{
    Nfs4StateId stateid;
    stateid.seqid = seqid;
    stateid.other.fill(octet);
    return stateid;
}

OpenDelegation4
MakeGrant(OpenDelegationType4 type, uint8_t octet)
{
    OpenDelegation4 given;
    given.type = type;
    given.stateid = MakeStateId(octet, 1);
    return given;
}

class HeldState : public testing::Test
{
  protected:
    Nfs4StateId Select(uint32_t access, bool zeroSeqid = false) const
    {
        return m_held.SelectStateId(m_file, access, zeroSeqid);
    }

    const Nfs4Fh m_file{MakeHandle(1)};
    Nfs4HeldState m_held;
};

TEST_F(HeldState, OneShareForAllWhoHaveItOpen)
{
    const auto open = m_held.GetOpen(m_file);
    EXPECT_EQ(m_held.GetOpen(m_file), open);
    open->users[1] = 2;
    open->users[2] = 1;
    EXPECT_EQ(open->GetNeeded(), 3U);
    m_held.DropIfUnused(open);
    EXPECT_EQ(m_held.FindOpen(m_file), open);
    open->users = {};
    m_held.DropIfUnused(open);
    EXPECT_FALSE(m_held.FindOpen(m_file));
}

TEST_F(HeldState, AnOlderStateIdIsNotTaken)
{
    Nfs4OpenState open;
    open.TakeStateId(MakeStateId(5, 3), 1);
    open.TakeStateId(MakeStateId(5, 2), 3);
    EXPECT_EQ(open.stateid->seqid, 3U);
    EXPECT_EQ(open.access, 1U);
    open.TakeStateId(MakeStateId(5, 4), 3);
    EXPECT_EQ(open.access, 3U);
    open.TakeStateId(MakeStateId(6, 1), 1);
    EXPECT_EQ(open.stateid->seqid, 1U) << "another state";
    open.TakeStateId(MakeStateId(6, 0xffffffff), 2);
    EXPECT_EQ(open.stateid->seqid, 1U) << "older, around the wrap";
}

TEST_F(HeldState, ALostAnswerIsMadeUpForOnce)
{
    Nfs4OpenState open;
    open.stateid = MakeStateId(5, 3);
    open.NoteOld(MakeStateId(5, 2));
    EXPECT_EQ(open.stateid->seqid, 3U);
    open.NoteOld(MakeStateId(5, 3));
    EXPECT_EQ(open.stateid->seqid, 4U);
}

TEST_F(HeldState, UnlockingSplitsAndCutsLocks)
{
    Nfs4OpenState open;
    open.locks = {{LockType4::WRITE, 0, 100}, {LockType4::READ, 200, NFS4_UINT64_MAX}};
    open.Unlock(40, 20);
    ASSERT_EQ(open.locks.size(), 3U);
    EXPECT_EQ(open.locks[0].length, 40U);
    EXPECT_EQ(open.locks[1].offset, 60U);
    EXPECT_EQ(open.locks[1].length, 40U);
    open.Unlock(90, 210);
    ASSERT_EQ(open.locks.size(), 3U);
    EXPECT_EQ(open.locks[1].length, 30U);
    EXPECT_EQ(open.locks[2].offset, 300U);
    EXPECT_EQ(open.locks[2].length, NFS4_UINT64_MAX);
    open.Unlock(0, NFS4_UINT64_MAX);
    EXPECT_TRUE(open.locks.empty());
}

TEST_F(HeldState, StateIdForIoIsTheDelegationsTheLocksTheOpensOrAnonymous)
{
    EXPECT_EQ(Select(1), MakeAnonymousStateId());
    const auto open = m_held.GetOpen(m_file);
    open->stateid = MakeStateId(2, 7);
    EXPECT_EQ(Select(1), MakeStateId(2, 7));
    EXPECT_EQ(Select(1, true), MakeStateId(2, 0));
    open->lockStateid = MakeStateId(3, 1);
    EXPECT_EQ(Select(1), MakeStateId(2, 7)) << "no lock is held";
    open->locks = {{LockType4::READ, 0, 1}};
    EXPECT_EQ(Select(1), MakeStateId(3, 1));
    const auto delegation = m_held.TakeDelegation(m_file, MakeGrant(OpenDelegationType4::READ, 4));
    EXPECT_EQ(Select(OPEN4_SHARE_ACCESS_READ), MakeStateId(4, 1));
    EXPECT_EQ(Select(OPEN4_SHARE_ACCESS_WRITE), MakeStateId(3, 1)) << "READ does not cover it";
    delegation->returning = true;
    EXPECT_EQ(Select(OPEN4_SHARE_ACCESS_READ), MakeStateId(3, 1));
}

TEST_F(HeldState, ADelegationIsFoundByItsNames)
{
    const Nfs4Name name{MakeHandle(9), "f"};
    const auto read = m_held.TakeDelegation(m_file, MakeGrant(OpenDelegationType4::READ, 4));
    read->names = {name};
    EXPECT_EQ(m_held.FindByName(name, OPEN4_SHARE_ACCESS_READ), read);
    EXPECT_FALSE(m_held.FindByName(name, OPEN4_SHARE_ACCESS_WRITE));
    const auto write = m_held.TakeDelegation(m_file, MakeGrant(OpenDelegationType4::WRITE, 5));
    EXPECT_EQ(m_held.FindByName(name, OPEN4_SHARE_ACCESS_WRITE), write) << "names stay";
    m_held.ForgetName(name);
    EXPECT_FALSE(m_held.FindByName(name, 0));
    m_held.DropDelegation(read);
    EXPECT_EQ(m_held.FindDelegation(m_file), write) << "one that was replaced";
    m_held.DropDelegation(write);
    EXPECT_FALSE(m_held.FindDelegation(m_file));
}

TEST_F(HeldState, WhatIsNotReclaimedIsOpenedAnewOrLost)
{
    const auto claimed = m_held.GetOpen(m_file);
    const auto left = m_held.GetOpen(MakeHandle(2));
    m_held.TakeDelegation(m_file, MakeGrant(OpenDelegationType4::READ, 4));
    m_held.TakeDelegation(MakeHandle(2), MakeGrant(OpenDelegationType4::READ, 5));
    m_held.MarkReboot();
    EXPECT_TRUE(claimed->reclaimReboot && left->reclaimReboot);
    claimed->reclaimReboot = false;
    m_held.TakeDelegation(m_file, MakeGrant(OpenDelegationType4::READ, 4));
    m_held.EndReboot();
    EXPECT_FALSE(claimed->reclaimNoGrace);
    EXPECT_TRUE(left->reclaimNoGrace);
    EXPECT_TRUE(m_held.FindDelegation(m_file));
    EXPECT_FALSE(m_held.FindDelegation(MakeHandle(2)));
}

TEST_F(HeldState, RevokedAllOrSome)
{
    const auto open = m_held.GetOpen(m_file);
    const auto delegation = m_held.TakeDelegation(m_file, MakeGrant(OpenDelegationType4::READ, 4));
    m_held.MarkSomeRevoked();
    EXPECT_TRUE(open->reclaimNoGrace && open->testFirst && delegation->test);
    m_held.MarkAllRevoked();
    EXPECT_TRUE(open->reclaimNoGrace);
    EXPECT_FALSE(open->testFirst);
    EXPECT_TRUE(m_held.GetDelegations().empty());
}

} // namespace
} // namespace ns3::nfsrdma::test
