/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/sha256.h"

#include "ns3/abort.h"

#include <array>
#include <openssl/evp.h>

namespace ns3::nfsrdma
{

void
Sha256::ContextDeleter::operator()(evp_md_ctx_st* context) const
{
    EVP_MD_CTX_free(context);
}

Sha256::Sha256()
    : m_context(EVP_MD_CTX_new())
{
    NS_ABORT_MSG_IF(m_context == nullptr ||
                        EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) != 1,
                    "OpenSSL has no SHA-256");
}

void
Sha256::Update(ByteSpan octets)
{
    EVP_DigestUpdate(m_context.get(), octets.data(), octets.size());
}

void
Sha256::Update(uint64_t value)
{
    std::array<uint8_t, 8> octets{};
    for (std::size_t i = 0; i < octets.size(); ++i)
    {
        octets[i] = static_cast<uint8_t>(value >> (56 - 8 * i));
    }
    Update(ByteSpan(octets));
}

std::string
Sha256::Finish()
{
    std::array<uint8_t, EVP_MAX_MD_SIZE> octets{};
    unsigned length = 0;
    EVP_DigestFinal_ex(m_context.get(), octets.data(), &length);
    constexpr auto DIGITS = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < length; ++i)
    {
        text += DIGITS[octets[i] >> 4];
        text += DIGITS[octets[i] & 15];
    }
    return text;
}

} // namespace ns3::nfsrdma
