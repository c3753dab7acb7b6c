/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tls/session.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint64_t SEED = 7;
using Side = TlsEndpoint::Side;
using State = TlsSession::State;

TlsEndpoint
MakeServer(TlsIdentity::Flaw flaw = TlsIdentity::Flaw::NONE, const TlsRecords& records = {})
{
    return {Side::SERVER, SEED, TlsIdentity::MakeHost(SEED, "server-0", flaw), records};
}

TlsEndpoint
MakeClient(const std::optional<TlsIdentity>& identity = std::nullopt,
           const TlsRecords& records = {})
{
    return {Side::CLIENT, SEED, identity, records};
}

/// Two sessions with a stream between them that keeps what it has carried.
struct Pair
{
    TlsSession client;
    TlsSession server;
    ByteVector stream;
    /// What becomes of octets on their way.
    std::function<void(ByteVector&)> change = [](ByteVector&) {};

    Pair(const TlsEndpoint& clientEnd, const TlsEndpoint& serverEnd, const std::string& name = "1")
        : client(clientEnd, "client " + name, "server-0"),
          server(serverEnd, "server " + name, "")
    {
    }

    void Carry(TlsSession& from, TlsSession& to)
    {
        ByteVector octets = from.TakeOutput();
        change(octets);
        stream.insert(stream.end(), octets.begin(), octets.end());
        EXPECT_TRUE(to.Receive(octets).empty());
    }

    void ShakeHands()
    {
        client.Start();
        server.Start();
        for (int flight = 0; flight < 3; ++flight)
        {
            Carry(client, server);
            Carry(server, client);
        }
    }
};

ByteVector
MakeOctets(std::size_t count)
{
    ByteVector octets(count);
    std::iota(octets.begin(), octets.end(), uint8_t{0});
    return octets;
}

TEST(TlsSessionTest, CarriesOctetsBothWays)
{
    const auto clientEnd = MakeClient();
    const auto serverEnd = MakeServer();
    Pair pair(clientEnd, serverEnd);
    pair.ShakeHands();
    ASSERT_EQ(pair.client.GetState(), State::OPEN) << pair.client.GetFailure();
    ASSERT_EQ(pair.server.GetState(), State::OPEN) << pair.server.GetFailure();
    EXPECT_TRUE(pair.client.IsPeerAuthenticated());
    EXPECT_FALSE(pair.server.IsPeerAuthenticated());
    const ByteVector octets = MakeOctets(40000);
    const ByteVector protectedOctets = pair.client.Protect(octets);
    EXPECT_EQ(protectedOctets.size(), octets.size() + 3 * TlsRecords::OVERHEAD);
    EXPECT_EQ(pair.client.GetStatistics().recordsSent, 3U);
    EXPECT_EQ(pair.server.Receive(protectedOctets), octets);
    EXPECT_EQ(pair.client.Receive(pair.server.Protect(octets)), octets);
}

TEST(TlsSessionTest, TakesOctetsInWhateverPiecesTheyCome)
{
    const auto clientEnd = MakeClient();
    const auto serverEnd = MakeServer();
    Pair pair(clientEnd, serverEnd);
    pair.ShakeHands();
    const ByteVector octets = MakeOctets(1000);
    ByteVector received;
    for (const uint8_t octet : pair.client.Protect(octets))
    {
        const ByteVector one = pair.server.Receive(ByteVector{octet});
        received.insert(received.end(), one.begin(), one.end());
    }
    EXPECT_EQ(received, octets);
}

TEST(TlsSessionTest, OctetsFollowFromTheNamesAlone)
{
    const auto carried = [](const std::string& name, bool isSecond) {
        const auto clientEnd = MakeClient(TlsIdentity::MakeHost(SEED, "client-0"));
        const auto serverEnd = MakeServer();
        Pair other(clientEnd, serverEnd, "other");
        if (isSecond)
        {
            other.ShakeHands();
        }
        Pair pair(clientEnd, serverEnd, name);
        pair.ShakeHands();
        return pair.stream;
    };
    const ByteVector first = carried("1", false);
    EXPECT_GT(first.size(), 1000U);
    EXPECT_EQ(carried("1", true), first);
    EXPECT_NE(carried("2", false), first);
}

