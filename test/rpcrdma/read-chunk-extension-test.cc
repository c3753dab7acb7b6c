/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/private-data.h"
#include "rpcrdma/message/read-chunk-extension.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

ByteVector
Join(const ByteVector& first, const ByteVector& second)
{
    ByteVector both = first;
    both.insert(both.end(), second.begin(), second.end());
    return both;
}

TEST(ReadChunkExtensionTest, Octets)
{
    EXPECT_EQ(ReadChunkExtension().Encode(), HexBytes("9d3c51a7 01 00 0000"));
    ReadChunkExtension requester;
    requester.requester = true;
    requester.piggyback = true;
    EXPECT_EQ(requester.Encode(), HexBytes("9d3c51a7 01 05 0000"));
    ReadChunkExtension responder;
    responder.responder = true;
    responder.remoteInvalidation = true;
    responder.doneReceives = 0x1234;
    EXPECT_EQ(responder.Encode(), HexBytes("9d3c51a7 01 0a 1234"));
    requester.continuation = true;
    requester.replyMessages = 8;
    EXPECT_EQ(requester.Encode(), HexBytes("9d3c51a7 01 15 0008"));
}

TEST(ReadChunkExtensionTest, EveryFlagComesBack)
{
    for (uint8_t flags = 0; flags < 32; ++flags)
    {
        ByteVector octets = HexBytes("9d3c51a7 01 00 0007");
        octets[5] = flags | 0xe0; // Reserved bits are ignored.
        const auto extension = ReadChunkExtension::Decode(octets);
        ASSERT_TRUE(extension);
        EXPECT_EQ(extension->requester, (flags & 1) != 0);
        EXPECT_EQ(extension->responder, (flags & 2) != 0);
        EXPECT_EQ(extension->piggyback, (flags & 4) != 0);
        EXPECT_EQ(extension->remoteInvalidation, (flags & 8) != 0);
        EXPECT_EQ(extension->continuation, (flags & 16) != 0);
        EXPECT_EQ(extension->doneReceives, extension->responder ? 7U : 0U);
        EXPECT_EQ(extension->replyMessages, extension->responder ? 0U : 7U);
        octets[5] = flags;
        EXPECT_EQ(extension->Encode(), octets);
    }
}

TEST(ReadChunkExtensionTest, StandsBehindRfc8797AndNeitherDisturbsTheOther)
{
    const ByteVector known = RpcRdmaPrivateData{true, 4096, 8192}.Encode();
    ReadChunkExtension extension;
    extension.requester = true;
    for (uint32_t before = 0; before < 6; ++before)
    {
        const ByteVector both = Join(ByteVector(before, 0x9d), Join(known, extension.Encode()));
        const auto data = RpcRdmaPrivateData::Decode(both);
        ASSERT_TRUE(data);
        EXPECT_EQ(data->sendSize, 4096U);
        EXPECT_EQ(data->receiveSize, 8192U);
        const auto found = ReadChunkExtension::Decode(both);
        ASSERT_TRUE(found);
        EXPECT_TRUE(found->requester);
        EXPECT_FALSE(found->responder);
    }
}

TEST(ReadChunkExtensionTest, NeverContainsTheIdentifierOfRfc8797)
{
    ReadChunkExtension extension;
    extension.responder = true;
    for (uint32_t receives = 0; receives < 65536; ++receives)
    {
        extension.doneReceives = static_cast<uint16_t>(receives);
        EXPECT_EQ(RpcRdmaPrivateData::Decode(extension.Encode()).error(), WireError::TRUNCATED);
    }
}

TEST(ReadChunkExtensionTest, AbsentCutUnknownOrContradictoryCountsAsNone)
{
    const ByteVector whole = HexBytes("9d3c51a7 01 02 0001");
    ASSERT_TRUE(ReadChunkExtension::Decode(whole));
    for (std::size_t length = 0; length < whole.size(); ++length)
    {
        const ByteVector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        EXPECT_EQ(ReadChunkExtension::Decode(cut).error(), WireError::TRUNCATED);
    }
    EXPECT_EQ(ReadChunkExtension::Decode(HexBytes("9d3c51a7 02 02 0001")).error(),
              WireError::BAD_VERSION);
    EXPECT_EQ(ReadChunkExtension::Decode(HexBytes("9d3c51a7 01 02 0000")).error(),
              WireError::BAD_VALUE);
    EXPECT_FALSE(DecodeReadChunkExtensionOrNone(HexBytes("f6ab0e18 01 01 03 03")).requester);
    EXPECT_FALSE(DecodeReadChunkExtensionOrNone(HexBytes("9d3c51a7 01 02 0000")).responder);
}

TEST(ReadChunkExtensionTest, EverythingNeedsBoth)
{
    for (uint32_t bits = 0; bits < 256; ++bits)
    {
        const auto bit = [bits](uint32_t number) { return (bits >> number & 1) != 0; };
        const ReadChunkExtension requester{bit(0), bit(1), bit(2), bit(3), false, 0};
        const ReadChunkExtension responder{bit(4), bit(5), bit(6), bit(7), false, 9};
        const auto agreement = ReadChunkAgreement::Agree(requester, responder);
        EXPECT_EQ(agreement.active, bit(0) && bit(5));
        EXPECT_EQ(agreement.piggyback, agreement.active && bit(2) && bit(6));
        EXPECT_EQ(agreement.remoteInvalidation, agreement.active && bit(3) && bit(7));
        EXPECT_EQ(agreement.doneReceives, agreement.active ? 9U : 0U);
    }
}

TEST(ReadChunkExtensionTest, MessageContinuationNeedsBothAndTakesTheRequestersNumber)
{
    ReadChunkExtension requester;
    ReadChunkExtension responder;
    requester.replyMessages = 8;
    EXPECT_EQ(AgreeOnReplyMessages(requester, responder), 1U);
    requester.continuation = true;
    EXPECT_EQ(AgreeOnReplyMessages(requester, responder), 1U);
    responder.continuation = true;
    EXPECT_EQ(AgreeOnReplyMessages(requester, responder), 8U);
    requester.replyMessages = 0;
    EXPECT_EQ(AgreeOnReplyMessages(requester, responder), 1U);
    requester.replyMessages = 65535;
    EXPECT_EQ(AgreeOnReplyMessages(requester, responder), 64U);
}

} // namespace
} // namespace ns3::nfsrdma
