/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/security/gss-context.h"

#include "rpc/security/gss-mix.h"
#include "wire/crc32c.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
#include <cstring>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint16_t MIC_TOKEN = 0x0404;
constexpr uint16_t WRAP_TOKEN = 0x0504;
constexpr uint8_t SENT_BY_ACCEPTOR = 0x01;
constexpr uint8_t SEALED = 0x02;
constexpr uint8_t ACCEPTOR_SUBKEY = 0x04;
constexpr uint8_t FILLER = 0xff;
constexpr std::size_t FLAGS_OFFSET = 2;
constexpr std::size_t FILLER_OFFSET = 3;
constexpr std::size_t SEQUENCE_OFFSET = 8;
constexpr std::size_t MIX_WORD = sizeof(uint64_t);

using Header = std::array<uint8_t, GssContext::HEADER_SIZE>;

} // namespace

GssContext::GssContext(GssEnctype enctype, uint64_t key, Role role)
    : m_enctype(enctype),
      m_key(key),
      m_role(role)
{
}

uint32_t
GssContext::GetMicSize(GssEnctype enctype)
{
    return HEADER_SIZE + GetGssChecksumSize(enctype);
}

uint32_t
GssContext::GetWrapOverhead(GssEnctype enctype)
{
    return HEADER_SIZE + CONFOUNDER_SIZE + HEADER_SIZE + GetGssChecksumSize(enctype);
}

uint8_t
GssContext::GetFlags(Role sender) const
{
    return sender == Role::ACCEPTOR ? SENT_BY_ACCEPTOR | ACCEPTOR_SUBKEY : ACCEPTOR_SUBKEY;
}

void
GssContext::EncodeHeader(MutableByteSpan header,
                         uint16_t type,
                         uint8_t flags,
                         uint64_t sequence) const
{
    boost::endian::store_big_u16(header.data(), type);
    header[FLAGS_OFFSET] = flags;
    header[FILLER_OFFSET] = FILLER;
    const uint8_t rest = type == MIC_TOKEN ? FILLER : 0;
    std::fill(header.begin() + FILLER_OFFSET + 1, header.begin() + SEQUENCE_OFFSET, rest);
    boost::endian::store_big_u64(header.data() + SEQUENCE_OFFSET, sequence);
}

void
GssContext::WriteChecksum(ByteSpan data, ByteSpan header, MutableByteSpan checksum) const
{
    const uint32_t crc = Crc32c(header, Crc32c(data, static_cast<uint32_t>(m_key)));
    uint64_t state = m_key ^ crc ^ (uint64_t{data.size()} << 32U);
    for (std::size_t offset = 0; offset < checksum.size(); offset += MIX_WORD)
    {
        std::array<uint8_t, MIX_WORD> word{};
        state = MixGss(state);
        boost::endian::store_big_u64(word.data(), state);
        std::memcpy(checksum.data() + offset,
                    word.data(),
                    std::min(MIX_WORD, static_cast<std::size_t>(checksum.size()) - offset));
    }
}

void
GssContext::ApplyKeystream(MutableByteSpan octets, uint64_t sequence, Role sender) const
{
    uint64_t counter = MixGss(m_key ^ MixGss(2 * sequence + (sender == Role::ACCEPTOR ? 1 : 0)));
    std::size_t offset = 0;
    for (; offset + MIX_WORD <= octets.size(); offset += MIX_WORD)
    {
        uint64_t word = 0;
        std::memcpy(&word, octets.data() + offset, MIX_WORD);
        word ^= boost::endian::native_to_little(MixGss(counter++));
        std::memcpy(octets.data() + offset, &word, MIX_WORD);
    }
    uint64_t last = MixGss(counter);
    for (; offset < octets.size(); ++offset)
    {
        octets[offset] ^= static_cast<uint8_t>(last);
        last >>= 8U;
    }
}

