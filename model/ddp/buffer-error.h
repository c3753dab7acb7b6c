/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_DDP_BUFFER_ERROR_H
#define NFSRDMA_DDP_BUFFER_ERROR_H

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief DDP errors, RFC 5041 section 7. The value is (error type << 8 | error code), as both go
 * into a Terminate message of layer 1.
 */
enum class DdpError : uint16_t
{
    LOCAL_CATASTROPHIC = 0x000,
    TAGGED_INVALID_STAG = 0x100,
    TAGGED_BOUNDS = 0x101,
    TAGGED_NOT_ASSOCIATED = 0x102, ///< STag of another stream or protection domain.
    TAGGED_WRAP = 0x103,
    TAGGED_VERSION = 0x104,
    UNTAGGED_INVALID_QN = 0x201,
    UNTAGGED_NO_BUFFER = 0x202,
    UNTAGGED_MSN_RANGE = 0x203,
    UNTAGGED_INVALID_MO = 0x204,
    UNTAGGED_TOO_LONG = 0x205,
    UNTAGGED_VERSION = 0x206,
};

/// \return the name of \p error.
const char* ToString(DdpError error);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_DDP_BUFFER_ERROR_H
