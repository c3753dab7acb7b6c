/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/esp-packet.h"

#include <gtest/gtest.h>
#include <numeric>

namespace ns3::nfsrdma
{
namespace
{

// clang-format off
const ByteVector ESP{
    0x00, 0x01, 0x00, 0x02, 0x00, 0x00, 0x00, 0x05, // SPI, sequence number
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x05, // IV
    0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, // ciphertext
    0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf};

// clang-format on

TEST(EspPacketTest, DecodesEveryFieldAndEncodesTheSameOctets)
{
    const auto packet = EspPacket::Decode(ESP);
    ASSERT_TRUE(packet.has_value());
    EXPECT_EQ(packet->spi, 0x00010002U);
    EXPECT_EQ(packet->sequence, 5U);
    EXPECT_EQ(packet->iv, 0x100000005U);
    EXPECT_EQ(packet->ciphertext.size(), 8U);
    EXPECT_EQ(packet->ciphertext[0], 0xc0);
    ASSERT_EQ(packet->icv.size(), 16U);
    EXPECT_EQ(packet->icv[0], 0xd0);
    ASSERT_EQ(packet->GetSize(), ESP.size());
    ByteVector again(ESP.size(), 0xff);
    packet->Encode(again);
    EXPECT_EQ(again, ESP);
}

TEST(EspPacketTest, RefusesWhatIsNone)
{
    for (std::size_t size = 0; size < 36; ++size)
    {
        const auto packet = EspPacket::Decode(ByteSpan(ESP).first(size));
        ASSERT_FALSE(packet.has_value()) << size;
        EXPECT_EQ(packet.error(), WireError::TRUNCATED) << size;
    }
    for (std::size_t size = 37; size < 40; ++size)
    {
        const auto packet = EspPacket::Decode(ByteSpan(ESP).first(size));
        ASSERT_FALSE(packet.has_value()) << size;
        EXPECT_EQ(packet.error(), WireError::BAD_VALUE) << "a ciphertext of " << size - 32;
    }
    ByteVector noSpi = ESP;
    noSpi[1] = 0;
    noSpi[3] = 0;
    ASSERT_FALSE(EspPacket::Decode(noSpi).has_value());
    EXPECT_EQ(EspPacket::Decode(noSpi).error(), WireError::BAD_VALUE);
}

TEST(EspPlaintextTest, EveryPaddingComesBack)
{
    const ByteVector payload{9, 8, 7};
    for (unsigned length = 0; length <= 255; ++length)
    {
        EspPlaintext plaintext;
        plaintext.payload = payload;
        plaintext.padLength = static_cast<uint8_t>(length);
        plaintext.nextHeader = 6;
        ByteVector octets(plaintext.GetSize());
        plaintext.Encode(octets);
        ByteVector expected = payload;
        expected.resize(payload.size() + length);
        std::iota(expected.begin() + 3, expected.end(), uint8_t{1});
        expected.push_back(static_cast<uint8_t>(length));
        expected.push_back(6);
        ASSERT_EQ(octets, expected);
        const auto decoded = EspPlaintext::Decode(octets);
        ASSERT_TRUE(decoded.has_value()) << length;
        EXPECT_EQ(decoded->payload.size(), payload.size());
        EXPECT_EQ(decoded->padLength, length);
        EXPECT_EQ(decoded->nextHeader, 6);
    }
}

TEST(EspPlaintextTest, RefusesPaddingThatIsNone)
{
    const ByteVector wrong{9, 1, 2, 4, 3, 6};
    ASSERT_FALSE(EspPlaintext::Decode(wrong).has_value());
    EXPECT_EQ(EspPlaintext::Decode(wrong).error(), WireError::BAD_VALUE);
    const ByteVector tooLong{1, 2, 3, 6};
    ASSERT_FALSE(EspPlaintext::Decode(tooLong).has_value());
    EXPECT_EQ(EspPlaintext::Decode(tooLong).error(), WireError::TRUNCATED);
    EXPECT_FALSE(EspPlaintext::Decode(ByteVector{6}).has_value());
    EXPECT_FALSE(EspPlaintext::Decode(ByteVector{}).has_value());
}

TEST(EspPlaintextTest, LeastPaddingEndsOnAWord)
{
    for (std::size_t payload = 0; payload < 100; ++payload)
    {
        const auto padding = EspPlaintext::GetLeastPadding(payload);
        EXPECT_EQ((payload + padding + 2) % 4, 0U) << payload;
        EXPECT_LT(padding, 4) << payload;
    }
}

} // namespace
} // namespace ns3::nfsrdma
