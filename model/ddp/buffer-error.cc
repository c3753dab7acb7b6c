/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ddp/buffer-error.h"

#include "wire/name-of.h"

namespace ns3::nfsrdma
{

const char*
ToString(DdpError error)
{
    return NameOf(error,
                  {{DdpError::LOCAL_CATASTROPHIC, "local catastrophic error"},
                   {DdpError::TAGGED_INVALID_STAG, "invalid STag"},
                   {DdpError::TAGGED_BOUNDS, "base or bounds violation"},
                   {DdpError::TAGGED_NOT_ASSOCIATED, "STag not associated with the stream"},
                   {DdpError::TAGGED_WRAP, "TO wrap"},
                   {DdpError::TAGGED_VERSION, "invalid DDP version"},
                   {DdpError::UNTAGGED_VERSION, "invalid DDP version"},
                   {DdpError::UNTAGGED_INVALID_QN, "invalid QN"},
                   {DdpError::UNTAGGED_NO_BUFFER, "no buffer"},
                   {DdpError::UNTAGGED_MSN_RANGE, "MSN out of range"},
                   {DdpError::UNTAGGED_INVALID_MO, "invalid MO"},
                   {DdpError::UNTAGGED_TOO_LONG, "message too long for the buffer"}});
}

} // namespace ns3::nfsrdma
