/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory/stag-index-permutation.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t INDICES = (1U << 24) - 1;

StagIndexPermutation
Make(uint32_t seed)
{
    std::mt19937 random(seed);
    StagIndexPermutation::Keys keys{};
    for (auto& key : keys)
    {
        key = random();
    }
    return StagIndexPermutation(keys);
}

TEST(StagIndexPermutationTest, IndicesAndPositionsFollowFromEachOther)
{
    const auto permutation = Make(1);
    constexpr uint32_t STEP = 13;
    for (uint32_t position = 0; position < INDICES; position += STEP)
    {
        const uint32_t index = permutation.GetIndex(position);
        ASSERT_GE(index, 1U);
        ASSERT_LE(index, INDICES);
        ASSERT_EQ(permutation.GetPosition(index), position);
    }
    for (uint32_t index = 1; index < INDICES; index += STEP)
    {
        ASSERT_LT(permutation.GetPosition(index), INDICES);
        ASSERT_EQ(permutation.GetIndex(permutation.GetPosition(index)), index);
    }
}

TEST(StagIndexPermutationTest, NeighboursAreFarApart)
{
    for (uint32_t seed = 1; seed < 20; ++seed)
    {
        const auto permutation = Make(seed);
        uint32_t near = 0;
        for (uint32_t position = 0; position < 1000; ++position)
        {
            const int64_t distance = int64_t{permutation.GetIndex(position)} -
                                     int64_t{permutation.GetIndex(position + 1)};
            near += std::llabs(distance) < 1000 ? 1 : 0;
        }
        EXPECT_LT(near, 5U);
        EXPECT_NE(permutation.GetIndex(0), Make(seed + 100).GetIndex(0));
    }
}

} // namespace

} // namespace ns3::nfsrdma
