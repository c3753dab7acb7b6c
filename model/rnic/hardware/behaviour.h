/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_BEHAVIOUR_H
#define NFSRDMA_RNIC_HARDWARE_BEHAVIOUR_H

#include "rnic/hardware/defences.h"
#include "rnic/queue/fault-status.h"

namespace ns3::nfsrdma
{

/**
 * \brief Where RNICs and their drivers differ in what a consumer sees: a part of a profile.
 */
class RnicBehaviour : public RnicDefences
{
  public:
    /// When the consumer of a responder hears that its connection is established.
    enum Established
    {
        REPLY, ///< Once the Reply has been sent, or the ready-to-receive FPDU agreed on has come.
        FIRST_FPDU ///< Once the first FPDU has come.
    };

    static TypeId GetTypeId();
    RnicBehaviour();

    /// \return with which statuses work requests at fault complete.
    [[nodiscard]] const FaultStatus& GetFaultStatus() const
    {
        return *m_faultStatus;
    }

    /// \return whether a failed queue pair with a shared receive queue raises QP_LAST_WQE_REACHED.
    [[nodiscard]] bool RaisesLastWqeReached() const
    {
        return m_lastWqeReached;
    }

    /// \return whether a window is open to the queue pair that bound it only, not to all of its
    /// protection domain.
    [[nodiscard]] bool HasWindowsOfQueuePairs() const
    {
        return m_windowsOfQueuePairs;
    }

    [[nodiscard]] Established GetEstablished() const
    {
        return static_cast<Established>(m_established);
    }

    /// \return connections that a listener may have that its consumer has not decided on.
    [[nodiscard]] uint32_t GetListenBacklog() const
    {
        return m_listenBacklog;
    }

  private:
    void SetFaultStatus(int kind);

    const FaultStatus* m_faultStatus;
    bool m_lastWqeReached{false};
    bool m_windowsOfQueuePairs{false};
    int m_established{REPLY};
    uint32_t m_listenBacklog{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_BEHAVIOUR_H
