/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/charts/exchange-tracker.h"

#include "fault/rpc-namer.h"
#include "rdmap/terminate-message.h"
#include "rpcrdma/message/pull-notice-list.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
#include <charconv>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t RPC_HEAD = std::size_t{2} * XDR_WORD;

std::string
DescribeSegment(const RpcRdmaSegment& segment)
{
    return ShortHex(segment.handle) + " " + std::to_string(segment.length);
}

std::string
DescribeChunk(const std::string& name, const RpcRdmaWriteChunk& chunk)
{
    std::string text = "; " + name;
    const char* separator = " ";
    for (const auto& segment : chunk)
    {
        text += separator + DescribeSegment(segment);
        separator = " + ";
    }
    return text;
}

std::string
DescribeLists(const RpcRdmaChunkLists& lists)
{
    std::string text;
    std::optional<uint32_t> position;
    for (const auto& segment : lists.readList)
    {
        if (position == segment.position)
        {
            text += " + " + DescribeSegment(segment.target);
            continue;
        }
        position = segment.position;
        text += segment.position == 0
                    ? std::string("; Position-Zero Read chunk ")
                    : "; Read chunk at " + std::to_string(segment.position) + ": ";
        text += DescribeSegment(segment.target);
    }
    for (const auto& chunk : lists.writeList)
    {
        text += DescribeChunk("Write chunk", chunk);
    }
    if (lists.replyChunk)
    {
        text += DescribeChunk("Reply chunk", *lists.replyChunk);
    }
    return text;
}

std::string
DescribeError(const RpcRdmaHeader& header)
{
    return header.error == RpcRdmaErrorCode::ERR_CHUNK
               ? "; ERR_CHUNK"
               : "; ERR_VERS " + std::to_string(header.versionLow) + " to " +
                     std::to_string(header.versionHigh);
}

} // namespace

std::string
ShortHex(uint32_t number)
{
    std::array<char, 8> digits{};
    constexpr int BASE = 16;
    auto* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number, BASE).ptr;
    return "0x" + std::string(digits.data(), end);
}

std::optional<ExchangeKey>
ExchangeTracker::FindOwner(uint32_t host, Stag stag) const
{
    const auto found = m_owners.find({host, stag});
    return found == m_owners.end() ? std::nullopt : std::make_optional(found->second);
}

std::vector<ExchangeKey>
ExchangeTracker::ListOutstanding(uint32_t one, uint32_t other) const
{
    std::vector<ExchangeKey> list;
    for (const auto& exchange : m_outstanding)
    {
        if (std::minmax(exchange.requester, exchange.responder) == std::minmax(one, other))
        {
            list.push_back(exchange);
        }
    }
    return list;
}

void
ExchangeTracker::Release(uint32_t host, Stag stag)
{
    m_owners.erase({host, stag});
}

void
ExchangeTracker::Forget(const ExchangeKey& exchange)
{
    m_outstanding.erase(exchange);
}

ReadMessage
ExchangeTracker::Take(const WireMessage& message, uint32_t from, uint32_t to)
{
    ReadMessage read;
    switch (message.opcode)
    {
    case RdmapOpcode::WRITE:
        read.name = "RDMA Write";
        AddOwner(message, to, read);
        break;
    case RdmapOpcode::READ_RESPONSE:
        read.name = "RDMA Read Response";
        AddOwner(message, to, read);
        break;
    case RdmapOpcode::READ_REQUEST: {
        read.name = "RDMA Read Request";
        ByteReader reader(message.octets);
        if (const auto request = RdmaReadRequest::Decode(reader))
        {
            read.text = "source " + ShortHex(request->sourceStag) + " " +
                        std::to_string(request->length) + "; sink " + ShortHex(request->sinkStag);
            if (const auto owner = FindOwner(to, request->sourceStag))
            {
                read.exchanges.push_back(*owner);
                m_owners[{from, request->sinkStag}] = *owner;
            }
        }
        break;
    }
    case RdmapOpcode::SEND:
    case RdmapOpcode::SEND_SE:
        read.name = "Send";
        ReadSend(message, from, to, read);
        break;
    case RdmapOpcode::SEND_INVALIDATE:
    case RdmapOpcode::SEND_SE_INVALIDATE:
        read.name = "Send with Invalidate " + ShortHex(message.stag);
        ReadSend(message, from, to, read);
        break;
    case RdmapOpcode::TERMINATE:
        read.name = "Terminate";
        ReadTerminate(message, from, to, read);
        break;
    default:
        read.name = ToString(message.opcode);
        break;
    }
    return read;
}

