/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire/crc32c.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

/// The definition: one bit at a time.
uint32_t
BitwiseCrc32c(ByteSpan octets)
{
    uint32_t crc = 0xffffffff;
    for (const uint8_t octet : octets)
    {
        crc ^= octet;
        for (int bit = 0; bit < 8; ++bit)
        {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78U : 0U);
        }
    }
    return ~crc;
}

TEST(Crc32cTest, CheckValue)
{
    const std::string text = "123456789";
    EXPECT_EQ(Crc32c(ByteVector(text.begin(), text.end())), 0xe3069283);
    EXPECT_EQ(Crc32c({}), 0U);
}

TEST(Crc32cTest, IscsiVectors)
{
    ByteVector ascending(32);
    std::iota(ascending.begin(), ascending.end(), uint8_t{0});
    const ByteVector descending(ascending.rbegin(), ascending.rend());
    EXPECT_EQ(Crc32c(ByteVector(32, 0x00)), 0x8a9136aa);
    EXPECT_EQ(Crc32c(ByteVector(32, 0xff)), 0x62a8ab43);
    EXPECT_EQ(Crc32c(ascending), 0x46dd794e);
    EXPECT_EQ(Crc32c(descending), 0x113fdb5c);
}

TEST(Crc32cTest, Rfc5044Figure5MarkerBeforeTheFpdu)
{
    const ByteVector covered = HexBytes("00000000 002a 4143 00000000 00000000 00000001 00000000"
                                        "000000000000000000000000 000000000000000000000000");
    EXPECT_EQ(Crc32c(covered), 0x83992352);
}

TEST(Crc32cTest, Rfc5044Figure6MarkerInsideTheFpdu)
{
    const ByteVector covered = HexBytes("002a 4143 00000000 00000000 00000002 00000000 0000 0014"
                                        "000000000000000000000000 000000000000000000000000");
    EXPECT_EQ(Crc32c(covered), 0x98589284);
}

TEST(Crc32cTest, EveryShortLengthAndAlignment)
{
    std::mt19937 generator(5044);
    const ByteVector octets = RandomBytes(generator, 1200);
    const ByteSpan all(octets);
    for (std::size_t start = 0; start < 8; ++start)
    {
        for (std::size_t length = 0; length <= 900; length += 1 + start)
        {
            const ByteSpan part = all.subspan(start, length);
            ASSERT_EQ(Crc32c(part), BitwiseCrc32c(part)) << start << " " << length;
        }
    }
}

TEST(Crc32cTest, LongLengthsAcrossTheStreamSizes)
{
    std::mt19937 generator(6581);
    const ByteVector octets = RandomBytes(generator, 70000);
    const ByteSpan all(octets);
    for (const std::size_t base : {384U, 3072U, 6144U, 8938U, 9216U, 65536U})
    {
        for (std::size_t length = base - 9; length <= base + 9; ++length)
        {
            const ByteSpan part = all.subspan(base % 7, length);
            ASSERT_EQ(Crc32c(part), BitwiseCrc32c(part)) << length;
        }
    }
}

TEST(Crc32cTest, PartsChain)
{
    std::mt19937 generator(5041);
    const ByteVector octets = RandomBytes(generator, 5000);
    const ByteSpan all(octets);
    const uint32_t whole = BitwiseCrc32c(all);
    for (std::size_t cut = 0; cut <= octets.size(); cut += 97)
    {
        ASSERT_EQ(Crc32c(all.subspan(cut), Crc32c(all.first(cut))), whole) << cut;
    }
}

} // namespace

} // namespace ns3::nfsrdma
