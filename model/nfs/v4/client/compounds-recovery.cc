/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/channels.h"
#include "nfs/v4/client/compounds.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

namespace
{

/// nii_domain and nii_name of Linux 6.1 as Debian builds it.
constexpr const char* IMPLEMENTATION_DOMAIN = "kernel.org";
constexpr const char* IMPLEMENTATION_NAME =
    "Linux 6.1.0-56-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.192-2 (2026-11-16) x86_64";

/// channel_dir_from_client4.
constexpr uint32_t BIND_FORE = 1;
constexpr uint32_t BIND_FORE_OR_BOTH = 3;

/// Steps of one recovery at most, so that a server that never agrees does not keep a run alive.
constexpr uint32_t MAX_STEPS = 64;

ByteVector
ToOctets(const std::string& text)
{
    return ByteVector(text.begin(), text.end());
}

} // namespace

void
Nfs4CompoundClient::Start(Done done)
{
    m_started = true;
    m_stopping = false;
    m_startDone = std::move(done);
    m_plan = Nfs4RecoveryPlan(HasSessions());
    m_openOwner = HasSessions() ? nullptr : std::make_shared<Nfs4SeqidOwner>();
    XdrWriter writer;
    writer.WriteU64(static_cast<uint64_t>(Simulator::Now().GetNanoSeconds()) + 1);
    const ByteVector time = writer.Take();
    std::copy(time.begin(), time.end(), m_bootVerifier.begin());
    m_plan.Begin();
    m_recovering = true;
    // As Linux's ping, and its look for other addresses of the same server.
    const auto trunking = [this](const Nfs4TaskReply& reply) {
        m_recovering = false;
        if (!reply.IsOk())
        {
            EndRecovery(reply.outcome, reply.status);
            return;
        }
        Recover();
    };
    ++m_pending;
    m_rpc->Call(
        NFSPROC4_NULL,
        {},
        RpcReplyEstimate{RpcReplyHeader::ACCEPTED_SIZE, {}, 0, RpcReplyHeader::ACCEPTED_SIZE, true},
        [self = Ptr<Nfs4CompoundClient>(this), trunking](RpcRecord& record,
                                                         const RpcReceivedMessage& /* message */,
                                                         XdrReader& /* reader */) {
            --self->m_pending;
            if (record.outcome != RpcOutcome::SUCCESS)
            {
                self->m_recovering = false;
                self->EndRecovery(record.outcome, Nfs4Status::SERVERFAULT);
            }
            else if (self->HasSessions())
            {
                self->ExchangeId(trunking);
            }
            else
            {
                self->m_recovering = false;
                self->Recover();
            }
        });
}

void
Nfs4CompoundClient::Recover()
{
    if (!m_started || m_recovering || !m_rpc)
    {
        return;
    }
    const Nfs4RecoveryStep step = m_plan.GetNext();
    if (step == Nfs4RecoveryStep::NONE)
    {
        EndRecovery(RpcOutcome::SUCCESS, Nfs4Status::OK);
        return;
    }
    if (m_stopping)
    {
        // What is about to be destroyed is not mended.
        EndRecovery(RpcOutcome::SUCCESS, Nfs4Status::BADSESSION);
        return;
    }
    if (step != Nfs4RecoveryStep::DELEGRETURN && step != Nfs4RecoveryStep::CHECK_LEASE && IsBusy())
    {
        m_draining = true;
        return;
    }
    if (++m_attempts > MAX_STEPS)
    {
        EndRecovery(RpcOutcome::SUCCESS, Nfs4Status::SERVERFAULT);
        return;
    }
    m_draining = false;
    m_recovering = true;
    CarryOut(step);
}

void
Nfs4CompoundClient::CarryOut(Nfs4RecoveryStep step)
{
    ++m_recoveries;
    switch (step)
    {
    case Nfs4RecoveryStep::PURGE_STATE:
        PurgeState();
        return;
    case Nfs4RecoveryStep::LEASE_EXPIRED:
        if (HasSessions())
        {
            ExchangeId([this, step](const Nfs4TaskReply& reply) {
                if (reply.IsOk())
                {
                    CreateSession(step);
                    return;
                }
                FinishStep(step, reply);
            });
            return;
        }
        SetClientId(step);
        return;
    case Nfs4RecoveryStep::SESSION_RESET:
        ResetSession();
        return;
    case Nfs4RecoveryStep::BIND_CONN_TO_SESSION:
        BindConnections(RPC_PATH_MAIN);
        return;
    case Nfs4RecoveryStep::CHECK_LEASE:
        CheckLease();
        return;
    case Nfs4RecoveryStep::RECLAIM_REBOOT:
    case Nfs4RecoveryStep::RECLAIM_NOGRACE:
        ReclaimNext(step);
        return;
    case Nfs4RecoveryStep::DELEGATION_EXPIRED:
        TestDelegations();
        return;
    case Nfs4RecoveryStep::DELEGRETURN:
        for (const auto& [file, delegation] : std::map(m_held.GetDelegations()))
        {
            ReturnDelegation(delegation, nullptr);
        }
        FinishStep(step, RpcOutcome::SUCCESS, Nfs4Status::OK);
        return;
    case Nfs4RecoveryStep::NONE:
        break;
    }
    m_recovering = false;
}

