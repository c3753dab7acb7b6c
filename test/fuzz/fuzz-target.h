/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_FUZZ_FUZZ_TARGET_H
#define NFSRDMA_TEST_FUZZ_FUZZ_TARGET_H

#include "wire/byte-writer.h"
#include "wire/bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace ns3::nfsrdma
{

/// What each fuzz program defines: takes one input, which may be anything.
void FuzzOne(ByteSpan input);

/// Ends the program, for the fuzzer to report, unless \p held.
inline void
FuzzExpect(bool held)
{
    if (!held)
    {
        std::abort();
    }
}

inline bool
SameOctets(ByteSpan a, ByteSpan b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_FUZZ_FUZZ_TARGET_H
