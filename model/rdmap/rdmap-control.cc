/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/rdmap-control.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr unsigned VERSION_SHIFT = 6;
constexpr uint8_t OPCODE_MASK = 0x0f;

} // namespace

const char*
ToString(RdmapOpcode opcode)
{
    switch (opcode)
    {
    case RdmapOpcode::WRITE:
        return "RDMA Write";
    case RdmapOpcode::READ_REQUEST:
        return "RDMA Read Request";
    case RdmapOpcode::READ_RESPONSE:
        return "RDMA Read Response";
    case RdmapOpcode::SEND:
        return "Send";
    case RdmapOpcode::SEND_INVALIDATE:
        return "Send with Invalidate";
    case RdmapOpcode::SEND_SE:
        return "Send with Solicited Event";
    case RdmapOpcode::SEND_SE_INVALIDATE:
        return "Send with Solicited Event and Invalidate";
    case RdmapOpcode::TERMINATE:
        return "Terminate";
    }
    return "unknown";
}

uint8_t
EncodeRdmapControl(RdmapOpcode opcode)
{
    return static_cast<uint8_t>((RDMAP_VERSION << VERSION_SHIFT) | static_cast<uint8_t>(opcode));
}

Decoded<RdmapOpcode>
DecodeRdmapControl(uint8_t octet)
{
    if (octet >> VERSION_SHIFT != RDMAP_VERSION)
    {
        return tl::make_unexpected(WireError::BAD_VERSION);
    }
    const uint8_t opcode = octet & OPCODE_MASK;
    if (opcode > static_cast<uint8_t>(RdmapOpcode::TERMINATE))
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    return static_cast<RdmapOpcode>(opcode);
}

} // namespace ns3::nfsrdma