void
Nfs4CompoundClient::FinishStep(Nfs4RecoveryStep step, const Nfs4TaskReply& reply)
{
    FinishStep(step, reply.outcome, reply.status);
}

void
Nfs4CompoundClient::FinishStep(Nfs4RecoveryStep step, RpcOutcome outcome, Nfs4Status status)
{
    m_recovering = false;
    m_stepDoneTrace(step, status);
    const bool newLease = m_plan.Has(Nfs4RecoveryStep::LEASE_EXPIRED);
    if (outcome != RpcOutcome::SUCCESS || !m_plan.Finish(step, status))
    {
        EndRecovery(outcome, status);
        return;
    }
    if (!newLease && m_plan.Has(Nfs4RecoveryStep::LEASE_EXPIRED))
    {
        m_clientConfirmed = false;
        if (status == Nfs4Status::STALE_CLIENTID)
        {
            m_held.MarkReboot();
        }
        else
        {
            m_held.MarkAllRevoked();
        }
    }
    ScheduleRecovery();
}

void
Nfs4CompoundClient::EndRecovery(RpcOutcome outcome, Nfs4Status status)
{
    m_draining = false;
    m_attempts = 0;
    const bool ok = outcome == RpcOutcome::SUCCESS && status == Nfs4Status::OK;
    if (!ok)
    {
        m_plan.Clear();
        EndWaiting(outcome, status);
    }
    if (m_startDone)
    {
        const Done done = std::move(m_startDone);
        m_startDone = nullptr;
        if (!ok)
        {
            m_started = false;
            m_renewal.Cancel();
        }
        done(outcome, status);
    }
    if (ok)
    {
        ScheduleRenewal();
        Pump();
    }
}

void
Nfs4CompoundClient::Ask(Builder build, StepReply done, bool sessionless, bool cacheThis)
{
    auto task = std::make_shared<Nfs4Task>();
    task->build = std::move(build);
    task->done = std::move(done);
    task->privileged = true;
    task->sessionless = sessionless;
    task->cacheThis = cacheThis;
    Submit(task);
}

void
Nfs4CompoundClient::ExchangeId(StepReply done)
{
    Ask(
        [this](Compound4Args& compound) {
            ExchangeIdArgs4 args;
            args.verifier = m_bootVerifier;
            args.ownerId =
                ToOctets("Linux NFSv4." + std::to_string(m_minorVersion) + " " + m_hostName);
            args.flags = EXCHGID4_FLAG_SUPP_MOVED_REFER | EXCHGID4_FLAG_BIND_PRINC_STATEID;
            args.clientImplId = NfsImplId4{IMPLEMENTATION_DOMAIN, IMPLEMENTATION_NAME, {}};
            compound.ops.emplace_back(std::move(args));
        },
        [this, done = std::move(done)](const Nfs4TaskReply& reply) {
            const auto* result = reply.Find<ExchangeIdRes4>();
            if (reply.IsOk() && result != nullptr)
            {
                m_clientId = result->clientId;
                m_clientSequence = result->sequenceId;
                m_clientConfirmed = (result->flags & EXCHGID4_FLAG_CONFIRMED_R) != 0;
            }
            done(reply);
        },
        true);
}

