/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/file-content.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace ns3::nfsrdma::test
{

namespace
{

constexpr uint64_t SEED = 99;

/// The same file, octet by octet.
class NaiveFile
{
  public:
    explicit NaiveFile(uint64_t size)
        : octets(size)
    {
        ContentPattern(SEED, 0).Fill(0, octets);
    }

    void Write(uint64_t offset, uint64_t length, uint64_t generation)
    {
        octets.resize(std::max<uint64_t>(octets.size(), offset + length));
        ContentPattern(SEED, generation)
            .Fill(offset, MutableByteSpan(octets).subspan(offset, length));
    }

    void SetSize(uint64_t size)
    {
        octets.resize(size);
    }

    ByteVector octets;
};

} // namespace

TEST(FileContent, FollowsAByteArrayThroughRandomOperations)
{
    constexpr uint64_t SPACE = 600;
    std::mt19937 random(4711);
    const auto draw = [&random](uint64_t limit) { return random() % limit; };
    FileContent content(SEED, 200);
    NaiveFile naive(200);
    for (int step = 0; step < 4000; ++step)
    {
        if (draw(5) == 0)
        {
            const uint64_t size = draw(SPACE);
            content.SetSize(size);
            naive.SetSize(size);
        }
        else
        {
            const uint64_t offset = draw(SPACE);
            const uint64_t length = 1 + draw(100);
            const uint64_t generation = content.NextGeneration();
            content.Write(OctetRange::Of(offset, length), generation);
            naive.Write(offset, length, generation);
        }
        ASSERT_EQ(content.GetSize(), naive.octets.size()) << step;
        const auto whole = content.Compare(0, naive.octets);
        ASSERT_FALSE(whole.mismatch) << step << " at " << *whole.mismatch;
        ASSERT_EQ(whole.compared, naive.octets.size());
        ASSERT_EQ(whole.uncertain, 0U);
        if (!naive.octets.empty())
        {
            const uint64_t wrong = draw(naive.octets.size());
            const uint64_t begin = draw(wrong + 1);
            naive.octets[wrong] ^= 0x80U;
            const auto part = content.Compare(begin, ByteSpan(naive.octets).subspan(begin));
            ASSERT_EQ(part.mismatch, wrong) << step;
            naive.octets[wrong] ^= 0x80U;
        }
    }
}

TEST(FileContent, CopiesAndHolesAgreeWithTheOctets)
{
    constexpr uint64_t MOST = 3000;
    std::mt19937 random(7);
    const auto draw = [&random](uint64_t below) { return random() % below; };
    FileContent content(SEED, 1000);
    NaiveFile naive(1000);
    FileContent other(SEED + 1, 2000);
    ByteVector others(2000);
    ContentPattern(SEED + 1, 0).Fill(0, others);
    for (int step = 0; step < 400; ++step)
    {
        const uint64_t offset = draw(MOST);
        const uint64_t length = 1 + draw(500);
        const auto range = OctetRange::Of(offset, length);
        switch (draw(4))
        {
        case 0:
            naive.Write(offset, length, content.NextGeneration());
            content.Write(range, content.NextGeneration() - 1);
            break;
        case 1:
            content.Zero(range);
            for (uint64_t i = offset; i < std::min<uint64_t>(range.end, naive.octets.size()); ++i)
            {
                naive.octets[i] = 0;
            }
            break;
        case 2: {
            const uint64_t from = draw(2000 - length);
            content.Copy(other, from, range);
            naive.octets.resize(std::max<uint64_t>(naive.octets.size(), range.end));
            std::copy_n(others.begin() + static_cast<std::ptrdiff_t>(from),
                        length,
                        naive.octets.begin() + static_cast<std::ptrdiff_t>(offset));
            break;
        }
        default: {
            const uint64_t from = draw(MOST);
            const ByteVector before = [&] {
                ByteVector octets = naive.octets;
                octets.resize(2 * MOST);
                return octets;
            }();
            content.Copy(content, from, range);
            naive.octets.resize(std::max<uint64_t>(naive.octets.size(), range.end));
            std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(from),
                        length,
                        naive.octets.begin() + static_cast<std::ptrdiff_t>(offset));
            break;
        }
        }
        ASSERT_EQ(content.GetSize(), naive.octets.size()) << step;
        const auto comparison = content.Compare(0, naive.octets);
        ASSERT_FALSE(comparison.mismatch) << step << ": " << *comparison.mismatch;
        ASSERT_EQ(comparison.compared, naive.octets.size());
        const auto part = OctetRange::Of(offset, length).Intersect({0, naive.octets.size()});
        const bool isZero =
            std::all_of(naive.octets.begin() + static_cast<std::ptrdiff_t>(part.begin),
                        naive.octets.begin() + static_cast<std::ptrdiff_t>(part.end),
                        [](uint8_t octet) { return octet == 0; });
        EXPECT_TRUE(isZero || content.IsWritten(part)) << step;
    }
    ByteVector wrong = naive.octets;
    const auto written = std::find_if(wrong.begin(), wrong.end(), [](uint8_t o) { return o != 0; });
    *written ^= 1;
    EXPECT_EQ(content.Compare(0, wrong).mismatch, static_cast<uint64_t>(written - wrong.begin()));
}

