/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "client-fixture.h"

namespace ns3::nfsrdma::test
{

using Nfs41Recovery = Nfs4ClientTest;

/// Frames 544 to 667 of nfs-v4.1-nfsd-restart.pcap.
TEST_F(Nfs41Recovery, ServerRestartWithoutGraceAsInTheCapture)
{
    Mount();
    const auto file = Open("file", true).file;
    m_server->Restart();
    m_server->errors[Nfs4Op::OPEN] = {Nfs4Status::NO_GRACE};
    m_server->log.clear();
    EXPECT_TRUE(Write(file, 0, "text").IsOk());
    EXPECT_EQ(m_server->log,
              Log({"SEQUENCE PUTFH WRITE GETATTR",
                   "DESTROY_SESSION",
                   "CREATE_SESSION",
                   "EXCHANGE_ID",
                   "CREATE_SESSION",
                   "SEQUENCE PUTROOTFH GETATTR",
                   "SEQUENCE PUTFH OPEN GETATTR",
                   "SEQUENCE RECLAIM_COMPLETE",
                   "SEQUENCE PUTFH OPEN ACCESS GETATTR",
                   "SEQUENCE PUTFH WRITE GETATTR"}));
    EXPECT_EQ(m_steps,
              Log({"SESSION_RESET NFS4ERR_STALE_CLIENTID",
                   "LEASE_EXPIRED NFS4_OK",
                   "RECLAIM_REBOOT NFS4_OK",
                   "RECLAIM_NOGRACE NFS4_OK"}));
    EXPECT_EQ(Read(Open("file").file, 0, 10), "text");
    Unmount();
}

TEST_F(Nfs41Recovery, ServerRestartWithGraceReclaimsOpensLocksAndDelegations)
{
    m_server->delegation = OpenDelegationType4::READ;
    Mount();
    const auto file = Open("file").file;
    m_server->delegation = OpenDelegationType4::NONE;
    const auto other = Open("other", true).file;
    Await<FileReply>(
        [&](auto done) { m_files->GetLocks().Lock(other, LockType4::WRITEW, 0, 10, done); });
    m_server->Restart();
    m_server->delegation = OpenDelegationType4::READ;
    m_server->calls.clear();
    m_server->log.clear();
    EXPECT_TRUE(Write(other, 0, "text").IsOk());
    uint32_t reclaims = 0;
    for (const auto& call : m_server->calls)
    {
        for (const auto& op : call.ops)
        {
            if (const auto* open = std::get_if<OpenArgs4>(&op))
            {
                EXPECT_EQ(open->claim.type, OpenClaim4::PREVIOUS);
                reclaims += 1;
            }
            if (const auto* lock = std::get_if<LockArgs4>(&op))
            {
                EXPECT_TRUE(lock->reclaim);
                reclaims += 10;
            }
        }
    }
    EXPECT_EQ(reclaims, 12U);
    EXPECT_EQ(m_steps.back(), "RECLAIM_REBOOT NFS4_OK");
    m_server->files["file"] = {'a'};
    EXPECT_EQ(Read(file, 0, 1), "a");
    Unmount();
}

TEST_F(Nfs41Recovery, SessionThatIsGoneIsMadeAnewAndNothingIsReclaimed)
{
    Mount();
    const auto file = Open("file", true).file;
    m_server->ForgetSession();
    m_server->log.clear();
    EXPECT_TRUE(Write(file, 0, "text").IsOk());
    EXPECT_EQ(m_server->log,
              Log({"SEQUENCE PUTFH WRITE GETATTR",
                   "DESTROY_SESSION",
                   "CREATE_SESSION",
                   "SEQUENCE PUTFH WRITE GETATTR"}));
    EXPECT_EQ(m_steps, Log({"SESSION_RESET NFS4_OK"}));
    Unmount();
}

TEST_F(Nfs41Recovery, ManyCallsRecoverOnce)
{
    Mount();
    m_server->Restart();
    uint32_t done = 0;
    for (uint32_t i = 0; i < 20; ++i)
    {
        m_files->Run(FileGetAttributes{m_files->GetRoot()},
                     [&done](const FileAttributesReply& reply) {
                         EXPECT_TRUE(reply.IsOk());
                         ++done;
                     });
    }
    RunFor(Seconds(1));
    EXPECT_EQ(done, 20U);
    EXPECT_EQ(std::count(m_server->log.begin(), m_server->log.end(), "EXCHANGE_ID"), 1);
    Unmount();
}

TEST_F(Nfs41Recovery, BackChannelThatIsDownIsBoundAgain)
{
    Mount();
    m_server->statusFlags = SEQ4_STATUS_CB_PATH_DOWN;
    Await<FileAttributesReply>(
        [&](auto done) { m_files->Run(FileGetAttributes{m_files->GetRoot()}, done); });
    RunFor(MilliSeconds(10));
    EXPECT_EQ(m_server->log, Log({"SEQUENCE PUTFH GETATTR", "BIND_CONN_TO_SESSION"}));
    Unmount();
}

/// nfs4_proc_bind_conn_to_session(): one after another, the back channel on the main one alone.
TEST_F(Nfs41Recovery, EachOfSeveralConnectionsIsBound)
{
    Mount();
    m_transport->pathCount = 4;
    m_transport->paths.clear();
    m_server->statusFlags = SEQ4_STATUS_CB_PATH_DOWN;
    Await<FileAttributesReply>(
        [&](auto done) { m_files->Run(FileGetAttributes{m_files->GetRoot()}, done); });
    RunFor(MilliSeconds(10));
    EXPECT_EQ(m_transport->paths, std::vector<RpcPath>({RPC_PATH_ANY, 0, 1, 2, 3}));
    std::vector<uint32_t> directions;
    for (const auto& call : m_server->calls)
    {
        if (const auto* bind = std::get_if<BindConnToSessionArgs4>(&call.ops.front()))
        {
            EXPECT_EQ(bind->sessionId, m_server->GetSession());
            directions.push_back(bind->dir);
        }
    }
    EXPECT_EQ(directions, std::vector<uint32_t>({3, 1, 1, 1}));
    EXPECT_EQ(m_steps, Log({"BIND_CONN_TO_SESSION NFS4_OK"}));
    Unmount();
}

TEST_F(Nfs41Recovery, SessionThatIsGoneEndsBinding)
{
    Mount();
    m_transport->pathCount = 4;
    m_server->statusFlags = SEQ4_STATUS_CB_PATH_DOWN;
    m_server->errors[Nfs4Op::BIND_CONN_TO_SESSION] = {Nfs4Status::OK, Nfs4Status::BADSESSION};
    Await<FileAttributesReply>(
        [&](auto done) { m_files->Run(FileGetAttributes{m_files->GetRoot()}, done); });
    RunFor(MilliSeconds(10));
    EXPECT_EQ(m_server->log,
              Log({"SEQUENCE PUTFH GETATTR",
                   "BIND_CONN_TO_SESSION",
                   "BIND_CONN_TO_SESSION",
                   "DESTROY_SESSION",
                   "CREATE_SESSION"}));
    Unmount();
}

TEST_F(Nfs41Recovery, LeaseThatHasExpiredOpensAnew)
{
    Mount();
    const auto file = Open("file", true).file;
    m_server->statusFlags = SEQ4_STATUS_EXPIRED_ALL_STATE_REVOKED;
    m_server->log.clear();
    Await<FileAttributesReply>(
        [&](auto done) { m_files->Run(FileGetAttributes{m_files->GetRoot()}, done); });
    EXPECT_TRUE(Write(file, 0, "text").IsOk());
    EXPECT_EQ(m_steps,
              Log({"PURGE_STATE NFS4_OK", "LEASE_EXPIRED NFS4_OK", "RECLAIM_NOGRACE NFS4_OK"}));
    Unmount();
}

TEST_F(Nfs41Recovery, StateThatWasRevokedIsTestedFreedAndOpenedAnew)
{
    Mount();
    const auto file = Open("file", true).file;
    m_server->errors[Nfs4Op::WRITE] = {Nfs4Status::ADMIN_REVOKED};
    m_server->log.clear();
    EXPECT_TRUE(Write(file, 0, "text").IsOk());
    EXPECT_EQ(m_server->log,
              Log({"SEQUENCE PUTFH WRITE GETATTR",
                   "SEQUENCE TEST_STATEID",
                   "SEQUENCE PUTFH WRITE GETATTR"}));
    Unmount();
}

TEST_F(Nfs41Recovery, FileThatCannotBeOpenedAnewIsLost)
{
    Mount();
    const auto file = Open("file", true).file;
    m_server->Restart();
    m_server->errors[Nfs4Op::OPEN] = {Nfs4Status::NO_GRACE, Nfs4Status::STALE};
    EXPECT_EQ(Write(file, 0, "text").status, static_cast<uint32_t>(Nfs4Status::BAD_STATEID));
    EXPECT_TRUE(Close(file).IsOk());
    Unmount();
}

TEST_F(Nfs41Recovery, DelayBacksOff)
{
    Mount();
    m_server->errors[Nfs4Op::LOOKUP] = {Nfs4Status::DELAY, Nfs4Status::DELAY, Nfs4Status::GRACE};
    const Time start = Simulator::Now();
    const auto reply = Await<FileObjectReply>([&](auto done) {
        m_files->Run(FileLookup{{m_files->GetRoot(), "x"}}, done);
    });
    EXPECT_TRUE(reply.IsOk());
    const Time took = Simulator::Now() - start;
    EXPECT_GE(took, MilliSeconds(700));
    EXPECT_LT(took, MilliSeconds(710));
    Unmount();
}

TEST_F(Nfs41Recovery, InterruptedCallThatWasNotSeenCostsAProbe)
{
    Mount();
    m_transport->loseCalls = 1;
    const auto lost = Await<FileAttributesReply>(
        [&](auto done) { m_files->Run(FileGetAttributes{m_files->GetRoot()}, done); });
    EXPECT_EQ(lost.outcome, RpcOutcome::TRANSPORT_ERROR);
    m_server->log.clear();
    const auto next = Await<FileAttributesReply>(
        [&](auto done) { m_files->Run(FileGetAttributes{m_files->GetRoot()}, done); });
    EXPECT_TRUE(next.IsOk());
    RunFor(MilliSeconds(1));
    EXPECT_EQ(m_server->log, Log({"SEQUENCE PUTFH GETATTR", "SEQUENCE", "SEQUENCE PUTFH GETATTR"}));
    EXPECT_EQ(m_client->GetSession().GetSlots().GetLost(), 0U);
    Unmount();
}

TEST_F(Nfs41Recovery, InterruptedCallThatWasSeenCostsNothing)
{
    Mount();
    m_transport->loseReplies = 1;
    Await<FileAttributesReply>(
        [&](auto done) { m_files->Run(FileGetAttributes{m_files->GetRoot()}, done); });
    m_server->log.clear();
    EXPECT_TRUE(Await<FileAttributesReply>([&](auto done) {
                    m_files->Run(FileGetAttributes{m_files->GetRoot()}, done);
                }).IsOk());
    EXPECT_EQ(m_server->log, Log({"SEQUENCE PUTFH GETATTR"}));
    Unmount();
}

TEST_F(Nfs41Recovery, MountThatFailsSaysWhy)
{
    m_server->errors[Nfs4Op::EXCHANGE_ID] = {Nfs4Status::OK, Nfs4Status::CLID_INUSE};
    const auto reply = Await<FileReply>([&](auto done) { m_files->Mount(done); });
    EXPECT_EQ(reply.status, static_cast<uint32_t>(Nfs4Status::CLID_INUSE));
    EXPECT_FALSE(m_client->GetManager().IsRunning());
    m_transport->loseCalls = 1;
    const auto lost = Await<FileReply>([&](auto done) { m_files->Mount(done); });
    EXPECT_EQ(lost.outcome, RpcOutcome::TRANSPORT_ERROR);
    Mount();
    Unmount();
}

TEST_F(Nfs41Recovery, ServerThatNeverAgreesDoesNotKeepTheClientBusy)
{
    Mount();
    m_server->errors[Nfs4Op::SEQUENCE] = std::vector<Nfs4Status>(1000, Nfs4Status::BADSESSION);
    const auto reply = Await<FileAttributesReply>(
        [&](auto done) { m_files->Run(FileGetAttributes{m_files->GetRoot()}, done); });
    EXPECT_FALSE(reply.IsOk());
    m_server->errors.clear();
    Unmount();
}

// Delegations.

TEST_F(Nfs41Recovery, DelegationSparesOpensAndGoesBackWhenRecalled)
{
    m_server->delegation = OpenDelegationType4::READ;
    m_server->files["file"] = {'a'};
    Mount();
    const auto file = Open("file").file;
    EXPECT_TRUE(Close(file).IsOk());
    EXPECT_EQ(m_server->log.back(), "SEQUENCE PUTFH CLOSE");
    m_server->log.clear();
    const auto local = Open("file").file;
    EXPECT_TRUE(m_server->log.empty());
    EXPECT_EQ(Read(local, 0, 1), "a");
    m_server->delegation = OpenDelegationType4::NONE;
    const auto results = CallBack({CbRecallArgs4{m_server->GetDelegationStateId(),
                                                 false,
                                                 Nfs4Fh(local->GetObject().octets)}});
    EXPECT_EQ(results.status, Nfs4Status::OK);
    ASSERT_EQ(results.ops.size(), 2U);
    const auto& sequence = std::get<CbSequenceRes4>(results.ops[0]);
    EXPECT_EQ(sequence.highestSlotId, 15U);
    EXPECT_EQ(sequence.targetHighestSlotId, 15U);
    RunFor(MilliSeconds(1));
    EXPECT_EQ(m_server->log,
              Log({"SEQUENCE PUTFH READ",
                   "SEQUENCE PUTFH OPEN GETATTR",
                   "SEQUENCE PUTFH GETATTR DELEGRETURN"}));
    EXPECT_EQ(Read(local, 0, 1), "a");
    EXPECT_TRUE(Close(local).IsOk());
    EXPECT_EQ(m_server->GetStateIds(), 0U);
    Unmount();
}

TEST_F(Nfs41Recovery, DelegationsGoBackBeforeNamesChangeAndAtUnmount)
{
    m_server->delegation = OpenDelegationType4::READ;
    Mount();
    Close(Open("a").file);
    Close(Open("b").file);
    m_server->log.clear();
    Await<FileReply>([&](auto done) { m_files->Run(FileRemove{{m_files->GetRoot(), "a"}}, done); });
    EXPECT_EQ(m_server->log, Log({"SEQUENCE PUTFH GETATTR DELEGRETURN", "SEQUENCE PUTFH REMOVE"}));
    m_server->log.clear();
    Unmount();
    EXPECT_EQ(m_server->log,
              Log({"SEQUENCE PUTFH GETATTR DELEGRETURN", "DESTROY_SESSION", "DESTROY_CLIENTID"}));
}

TEST_F(Nfs41Recovery, CallbacksAreAnsweredAsLinuxDoes)
{
    Mount();
    const Nfs4Fh file(ByteVector{1, 2, 3});
    EXPECT_EQ(CallBack({CbRecallArgs4{{}, false, file}}).status, Nfs4Status::BADHANDLE);
    EXPECT_EQ(CallBack({CbGetattrArgs4{file, {}}}).status, Nfs4Status::BADHANDLE);
    EXPECT_EQ(CallBack({CbLayoutrecallArgs4()}).status, Nfs4Status::NOMATCHING_LAYOUT);
    EXPECT_EQ(CallBack({CbRecallAnyArgs4()}).status, Nfs4Status::OK);
    EXPECT_EQ(CallBack({CbNotifyLockArgs4()}).status, Nfs4Status::OK);
    EXPECT_EQ(CallBack({CbNotifyArgs4()}).status, Nfs4Status::NOTSUPP);
    CbCompound4Args args;
    args.minorVersion = 1;
    CbSequenceArgs4 sequence;
    sequence.sessionId = m_server->GetSession();
    sequence.sequenceId = m_callbackSequence;
    args.ops = {sequence};
    EXPECT_EQ(SendCallback(args).status, Nfs4Status::RETRY_UNCACHED_REP);
    sequence.sequenceId += 5;
    args.ops = {sequence};
    EXPECT_EQ(SendCallback(args).status, Nfs4Status::SEQ_MISORDERED);
    sequence.slotId = 16;
    args.ops = {sequence};
    EXPECT_EQ(SendCallback(args).status, Nfs4Status::BADSLOT);
    sequence.sessionId[3] ^= 1;
    args.ops = {sequence};
    EXPECT_EQ(SendCallback(args).status, Nfs4Status::BADSESSION);
    args.ops = {CbRecallAnyArgs4()};
    EXPECT_EQ(SendCallback(args).status, Nfs4Status::OP_NOT_IN_SESSION);
    args.minorVersion = 2;
    EXPECT_EQ(SendCallback(args).status, Nfs4Status::MINOR_VERS_MISMATCH);
    Unmount();
}

TEST_F(Nfs41Recovery, CallbackThatRefersToACallUnderWayIsDelayed)
{
    Mount();
    m_files->Run(FileGetAttributes{m_files->GetRoot()}, nullptr);
    CbCompound4Args args;
    args.minorVersion = 1;
    CbSequenceArgs4 sequence;
    sequence.sessionId = m_server->GetSession();
    sequence.sequenceId = 1;
    const uint32_t under = m_client->GetSession().GetSlots().Reuse(0).sequence;
    sequence.referringCallLists = {{sequence.sessionId, {{under, 0}}}};
    args.ops = {sequence};
    EXPECT_EQ(SendCallback(args).status, Nfs4Status::DELAY);
    RunFor(MilliSeconds(1));
    EXPECT_EQ(SendCallback(args).status, Nfs4Status::OK);
    Unmount();
}

TEST_F(Nfs41Recovery, WriteDelegationAnswersForSizeAndChange)
{
    m_server->delegation = OpenDelegationType4::WRITE;
    Mount();
    const auto file = Open("file", true).file;
    Write(file, 0, "text");
    const auto mask = MakeAttrMask({Nfs4Attr::SIZE, Nfs4Attr::CHANGE});
    const auto results = CallBack({CbGetattrArgs4{Nfs4Fh(file->GetObject().octets), mask}});
    ASSERT_EQ(results.status, Nfs4Status::OK);
    EXPECT_EQ(std::get<CbGetattrRes4>(results.ops[1]).attributes.size, 4U);
    Close(file);
    Unmount();
}

class Nfs40Recovery : public Nfs4ClientTest
{
  protected:
    [[nodiscard]] uint32_t GetMinorVersion() const override
    {
        return 0;
    }
};

TEST_F(Nfs40Recovery, ServerRestart)
{
    Mount();
    const auto file = Open("file", true).file;
    m_server->Restart();
    m_server->errors[Nfs4Op::WRITE] = {Nfs4Status::STALE_STATEID};
    m_server->log.clear();
    EXPECT_TRUE(Write(file, 0, "text").IsOk());
    EXPECT_EQ(m_server->log,
              Log({"PUTFH WRITE GETATTR",
                   "RENEW",
                   "SETCLIENTID",
                   "SETCLIENTID_CONFIRM",
                   "PUTROOTFH GETATTR",
                   "PUTFH OPEN GETATTR",
                   "PUTFH WRITE GETATTR"}));
    EXPECT_TRUE(Close(file).IsOk());
    Unmount();
}

TEST_F(Nfs40Recovery, StateThatIsUnknownIsOpenedByName)
{
    Mount();
    const auto file = Open("file", true).file;
    m_server->errors[Nfs4Op::WRITE] = {Nfs4Status::BAD_STATEID};
    m_server->log.clear();
    EXPECT_TRUE(Write(file, 0, "text").IsOk());
    EXPECT_EQ(
        m_server->log,
        Log({"PUTFH WRITE GETATTR", "PUTFH OPEN GETFH ACCESS GETATTR", "PUTFH WRITE GETATTR"}));
    Close(file);
    Unmount();
}

TEST_F(Nfs40Recovery, RecallOnTheConnectionOfTheServer)
{
    m_server->delegation = OpenDelegationType4::READ;
    Mount();
    const auto file = Open("file").file;
    m_server->delegation = OpenDelegationType4::NONE;
    m_server->log.clear();
    EXPECT_EQ(CallBack({CbRecallArgs4{m_server->GetDelegationStateId(),
                                      false,
                                      Nfs4Fh(file->GetObject().octets)}})
                  .status,
              Nfs4Status::OK);
    RunFor(MilliSeconds(1));
    EXPECT_EQ(m_server->log, Log({"PUTFH GETATTR DELEGRETURN"}));
    Close(file);
    Unmount();
}

} // namespace ns3::nfsrdma::test
