/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/replay-side.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint16_t SIW_MAX_IRD = 128;
constexpr uint32_t FIRST_RECEIVE = 1;
constexpr uint8_t LOWEST_REVISION = 1;
constexpr uint8_t HIGHEST_REVISION = 2;

/// \return whether no octets that arrived can be the reason.
bool
IsConsumersChoice(const TerminateMessage& message)
{
    return message.reason == TerminateReason::From(RdmapError::LOCAL_CATASTROPHIC);
}

} // namespace

const char*
ToString(ReplayEnding ending)
{
    switch (ending)
    {
    case ReplayEnding::OPEN:
        return "open";
    case ReplayEnding::REFUSED:
        return "startup refused";
    case ReplayEnding::REJECTED:
        return "rejected by peer";
    case ReplayEnding::TERMINATE_SENT:
        return "terminated";
    case ReplayEnding::TERMINATE_RECEIVED:
        return "terminated by peer";
    case ReplayEnding::CLOSED:
        return "closed";
    case ReplayEnding::PEER_CLOSED:
        return "closed by peer";
    case ReplayEnding::PEER_RESET:
        return "reset by peer";
    }
    return "unknown";
}

ReplaySide::ReplaySide(const MpaConversation& conversation, std::size_t side, bool initiator)
    : m_conversation(conversation),
      m_side(side),
      m_initiator(initiator),
      m_own(initiator ? conversation.GetRequest() : conversation.GetReply()),
      m_lower(CreateObject<ReplayByteStream>()),
      m_connection(CreateObject<MpaConnection>())
{
    Configure();
    FindRefusals();
    m_connection->GetCallbacks().operational = MakeCallback(&ReplaySide::HandleOperational, this);
    m_connection->GetCallbacks().rejected = MakeCallback(&ReplaySide::HandleRejected, this);
    m_connection->GetCallbacks().ulpdu = MakeCallback(&ReplaySide::HandleUlpdu, this);
    m_connection->GetCallbacks().error = MakeCallback(&ReplaySide::HandleError, this);
}

ReplaySide::~ReplaySide()
{
    m_connection->Dispose();
}

const char*
ReplaySide::GetObstacle() const
{
    if (!m_initiator)
    {
        return nullptr;
    }
    if (m_own == nullptr)
    {
        return "its Request is not a startup frame";
    }
    const bool consortium = m_own->revision == 0 && m_own->markers && m_own->crc;
    if (!consortium && (m_own->revision < LOWEST_REVISION || m_own->revision > HIGHEST_REVISION))
    {
        return "its Request has a revision that the model does not send";
    }
    if (m_own->revision == HIGHEST_REVISION && !m_own->enhanced)
    {
        return "its Request is of revision 2 and says no read depths";
    }
    return nullptr;
}

MpaConformance
ReplaySide::FindConformance() const
{
    const MpaStartupFrame* request = m_conversation.GetRequest();
    const MpaStartupFrame* reply = m_conversation.GetReply();
    const bool old = reply != nullptr && reply->revision == 0 && reply->markers;
    if (m_initiator && m_own != nullptr && m_own->revision == 0)
    {
        return MpaConformance::RDMA_CONSORTIUM;
    }
    if (!old || reply->rejected)
    {
        return MpaConformance::NON_PERMISSIVE;
    }
    const bool answersOld = request != nullptr && request->revision == 0;
    return m_initiator || answersOld ? MpaConformance::PERMISSIVE : MpaConformance::RDMA_CONSORTIUM;
}