TEST(TlsSessionTest, AClientWithACertificateIsAuthenticated)
{
    const auto clientEnd = MakeClient(TlsIdentity::MakeHost(SEED, "client-0"));
    const auto serverEnd = MakeServer();
    Pair pair(clientEnd, serverEnd);
    pair.ShakeHands();
    ASSERT_EQ(pair.server.GetState(), State::OPEN) << pair.server.GetFailure();
    EXPECT_TRUE(pair.server.IsPeerAuthenticated());
}

struct FlawedCertificate
{
    TlsIdentity::Flaw flaw;
    const char* alert;
};

class TlsCertificateTest : public ::testing::TestWithParam<FlawedCertificate>
{
};

TEST_P(TlsCertificateTest, AServerWithAFlawedOneIsRefused)
{
    const auto clientEnd = MakeClient();
    const auto serverEnd = MakeServer(GetParam().flaw);
    Pair pair(clientEnd, serverEnd);
    pair.ShakeHands();
    EXPECT_EQ(pair.client.GetState(), State::FAILED);
    EXPECT_EQ(pair.client.GetFailure(), GetParam().alert);
    EXPECT_EQ(pair.client.GetStatistics().alertsSent, 1U);
    EXPECT_EQ(pair.server.GetState(), State::FAILED);
    EXPECT_EQ(pair.server.GetFailure(), GetParam().alert);
    EXPECT_EQ(pair.server.GetStatistics().alertsReceived, 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Flaws,
    TlsCertificateTest,
    ::testing::Values(FlawedCertificate{TlsIdentity::Flaw::EXPIRED, "certificate expired"},
                      FlawedCertificate{TlsIdentity::Flaw::OTHER_NAME, "bad certificate"},
                      FlawedCertificate{TlsIdentity::Flaw::UNKNOWN, "unknown CA"}));

TEST(TlsSessionTest, AClientOfAnotherAuthorityIsRefused)
{
    const auto clientEnd = MakeClient(TlsIdentity::MakeHost(SEED + 1, "client-0"));
    const auto serverEnd = MakeServer();
    Pair pair(clientEnd, serverEnd);
    pair.ShakeHands();
    EXPECT_EQ(pair.server.GetState(), State::FAILED);
    EXPECT_EQ(pair.client.GetState(), State::FAILED);
}

TEST(TlsSessionTest, AnAlteredRecordEndsTheSession)
{
    const auto clientEnd = MakeClient();
    const auto serverEnd = MakeServer();
    Pair pair(clientEnd, serverEnd);
    pair.ShakeHands();
    ByteVector octets = pair.client.Protect(MakeOctets(100));
    octets[50] ^= 1;
    EXPECT_TRUE(pair.server.Receive(octets).empty());
    EXPECT_EQ(pair.server.GetState(), State::FAILED);
    EXPECT_EQ(pair.server.GetFailure(), "bad record mac");
    EXPECT_TRUE(pair.client.Receive(pair.server.TakeOutput()).empty());
    EXPECT_EQ(pair.client.GetState(), State::FAILED);
    EXPECT_EQ(pair.client.GetFailure(), "bad record mac");
}

TEST(TlsSessionTest, ARecordThatComesTwiceEndsTheSession)
{
    const auto clientEnd = MakeClient();
    const auto serverEnd = MakeServer();
    Pair pair(clientEnd, serverEnd);
    pair.ShakeHands();
    const ByteVector octets = pair.client.Protect(MakeOctets(100));
    EXPECT_EQ(pair.server.Receive(octets).size(), 100U);
    EXPECT_TRUE(pair.server.Receive(octets).empty());
    EXPECT_EQ(pair.server.GetFailure(), "bad record mac");
}

TEST(TlsSessionTest, CloseNotifyClosesIt)
{
    const auto clientEnd = MakeClient();
    const auto serverEnd = MakeServer();
    Pair pair(clientEnd, serverEnd);
    pair.ShakeHands();
    pair.client.Close();
    pair.Carry(pair.client, pair.server);
    EXPECT_EQ(pair.server.GetState(), State::CLOSED);
    EXPECT_EQ(pair.server.GetStatistics().alertsReceived, 0U);
    EXPECT_TRUE(pair.server.GetFailure().empty());
}

TEST(TlsSessionTest, KeysChangeByOctets)
{
    TlsRecords records;
    records.rekeyOctets = 1000;
    const auto clientEnd = MakeClient(std::nullopt, records);
    const auto serverEnd = MakeServer();
    Pair pair(clientEnd, serverEnd);
    pair.ShakeHands();
    const ByteVector octets = MakeOctets(400);
    for (int i = 0; i < 10; ++i)
    {
        EXPECT_EQ(pair.server.Receive(pair.client.Protect(octets)), octets);
    }
    EXPECT_EQ(pair.client.GetStatistics().keyUpdatesSent, 3U);
}

TEST(TlsSessionTest, TheKeyLogHasTheSecretsOfBothDirections)
{
    const auto clientEnd = MakeClient();
    const auto serverEnd = MakeServer();
    Pair pair(clientEnd, serverEnd);
    pair.ShakeHands();
    const auto& lines = pair.client.GetKeyLog();
    const auto has = [&lines](const std::string& label) {
        return std::any_of(lines.begin(), lines.end(), [&label](const auto& line) {
            return line.rfind(label + " ", 0) == 0;
        });
    };
    EXPECT_TRUE(has("CLIENT_HANDSHAKE_TRAFFIC_SECRET"));
    EXPECT_TRUE(has("SERVER_HANDSHAKE_TRAFFIC_SECRET"));
    EXPECT_TRUE(has("CLIENT_TRAFFIC_SECRET_0"));
    EXPECT_TRUE(has("SERVER_TRAFFIC_SECRET_0"));
    EXPECT_EQ(pair.server.GetKeyLog().size(), lines.size());
}

class TlsSuiteTest : public ::testing::TestWithParam<TlsSuite>
{
};

TEST_P(TlsSuiteTest, CarriesOctets)
{
    TlsRecords records;
    records.suite = GetParam();
    records.recordSize = 512;
    const auto clientEnd = MakeClient(std::nullopt, records);
    const auto serverEnd = MakeServer(TlsIdentity::Flaw::NONE, records);
    Pair pair(clientEnd, serverEnd);
    pair.ShakeHands();
    ASSERT_EQ(pair.server.GetState(), State::OPEN) << pair.server.GetFailure();
    const ByteVector octets = MakeOctets(2000);
    EXPECT_EQ(pair.server.Receive(pair.client.Protect(octets)), octets);
    EXPECT_EQ(pair.client.GetStatistics().recordsSent, 4U);
}

INSTANTIATE_TEST_SUITE_P(Suites,
                         TlsSuiteTest,
                         ::testing::Values(TlsSuite::AES_128_GCM_SHA256,
                                           TlsSuite::AES_256_GCM_SHA384,
                                           TlsSuite::CHACHA20_POLY1305_SHA256));

TEST(TlsSessionTest, SuitesMustAgree)
{
    TlsRecords records;
    records.suite = TlsSuite::AES_256_GCM_SHA384;
    const auto clientEnd = MakeClient();
    const auto serverEnd = MakeServer(TlsIdentity::Flaw::NONE, records);
    Pair pair(clientEnd, serverEnd);
    pair.ShakeHands();
    EXPECT_EQ(pair.server.GetFailure(), "handshake failure");
    EXPECT_EQ(pair.client.GetState(), State::FAILED);
}

} // namespace
} // namespace ns3::nfsrdma
