/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/key-material.h"

#include "wire/byte-writer.h"

#include "ns3/abort.h"

#include <algorithm>
#include <array>
#include <openssl/evp.h>
#include <string_view>

namespace ns3::nfsrdma
{

EspKey
DeriveEspKey(const AssociationName& name, EspSuite suite)
{
    constexpr std::string_view LABEL = "nfsrdma ESP key";
    constexpr std::size_t NAME_SIZE = 8 + 4 * 4;
    std::array<uint8_t, LABEL.size() + NAME_SIZE> text{};
    std::copy(LABEL.begin(), LABEL.end(), text.begin());
    ByteWriter writer(MutableByteSpan(text).subspan(LABEL.size()));
    writer.WriteU64(name.seed);
    writer.WriteU32(name.sender);
    writer.WriteU32(name.receiver);
    writer.WriteU32(name.generation);
    writer.WriteU32(static_cast<uint32_t>(suite));
    std::array<uint8_t, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    NS_ABORT_MSG_UNLESS(
        writer.Ok() &&
            EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha512(), nullptr) ==
                1,
        "OpenSSL has no SHA-512");
    EspKey key;
    const uint8_t* const begin = digest.data();
    const uint8_t* const salt = begin + GetKeySize(suite);
    key.key.assign(begin, salt);
    std::copy(salt, salt + EspKey::SALT_SIZE, key.salt.begin());
    return key;
}

} // namespace ns3::nfsrdma
