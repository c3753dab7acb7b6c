/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/connection-follower.h"

#include "fault/rpc-namer.h"
#include "nfs/v3/acl-messages3.h"
#include "nfs/v3/status3.h"
#include "rpcrdma/message/pull-notice-list.h"
#include "rpcrdma/message/transport-header.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint16_t NO_DATA_FLAGS = TcpSegment::SYN | TcpSegment::FIN | TcpSegment::RST;
constexpr uint32_t QUEUE_OF_SENDS = 0;
constexpr uint32_t RPC_CALL = 0;
constexpr uint32_t RPC_REPLY = 1;
/// Calls without a reply that are remembered: far more than credits.
constexpr std::size_t MAX_CALLS = 65536;

void
Add(FollowedFrame& frame, FaultEventKind kind)
{
    FaultEvent event;
    event.kind = kind;
    frame.events.push_back(event);
}

/// Adds an event of the FPDU that was found last.
FaultEvent&
AddOfFpdu(FollowedFrame& frame, FaultEventKind kind)
{
    Add(frame, kind);
    frame.events.back().fpdu = frame.fpdus.size() - 1;
    return frame.events.back();
}

std::optional<MpaStartupFrame::Kind>
FindStartupKind(ByteSpan octets)
{
    for (const auto kind : {MpaStartupFrame::Kind::REQUEST, MpaStartupFrame::Kind::REPLY})
    {
        if (MpaStartupFrame::FrameSize(octets, kind))
        {
            return kind;
        }
    }
    return std::nullopt;
}

/// \return whether a startup frame may begin at \p octets.
bool
MayBeStartup(ByteSpan octets)
{
    return FindStartupKind(octets).has_value();
}

std::optional<FaultEventKind>
FindMessageKind(RdmapOpcode opcode)
{
    switch (opcode)
    {
    case RdmapOpcode::WRITE:
        return FaultEventKind::RDMA_WRITE;
    case RdmapOpcode::READ_REQUEST:
        return FaultEventKind::READ_REQUEST;
    case RdmapOpcode::READ_RESPONSE:
        return FaultEventKind::READ_RESPONSE;
    case RdmapOpcode::SEND:
    case RdmapOpcode::SEND_INVALIDATE:
    case RdmapOpcode::SEND_SE:
    case RdmapOpcode::SEND_SE_INVALIDATE:
        return FaultEventKind::SEND;
    case RdmapOpcode::TERMINATE:
        return FaultEventKind::TERMINATE;
    default:
        return std::nullopt;
    }
}

std::optional<FaultEventKind>
FindRpcRdmaKind(uint32_t proc)
{
    switch (static_cast<RpcRdmaProc>(proc))
    {
    case RpcRdmaProc::MSG:
        return FaultEventKind::RDMA_MSG;
    case RpcRdmaProc::NOMSG:
        return FaultEventKind::RDMA_NOMSG;
    case RpcRdmaProc::DONE:
        return FaultEventKind::RDMA_DONE;
    case RpcRdmaProc::ERROR:
        return FaultEventKind::RDMA_ERROR;
    default:
        return std::nullopt;
    }
}

uint32_t
LoadWord(ByteSpan octets, std::size_t offset)
{
    return boost::endian::load_big_u32(octets.subspan(offset, XDR_WORD).data());
}

} // namespace

ConnectionFollower::ConnectionFollower(bool names)
    : m_names(names)
{
}

FollowedFrame
ConnectionFollower::Take(std::size_t side, const TcpSegment& segment)
{
    auto& direction = m_directions.at(side);
    FollowedFrame frame;
    const bool syn = (segment.flags & TcpSegment::SYN) != 0;
    const uint32_t sequence = segment.sequence + (syn ? 1 : 0);
    if (!direction.started)
    {
        direction.started = true;
        direction.firstSequence = sequence;
    }
    if (syn)
    {
        direction.order.Open(segment.sequence);
    }
    NameSegment(direction, segment, frame);
    if (segment.payload.empty() || direction.state == State::LOST)
    {
        return frame;
    }
    const uint64_t next = direction.order.GetOffset();
    const auto distance =
        static_cast<int32_t>(sequence - direction.firstSequence - static_cast<uint32_t>(next));
    const int64_t payloadOffset = static_cast<int64_t>(next) + distance;
    const auto fresh = direction.order.Add(sequence, segment.payload);
    direction.buffer.insert(direction.buffer.end(), fresh.begin(), fresh.end());
    if (direction.order.GetWaitingOctets() > MAX_WAITING)
    {
        direction.state = State::LOST;
    }
    if (!direction.startup && direction.state == State::STARTUP)
    {
        ReadStartup(side, frame);
    }
    if (direction.state == State::FPDUS)
    {
        ReadFpdus(side, payloadOffset, frame);
    }
    if (direction.state == State::RECORDS)
    {
        ReadRecords(side, frame);
    }
    frame.isTls = direction.state == State::TLS;
    if (direction.state == State::LOST || direction.state == State::TLS)
    {
        direction.buffer.clear();
    }
    return frame;
}

