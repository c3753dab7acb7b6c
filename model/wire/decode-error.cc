/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire/decode-error.h"

#include "wire/name-of.h"

namespace ns3::nfsrdma
{

const char*
ToString(WireError error)
{
    return NameOf(error,
                  {{WireError::TRUNCATED, "truncated"},
                   {WireError::TRAILING_DATA, "trailing data"},
                   {WireError::BAD_VALUE, "bad value"},
                   {WireError::BAD_VERSION, "bad version"},
                   {WireError::BAD_CHECKSUM, "bad checksum"},
                   {WireError::TOO_LONG, "too long"}});
}

} // namespace ns3::nfsrdma
