/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/message-kind.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

MessageKind
Tell(const std::string& octets, XidState xid, bool servesCalls = false, bool agreed = false)
{
    const ByteVector message = HexBytes(octets);
    ByteReader reader(message);
    const auto header = RpcRdmaFixedHeader::Decode(reader);
    return Classify(header, message, xid, servesCalls, agreed);
}

const std::string CALL = "00000007 00000001 00000020 00000000 00000000 00000000 00000000 "
                         "00000007 00000000";
const std::string REPLY = "00000007 00000001 00000020 00000000 00000000 00000000 00000000 "
                          "00000007 00000001";

TEST(MessageKindTest, AReplyIsAwaitedByItsCall)
{
    EXPECT_EQ(Tell(REPLY, XidState::AWAITED), MessageKind::REPLY);
    EXPECT_EQ(Tell(REPLY, XidState::AWAITED, true), MessageKind::REPLY);
    EXPECT_EQ(Tell(REPLY, XidState::KNOWN), MessageKind::UNKNOWN_XID);
    EXPECT_EQ(Tell(REPLY, XidState::UNKNOWN), MessageKind::UNKNOWN_XID);
}

TEST(MessageKindTest, AnInlineCallShowsItsDirection)
{
    EXPECT_EQ(Tell(CALL, XidState::AWAITED), MessageKind::REVERSE_CALL);
    EXPECT_EQ(Tell(CALL, XidState::UNKNOWN, true), MessageKind::REVERSE_CALL);
}

TEST(MessageKindTest, WithoutAMessageTheXidDecides)
{
    const std::string chunk = "00000007 00000001 00000020 00000001 00000001 00000000 00000011 "
                              "00000020 00000000 00001000 00000000 00000000 00000000";
    EXPECT_EQ(Tell(chunk, XidState::UNKNOWN, true), MessageKind::REVERSE_CALL);
    EXPECT_EQ(Tell(chunk, XidState::AWAITED, true), MessageKind::REPLY);
    EXPECT_EQ(Tell(chunk, XidState::KNOWN, true), MessageKind::UNKNOWN_XID);
    EXPECT_EQ(Tell(chunk, XidState::UNKNOWN, true, true), MessageKind::UNKNOWN_XID);
}

TEST(MessageKindTest, AnotherVersionOrAShortHeaderIsMalformed)
{
    EXPECT_EQ(Tell("00000007 00000002 00000020 00000000", XidState::AWAITED),
              MessageKind::MALFORMED);
    EXPECT_EQ(Tell("00000007 00000001", XidState::AWAITED), MessageKind::MALFORMED);
}

} // namespace
} // namespace ns3::nfsrdma
