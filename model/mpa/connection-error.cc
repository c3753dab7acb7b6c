/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/connection-error.h"

namespace ns3::nfsrdma
{

const char*
ToString(MpaError error)
{
    switch (error)
    {
    case MpaError::LLP_LOST:
        return "connection lost";
    case MpaError::CRC_MISMATCH:
        return "CRC mismatch";
    case MpaError::MARKER_MISMATCH:
        return "marker mismatch";
    case MpaError::INVALID_STARTUP:
        return "invalid startup frame";
    case MpaError::LOCAL_CATASTROPHIC:
        return "local catastrophic error";
    case MpaError::INSUFFICIENT_IRD:
        return "insufficient IRD";
    case MpaError::NO_MATCHING_RTR:
        return "no matching RTR";
    }
    return "unknown";
}

} // namespace ns3::nfsrdma