void
ReplaySide::Configure()
{
    const MpaStartupFrame* request = m_conversation.GetRequest();
    MpaEnhancedBlock block;
    uint8_t revision = HIGHEST_REVISION;
    bool refusesMarkers = false;
    if (m_own != nullptr)
    {
        block = m_own->GetEnhancedBlock().value_or(block);
        revision = m_initiator ? m_own->revision : revision;
        refusesMarkers = !m_initiator && m_own->rejected && request != nullptr && request->markers;
        m_connection->GetSettings()->SetAttribute("Crc", BooleanValue(m_own->crc));
        m_connection->GetSettings()->SetAttribute("Markers", BooleanValue(m_own->markers));
    }
    const std::string kinds = std::string(block.rtrSend ? "Send " : "") +
                              (block.rtrWrite ? "Write " : "") + (block.rtrRead ? "Read" : "");
    m_connection->GetSettings()->SetAttribute(
        "Revision",
        UintegerValue(std::clamp(revision, LOWEST_REVISION, HIGHEST_REVISION)));
    m_connection->GetSettings()->SetAttribute("Conformance",
                                              EnumValue(static_cast<int>(FindConformance())));
    m_connection->GetSettings()->SetAttribute("MarkerSupport", BooleanValue(!refusesMarkers));
    m_connection->GetSettings()->SetAttribute("PeerToPeer", BooleanValue(block.peerToPeer));
    m_connection->GetSettings()->SetAttribute("ReadyToReceive", StringValue(kinds));
    m_connection->GetSettings()->SetAttribute("MaxIrd", UintegerValue(SIW_MAX_IRD));
}

void
ReplaySide::FindRefusals()
{
    constexpr uint8_t LAYER_RDMAP = 0;
    constexpr uint8_t TYPE_PROTECTION = 1;
    for (const CapturedFpdu& fpdu : m_conversation.GetDirection(m_side).fpdus)
    {
        if (!fpdu.terminate || !fpdu.terminate->message.ddpHeader)
        {
            continue;
        }
        const TerminateMessage& message = fpdu.terminate->message;
        const auto* header = std::get_if<DdpUntaggedHeader>(&*message.ddpHeader);
        const bool noBuffer =
            message.reason == TerminateReason::From(DdpError::UNTAGGED_NO_BUFFER) ||
            message.reason == TerminateReason::From(DdpError::UNTAGGED_TOO_LONG);
        if (header != nullptr && noBuffer &&
            header->queueNumber == static_cast<uint32_t>(DdpQueue::SEND))
        {
            m_refusedMsn = header->messageSequenceNumber;
        }
        if (message.readRequest && message.reason.layer == LAYER_RDMAP &&
            message.reason.errorType == TYPE_PROTECTION)
        {
            m_refusedSource = message.readRequest->sourceStag;
            m_refusedFor = static_cast<RdmapError>(TYPE_PROTECTION << 8 | message.reason.errorCode);
        }
    }
}

ByteSpan
ReplaySide::GetPrivateData() const
{
    const ByteSpan data = m_own->GetConsumerPrivateData();
    const MpaStartupFrame* request = m_conversation.GetRequest();
    const bool enhanced = request != nullptr && request->enhanced;
    const uint8_t revision = enhanced ? HIGHEST_REVISION : LOWEST_REVISION;
    return data.first(std::min(data.size(), MpaStartup::MaxConsumerData(revision)));
}

MpaStartupParameters
ReplaySide::MakeParameters() const
{
    MpaStartupParameters parameters;
    parameters.ird = SIW_MAX_IRD;
    parameters.ord = SIW_MAX_IRD;
    if (m_own == nullptr)
    {
        return parameters;
    }
    if (const auto block = m_own->GetEnhancedBlock())
    {
        parameters.ird = block->ird;
        parameters.ord = block->ord;
    }
    const ByteSpan data = GetPrivateData();
    parameters.privateData.assign(data.begin(), data.end());
    return parameters;
}

void
ReplaySide::SetElsewhere(AdvertisedMemory::Elsewhere elsewhere)
{
    m_memory.SetElsewhere(std::move(elsewhere));
}

void
ReplaySide::Start()
{
    if (m_initiator)
    {
        m_memory.Advertise(m_own->privateData);
        m_connection->StartInitiator(m_lower, MakeParameters());
    }
    else
    {
        m_connection->StartResponder(m_lower);
    }
}

