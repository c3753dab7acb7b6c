/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_VERIFIER_NUMBER_H
#define NFSRDMA_NFS_TYPES_VERIFIER_NUMBER_H

#include <array>
#include <boost/endian/conversion.hpp>
#include <cstdint>

namespace ns3::nfsrdma
{

// Verifiers of versions 3 and 4, eight octets that only their maker understands, as the numbers
// that the file clients of both give.

/// \return the number whose big-endian octets are \p verifier.
inline uint64_t
ToNumber(const std::array<uint8_t, 8>& verifier)
{
    return boost::endian::load_big_u64(verifier.data());
}

/// \return \p number as eight octets, big endian.
inline std::array<uint8_t, 8>
ToVerifier(uint64_t number)
{
    std::array<uint8_t, 8> verifier{};
    boost::endian::store_big_u64(verifier.data(), number);
    return verifier;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_VERIFIER_NUMBER_H
