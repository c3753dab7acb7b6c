/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/lease.h"
#include "nfs/v4/client/recovery-plan.h"
#include "nfs/v4/client/seqid-owner.h"
#include "nfs/v4/protocol/session-ops.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

using Step = Nfs4RecoveryStep;

/// Carries all steps out, each with success, and names them.
std::vector<std::string>
CarryOut(Nfs4RecoveryPlan& plan)
{
    std::vector<std::string> steps;
    while (plan.GetNext() != Step::NONE)
    {
        const Step step = plan.GetNext();
        steps.emplace_back(ToString(step));
        EXPECT_TRUE(plan.Finish(step, Nfs4Status::OK));
    }
    return steps;
}

using StepNames = std::vector<std::string>;

} // namespace

TEST(Nfs4RecoveryPlan, FirstLeaseEndsWithReclaimOnlyWhenThereAreSessions)
{
    Nfs4RecoveryPlan plan(true);
    EXPECT_FALSE(plan.IsRecovering());
    plan.Begin();
    EXPECT_TRUE(plan.IsRecovering());
    EXPECT_EQ(CarryOut(plan), StepNames({"LEASE_EXPIRED", "RECLAIM_REBOOT"}));
    Nfs4RecoveryPlan old(false);
    old.Begin();
    EXPECT_EQ(CarryOut(old), StepNames({"LEASE_EXPIRED"}));
}

TEST(Nfs4RecoveryPlan, ServerRestartAsLinuxsClientRecovers)
{
    Nfs4RecoveryPlan plan(true);
    EXPECT_TRUE(plan.TakeStateError(Nfs4Status::BADSESSION));
    ASSERT_EQ(plan.GetNext(), Step::SESSION_RESET);
    EXPECT_TRUE(plan.Finish(Step::SESSION_RESET, Nfs4Status::STALE_CLIENTID));
    ASSERT_EQ(plan.GetNext(), Step::LEASE_EXPIRED);
    EXPECT_TRUE(plan.Finish(Step::LEASE_EXPIRED, Nfs4Status::OK));
    ASSERT_EQ(plan.GetNext(), Step::RECLAIM_REBOOT);
    plan.Add(Step::RECLAIM_NOGRACE); // a reclaim was answered with NO_GRACE
    EXPECT_TRUE(plan.Finish(Step::RECLAIM_REBOOT, Nfs4Status::OK));
    ASSERT_EQ(plan.GetNext(), Step::RECLAIM_NOGRACE);
    EXPECT_TRUE(plan.Finish(Step::RECLAIM_NOGRACE, Nfs4Status::OK));
    EXPECT_FALSE(plan.IsRecovering());
}

TEST(Nfs4RecoveryPlan, FlagsOfSequence)
{
    const std::vector<std::pair<uint32_t, StepNames>> cases{
        {0, {}},
        {SEQ4_STATUS_RESTART_RECLAIM_NEEDED, {"LEASE_EXPIRED", "RECLAIM_REBOOT"}},
        {SEQ4_STATUS_EXPIRED_ALL_STATE_REVOKED,
         {"PURGE_STATE", "LEASE_EXPIRED", "RECLAIM_NOGRACE"}},
        {SEQ4_STATUS_EXPIRED_SOME_STATE_REVOKED, {"RECLAIM_NOGRACE"}},
        {SEQ4_STATUS_ADMIN_STATE_REVOKED, {"RECLAIM_NOGRACE"}},
        {SEQ4_STATUS_RECALLABLE_STATE_REVOKED, {"DELEGATION_EXPIRED"}},
        {SEQ4_STATUS_BACKCHANNEL_FAULT, {"SESSION_RESET"}},
        {SEQ4_STATUS_CB_PATH_DOWN, {"BIND_CONN_TO_SESSION"}},
        {SEQ4_STATUS_CB_PATH_DOWN_SESSION, {"BIND_CONN_TO_SESSION"}},
    };
    for (const auto& [flags, steps] : cases)
    {
        Nfs4RecoveryPlan plan(true);
        EXPECT_EQ(plan.TakeFlags(flags, false), !steps.empty()) << flags;
        EXPECT_EQ(CarryOut(plan), steps) << flags;
    }
    Nfs4RecoveryPlan plan(true);
    EXPECT_FALSE(plan.TakeFlags(SEQ4_STATUS_CB_PATH_DOWN, true));
    EXPECT_FALSE(plan.IsRecovering());
}

