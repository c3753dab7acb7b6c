/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/mpa-conversation.h"

#include "mpa/fpdu.h"
#include "wire/crc32c.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t FLAGS_OCTET = 16;
constexpr uint8_t DEFINED_IN_REQUEST = 0xd0;
constexpr uint8_t DEFINED_IN_REPLY = 0xf0;
constexpr std::size_t FAULT_MEMORY = 256;

bool
SameOctets(ByteSpan a, ByteSpan b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

std::optional<MpaStartupFrame::Kind>
FindKind(ByteSpan octets)
{
    for (const auto kind : {MpaStartupFrame::Kind::REQUEST, MpaStartupFrame::Kind::REPLY})
    {
        const auto size = MpaStartupFrame::FrameSize(octets, kind);
        if (size && *size && octets.size() >= **size)
        {
            return kind;
        }
    }
    return std::nullopt;
}

uint8_t
ReservedFlags(const MpaStartupFrame& frame, uint8_t flags)
{
    const auto defined =
        frame.kind == MpaStartupFrame::Kind::REQUEST ? DEFINED_IN_REQUEST : DEFINED_IN_REPLY;
    return static_cast<uint8_t>(flags & ~defined);
}

/// \return the ULPDU made again from what was decoded of it.
ByteVector
EncodeUlpdu(const CapturedFpdu& fpdu)
{
    ByteVector ulpdu(fpdu.ulpdu.size());
    ByteWriter writer(ulpdu);
    std::visit(
        [&writer, &fpdu](auto header) {
            header.rsvdUlp = EncodeRdmapControl(*fpdu.opcode, header.version);
            header.Encode(writer);
        },
        *fpdu.header);
    if (fpdu.readRequest)
    {
        fpdu.readRequest->Encode(writer);
        writer.WriteBytes(fpdu.payload.subspan(RdmaReadRequest::SIZE));
    }
    else if (fpdu.terminate)
    {
        writer.WriteBytes(fpdu.terminate->Encode());
    }
    else
    {
        writer.WriteBytes(fpdu.payload);
    }
    return ulpdu;
}

std::size_t
FirstDifference(ByteSpan a, ByteSpan b)
{
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                    a.begin());
}

} // namespace

bool
CapturedFpdu::IsSend() const
{
    return opcode == RdmapOpcode::SEND || opcode == RdmapOpcode::SEND_INVALIDATE ||
           opcode == RdmapOpcode::SEND_SE || opcode == RdmapOpcode::SEND_SE_INVALIDATE;
}

MpaConversation::MpaConversation(const TcpConversation& tcp, std::size_t allowed)
    : m_tcp(tcp),
      m_allowed(allowed)
{
    for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
    {
        FindStartup(side);
    }
    for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
    {
        if (IsOperational())
        {
            ReadFpdus(side);
        }
        else
        {
            MpaDirection& direction = m_directions[side];
            direction.unreadOctets = m_tcp.GetDirection(side).octets.size() - direction.mpaOctets;
            if (IsMpa())
            {
                FindEnd(side);
            }
        }
    }
}

bool
MpaConversation::IsMpa() const
{
    return m_initiator != NOBODY;
}

bool
MpaConversation::IsOperational() const
{
    return GetRequest() != nullptr && GetReply() != nullptr && !GetReply()->rejected;
}

const MpaStartupFrame*
MpaConversation::GetRequest() const
{
    const bool there = IsMpa() && m_directions[m_initiator].startup &&
                       m_directions[m_initiator].startup->kind == MpaStartupFrame::Kind::REQUEST;
    return there ? &*m_directions[m_initiator].startup : nullptr;
}

const MpaStartupFrame*
MpaConversation::GetReply() const
{
    const bool there = IsMpa() && m_directions[1 - m_initiator].startup &&
                       m_directions[1 - m_initiator].startup->kind == MpaStartupFrame::Kind::REPLY;
    return there ? &*m_directions[1 - m_initiator].startup : nullptr;
}

std::size_t
MpaConversation::FindEvent(std::size_t side, uint64_t end, std::size_t from) const
{
    const auto& events = m_tcp.GetEvents();
    for (std::size_t index = from; index < events.size(); ++index)
    {
        const TcpEvent& event = events[index];
        if (event.kind == TcpEvent::Kind::OCTETS && event.side == side &&
            event.offset + event.length >= end)
        {
            return index;
        }
    }
    return from;
}

