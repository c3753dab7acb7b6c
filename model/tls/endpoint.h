/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TLS_ENDPOINT_H
#define NFSRDMA_TLS_ENDPOINT_H

#include "tls/identity.h"

#include <cstdint>
#include <memory>
#include <optional>

struct ssl_ctx_st;

namespace ns3::nfsrdma
{

/// AEAD and hash of TLS 1.3 (RFC 8446 appendix B.4).
enum class TlsSuite
{
    AES_128_GCM_SHA256,
    AES_256_GCM_SHA384,
    CHACHA20_POLY1305_SHA256
};

/// How the sessions of an endpoint protect what they send.
struct TlsRecords
{
    static constexpr uint32_t MIN_SIZE = 512;
    static constexpr uint32_t MAX_SIZE = 16384; ///< RFC 8446 section 5.1.

    TlsSuite suite{TlsSuite::AES_128_GCM_SHA256};
    uint32_t recordSize{MAX_SIZE}; ///< Octets of plaintext of a record at most.
    uint64_t rekeyOctets{0};       ///< After which a KeyUpdate is sent; 0: never.

    /// What a record has besides plaintext: header, content type, tag.
    static constexpr uint32_t OVERHEAD = 5 + 1 + 16;
};

/**
 * \brief One end of TLS 1.3 as RFC 9289 sections 4 and 5 have it: what the sessions of a host as a
 * client, or as a server, have in common.
 *
 * No other version, no early data, no tickets: a session is never resumed. Key exchange X25519,
 * signatures Ed25519, ALPN "sunrpc". A server asks for a certificate, and takes a client without
 * one (RFC 9289 section 5.2); one that the authority has not signed ends the handshake.
 */
class TlsEndpoint
{
  public:
    enum class Side
    {
        CLIENT,
        SERVER
    };

    /// \param seed of the run: whose authority is trusted
    /// \param identity to show; none: a client without a certificate
    TlsEndpoint(Side side,
                uint64_t seed,
                const std::optional<TlsIdentity>& identity,
                const TlsRecords& records);

    [[nodiscard]] Side GetSide() const
    {
        return m_side;
    }

    [[nodiscard]] const TlsRecords& GetRecords() const
    {
        return m_records;
    }

    [[nodiscard]] ssl_ctx_st* GetContext() const
    {
        return m_context.get();
    }

  private:
    struct Free
    {
        void operator()(ssl_ctx_st* context) const;
    };

    Side m_side;
    TlsRecords m_records;
    std::unique_ptr<ssl_ctx_st, Free> m_context;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TLS_ENDPOINT_H