void
ReplaySide::SentStartup()
{
    if (m_initiator || m_own == nullptr)
    {
        return;
    }
    m_memory.Advertise(m_own->privateData);
    if (m_own->rejected)
    {
        SetEnding(ReplayEnding::REFUSED);
        m_connection->Reject(GetPrivateData());
    }
    else
    {
        m_connection->Accept(MakeParameters());
    }
}

void
ReplaySide::SentFpdu(const CapturedFpdu& fpdu)
{
    const bool readyToReceive =
        m_initiator && m_sentFpdus++ == 0 && m_outcome.agreement.rtr != ReadyToReceive::NONE;
    if (!m_stream || !fpdu.opcode || readyToReceive)
    {
        return;
    }
    if (fpdu.readRequest)
    {
        if (m_stream->IsIdle())
        {
            m_stream->StartReadRequest(*fpdu.readRequest);
        }
        Pump();
    }
    else if (*fpdu.opcode == RdmapOpcode::READ_RESPONSE)
    {
        SentReadResponse(fpdu);
    }
    else if (fpdu.terminate)
    {
        const TerminateMessage& message = fpdu.terminate->message;
        if (IsConsumersChoice(message) && m_outcome.ending == ReplayEnding::OPEN)
        {
            m_stream->Fail(message);
            m_outcome.consumerFault = true;
        }
    }
    else if (std::holds_alternative<DdpUntaggedHeader>(*fpdu.header))
    {
        m_memory.Advertise(fpdu.payload);
    }
}

void
ReplaySide::SentReadResponse(const CapturedFpdu& fpdu)
{
    const uint32_t reads = m_stream->GetInboundReads();
    bool empty = fpdu.last && fpdu.payload.empty();
    m_owedOctets += fpdu.payload.size();
    while ((m_owedOctets != 0 || empty) && m_stream->GetInboundReads() == reads &&
           m_stream->HasSegment() && m_connection->CanSend())
    {
        const EmittedSegment segment = m_stream->EmitSegment();
        m_owedOctets -=
            std::min<uint64_t>(m_owedOctets, segment.ulpduLength - DdpTaggedHeader::SIZE);
        empty = false;
    }
    m_owedOctets = fpdu.last ? 0 : m_owedOctets;
}

void
ReplaySide::SentEnd()
{
    SetEnding(ReplayEnding::CLOSED);
    if (m_connection->GetState() != MpaConnection::State::CLOSED)
    {
        m_connection->Close();
    }
}

void
ReplaySide::Receive(ByteSpan octets)
{
    m_lower->Arrive(octets);
}

void
ReplaySide::ReceiveEnd(StreamEnd end)
{
    SetEnding(end == StreamEnd::GRACEFUL ? ReplayEnding::PEER_CLOSED : ReplayEnding::PEER_RESET);
    m_lower->End(end);
}

ReplayOutcome
ReplaySide::GetOutcome() const
{
    ReplayOutcome outcome = m_outcome;
    outcome.startupFrame = m_lower->GetFirstUnit();
    return outcome;
}

void
ReplaySide::SetEnding(ReplayEnding ending)
{
    if (m_outcome.ending == ReplayEnding::OPEN)
    {
        m_outcome.ending = ending;
    }
}

void
ReplaySide::Pump()
{
    while (m_stream->HasSegment() && !m_stream->IsIdle() && m_connection->CanSend())
    {
        m_stream->EmitSegment();
    }
}

void
ReplaySide::HandleOperational(const MpaStartupParameters& /* heard */)
{
    m_outcome.operational = true;
    m_outcome.agreement = m_connection->GetAgreement();
    RdmapStreamOptions options;
    options.ird = m_outcome.agreement.ird;
    options.version = m_outcome.agreement.headerVersion;
    options.rtr = m_outcome.agreement.rtr;
    options.initiator = m_initiator;
    m_stream = std::make_unique<RdmapStream>(*m_connection, *this, options);
}

void
ReplaySide::HandleRejected(ByteSpan /* privateData */)
{
    SetEnding(ReplayEnding::REJECTED);
}

