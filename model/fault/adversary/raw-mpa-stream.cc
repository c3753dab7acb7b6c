/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/raw-mpa-stream.h"

#include "mpa/marked-fpdu.h"

namespace ns3::nfsrdma
{

void
RawMpaStream::Start(MpaTransport& transport,
                    const Address& remote,
                    const MpaStartup::Policy& policy,
                    const MpaStartupParameters& parameters)
{
    m_policy = policy;
    m_policy.markers = false;
    m_policy.peerToPeer = false;
    m_parameters = parameters;
    Connect(transport, remote);
}

void
RawMpaStream::HandleConnected()
{
    SendOctets(m_handshake.StartInitiator(m_policy, m_parameters).Encode());
}

void
RawMpaStream::HandleOctets(ByteSpan octets)
{
    if (m_operational)
    {
        m_unread.insert(m_unread.end(), octets.begin(), octets.end());
        TakeFpdus();
        return;
    }
    switch (m_handshake.Receive(octets))
    {
    case MpaHandshake::Outcome::INCOMPLETE:
        break;
    case MpaHandshake::Outcome::ESTABLISHED: {
        m_operational = true;
        m_framing.crc = m_handshake.GetAgreement().crc;
        m_framing.markers = m_handshake.GetAgreement().sendMarkers;
        const ByteSpan rest = m_handshake.GetRest();
        m_unread.assign(rest.begin(), rest.end());
        HandleOperational();
        TakeFpdus();
        break;
    }
    default:
        Close();
        break;
    }
}

void
RawMpaStream::TakeFpdus()
{
    while (const auto size = Fpdu::PeekWireSize(m_unread))
    {
        if (m_unread.size() < *size || !IsOpen())
        {
            return;
        }
        const ByteVector fpdu(m_unread.begin(), m_unread.begin() + *size);
        m_unread.erase(m_unread.begin(), m_unread.begin() + *size);
        constexpr bool LOOKS_AT_CRC = false;
        if (const auto ulpdu = Fpdu::Decode(fpdu, LOOKS_AT_CRC))
        {
            TakeUlpdu(*ulpdu);
        }
    }
}

void
RawMpaStream::TakeUlpdu(ByteSpan ulpdu)
{
    ByteReader reader(ulpdu);
    const auto header = DecodeDdpHeader(reader);
    if (!header)
    {
        return;
    }
    const bool tagged = std::holds_alternative<DdpTaggedHeader>(*header);
    const uint8_t control = tagged ? std::get<DdpTaggedHeader>(*header).rsvdUlp
                                   : std::get<DdpUntaggedHeader>(*header).rsvdUlp;
    const auto opcode = DecodeRdmapControl(control);
    const ByteSpan payload =
        ulpdu.subspan(tagged ? DdpTaggedHeader::SIZE : DdpUntaggedHeader::SIZE);
    if (!opcode)
    {
        return;
    }
    if (*opcode != RdmapOpcode::TERMINATE)
    {
        HandleSegment({*opcode, *header, payload});
    }
    else if (const auto reason = TerminateMessage::DecodeReason(payload))
    {
        HandleTerminate(*reason);
    }
}

bool
RawMpaStream::SendUlpdu(ByteSpan ulpdu)
{
    return SendRaw(m_framing.markers ? MarkedFpdu::Encode(ulpdu, m_position, m_framing.crc)
                                     : Fpdu::Encode(ulpdu, m_framing.crc));
}

bool
RawMpaStream::SendRaw(ByteSpan octets)
{
    if (!IsOperational())
    {
        return false;
    }
    m_position += octets.size();
    return SendOctets(octets);
}

} // namespace ns3::nfsrdma
