/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/security/krb5-token.h"

#include "rpc/security/gss-mix.h"
#include "wire/crc32c.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t INTEGER = 0x02;
constexpr uint8_t BIT_STRING = 0x03;
constexpr uint8_t OCTET_STRING = 0x04;
constexpr uint8_t GENERAL_STRING = 0x1b;
constexpr uint8_t SEQUENCE = 0x30;
constexpr uint8_t APPLICATION = 0x60;
constexpr uint8_t CONTEXT = 0xa0;
constexpr uint8_t TICKET = 1;
constexpr uint8_t AP_REQ_NUMBER = 14;
constexpr uint8_t AP_REP_NUMBER = 15;
constexpr uint8_t KERBEROS_VERSION = 5;
constexpr uint8_t LENGTH_IN_TWO = 0x82;
constexpr std::size_t TAG_SIZE = 4;
constexpr std::size_t NONCE_SIZE = 8;
constexpr std::size_t AUTHENTICATOR_SIZE = 96;
/// OID 1.2.840.113554.1.2.2, and room for TOK_ID.
constexpr std::array<uint8_t, 11>
    MECHANISM{0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x02};
constexpr uint16_t AP_REQ_TOKEN = 0x0100;
constexpr uint16_t AP_REP_TOKEN = 0x0200;
constexpr std::size_t TOKEN_ID_OFFSET = TAG_SIZE + MECHANISM.size();

ByteVector
Tag(uint8_t tag, std::initializer_list<ByteVector> parts)
{
    std::size_t length = 0;
    for (const ByteVector& part : parts)
    {
        length += part.size();
    }
    ByteVector octets{tag,
                      LENGTH_IN_TWO,
                      static_cast<uint8_t>(length >> 8U),
                      static_cast<uint8_t>(length)};
    octets.reserve(TAG_SIZE + length);
    for (const ByteVector& part : parts)
    {
        octets.insert(octets.end(), part.begin(), part.end());
    }
    return octets;
}

ByteVector
Field(uint8_t number, const ByteVector& value)
{
    return Tag(CONTEXT | number, {value});
}

ByteVector
Integer(uint8_t value)
{
    return Tag(INTEGER, {{value}});
}

ByteVector
String(std::string_view text)
{
    return Tag(GENERAL_STRING, {ByteVector(text.begin(), text.end())});
}

ByteVector
EncryptedData(GssEnctype enctype, const ByteVector& cipher)
{
    return Tag(
        SEQUENCE,
        {Field(0, Integer(static_cast<uint8_t>(enctype))), Field(2, Tag(OCTET_STRING, {cipher}))});
}

ByteVector
Ticket(GssEnctype enctype, const ByteVector& cipher)
{
    const ByteVector name =
        Tag(SEQUENCE,
            {Field(0, Integer(2)), Field(1, Tag(SEQUENCE, {String("nfs"), String("server")}))});
    return Tag(APPLICATION | TICKET,
               {Tag(SEQUENCE,
                    {Field(0, Integer(KERBEROS_VERSION)),
                     Field(1, String("EXAMPLE.ORG")),
                     Field(2, name),
                     Field(3, EncryptedData(enctype, cipher))})});
}

ByteVector
Cipher(uint64_t nonce, std::size_t length)
{
    ByteVector cipher(length);
    uint64_t state = nonce;
    for (uint8_t& octet : cipher)
    {
        state = MixGss(state);
        octet = static_cast<uint8_t>(state);
    }
    if (length >= NONCE_SIZE)
    {
        boost::endian::store_big_u64(cipher.data(), nonce);
    }
    return cipher;
}

/// The nonce; then, under octets that follow from it: length and name of the principal, their CRC.
ByteVector
Authenticator(const Krb5Token& token)
{
    const auto length = std::min<std::size_t>(token.principal.size(), Krb5Token::MAX_PRINCIPAL);
    ByteVector plain{static_cast<uint8_t>(length)};
    plain.insert(plain.end(),
                 token.principal.begin(),
                 token.principal.begin() + static_cast<std::ptrdiff_t>(length));
    const uint32_t crc = Crc32c(plain);
    plain.resize(plain.size() + sizeof(crc));
    boost::endian::store_big_u32(plain.data() + plain.size() - sizeof(crc), crc);
    ByteVector cipher = Cipher(token.nonce, AUTHENTICATOR_SIZE);
    std::transform(plain.begin(),
                   plain.end(),
                   cipher.begin() + NONCE_SIZE,
                   cipher.begin() + NONCE_SIZE,
                   std::bit_xor<>());
    return cipher;
}