void
ReplaySide::HandleUlpdu(ByteSpan ulpdu, bool placed)
{
    m_arriving.reset();
    ByteReader reader(ulpdu);
    if (const auto header = DecodeAnyDdpHeader(reader))
    {
        const uint8_t control = std::visit([](const auto& form) { return form.rsvdUlp; }, *header);
        const auto opcode = DecodeRdmapControl(control, m_outcome.agreement.headerVersion);
        m_arriving = opcode ? std::make_optional(*opcode) : std::nullopt;
    }
    m_stream->ReceiveUlpdu(ulpdu, placed);
}

void
ReplaySide::HandleError(MpaError error)
{
    m_outcome.error = error;
    if (m_stream && (error == MpaError::CRC_MISMATCH || error == MpaError::MARKER_MISMATCH))
    {
        TerminateMessage message;
        message.reason = TerminateReason::From(error);
        m_stream->Fail(message);
        return;
    }
    SetEnding(ReplayEnding::REFUSED);
}

tl::expected<void, DdpError>
ReplaySide::PlaceWrite(Stag stag, uint64_t /* offset */, ByteSpan /* payload */)
{
    if (!m_memory.IsValid(stag))
    {
        return tl::make_unexpected(DdpError::TAGGED_INVALID_STAG);
    }
    return {};
}

tl::expected<void, DdpError>
ReplaySide::PlaceReadResponse(Stag /* stag */, uint64_t /* offset */, ByteSpan /* payload */)
{
    return {};
}

void
ReplaySide::DeliverReadResponse()
{
    ++m_outcome.reads;
}

tl::expected<void, DdpError>
ReplaySide::PlaceSend(uint32_t msn, uint32_t /* messageOffset */, ByteSpan /* payload */)
{
    if (m_refusedMsn == msn)
    {
        return tl::make_unexpected(msn == FIRST_RECEIVE ? DdpError::UNTAGGED_TOO_LONG
                                                        : DdpError::UNTAGGED_NO_BUFFER);
    }
    return {};
}

tl::expected<void, RdmapError>
ReplaySide::DeliverSend(const SendDelivery& send)
{
    const bool invalidates = send.opcode == RdmapOpcode::SEND_INVALIDATE ||
                             send.opcode == RdmapOpcode::SEND_SE_INVALIDATE;
    if (invalidates)
    {
        if (!m_memory.IsValid(send.invalidateStag))
        {
            return tl::make_unexpected(RdmapError::PROTECTION_INVALID_STAG);
        }
        m_memory.Invalidate(send.invalidateStag);
    }
    ++m_outcome.sends;
    return {};
}

tl::expected<PayloadSource, RdmapError>
ReplaySide::OpenReadSource(Stag stag, uint64_t /* offset */, uint32_t /* length */)
{
    if (m_refusedSource == stag)
    {
        return tl::make_unexpected(m_refusedFor);
    }
    if (!m_memory.IsValid(stag))
    {
        return tl::make_unexpected(RdmapError::PROTECTION_INVALID_STAG);
    }
    return [](uint32_t, MutableByteSpan out) {
        std::fill(out.begin(), out.end(), uint8_t{0});
        return true;
    };
}

void
ReplaySide::SegmentReceived(RdmapOpcode /* opcode */, bool /* isLast */)
{
}

void
ReplaySide::EmissionReady()
{
    if (m_outcome.fault && m_stream->HasSegment() && m_connection->CanSend())
    {
        m_stream->EmitSegment();
        m_outcome.spokeUp = true;
    }
}

void
ReplaySide::StreamFailed(const TerminateMessage& message)
{
    SetEnding(ReplayEnding::TERMINATE_SENT);
    m_outcome.fault = message;
    m_outcome.faultOpcode = m_arriving;
}

void
ReplaySide::TerminateReceived(const TerminateMessage& message)
{
    SetEnding(ReplayEnding::TERMINATE_RECEIVED);
    m_outcome.peerTerminate = message;
}

} // namespace ns3::nfsrdma
