/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/async-event.h"

namespace ns3::nfsrdma
{

const char*
ToString(AsyncEventType type)
{
    switch (type)
    {
    case AsyncEventType::CQ_ERR:
        return "CQ_ERR";
    case AsyncEventType::QP_FATAL:
        return "QP_FATAL";
    case AsyncEventType::QP_REQ_ERR:
        return "QP_REQ_ERR";
    case AsyncEventType::QP_ACCESS_ERR:
        return "QP_ACCESS_ERR";
    case AsyncEventType::SQ_DRAINED:
        return "SQ_DRAINED";
    case AsyncEventType::DEVICE_FATAL:
        return "DEVICE_FATAL";
    case AsyncEventType::SRQ_LIMIT_REACHED:
        return "SRQ_LIMIT_REACHED";
    case AsyncEventType::QP_LAST_WQE_REACHED:
        return "QP_LAST_WQE_REACHED";
    }
    return "unknown";
}

} // namespace ns3::nfsrdma
