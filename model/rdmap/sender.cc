/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/sender.h"

#include "ddp/untagged-queue.h"

#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t
QueueNumber(DdpQueue queue)
{
    return static_cast<uint32_t>(queue);
}

struct HeaderEncoder
{
    ByteWriter& writer;

    void operator()(std::monostate /* none */) const
    {
    }

    template <typename Header>
    void operator()(const Header& header) const
    {
        header.Encode(writer);
    }
};

} // namespace

RdmapSender::RdmapSender(UlpduStream& lower,
                         ReadResponseQueue& responses,
                         OutstandingReads& reads,
                         const RdmapStreamOptions& options)
    : m_lower(lower),
      m_responses(responses),
      m_reads(reads),
      m_version(options.version),
      m_segmenter(options.version),
      m_nextSendMsn(DdpUntaggedQueue::FIRST_MSN),
      m_nextReadRequestMsn(DdpUntaggedQueue::FIRST_MSN),
      m_nextAtomicResponseMsn(DdpUntaggedQueue::FIRST_MSN)
{
    if (options.initiator && options.rtr == ReadyToReceive::SEND)
    {
        m_nextSendMsn++;
    }
    else if (options.initiator && options.rtr == ReadyToReceive::READ)
    {
        m_nextReadRequestMsn++;
        m_reads.AddReadyToReceive();
    }
}

void
RdmapSender::StartWrite(Stag stag, uint64_t offset, uint32_t length, PayloadSource source)
{
    m_owner = OwnerMessage{RdmapOpcode::WRITE, length, stag, offset, std::move(source), {}};
}

void
RdmapSender::StartReadRequest(const RdmaReadRequest& request)
{
    m_owner =
        OwnerMessage{RdmapOpcode::READ_REQUEST, RdmaReadRequest::SIZE, 0, 0, nullptr, request};
}

void
RdmapSender::StartImmediate(RdmapOpcode opcode, const ImmediateData& data)
{
    m_owner = OwnerMessage{opcode, ImmediateData::SIZE, 0, 0, nullptr, data};
}

void
RdmapSender::StartAtomic(const AtomicRequest& request)
{
    m_owner =
        OwnerMessage{RdmapOpcode::ATOMIC_REQUEST, AtomicRequest::SIZE, 0, 0, nullptr, request};
}

void
RdmapSender::StartTerminate(const TerminateMessage& message)
{
    Abandon();
    m_terminate = message;
}

void
RdmapSender::Abandon()
{
    m_segmenter.Abandon();
    m_owner.reset();
    m_responses.Clear();
    m_terminate.reset();
}

EmittedSegment
RdmapSender::EmitSegment()
{
    if (!m_segmenter.IsActive())
    {
        BeginMessage();
    }
    const DdpSegment segment = m_segmenter.Next(m_lower.GetMulpdu());
    const MutableByteSpan ulpdu = m_lower.BeginUlpdu(segment.Size());
    ByteWriter writer(ulpdu);
    segment.EncodeHeader(writer);
    EmittedSegment emitted;
    emitted.opcode = m_opcode;
    if (!FillPayload(segment, ulpdu.subspan(segment.headerSize)))
    {
        emitted.faulty = true;
        return emitted;
    }
    emitted.ulpduLength = segment.Size();
    emitted.payloadLength = HasMemoryPayload() ? segment.payloadLength : 0;
    emitted.messageComplete = segment.last;
    if (segment.last)
    {
        FinishMessage();
    }
    m_lower.CommitUlpdu();
    return emitted;
}

RdmapSender::Origin
RdmapSender::ChooseOrigin() const
{
    if (m_terminate)
    {
        return Origin::TERMINATE;
    }
    if (!m_owner)
    {
        return Origin::READ_RESPONSE;
    }
    if (m_responses.IsEmpty())
    {
        return Origin::OWNER;
    }
    return m_origin == Origin::OWNER ? Origin::READ_RESPONSE : Origin::OWNER;
}

