/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/rdmap-receiver.h"

#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t DDP_CONTROL_TAGGED = 0x80;
constexpr uint8_t TYPE_LOCAL = 0;

TerminateReason
ControlFault(WireError error)
{
    return TerminateReason::From(error == WireError::BAD_VERSION
                                     ? RdmapError::OPERATION_VERSION
                                     : RdmapError::OPERATION_UNEXPECTED_OPCODE);
}

bool
IsInvalidate(RdmapOpcode opcode)
{
    return opcode == RdmapOpcode::SEND_INVALIDATE || opcode == RdmapOpcode::SEND_SE_INVALIDATE;
}

DdpQueue
QueueOf(RdmapOpcode opcode)
{
    switch (opcode)
    {
    case RdmapOpcode::READ_REQUEST:
        return DdpQueue::READ_REQUEST;
    case RdmapOpcode::TERMINATE:
        return DdpQueue::TERMINATE;
    default:
        return DdpQueue::SEND;
    }
}

bool
IsTagged(RdmapOpcode opcode)
{
    return opcode == RdmapOpcode::WRITE || opcode == RdmapOpcode::READ_RESPONSE;
}

uint32_t
Length(ByteSpan octets)
{
    return static_cast<uint32_t>(octets.size());
}

} // namespace

RdmapReceiver::RdmapReceiver(RdmapConsumer& consumer,
                             ReadResponseQueue& responses,
                             OutstandingReads& reads)
    : m_consumer(consumer),
      m_responses(responses),
      m_reads(reads)
{
}

tl::expected<RdmapOpcode, TerminateMessage>
RdmapReceiver::Receive(ByteSpan ulpdu)
{
    ByteReader reader(ulpdu);
    const Decoded<DdpHeader> header = DecodeDdpHeader(reader);
    if (!header)
    {
        return tl::make_unexpected(HeaderTerminate(ulpdu, header.error()));
    }
    const auto* tagged = std::get_if<DdpTaggedHeader>(&*header);
    const Outcome outcome =
        tagged != nullptr ? ReceiveTagged(*tagged, reader.Rest())
                          : ReceiveUntagged(std::get<DdpUntaggedHeader>(*header), reader.Rest());
    if (!outcome)
    {
        return tl::make_unexpected(MakeTerminate(outcome.error(), *header, ulpdu));
    }
    return *outcome;
}

