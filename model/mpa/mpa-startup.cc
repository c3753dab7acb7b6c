/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/mpa-startup.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::array<uint8_t, 14> RTR_WRITE{0xc1, 0x40, 0, 0, 0, 1};
constexpr uint8_t DDP_TAGGED = 0x80;
constexpr uint8_t RDMAP_OPCODE_MASK = 0x0f;
constexpr uint8_t RDMAP_WRITE = 0;

uint16_t
LowerTo(uint16_t own, uint16_t limit)
{
    return limit == MpaEnhancedBlock::NO_NEGOTIATION ? own : std::min(own, limit);
}

MpaEnhancedBlock
BlockOf(const MpaStartupFrame& frame)
{
    return frame.GetEnhancedBlock().value_or(MpaEnhancedBlock{false,
                                                              false,
                                                              false,
                                                              false,
                                                              MpaEnhancedBlock::NO_NEGOTIATION,
                                                              MpaEnhancedBlock::NO_NEGOTIATION});
}

} // namespace

tl::expected<std::optional<MpaStartupFrame>, MpaError>
MpaStartup::FrameAtFront(ByteSpan octets, bool initiator)
{
    const auto kind = initiator ? MpaStartupFrame::Kind::REPLY : MpaStartupFrame::Kind::REQUEST;
    const auto size = MpaStartupFrame::FrameSize(octets, kind);
    if (!size)
    {
        return tl::make_unexpected(MpaError::INVALID_STARTUP);
    }
    if (!*size || octets.size() < **size)
    {
        return std::nullopt;
    }
    const auto frame = MpaStartupFrame::Decode(octets.first(**size), kind);
    if (!frame || (!initiator && octets.size() > **size))
    {
        return tl::make_unexpected(MpaError::INVALID_STARTUP);
    }
    return *frame;
}

ByteSpan
MpaStartup::ReadyToReceiveWrite()
{
    return RTR_WRITE;
}

bool
MpaStartup::IsReadyToReceiveWrite(ByteSpan ulpdu)
{
    return ulpdu.size() == RTR_WRITE.size() && (ulpdu[0] & DDP_TAGGED) != 0 &&
           (ulpdu[1] & RDMAP_OPCODE_MASK) == RDMAP_WRITE;
}

MpaStartupFrame
MpaStartup::MakeRequest(const Policy& policy, const MpaStartupParameters& local)
{
    MpaStartupFrame request;
    request.kind = MpaStartupFrame::Kind::REQUEST;
    request.crc = policy.crc;
    request.revision = policy.revision;
    if (policy.revision >= 2)
    {
        MpaEnhancedBlock block;
        block.peerToPeer = policy.peerToPeer;
        block.rtrWrite = policy.peerToPeer;
        block.ird = local.ird;
        block.ord = local.ord;
        request.SetEnhancedPrivateData(block, local.privateData);
    }
    else
    {
        request.privateData = local.privateData;
    }
    return request;
}

MpaStartup::Verdict
MpaStartup::Judge(const Policy& policy, const MpaStartupFrame& request)
{
    if (request.revision > policy.revision)
    {
        return Verdict::CLOSE;
    }
    return request.markers || request.revision == 0 ? Verdict::REJECT : Verdict::ANSWER;
}

tl::expected<MpaStartupParameters, MpaError>
MpaStartup::Heard(const MpaStartupFrame& frame)
{
    if (frame.enhanced && !frame.GetEnhancedBlock())
    {
        return tl::make_unexpected(MpaError::INVALID_STARTUP);
    }
    const MpaEnhancedBlock block = BlockOf(frame);
    const ByteSpan data = frame.GetConsumerPrivateData();
    return MpaStartupParameters{block.ird, block.ord, ByteVector(data.begin(), data.end())};
}

MpaStartup::Agreement
MpaStartup::AgreeAsResponder(const Policy& policy,
                             const MpaStartupFrame& request,
                             const MpaStartupParameters& local)
{
    Agreement agreement{policy.crc || request.crc, false, local.ird, local.ord};
    if (request.enhanced)
    {
        const MpaEnhancedBlock peer = BlockOf(request);
        agreement.peerToPeer = peer.peerToPeer && peer.rtrWrite;
        agreement.ord = LowerTo(local.ord, peer.ird);
        if (peer.ord != MpaEnhancedBlock::NO_NEGOTIATION)
        {
            agreement.ird = std::max(local.ird, std::min(peer.ord, policy.maxIrd));
        }
    }
    return agreement;
}

MpaStartupFrame
MpaStartup::MakeReply(const MpaStartupFrame& request,
                      const Agreement& agreement,
                      ByteSpan privateData)
{
    MpaStartupFrame reply;
    reply.kind = MpaStartupFrame::Kind::REPLY;
    reply.crc = agreement.crc;
    reply.revision = std::max<uint8_t>(request.revision, 1);
    if (request.enhanced)
    {
        MpaEnhancedBlock block;
        block.peerToPeer = agreement.peerToPeer;
        block.rtrWrite = agreement.peerToPeer;
        block.ird = agreement.ird;
        block.ord = agreement.ord;
        reply.SetEnhancedPrivateData(block, privateData);
    }
    else
    {
        reply.privateData.assign(privateData.begin(), privateData.end());
    }
    return reply;
}

MpaStartupFrame
MpaStartup::MakeRejection(const MpaStartupFrame& request, ByteSpan privateData)
{
    MpaStartupFrame reply = MakeReply(request, Agreement{request.crc}, privateData);
    reply.rejected = true;
    return reply;
}

tl::expected<MpaStartup::Agreement, MpaError>
MpaStartup::AgreeAsInitiator(const Policy& policy,
                             const MpaStartupFrame& request,
                             const MpaStartupFrame& reply,
                             const MpaStartupParameters& local)
{
    if (reply.markers || reply.revision == 0 || reply.revision > request.revision ||
        (reply.enhanced && !reply.GetEnhancedBlock()))
    {
        return tl::make_unexpected(MpaError::INVALID_STARTUP);
    }
    Agreement agreement{request.crc || reply.crc, false, local.ird, local.ord};
    if (reply.enhanced)
    {
        const MpaEnhancedBlock peer = BlockOf(reply);
        if (policy.peerToPeer && peer.peerToPeer)
        {
            if (!peer.rtrWrite)
            {
                return tl::make_unexpected(MpaError::NO_MATCHING_RTR);
            }
            agreement.peerToPeer = true;
        }
        agreement.ord = LowerTo(local.ord, peer.ird);
        if (peer.ord != MpaEnhancedBlock::NO_NEGOTIATION && peer.ord > local.ird)
        {
            if (peer.ord > policy.maxIrd)
            {
                return tl::make_unexpected(MpaError::INSUFFICIENT_IRD);
            }
            agreement.ird = peer.ord;
        }
    }
    return agreement;
}

} // namespace ns3::nfsrdma