void
Nfs4CompoundClient::CreateSession(Nfs4RecoveryStep step)
{
    Ask(
        [this](Compound4Args& compound) {
            CreateSessionArgs4 args;
            args.clientId = m_clientId;
            args.sequence = m_clientSequence;
            args.flags = CREATE_SESSION4_FLAG_PERSIST | CREATE_SESSION4_FLAG_CONN_BACK_CHAN;
            const auto channels = MakeNfs4ClientChannels(m_slotsWanted,
                                                         m_largestTransfer,
                                                         m_rpc->GetTransport()->GetReverseLimits());
            args.fore = channels.fore;
            args.back = channels.back;
            CallbackSecParms4 security;
            security.sys.machineName = m_hostName;
            args.secParms.push_back(security);
            compound.ops.emplace_back(std::move(args));
        },
        [this, step](const Nfs4TaskReply& reply) {
            const auto* result = reply.Find<CreateSessionRes4>();
            if (!reply.IsOk() || result == nullptr)
            {
                FinishStep(step, reply);
                return;
            }
            ++m_clientSequence;
            m_session = result->sessionId;
            m_hasSession = true;
            m_hasBackChannel = (result->flags & CREATE_SESSION4_FLAG_CONN_BACK_CHAN) != 0;
            m_clientConfirmed = true;
            m_maxResponseSize = result->fore.maxResponseSize;
            m_slots.Reset(std::min(result->fore.maxRequests, m_slotsWanted));
            if (m_callback)
            {
                ResetCallbackSlots(result->back.maxRequests);
            }
            if (step == Nfs4RecoveryStep::LEASE_EXPIRED && m_leaseKnown)
            {
                GetLeaseTime(step);
                return;
            }
            FinishStep(step, reply);
        },
        true);
}

void
Nfs4CompoundClient::SetClientId(Nfs4RecoveryStep step)
{
    Ask(
        [this](Compound4Args& compound) {
            SetclientidArgs4 args;
            args.verifier = m_bootVerifier;
            args.id = ToOctets("Linux NFSv4.0 " + m_hostName + "/" + m_serverName);
            args.cbProgram = NFS4_CALLBACK_PROGRAM;
            args.cbLocation = m_callbackAddress;
            args.callbackIdent = 1;
            compound.ops.emplace_back(std::move(args));
        },
        [this, step](const Nfs4TaskReply& reply) {
            const auto* result = reply.Find<SetclientidRes4>();
            if (!reply.IsOk() || result == nullptr)
            {
                FinishStep(step, reply);
                return;
            }
            m_clientId = result->clientId;
            Ask(
                [this, confirm = result->confirm](Compound4Args& compound) {
                    compound.ops.emplace_back(SetclientidConfirmArgs4{m_clientId, confirm});
                },
                [this, step](const Nfs4TaskReply& confirmed) {
                    if (confirmed.IsOk() && m_leaseKnown)
                    {
                        GetLeaseTime(step);
                        return;
                    }
                    FinishStep(step, confirmed);
                },
                true);
        },
        true);
}

void
Nfs4CompoundClient::GetLeaseTime(Nfs4RecoveryStep step)
{
    Ask(
        [](Compound4Args& compound) {
            compound.ops.emplace_back(PutrootfhArgs4());
            compound.ops.emplace_back(GetattrArgs4{MakeAttrMask({Nfs4Attr::LEASE_TIME})});
        },
        [this, step](const Nfs4TaskReply& reply) {
            const auto* result = reply.Find<GetattrRes4>();
            if (reply.IsOk() && result != nullptr && result->attributes.leaseTime)
            {
                SetLeasePeriod(Seconds(*result->attributes.leaseTime));
            }
            FinishStep(step, reply);
        });
}

void
Nfs4CompoundClient::ResetSession()
{
    Ask([this](
            Compound4Args& compound) { compound.ops.emplace_back(DestroySessionArgs4{m_session}); },
        [this](const Nfs4TaskReply& reply) {
            const bool gone = reply.status == Nfs4Status::OK ||
                              reply.status == Nfs4Status::BADSESSION ||
                              reply.status == Nfs4Status::DEADSESSION;
            if (reply.outcome != RpcOutcome::SUCCESS || !gone)
            {
                FinishStep(Nfs4RecoveryStep::SESSION_RESET, reply);
                return;
            }
            m_hasSession = false;
            CreateSession(Nfs4RecoveryStep::SESSION_RESET);
        },
        true);
}

void
Nfs4CompoundClient::BindConnections(RpcPath path)
{
    auto task = std::make_shared<Nfs4Task>();
    task->privileged = true;
    task->sessionless = true;
    task->path = path;
    const bool back = path == RPC_PATH_MAIN && m_hasBackChannel;
    task->build = [this, back](Compound4Args& compound) {
        compound.ops.emplace_back(
            BindConnToSessionArgs4{m_session, back ? BIND_FORE_OR_BOTH : BIND_FORE, false});
    };
    task->done = [this, path](const Nfs4TaskReply& reply) {
        if (reply.IsOk() && path + 1 < m_rpc->GetTransport()->GetPathCount())
        {
            BindConnections(path + 1);
            return;
        }
        FinishStep(Nfs4RecoveryStep::BIND_CONN_TO_SESSION, reply);
    };
    Submit(task);
}

