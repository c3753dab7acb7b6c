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
#include <string>

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

/// An input that is text: its first octet chooses what the text after it is to be. An empty one is
/// taken as the octet 0 alone.
struct FuzzText
{
    explicit FuzzText(ByteSpan input)
    {
        if (!input.empty())
        {
            choice = input[0];
            text.assign(input.begin() + 1, input.end());
        }
    }

    uint8_t choice{0};
    std::string text;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_FUZZ_FUZZ_TARGET_H