void
ConnectionFollower::NameSegment(Direction& direction,
                                const TcpSegment& segment,
                                FollowedFrame& frame)
{
    Add(frame, FaultEventKind::SEGMENT);
    if (!segment.payload.empty())
    {
        Add(frame, FaultEventKind::DATA);
        const auto before = static_cast<uint32_t>(direction.sentEnd) + direction.firstSequence;
        const auto ahead = static_cast<int32_t>(segment.EndSequence() - before);
        if (ahead <= 0)
        {
            Add(frame, FaultEventKind::RETRANSMISSION);
        }
        direction.sentEnd += static_cast<uint64_t>(std::max(ahead, 0));
    }
    else if ((segment.flags & NO_DATA_FLAGS) == 0)
    {
        Add(frame, FaultEventKind::ACK);
    }
    const std::pair<uint16_t, FaultEventKind> flags[]{{TcpSegment::SYN, FaultEventKind::SYN},
                                                      {TcpSegment::FIN, FaultEventKind::FIN},
                                                      {TcpSegment::RST, FaultEventKind::RST}};
    for (const auto& [flag, kind] : flags)
    {
        if ((segment.flags & flag) != 0)
        {
            Add(frame, kind);
        }
    }
}

void
ConnectionFollower::ReadStartup(std::size_t side, FollowedFrame& frame)
{
    auto& direction = m_directions.at(side);
    if (!MayBeStartup(direction.buffer))
    {
        if (AreRecords(side, direction.buffer))
        {
            direction.state = State::RECORDS;
            return;
        }
        SkipStreamingMode(direction);
    }
    const ByteSpan octets(direction.buffer);
    const auto kind = FindStartupKind(octets);
    if (!kind)
    {
        return;
    }
    const auto size = *MpaStartupFrame::FrameSize(octets, *kind);
    if (!size || octets.size() < *size)
    {
        return;
    }
    const auto startup = MpaStartupFrame::Decode(octets.first(*size), *kind);
    if (!startup)
    {
        direction.state = State::LOST;
        return;
    }
    direction.startup = *startup;
    direction.bufferOffset += *size;
    direction.startupSize = direction.bufferOffset;
    direction.buffer.erase(direction.buffer.begin(),
                           direction.buffer.begin() + static_cast<std::ptrdiff_t>(*size));
    Add(frame,
        *kind == MpaStartupFrame::Kind::REQUEST ? FaultEventKind::MPA_REQUEST
                                                : FaultEventKind::MPA_REPLY);
    AgreeOnFraming();
}

void
ConnectionFollower::SkipStreamingMode(Direction& direction)
{
    const ByteSpan octets(direction.buffer);
    std::size_t skipped = 0;
    while (skipped < octets.size() && !MayBeStartup(octets.subspan(skipped)))
    {
        ++skipped;
    }
    direction.bufferOffset += skipped;
    direction.buffer.erase(direction.buffer.begin(),
                           direction.buffer.begin() + static_cast<std::ptrdiff_t>(skipped));
    if (direction.bufferOffset > MAX_STREAMING)
    {
        direction.state = State::LOST;
    }
}

bool
ConnectionFollower::BeginsTls(ByteSpan octets)
{
    constexpr uint8_t FIRST_TYPE = 20;
    constexpr uint8_t LAST_TYPE = 23;
    constexpr uint8_t MAJOR = 3;
    return octets.size() > 1 && octets[0] >= FIRST_TYPE && octets[0] <= LAST_TYPE &&
           octets[1] == MAJOR;
}

