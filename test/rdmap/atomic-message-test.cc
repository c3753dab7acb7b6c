/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/atomic-message.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

const char* const FETCH_ADD = "00000000 11223344 00abcd01 0000000000020008"
                              "0000000000000005 8000000080000000 0000000000000000 0000000000000000";
const char* const CMP_SWAP = "00000002 55667788 00abcd02 ffffffffffffff00"
                             "0102030405060708 00000000ffffffff 1112131415161718 ffffffff00000000";
const char* const RESPONSE = "11223344 0102030405060708";
const char* const IMMEDIATE = "f1f2f3f4f5f6f7f8";

template <typename Message>
ByteVector
EncodeMessage(const Message& message)
{
    ByteVector octets(Message::SIZE);
    ByteWriter writer(octets);
    message.Encode(writer);
    EXPECT_TRUE(writer.Ok());
    EXPECT_EQ(writer.Remaining(), 0U);
    return octets;
}

template <typename Message>
void
ExpectEveryTruncationRefused(const char* text)
{
    const ByteVector octets = HexBytes(text);
    ASSERT_EQ(octets.size(), Message::SIZE);
    for (std::size_t length = 0; length < octets.size(); ++length)
    {
        ByteReader reader(ByteSpan(octets).first(length));
        const auto message = Message::Decode(reader);
        ASSERT_FALSE(message) << length;
        EXPECT_EQ(message.error(), WireError::TRUNCATED);
    }
}

TEST(AtomicRequestTest, FetchAdd)
{
    const ByteVector octets = HexBytes(FETCH_ADD);
    ByteReader reader(octets);
    const auto request = AtomicRequest::Decode(reader);
    ASSERT_TRUE(request);
    EXPECT_EQ(request->operation, AtomicOpcode::FETCH_ADD);
    EXPECT_EQ(request->identifier, 0x11223344U);
    EXPECT_EQ(request->remoteStag, 0x00abcd01U);
    EXPECT_EQ(request->remoteOffset, 0x20008U);
    EXPECT_EQ(request->data, 5U);
    EXPECT_EQ(request->mask, 0x8000000080000000U);
    EXPECT_EQ(EncodeMessage(*request), octets);
}

TEST(AtomicRequestTest, CompareAndSwap)
{
    const ByteVector octets = HexBytes(CMP_SWAP);
    ByteReader reader(octets);
    const auto request = AtomicRequest::Decode(reader);
    ASSERT_TRUE(request);
    EXPECT_EQ(request->operation, AtomicOpcode::CMP_SWAP);
    EXPECT_EQ(request->data, 0x0102030405060708U);
    EXPECT_EQ(request->mask, 0xffffffffU);
    EXPECT_EQ(request->compareData, 0x1112131415161718U);
    EXPECT_EQ(request->compareMask, 0xffffffff00000000U);
    EXPECT_EQ(EncodeMessage(*request), octets);
}

TEST(AtomicRequestTest, OtherOperationsAreRefused)
{
    for (uint8_t operation = 0; operation < 16; ++operation)
    {
        ByteVector octets = HexBytes(FETCH_ADD);
        octets[3] = operation;
        ByteReader reader(octets);
        const auto request = AtomicRequest::Decode(reader);
        EXPECT_EQ(request.has_value(), operation == 0 || operation == 2);
        if (!request)
        {
            EXPECT_EQ(request.error(), WireError::BAD_VALUE);
        }
    }
}

TEST(AtomicRequestTest, ReservedBitsAreIgnored)
{
    ByteVector octets = HexBytes(CMP_SWAP);
    octets[0] = 0xff;
    octets[3] |= 0xf0;
    ByteReader reader(octets);
    const auto request = AtomicRequest::Decode(reader);
    ASSERT_TRUE(request);
    EXPECT_EQ(EncodeMessage(*request), HexBytes(CMP_SWAP));
}

TEST(AtomicMessageTest, EveryTruncationIsRefused)
{
    ExpectEveryTruncationRefused<AtomicRequest>(FETCH_ADD);
    ExpectEveryTruncationRefused<AtomicRequest>(CMP_SWAP);
    ExpectEveryTruncationRefused<AtomicResponse>(RESPONSE);
    ExpectEveryTruncationRefused<ImmediateData>(IMMEDIATE);
}

