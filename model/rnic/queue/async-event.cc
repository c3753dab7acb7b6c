/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/async-event.h"

#include "wire/name-of.h"

namespace ns3::nfsrdma
{

const char*
ToString(AsyncEventType type)
{
    return NameOf(type,
                  {{AsyncEventType::CQ_ERR, "CQ_ERR"},
                   {AsyncEventType::QP_FATAL, "QP_FATAL"},
                   {AsyncEventType::QP_REQ_ERR, "QP_REQ_ERR"},
                   {AsyncEventType::QP_ACCESS_ERR, "QP_ACCESS_ERR"},
                   {AsyncEventType::SQ_DRAINED, "SQ_DRAINED"},
                   {AsyncEventType::DEVICE_FATAL, "DEVICE_FATAL"},
                   {AsyncEventType::SRQ_LIMIT_REACHED, "SRQ_LIMIT_REACHED"},
                   {AsyncEventType::QP_LAST_WQE_REACHED, "QP_LAST_WQE_REACHED"}});
}

} // namespace ns3::nfsrdma