uint8_t
RdmapSender::Control() const
{
    return EncodeRdmapControl(m_opcode, m_version);
}

void
RdmapSender::BeginMessage()
{
    m_origin = ChooseOrigin();
    switch (m_origin)
    {
    case Origin::OWNER:
        BeginOwnerMessage();
        break;
    case Origin::READ_RESPONSE:
        BeginResponse();
        break;
    case Origin::TERMINATE:
        m_opcode = RdmapOpcode::TERMINATE;
        m_segmenter.StartUntagged(Control(),
                                  0,
                                  QueueNumber(DdpQueue::TERMINATE),
                                  DdpUntaggedQueue::FIRST_MSN,
                                  m_terminate->EncodedSize());
        break;
    }
}

void
RdmapSender::BeginResponse()
{
    const ReadResponse& response = m_responses.Front();
    if (response.atomic)
    {
        m_opcode = RdmapOpcode::ATOMIC_RESPONSE;
        m_segmenter.StartUntagged(Control(),
                                  0,
                                  QueueNumber(DdpQueue::ATOMIC_RESPONSE),
                                  m_nextAtomicResponseMsn++,
                                  AtomicResponse::SIZE);
        return;
    }
    const RdmaReadRequest& request = response.request;
    m_opcode = RdmapOpcode::READ_RESPONSE;
    m_segmenter.StartTagged(Control(), request.sinkStag, request.sinkOffset, request.length);
}

void
RdmapSender::BeginOwnerMessage()
{
    m_opcode = m_owner->opcode;
    const uint8_t control = Control();
    switch (m_opcode)
    {
    case RdmapOpcode::WRITE:
        m_segmenter.StartTagged(control, m_owner->stag, m_owner->taggedOffset, m_owner->length);
        break;
    case RdmapOpcode::READ_REQUEST:
    case RdmapOpcode::ATOMIC_REQUEST:
        m_segmenter.StartUntagged(control,
                                  0,
                                  QueueNumber(DdpQueue::READ_REQUEST),
                                  m_nextReadRequestMsn++,
                                  m_owner->length);
        if (const auto* request = std::get_if<RdmaReadRequest>(&m_owner->header))
        {
            m_reads.Add(*request);
        }
        else
        {
            m_reads.AddAtomic(std::get<AtomicRequest>(m_owner->header).identifier);
        }
        break;
    default:
        m_segmenter.StartUntagged(control,
                                  m_owner->stag,
                                  QueueNumber(DdpQueue::SEND),
                                  m_nextSendMsn++,
                                  m_owner->length);
        break;
    }
}

bool
RdmapSender::FillPayload(const DdpSegment& segment, MutableByteSpan payload) const
{
    ByteWriter writer(payload);
    if (m_origin == Origin::TERMINATE)
    {
        m_terminate->Encode(writer);
    }
    else if (m_opcode == RdmapOpcode::ATOMIC_RESPONSE)
    {
        m_responses.Front().atomic->Encode(writer);
    }
    else if (m_origin == Origin::OWNER && m_owner->header.index() != 0)
    {
        std::visit(HeaderEncoder{writer}, m_owner->header);
    }
    else if (!payload.empty())
    {
        const PayloadSource& source =
            m_origin == Origin::OWNER ? m_owner->source : m_responses.Front().source;
        return source(segment.messageOffset, payload);
    }
    return true;
}

bool
RdmapSender::HasMemoryPayload() const
{
    return m_opcode != RdmapOpcode::READ_REQUEST && m_opcode < RdmapOpcode::TERMINATE;
}

void
RdmapSender::FinishMessage()
{
    switch (m_origin)
    {
    case Origin::OWNER:
        m_owner.reset();
        break;
    case Origin::READ_RESPONSE:
        m_responses.Pop();
        break;
    case Origin::TERMINATE:
        m_terminate.reset();
        break;
    }
}

} // namespace ns3::nfsrdma
