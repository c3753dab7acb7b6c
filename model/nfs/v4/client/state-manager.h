/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_STATE_MANAGER_H
#define NFSRDMA_NFS_V4_CLIENT_STATE_MANAGER_H

#include "nfs/v4/client/reclaimer.h"
#include "nfs/v4/client/recovery-plan.h"
#include "nfs/v4/client/task.h"

#include "ns3/event-id.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

class Nfs4CompoundClient;

/**
 * \brief The life of a client at its server, as Linux's nfs4_state_manager(): carries out the steps
 * of an Nfs4RecoveryPlan, one after the other, at the start and whenever an error or a flag of
 * SEQUENCE asks for some.
 *
 * Before most steps the calls under way are waited for; meanwhile others wait.
 */
class Nfs4StateManager
{
  public:
    using Done = std::function<void(RpcOutcome outcome, Nfs4Status status)>;
    using StepDone = TracedCallback<Nfs4RecoveryStep, Nfs4Status>;

    /// \param client whose life it is; owns this
    /// \param stepDone is told of each step that has ended
    Nfs4StateManager(Nfs4CompoundClient& client, const StepDone& stepDone);

    /// Gets a client ID and a session. \p done is called once, later.
    void Start(Done done);
    /// Returns delegations, gives up session and client ID. No task may be pending or follow.
    void Stop(Done done);
    /// Does nothing more.
    void Clear();
    /// The host has crashed: calls wait, and nothing is done, until Boot().
    void Crash();
    /// Introduces itself again as a client that has booted, and opens what is open anew; goes on
    /// with a Start() that has not ended.
    void Boot();

    /// \return whether it is between Start() and the end of Stop().
    [[nodiscard]] bool IsRunning() const
    {
        return m_started;
    }

    /// \return whether session and client ID are being given up.
    [[nodiscard]] bool IsStopping() const
    {
        return m_stopping;
    }

    /// \return whether it runs, and Stop() has not been called.
    [[nodiscard]] bool KeepsLease() const
    {
        return m_started && !m_stopDone;
    }

    [[nodiscard]] Nfs4RecoveryPlan& Plan()
    {
        return m_plan;
    }

    /// \return whether a step is being carried out.
    [[nodiscard]] bool IsRecovering() const
    {
        return m_recovering;
    }

    /// \return steps carried out.
    [[nodiscard]] uint64_t GetRecoveries() const
    {
        return m_recoveries;
    }

    /// Adds a line when recovery keeps calls waiting.
    void Describe(std::vector<std::string>& lines) const;

    /// SEQUENCE was answered with these flags; see Nfs4RecoveryPlan.
    void TakeFlags(uint32_t flags, bool privileged);
    /// \p task was refused. \return whether it should be made again; then Schedule() is due.
    [[nodiscard]] bool TakeStateError(const Nfs4Task& task, Nfs4Status status);
    /// Carries out what is due, soon.
    void Schedule();
    /// A call has ended: goes on when it was waited for.
    void Wake();

  private:
    /// Gets a lease, as a mount does.
    void Introduce();
    void Recover();
    void CarryOut(Nfs4RecoveryStep step);
    void FinishStep(Nfs4RecoveryStep step, RpcOutcome outcome, Nfs4Status status);
    void EndRecovery(RpcOutcome outcome, Nfs4Status status);
    void CheckLease(const Done& done);
    void Destroy();
    void EndStop(RpcOutcome outcome, Nfs4Status status);
    void EndStopSoon();

    Nfs4CompoundClient& m_client;
    const StepDone& m_stepDone;
    Nfs4Reclaimer m_reclaimer;
    Nfs4RecoveryPlan m_plan{true};
    bool m_started{false};
    bool m_stopping{false};
    bool m_down{false}; ///< From Crash() to Boot().
    bool m_recovering{false};
    bool m_draining{false};
    Done m_startDone;
    Done m_stopDone;
    EventId m_event;
    uint64_t m_recoveries{0};
    uint32_t m_attempts{0}; ///< Steps carried out since the last call that was not one.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_STATE_MANAGER_H
