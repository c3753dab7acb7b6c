/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/startup.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

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

bool
IsConsortium(const MpaStartup::Policy& policy)
{
    return policy.conformance == MpaConformance::RDMA_CONSORTIUM;
}

bool
SpeaksRevision0(const MpaStartup::Policy& policy)
{
    return IsConsortium(policy) ||
           (policy.conformance == MpaConformance::PERMISSIVE && policy.markerSupport);
}

MpaStartup::Agreement
ConsortiumAgreement(const MpaStartupParameters& local)
{
    MpaStartup::Agreement agreement;
    agreement.crc = true;
    agreement.ird = local.ird;
    agreement.ord = local.ord;
    agreement.sendMarkers = true;
    agreement.receiveMarkers = true;
    agreement.headerVersion = 0;
    return agreement;
}

ReadyToReceiveKinds
KindsOf(const MpaEnhancedBlock& block)
{
    ReadyToReceiveKinds kinds;
    if (block.rtrSend)
    {
        kinds.push_back(ReadyToReceive::SEND);
    }
    if (block.rtrWrite)
    {
        kinds.push_back(ReadyToReceive::WRITE);
    }
    if (block.rtrRead)
    {
        kinds.push_back(ReadyToReceive::READ);
    }
    return kinds;
}

void
SetKinds(MpaEnhancedBlock& block, const ReadyToReceiveKinds& kinds)
{
    block.rtrSend = Includes(kinds, ReadyToReceive::SEND);
    block.rtrWrite = Includes(kinds, ReadyToReceive::WRITE);
    block.rtrRead = Includes(kinds, ReadyToReceive::READ);
}

ReadyToReceive
PickAsResponder(const ReadyToReceiveKinds& own, const ReadyToReceiveKinds& offered, uint16_t ird)
{
    for (const ReadyToReceive kind : own)
    {
        if (Includes(offered, kind) && (kind != ReadyToReceive::READ || ird > 0))
        {
            return kind;
        }
    }
    return own.front();
}

