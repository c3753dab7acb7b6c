/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SECURITY_GSS_ENCTYPE_H
#define NFSRDMA_RPC_SECURITY_GSS_ENCTYPE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Kerberos encryption types that sizes of tokens depend on; the numbers are IANA's.
enum class GssEnctype : uint8_t
{
    AES256_CTS_HMAC_SHA1_96 = 18,    ///< RFC 3962; checksum of 12 octets.
    AES128_CTS_HMAC_SHA256_128 = 19, ///< RFC 8009; checksum of 16 octets.
    AES256_CTS_HMAC_SHA384_192 = 20, ///< RFC 8009; checksum of 24 octets.
};

/// \return IANA's name: "aes256-cts-hmac-sha1-96", ...
const char* ToString(GssEnctype enctype);
/// \return the enctype of IANA's name \p name.
std::optional<GssEnctype> FindGssEnctype(const std::string& name);
/// \return the enctype of IANA's number \p number.
std::optional<GssEnctype> FindGssEnctype(uint32_t number);
/// \return the names, in order of their numbers.
std::vector<std::string> GetGssEnctypeNames();
/// \return octets of the checksum that ends a token.
uint32_t GetGssChecksumSize(GssEnctype enctype);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SECURITY_GSS_ENCTYPE_H