TEST(FileContent, UncertainOctetsAreCountedUntilWrittenAgain)
{
    FileContent content(SEED, 100);
    content.MarkUncertain({20, 50});
    ByteVector octets(100);
    content.GetPattern(0).Fill(0, octets);
    std::fill(octets.begin() + 20, octets.begin() + 50, uint8_t{1});
    auto comparison = content.Compare(0, octets);
    EXPECT_EQ(comparison.uncertain, 30U);
    EXPECT_EQ(comparison.compared, 70U);
    EXPECT_FALSE(comparison.mismatch);

    const uint64_t generation = content.NextGeneration();
    content.Write({30, 40}, generation);
    comparison = content.Compare(0, octets);
    EXPECT_EQ(comparison.uncertain, 20U);
    EXPECT_EQ(comparison.mismatch, 30U);
    content.GetPattern(generation).Fill(30, MutableByteSpan(octets).subspan(30, 10));
    EXPECT_FALSE(content.Compare(0, octets).mismatch);
}

TEST(FileContent, EachOctetMayBeThatOfAnyCandidate)
{
    FileContent content(SEED, 100);
    const uint64_t first = content.NextGeneration(4);
    const uint64_t second = content.NextGeneration(5);
    content.Write({20, 60}, first);
    content.AddCandidate({40, 80}, second);
    ByteVector octets(100);
    const auto fill = [&](uint64_t begin, uint64_t end, uint64_t generation) {
        content.GetPattern(generation)
            .Fill(begin, MutableByteSpan(octets).subspan(begin, end - begin));
    };
    fill(0, 100, 0);
    fill(20, 60, first);
    EXPECT_FALSE(content.Compare(0, octets).mismatch);
    EXPECT_EQ(content.Compare(0, octets).uncertain, 40U);
    EXPECT_EQ(content.Compare(0, octets).compared, 60U);
    fill(45, 70, second);
    EXPECT_FALSE(content.Compare(0, octets).mismatch);
    fill(50, 60, 0); // Replaced by the first before the second began.
    EXPECT_EQ(content.Compare(0, octets).mismatch, 50U);
    EXPECT_EQ(content.DescribeOrigin(50, ByteSpan(octets).subspan(50)),
              "what the file held at first");
    fill(50, 60, first);
    fill(20, 30, second); // Written by the first alone.
    EXPECT_EQ(content.Compare(0, octets).mismatch, 20U);
    EXPECT_EQ(content.DescribeOrigin(20, ByteSpan(octets).subspan(20)),
              "those of WRITE 2 of the file, by client-5");
}

TEST(FileContent, ASliceStaysAsItWas)
{
    FileContent content(SEED, 100);
    const auto before = content.Slice({0, 100});
    EXPECT_TRUE(content.MayEqual(before, {0, 100}));
    content.AddCandidate({0, 10}, content.NextGeneration());
    EXPECT_TRUE(content.MayEqual(before, {0, 100}));
    content.Write({10, 20}, content.NextGeneration());
    EXPECT_FALSE(content.MayEqual(before, {0, 100}));
    EXPECT_TRUE(content.MayEqual(before, {20, 100}));
    EXPECT_TRUE(content.MayEqual(before, {0, 10}));
}

TEST(FileContent, SizeIsCertainAgainAfterSetSize)
{
    FileContent content(SEED, 10);
    content.MarkSizeUncertain();
    content.Write({0, 20}, content.NextGeneration());
    EXPECT_FALSE(content.IsSizeCertain());
    content.SetSize(5);
    EXPECT_TRUE(content.IsSizeCertain());
    EXPECT_EQ(content.GetSize(), 5U);
}

} // namespace ns3::nfsrdma::test
