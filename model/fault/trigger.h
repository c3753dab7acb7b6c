/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_TRIGGER_H
#define NFSRDMA_FAULT_TRIGGER_H

#include "fault/specification.h"

#include <functional>

namespace ns3::nfsrdma
{

/// Counts the occurrences of what a fault waits for, and says with which of them it happens.
class FaultTrigger
{
  public:
    /// Gives a number from 0 to below 1, for faults with a probability.
    using Draw = std::function<double()>;

    FaultTrigger(FaultWhen when, Draw draw);

    /// An event has occurred where the fault looks.
    /// \return whether the fault happens
    [[nodiscard]] bool Take(const FaultEvent& event, Time now);
    /// The fault is due by time. \return when it is again; none: no more.
    [[nodiscard]] std::optional<Time> TakeTime();

    /// \return whether it will never happen again, whatever occurs from \p now on.
    [[nodiscard]] bool IsOver(Time now) const;

    /// \return occurrences counted.
    [[nodiscard]] uint64_t GetOccurrences() const
    {
        return m_occurrences;
    }

    /// \return how often it has happened.
    [[nodiscard]] uint64_t GetFirings() const
    {
        return m_firings;
    }

  private:
    [[nodiscard]] bool Chooses();

    FaultWhen m_when;
    Draw m_draw;
    uint64_t m_occurrences{0};
    uint64_t m_firings{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_TRIGGER_H
