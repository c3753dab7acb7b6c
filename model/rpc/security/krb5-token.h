/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SECURITY_KRB5_TOKEN_H
#define NFSRDMA_RPC_SECURITY_KRB5_TOKEN_H

#include "rpc/security/gss-enctype.h"
#include "wire/bytes.h"
#include "wire/decode-error.h"

#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief The tokens that create a Kerberos context (RFC 4121 section 4.1): AP-REQ from the
 * initiator, AP-REP from the acceptor (RFC 4120 section 5.5), in the framing of RFC 2743 section
 * 3.1.
 *
 * The ASN.1 is complete, with lengths in their two-octet form so that every size can be had; the
 * encrypted parts are octets derived from a nonce, which stands at the start of the last one. Both
 * nonces together give the context's key: a stand-in for a ticket, no cryptography. The name of the
 * principal follows the request's nonce, as cname in an authenticator (RFC 4120 section 5.5.1).
 */
struct Krb5Token
{
    enum class Kind
    {
        AP_REQ,
        AP_REP
    };

    static constexpr uint32_t MINIMUM_REQUEST = 400;
    static constexpr uint32_t MINIMUM_REPLY = 100;
    static constexpr uint32_t MAXIMUM = 60000;
    static constexpr uint32_t MAX_PRINCIPAL = 80;

    Kind kind{Kind::AP_REQ};
    GssEnctype enctype{GssEnctype::AES256_CTS_HMAC_SHA1_96};
    uint64_t nonce{0};
    uint32_t size{0};      ///< Octets of the whole token; within the limits above.
    std::string principal; ///< Of an AP-REQ; at most MAX_PRINCIPAL octets, the rest is left out.

    [[nodiscard]] ByteVector Encode() const;
    /// TRUNCATED; BAD_VALUE: no token of this form, an unknown enctype.
    [[nodiscard]] static Decoded<Krb5Token> Decode(ByteSpan token);

    /// \return the key of the context that both nonces create.
    [[nodiscard]] static uint64_t DeriveKey(uint64_t request, uint64_t reply);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SECURITY_KRB5_TOKEN_H
