/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_CRC32C_PATHS_H
#define NFSRDMA_WIRE_CRC32C_PATHS_H

#include "wire/bytes.h"

namespace ns3::nfsrdma
{

/**
 * \brief The two ways Crc32c() computes; both give the same results. For tests and benchmarks.
 *
 * Arguments and result are those of Crc32c().
 */
namespace crc32c
{

/// Eight octets a step by table lookup; runs anywhere.
[[nodiscard]] uint32_t Portable(ByteSpan octets, uint32_t crc);

/// \return true when this processor has the CRC32 instruction of SSE4.2.
[[nodiscard]] bool HasInstruction();

/// With the CRC32 instruction, three interleaved streams on long inputs. Requires HasInstruction().
[[nodiscard]] uint32_t Instruction(ByteSpan octets, uint32_t crc);

} // namespace crc32c

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_CRC32C_PATHS_H
