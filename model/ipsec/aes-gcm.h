/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_IPSEC_AES_GCM_H
#define NFSRDMA_IPSEC_AES_GCM_H

#include "wire/bytes.h"

#include <array>
#include <cstdint>
#include <memory>

struct evp_cipher_ctx_st;

namespace ns3::nfsrdma
{

/// Which AES encrypts, by the length of its key; both with an integrity check value of 16 octets.
enum class EspSuite
{
    AES_128_GCM,
    AES_256_GCM
};

/// \return octets of the key of \p suite, without salt.
constexpr std::size_t
GetKeySize(EspSuite suite)
{
    constexpr std::size_t AES_128_KEY = 16;
    constexpr std::size_t AES_256_KEY = 32;
    return suite == EspSuite::AES_128_GCM ? AES_128_KEY : AES_256_KEY;
}

/// The keying material of RFC 4106 section 8.1: a key of AES, and the salt of its nonces.
struct EspKey
{
    static constexpr std::size_t SALT_SIZE = 4;

    ByteVector key; ///< GetKeySize() octets.
    std::array<uint8_t, SALT_SIZE> salt{};
};

/**
 * \brief AES in Galois/Counter Mode as ESP has it (RFC 4106), by OpenSSL.
 *
 * The nonce is salt 4 | IV 8; no IV may be used twice with one key.
 */
class AesGcm
{
  public:
    static constexpr std::size_t TAG_SIZE = 16;

    AesGcm(EspSuite suite, const EspKey& key);

    /// Encrypts \p text in place. \param authenticated what is protected and not encrypted
    /// \param tag TAG_SIZE octets, written
    void Seal(uint64_t iv, ByteSpan authenticated, MutableByteSpan text, MutableByteSpan tag);
    /// Decrypts \p text in place. \return whether \p tag is right; \p text is worthless if not
    [[nodiscard]] bool Open(uint64_t iv,
                            ByteSpan authenticated,
                            MutableByteSpan text,
                            ByteSpan tag);

  private:
    /// Frees what OpenSSL has allocated.
    struct ContextDeleter
    {
        void operator()(evp_cipher_ctx_st* context) const;
    };

    using Context = std::unique_ptr<evp_cipher_ctx_st, ContextDeleter>;

    /// \param encrypts else it decrypts
    void Begin(bool encrypts, uint64_t iv, ByteSpan authenticated);

    EspSuite m_suite;
    EspKey m_key;
    Context m_context; ///< Null before the first use.
    bool m_encrypts{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_IPSEC_AES_GCM_H
