/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/captured-rpcs.h"

#include "helper/capture/capture-file.h"

#include <map>
#include <sstream>

namespace ns3::nfsrdma::test
{
namespace
{

/// Octets of the memory of both sides as the capture shows them: written into it, or read out.
class CapturedMemory
{
  public:
    explicit CapturedMemory(const MpaConversation& conversation)
    {
        for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
        {
            for (const CapturedFpdu& fpdu : conversation.GetDirection(side).fpdus)
            {
                if (fpdu.readRequest)
                {
                    m_requests[side].push_back({fpdu.event, *fpdu.readRequest});
                }
            }
        }
        for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
        {
            for (const CapturedFpdu& fpdu : conversation.GetDirection(side).fpdus)
            {
                Take(side, fpdu);
            }
        }
    }

    /// \return the octets of \p segment that went over the wire between two events, or nothing when
    /// some did not.
    [[nodiscard]] std::optional<ByteVector> Fetch(std::size_t side,
                                                  const RpcRdmaSegment& segment,
                                                  std::size_t from,
                                                  std::size_t to) const
    {
        ByteVector octets(segment.length);
        std::size_t covered = 0;
        const auto pieces = m_pieces[side].find(segment.handle);
        if (pieces != m_pieces[side].end())
        {
            for (const Piece& piece : pieces->second)
            {
                const uint64_t start = piece.offset - segment.offset;
                if (piece.event >= from && piece.event <= to && start <= octets.size() &&
                    piece.octets.size() <= octets.size() - start)
                {
                    std::copy(piece.octets.begin(), piece.octets.end(), octets.begin() + start);
                    covered += piece.octets.size();
                }
            }
        }
        return covered >= octets.size() ? std::optional<ByteVector>(std::move(octets))
                                        : std::nullopt;
    }

  private:
    struct Request
    {
        std::size_t event{0};
        RdmaReadRequest request;
    };

    struct Piece
    {
        std::size_t event{0};
        uint64_t offset{0};
        ByteSpan octets;
    };

    void Take(std::size_t side, const CapturedFpdu& fpdu)
    {
        const auto* tagged = fpdu.header ? std::get_if<DdpTaggedHeader>(&*fpdu.header) : nullptr;
        if (tagged == nullptr)
        {
            return;
        }
        if (fpdu.opcode == RdmapOpcode::WRITE)
        {
            m_pieces[1 - side][tagged->stag].push_back(
                {fpdu.event, tagged->taggedOffset, fpdu.payload});
            return;
        }
        const auto& requests = m_requests[1 - side];
        for (auto it = requests.rbegin(); it != requests.rend(); ++it)
        {
            const uint64_t distance = tagged->taggedOffset - it->request.sinkOffset;
            if (it->event <= fpdu.event && it->request.sinkStag == tagged->stag &&
                distance + fpdu.payload.size() <= it->request.length)
            {
                m_pieces[side][it->request.sourceStag].push_back(
                    {fpdu.event, it->request.sourceOffset + distance, fpdu.payload});
                return;
            }
        }
    }

