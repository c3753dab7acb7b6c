/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/control-field.h"

#include "wire/name-of.h"

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
    return NameOf(opcode,
                  {{RdmapOpcode::WRITE, "RDMA Write"},
                   {RdmapOpcode::READ_REQUEST, "RDMA Read Request"},
                   {RdmapOpcode::READ_RESPONSE, "RDMA Read Response"},
                   {RdmapOpcode::SEND, "Send"},
                   {RdmapOpcode::SEND_INVALIDATE, "Send with Invalidate"},
                   {RdmapOpcode::SEND_SE, "Send with Solicited Event"},
                   {RdmapOpcode::SEND_SE_INVALIDATE, "Send with Solicited Event and Invalidate"},
                   {RdmapOpcode::TERMINATE, "Terminate"},
                   {RdmapOpcode::IMMEDIATE, "Immediate Data"},
                   {RdmapOpcode::IMMEDIATE_SE, "Immediate Data with Solicited Event"},
                   {RdmapOpcode::ATOMIC_REQUEST, "Atomic Request"},
                   {RdmapOpcode::ATOMIC_RESPONSE, "Atomic Response"}});
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
