/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/receiver.h"

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
    case RdmapOpcode::ATOMIC_REQUEST:
        return DdpQueue::READ_REQUEST;
    case RdmapOpcode::TERMINATE:
        return DdpQueue::TERMINATE;
    case RdmapOpcode::ATOMIC_RESPONSE:
        return DdpQueue::ATOMIC_RESPONSE;
    default:
        return DdpQueue::SEND;
    }
}

bool
IsSend(RdmapOpcode opcode)
{
    return opcode >= RdmapOpcode::SEND && opcode <= RdmapOpcode::SEND_SE_INVALIDATE;
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
                             OutstandingReads& reads,
                             const RdmapStreamOptions& options)
    : m_consumer(consumer),
      m_responses(responses),
      m_reads(reads),
      m_version(options.version),
      m_extensions(options.HasExtensions()),
      m_sendQueue(options.GetFirstInboundSend())
{
}

Decoded<RdmapOpcode>
RdmapReceiver::DecodeControl(uint8_t octet) const
{
    return DecodeRdmapControl(octet, m_version, m_extensions);
}

tl::expected<RdmapOpcode, TerminateMessage>
RdmapReceiver::Receive(ByteSpan ulpdu, bool placed)
{
    ByteReader reader(ulpdu);
    const Decoded<DdpHeader> header = DecodeDdpHeader(reader, m_version);
    if (!header)
    {
        return tl::make_unexpected(HeaderTerminate(ulpdu, header.error()));
    }
    const auto* tagged = std::get_if<DdpTaggedHeader>(&*header);
    const Outcome outcome =
        tagged != nullptr
            ? ReceiveTagged(*tagged, reader.Rest(), placed)
            : ReceiveUntagged(std::get<DdpUntaggedHeader>(*header), reader.Rest(), placed);
    if (!outcome)
    {
        return tl::make_unexpected(MakeTerminate(outcome.error(), *header, ulpdu));
    }
    return *outcome;
}

bool
RdmapReceiver::Place(ByteSpan ulpdu)
{
    ByteReader reader(ulpdu);
    const Decoded<DdpHeader> header = DecodeDdpHeader(reader, m_version);
    if (!header || reader.Remaining() == 0)
    {
        return false;
    }
    const auto* tagged = std::get_if<DdpTaggedHeader>(&*header);
    return tagged != nullptr ? PlaceTagged(*tagged, reader.Rest())
                             : PlaceSend(std::get<DdpUntaggedHeader>(*header), reader.Rest());
}

bool
RdmapReceiver::PlaceTagged(const DdpTaggedHeader& header, ByteSpan payload)
{
    const Decoded<RdmapOpcode> opcode = DecodeControl(header.rsvdUlp);
    if (!opcode || !CheckTaggedRange(header, Length(payload)))
    {
        return false;
    }
    if (*opcode == RdmapOpcode::WRITE)
    {
        return m_consumer.PlaceWrite(header.stag, header.taggedOffset, payload).has_value();
    }
    return *opcode == RdmapOpcode::READ_RESPONSE && m_reads.Covers(header, Length(payload)) &&
           m_consumer.PlaceReadResponse(header.stag, header.taggedOffset, payload).has_value();
}

bool
RdmapReceiver::PlaceSend(const DdpUntaggedHeader& header, ByteSpan payload)
{
    const Decoded<RdmapOpcode> opcode = DecodeControl(header.rsvdUlp);
    const bool isSend = opcode && IsSend(*opcode) &&
                        header.queueNumber == static_cast<uint32_t>(DdpQueue::SEND) &&
                        m_sendQueue.IsAhead(header, Length(payload));
    if (!isSend)
    {
        return false;
    }
    const bool current = header.messageSequenceNumber == m_sendQueue.GetMsn();
    if (current && m_openSend && *m_openSend != *opcode)
    {
        return false;
    }
    return m_consumer.PlaceSend(header.messageSequenceNumber, header.messageOffset, payload)
        .has_value();
}

RdmapReceiver::Outcome
RdmapReceiver::Refuse(RdmapOpcode opcode, DdpError error)
{
    m_consumer.SegmentRefused(opcode, error);
    return tl::make_unexpected(Fault{TerminateReason::From(error), Copies::DDP_HEADER});
}

