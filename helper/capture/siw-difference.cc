/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/siw-difference.h"

#include "helper/capture/captured-terminate.h"

namespace ns3::nfsrdma
{

namespace
{

struct Description
{
    const char* name;
    const char* reason;
};

Description
Describe(SiwDifference difference)
{
    switch (difference)
    {
    case SiwDifference::RESERVED_FLAGS:
        return {"reserved-flags",
                "siw with try_gso sets 0x08 in the flags of its startup frames; RFC 5044 section "
                "7.1.1 has reserved bits sent as zero"};
    case SiwDifference::REVISION_0:
        return {"revision-0",
                "siw answers a Request of revision 0 as if it were one of revision 1; RFC 5044 "
                "appendix C has it with markers and CRC, or refused"};
    case SiwDifference::TERMINATE_BIT_ORDER:
        return {"terminate-bit-order",
                "siw's bit fields of the Terminate control word are the wrong way round on "
                "little-endian machines; RFC 5040 section 4.8"};
    case SiwDifference::TERMINATE_LENGTH:
        return {"terminate-length",
                "siw gives as DDP segment length that of the payload; RFC 5040 section 4.8 has the "
                "whole segment, header included"};
    case SiwDifference::TERMINATE_READ_REQUEST:
        return {"terminate-read-request",
                "siw builds the DDP header of a refused Read Request anew, with its length as MSN "
                "and segment length 0; RFC 5040 section 4.8 has a copy"};
    case SiwDifference::TOO_LONG_AS_NO_BUFFER:
        return {"too-long-as-no-buffer",
                "siw calls a Send that is longer than its receive buffer 1/2/02 no buffer; RFC "
                "5041 section 7 has 1/2/05 for it"};
    case SiwDifference::INVALIDATE_UNKNOWN_STAG:
        return {"invalidate-unknown-stag",
                "siw answers the invalidation of an STag that does not exist with 0/2/09; RFC 5040 "
                "has 0/1/00 invalid STag for it"};
    case SiwDifference::TERMINATE_SPEAKS_FIRST:
        return {"terminate-speaks-first",
                "siw's responder sends a Terminate when the CRC of the first FPDU is wrong; RFC "
                "5044 section 7.1.2 lets it send nothing before a valid FPDU has come"};
    case SiwDifference::UNASKED_READ_RESPONSE:
        return {"unasked-read-response",
                "siw left a Read Response to no Read without an answer (it may lie unread, as the "
                "first FPDU after a Reply sometimes does); RFC 5040 section 7.1 has 0/2/06"};
    case SiwDifference::CONSUMER_TERMINATES:
        return {"consumer-terminates",
                "a Terminate 0/0/00 tells of a local error, which no octets that arrived show"};
    }
    return {"unknown", "unknown"};
}

bool
IsInvalidate(std::optional<RdmapOpcode> opcode)
{
    return opcode == RdmapOpcode::SEND_INVALIDATE || opcode == RdmapOpcode::SEND_SE_INVALIDATE;
}

} // namespace

const char*
GetName(SiwDifference difference)
{
    return Describe(difference).name;
}

const char*
GetReason(SiwDifference difference)
{
    return Describe(difference).reason;
}

ByteVector
EncodeTerminateAsSiw(TerminateMessage message,
                     std::optional<RdmapOpcode> opcode,
                     std::set<SiwDifference>& applied)
{
    if (message.reason == TerminateReason::From(DdpError::UNTAGGED_TOO_LONG) &&
        opcode != RdmapOpcode::READ_REQUEST)
    {
        message.reason = TerminateReason::From(DdpError::UNTAGGED_NO_BUFFER);
        applied.insert(SiwDifference::TOO_LONG_AS_NO_BUFFER);
    }
    if (message.reason == TerminateReason::From(RdmapError::PROTECTION_INVALID_STAG) &&
        IsInvalidate(opcode))
    {
        message.reason = TerminateReason::From(RdmapError::OPERATION_CANNOT_INVALIDATE);
        applied.insert(SiwDifference::INVALIDATE_UNKNOWN_STAG);
    }
    auto* untagged =
        message.ddpHeader ? std::get_if<DdpUntaggedHeader>(&*message.ddpHeader) : nullptr;
    if (message.readRequest && untagged != nullptr)
    {
        untagged->messageSequenceNumber = message.readRequest->length;
        message.segmentLength = uint16_t{0};
        applied.insert(SiwDifference::TERMINATE_READ_REQUEST);
    }
    else if (message.segmentLength && message.ddpHeader)
    {
        message.segmentLength =
            static_cast<uint16_t>(*message.segmentLength - GetDdpHeaderSize(*message.ddpHeader));
        applied.insert(SiwDifference::TERMINATE_LENGTH);
    }
    ByteVector octets = CapturedTerminate::Encode(message, TerminateBitOrder::SIW);
    if (octets != CapturedTerminate::Encode(message, TerminateBitOrder::RFC5040))
    {
        applied.insert(SiwDifference::TERMINATE_BIT_ORDER);
    }
    return octets;
}

} // namespace ns3::nfsrdma
