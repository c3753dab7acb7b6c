/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_CONNECTION_ERROR_H
#define NFSRDMA_MPA_CONNECTION_ERROR_H

#include <cstddef>
#include <cstdint>

namespace ns3::nfsrdma
{

/// MPA error codes, RFC 5044 section 8 and RFC 6581 section 6; values as in a Terminate message.
enum class MpaError : uint8_t
{
    LLP_LOST = 1,           ///< TCP closed, reset or lost.
    CRC_MISMATCH = 2,       ///< Received CRC differs from the computed one.
    MARKER_MISMATCH = 3,    ///< Marker and length field disagree.
    INVALID_STARTUP = 4,    ///< Invalid Request or Reply frame, or none in time.
    LOCAL_CATASTROPHIC = 5, ///< Local error during enhanced startup.
    INSUFFICIENT_IRD = 6,   ///< The peer cannot hold the RDMA Reads wanted.
    NO_MATCHING_RTR = 7,    ///< No ready-to-receive type in common.
};

/// Size of an array indexed by MpaError.
inline constexpr std::size_t MPA_ERRORS = 8;

/// \return the name of \p error.
const char* ToString(MpaError error);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_CONNECTION_ERROR_H
