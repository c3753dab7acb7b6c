/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_RDMAP_CONTROL_H
#define NFSRDMA_RDMAP_RDMAP_CONTROL_H

#include "wire/wire-error.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// RDMAP opcodes, RFC 5040 section 4.1.
enum class RdmapOpcode : uint8_t
{
    WRITE = 0,
    READ_REQUEST = 1,
    READ_RESPONSE = 2,
    SEND = 3,
    SEND_INVALIDATE = 4,
    SEND_SE = 5,
    SEND_SE_INVALIDATE = 6,
    TERMINATE = 7,
};

const char* ToString(RdmapOpcode opcode);

/// RDMAP version in the RV field.
inline constexpr uint8_t RDMAP_VERSION = 1;

/// \return the control octet: RV 0xc0, reserved 0x30, opcode 0x0f.
[[nodiscard]] uint8_t EncodeRdmapControl(RdmapOpcode opcode);

/// \return the opcode; BAD_VERSION when RV is not 1, BAD_VALUE for an opcode not listed.
[[nodiscard]] Decoded<RdmapOpcode> DecodeRdmapControl(uint8_t octet);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_RDMAP_CONTROL_H
