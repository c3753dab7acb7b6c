/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/content-pattern.h"

#include <gtest/gtest.h>
#include <set>

namespace ns3::nfsrdma::test
{

namespace
{

ByteVector
Take(const ContentPattern& pattern, uint64_t offset, std::size_t length)
{
    ByteVector octets(length);
    pattern.Fill(offset, octets);
    return octets;
}

} // namespace

TEST(ContentPattern, AnyPartIsThatOfTheWhole)
{
    const ContentPattern pattern(17, 3);
    const ByteVector whole = Take(pattern, 0, 200);
    for (std::size_t offset = 0; offset < 40; ++offset)
    {
        for (std::size_t length = 0; length < 40; ++length)
        {
            const ByteVector expected(whole.begin() + offset, whole.begin() + offset + length);
            EXPECT_EQ(Take(pattern, offset, length), expected) << offset << " " << length;
        }
    }
}

TEST(ContentPattern, SeedGenerationAndOffsetMakeADifference)
{
    std::set<ByteVector> seen;
    for (uint64_t seed = 0; seed < 8; ++seed)
    {
        for (uint64_t generation = 0; generation < 8; ++generation)
        {
            for (const uint64_t offset : {uint64_t{0}, uint64_t{16}, uint64_t{1} << 40U})
            {
                seen.insert(Take(ContentPattern(seed, generation), offset, 16));
            }
        }
    }
    EXPECT_EQ(seen.size(), 8U * 8U * 3U);
}

TEST(ContentPattern, SeedsDifferByClientAndObject)
{
    std::set<uint64_t> seeds;
    for (uint32_t client = 0; client < 16; ++client)
    {
        for (const char* object : {"root", "o1", "o2", "o10", "", "1o"})
        {
            seeds.insert(GetContentSeed(client, object));
        }
    }
    EXPECT_EQ(seeds.size(), 16U * 6U);
}

TEST(ContentPattern, FindsTheFirstWrongOctet)
{
    const ContentPattern pattern(1, 1);
    ByteVector octets = Take(pattern, 5, 5000);
    EXPECT_FALSE(pattern.FindMismatch(5, octets));
    for (const std::size_t wrong : {4999U, 1024U, 1023U, 7U, 0U})
    {
        octets[wrong] ^= 1U;
        EXPECT_EQ(pattern.FindMismatch(5, octets), wrong);
    }
}

TEST(ContentPattern, IsTheSameEverywhere)
{
    // Octets 3 to 14 of the splitmix64 words, computed apart from this program.
    const ByteVector
        expected{0x9f, 0x66, 0xd7, 0xf6, 0x83, 0xe3, 0x4c, 0xde, 0x2e, 0x3f, 0xac, 0x43};
    EXPECT_EQ(Take(ContentPattern(GetContentSeed(0, "o1"), 0), 3, expected.size()), expected);
}

} // namespace ns3::nfsrdma::test
