/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tls/endpoint.h"

#include "tls/library.h"
#include "tls/random-octets.h"

#include "ns3/abort.h"

#include <array>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::array<unsigned char, 7> SUNRPC{6, 's', 'u', 'n', 'r', 'p', 'c'};

const char*
NameOf(TlsSuite suite)
{
    switch (suite)
    {
    case TlsSuite::AES_128_GCM_SHA256:
        return "TLS_AES_128_GCM_SHA256";
    case TlsSuite::AES_256_GCM_SHA384:
        return "TLS_AES_256_GCM_SHA384";
    case TlsSuite::CHACHA20_POLY1305_SHA256:
        break;
    }
    return "TLS_CHACHA20_POLY1305_SHA256";
}

int
SelectProtocol(SSL* /* session */,
               const unsigned char** chosen,
               unsigned char* size,
               const unsigned char* offered,
               unsigned offeredSize,
               void* /* argument */)
{
    unsigned char* out = nullptr;
    if (SSL_select_next_proto(&out, size, SUNRPC.data(), SUNRPC.size(), offered, offeredSize) !=
        OPENSSL_NPN_NEGOTIATED)
    {
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    }
    *chosen = out;
    return SSL_TLSEXT_ERR_OK;
}

bool
Trust(SSL_CTX* context, uint64_t seed)
{
    const TlsIdentity authority = TlsIdentity::MakeAuthority(seed);
    X509_VERIFY_PARAM* const verification = SSL_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_time(verification, TlsIdentity::VERIFIED_AT);
    return X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority.GetCertificate()) == 1;
}

} // namespace

void
TlsEndpoint::Free::operator()(ssl_ctx_st* context) const
{
    SSL_CTX_free(context);
}

TlsEndpoint::TlsEndpoint(Side side,
                         uint64_t seed,
                         const std::optional<TlsIdentity>& identity,
                         const TlsRecords& records)
    : m_side(side),
      m_records(records)
{
    RandomOctets octets("endpoint " + std::to_string(seed));
    const TlsLibrary::Drawing drawing(octets);
    m_context.reset(
        SSL_CTX_new_ex(TlsLibrary::Get(),
                       nullptr,
                       side == Side::CLIENT ? TLS_client_method() : TLS_server_method()));
    SSL_CTX* const context = m_context.get();
    NS_ABORT_MSG_UNLESS(context != nullptr, "OpenSSL has no TLS");
    const bool isReady =
        SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1 &&
        SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1 &&
        SSL_CTX_set_ciphersuites(context, NameOf(records.suite)) == 1 &&
        SSL_CTX_set1_groups_list(context, "X25519") == 1 &&
        SSL_CTX_set1_sigalgs_list(context, "ed25519") == 1 &&
        SSL_CTX_set_num_tickets(context, 0) == 1 &&
        SSL_CTX_set_max_send_fragment(context, records.recordSize) == 1 && Trust(context, seed) &&
        (!identity || (SSL_CTX_use_certificate(context, identity->GetCertificate()) == 1 &&
                       SSL_CTX_use_PrivateKey(context, identity->GetKey()) == 1));
    NS_ABORT_MSG_UNLESS(isReady, "OpenSSL has no TLS 1.3 with " << NameOf(records.suite));
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    if (side == Side::CLIENT)
    {
        NS_ABORT_MSG_UNLESS(SSL_CTX_set_alpn_protos(context, SUNRPC.data(), SUNRPC.size()) == 0,
                            "OpenSSL has no ALPN");
    }
    else
    {
        SSL_CTX_set_alpn_select_cb(context, SelectProtocol, nullptr);
    }
}

} // namespace ns3::nfsrdma
