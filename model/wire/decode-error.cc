/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire/decode-error.h"

namespace ns3::nfsrdma
{

const char*
ToString(WireError error)
{
    switch (error)
    {
    case WireError::TRUNCATED:
        return "truncated";
    case WireError::TRAILING_DATA:
        return "trailing data";
    case WireError::BAD_VALUE:
        return "bad value";
    case WireError::BAD_VERSION:
        return "bad version";
    case WireError::BAD_CHECKSUM:
        return "bad checksum";
    case WireError::TOO_LONG:
        return "too long";
    }
    return "unknown";
}

} // namespace ns3::nfsrdma
