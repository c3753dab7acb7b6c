/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_ASYNC_EVENT_REPORTER_H
#define NFSRDMA_RNIC_QUEUE_ASYNC_EVENT_REPORTER_H

#include "rnic/queue/async-event.h"

#include "ns3/event-id.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Tells of the async events of one object, in the order in which they were raised.
 *
 * Events are told from a simulator event of their own, so that whoever hears of one may call any
 * verb, and destroy the object.
 */
class AsyncEventReporter
{
  public:
    using Trace = TracedCallback<AsyncEventType, uint32_t>;

    /// \param trace outlives this object
    explicit AsyncEventReporter(const Trace& trace);
    ~AsyncEventReporter();
    AsyncEventReporter(const AsyncEventReporter&) = delete;
    AsyncEventReporter& operator=(const AsyncEventReporter&) = delete;

    /// Tells of \p type, about the object with this \p number, as the next thing that happens.
    void Raise(AsyncEventType type, uint32_t number);
    /// Forgets what has not been told.
    void Close();

  private:
    void Tell(uint32_t number);

    const Trace& m_trace;
    std::vector<AsyncEventType> m_raised;
    std::shared_ptr<bool> m_open; ///< Outlives this object while it tells.
    EventId m_event;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_ASYNC_EVENT_REPORTER_H
