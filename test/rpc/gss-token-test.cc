/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/security/gss-context.h"
#include "rpc/security/gss-credential.h"
#include "rpc/security/gss-sequence-window.h"
#include "rpc/security/krb5-token.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma
{
namespace
{

using ::testing::ElementsAreArray;

constexpr uint64_t KEY = 0x0123456789abcdef;

/// Both ends of a context; the parameter is its enctype.
class GssTokens : public ::testing::TestWithParam<GssEnctype>
{
  protected:
    static ByteVector MakeData(std::size_t length)
    {
        ByteVector data(length);
        uint8_t next = 7;
        for (uint8_t& octet : data)
        {
            octet = next;
            next = static_cast<uint8_t>(next * 5 + 3);
        }
        return data;
    }

    GssContext m_initiator{GetParam(), KEY, GssContext::Role::INITIATOR};
    GssContext m_acceptor{GetParam(), KEY, GssContext::Role::ACCEPTOR};
};

TEST_P(GssTokens, MicHasTheLayoutOfRfc4121)
{
    const ByteVector data = MakeData(70);
    const ByteVector first = m_initiator.MakeMic(data);
    const ByteVector mic = m_initiator.MakeMic(data);
    EXPECT_NE(first, mic);
    EXPECT_EQ(mic.size(), 16 + GetGssChecksumSize(GetParam()));
    EXPECT_EQ(mic.size(), GssContext::GetMicSize(GetParam()));
    EXPECT_THAT(ByteVector(mic.begin(), mic.begin() + 16),
                ElementsAreArray({4, 4, 4, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 1}));
    EXPECT_EQ(m_acceptor.MakeMic(data)[2], 5);
}

TEST_P(GssTokens, MicIsCheckedByTheOtherEndOnly)
{
    const ByteVector data = MakeData(70);
    const ByteVector mic = m_initiator.MakeMic(data);
    EXPECT_TRUE(m_acceptor.VerifyMic(data, mic));
    EXPECT_FALSE(m_initiator.VerifyMic(data, mic));
    const GssContext stranger(GetParam(), KEY + 1, GssContext::Role::ACCEPTOR);
    EXPECT_FALSE(stranger.VerifyMic(data, mic));
}

TEST_P(GssTokens, NoOctetUnderAMicChangesUnnoticed)
{
    ByteVector data = MakeData(70);
    ByteVector mic = m_initiator.MakeMic(data);
    for (ByteVector* octets : {&data, &mic})
    {
        for (uint8_t& octet : *octets)
        {
            for (const uint8_t change : {0x01, 0x80, 0xff})
            {
                octet ^= change;
                EXPECT_FALSE(m_acceptor.VerifyMic(data, mic));
                octet ^= change;
            }
        }
    }
    EXPECT_TRUE(m_acceptor.VerifyMic(data, mic));
    data.push_back(0);
    EXPECT_FALSE(m_acceptor.VerifyMic(data, mic));
    data.pop_back();
    mic.pop_back();
    EXPECT_FALSE(m_acceptor.VerifyMic(data, mic));
    EXPECT_FALSE(m_acceptor.VerifyMic(data, {}));
}

TEST_P(GssTokens, WrapHasTheLayoutOfRfc4121)
{
    const ByteVector data = MakeData(100);
    const ByteVector token = m_acceptor.Wrap(data);
    EXPECT_EQ(token.size(), 16 + 16 + data.size() + 16 + GetGssChecksumSize(GetParam()));
    EXPECT_EQ(token.size(), data.size() + GssContext::GetWrapOverhead(GetParam()));
    EXPECT_THAT(ByteVector(token.begin(), token.begin() + 16),
                ElementsAreArray({5, 4, 7, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_P(GssTokens, WrappedDataCannotBeReadAndComesBack)
{
    for (const std::size_t length : {0U, 1U, 3U, 8U, 100U, 4099U})
    {
        const ByteVector data = MakeData(length);
        const ByteVector token = m_initiator.Wrap(data);
        if (length >= 8)
        {
            EXPECT_EQ(std::search(token.begin(), token.end(), data.begin(), data.begin() + 8),
                      token.end());
        }
        const auto opened = m_acceptor.Unwrap(token);
        ASSERT_TRUE(opened);
        EXPECT_EQ(*opened, data);
        EXPECT_FALSE(m_initiator.Unwrap(token));
    }
}

TEST_P(GssTokens, SameDataSealedTwiceDiffers)
{
    const ByteVector data = MakeData(64);
    const ByteVector first = m_initiator.Wrap(data);
    const ByteVector second = m_initiator.Wrap(data);
    EXPECT_FALSE(std::equal(first.begin() + 16, first.end(), second.begin() + 16));
}

TEST_P(GssTokens, NoOctetOfAWrapTokenChangesUnnoticed)
{
    ByteVector token = m_initiator.Wrap(MakeData(61));
    for (uint8_t& octet : token)
    {
        octet ^= 0x10;
        EXPECT_FALSE(m_acceptor.Unwrap(token));
        octet ^= 0x10;
    }
    EXPECT_TRUE(m_acceptor.Unwrap(token));
    const std::size_t empty = GssContext::GetWrapOverhead(GetParam());
    EXPECT_EQ(m_acceptor.Unwrap(ByteSpan(token).first(empty - 1)).error(), WireError::TRUNCATED);
    token.resize(token.size() - 1);
    EXPECT_EQ(m_acceptor.Unwrap(token).error(), WireError::BAD_CHECKSUM);
}

TEST_P(GssTokens, BodiesHaveTheLengthsOfRfc2203)
{
    const ByteVector data = MakeData(52);
    const uint32_t mic = GssContext::GetMicSize(GetParam());
    for (const auto service :
         {RpcSecGssService::NONE, RpcSecGssService::INTEGRITY, RpcSecGssService::PRIVACY})
    {
        XdrWriter writer;
        RpcSecGssBody::Encode(writer, m_initiator, service, 99, data);
        EXPECT_EQ(writer.GetSize(),
                  RpcSecGssBody::GetHeadOverhead(service) + data.size() +
                      RpcSecGssBody::GetTailOverhead(service, GetParam()));
        if (service == RpcSecGssService::INTEGRITY)
        {
            EXPECT_EQ(writer.GetSize(), 4 + 4 + data.size() + 4 + mic);
        }
        if (service == RpcSecGssService::PRIVACY)
        {
            EXPECT_EQ(writer.GetSize(),
                      4 + 16 + 16 + 4 + data.size() + 16 + GetGssChecksumSize(GetParam()));
        }
        XdrReader reader(writer.GetOctets());
        const auto decoded = RpcSecGssBody::Decode(reader, m_acceptor, service, 99);
        ASSERT_TRUE(decoded);
        EXPECT_EQ(*decoded, data);
        if (service != RpcSecGssService::NONE)
        {
            XdrReader again(writer.GetOctets());
            EXPECT_EQ(RpcSecGssBody::Decode(again, m_acceptor, service, 98).error(),
                      WireError::BAD_VALUE);
        }
    }
}

TEST_P(GssTokens, ABodyIsAllThereAndNothingElse)
{
    for (const auto service : {RpcSecGssService::INTEGRITY, RpcSecGssService::PRIVACY})
    {
        XdrWriter writer;
        RpcSecGssBody::Encode(writer, m_initiator, service, 5, MakeData(20));
        ByteVector octets = writer.Take();
        for (std::size_t length = 0; length < octets.size(); ++length)
        {
            XdrReader reader(ByteSpan(octets).first(length));
            EXPECT_FALSE(RpcSecGssBody::Decode(reader, m_acceptor, service, 5));
        }
        octets.resize(octets.size() + 4);
        XdrReader reader(octets);
        EXPECT_EQ(RpcSecGssBody::Decode(reader, m_acceptor, service, 5).error(),
                  WireError::TRAILING_DATA);
    }
}

TEST_P(GssTokens, ContextTokensHaveTheSizeAskedFor)
{
    for (const auto kind : {Krb5Token::Kind::AP_REQ, Krb5Token::Kind::AP_REP})
    {
        const bool request = kind == Krb5Token::Kind::AP_REQ;
        for (const uint32_t size : {request ? Krb5Token::MINIMUM_REQUEST : Krb5Token::MINIMUM_REPLY,
                                    500U,
                                    1201U,
                                    4096U,
                                    Krb5Token::MAXIMUM})
        {
            const Krb5Token token{kind, GetParam(), 0xfeedface12345678, size, {}};
            const ByteVector octets = token.Encode();
            ASSERT_EQ(octets.size(), size);
            const auto decoded = Krb5Token::Decode(octets);
            ASSERT_TRUE(decoded) << size;
            EXPECT_EQ(decoded->kind, kind);
            EXPECT_EQ(decoded->enctype, GetParam());
            EXPECT_EQ(decoded->nonce, token.nonce);
            EXPECT_EQ(decoded->size, size);
        }
    }
}

TEST_P(GssTokens, RequestsNameThePrincipal)
{
    for (const std::size_t length : {0, 1, 8, 80, 81, 300})
    {
        const std::string name(length, 'p');
        const auto decoded = Krb5Token::Decode(
            Krb5Token{Krb5Token::Kind::AP_REQ, GetParam(), 5, Krb5Token::MINIMUM_REQUEST, name}
                .Encode());
        ASSERT_TRUE(decoded) << length;
        EXPECT_EQ(decoded->principal, name.substr(0, Krb5Token::MAX_PRINCIPAL));
    }
}

TEST_P(GssTokens, ContextTokensThatWereChangedAreRefused)
{
    ByteVector octets =
        Krb5Token{Krb5Token::Kind::AP_REQ, GetParam(), 77, Krb5Token::MINIMUM_REQUEST, "client-7"}
            .Encode();
    for (uint8_t& octet : octets)
    {
        octet ^= 0x04;
        EXPECT_FALSE(Krb5Token::Decode(octets));
        octet ^= 0x04;
    }
    for (std::size_t length = 0; length < octets.size(); ++length)
    {
        EXPECT_FALSE(Krb5Token::Decode(ByteSpan(octets).first(length)));
    }
}

INSTANTIATE_TEST_SUITE_P(Enctypes,
                         GssTokens,
                         ::testing::Values(GssEnctype::AES256_CTS_HMAC_SHA1_96,
                                           GssEnctype::AES128_CTS_HMAC_SHA256_128,
                                           GssEnctype::AES256_CTS_HMAC_SHA384_192));

TEST(GssEnctypes, AreFoundByNameAndNumber)
{
    for (const std::string& name : GetGssEnctypeNames())
    {
        const auto enctype = FindGssEnctype(name);
        ASSERT_TRUE(enctype);
        EXPECT_EQ(ToString(*enctype), name);
        EXPECT_EQ(FindGssEnctype(static_cast<uint32_t>(*enctype)), enctype);
    }
    EXPECT_FALSE(FindGssEnctype("des-cbc-crc"));
    EXPECT_FALSE(FindGssEnctype(1U));
}

TEST(RpcSecGssCredentials, AreTwentyOctetsAndTheHandle)
{
    RpcSecGssCredential credential;
    credential.procedure = RpcSecGssProcedure::DATA;
    credential.sequence = 0x11223344;
    credential.service = RpcSecGssService::PRIVACY;
    credential.handle = {9, 8, 7, 6, 5};
    XdrWriter writer;
    credential.EncodeBody(writer);
    EXPECT_EQ(writer.GetSize(), credential.EncodedBodySize());
    EXPECT_THAT(writer.GetOctets(),
                ElementsAreArray({0, 0, 0, 1, 0, 0, 0, 0, 0x11, 0x22, 0x33, 0x44, 0, 0,
                                  0, 3, 0, 0, 0, 5, 9, 8, 7,    6,    5,    0,    0, 0}));
    const auto decoded = RpcSecGssCredential::DecodeBody(writer.GetOctets());
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->sequence, credential.sequence);
    EXPECT_EQ(decoded->service, credential.service);
    EXPECT_EQ(decoded->handle, credential.handle);
    ByteVector longer = writer.Take();
    for (std::size_t length = 0; length < longer.size(); ++length)
    {
        EXPECT_FALSE(RpcSecGssCredential::DecodeBody(ByteSpan(longer).first(length)));
    }
    longer.resize(longer.size() + 4);
    EXPECT_EQ(RpcSecGssCredential::DecodeBody(longer).error(), WireError::TRAILING_DATA);
}

TEST(RpcSecGssInitResults, ComeBackAsTheyWere)
{
    RpcSecGssInitResult result;
    result.handle = {1, 2, 3, 4};
    result.minor = 17;
    result.window = 128;
    result.token = ByteVector(150, 0x5a);
    XdrWriter writer;
    result.Encode(writer);
    EXPECT_EQ(writer.GetSize(), 8U + 12 + 4 + 152);
    XdrReader reader(writer.GetOctets());
    const auto decoded = RpcSecGssInitResult::Decode(reader);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->handle, result.handle);
    EXPECT_EQ(decoded->minor, 17U);
    EXPECT_EQ(decoded->window, 128U);
    EXPECT_EQ(decoded->token, result.token);
    XdrReader truncated(ByteSpan(writer.GetOctets()).first(writer.GetSize() - 1));
    EXPECT_FALSE(RpcSecGssInitResult::Decode(truncated));
}

TEST(GssSequenceWindows, TakeEachNumberOnceAndNoOldOne)
{
    GssSequenceWindow window(4);
    EXPECT_TRUE(window.Take(1));
    EXPECT_FALSE(window.Take(1));
    EXPECT_TRUE(window.Take(3));
    EXPECT_TRUE(window.Take(2));
    EXPECT_FALSE(window.Take(2));
    EXPECT_TRUE(window.Take(6));
    EXPECT_FALSE(window.Take(2));
    EXPECT_FALSE(window.Take(3));
    EXPECT_TRUE(window.Take(4));
    EXPECT_TRUE(window.Take(1000));
    EXPECT_FALSE(window.Take(996));
    EXPECT_TRUE(window.Take(997));
}

TEST(GssSequenceWindows, AgreeWithASetOfNumbersSeen)
{
    std::mt19937_64 random(20260407);
    GssSequenceWindow window(128);
    std::vector<uint32_t> taken;
    uint32_t highest = 0;
    for (int i = 0; i < 20000; ++i)
    {
        const uint32_t low = highest > 200 ? highest - 200 : 0;
        const auto number = static_cast<uint32_t>(low + random() % 210);
        const bool isNew = std::find(taken.end() - std::min<std::ptrdiff_t>(400, taken.size()),
                                     taken.end(),
                                     number) == taken.end();
        const bool inside = taken.empty() || number + 128 > highest;
        EXPECT_EQ(window.Take(number), isNew && inside) << number << " of " << highest;
        if (isNew && inside)
        {
            taken.push_back(number);
            highest = std::max(highest, number);
        }
    }
}

} // namespace
} // namespace ns3::nfsrdma