bool
ConnectionFollower::AreRecords(std::size_t side, ByteSpan octets) const
{
    constexpr std::size_t TYPE = RpcFragmentHeader::SIZE + XDR_WORD;
    constexpr std::size_t PROGRAM = TYPE + 2 * std::size_t{XDR_WORD};
    if (m_directions.at(1 - side).state == State::RECORDS)
    {
        return true;
    }
    if (octets.size() < PROGRAM + XDR_WORD || LoadWord(octets, TYPE) != RPC_CALL)
    {
        return false;
    }
    const uint32_t program = LoadWord(octets, PROGRAM);
    return program == NFS_PROGRAM || program == NFSACL_PROGRAM;
}

void
ConnectionFollower::ReadRecords(std::size_t side, FollowedFrame& frame)
{
    auto& direction = m_directions.at(side);
    ByteSpan rest(direction.buffer);
    while (direction.state == State::RECORDS)
    {
        if (!direction.records.IsInside() && BeginsTls(rest))
        {
            direction.state = State::TLS;
            break;
        }
        const auto record = direction.records.Take(rest);
        if (!record)
        {
            direction.state = State::LOST;
            break;
        }
        if (!*record)
        {
            break;
        }
        const ByteSpan message(**record);
        if (message.size() < std::size_t{2} * XDR_WORD)
        {
            continue;
        }
        const auto kind = LoadWord(message, XDR_WORD);
        if (kind == RPC_CALL || kind == RPC_REPLY)
        {
            NameRpc(side, LoadWord(message, 0), kind == RPC_CALL, message, frame);
        }
    }
    direction.buffer.clear();
}

void
ConnectionFollower::AgreeOnFraming()
{
    if (!m_directions[0].startup || !m_directions[1].startup)
    {
        return;
    }
    const bool zeroAsks = m_directions[0].startup->kind == MpaStartupFrame::Kind::REQUEST;
    const auto& reply = *m_directions[zeroAsks ? 1 : 0].startup;
    const bool both = m_directions[zeroAsks ? 0 : 1].startup->kind != reply.kind;
    const bool crc = m_directions[0].startup->crc || m_directions[1].startup->crc;
    // An RDMA Consortium peer says revision 0 and always has markers, RFC 5044 appendix C.
    const bool consortium = reply.revision == 0 && reply.markers;
    for (std::size_t side = 0; side < SIDES; ++side)
    {
        auto& direction = m_directions[side];
        direction.framing = {crc, m_directions[1 - side].startup->markers};
        direction.headerVersion = consortium ? DDP_VERSION_RDMAC : DDP_VERSION;
        direction.state = both ? State::FPDUS : State::LOST;
    }
    if (both && reply.rejected)
    {
        for (Direction& direction : m_directions)
        {
            direction.startup.reset();
            direction.state = State::STARTUP;
        }
    }
}

void
ConnectionFollower::ReadFpdus(std::size_t side, int64_t payloadOffset, FollowedFrame& frame)
{
    auto& direction = m_directions.at(side);
    std::size_t read = 0;
    while (true)
    {
        const auto rest = ByteSpan(direction.buffer).subspan(read);
        const uint64_t position = direction.bufferOffset + read - direction.startupSize;
        const auto size = direction.framing.PeekWireSize(rest, position);
        if (!size || rest.size() < *size)
        {
            break;
        }
        const auto octets = rest.first(*size);
        FollowedFpdu fpdu;
        fpdu.begin = static_cast<int64_t>(direction.bufferOffset + read) - payloadOffset;
        fpdu.position = position;
        fpdu.framing = direction.framing;
        fpdu.octets.assign(octets.begin(), octets.end());
        frame.fpdus.push_back(fpdu);
        read += *size;
        if (direction.framing.markers)
        {
            NameFpdu(side, MarkedFpdu::Strip(fpdu.octets, position), frame);
        }
        else if (const auto ulpdu = Fpdu::Decode(octets, false))
        {
            NameFpdu(side, *ulpdu, frame);
        }
    }
    direction.bufferOffset += read;
    direction.buffer.erase(direction.buffer.begin(),
                           direction.buffer.begin() + static_cast<std::ptrdiff_t>(read));
}

