/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server-operations.h"

namespace ns3::nfsrdma::test
{
namespace
{

class Nfs40Server : public Nfs4ServerOperations
{
  protected:
    void SetUp() override
    {
        Nfs4ServerOperations::SetUp();
        m_minorVersion = 0;
    }

    void Identify()
    {
        SetclientidArgs4 set;
        set.id = {1};
        set.cbProgram = NFS4_CALLBACK_PROGRAM;
        set.cbLocation = {"tcp", "10.0.0.2.128.0"};
        const auto answer = Call({set});
        const auto& results = Get<SetclientidRes4>(answer, 0);
        SetclientidConfirmArgs4 confirm;
        confirm.clientId = results.clientId;
        confirm.confirm = results.confirm;
        ASSERT_EQ(Call({confirm}).results.status, Nfs4Status::OK);
        m_client = results.clientId;
    }

    Answer Open40(uint32_t seqid, uint32_t access = SHARE_READ)
    {
        OpenArgs4 open = MakeOpen("file", access);
        open.seqid = seqid;
        return Call({Put(m_root), open, GetfhArgs4()});
    }

    Answer Confirm(const Nfs4StateId& state, uint32_t seqid)
    {
        OpenConfirmArgs4 confirm;
        confirm.openStateid = state;
        confirm.seqid = seqid;
        return Call({Put(m_file), confirm});
    }
};

TEST_F(Nfs40Server, OpenConfirmCloseInOrder)
{
    Identify();
    const auto opened = Open40(7);
    const auto& open = Get<OpenRes4>(opened, 1);
    EXPECT_EQ(open.rflags, OPEN4_RESULT_CONFIRM | OPEN4_RESULT_LOCKTYPE_POSIX);
    ReadArgs4 read = MakeRead(0, 1);
    read.stateid = open.stateid;
    EXPECT_EQ(Call({Put(m_file), read}).results.status, Nfs4Status::BAD_STATEID);
    const auto confirmed = Confirm(open.stateid, 8);
    ASSERT_EQ(confirmed.results.status, Nfs4Status::OK);
    read.stateid = Get<OpenConfirmRes4>(confirmed, 1).openStateid;
    EXPECT_EQ(read.stateid.seqid, 2U);
    EXPECT_EQ(Call({Put(m_file), read}).results.status, Nfs4Status::OK);
    read.stateid.seqid = 1;
    EXPECT_EQ(Call({Put(m_file), read}).results.status, Nfs4Status::OLD_STATEID);

    CloseArgs4 close;
    close.openStateid = Get<OpenConfirmRes4>(confirmed, 1).openStateid;
    close.seqid = 12;
    EXPECT_EQ(Call({Put(m_file), close}).results.status, Nfs4Status::BAD_SEQID);
    close.seqid = 9;
    EXPECT_EQ(Call({Put(m_file), close}).results.status, Nfs4Status::OK);
    read.stateid.other[0] ^= 1;
    EXPECT_EQ(Call({Put(m_file), read}).results.status, Nfs4Status::STALE_STATEID);
}

TEST_F(Nfs40Server, RepeatedSeqidGetsTheSameReply)
{
    Identify();
    const auto opened = Open40(7);
    const auto confirmed = Confirm(Get<OpenRes4>(opened, 1).stateid, 8);
    const auto again = Confirm(Get<OpenRes4>(opened, 1).stateid, 8);
    EXPECT_EQ(again.payload.octets, confirmed.payload.octets);
    const auto upgraded = Open40(9, SHARE_WRITE);
    const auto repeated = Open40(9, SHARE_WRITE);
    EXPECT_EQ(Get<OpenRes4>(repeated, 1).stateid, Get<OpenRes4>(upgraded, 1).stateid);
    EXPECT_EQ(repeated.payload.octets, upgraded.payload.octets) << "GETFH too";
    EXPECT_EQ(Get<GetfhRes4>(repeated, 2).object, Put(m_file).object);
    EXPECT_EQ(Open40(12).results.status, Nfs4Status::BAD_SEQID);
}

TEST_F(Nfs40Server, RepeatedCloseGetsTheSameReply)
{
    Identify();
    const auto confirmed = Confirm(Get<OpenRes4>(Open40(7), 1).stateid, 8);
    CloseArgs4 close;
    close.openStateid = Get<OpenConfirmRes4>(confirmed, 1).openStateid;
    close.seqid = 9;
    const auto closed = Call({Put(m_file), close});
    ASSERT_EQ(closed.results.status, Nfs4Status::OK);
    EXPECT_EQ(Call({Put(m_file), close}).payload.octets, closed.payload.octets);
    EXPECT_EQ(Open40(9).results.status, Nfs4Status::BAD_SEQID) << "the seqid was that of a CLOSE";
    close.seqid = 10;
    EXPECT_EQ(Call({Put(m_file), close}).results.status, Nfs4Status::BAD_STATEID);
    EXPECT_EQ(Open40(10).results.status, Nfs4Status::OK);
}

TEST_F(Nfs40Server, RepeatedOpenOfAFileThatIsNoMore)
{
    Identify();
    Confirm(Get<OpenRes4>(Open40(7), 1).stateid, 8);
    ASSERT_EQ(Open40(9).results.status, Nfs4Status::OK);
    RemoveArgs4 remove;
    remove.target = "file";
    ASSERT_EQ(Call({Put(m_root), remove}).results.status, Nfs4Status::OK);
    EXPECT_EQ(Open40(9).results.status, Nfs4Status::STALE);
    EXPECT_EQ(Open40(10).results.status, Nfs4Status::NOENT) << "the seqid stayed";
}

TEST_F(Nfs40Server, RepeatedLocksGetTheSameReply)
{
    Identify();
    const auto confirmed = Confirm(Get<OpenRes4>(Open40(7, SHARE_BOTH), 1).stateid, 8);
    LockArgs4 lock;
    lock.type = LockType4::WRITE;
    lock.length = 10;
    lock.newLockOwner = true;
    lock.openOwner.openSeqid = 9;
    lock.openOwner.openStateid = Get<OpenConfirmRes4>(confirmed, 1).openStateid;
    lock.openOwner.lockSeqid = 20;
    lock.openOwner.lockOwner = {m_client, {1}};
    const auto locked = Call({Put(m_file), lock});
    ASSERT_EQ(locked.results.status, Nfs4Status::OK);
    EXPECT_EQ(Call({Put(m_file), lock}).payload.octets, locked.payload.octets);
    LockuArgs4 unlock;
    unlock.lockStateid = Get<LockRes4>(locked, 1).lockStateid;
    unlock.seqid = 21;
    unlock.length = 10;
    const auto unlocked = Call({Put(m_file), unlock});
    ASSERT_EQ(unlocked.results.status, Nfs4Status::OK);
    EXPECT_EQ(Call({Put(m_file), unlock}).payload.octets, unlocked.payload.octets);
    OpenDowngradeArgs4 downgrade;
    downgrade.openStateid = lock.openOwner.openStateid;
    downgrade.seqid = 10;
    downgrade.shareAccess = SHARE_BOTH;
    const auto less = Call({Put(m_file), downgrade});
    ASSERT_EQ(less.results.status, Nfs4Status::OK);
    EXPECT_EQ(Call({Put(m_file), downgrade}).payload.octets, less.payload.octets);
}

TEST_F(Nfs40Server, DelegationNeedsAWorkingCallbackPath)
{
    Identify();
    Simulator::Run();
    ASSERT_EQ(m_transport->GetPending(), 1U) << "CB_NULL";
    const auto before = Open40(1);
    Confirm(Get<OpenRes4>(before, 1).stateid, 2);
    EXPECT_EQ(Get<OpenRes4>(Open40(3), 1).delegation.type, OpenDelegationType4::NONE);
    m_transport->Answer({});
    Simulator::Run();
    EXPECT_EQ(Get<OpenRes4>(Open40(4), 1).delegation.type, OpenDelegationType4::READ);
    m_server->BreakDelegations(m_file);
    Simulator::Run();
    EXPECT_EQ(m_transport->GetPending(), 1U) << "CB_RECALL";
}

TEST_F(Nfs40Server, ExpiredAndStaleClients)
{
    Identify();
    RenewArgs4 renew;
    renew.clientId = m_client;
    EXPECT_EQ(Call({renew}).results.status, Nfs4Status::OK);
    Simulator::Schedule(Seconds(95),
                        [&] { EXPECT_EQ(Call({renew}).results.status, Nfs4Status::EXPIRED); });
    Simulator::Run();
    renew.clientId ^= uint64_t{1} << 40;
    EXPECT_EQ(Call({renew}).results.status, Nfs4Status::STALE_CLIENTID);
    m_minorVersion = 1;
    Mount();
    EXPECT_EQ(InSession({renew}).results.status, Nfs4Status::NOTSUPP);
}

TEST_F(Nfs40Server, DuplicatesThatChangeSomethingAreToBeKept)
{
    const auto isIdempotent = [this](std::vector<Nfs4ArgOp> ops, uint32_t minorVersion) {
        Compound4Args args;
        args.minorVersion = minorVersion;
        args.ops = std::move(ops);
        XdrWriter writer;
        args.Encode(writer);
        RpcCallHeader header;
        header.procedure = 1;
        RpcReceivedMessage message;
        message.octets = writer.Take();
        return m_server->IsIdempotentCall(header, message, 0);
    };
    EXPECT_TRUE(isIdempotent({PutrootfhArgs4(), GetattrArgs4()}, 0));
    EXPECT_FALSE(isIdempotent({PutrootfhArgs4(), RemoveArgs4()}, 0));
    EXPECT_TRUE(isIdempotent({PutrootfhArgs4(), RemoveArgs4()}, 1));
}

} // namespace
} // namespace ns3::nfsrdma::test
