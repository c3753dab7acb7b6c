/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tls/session.h"

#include <algorithm>
#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

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

TEST(TlsSessionTest, CertificatesNameTheirHostAsDnsName)
{
    for (const char* const name : {"server-0", "client-17"})
    {
        const TlsIdentity identity = TlsIdentity::MakeHost(SEED, name);
        X509* const certificate = identity.GetCertificate();
        const std::unique_ptr<GENERAL_NAMES, void (*)(GENERAL_NAMES*)> names(
            static_cast<GENERAL_NAMES*>(
                X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)),
            GENERAL_NAMES_free);
        ASSERT_NE(names, nullptr);
        ASSERT_EQ(sk_GENERAL_NAME_num(names.get()), 1);
        int type = 0;
        const auto* const text = static_cast<ASN1_IA5STRING*>(
            GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names.get(), 0), &type));
        EXPECT_EQ(type, GEN_DNS);
        const std::string dns(reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
                              ASN1_STRING_length(text));
        EXPECT_EQ(dns, name) << "and no wildcard";
    }
}

/// What TLS of OpenSSL does by itself, at the client's or the server's end.
class TlsForeignPeer : public ::testing::Test
{
  protected:
    void Make(const SSL_METHOD* method)
    {
        m_context.reset(SSL_CTX_new(method));
        SSL_CTX_set_verify(m_context.get(), SSL_VERIFY_NONE, nullptr);
    }

