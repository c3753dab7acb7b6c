/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ddp/buffer-error.h"

namespace ns3::nfsrdma
{

const char*
ToString(DdpError error)
{
    switch (error)
    {
    case DdpError::LOCAL_CATASTROPHIC:
        return "local catastrophic error";
    case DdpError::TAGGED_INVALID_STAG:
        return "invalid STag";
    case DdpError::TAGGED_BOUNDS:
        return "base or bounds violation";
    case DdpError::TAGGED_NOT_ASSOCIATED:
        return "STag not associated with the stream";
    case DdpError::TAGGED_WRAP:
        return "TO wrap";
    case DdpError::TAGGED_VERSION:
    case DdpError::UNTAGGED_VERSION:
        return "invalid DDP version";
    case DdpError::UNTAGGED_INVALID_QN:
        return "invalid QN";
    case DdpError::UNTAGGED_NO_BUFFER:
        return "no buffer";
    case DdpError::UNTAGGED_MSN_RANGE:
        return "MSN out of range";
    case DdpError::UNTAGGED_INVALID_MO:
        return "invalid MO";
    case DdpError::UNTAGGED_TOO_LONG:
        return "message too long for the buffer";
    }
    return "unknown";
}

} // namespace ns3::nfsrdma