void
MpaConversation::AddFault(std::size_t side, std::size_t event, const std::string& text)
{
    const auto& events = m_tcp.GetEvents();
    m_directions[side].faults.push_back({event < events.size() ? events[event].frame : 0, text});
    m_memory += FAULT_MEMORY;
}

void
MpaConversation::FindStartup(std::size_t side)
{
    const ByteSpan octets(m_tcp.GetDirection(side).octets);
    const auto kind = FindKind(octets);
    if (!kind)
    {
        return;
    }
    const std::size_t size = **MpaStartupFrame::FrameSize(octets, *kind);
    const ByteSpan captured = octets.first(size);
    MpaDirection& direction = m_directions[side];
    direction.startup = *MpaStartupFrame::Decode(captured, *kind);
    direction.startupEvent = FindEvent(side, size, 0);
    direction.startupReservedFlags = ReservedFlags(*direction.startup, captured[FLAGS_OCTET]);
    direction.mpaOctets = size;
    ByteVector again = direction.startup->Encode();
    again[FLAGS_OCTET] |= direction.startupReservedFlags;
    if (SameOctets(again, captured))
    {
        direction.reencodedOctets = size;
    }
    else
    {
        AddFault(side, direction.startupEvent, "the startup frame encodes to other octets");
    }
    if (m_initiator == NOBODY)
    {
        m_initiator = *kind == MpaStartupFrame::Kind::REQUEST ? side : 1 - side;
    }
}

void
MpaConversation::ReadFpdus(std::size_t side)
{
    MpaDirection& direction = m_directions[side];
    const ByteSpan octets(m_tcp.GetDirection(side).octets);
    const MpaStartupFrame& heard = side == m_initiator ? *GetReply() : *GetRequest();
    direction.framing = {GetRequest()->crc || GetReply()->crc, heard.markers};
    // An RDMA Consortium peer says revision 0 and always has markers, RFC 5044 appendix C.
    const bool consortium = GetReply()->revision == 0 && GetReply()->markers;
    direction.headerVersion = consortium ? DDP_VERSION_RDMAC : DDP_VERSION;
    const uint64_t start = direction.mpaOctets;
    uint64_t read = start;
    std::size_t event = direction.startupEvent;
    bool framed = true;
    while (framed)
    {
        const ByteSpan rest = octets.subspan(read);
        const uint64_t position = read - start;
        const auto size = direction.framing.PeekWireSize(rest, position);
        if (!size || rest.size() < *size || IsCurtailed())
        {
            break;
        }
        m_memory += sizeof(CapturedFpdu) + (direction.framing.markers ? *size : 0);
        const ByteSpan captured = rest.first(*size);
        CapturedFpdu fpdu;
        fpdu.offset = read;
        fpdu.size = *size;
        event = FindEvent(side, read + *size, event);
        fpdu.event = event;
        direction.mpaOctets += *size;
        read += *size;
        const auto checked = direction.framing.Check(captured, position);
        framed = checked.has_value();
        if (framed)
        {
            direction.crcsGood += direction.framing.crc ? 1 : 0;
            fpdu.ulpdu = Open(side, captured, position);
            Decode(side, fpdu);
            // RpcRdmaConversation puts the payload of Sends together again.
            m_memory += fpdu.IsSend() ? fpdu.payload.size() : 0;
            Check(side, fpdu);
        }
        else
        {
            AddFault(side, event, ToString(checked.error()));
        }
        direction.fpdus.push_back(fpdu);
    }
    (framed ? direction.partOctets : direction.unreadOctets) = octets.size() - read;
    FindEnd(side);
}

ByteSpan
MpaConversation::Open(std::size_t side, ByteSpan captured, uint64_t position)
{
    if (!m_directions[side].framing.markers)
    {
        return *Fpdu::Decode(captured, false);
    }
    m_stripped.emplace_back(captured.begin(), captured.end());
    return MarkedFpdu::Strip(m_stripped.back(), position);
}

void
MpaConversation::FindEnd(std::size_t side)
{
    const auto& tcp = m_tcp.GetDirection(side);
    if (tcp.cutOctets != 0)
    {
        m_directions[side].faults.push_back(
            {0,
             std::to_string(tcp.cutOctets) + " octets were not kept by the capture's snap length"});
    }
    if (tcp.order.GetWaitingOctets() != 0)
    {
        m_directions[side].faults.push_back({0,
                                             std::to_string(tcp.order.GetWaitingOctets()) +
                                                 " octets lie behind a gap in the capture"});
    }
}

