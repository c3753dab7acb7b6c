/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_CONTROL_FIELD_H
#define NFSRDMA_RDMAP_CONTROL_FIELD_H

#include "wire/decode-error.h"

#include <cstddef>
#include <cstdint>

namespace ns3::nfsrdma
{

/// RDMAP opcodes, RFC 5040 section 4.1; the last four RFC 7306.
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
    IMMEDIATE = 8,
    IMMEDIATE_SE = 9,
    ATOMIC_REQUEST = 10,
    ATOMIC_RESPONSE = 11,
};

/// Number of opcodes.
inline constexpr std::size_t RDMAP_OPCODES = 12;

const char* ToString(RdmapOpcode opcode);

/// RDMAP version in the RV field: that of RFC 5040.
inline constexpr uint8_t RDMAP_VERSION = 1;
/// RDMAP version of the RDMA Consortium's specification, RFC 5044 appendix C.
inline constexpr uint8_t RDMAP_VERSION_RDMAC = 0;

/// \return the control octet: RV 0xc0, reserved 0x30, opcode 0x0f.
[[nodiscard]] uint8_t EncodeRdmapControl(RdmapOpcode opcode, uint8_t version = RDMAP_VERSION);

/// \return the opcode; BAD_VERSION when RV is not \p version, BAD_VALUE for an opcode not listed
/// or, without \p extensions, of RFC 7306.
[[nodiscard]] Decoded<RdmapOpcode> DecodeRdmapControl(uint8_t octet,
                                                      uint8_t version = RDMAP_VERSION,
                                                      bool extensions = false);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_CONTROL_FIELD_H
