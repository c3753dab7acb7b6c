/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_PLANNED_EVENT_H
#define NFSRDMA_WIRE_PLANNED_EVENT_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

/**
 * \brief A call of a member function that is to come, at most one at a time, of which its owner
 * knows whether it is to come, and when, without asking the simulator.
 *
 * For what asks that for each frame or work request: EventId::IsRunning() asks the simulator, which
 * costs as much as a fifth of an event. It stays where it is made, and is cancelled before its
 * owner goes.
 */
class PlannedEvent
{
  public:
    PlannedEvent() = default;
    PlannedEvent(const PlannedEvent&) = delete;
    PlannedEvent& operator=(const PlannedEvent&) = delete;
    ~PlannedEvent() = default;

    /// Has \p method of \p object called at \p due, not before \p now, which is now; in place of
    /// what was to come.
    template <typename Object>
    void Plan(Time now, Time due, void (Object::*method)(), Object* object)
    {
        Cancel();
        m_due = due;
        m_event = Simulator::Schedule(due - now, [this, method, object] {
            m_isRunning = false;
            (object->*method)();
        });
        m_isRunning = true;
    }

    void Cancel()
    {
        if (m_isRunning)
        {
            m_isRunning = false;
            m_event.Cancel();
        }
    }

    /// \return whether it is to come.
    [[nodiscard]] bool IsRunning() const
    {
        return m_isRunning;
    }

    /// \return when, if it is to come.
    [[nodiscard]] Time GetDue() const
    {
        return m_due;
    }

  private:
    EventId m_event;
    Time m_due;
    bool m_isRunning{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_PLANNED_EVENT_H
