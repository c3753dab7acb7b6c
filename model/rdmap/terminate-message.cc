/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/terminate-message.h"

#include "wire/name-of.h"

#include <string_view>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t LAYER_RDMAP = 0;
constexpr uint8_t LAYER_DDP = 1;
constexpr uint8_t LAYER_LLP = 2;

constexpr uint16_t FLAG_SEGMENT_LENGTH = 0x8000;
constexpr uint16_t FLAG_DDP_HEADER = 0x4000;
constexpr uint16_t FLAG_RDMAP_HEADER = 0x2000;

constexpr uint32_t CONTROL_SIZE = 4;
constexpr uint32_t SEGMENT_LENGTH_SIZE = 2;

TerminateReason
MakeReason(uint8_t layer, uint16_t typeAndCode)
{
    return {layer, static_cast<uint8_t>(typeAndCode >> 8), static_cast<uint8_t>(typeAndCode)};
}

const char*
RdmapErrorName(RdmapError error)
{
    return NameOf(error,
                  {{RdmapError::LOCAL_CATASTROPHIC, "local catastrophic error"},
                   {RdmapError::PROTECTION_INVALID_STAG, "invalid STag"},
                   {RdmapError::PROTECTION_BOUNDS, "base or bounds violation"},
                   {RdmapError::PROTECTION_ACCESS, "access rights violation"},
                   {RdmapError::PROTECTION_NOT_ASSOCIATED, "STag not associated with the stream"},
                   {RdmapError::PROTECTION_WRAP, "TO wrap"},
                   {RdmapError::PROTECTION_CANNOT_INVALIDATE, "STag cannot be invalidated"},
                   {RdmapError::OPERATION_CANNOT_INVALIDATE, "STag cannot be invalidated"},
                   {RdmapError::PROTECTION_UNSPECIFIED, "unspecified protection error"},
                   {RdmapError::OPERATION_VERSION, "invalid RDMAP version"},
                   {RdmapError::OPERATION_UNEXPECTED_OPCODE, "unexpected opcode"},
                   {RdmapError::OPERATION_CATASTROPHIC_STREAM, "catastrophic error of the stream"},
                   {RdmapError::OPERATION_CATASTROPHIC_GLOBAL, "catastrophic error, global"},
                   {RdmapError::OPERATION_UNSPECIFIED, "unspecified operation error"}});
}

const char*
ReasonName(const TerminateReason& reason)
{
    const auto typeAndCode = static_cast<uint16_t>(reason.errorType << 8 | reason.errorCode);
    switch (reason.layer)
    {
    case LAYER_RDMAP:
        return RdmapErrorName(static_cast<RdmapError>(typeAndCode));
    case LAYER_DDP:
        return ToString(static_cast<DdpError>(typeAndCode));
    case LAYER_LLP:
        return reason.errorType == 0 ? ToString(static_cast<MpaError>(reason.errorCode))
                                     : "unknown";
    default:
        return "unknown";
    }
}

TerminateReason
ReadReason(ByteReader& reader)
{
    const uint8_t layerAndType = reader.ReadU8();
    const uint8_t code = reader.ReadU8();
    return {static_cast<uint8_t>(layerAndType >> 4),
            static_cast<uint8_t>(layerAndType & 0x0f),
            code};
}

} // namespace

TerminateReason
TerminateReason::From(RdmapError error)
{
    return MakeReason(LAYER_RDMAP, static_cast<uint16_t>(error));
}

TerminateReason
TerminateReason::From(DdpError error)
{
    return MakeReason(LAYER_DDP, static_cast<uint16_t>(error));
}

TerminateReason
TerminateReason::From(MpaError error)
{
    return MakeReason(LAYER_LLP, static_cast<uint8_t>(error));
}

std::string
TerminateReason::ToString() const
{
    constexpr std::string_view DIGITS = "0123456789abcdef";
    std::string text;
    text += DIGITS[layer & 0x0f];
    text += '/';
    text += DIGITS[errorType & 0x0f];
    text += '/';
    text += DIGITS[errorCode >> 4];
    text += DIGITS[errorCode & 0x0f];
    text += ' ';
    text += ReasonName(*this);
    return text;
}

uint32_t
TerminateMessage::EncodedSize() const
{
    uint32_t size = CONTROL_SIZE;
    if (segmentLength || ddpHeader)
    {
        size += SEGMENT_LENGTH_SIZE;
    }
    if (ddpHeader)
    {
        size += GetDdpHeaderSize(*ddpHeader);
    }
    if (readRequest)
    {
        size += RdmaReadRequest::SIZE;
    }
    return size;
}

void
TerminateMessage::Encode(ByteWriter& writer) const
{
    writer.WriteU8(static_cast<uint8_t>(reason.layer << 4 | (reason.errorType & 0x0f)));
    writer.WriteU8(reason.errorCode);
    writer.WriteU16(static_cast<uint16_t>((segmentLength ? FLAG_SEGMENT_LENGTH : 0) |
                                          (ddpHeader ? FLAG_DDP_HEADER : 0) |
                                          (readRequest ? FLAG_RDMAP_HEADER : 0)));
    if (segmentLength || ddpHeader)
    {
        writer.WriteU16(segmentLength.value_or(0));
    }
    if (ddpHeader)
    {
        std::visit([&writer](const auto& header) { header.Encode(writer); }, *ddpHeader);
    }
    if (readRequest)
    {
        readRequest->Encode(writer);
    }
}

Decoded<TerminateMessage>
TerminateMessage::Decode(ByteSpan payload)
{
    ByteReader reader(payload);
    TerminateMessage message;
    message.reason = ReadReason(reader);
    const uint16_t flags = reader.ReadU16();
    if ((flags & (FLAG_SEGMENT_LENGTH | FLAG_DDP_HEADER)) != 0)
    {
        const uint16_t length = reader.ReadU16();
        if ((flags & FLAG_SEGMENT_LENGTH) != 0)
        {
            message.segmentLength = length;
        }
    }
    if ((flags & FLAG_DDP_HEADER) != 0 && reader.Ok())
    {
        const auto header = DecodeAnyDdpHeader(reader);
        if (!header)
        {
            return tl::make_unexpected(header.error());
        }
        message.ddpHeader = *header;
    }
    if ((flags & FLAG_RDMAP_HEADER) != 0 && reader.Ok())
    {
        const auto request = RdmaReadRequest::Decode(reader);
        if (!request)
        {
            return tl::make_unexpected(request.error());
        }
        message.readRequest = *request;
    }
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    return message;
}

Decoded<TerminateReason>
TerminateMessage::DecodeReason(ByteSpan payload)
{
    ByteReader reader(payload);
    const TerminateReason reason = ReadReason(reader);
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    return reason;
}

} // namespace ns3::nfsrdma
