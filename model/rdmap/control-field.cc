/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/control-field.h"

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
    case RdmapOpcode::IMMEDIATE:
        return "Immediate Data";
    case RdmapOpcode::IMMEDIATE_SE:
        return "Immediate Data with Solicited Event";
    case RdmapOpcode::ATOMIC_REQUEST:
        return "Atomic Request";
    case RdmapOpcode::ATOMIC_RESPONSE:
        return "Atomic Response";
    }
    return "unknown";
}

uint8_t
EncodeRdmapControl(RdmapOpcode opcode, uint8_t version)
{
    return static_cast<uint8_t>((version << VERSION_SHIFT) | static_cast<uint8_t>(opcode));
}

Decoded<RdmapOpcode>
DecodeRdmapControl(uint8_t octet, uint8_t version, bool extensions)
{
    if (octet >> VERSION_SHIFT != version)
    {
        return tl::make_unexpected(WireError::BAD_VERSION);
    }
    const uint8_t opcode = octet & OPCODE_MASK;
    const RdmapOpcode highest = extensions ? RdmapOpcode::ATOMIC_RESPONSE : RdmapOpcode::TERMINATE;
    if (opcode > static_cast<uint8_t>(highest))
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    return static_cast<RdmapOpcode>(opcode);
}

} // namespace ns3::nfsrdma