void
PickAsInitiator(MpaStartup::Conclusion& conclusion,
                const MpaStartup::Policy& policy,
                const MpaEnhancedBlock& peer)
{
    const ReadyToReceiveKinds accepted = KindsOf(peer);
    conclusion.agreement.peerToPeer = true;
    for (const ReadyToReceive kind : policy.readyToReceive)
    {
        if (Includes(accepted, kind))
        {
            conclusion.agreement.rtr = kind;
            if (kind == ReadyToReceive::READ && peer.ird == 0)
            {
                conclusion.obstacle = MpaError::INSUFFICIENT_IRD;
            }
            return;
        }
    }
    conclusion.obstacle = MpaError::NO_MATCHING_RTR;
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
    auto frame = MpaStartupFrame::Decode(octets.first(**size), kind);
    if (!frame || (!initiator && octets.size() > **size))
    {
        return tl::make_unexpected(MpaError::INVALID_STARTUP);
    }
    frame->enhanced = frame->enhanced && frame->revision >= 2;
    return *frame;
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

MpaStartupFrame
MpaStartup::MakeRequest(const Policy& policy, const MpaStartupParameters& local)
{
    const bool consortium = IsConsortium(policy);
    MpaStartupFrame request;
    request.kind = MpaStartupFrame::Kind::REQUEST;
    request.markers = consortium || policy.markers;
    request.crc = consortium || policy.crc;
    request.revision = consortium ? uint8_t{0} : policy.revision;
    if (request.revision < 2)
    {
        request.privateData = local.privateData;
        return request;
    }
    MpaEnhancedBlock block;
    block.peerToPeer = policy.peerToPeer && !policy.readyToReceive.empty();
    block.ird = local.ird;
    block.ord = local.ord;
    if (block.peerToPeer)
    {
        SetKinds(block, policy.readyToReceive);
        block.ord = std::max<uint16_t>(block.ord, 1);
    }
    request.SetEnhancedPrivateData(block, local.privateData);
    return request;
}

MpaStartup::Verdict
MpaStartup::Judge(const Policy& policy, const MpaStartupFrame& request)
{
    if (request.revision > MAX_REVISION || (request.enhanced && !request.GetEnhancedBlock()))
    {
        return Verdict::CLOSE;
    }
    if (IsConsortium(policy))
    {
        return Verdict::ANSWER;
    }
    if (request.revision > policy.revision)
    {
        return Verdict::CLOSE;
    }
    if (request.revision == 0)
    {
        return SpeaksRevision0(policy) && request.markers ? Verdict::ANSWER : Verdict::REJECT;
    }
    return request.markers && !policy.markerSupport ? Verdict::REJECT : Verdict::ANSWER;
}

MpaStartup::Agreement
MpaStartup::AgreeAsResponder(const Policy& policy,
                             const MpaStartupFrame& request,
                             const MpaStartupParameters& local)
{
    if (IsConsortium(policy) || request.revision == 0)
    {
        return ConsortiumAgreement(local);
    }
    Agreement agreement;
    agreement.crc = request.crc || (policy.crc && policy.responderCrc);
    agreement.sendMarkers = request.markers;
    agreement.receiveMarkers = policy.markers;
    agreement.ird = local.ird;
    agreement.ord = local.ord;
    if (request.enhanced)
    {
        const MpaEnhancedBlock peer = BlockOf(request);
        agreement.ord = LowerTo(local.ord, peer.ird);
        if (peer.ord != MpaEnhancedBlock::NO_NEGOTIATION)
        {
            agreement.ird = std::max(local.ird, std::min(peer.ord, policy.maxIrd));
        }
        if (peer.peerToPeer && !policy.readyToReceive.empty())
        {
            agreement.peerToPeer = true;
            agreement.rtr = PickAsResponder(policy.readyToReceive, KindsOf(peer), agreement.ird);
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
    reply.markers = agreement.receiveMarkers;
    reply.crc = agreement.crc;
    reply.revision =
        agreement.headerVersion == 0 ? uint8_t{0} : std::max<uint8_t>(request.revision, 1);
    if (request.enhanced && reply.revision >= 2)
    {
        MpaEnhancedBlock block;
        block.peerToPeer = agreement.peerToPeer;
        SetKinds(block, {agreement.rtr});
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
MpaStartup::MakeRejection(const Policy& policy,
                          const MpaStartupFrame& request,
                          ByteSpan privateData)
{
    Agreement none;
    none.crc = request.crc;
    if (IsConsortium(policy) || (SpeaksRevision0(policy) && request.revision == 0))
    {
        none = ConsortiumAgreement({});
    }
    MpaStartupFrame reply = MakeReply(request, none, privateData);
    reply.rejected = true;
    return reply;
}

bool
MpaStartup::CanInteroperate(const Policy& policy,
                            const MpaStartupFrame& request,
                            const MpaStartupFrame& reply)
{
    if (reply.revision == 0)
    {
        return SpeaksRevision0(policy) && reply.markers;
    }
    return !IsConsortium(policy) && reply.revision <= request.revision;
}

tl::expected<MpaStartup::Conclusion, MpaError>
MpaStartup::AgreeAsInitiator(const Policy& policy,
                             const MpaStartupFrame& request,
                             const MpaStartupFrame& reply,
                             const MpaStartupParameters& local)
{
    if (reply.revision == 0)
    {
        return Conclusion{ConsortiumAgreement(local), std::nullopt};
    }
    if ((reply.markers && !policy.markerSupport) || (reply.enhanced && !reply.GetEnhancedBlock()))
    {
        return tl::make_unexpected(MpaError::INVALID_STARTUP);
    }
    Conclusion conclusion;
    Agreement& agreement = conclusion.agreement;
    agreement.crc = request.crc || reply.crc;
    agreement.sendMarkers = reply.markers;
    agreement.receiveMarkers = request.markers;
    agreement.ird = local.ird;
    agreement.ord = local.ord;
    if (!reply.enhanced)
    {
        return conclusion;
    }
    const MpaEnhancedBlock own = BlockOf(request);
    const MpaEnhancedBlock peer = BlockOf(reply);
    agreement.ord = LowerTo(own.ord, peer.ird);
    if (own.peerToPeer && peer.peerToPeer)
    {
        PickAsInitiator(conclusion, policy, peer);
    }
    if (peer.ord != MpaEnhancedBlock::NO_NEGOTIATION && peer.ord > local.ird)
    {
        if (peer.ord > policy.maxIrd)
        {
            conclusion.obstacle = MpaError::INSUFFICIENT_IRD;
        }
        agreement.ird = std::min(peer.ord, policy.maxIrd);
    }
    return conclusion;
}

} // namespace ns3::nfsrdma