void
ConnectionFollower::NameFpdu(std::size_t side, ByteSpan ulpdu, FollowedFrame& frame)
{
    auto& direction = m_directions.at(side);
    AddOfFpdu(frame, FaultEventKind::FPDU);
    ByteReader reader(ulpdu);
    const auto header = DecodeDdpHeader(reader, direction.headerVersion);
    if (!header)
    {
        return;
    }
    const auto* const untagged = std::get_if<DdpUntaggedHeader>(&*header);
    frame.fpdus.back().tagged = untagged == nullptr;
    const bool last = std::visit([](const auto& form) { return form.last; }, *header);
    const auto opcode =
        DecodeRdmapControl(std::visit([](const auto& form) { return form.rsvdUlp; }, *header),
                           direction.headerVersion,
                           true);
    if (!opcode)
    {
        return;
    }
    auto& inMessage = direction.inMessage.at(static_cast<std::size_t>(*opcode));
    const bool begins = !std::exchange(inMessage, !last);
    const auto kind = FindMessageKind(*opcode);
    if (!begins || !kind)
    {
        return;
    }
    AddOfFpdu(frame, *kind);
    if (*kind != FaultEventKind::SEND)
    {
        return;
    }
    if (*opcode == RdmapOpcode::SEND_INVALIDATE || *opcode == RdmapOpcode::SEND_SE_INVALIDATE)
    {
        AddOfFpdu(frame, FaultEventKind::SEND_INVALIDATE);
    }
    if (*opcode == RdmapOpcode::SEND_SE || *opcode == RdmapOpcode::SEND_SE_INVALIDATE)
    {
        AddOfFpdu(frame, FaultEventKind::SEND_SOLICITED);
    }
    if (untagged != nullptr && untagged->queueNumber == QUEUE_OF_SENDS)
    {
        NameSend(side, reader.Rest(), frame);
    }
}

void
ConnectionFollower::NameSend(std::size_t side, ByteSpan message, FollowedFrame& frame)
{
    ByteVector plain;
    if (PullNoticeList::IsIn(message))
    {
        plain.assign(message.begin(), message.end());
        if (!PullNoticeList::TakeFrom(plain))
        {
            return;
        }
        message = plain;
    }
    ByteReader start(message);
    const auto fixed = RpcRdmaFixedHeader::Decode(start);
    if (!fixed)
    {
        return;
    }
    const auto kind = FindRpcRdmaKind(fixed->proc);
    const bool isError = kind == FaultEventKind::RDMA_ERROR;
    if (!kind || (fixed->version != RpcRdmaHeader::VERSION && !isError))
    {
        return;
    }
    AddOfFpdu(frame, *kind).xid = fixed->xid;
    auto& answered = m_directions.at(1 - side).calls;
    if (isError)
    {
        answered.erase(fixed->xid);
    }
    if (*kind == FaultEventKind::RDMA_NOMSG)
    {
        NameRpc(side, fixed->xid, answered.count(fixed->xid) == 0, {}, frame);
    }
    if (*kind != FaultEventKind::RDMA_MSG)
    {
        return;
    }
    ByteReader reader(message);
    const auto header = RpcRdmaHeader::Decode(reader);
    const auto rpc = message.subspan(std::min(reader.Position(), message.size()));
    if (!header || rpc.size() < std::size_t{2} * XDR_WORD)
    {
        return;
    }
    const auto direction = LoadWord(rpc, XDR_WORD);
    if (direction == RPC_CALL || direction == RPC_REPLY)
    {
        NameRpc(side, fixed->xid, direction == RPC_CALL, rpc, frame);
    }
}

void
ConnectionFollower::NameRpc(std::size_t side,
                            uint32_t xid,
                            bool isCall,
                            ByteSpan message,
                            FollowedFrame& frame)
{
    const auto kind = isCall ? FaultEventKind::RPC_CALL : FaultEventKind::RPC_REPLY;
    if (frame.fpdus.empty())
    {
        Add(frame, kind);
    }
    else
    {
        AddOfFpdu(frame, kind);
    }
    auto& event = frame.events.back();
    event.xid = xid;
    auto& calls = m_directions.at(isCall ? side : 1 - side).calls;
    if (isCall)
    {
        if (m_names && !message.empty())
        {
            event.rpc = std::make_shared<const RpcName>(NameRpcCall(message));
        }
        if (calls.size() < MAX_CALLS)
        {
            calls[xid] = event.rpc;
        }
    }
    else if (const auto call = calls.find(xid); call != calls.end())
    {
        event.rpc = call->second;
        calls.erase(call);
    }
}

} // namespace ns3::nfsrdma
