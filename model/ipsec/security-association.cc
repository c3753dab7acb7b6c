/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/security-association.h"

#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

SecurityAssociation::SecurityAssociation(uint32_t spi,
                                         const EspKey& key,
                                         const AssociationTraits& traits,
                                         Time made,
                                         uint64_t sequence)
    : m_spi(spi),
      m_key(key),
      m_traits(traits),
      m_cipher(traits.suite, key),
      m_window(traits.replayWindow, traits.extended),
      m_made(made),
      m_sequence(sequence)
{
    if (sequence > 0)
    {
        m_window.Accept(sequence);
    }
}

bool
SecurityAssociation::IsPast(const AssociationLifetime& lifetime, Time now) const
{
    return (lifetime.octets > 0 && m_octets >= lifetime.octets) ||
           (lifetime.packets > 0 && m_packets >= lifetime.packets) ||
           (lifetime.time.IsStrictlyPositive() && now - m_made >= lifetime.time);
}

bool
SecurityAssociation::IsSoftExpired(Time now) const
{
    constexpr uint64_t PART = 8;
    const uint64_t last = GetLastSequence();
    return m_sequence >= last - last / PART || IsPast(m_traits.soft, now);
}

bool
SecurityAssociation::IsHardExpired(Time now) const
{
    return m_sequence == GetLastSequence() || IsPast(m_traits.hard, now);
}

SecurityAssociation::Authenticated
SecurityAssociation::MakeAuthenticated(uint64_t sequence) const
{
    Authenticated authenticated;
    auto* const at = authenticated.octets.data();
    boost::endian::store_big_u32(at, m_spi);
    if (m_traits.extended)
    {
        boost::endian::store_big_u64(at + sizeof(m_spi), sequence);
        authenticated.size = sizeof(m_spi) + sizeof(uint64_t);
    }
    else
    {
        boost::endian::store_big_u32(at + sizeof(m_spi), static_cast<uint32_t>(sequence));
        authenticated.size = sizeof(m_spi) + sizeof(uint32_t);
    }
    return authenticated;
}

bool
SecurityAssociation::Seal(MutableByteSpan esp,
                          std::size_t payload,
                          uint8_t nextHeader,
                          std::size_t packetOctets,
                          Time now)
{
    if (IsHardExpired(now))
    {
        return false;
    }
    ++m_sequence;
    ++m_packets;
    m_octets += packetOctets;
    const auto text = esp.subspan(GetPayloadOffset(), esp.size() - EspPacket::FIXED_SIZE);
    EspPlaintext plaintext;
    plaintext.payload = text.first(payload);
    plaintext.padLength = EspPlaintext::GetLeastPadding(payload);
    plaintext.nextHeader = nextHeader;
    plaintext.Encode(text);
    const auto icv = esp.last(EspPacket::ICV_SIZE);
    m_cipher.Seal(m_sequence, MakeAuthenticated(m_sequence).Get(), text, icv);
    EspPacket packet;
    packet.spi = m_spi;
    packet.sequence = static_cast<uint32_t>(m_sequence);
    packet.iv = m_sequence;
    packet.ciphertext = text;
    packet.icv = icv;
    packet.Encode(esp);
    return true;
}

tl::expected<EspPlaintext, EspFailure>
SecurityAssociation::Open(MutableByteSpan esp)
{
    const auto packet = EspPacket::Decode(esp);
    if (!packet)
    {
        return tl::unexpected(EspFailure::MALFORMED);
    }
    const auto sequence = m_window.Check(packet->sequence);
    if (!sequence)
    {
        return tl::unexpected(EspFailure::REPLAYED);
    }
    const auto text = esp.subspan(GetPayloadOffset(), packet->ciphertext.size());
    if (!m_cipher.Open(packet->iv, MakeAuthenticated(*sequence).Get(), text, packet->icv))
    {
        return tl::unexpected(EspFailure::INTEGRITY);
    }
    m_window.Accept(*sequence);
    const auto plaintext = EspPlaintext::Decode(text);
    if (!plaintext)
    {
        return tl::unexpected(EspFailure::MALFORMED);
    }
    return *plaintext;
}

} // namespace ns3::nfsrdma
