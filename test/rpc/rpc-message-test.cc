/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/message.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

struct Vector
{
    const char* name;
    const char* octets;
};

class RpcCallVector : public ::testing::TestWithParam<Vector>
{
};

class RpcReplyVector : public ::testing::TestWithParam<Vector>
{
};

template <typename Header>
void
ExpectRoundTripAndTruncation(const ByteVector& octets)
{
    XdrReader reader(octets);
    const auto header = Header::Decode(reader);
    ASSERT_TRUE(header);
    EXPECT_EQ(reader.Remaining(), 0U);
    XdrWriter writer;
    header->Encode(writer);
    EXPECT_EQ(writer.GetOctets(), octets);
    for (std::size_t length = 0; length < octets.size(); ++length)
    {
        XdrReader cut(ByteSpan(octets).subspan(0, length));
        const auto result = Header::Decode(cut);
        ASSERT_FALSE(result) << length;
        EXPECT_EQ(result.error(), WireError::TRUNCATED) << length;
    }
}

TEST_P(RpcCallVector, RoundTripsAndNoCutOneDecodes)
{
    ExpectRoundTripAndTruncation<RpcCallHeader>(HexBytes(GetParam().octets));
}

TEST_P(RpcReplyVector, RoundTripsAndNoCutOneDecodes)
{
    ExpectRoundTripAndTruncation<RpcReplyHeader>(HexBytes(GetParam().octets));
}

INSTANTIATE_TEST_SUITE_P(
    All,
    RpcCallVector,
    ::testing::Values(
        Vector{"Nfs3Null",
               "11223344 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 "
               "00000000"},
        Vector{"AuthSys",
               "00000007 00000000 00000002 000186a3 00000003 00000001 00000001 00000020 00000005 "
               "00000006 636c69656e740000 00000001 00000002 00000001 00000003 00000000 00000000"}),
    [](const auto& parameter) { return parameter.param.name; });

INSTANTIATE_TEST_SUITE_P(
    All,
    RpcReplyVector,
    ::testing::Values(
        Vector{"Success", "11223344 00000001 00000000 00000000 00000000 00000000"},
        Vector{"ProgramMismatch",
               "11223344 00000001 00000000 00000000 00000000 00000002 00000002 00000003"},
        Vector{"SystemError", "11223344 00000001 00000000 00000000 00000000 00000005"},
        Vector{"RpcMismatch", "11223344 00000001 00000001 00000000 00000002 00000002"},
        Vector{"AuthError", "11223344 00000001 00000001 00000001 00000005"}),
    [](const auto& parameter) { return parameter.param.name; });

TEST(RpcCallHeader, AuthSysFields)
{
    RpcCallHeader header;
    header.flavor = RpcAuthFlavor::SYS;
    header.authSys.machineName = "client01";
    EXPECT_EQ(header.EncodedSize(), 68U);
    header.authSys.gids.assign(AuthSysCredential::MAX_GIDS, 1);
    XdrWriter writer;
    header.Encode(writer);
    EXPECT_EQ(writer.GetSize(), 132U);
}

TEST(RpcCallHeader, NamesWhatIsWrong)
{
    const auto errorOf = [](const char* hex) {
        const ByteVector octets = HexBytes(hex);
        XdrReader reader(octets);
        return RpcCallHeader::Decode(reader).error();
    };
    EXPECT_EQ(errorOf("11223344 00000001 00000000 00000000 00000000 00000000"),
              WireError::BAD_VALUE);
    EXPECT_EQ(errorOf("11223344 00000000 00000003 000186a3"), WireError::BAD_VERSION);
    EXPECT_EQ(errorOf("11223344 00000000 00000002 000186a3 00000003 00000000 00000000 00000191"),
              WireError::TOO_LONG);
    EXPECT_EQ(errorOf("11223344 00000000 00000002 000186a3 00000003 00000000 00000001 00000014 "
                      "00000000 00000000 00000000 00000000 00000011 00000000 00000000"),
              WireError::TOO_LONG);
}

TEST(RpcCallHeader, AuthTlsHasAnEmptyCredential)
{
    RpcCallHeader header;
    header.xid = 0x11223344;
    header.program = 100003;
    header.version = 4;
    header.flavor = RpcAuthFlavor::TLS;
    XdrWriter writer;
    header.Encode(writer);
    const ByteVector octets = writer.Take();
    EXPECT_EQ(octets,
              HexBytes("11223344 00000000 00000002 000186a3 00000004 00000000 00000007 00000000 "
                       "00000000 00000000"));
    XdrReader reader(octets);
    EXPECT_EQ(RpcCallHeader::Decode(reader)->flavor, RpcAuthFlavor::TLS);
}

TEST(RpcReplyHeader, StartTlsIsTheBodyOfAVerifierOfAuthNone)
{
    const auto decode = [](const char* hex) {
        const ByteVector octets = HexBytes(hex);
        XdrReader reader(octets);
        return *RpcReplyHeader::Decode(reader);
    };
    RpcReplyHeader header;
    header.xid = 0x11223344;
    header.startTls = true;
    XdrWriter writer;
    header.Encode(writer);
    EXPECT_EQ(writer.Take(),
              HexBytes("11223344 00000001 00000000 00000000 00000008 53544152 54544c53 00000000"));
    EXPECT_TRUE(
        decode("11223344 00000001 00000000 00000000 00000008 53544152 54544c53 00000000").startTls);
    EXPECT_FALSE(
        decode("11223344 00000001 00000000 00000000 00000008 53544152 54544c54 00000000").startTls);
    EXPECT_FALSE(
        decode("11223344 00000001 00000000 00000006 00000008 53544152 54544c53 00000000").startTls);
    EXPECT_FALSE(
        decode("11223344 00000001 00000000 00000000 00000007 53544152 54544c00 00000000").startTls);
    EXPECT_FALSE(decode("11223344 00000001 00000000 00000000 00000000 00000000").startTls);
}

TEST(RpcReplyHeader, RefusesUnknownStatuses)
{
    const auto errorOf = [](const char* hex) {
        const ByteVector octets = HexBytes(hex);
        XdrReader reader(octets);
        return RpcReplyHeader::Decode(reader).error();
    };
    EXPECT_EQ(errorOf("11223344 00000000 00000000"), WireError::BAD_VALUE);
    EXPECT_EQ(errorOf("11223344 00000001 00000002"), WireError::BAD_VALUE);
    EXPECT_EQ(errorOf("11223344 00000001 00000001 00000002"), WireError::BAD_VALUE);
    EXPECT_EQ(errorOf("11223344 00000001 00000000 00000000 00000000 00000006"),
              WireError::BAD_VALUE);
}

} // namespace
} // namespace ns3::nfsrdma