const TerminateMessage&
RdmapReceiver::GetPeerTerminate() const
{
    return m_peerTerminate;
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveTagged(const DdpTaggedHeader& header, ByteSpan payload)
{
    const Decoded<RdmapOpcode> opcode = DecodeRdmapControl(header.rsvdUlp);
    if (!opcode)
    {
        return tl::make_unexpected(Fault{ControlFault(opcode.error())});
    }
    if (!IsTagged(*opcode))
    {
        return tl::make_unexpected(Fault{ControlFault(WireError::BAD_VALUE)});
    }
    if (const auto range = CheckTaggedRange(header, Length(payload)); !range)
    {
        return tl::make_unexpected(Fault{TerminateReason::From(range.error()), Copies::DDP_HEADER});
    }
    return *opcode == RdmapOpcode::WRITE ? ReceiveWrite(header, payload)
                                         : ReceiveReadResponse(header, payload);
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveUntagged(const DdpUntaggedHeader& header, ByteSpan payload)
{
    if (header.queueNumber > static_cast<uint32_t>(DdpQueue::TERMINATE))
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(DdpError::UNTAGGED_INVALID_QN), Copies::DDP_HEADER});
    }
    const Decoded<RdmapOpcode> opcode = DecodeRdmapControl(header.rsvdUlp);
    if (!opcode)
    {
        return tl::make_unexpected(Fault{ControlFault(opcode.error())});
    }
    if (IsTagged(*opcode) || header.queueNumber != static_cast<uint32_t>(QueueOf(*opcode)))
    {
        return tl::make_unexpected(Fault{ControlFault(WireError::BAD_VALUE)});
    }
    switch (*opcode)
    {
    case RdmapOpcode::READ_REQUEST:
        return ReceiveReadRequest(header, payload);
    case RdmapOpcode::TERMINATE:
        return ReceiveTerminate(header, payload);
    default:
        return ReceiveSend(*opcode, header, payload);
    }
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveWrite(const DdpTaggedHeader& header, ByteSpan payload)
{
    if (!payload.empty())
    {
        if (const auto placed = m_consumer.PlaceWrite(header.stag, header.taggedOffset, payload);
            !placed)
        {
            return tl::make_unexpected(
                Fault{TerminateReason::From(placed.error()), Copies::DDP_HEADER});
        }
    }
    return RdmapOpcode::WRITE;
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveReadResponse(const DdpTaggedHeader& header, ByteSpan payload)
{
    if (m_reads.GetCount() == 0)
    {
        return tl::make_unexpected(Fault{ControlFault(WireError::BAD_VALUE)});
    }
    if (const auto expected = m_reads.Accept(header, Length(payload)); !expected)
    {
        return tl::make_unexpected(Fault{expected.error(), Copies::DDP_HEADER});
    }
    if (!payload.empty())
    {
        if (const auto placed =
                m_consumer.PlaceReadResponse(header.stag, header.taggedOffset, payload);
            !placed)
        {
            return tl::make_unexpected(
                Fault{TerminateReason::From(placed.error()), Copies::DDP_HEADER});
        }
    }
    if (header.last)
    {
        m_reads.Complete();
        m_consumer.DeliverReadResponse();
    }
    return RdmapOpcode::READ_RESPONSE;
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveSend(RdmapOpcode opcode, const DdpUntaggedHeader& header, ByteSpan payload)
{
    if (m_openSend && *m_openSend != opcode)
    {
        return tl::make_unexpected(Fault{ControlFault(WireError::BAD_VALUE)});
    }
    const uint32_t msn = m_sendQueue.GetMsn();
    if (const auto accepted = m_sendQueue.Accept(header, Length(payload)); !accepted)
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(accepted.error()), Copies::DDP_HEADER});
    }
    m_openSend = header.last ? std::nullopt : std::make_optional(opcode);
    if (const auto placed = m_consumer.PlaceSend(msn, header.messageOffset, payload); !placed)
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(placed.error()), Copies::DDP_HEADER});
    }
    if (header.last)
    {
        SendDelivery send;
        send.opcode = opcode;
        send.length = header.messageOffset + Length(payload);
        send.invalidateStag = IsInvalidate(opcode) ? header.rsvdUlpWord : 0;
        if (const auto delivered = m_consumer.DeliverSend(send); !delivered)
        {
            return tl::make_unexpected(
                Fault{TerminateReason::From(delivered.error()), Copies::DDP_HEADER});
        }
    }
    return opcode;
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveReadRequest(const DdpUntaggedHeader& header, ByteSpan payload)
{
    if (const auto accepted = m_readRequestQueue.Accept(header, Length(payload)); !accepted)
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(accepted.error()), Copies::DDP_HEADER});
    }
    if (payload.size() > RdmaReadRequest::SIZE)
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(DdpError::UNTAGGED_TOO_LONG), Copies::DDP_HEADER});
    }
    ByteReader reader(payload);
    const Decoded<RdmaReadRequest> request = RdmaReadRequest::Decode(reader);
    if (!request || !header.last)
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(RdmapError::OPERATION_UNSPECIFIED), Copies::DDP_HEADER});
    }
    m_readRequest = *request;
    if (m_responses.IsFull())
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(DdpError::UNTAGGED_NO_BUFFER), Copies::READ_REQUEST});
    }
    PayloadSource source;
    if (request->length != 0)
    {
        auto opened =
            m_consumer.OpenReadSource(request->sourceStag, request->sourceOffset, request->length);
        if (!opened)
        {
            return tl::make_unexpected(
                Fault{TerminateReason::From(opened.error()), Copies::READ_REQUEST});
        }
        source = std::move(*opened);
    }
    m_responses.Push(*request, std::move(source));
    return RdmapOpcode::READ_REQUEST;
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveTerminate(const DdpUntaggedHeader& header, ByteSpan payload)
{
    if (const auto accepted = m_terminateQueue.Accept(header, Length(payload)); !accepted)
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(accepted.error()), Copies::DDP_HEADER});
    }
    if (const auto message = TerminateMessage::Decode(payload))
    {
        m_peerTerminate = *message;
    }
    else
    {
        m_peerTerminate = TerminateMessage();
        m_peerTerminate.reason = TerminateMessage::DecodeReason(payload).value_or(
            TerminateReason::From(RdmapError::OPERATION_UNSPECIFIED));
    }
    return RdmapOpcode::TERMINATE;
}

TerminateMessage
RdmapReceiver::HeaderTerminate(ByteSpan ulpdu, WireError error)
{
    TerminateMessage message;
    if (error == WireError::BAD_VERSION)
    {
        const bool tagged = (ulpdu[0] & DDP_CONTROL_TAGGED) != 0;
        message.reason =
            TerminateReason::From(tagged ? DdpError::TAGGED_VERSION : DdpError::UNTAGGED_VERSION);
    }
    else
    {
        message.reason = TerminateReason::From(RdmapError::OPERATION_CATASTROPHIC_STREAM);
    }
    return message;
}

TerminateMessage
RdmapReceiver::MakeTerminate(const Fault& fault, const DdpHeader& header, ByteSpan ulpdu) const
{
    TerminateMessage message;
    message.reason = fault.reason;
    if (fault.copies == Copies::NONE || fault.reason.errorType == TYPE_LOCAL)
    {
        return message;
    }
    message.segmentLength = static_cast<uint16_t>(ulpdu.size());
    message.ddpHeader = header;
    if (fault.copies == Copies::READ_REQUEST)
    {
        message.readRequest = m_readRequest;
    }
    return message;
}

} // namespace ns3::nfsrdma
