/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory/stag-index-permutation.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t BITS = 24;
constexpr uint32_t HALF_BITS = BITS / 2;
constexpr uint32_t HALF_MASK = (1U << HALF_BITS) - 1;
/// No position of a table.
constexpr uint32_t SPARE = (1U << BITS) - 1;

/// The finalizer of MurmurHash3, cut to half an index.
uint32_t
Mix(uint32_t half, uint32_t key)
{
    uint32_t value = half ^ key;
    value ^= value >> 16;
    value *= 0x85ebca6b;
    value ^= value >> 13;
    value *= 0xc2b2ae35;
    value ^= value >> 16;
    return value & HALF_MASK;
}

} // namespace

StagIndexPermutation::StagIndexPermutation(const Keys& keys)
    : m_keys(keys)
{
}

uint32_t
StagIndexPermutation::Permute(uint32_t value) const
{
    uint32_t left = value >> HALF_BITS;
    uint32_t right = value & HALF_MASK;
    for (const uint32_t key : m_keys)
    {
        const uint32_t mixed = left ^ Mix(right, key);
        left = right;
        right = mixed;
    }
    return left << HALF_BITS | right;
}

uint32_t
StagIndexPermutation::Restore(uint32_t value) const
{
    uint32_t left = value >> HALF_BITS;
    uint32_t right = value & HALF_MASK;
    for (auto key = m_keys.rbegin(); key != m_keys.rend(); ++key)
    {
        const uint32_t before = right ^ Mix(left, *key);
        right = left;
        left = before;
    }
    return left << HALF_BITS | right;
}

uint32_t
StagIndexPermutation::GetIndex(uint32_t position) const
{
    const uint32_t index = Permute(position);
    return index == 0 ? Permute(SPARE) : index;
}

uint32_t
StagIndexPermutation::GetPosition(uint32_t index) const
{
    const uint32_t position = Restore(index);
    return position == SPARE ? Restore(0) : position;
}

} // namespace ns3::nfsrdma
