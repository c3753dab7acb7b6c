/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SECURITY_GSS_MIX_H
#define NFSRDMA_RPC_SECURITY_GSS_MIX_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// \return \p value mixed one to one (the finaliser of SplitMix64): stands in for a cipher, and is
/// none.
constexpr uint64_t
MixGss(uint64_t value)
{
    value += 0x9e3779b97f4a7c15ULL;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31U);
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SECURITY_GSS_MIX_H
