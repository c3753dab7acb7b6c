/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/state-manager.h"

#include "nfs/v4/client/compounds.h"
#include "wire/ns3-version.h"

#include "ns3/simulator.h"

#include <map>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// Steps of one recovery at most, so that a server that never agrees does not keep a run alive.
constexpr uint32_t MAX_STEPS = 64;

} // namespace

Nfs4StateManager::Nfs4StateManager(Nfs4CompoundClient& client, const StepDone& stepDone)
    : m_client(client),
      m_stepDone(stepDone),
      m_reclaimer(client)
{
}

void
Nfs4StateManager::Describe(std::vector<std::string>& lines) const
{
    if (m_recovering || m_draining)
    {
        lines.push_back(std::string("recovery: ") + ToString(m_plan.GetNext()) +
                        (m_draining ? ", waits for calls to end" : ""));
    }
}

void
Nfs4StateManager::Clear()
{
    m_event.Cancel();
    m_started = false;
    m_startDone = nullptr;
    m_stopDone = nullptr;
}

void
Nfs4StateManager::Start(Done done)
{
    m_started = true;
    m_stopping = false;
    m_startDone = std::move(done);
    m_plan = Nfs4RecoveryPlan(m_client.HasSessions());
    m_client.GetOwners().Begin();
    m_plan.Begin();
    Introduce();
}

void
Nfs4StateManager::Crash()
{
    m_event.Cancel();
    m_down = m_started;
    m_draining = false;
    m_recovering = false;
    m_plan.Clear();
    m_plan.Begin();
    m_plan.Add(Nfs4RecoveryStep::RECLAIM_NOGRACE);
}

void
Nfs4StateManager::Boot()
{
    if (std::exchange(m_down, false))
    {
        m_stopping = false;
        m_attempts = 0;
        m_client.GetOwners().RenewOpenOwner();
        Introduce();
    }
}

void
Nfs4StateManager::Introduce()
{
    m_client.GetSession().Begin();
    m_recovering = true;
    const auto begin = [this](RpcOutcome outcome, Nfs4Status status) {
        if (m_down)
        {
            return;
        }
        m_recovering = false;
        if (outcome != RpcOutcome::SUCCESS || status != Nfs4Status::OK)
        {
            EndRecovery(outcome, status);
            return;
        }
        Recover();
    };
    // As Linux's ping, and its look for other addresses of the same server.
    m_client.GetTasks().Ping([this, begin](RpcOutcome outcome) {
        if (outcome == RpcOutcome::SUCCESS && m_client.HasSessions())
        {
            m_client.GetSession().ExchangeId(begin);
            return;
        }
        begin(outcome, outcome == RpcOutcome::SUCCESS ? Nfs4Status::OK : Nfs4Status::SERVERFAULT);
    });
}

void
Nfs4StateManager::TakeFlags(uint32_t flags, bool privileged)
{
    if (m_stopping || !m_plan.TakeFlags(flags, privileged))
    {
        return;
    }
    auto& held = m_client.GetHeld();
    if (m_plan.Has(Nfs4RecoveryStep::PURGE_STATE))
    {
        held.MarkAllRevoked();
    }
    else if (m_plan.Has(Nfs4RecoveryStep::LEASE_EXPIRED))
    {
        held.MarkReboot();
    }
    else if (m_plan.Has(Nfs4RecoveryStep::RECLAIM_NOGRACE) ||
             m_plan.Has(Nfs4RecoveryStep::DELEGATION_EXPIRED))
    {
        held.MarkSomeRevoked();
    }
    Schedule();
}

bool
Nfs4StateManager::TakeStateError(const Nfs4Task& task, Nfs4Status status)
{
    if (!m_plan.TakeStateError(status))
    {
        return false;
    }
    auto& held = m_client.GetHeld();
    if (status == Nfs4Status::STALE_CLIENTID && m_client.HasSessions())
    {
        held.MarkReboot();
    }
    if (task.open && m_plan.Has(Nfs4RecoveryStep::RECLAIM_NOGRACE))
    {
        task.open->reclaimNoGrace = true;
        task.open->testFirst = m_client.HasSessions();
        if (const auto delegation = held.FindDelegation(task.open->file))
        {
            delegation->test = true;
        }
    }
    return true;
}

void
Nfs4StateManager::Schedule()
{
    if (!IsPending(m_event))
    {
        m_event = Simulator::ScheduleNow(&Nfs4StateManager::Recover, this);
    }
}

void
Nfs4StateManager::Wake()
{
    if (m_draining && !m_client.GetTasks().IsBusy())
    {
        m_draining = false;
        Schedule();
    }
}

