/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/fpdu.h"
#include "wire/crc32c.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

struct FpduVector
{
    const char* name;
    const char* octets;
};

const FpduVector FPDUS[] = {
    {"RtrWrite", "000e c140 00000001 0000000000000000 ebd34c5f"},
    {"RtrRead",
     "002e 4141 00000000 00000001 00000001 00000000 00000001 0000000000000000 00000000 00000001"
     "0000000000000000 27dbd7e7"},
    {"ZeroLengthSend", "0012 4143 00000000 00000000 00000001 00000000 587be8c4"},
    {"NullCall",
     "0056 4143 00000000 00000000 00000001 00000000 11223344 00000001 00000020 00000000 00000000"
     "00000000 00000000 11223344 00000000 00000002 000186a3 00000003 00000000 00000000 00000000"
     "00000000 00000000 e994db85"},
    {"WriteOfFiveOctets", "0013 c140 00abcd01 0000000000010000 68656c6c6f 000000 3c7dc59c"},
    {"ReadRequest",
     "002e 4141 00000000 00000001 00000001 00000000 00000077 0000000000009000 00001000 00abcd02"
     "0000000000020000 1fbfe969"},
    {"NullReplyInvalidating",
     "0046 4144 00abcd01 00000000 00000001 00000000 11223344 00000001 00000040 00000000 00000000"
     "00000000 00000000 11223344 00000001 00000000 00000000 00000000 00000000 17fb9db1"},
    {"TerminateOfReadRequest",
     "0046 4147 00000000 00000002 00000001 00000000 0101e000 002e 4141 00000000 00000001 00000002"
     "00000000 00000077 0000000000009000 000007d0 00abcd02 0000000000020000 304e244b"},
    {"TerminateOfWrite",
     "0026 4147 00000000 00000002 00000001 00000000 1100c000 0072 c140 00000055 0000000000000066"
     "250c79d5"},
    {"TerminateOfCrc", "0016 4147 00000000 00000002 00000001 00000000 20020000 7fe42585"},
    {"LinuxNullCall",
     "0056 4143 00000000 00000000 00000001 00000000 4da8ec70 00000001 00000080 00000000 00000000"
     "00000000 00000000 4da8ec70 00000000 00000002 000186a3 00000003 00000000 00000000 00000000"
     "00000000 00000000 d85d7dfc"},
    {"LinuxTerminateOfWrite",
     "0026 4147 00000000 00000002 00000001 00000000 11000300 001f c140 12345678 0000000000000000"
     "32c753d9"},
    {"LinuxTerminateOfCrc", "0016 4147 00000000 00000002 00000001 00000000 02020000 75d367ed"},
};

class FpduVectorTest : public testing::TestWithParam<FpduVector>
{
};

TEST_P(FpduVectorTest, DecodesAndEncodesTheSameOctets)
{
    const ByteVector octets = HexBytes(GetParam().octets);
    EXPECT_EQ(Fpdu::PeekWireSize(octets), octets.size());
    const auto ulpdu = Fpdu::Decode(octets, true);
    ASSERT_TRUE(ulpdu);
    EXPECT_EQ(ulpdu->data(), octets.data() + Fpdu::LENGTH_SIZE);
    EXPECT_EQ(Fpdu::Encode(*ulpdu, true), octets);
}

TEST_P(FpduVectorTest, EveryTruncationIsRefused)
{
    const ByteVector octets = HexBytes(GetParam().octets);
    for (std::size_t length = 0; length < octets.size(); ++length)
    {
        const ByteSpan part = ByteSpan(octets).first(length);
        const auto ulpdu = Fpdu::Decode(part, false);
        ASSERT_FALSE(ulpdu) << length;
        EXPECT_EQ(ulpdu.error(), WireError::TRUNCATED) << length;
        EXPECT_EQ(Fpdu::PeekWireSize(part).has_value(), length >= 2) << length;
    }
}

TEST_P(FpduVectorTest, EveryFlippedBitAfterTheLengthShows)
{
    const ByteVector octets = HexBytes(GetParam().octets);
    for (std::size_t bit = 16; bit < octets.size() * 8; ++bit)
    {
        ByteVector damaged = octets;
        damaged[bit / 8] ^= static_cast<uint8_t>(1U << (bit % 8));
        const auto ulpdu = Fpdu::Decode(damaged, true);
        ASSERT_FALSE(ulpdu) << bit;
        EXPECT_EQ(ulpdu.error(), WireError::BAD_CHECKSUM) << bit;
        EXPECT_TRUE(Fpdu::Decode(damaged, false)) << bit;
    }
}