    void Start(bool isServer)
    {
        m_peer.reset(SSL_new(m_context.get()));
        SSL_set_bio(m_peer.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
        if (isServer)
        {
            SSL_set_accept_state(m_peer.get());
        }
        else
        {
            SSL_set_connect_state(m_peer.get());
        }
    }

    /// Has the peer go on, and the session with what that has sent.
    void Exchange(TlsSession& session, int flights = 3)
    {
        for (int flight = 0; flight < flights; ++flight)
        {
            const ByteVector in = session.TakeOutput();
            BIO_write(SSL_get_rbio(m_peer.get()), in.data(), static_cast<int>(in.size()));
            SSL_do_handshake(m_peer.get());
            ByteVector out(BIO_ctrl_pending(SSL_get_wbio(m_peer.get())));
            BIO_read(SSL_get_wbio(m_peer.get()), out.data(), static_cast<int>(out.size()));
            EXPECT_TRUE(session.Receive(out).empty());
        }
    }

    struct Free
    {
        void operator()(SSL_CTX* context) const
        {
            SSL_CTX_free(context);
        }

        void operator()(SSL* session) const
        {
            SSL_free(session);
        }
    };

    std::unique_ptr<SSL_CTX, Free> m_context;
    std::unique_ptr<SSL, Free> m_peer;
    TlsEndpoint m_clientEnd{MakeClient()};
    TlsEndpoint m_serverEnd{MakeServer()};
};

constexpr std::array<unsigned char, 7> SUNRPC{6, 's', 'u', 'n', 'r', 'p', 'c'};

TEST_F(TlsForeignPeer, AServerTakesNoOlderVersion)
{
    Make(TLS_client_method());
    SSL_CTX_set_max_proto_version(m_context.get(), TLS1_2_VERSION);
    SSL_CTX_set_alpn_protos(m_context.get(), SUNRPC.data(), SUNRPC.size());
    Start(false);
    TlsSession server(m_serverEnd, "server", "");
    server.Start();
    Exchange(server);
    EXPECT_EQ(server.GetState(), State::FAILED);
    EXPECT_EQ(server.GetFailure(), "protocol version");
}

TEST_F(TlsForeignPeer, AClientTakesNoOlderVersion)
{
    Make(TLS_server_method());
    SSL_CTX_set_max_proto_version(m_context.get(), TLS1_2_VERSION);
    const TlsIdentity identity = TlsIdentity::MakeHost(SEED, "server-0");
    SSL_CTX_use_certificate(m_context.get(), identity.GetCertificate());
    SSL_CTX_use_PrivateKey(m_context.get(), identity.GetKey());
    Start(true);
    TlsSession client(m_clientEnd, "client", "server-0");
    client.Start();
    Exchange(client);
    EXPECT_EQ(client.GetState(), State::FAILED);
    EXPECT_EQ(client.GetFailure(), "protocol version");
}

TEST_F(TlsForeignPeer, AServerTakesNoClientOfAnotherProtocol)
{
    constexpr std::array<unsigned char, 3> HTTP{2, 'h', '2'};
    Make(TLS_client_method());
    SSL_CTX_set_alpn_protos(m_context.get(), HTTP.data(), HTTP.size());
    Start(false);
    TlsSession server(m_serverEnd, "server", "");
    server.Start();
    Exchange(server);
    EXPECT_EQ(server.GetState(), State::FAILED);
    EXPECT_EQ(server.GetFailure(), "no application protocol");
}

TEST_F(TlsForeignPeer, AServerNamesSunrpcAlone)
{
    constexpr std::array<unsigned char, 10> BOTH{2, 'h', '2', 6, 's', 'u', 'n', 'r', 'p', 'c'};
    Make(TLS_client_method());
    SSL_CTX_set_alpn_protos(m_context.get(), BOTH.data(), BOTH.size());
    Start(false);
    TlsSession server(m_serverEnd, "server", "");
    server.Start();
    Exchange(server, 2);
    ASSERT_EQ(server.GetState(), State::OPEN);
    EXPECT_FALSE(server.HasOutput()) << "no ticket to resume the session with";
    const unsigned char* protocol = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(m_peer.get(), &protocol, &size);
    EXPECT_EQ(std::string(protocol, protocol + size), "sunrpc");
}

/// \return what \p offered a server of OpenSSL has seen in a ClientHello.
int
NoteProtocols(SSL* /* session */,
              const unsigned char** out,
              unsigned char* size,
              const unsigned char* offered,
              unsigned offeredSize,
              void* argument)
{
    static_cast<std::string*>(argument)->assign(offered, offered + offeredSize);
    *out = offered + 1;
    *size = offered[0];
    return SSL_TLSEXT_ERR_NOACK;
}

TEST_F(TlsForeignPeer, AClientOffersSunrpcAndLeavesAServerThatDoesNotAnswerIt)
{
    std::string offered;
    Make(TLS_server_method());
    SSL_CTX_set_alpn_select_cb(m_context.get(), NoteProtocols, &offered);
    const TlsIdentity identity = TlsIdentity::MakeHost(SEED, "server-0");
    SSL_CTX_use_certificate(m_context.get(), identity.GetCertificate());
    SSL_CTX_use_PrivateKey(m_context.get(), identity.GetKey());
    Start(true);
    TlsSession client(m_clientEnd, "client", "server-0");
    client.Start();
    Exchange(client);
    EXPECT_EQ(offered, std::string(SUNRPC.begin(), SUNRPC.end()));
    EXPECT_EQ(client.GetState(), State::FAILED);
    EXPECT_EQ(client.GetFailure(), "no application protocol");
}

TEST_F(TlsForeignPeer, AServerAsksForACertificate)
{
    Make(TLS_client_method());
    SSL_CTX_set_alpn_protos(m_context.get(), SUNRPC.data(), SUNRPC.size());
    int asked = 0;
    SSL_CTX_set_cert_cb(
        m_context.get(),
        [](SSL* /* session */, void* argument) {
            ++*static_cast<int*>(argument);
            return 1;
        },
        &asked);
    Start(false);
    TlsSession server(m_serverEnd, "server", "");
    server.Start();
    Exchange(server);
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(server.GetState(), State::OPEN) << "and takes a client without one";
}

} // namespace
} // namespace ns3::nfsrdma