ByteVector
GssContext::MakeMic(ByteSpan data)
{
    ByteVector token(GetMicSize(m_enctype));
    const MutableByteSpan span(token);
    EncodeHeader(span.first(HEADER_SIZE), MIC_TOKEN, GetFlags(m_role), m_sequence++);
    WriteChecksum(data, span.first(HEADER_SIZE), span.subspan(HEADER_SIZE));
    return token;
}

bool
GssContext::VerifyMic(ByteSpan data, ByteSpan token) const
{
    if (token.size() != GetMicSize(m_enctype))
    {
        return false;
    }
    ByteVector expected(token.size());
    const MutableByteSpan span(expected);
    EncodeHeader(span.first(HEADER_SIZE),
                 MIC_TOKEN,
                 GetFlags(GetPeer()),
                 boost::endian::load_big_u64(token.data() + SEQUENCE_OFFSET));
    WriteChecksum(data, span.first(HEADER_SIZE), span.subspan(HEADER_SIZE));
    return std::equal(token.begin(), token.end(), expected.begin());
}

ByteVector
GssContext::Wrap(ByteSpan data)
{
    const uint64_t sequence = m_sequence++;
    ByteVector token(data.size() + GetWrapOverhead(m_enctype));
    const MutableByteSpan span(token);
    const std::size_t sealed = CONFOUNDER_SIZE + data.size() + HEADER_SIZE;
    EncodeHeader(span.first(HEADER_SIZE), WRAP_TOKEN, GetFlags(m_role) | SEALED, sequence);
    boost::endian::store_big_u64(token.data() + HEADER_SIZE, MixGss(m_key + sequence));
    boost::endian::store_big_u64(token.data() + HEADER_SIZE + MIX_WORD, MixGss(m_key - sequence));
    std::copy(data.begin(), data.end(), token.begin() + HEADER_SIZE + CONFOUNDER_SIZE);
    std::copy_n(token.begin(), HEADER_SIZE, token.begin() + static_cast<std::ptrdiff_t>(sealed));
    WriteChecksum(span.subspan(HEADER_SIZE, sealed - HEADER_SIZE),
                  span.first(HEADER_SIZE),
                  span.subspan(HEADER_SIZE + sealed));
    ApplyKeystream(span.subspan(HEADER_SIZE, sealed), sequence, m_role);
    return token;
}

Decoded<ByteVector>
GssContext::Unwrap(ByteSpan token) const
{
    if (token.size() < GetWrapOverhead(m_enctype))
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    Header header{};
    const uint64_t sequence = boost::endian::load_big_u64(token.data() + SEQUENCE_OFFSET);
    EncodeHeader(header, WRAP_TOKEN, GetFlags(GetPeer()) | SEALED, sequence);
    if (!std::equal(header.begin(), header.end(), token.begin()))
    {
        return tl::unexpected(WireError::BAD_VALUE);
    }
    const std::size_t checksumSize = GetGssChecksumSize(m_enctype);
    const std::size_t sealed = token.size() - HEADER_SIZE - checksumSize;
    ByteVector plain(token.begin() + HEADER_SIZE,
                     token.begin() + static_cast<std::ptrdiff_t>(HEADER_SIZE + sealed));
    ApplyKeystream(plain, sequence, GetPeer());
    std::array<uint8_t, 32> checksum{};
    const MutableByteSpan expected = MutableByteSpan(checksum).first(checksumSize);
    WriteChecksum(ByteSpan(plain).first(sealed - HEADER_SIZE), header, expected);
    if (!std::equal(header.begin(), header.end(), plain.end() - HEADER_SIZE) ||
        !std::equal(expected.begin(), expected.end(), token.last(checksumSize).begin()))
    {
        return tl::unexpected(WireError::BAD_CHECKSUM);
    }
    plain.resize(sealed - HEADER_SIZE);
    plain.erase(plain.begin(), plain.begin() + CONFOUNDER_SIZE);
    return plain;
}

} // namespace ns3::nfsrdma
