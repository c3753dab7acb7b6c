/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_BYTES_H
#define NFSRDMA_WIRE_BYTES_H

#include <cstdint>
#include <gsl/span>
#include <vector>

namespace ns3::nfsrdma
{

/// Octets that are only read.
using ByteSpan = gsl::span<const uint8_t>;
/// Octets that are written in place.
using MutableByteSpan = gsl::span<uint8_t>;
/// Owned octets.
using ByteVector = std::vector<uint8_t>;

/// Octets of a word, XDR's basic block (RFC 4506 section 3).
constexpr uint32_t XDR_WORD = 4;

/// \return \p length rounded up to the next multiple of four (XDR and MPA padding).
constexpr uint32_t
RoundUp4(uint32_t length)
{
    return (length + 3U) & ~3U;
}

/// \return the pad octets (0 to 3) that follow an item of \p length octets.
constexpr uint32_t
Pad4(uint32_t length)
{
    return RoundUp4(length) - length;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_BYTES_H