void
ExchangeTracker::AddOwner(const WireMessage& message, uint32_t host, ReadMessage& read)
{
    read.text = ShortHex(message.stag) + " " + std::to_string(message.length);
    if (const auto owner = FindOwner(host, message.stag))
    {
        read.exchanges.push_back(*owner);
    }
}

void
ExchangeTracker::ReadSend(const WireMessage& message, uint32_t from, uint32_t to, ReadMessage& read)
{
    ByteVector octets = message.octets;
    if (PullNoticeList::IsIn(octets) && !PullNoticeList::TakeFrom(octets))
    {
        return;
    }
    ByteReader start(octets);
    const auto fixed = RpcRdmaFixedHeader::Decode(start);
    if (!fixed)
    {
        return;
    }
    const ExchangeKey called{from, to, fixed->xid};
    const ExchangeKey answered{to, from, fixed->xid};
    ByteReader reader(octets);
    const auto header = RpcRdmaHeader::Decode(reader);
    if (!header)
    {
        read.exchanges.push_back(m_outstanding.count(answered) != 0 ? answered : called);
        read.text = "header that cannot be decoded";
        return;
    }
    const auto rpc = ByteSpan(octets).subspan(reader.Position());
    const bool inlined = header->proc == RpcRdmaProc::MSG && rpc.size() >= RPC_HEAD;
    read.isCall = inlined
                      ? boost::endian::load_big_u32(rpc.subspan(XDR_WORD, XDR_WORD).data()) == 0
                      : header->proc == RpcRdmaProc::NOMSG && m_outstanding.count(answered) == 0;
    const bool isDone = header->proc == RpcRdmaProc::DONE;
    const auto& exchange = read.isCall || isDone ? called : answered;
    read.exchanges.push_back(exchange);
    read.text = ToString(header->proc);
    if (header->proc == RpcRdmaProc::ERROR)
    {
        read.text += DescribeError(*header);
        m_outstanding.erase(exchange);
    }
    else if (!isDone)
    {
        read.text += read.isCall ? "; Call" : "; Reply";
        read.text += "; " + std::to_string(message.length) + " octets";
        read.text += "; credits " + std::to_string(header->credit);
        read.text += DescribeLists(header->chunks);
        if (read.isCall)
        {
            m_outstanding.insert(exchange);
        }
        else
        {
            m_outstanding.erase(exchange);
        }
        ReadLists(*header, from, read);
    }
    if (read.isCall && inlined)
    {
        const auto name = NameRpcCall(rpc);
        read.procedure = name.procedures.empty() ? "" : name.procedures.back();
    }
}

void
ExchangeTracker::ReadLists(const RpcRdmaHeader& header, uint32_t owner, const ReadMessage& read)
{
    const auto& exchange = read.exchanges.front();
    for (const auto& segment : header.chunks.readList)
    {
        m_owners[{owner, segment.target.handle}] = exchange;
    }
    if (!read.isCall)
    {
        return;
    }
    for (const auto& chunk : header.chunks.writeList)
    {
        for (const auto& segment : chunk)
        {
            m_owners[{owner, segment.handle}] = exchange;
        }
    }
    for (const auto& segment : header.chunks.replyChunk.value_or(RpcRdmaWriteChunk{}))
    {
        m_owners[{owner, segment.handle}] = exchange;
    }
}

void
ExchangeTracker::ReadTerminate(const WireMessage& message,
                               uint32_t from,
                               uint32_t to,
                               ReadMessage& read)
{
    const auto terminate = TerminateMessage::Decode(message.octets);
    if (terminate)
    {
        read.text = terminate->reason.ToString();
        const auto* const tagged =
            terminate->ddpHeader ? std::get_if<DdpTaggedHeader>(&*terminate->ddpHeader) : nullptr;
        const auto owner = tagged != nullptr ? FindOwner(from, tagged->stag) : std::nullopt;
        if (owner)
        {
            read.exchanges.push_back(*owner);
            return;
        }
    }
    read.exchanges = ListOutstanding(from, to);
}

} // namespace ns3::nfsrdma