/// \return the name in an authenticator; none when its length cannot be.
std::optional<std::string>
FindName(uint64_t nonce, ByteSpan authenticator)
{
    const ByteVector stream = Cipher(nonce, AUTHENTICATOR_SIZE);
    const auto length = static_cast<std::size_t>(authenticator[NONCE_SIZE] ^ stream[NONCE_SIZE]);
    if (length > Krb5Token::MAX_PRINCIPAL)
    {
        return std::nullopt;
    }
    std::string name;
    for (std::size_t i = 0; i < length; ++i)
    {
        const std::size_t place = NONCE_SIZE + 1 + i;
        name.push_back(static_cast<char>(authenticator[place] ^ stream[place]));
    }
    return name;
}

/// \return the token with \p filler octets of cipher to be chosen.
ByteVector
Compose(const Krb5Token& token, std::size_t filler)
{
    const bool request = token.kind == Krb5Token::Kind::AP_REQ;
    const uint16_t id = request ? AP_REQ_TOKEN : AP_REP_TOKEN;
    const ByteVector identity{static_cast<uint8_t>(id >> 8U), static_cast<uint8_t>(id)};
    const ByteVector version = Field(0, Integer(KERBEROS_VERSION));
    ByteVector message;
    if (request)
    {
        message = Tag(APPLICATION | AP_REQ_NUMBER,
                      {Tag(SEQUENCE,
                           {version,
                            Field(1, Integer(AP_REQ_NUMBER)),
                            Field(2, Tag(BIT_STRING, {{0, 0x20, 0, 0, 0}})),
                            Field(3, Ticket(token.enctype, Cipher(~token.nonce, filler))),
                            Field(4, EncryptedData(token.enctype, Authenticator(token)))})});
    }
    else
    {
        message = Tag(APPLICATION | AP_REP_NUMBER,
                      {Tag(SEQUENCE,
                           {version,
                            Field(1, Integer(AP_REP_NUMBER)),
                            Field(2, EncryptedData(token.enctype, Cipher(token.nonce, filler)))})});
    }
    return Tag(APPLICATION, {ByteVector(MECHANISM.begin(), MECHANISM.end()), identity, message});
}

} // namespace

ByteVector
Krb5Token::Encode() const
{
    return Compose(*this, size - Compose(*this, 0).size());
}

Decoded<Krb5Token>
Krb5Token::Decode(ByteSpan token)
{
    if (token.size() < MINIMUM_REPLY)
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    Krb5Token decoded;
    decoded.size = token.size();
    const uint16_t id = boost::endian::load_big_u16(token.data() + TOKEN_ID_OFFSET);
    decoded.kind = id == AP_REQ_TOKEN ? Kind::AP_REQ : Kind::AP_REP;
    const std::size_t minimum = decoded.kind == Kind::AP_REQ ? MINIMUM_REQUEST : MINIMUM_REPLY;
    if (decoded.size < minimum || decoded.size > MAXIMUM)
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    // All but the nonce and what follows from it is known: encoding it again must give the token.
    const std::size_t cipher = decoded.kind == Kind::AP_REQ
                                   ? AUTHENTICATOR_SIZE
                                   : decoded.size - Compose(decoded, 0).size();
    decoded.nonce = boost::endian::load_big_u64(token.last(cipher).data());
    if (decoded.kind == Kind::AP_REQ)
    {
        auto principal = FindName(decoded.nonce, token.last(AUTHENTICATOR_SIZE));
        if (!principal)
        {
            return tl::unexpected(WireError::BAD_VALUE);
        }
        decoded.principal = std::move(*principal);
    }
    for (const std::string& name : GetGssEnctypeNames())
    {
        decoded.enctype = *FindGssEnctype(name);
        const ByteVector expected = decoded.Encode();
        if (ByteSpan(expected) == token)
        {
            return decoded;
        }
    }
    return tl::unexpected(WireError::BAD_VALUE);
}

uint64_t
Krb5Token::DeriveKey(uint64_t request, uint64_t reply)
{
    return MixGss(request ^ MixGss(reply));
}

} // namespace ns3::nfsrdma