void
Nfs4StateManager::Recover()
{
    if (!m_started || m_down || m_recovering || !m_client.GetRpcClient())
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
    if (step != Nfs4RecoveryStep::DELEGRETURN && step != Nfs4RecoveryStep::CHECK_LEASE &&
        m_client.GetTasks().IsBusy())
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
Nfs4StateManager::CarryOut(Nfs4RecoveryStep step)
{
    ++m_recoveries;
    const auto done = [this, step](RpcOutcome outcome, Nfs4Status status) {
        FinishStep(step, outcome, status);
    };
    switch (step)
    {
    case Nfs4RecoveryStep::PURGE_STATE:
        if (m_client.HasSessions())
        {
            m_client.GetSession().Destroy(done);
            return;
        }
        done(RpcOutcome::SUCCESS, Nfs4Status::OK);
        return;
    case Nfs4RecoveryStep::LEASE_EXPIRED:
        m_client.GetSession().Establish(done);
        return;
    case Nfs4RecoveryStep::SESSION_RESET:
        m_client.GetSession().Reset(done);
        return;
    case Nfs4RecoveryStep::BIND_CONN_TO_SESSION:
        m_client.GetSession().Bind(done);
        return;
    case Nfs4RecoveryStep::CHECK_LEASE:
        CheckLease(done);
        return;
    case Nfs4RecoveryStep::RECLAIM_REBOOT:
    case Nfs4RecoveryStep::RECLAIM_NOGRACE:
        m_reclaimer.Reclaim(step, done);
        return;
    case Nfs4RecoveryStep::DELEGATION_EXPIRED:
        m_reclaimer.TestDelegations(done);
        return;
    case Nfs4RecoveryStep::DELEGRETURN:
        for (const auto& [file, delegation] : std::map(m_client.GetHeld().GetDelegations()))
        {
            m_client.GetDelegations().Return(delegation, nullptr);
        }
        done(RpcOutcome::SUCCESS, Nfs4Status::OK);
        return;
    case Nfs4RecoveryStep::NONE:
        break;
    }
    m_recovering = false;
}

void
Nfs4StateManager::CheckLease(const Done& done)
{
    const auto task = m_client.HasSessions()
                          ? MakeNfs4Task(false)
                          : MakeNfs4Task(false, RenewArgs4{m_client.GetSession().GetClientId()});
    m_client.GetTasks().Ask(task, [done](const Nfs4TaskReply& reply) {
        done(reply.outcome, reply.status);
    });
}

void
Nfs4StateManager::FinishStep(Nfs4RecoveryStep step, RpcOutcome outcome, Nfs4Status status)
{
    if (m_down)
    {
        return;
    }
    m_recovering = false;
    m_stepDone(step, status);
    const bool newLease = m_plan.Has(Nfs4RecoveryStep::LEASE_EXPIRED);
    if (outcome != RpcOutcome::SUCCESS || !m_plan.Finish(step, status))
    {
        EndRecovery(outcome, status);
        return;
    }
    if (!newLease && m_plan.Has(Nfs4RecoveryStep::LEASE_EXPIRED))
    {
        if (status == Nfs4Status::STALE_CLIENTID)
        {
            m_client.GetHeld().MarkReboot();
        }
        else
        {
            m_client.GetHeld().MarkAllRevoked();
        }
    }
    Schedule();
}

void
Nfs4StateManager::EndRecovery(RpcOutcome outcome, Nfs4Status status)
{
    m_draining = false;
    m_attempts = 0;
    const bool ok = outcome == RpcOutcome::SUCCESS && status == Nfs4Status::OK;
    if (!ok)
    {
        m_plan.Clear();
        m_client.GetTasks().EndWaiting(outcome, status);
    }
    if (m_startDone)
    {
        const Done done = std::exchange(m_startDone, nullptr);
        if (!ok)
        {
            m_started = false;
            m_client.GetRenewal().Cancel();
        }
        done(outcome, status);
    }
    if (ok)
    {
        m_client.GetRenewal().Schedule();
        m_client.GetTasks().Pump();
    }
}

void
Nfs4StateManager::Stop(Done done)
{
    m_stopDone = std::move(done);
    m_client.GetRenewal().Cancel();
    if (!m_started)
    {
        EndStopSoon();
        return;
    }
    m_client.GetDelegations().ReturnAll([this] { Destroy(); });
}

void
Nfs4StateManager::Destroy()
{
    m_stopping = true;
    m_client.GetRenewal().Cancel();
    if (!m_client.HasSessions())
    {
        EndStopSoon();
        return;
    }
    m_client.GetSession().Destroy([this](RpcOutcome outcome, Nfs4Status status) {
        // Destroyed before, when the first reply was lost.
        const bool gone = outcome == RpcOutcome::SUCCESS && status == Nfs4Status::STALE_CLIENTID;
        EndStop(outcome, gone ? Nfs4Status::OK : status);
    });
}

void
Nfs4StateManager::EndStopSoon()
{
    Simulator::ScheduleNow([this, kept = Ptr<Nfs4CompoundClient>(&m_client)] {
        EndStop(RpcOutcome::SUCCESS, Nfs4Status::OK);
    });
}

void
Nfs4StateManager::EndStop(RpcOutcome outcome, Nfs4Status status)
{
    m_started = false;
    m_stopping = false;
    m_plan.Clear();
    m_client.GetHeld().Clear();
    m_event.Cancel();
    if (m_stopDone)
    {
        const Done done = std::exchange(m_stopDone, nullptr);
        done(outcome, status);
    }
}

} // namespace ns3::nfsrdma
