/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/rpcrdma-conversation.h"

#include "rpc/message.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t RPC_CALL = 0;

bool
IsSend(RdmapOpcode opcode)
{
    return opcode == RdmapOpcode::SEND || opcode == RdmapOpcode::SEND_INVALIDATE ||
           opcode == RdmapOpcode::SEND_SE || opcode == RdmapOpcode::SEND_SE_INVALIDATE;
}

bool
Invalidates(RdmapOpcode opcode)
{
    return opcode == RdmapOpcode::SEND_INVALIDATE || opcode == RdmapOpcode::SEND_SE_INVALIDATE;
}

bool
BeginsWith(ByteSpan octets, const ByteVector& start)
{
    return octets.size() >= start.size() && std::equal(start.begin(), start.end(), octets.begin());
}

template <typename Header>
bool
ComesOutAgain(ByteSpan payload)
{
    XdrReader reader(payload);
    const auto header = Header::Decode(reader);
    if (!header)
    {
        return false;
    }
    XdrWriter writer;
    header->Encode(writer);
    const ByteVector octets = writer.Take();
    return octets.size() == reader.Position() && BeginsWith(payload, octets);
}

void
Decode(CapturedRpcRdma& message)
{
    ByteReader start(message.octets);
    if (const auto fixed = RpcRdmaFixedHeader::Decode(start))
    {
        message.fixed = *fixed;
    }
    ByteReader reader(message.octets);
    message.header = RpcRdmaHeader::Decode(reader);
    if (!message.header)
    {
        return;
    }
    message.headerLength = reader.Position();
    ByteVector octets(message.header->GetEncodedSize());
    ByteWriter writer(octets);
    message.header->Encode(writer);
    message.sameHeader =
        octets.size() == message.headerLength && BeginsWith(message.octets, octets);

    const ByteSpan payload = message.GetPayload();
    message.hasRpc =
        message.header->proc == RpcRdmaProc::MSG && payload.size() >= std::size_t{2} * XDR_WORD;
    if (message.hasRpc)
    {
        const bool isCall = boost::endian::load_big_u32(payload.data() + XDR_WORD) == RPC_CALL;
        message.sameRpc =
            isCall ? ComesOutAgain<RpcCallHeader>(payload) : ComesOutAgain<RpcReplyHeader>(payload);
    }
}

} // namespace

ByteSpan
CapturedRpcRdma::GetPayload() const
{
    return ByteSpan(octets).subspan(headerLength);
}

std::string
CapturedRpcRdma::ToString() const
{
    if (!fixed)
    {
        return std::to_string(octets.size()) + " octets";
    }
    std::ostringstream text;
    text << "XID 0x" << std::hex << std::setw(8) << std::setfill('0') << fixed->xid << std::dec;
    if (fixed->version != RpcRdmaHeader::VERSION)
    {
        text << " version " << fixed->version;
    }
    if (fixed->proc > static_cast<uint32_t>(RpcRdmaProc::ERROR))
    {
        text << " procedure " << fixed->proc;
    }
    else
    {
        text << " " << ns3::nfsrdma::ToString(static_cast<RpcRdmaProc>(fixed->proc));
    }
    if (header && header->proc == RpcRdmaProc::ERROR)
    {
        text << (header->error == RpcRdmaErrorCode::ERR_VERS ? " ERR_VERS" : " ERR_CHUNK");
    }
    return text.str();
}

bool
RpcRdmaConversation::IsRpcRdma(const MpaConversation& conversation)
{
    return conversation.IsOperational() &&
           conversation.GetTcp().GetDirection(1 - conversation.GetInitiator()).source.port == PORT;
}

RpcRdmaConversation::RpcRdmaConversation(const MpaConversation& conversation)
{
    for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
    {
        AddDirection(conversation, side);
    }
    std::stable_sort(m_messages.begin(), m_messages.end(), [](const auto& one, const auto& other) {
        return one.event < other.event;
    });
}

void
RpcRdmaConversation::AddDirection(const MpaConversation& conversation, std::size_t side)
{
    ByteVector octets;
    for (const CapturedFpdu& fpdu : conversation.GetDirection(side).fpdus)
    {
        if (!fpdu.opcode || !IsSend(*fpdu.opcode))
        {
            continue;
        }
        octets.insert(octets.end(), fpdu.payload.begin(), fpdu.payload.end());
        if (!fpdu.last)
        {
            continue;
        }
        CapturedRpcRdma& message = m_messages.emplace_back();
        message.side = side;
        message.event = fpdu.event;
        message.fromRequester = side == conversation.GetInitiator();
        message.opcode = *fpdu.opcode;
        if (Invalidates(*fpdu.opcode))
        {
            message.invalidated = std::get<DdpUntaggedHeader>(*fpdu.header).rsvdUlpWord;
        }
        message.octets = std::exchange(octets, {});
        Decode(message);
    }
}

const CapturedRpcRdma*
RpcRdmaConversation::FindAnswer(std::size_t index) const
{
    const CapturedRpcRdma& message = m_messages[index];
    for (std::size_t i = index + 1; message.fixed && i < m_messages.size(); ++i)
    {
        const CapturedRpcRdma& answer = m_messages[i];
        if (answer.side != message.side && answer.fixed && answer.fixed->xid == message.fixed->xid)
        {
            return &answer;
        }
    }
    return nullptr;
}

} // namespace ns3::nfsrdma
