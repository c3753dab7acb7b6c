/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SECURITY_GSS_CONTEXT_H
#define NFSRDMA_RPC_SECURITY_GSS_CONTEXT_H

#include "rpc/security/gss-enctype.h"
#include "wire/bytes.h"
#include "wire/decode-error.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief One end of a Kerberos security context: makes and checks the per-message tokens of RFC
 * 4121 section 4.2.
 *
 *     MIC token:   04 04 | flags | 5 x ff | SND_SEQ (8) | checksum
 *     Wrap token:  05 04 | flags | ff | EC 0 (2) | RRC 0 (2) | SND_SEQ (8) |
 *                  E(confounder (16) | data | copy of the header (16)) | checksum
 *
 * Sizes and layout are those of real tokens. The cryptography is not: checksum and ciphertext are
 * stand-ins, a keyed CRC and a keyed stream of octets that is the same in each run. They protect
 * nothing, yet data in a Wrap token cannot be read in a capture, and one octet changed anywhere
 * under a checksum is noticed.
 *
 * SND_SEQ counts the tokens made at this end; what the peer's says is not judged (RPCSEC_GSS has a
 * sequence of its own, RFC 2203 section 5.3.3.1).
 */
class GssContext
{
  public:
    enum class Role
    {
        INITIATOR,
        ACCEPTOR
    };

    static constexpr uint32_t HEADER_SIZE = 16;
    static constexpr uint32_t CONFOUNDER_SIZE = 16;

    /// \param key shared by both ends
    GssContext(GssEnctype enctype, uint64_t key, Role role);

    /// \return octets of a MIC token.
    [[nodiscard]] static uint32_t GetMicSize(GssEnctype enctype);
    /// \return octets that Wrap() adds.
    [[nodiscard]] static uint32_t GetWrapOverhead(GssEnctype enctype);

    /// \return a MIC token over \p data.
    [[nodiscard]] ByteVector MakeMic(ByteSpan data);
    /// \return true when \p token is the peer's MIC token over \p data.
    [[nodiscard]] bool VerifyMic(ByteSpan data, ByteSpan token) const;

    /// \return a sealed Wrap token that holds \p data.
    [[nodiscard]] ByteVector Wrap(ByteSpan data);
    /// \return the data of the peer's Wrap token. TRUNCATED; BAD_VALUE: a header field;
    /// BAD_CHECKSUM: the token was changed, or made with another key.
    [[nodiscard]] Decoded<ByteVector> Unwrap(ByteSpan token) const;

  private:
    [[nodiscard]] uint8_t GetFlags(Role sender) const;
    void EncodeHeader(MutableByteSpan header,
                      uint16_t type,
                      uint8_t flags,
                      uint64_t sequence) const;
    void WriteChecksum(ByteSpan data, ByteSpan header, MutableByteSpan checksum) const;
    void ApplyKeystream(MutableByteSpan octets, uint64_t sequence, Role sender) const;

    [[nodiscard]] Role GetPeer() const
    {
        return m_role == Role::INITIATOR ? Role::ACCEPTOR : Role::INITIATOR;
    }

    GssEnctype m_enctype;
    uint64_t m_key;
    Role m_role;
    uint64_t m_sequence{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SECURITY_GSS_CONTEXT_H
