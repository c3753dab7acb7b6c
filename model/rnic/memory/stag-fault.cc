/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory/stag-fault.h"

namespace ns3::nfsrdma
{

DdpError
ToDdpError(StagFault fault)
{
    switch (fault)
    {
    case StagFault::NOT_ASSOCIATED:
        return DdpError::TAGGED_NOT_ASSOCIATED;
    case StagFault::WRAP:
        return DdpError::TAGGED_WRAP;
    case StagFault::BOUNDS:
        return DdpError::TAGGED_BOUNDS;
    case StagFault::UNKNOWN:
    case StagFault::NOT_VALID:
    case StagFault::ACCESS:
    case StagFault::CANNOT_INVALIDATE:
    case StagFault::WINDOWS_BOUND:
        break;
    }
    return DdpError::TAGGED_INVALID_STAG;
}

RdmapError
ToRdmapError(StagFault fault)
{
    switch (fault)
    {
    case StagFault::NOT_ASSOCIATED:
        return RdmapError::PROTECTION_NOT_ASSOCIATED;
    case StagFault::ACCESS:
        return RdmapError::PROTECTION_ACCESS;
    case StagFault::WRAP:
        return RdmapError::PROTECTION_WRAP;
    case StagFault::BOUNDS:
        return RdmapError::PROTECTION_BOUNDS;
    case StagFault::CANNOT_INVALIDATE:
    case StagFault::WINDOWS_BOUND:
        return RdmapError::PROTECTION_CANNOT_INVALIDATE;
    case StagFault::UNKNOWN:
    case StagFault::NOT_VALID:
        break;
    }
    return RdmapError::PROTECTION_INVALID_STAG;
}

} // namespace ns3::nfsrdma