TEST(AtomicMessageTest, ResponseAndImmediateData)
{
    const ByteVector octets = HexBytes(RESPONSE);
    ByteReader reader(octets);
    const auto response = AtomicResponse::Decode(reader);
    ASSERT_TRUE(response);
    EXPECT_EQ(response->identifier, 0x11223344U);
    EXPECT_EQ(response->value, 0x0102030405060708U);
    EXPECT_EQ(EncodeMessage(*response), octets);

    const ByteVector immediate = HexBytes(IMMEDIATE);
    ByteReader immediateReader(immediate);
    const auto data = ImmediateData::Decode(immediateReader);
    ASSERT_TRUE(data);
    EXPECT_EQ(data->value, 0xf1f2f3f4f5f6f7f8U);
    EXPECT_EQ(EncodeMessage(*data), immediate);
}

AtomicRequest
Add(uint64_t data, uint64_t boundaries)
{
    AtomicRequest request;
    request.data = data;
    request.mask = boundaries;
    return request;
}

TEST(AtomicApplyTest, AddIsModulo64Bits)
{
    EXPECT_EQ(Add(5, 0).Apply(37), 42U);
    EXPECT_EQ(Add(2, 0).Apply(0xffffffffffffffff), 1U);
    EXPECT_EQ(Add(2, uint64_t{1} << 63).Apply(0xffffffffffffffff), 1U);
}

TEST(AtomicApplyTest, NoCarryPassesAFieldBoundary)
{
    constexpr uint64_t HALVES = 0x8000000080000000;
    EXPECT_EQ(Add(1, HALVES).Apply(0x00000007ffffffff), 0x0000000700000000U);
    EXPECT_EQ(Add(0x0000000100000001, HALVES).Apply(0xffffffffffffffff), 0U);
    EXPECT_EQ(Add(0x0101010101010101, 0x8080808080808080).Apply(0x00ff00ff00ff00ff),
              0x0100010001000100U);
}

/// The addition bit by bit, as RFC 7306 section 5.1.1 gives it.
uint64_t
AddBitByBit(uint64_t value, uint64_t data, uint64_t boundaries)
{
    uint64_t sum = 0;
    unsigned carry = 0;
    for (unsigned bit = 0; bit < 64; ++bit)
    {
        const unsigned digit = carry + (value >> bit & 1) + (data >> bit & 1);
        sum |= uint64_t{digit & 1} << bit;
        carry = (boundaries >> bit & 1) != 0 ? 0 : digit >> 1;
    }
    return sum;
}

TEST(AtomicApplyTest, AddsAsBitByBit)
{
    std::mt19937_64 generator(7306);
    for (int round = 0; round < 10000; ++round)
    {
        const uint64_t value = generator();
        const uint64_t data = generator();
        const uint64_t boundaries = generator() & generator();
        ASSERT_EQ(Add(data, boundaries).Apply(value), AddBitByBit(value, data, boundaries));
    }
}

AtomicRequest
Swap(uint64_t data, uint64_t mask, uint64_t compare, uint64_t compareMask)
{
    AtomicRequest request;
    request.operation = AtomicOpcode::CMP_SWAP;
    request.data = data;
    request.mask = mask;
    request.compareData = compare;
    request.compareMask = compareMask;
    return request;
}

TEST(AtomicApplyTest, CompareAndSwapUnderMasks)
{
    constexpr uint64_t ALL = ~uint64_t{0};
    EXPECT_EQ(Swap(7, ALL, 42, ALL).Apply(42), 7U);
    EXPECT_EQ(Swap(7, ALL, 42, ALL).Apply(43), 43U);
    EXPECT_EQ(Swap(0xaaaa, 0x00ff, 0x1200, 0xff00).Apply(0x1234), 0x12aaU);
    EXPECT_EQ(Swap(0xaaaa, 0x00ff, 0x1300, 0xff00).Apply(0x1234), 0x1234U);
}

TEST(AtomicApplyTest, SwapIsACompareOfNoBits)
{
    EXPECT_EQ(Swap(7, ~uint64_t{0}, 42, 0).Apply(43), 7U);
    EXPECT_EQ(Swap(0xffff, 0x0ff0, 42, 0).Apply(0), 0x0ff0U);
}

} // namespace

} // namespace ns3::nfsrdma
