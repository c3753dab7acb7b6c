/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server-operations.h"

namespace ns3::nfsrdma::test
{
namespace
{

class Nfs4ServerDelegations : public Nfs4ServerOperations
{
  protected:
    OpenDelegation4 GetDelegation(uint32_t want)
    {
        const auto opened = OpenIt("file", SHARE_READ | want);
        EXPECT_EQ(opened.results.status, Nfs4Status::OK);
        return Get<OpenRes4>(opened, 2).delegation;
    }

    /// What the client answers to CB_RECALL.
    ByteVector MakeRecallAnswer(Nfs4Status status)
    {
        CbCompound4Res results;
        results.status = status;
        CbSequenceRes4 sequence;
        sequence.sessionId = m_session;
        CbRecallRes4 recall;
        recall.status = status;
        results.ops = {sequence, recall};
        XdrWriter writer;
        results.Encode(writer);
        return writer.Take();
    }
};

TEST_F(Nfs4ServerDelegations, Wants)
{
    Mount();
    EXPECT_EQ(GetDelegation(OPEN4_SHARE_ACCESS_WANT_NO_DELEG).why, WhyNoDelegation4::NOT_WANTED);
    EXPECT_EQ(GetDelegation(0).type, OpenDelegationType4::READ);
    const auto again = GetDelegation(OPEN4_SHARE_ACCESS_WANT_READ_DELEG);
    EXPECT_EQ(again.type, OpenDelegationType4::NONE_EXT);
    EXPECT_EQ(again.why, WhyNoDelegation4::CONTENTION);
}

TEST_F(Nfs4ServerDelegations, RecallAndReturn)
{
    Mount();
    Mounted other = MountOther();
    const OpenDelegation4 delegation = GetDelegation(0);
    ASSERT_EQ(delegation.type, OpenDelegationType4::READ);

    other = Swap(other);
    EXPECT_EQ(OpenIt("file", SHARE_WRITE).results.status, Nfs4Status::DELAY);
    EXPECT_EQ(OpenIt("file", SHARE_WRITE).results.status, Nfs4Status::DELAY);
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    ASSERT_EQ(m_transport->GetPending(), 1U) << "recalled once";
    EXPECT_EQ(m_transport->GetCall(0).octets.size(), 168U)
        << "as captured: 68 of header, 100 of CB_COMPOUND";
    other = Swap(other);
    m_transport->Answer(MakeRecallAnswer(Nfs4Status::OK));

    DelegreturnArgs4 giveBack;
    giveBack.stateid = delegation.stateid;
    EXPECT_EQ(InSession({Put(m_file), giveBack}).results.status, Nfs4Status::OK);
    EXPECT_EQ(InSession({Put(m_file), giveBack}).results.status, Nfs4Status::BAD_STATEID);
    Swap(other);
    EXPECT_EQ(OpenIt("file", SHARE_WRITE).results.status, Nfs4Status::OK);
}

TEST_F(Nfs4ServerDelegations, RemovalWaitsForTheReturn)
{
    Mount();
    const Mounted other = MountOther();
    GetDelegation(0);
    Swap(other);
    RemoveArgs4 remove;
    remove.target = "file";
    EXPECT_EQ(InSession({Put(m_root), remove}).results.status, Nfs4Status::DELAY);
    EXPECT_TRUE(m_store->FindPath(m_root, "file"));
}

TEST_F(Nfs4ServerDelegations, RevokedAfterALease)
{
    Mount();
    const Mounted other = MountOther();
    const OpenDelegation4 delegation = GetDelegation(0);
    const Mounted holder = Swap(other);
    EXPECT_EQ(OpenIt("file", SHARE_WRITE).results.status, Nfs4Status::DELAY);
    const auto renew = [this] { InSession({}); };
    Simulator::Schedule(Seconds(60), renew);
    Mounted renewed = holder;
    Simulator::Schedule(Seconds(61), [&] {
        renewed = Swap(renewed);
        InSession({});
        renewed = Swap(renewed);
    });
    Simulator::Schedule(Seconds(91), [&] {
        m_sequence += 0;
        EXPECT_EQ(OpenIt("file", SHARE_WRITE).results.status, Nfs4Status::OK);
        renewed = Swap(renewed);
        const auto sequence = InSession({});
        EXPECT_EQ(Get<SequenceRes4>(sequence, 0).statusFlags, SEQ4_STATUS_RECALLABLE_STATE_REVOKED);
        ReadArgs4 read = MakeRead(0, 1);
        read.stateid = delegation.stateid;
        EXPECT_EQ(InSession({Put(m_file), read}).results.status, Nfs4Status::DELEG_REVOKED);
        FreeStateidArgs4 free;
        free.stateid = delegation.stateid;
        EXPECT_EQ(InSession({free}).results.status, Nfs4Status::OK);
        EXPECT_EQ(Get<SequenceRes4>(InSession({}), 0).statusFlags, 0U);
    });
    Simulator::Run();
}

TEST_F(Nfs4ServerDelegations, LostCallbackPath)
{
    Mount();
    GetDelegation(0);
    EXPECT_TRUE(m_server->BreakDelegations(m_file));
    Simulator::Run();
    m_transport->Lose();
    Simulator::Run();
    EXPECT_EQ(Get<SequenceRes4>(InSession({}), 0).statusFlags, SEQ4_STATUS_CB_PATH_DOWN);
}

TEST_F(Nfs4ServerDelegations, ClientThatIsBusyIsAskedAgain)
{
    Mount();
    GetDelegation(0);
    m_server->BreakDelegations(m_file);
    Simulator::Run();
    m_transport->Answer(MakeRecallAnswer(Nfs4Status::DELAY));
    EXPECT_EQ(m_transport->GetPending(), 0U);
    Simulator::Run();
    EXPECT_GE(Simulator::Now(), Seconds(2));
    EXPECT_EQ(m_transport->GetPending(), 1U);
}

} // namespace
} // namespace ns3::nfsrdma::test