tl::expected<ByteReader, RdmapReceiver::Fault>
RdmapReceiver::AcceptWhole(DdpUntaggedQueue& queue,
                           const DdpUntaggedHeader& header,
                           ByteSpan payload,
                           uint32_t size)
{
    if (const auto accepted = queue.Accept(header, Length(payload)); !accepted)
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(accepted.error()), Copies::DDP_HEADER});
    }
    if (payload.size() > size)
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(DdpError::UNTAGGED_TOO_LONG), Copies::DDP_HEADER});
    }
    if (payload.size() < size || !header.last)
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(RdmapError::OPERATION_UNSPECIFIED), Copies::DDP_HEADER});
    }
    return ByteReader(payload);
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveTagged(const DdpTaggedHeader& header, ByteSpan payload, bool placed)
{
    const Decoded<RdmapOpcode> opcode = DecodeControl(header.rsvdUlp);
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
    return *opcode == RdmapOpcode::WRITE ? ReceiveWrite(header, payload, placed)
                                         : ReceiveReadResponse(header, payload, placed);
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveUntagged(const DdpUntaggedHeader& header, ByteSpan payload, bool placed)
{
    const DdpQueue highest = m_extensions ? DdpQueue::ATOMIC_RESPONSE : DdpQueue::TERMINATE;
    if (header.queueNumber > static_cast<uint32_t>(highest))
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(DdpError::UNTAGGED_INVALID_QN), Copies::DDP_HEADER});
    }
    const Decoded<RdmapOpcode> opcode = DecodeControl(header.rsvdUlp);
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
    case RdmapOpcode::IMMEDIATE:
    case RdmapOpcode::IMMEDIATE_SE:
        return ReceiveImmediate(*opcode, header, payload);
    case RdmapOpcode::ATOMIC_REQUEST:
        return ReceiveAtomicRequest(header, payload);
    case RdmapOpcode::ATOMIC_RESPONSE:
        return ReceiveAtomicResponse(header, payload);
    default:
        return ReceiveSend(*opcode, header, payload, placed);
    }
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveWrite(const DdpTaggedHeader& header, ByteSpan payload, bool placed)
{
    if (!payload.empty() && !placed)
    {
        if (const auto done = m_consumer.PlaceWrite(header.stag, header.taggedOffset, payload);
            !done)
        {
            return Refuse(RdmapOpcode::WRITE, done.error());
        }
    }
    return RdmapOpcode::WRITE;
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveReadResponse(const DdpTaggedHeader& header, ByteSpan payload, bool placed)
{
    if (const auto expected = m_reads.Accept(header, Length(payload)); !expected)
    {
        return tl::make_unexpected(Fault{expected.error(), CopiesFor(expected.error())});
    }
    if (!payload.empty() && !placed)
    {
        if (const auto done =
                m_consumer.PlaceReadResponse(header.stag, header.taggedOffset, payload);
            !done)
        {
            return Refuse(RdmapOpcode::READ_RESPONSE, done.error());
        }
    }
    if (header.last)
    {
        const bool readyToReceive = m_reads.AwaitsReadyToReceive();
        m_reads.Complete();
        if (!readyToReceive)
        {
            m_consumer.DeliverReadResponse();
        }
    }
    return RdmapOpcode::READ_RESPONSE;
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveSend(RdmapOpcode opcode,
                           const DdpUntaggedHeader& header,
                           ByteSpan payload,
                           bool placed)
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
    if (!placed)
    {
        if (const auto done = m_consumer.PlaceSend(msn, header.messageOffset, payload); !done)
        {
            return Refuse(opcode, done.error());
        }
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
    auto reader = AcceptWhole(m_readRequestQueue, header, payload, RdmaReadRequest::SIZE);
    if (!reader)
    {
        return tl::make_unexpected(reader.error());
    }
    const Decoded<RdmaReadRequest> request = RdmaReadRequest::Decode(*reader);
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

RdmapReceiver::Outcome
RdmapReceiver::ReceiveImmediate(RdmapOpcode opcode,
                                const DdpUntaggedHeader& header,
                                ByteSpan payload)
{
    if (m_openSend)
    {
        return tl::make_unexpected(Fault{ControlFault(WireError::BAD_VALUE)});
    }
    auto reader = AcceptWhole(m_sendQueue, header, payload, ImmediateData::SIZE);
    if (!reader)
    {
        return tl::make_unexpected(reader.error());
    }
    const auto delivered = m_consumer.DeliverImmediate(opcode, *ImmediateData::Decode(*reader));
    if (!delivered)
    {
        return Refuse(opcode, delivered.error());
    }
    return opcode;
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveAtomicRequest(const DdpUntaggedHeader& header, ByteSpan payload)
{
    auto reader = AcceptWhole(m_readRequestQueue, header, payload, AtomicRequest::SIZE);
    if (!reader)
    {
        return tl::make_unexpected(reader.error());
    }
    if (m_responses.IsFull())
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(DdpError::UNTAGGED_NO_BUFFER), Copies::DDP_HEADER});
    }
    const Decoded<AtomicRequest> request = AtomicRequest::Decode(*reader);
    if (!request)
    {
        return tl::make_unexpected(Fault{ControlFault(request.error())});
    }
    if (request->remoteOffset % AtomicRequest::OPERAND_SIZE != 0)
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(RdmapError::OPERATION_CATASTROPHIC_STREAM),
                  Copies::DDP_HEADER});
    }
    const auto value = m_consumer.ExecuteAtomic(*request);
    if (!value)
    {
        return tl::make_unexpected(Fault{TerminateReason::From(value.error()), Copies::DDP_HEADER});
    }
    m_responses.PushAtomic({request->identifier, *value});
    return RdmapOpcode::ATOMIC_REQUEST;
}

RdmapReceiver::Outcome
RdmapReceiver::ReceiveAtomicResponse(const DdpUntaggedHeader& header, ByteSpan payload)
{
    auto reader = AcceptWhole(m_atomicResponseQueue, header, payload, AtomicResponse::SIZE);
    if (!reader)
    {
        return tl::make_unexpected(reader.error());
    }
    const AtomicResponse response = *AtomicResponse::Decode(*reader);
    if (const auto expected = m_reads.AcceptAtomic(response.identifier); !expected)
    {
        return tl::make_unexpected(Fault{expected.error(), CopiesFor(expected.error())});
    }
    m_reads.Complete();
    if (const auto delivered = m_consumer.DeliverAtomicResponse(response.value); !delivered)
    {
        return tl::make_unexpected(
            Fault{TerminateReason::From(delivered.error()), Copies::DDP_HEADER});
    }
    return RdmapOpcode::ATOMIC_RESPONSE;
}

RdmapReceiver::Copies
RdmapReceiver::CopiesFor(const TerminateReason& reason)
{
    return reason == TerminateReason::From(RdmapError::OPERATION_UNEXPECTED_OPCODE)
               ? Copies::NONE
               : Copies::DDP_HEADER;
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