TEST(Nfs4RecoveryPlan, ErrorsOfOperations)
{
    const std::vector<std::pair<Nfs4Status, StepNames>> cases{
        {Nfs4Status::DEADSESSION, {"SESSION_RESET"}},
        {Nfs4Status::CONN_NOT_BOUND_TO_SESSION, {"BIND_CONN_TO_SESSION"}},
        {Nfs4Status::STALE_CLIENTID, {"LEASE_EXPIRED", "RECLAIM_REBOOT"}},
        {Nfs4Status::EXPIRED, {"RECLAIM_NOGRACE"}},
        {Nfs4Status::BAD_STATEID, {"RECLAIM_NOGRACE"}},
        {Nfs4Status::ADMIN_REVOKED, {"RECLAIM_NOGRACE"}},
    };
    for (const auto& [status, steps] : cases)
    {
        Nfs4RecoveryPlan plan(true);
        EXPECT_TRUE(plan.TakeStateError(status)) << ToString(status);
        EXPECT_EQ(CarryOut(plan), steps) << ToString(status);
    }
    Nfs4RecoveryPlan plan(true);
    EXPECT_FALSE(plan.TakeStateError(Nfs4Status::NOENT));
    EXPECT_FALSE(plan.IsRecovering());
    Nfs4RecoveryPlan old(false);
    EXPECT_TRUE(old.TakeStateError(Nfs4Status::STALE_STATEID));
    ASSERT_EQ(old.GetNext(), Step::CHECK_LEASE);
    EXPECT_TRUE(old.Finish(Step::CHECK_LEASE, Nfs4Status::STALE_CLIENTID));
    EXPECT_EQ(CarryOut(old), StepNames({"LEASE_EXPIRED", "RECLAIM_REBOOT"}));
}

TEST(Nfs4RecoveryPlan, LeaseThatCannotBeHadEndsRecovery)
{
    Nfs4RecoveryPlan plan(true);
    plan.Begin();
    EXPECT_TRUE(plan.Finish(Step::LEASE_EXPIRED, Nfs4Status::STALE_CLIENTID));
    EXPECT_EQ(plan.GetNext(), Step::LEASE_EXPIRED);
    EXPECT_FALSE(plan.Finish(Step::LEASE_EXPIRED, Nfs4Status::CLID_INUSE));
}

TEST(Nfs4RecoveryPlan, ReturnOfDelegationsKeepsNoCallWaiting)
{
    Nfs4RecoveryPlan plan(true);
    plan.Add(Step::DELEGRETURN);
    EXPECT_FALSE(plan.IsRecovering());
    EXPECT_EQ(plan.GetNext(), Step::DELEGRETURN);
}

TEST(Nfs4Lease, RenewedAtTwoThirds)
{
    Nfs4Lease lease;
    lease.SetPeriod(Seconds(90));
    lease.Renewed(Seconds(10));
    EXPECT_EQ(lease.GetDelay(Seconds(10)), Seconds(60));
    EXPECT_EQ(lease.GetDelay(Seconds(40)), Seconds(30));
    EXPECT_EQ(lease.GetDelay(Seconds(69)), Seconds(5));
    EXPECT_FALSE(lease.IsDue(Seconds(40)));
    EXPECT_TRUE(lease.IsDue(Seconds(41)));
    lease.Renewed(Seconds(5)); // an older call, answered later
    EXPECT_EQ(lease.GetRenewed(), Seconds(10));
}

TEST(Nfs4SeqidOwner, NamesHaveTheSizesOfLinux)
{
    EXPECT_EQ(Nfs4SeqidOwner::MakeOpenOwner(1, 2, 3).size(), 24U);
    EXPECT_EQ(Nfs4SeqidOwner::MakeLockOwner(1, 2).size(), 20U);
}

TEST(Nfs4SeqidOwner, CallsGoOneAtATimeInOrder)
{
    Nfs4SeqidOwner owner;
    std::vector<std::pair<int, uint32_t>> started;
    for (int i = 0; i < 3; ++i)
    {
        owner.Enqueue([&owner, &started, i] { started.emplace_back(i, owner.GetSeqid()); });
    }
    using Started = std::vector<std::pair<int, uint32_t>>;
    EXPECT_EQ(started, Started({{0, 0}}));
    owner.Seqid().Answered(Nfs4Status::DELAY); // made again, with the next number
    EXPECT_EQ(owner.GetSeqid(), 1U);
    owner.Seqid().Answered(Nfs4Status::OK);
    owner.Finish();
    EXPECT_EQ(started, Started({{0, 0}, {1, 2}}));
    owner.Seqid().Answered(Nfs4Status::BAD_STATEID); // does not count up
    owner.Finish();
    EXPECT_EQ(started, Started({{0, 0}, {1, 2}, {2, 2}}));
    owner.Seqid().Answered(Nfs4Status::NOENT);
    owner.Finish();
    EXPECT_EQ(owner.GetSeqid(), 3U);
    EXPECT_EQ(owner.GetPending(), 0U);
}

} // namespace ns3::nfsrdma
