/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_ASYNC_EVENT_H
#define NFSRDMA_RNIC_QUEUE_ASYNC_EVENT_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// What a device reports outside any completion, numbered as ibv_event_type.
enum class AsyncEventType
{
    CQ_ERR = 0,               ///< A completion queue overflowed.
    QP_FATAL = 1,             ///< Processing of a queue pair failed, or the peer terminated it.
    QP_REQ_ERR = 2,           ///< A Read Request of the peer could not be served.
    QP_ACCESS_ERR = 3,        ///< A Write or Send of the peer could not be placed.
    SQ_DRAINED = 5,           ///< A queue pair in CLOSING has no more send work.
    DEVICE_FATAL = 8,         ///< The device is gone.
    SRQ_LIMIT_REACHED = 15,   ///< A shared receive queue holds less than its limit.
    QP_LAST_WQE_REACHED = 16, ///< A failed queue pair takes no more from its shared receive queue.
};

const char* ToString(AsyncEventType type);

/// Signature of the AsyncEvent trace sources; the number of the object it is about.
using AsyncEventTracedCallback = void (*)(AsyncEventType type, uint32_t number);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_ASYNC_EVENT_H