void
Nfs4CompoundClient::CheckLease()
{
    Ask(
        [this](Compound4Args& compound) {
            if (!HasSessions())
            {
                compound.ops.emplace_back(RenewArgs4{m_clientId});
            }
        },
        [this](const Nfs4TaskReply& reply) { FinishStep(Nfs4RecoveryStep::CHECK_LEASE, reply); });
}

void
Nfs4CompoundClient::PurgeState()
{
    if (!HasSessions())
    {
        FinishStep(Nfs4RecoveryStep::PURGE_STATE, RpcOutcome::SUCCESS, Nfs4Status::OK);
        return;
    }
    Ask([this](
            Compound4Args& compound) { compound.ops.emplace_back(DestroySessionArgs4{m_session}); },
        [this](const Nfs4TaskReply& reply) {
            m_hasSession = false;
            if (reply.outcome != RpcOutcome::SUCCESS)
            {
                FinishStep(Nfs4RecoveryStep::PURGE_STATE, reply);
                return;
            }
            Ask(
                [this](Compound4Args& compound) {
                    compound.ops.emplace_back(DestroyClientidArgs4{m_clientId});
                },
                [this](const Nfs4TaskReply& destroyed) {
                    FinishStep(Nfs4RecoveryStep::PURGE_STATE, destroyed);
                },
                true);
        },
        true);
}

void
Nfs4CompoundClient::Stop(Done done)
{
    m_stopDone = std::move(done);
    m_renewal.Cancel();
    if (!m_started)
    {
        Simulator::ScheduleNow(&Nfs4CompoundClient::EndStop,
                               Ptr<Nfs4CompoundClient>(this),
                               RpcOutcome::SUCCESS,
                               Nfs4Status::OK);
        return;
    }
    ReturnAll([this] { Destroy(); });
}

void
Nfs4CompoundClient::Destroy()
{
    m_stopping = true;
    m_renewal.Cancel();
    if (!HasSessions())
    {
        Simulator::ScheduleNow(&Nfs4CompoundClient::EndStop,
                               Ptr<Nfs4CompoundClient>(this),
                               RpcOutcome::SUCCESS,
                               Nfs4Status::OK);
        return;
    }
    Ask([this](
            Compound4Args& compound) { compound.ops.emplace_back(DestroySessionArgs4{m_session}); },
        [this](const Nfs4TaskReply& reply) {
            m_hasSession = false;
            if (reply.outcome != RpcOutcome::SUCCESS)
            {
                EndStop(reply.outcome, reply.status);
                return;
            }
            Ask(
                [this](Compound4Args& compound) {
                    compound.ops.emplace_back(DestroyClientidArgs4{m_clientId});
                },
                [this](const Nfs4TaskReply& destroyed) {
                    // Destroyed before, when the first reply was lost.
                    const bool gone = destroyed.status == Nfs4Status::STALE_CLIENTID;
                    EndStop(destroyed.outcome, gone ? Nfs4Status::OK : destroyed.status);
                },
                true);
        },
        true);
}

void
Nfs4CompoundClient::EndStop(RpcOutcome outcome, Nfs4Status status)
{
    m_started = false;
    m_stopping = false;
    m_plan.Clear();
    m_held.Clear();
    m_recovery.Cancel();
    if (m_stopDone)
    {
        const Done done = std::move(m_stopDone);
        m_stopDone = nullptr;
        done(outcome, status);
    }
}

void
Nfs4CompoundClient::ScheduleRenewal()
{
    if (m_started && !m_stopDone && !m_renewal.IsRunning())
    {
        m_renewal = Simulator::Schedule(m_lease.GetDelay(Simulator::Now()),
                                        &Nfs4CompoundClient::RenewLease,
                                        this);
    }
}

void
Nfs4CompoundClient::RenewLease()
{
    if (!m_lease.IsDue(Simulator::Now()) || m_renewing || m_plan.IsRecovering())
    {
        ScheduleRenewal();
        return;
    }
    m_renewing = true;
    auto task = std::make_shared<Nfs4Task>();
    if (!HasSessions())
    {
        task->build = [this](Compound4Args& compound) {
            compound.ops.emplace_back(RenewArgs4{m_clientId});
        };
    }
    task->done = [this](const Nfs4TaskReply& /* reply */) {
        m_renewing = false;
        ScheduleRenewal();
    };
    Submit(task);
}

} // namespace ns3::nfsrdma