    std::array<std::vector<Request>, TcpConversation::SIDES> m_requests;
    std::array<std::map<Stag, std::vector<Piece>>, TcpConversation::SIDES> m_pieces;
};

std::optional<ByteVector>
FetchChunk(const CapturedMemory& memory,
           std::size_t side,
           const RpcRdmaWriteChunk& chunk,
           std::size_t from,
           std::size_t to)
{
    ByteVector octets;
    for (const RpcRdmaSegment& segment : chunk)
    {
        const auto part = memory.Fetch(side, segment, from, to);
        if (!part)
        {
            return std::nullopt;
        }
        octets.insert(octets.end(), part->begin(), part->end());
    }
    return octets;
}

bool
TakeCall(CapturedRpc& rpc,
         const CapturedRpcRdma& sent,
         const CapturedMemory& memory,
         std::size_t end)
{
    rpc.callTransport = *sent.header;
    rpc.callOctets = sent.octets.size();
    rpc.reverse = !sent.fromRequester;
    const ByteSpan payload = sent.GetPayload();
    rpc.call.octets.assign(payload.begin(), payload.end());
    RpcRdmaWriteChunk positionZero;
    for (const RpcRdmaReadSegment& segment : sent.header->chunks.readList)
    {
        if (segment.position == 0)
        {
            positionZero.push_back(segment.target);
        }
        else if (!rpc.call.items.empty() && rpc.call.items.back().position == segment.position)
        {
            rpc.call.items.back().length += segment.target.length;
        }
        else
        {
            rpc.call.items.push_back({segment.position, 0, segment.target.length, nullptr});
        }
    }
    if (sent.header->proc == RpcRdmaProc::NOMSG)
    {
        const auto octets = FetchChunk(memory, sent.side, positionZero, sent.event, end);
        if (!octets)
        {
            return false;
        }
        rpc.call.octets = *octets;
    }
    XdrReader reader(rpc.call.octets);
    const auto header = RpcCallHeader::Decode(reader);
    if (!header)
    {
        return false;
    }
    rpc.callHeader = *header;
    rpc.argumentsPosition = reader.Position();
    return true;
}

bool
TakeReply(CapturedRpc& rpc,
          const CapturedRpcRdma& sent,
          const CapturedMemory& memory,
          std::size_t from)
{
    if (!sent.header || sent.header->proc == RpcRdmaProc::ERROR)
    {
        return false;
    }
    const ByteSpan payload = sent.GetPayload();
    rpc.reply.octets.assign(payload.begin(), payload.end());
    if (sent.header->proc == RpcRdmaProc::NOMSG)
    {
        const auto octets = FetchChunk(memory,
                                       1 - sent.side,
                                       sent.header->chunks.replyChunk.value_or(RpcRdmaWriteChunk()),
                                       from,
                                       sent.event);
        if (!octets)
        {
            return false;
        }
        rpc.reply.octets = *octets;
    }
    for (const RpcRdmaWriteChunk& chunk : sent.header->chunks.writeList)
    {
        rpc.reply.items.push_back({0, 0, static_cast<uint32_t>(GetChunkLength(chunk)), nullptr});
    }
    XdrReader reader(rpc.reply.octets);
    const auto header = RpcReplyHeader::Decode(reader);
    if (!header)
    {
        return false;
    }
    rpc.replyTransport = *sent.header;
    rpc.replyHeader = *header;
    rpc.resultsPosition = reader.Position();
    return true;
}

bool
IsCall(const CapturedRpcRdma& message)
{
    if (!message.header || message.header->proc == RpcRdmaProc::ERROR)
    {
        return false;
    }
    if (message.header->proc == RpcRdmaProc::NOMSG)
    {
        return message.fromRequester;
    }
    const ByteSpan payload = message.GetPayload();
    return payload.size() >= 8 && boost::endian::load_big_u32(payload.data() + 4) == 0;
}

} // namespace

std::string
CapturedRpc::ToString() const
{
    std::ostringstream text;
    text << "XID 0x" << std::hex << callTransport.xid;
    return text.str();
}

ByteSpan
CapturedRpc::GetArguments() const
{
    return ByteSpan(call.octets).subspan(argumentsPosition);
}

ByteSpan
CapturedRpc::GetResults() const
{
    return ByteSpan(reply.octets).subspan(resultsPosition);
}

std::vector<CapturedRpc>
ReadCapturedRpcs(const std::string& name)
{
    return ReadCapturedRpcsOf(std::string(NFSRDMA_SOURCE_DIR "/test/data/") + name + ".pcap.gz");
}

std::vector<CapturedRpc>
ReadCapturedRpcsOf(const std::string& path)
{
    const auto file = ReadCaptureFile(path);
    const auto capture = TcpCapture::Read(file.value());
    std::vector<CapturedRpc> rpcs;
    for (const TcpConversation& tcp : capture.value().conversations)
    {
        const MpaConversation mpa(tcp);
        if (!RpcRdmaConversation::IsRpcRdma(mpa))
        {
            continue;
        }
        const RpcRdmaConversation conversation(mpa);
        const CapturedMemory memory(mpa);
        const auto& messages = conversation.GetMessages();
        for (std::size_t i = 0; i < messages.size(); ++i)
        {
            if (!IsCall(messages[i]))
            {
                continue;
            }
            const CapturedRpcRdma* const answer = conversation.FindAnswer(i);
            const std::size_t end = answer != nullptr ? answer->event : tcp.GetEvents().size();
            CapturedRpc rpc;
            rpc.replyOctets = answer != nullptr ? answer->octets.size() : 0;
            if (TakeCall(rpc, messages[i], memory, end))
            {
                if (answer != nullptr && !TakeReply(rpc, *answer, memory, messages[i].event))
                {
                    rpc.replyTransport.reset();
                }
                rpcs.push_back(std::move(rpc));
            }
        }
    }
    return rpcs;
}

} // namespace ns3::nfsrdma::test
