/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_INTERRUPT_MODERATOR_H
#define NFSRDMA_RNIC_HARDWARE_INTERRUPT_MODERATOR_H

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/// Which entries of a completion queue raise its notification (as ibv_req_notify_cq).
enum class NotifyKind
{
    NEXT,      ///< The next entry of any kind.
    SOLICITED, ///< The next of a Send with Solicited Event, or with an error.
};

/**
 * \brief Decides which entry of a completion queue raises an interrupt.
 *
 * Armed once, it tells of one interrupt: when \e count entries of the armed kind have been written,
 * or \e period after the first of them (as ibv_modify_cq). NEXT stands over SOLICITED: arming for
 * NEXT widens, arming for SOLICITED does not narrow what is armed.
 */
class InterruptModerator
{
  public:
    enum class Action
    {
        NONE,
        START_TIMER, ///< Call Expire() when the period is over, unless INTERRUPT comes first.
        INTERRUPT,
    };

    /// With a count of 0 or 1, or without a period, nothing is held back.
    void SetModeration(uint32_t count, Time period);

    [[nodiscard]] Time GetPeriod() const
    {
        return m_period;
    }

    void Arm(NotifyKind kind);

    /// \return whether an entry, \p solicited or not, is of the armed kind.
    [[nodiscard]] bool Heeds(bool solicited) const
    {
        return m_armed && (*m_armed == NotifyKind::NEXT || solicited);
    }

    /// \return whether the next entry of the armed kind raises no interrupt by itself.
    [[nodiscard]] bool HoldsBack() const
    {
        return m_held + 1 < m_count && !m_period.IsZero();
    }

    /// An entry has been written; \p solicited as SOLICITED has it.
    Action Write(bool solicited);
    /// The period is over: an interrupt is due.
    void Expire();

  private:
    std::optional<NotifyKind> m_armed;
    uint32_t m_count{1};
    Time m_period;
    uint32_t m_held{0}; ///< Entries since it was armed.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_INTERRUPT_MODERATOR_H