INSTANTIATE_TEST_SUITE_P(Vectors,
                         FpduVectorTest,
                         testing::ValuesIn(FPDUS),
                         [](const testing::TestParamInfo<FpduVector>& vector) {
                             return std::string(vector.param.name);
                         });

TEST(FpduTest, WithoutCrcsTheFieldMayHoldAnything)
{
    const ByteVector unit = HexBytes("c140 00000001 0000000000000000");
    for (const std::string field : {"00000000", "ebd34c5f", "ebd34c5e", "ffffffff"})
    {
        const ByteVector octets = HexBytes("000e c140 00000001 0000000000000000" + field);
        const auto ulpdu = Fpdu::Decode(octets, false);
        ASSERT_TRUE(ulpdu) << field;
        EXPECT_EQ(ByteVector(ulpdu->begin(), ulpdu->end()), unit) << field;
    }
}

TEST(FpduTest, PadOfAnythingIsTakenWithACrcThatCoversIt)
{
    ByteVector octets = HexBytes("0013 c140 00abcd01 0000000000010000 68656c6c6f 010203");
    const uint32_t crc = Crc32c(octets);
    for (const uint32_t shift : {0U, 8U, 16U, 24U})
    {
        octets.push_back(static_cast<uint8_t>(crc >> shift));
    }
    const auto ulpdu = Fpdu::Decode(octets, true);
    ASSERT_TRUE(ulpdu);
    EXPECT_EQ(ulpdu->size(), 19U);
    octets[21] = 0;
    EXPECT_FALSE(Fpdu::Decode(octets, true)) << "another pad has another CRC";
}

TEST(FpduTest, LinuxWithoutCrcHasAZeroField)
{
    const ByteVector octets = HexBytes("000e c140 00000001 0000000000000000 00000000");
    const auto ulpdu = Fpdu::Decode(octets, false);
    ASSERT_TRUE(ulpdu);
    EXPECT_EQ(Fpdu::Encode(*ulpdu, false), octets);
    const auto checked = Fpdu::Decode(octets, true);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error(), WireError::BAD_CHECKSUM);
}

TEST(FpduTest, OctetsAfterTheFpduAreRefused)
{
    ByteVector octets = Fpdu::Encode(HexBytes("0102030405"), true);
    octets.push_back(0);
    const auto ulpdu = Fpdu::Decode(octets, true);
    ASSERT_FALSE(ulpdu);
    EXPECT_EQ(ulpdu.error(), WireError::TRAILING_DATA);
}

TEST(FpduTest, SealPadsWithZeros)
{
    ByteVector fpdu(Fpdu::WireSize(3), 0xee);
    Fpdu::Seal(fpdu, 3, false);
    EXPECT_EQ(fpdu, HexBytes("0003 eeeeee 000000 00000000"));
}

TEST(FpduTest, EveryLengthRoundTripsWithAndWithoutCrc)
{
    std::mt19937 generator(11);
    for (std::size_t length = 1; length <= 300; ++length)
    {
        const ByteVector ulpdu = RandomBytes(generator, length);
        for (const bool crc : {false, true})
        {
            const ByteVector octets = Fpdu::Encode(ulpdu, crc);
            ASSERT_EQ(octets.size() % 4, 0U);
            const auto decoded = Fpdu::Decode(octets, crc);
            ASSERT_TRUE(decoded);
            EXPECT_EQ(ByteVector(decoded->begin(), decoded->end()), ulpdu);
        }
    }
}

TEST(FpduTest, LongestUlpduRoundTrips)
{
    std::mt19937 generator(13);
    const ByteVector ulpdu = RandomBytes(generator, 65535);
    const ByteVector octets = Fpdu::Encode(ulpdu, true);
    const auto decoded = Fpdu::Decode(octets, true);
    ASSERT_TRUE(decoded);
    EXPECT_TRUE(std::equal(decoded->begin(), decoded->end(), ulpdu.begin(), ulpdu.end()));
}

TEST(FpduTest, MulpduFollowsEmss)
{
    EXPECT_EQ(Fpdu::Mulpdu(1460), 1454U);
    EXPECT_EQ(Fpdu::Mulpdu(1448), 1442U);
    EXPECT_EQ(Fpdu::Mulpdu(8960), 8954U);
    EXPECT_EQ(Fpdu::Mulpdu(1459), 1450U);
    EXPECT_EQ(Fpdu::Mulpdu(0), 128U);
    EXPECT_EQ(Fpdu::Mulpdu(100), 128U);
    EXPECT_EQ(Fpdu::Mulpdu(1U << 20), 64768U);
    for (uint32_t emss = 140; emss < 9000; ++emss)
    {
        ASSERT_LE(Fpdu::WireSize(Fpdu::Mulpdu(emss)), emss);
    }
}

} // namespace

} // namespace ns3::nfsrdma
