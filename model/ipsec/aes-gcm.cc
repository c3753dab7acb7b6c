/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/aes-gcm.h"

#include "ns3/abort.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <openssl/evp.h>

namespace ns3::nfsrdma
{

namespace
{

int
SizeOf(ByteSpan octets)
{
    return static_cast<int>(octets.size());
}

} // namespace

void
AesGcm::ContextDeleter::operator()(evp_cipher_ctx_st* context) const
{
    EVP_CIPHER_CTX_free(context);
}

AesGcm::AesGcm(EspSuite suite, const EspKey& key)
    : m_suite(suite),
      m_key(key)
{
    NS_ABORT_MSG_IF(m_key.key.size() != GetKeySize(suite), "a key of AES of another length");
}

void
AesGcm::Begin(bool encrypts, uint64_t iv, ByteSpan authenticated)
{
    std::array<uint8_t, EspKey::SALT_SIZE + sizeof(iv)> nonce{};
    std::copy(m_key.salt.begin(), m_key.salt.end(), nonce.begin());
    boost::endian::store_big_u64(nonce.data() + EspKey::SALT_SIZE, iv);
    const bool isNew = !m_context || m_encrypts != encrypts;
    if (!m_context)
    {
        m_context.reset(EVP_CIPHER_CTX_new());
    }
    m_encrypts = encrypts;
    const auto* const cipher =
        m_suite == EspSuite::AES_128_GCM ? EVP_aes_128_gcm() : EVP_aes_256_gcm();
    int ignored = 0;
    NS_ABORT_MSG_UNLESS(m_context && EVP_CipherInit_ex(m_context.get(),
                                                       isNew ? cipher : nullptr,
                                                       nullptr,
                                                       isNew ? m_key.key.data() : nullptr,
                                                       nonce.data(),
                                                       encrypts ? 1 : 0) == 1,
                        "OpenSSL has no AES-GCM");
    NS_ABORT_MSG_UNLESS(EVP_CipherUpdate(m_context.get(),
                                         nullptr,
                                         &ignored,
                                         authenticated.data(),
                                         SizeOf(authenticated)) == 1,
                        "AES-GCM takes no authenticated data");
}

void
AesGcm::Seal(uint64_t iv, ByteSpan authenticated, MutableByteSpan text, MutableByteSpan tag)
{
    Begin(true, iv, authenticated);
    int length = 0;
    int rest = 0;
    NS_ABORT_MSG_UNLESS(
        EVP_CipherUpdate(m_context.get(), text.data(), &length, text.data(), SizeOf(text)) == 1 &&
            EVP_CipherFinal_ex(m_context.get(), text.data() + length, &rest) == 1 &&
            EVP_CIPHER_CTX_ctrl(m_context.get(), EVP_CTRL_GCM_GET_TAG, TAG_SIZE, tag.data()) == 1,
        "AES-GCM does not encrypt");
}

bool
AesGcm::Open(uint64_t iv, ByteSpan authenticated, MutableByteSpan text, ByteSpan tag)
{
    Begin(false, iv, authenticated);
    std::array<uint8_t, TAG_SIZE> expected{};
    std::copy(tag.begin(), tag.end(), expected.begin());
    int length = 0;
    int rest = 0;
    return EVP_CipherUpdate(m_context.get(), text.data(), &length, text.data(), SizeOf(text)) ==
               1 &&
           EVP_CIPHER_CTX_ctrl(m_context.get(), EVP_CTRL_GCM_SET_TAG, TAG_SIZE, expected.data()) ==
               1 &&
           EVP_CipherFinal_ex(m_context.get(), text.data() + length, &rest) == 1;
}

} // namespace ns3::nfsrdma
