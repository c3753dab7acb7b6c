/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_DECODE_ERROR_H
#define NFSRDMA_WIRE_DECODE_ERROR_H

#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// Why octets could not be decoded. Codecs return it; state machines turn it into behaviour.
enum class WireError
{
    TRUNCATED,     ///< The octets end before the format does.
    TRAILING_DATA, ///< Octets are left over after a complete format.
    BAD_VALUE,     ///< A field holds a value that the format does not allow.
    BAD_VERSION,   ///< A version field names a version this codec does not speak.
    BAD_CHECKSUM,  ///< A checksum does not match.
    TOO_LONG,      ///< A length or count passes its limit.
};

/// \return a short English name of \p error, for logs and messages.
const char* ToString(WireError error);

/// A decoded value, or the reason why there is none.
template <typename T>
using Decoded = tl::expected<T, WireError>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_DECODE_ERROR_H