void
MpaConversation::Decode(std::size_t side, CapturedFpdu& fpdu)
{
    ByteReader reader(fpdu.ulpdu);
    const uint8_t version = m_directions[side].headerVersion;
    const auto header = DecodeDdpHeader(reader, version);
    if (!header)
    {
        AddFault(side, fpdu.event, std::string("DDP header: ") + ToString(header.error()));
        return;
    }
    fpdu.header = *header;
    fpdu.payload = fpdu.ulpdu.subspan(GetDdpHeaderSize(*header));
    fpdu.last = std::visit([](const auto& form) { return form.last; }, *header);
    const auto opcode =
        DecodeRdmapControl(std::visit([](const auto& form) { return form.rsvdUlp; }, *header),
                           version,
                           true);
    if (!opcode)
    {
        AddFault(side, fpdu.event, std::string("RDMAP control octet: ") + ToString(opcode.error()));
        return;
    }
    fpdu.opcode = *opcode;
    if (*opcode == RdmapOpcode::READ_REQUEST)
    {
        ByteReader payload(fpdu.payload);
        if (const auto request = RdmaReadRequest::Decode(payload))
        {
            fpdu.readRequest = *request;
        }
        else
        {
            AddFault(side, fpdu.event, "the RDMA Read Request is cut short");
        }
    }
    else if (*opcode == RdmapOpcode::TERMINATE)
    {
        fpdu.terminate = CapturedTerminate::Decode(fpdu.payload);
        if (!fpdu.terminate)
        {
            AddFault(side, fpdu.event, "the Terminate message encodes to other octets");
        }
    }
}

ByteVector
MpaConversation::EncodeFpdu(std::size_t side, const CapturedFpdu& fpdu, ByteSpan captured)
{
    MpaDirection& direction = m_directions[side];
    if (direction.framing.markers)
    {
        const uint64_t start = direction.startup->EncodedSize();
        ByteVector marked =
            MarkedFpdu::Encode(EncodeUlpdu(fpdu), fpdu.offset - start, direction.framing.crc);
        if (!direction.framing.crc)
        {
            const ByteSpan crc = captured.last(Fpdu::CRC_SIZE);
            std::copy(crc.begin(), crc.end(), marked.end() - Fpdu::CRC_SIZE);
        }
        return marked;
    }
    ByteVector fpduAgain = Fpdu::Encode(EncodeUlpdu(fpdu), false);
    const MutableByteSpan again(fpduAgain);
    const std::size_t padStart = Fpdu::LENGTH_SIZE + fpdu.ulpdu.size();
    const std::size_t crcStart = again.size() - Fpdu::CRC_SIZE;
    const ByteSpan pad = captured.subspan(padStart, crcStart - padStart);
    if (std::any_of(pad.begin(), pad.end(), [](uint8_t octet) { return octet != 0; }))
    {
        ++direction.padsNotZero;
        std::copy(pad.begin(), pad.end(), again.begin() + padStart);
    }
    if (direction.framing.crc)
    {
        boost::endian::store_little_u32(again.data() + crcStart, Crc32c(again.first(crcStart)));
    }
    else
    {
        const ByteSpan crc = captured.subspan(crcStart);
        std::copy(crc.begin(), crc.end(), again.begin() + crcStart);
    }
    return fpduAgain;
}

void
MpaConversation::Check(std::size_t side, const CapturedFpdu& fpdu)
{
    if (!fpdu.header || !fpdu.opcode)
    {
        return;
    }
    MpaDirection& direction = m_directions[side];
    if (fpdu.last)
    {
        ++direction.messages[static_cast<std::size_t>(*fpdu.opcode)];
    }
    const bool undecoded = (*fpdu.opcode == RdmapOpcode::READ_REQUEST && !fpdu.readRequest) ||
                           (*fpdu.opcode == RdmapOpcode::TERMINATE && !fpdu.terminate);
    if (undecoded)
    {
        return;
    }
    const ByteSpan captured =
        ByteSpan(m_tcp.GetDirection(side).octets).subspan(fpdu.offset, fpdu.size);
    const ByteVector again = EncodeFpdu(side, fpdu, captured);
    if (SameOctets(again, captured))
    {
        direction.reencodedOctets += fpdu.size;
        return;
    }
    AddFault(side,
             fpdu.event,
             "the FPDU encodes to other octets, from octet " +
                 std::to_string(FirstDifference(captured, again)) + " of it");
}

} // namespace ns3::nfsrdma
