/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_ASYNC_EVENT_H
#define NFSRDMA_RNIC_ASYNC_EVENT_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// What a device reports outside any completion, numbered as ibv_event_type.
enum class AsyncEventType
{
    CQ_ERR = 0,        ///< A completion queue overflowed.
    QP_FATAL = 1,      ///< Processing of a queue pair failed, or the peer terminated it.
    QP_REQ_ERR = 2,    ///< A Read Request of the peer could not be served.
    QP_ACCESS_ERR = 3, ///< A Write or Send of the peer could not be placed.
};

const char* ToString(AsyncEventType type);

/// Signature of the AsyncEvent trace sources; the number of the queue pair or completion queue.
using AsyncEventTracedCallback = void (*)(AsyncEventType type, uint32_t number);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_ASYNC_EVENT_H
