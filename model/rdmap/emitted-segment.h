/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_EMITTED_SEGMENT_H
#define NFSRDMA_RDMAP_EMITTED_SEGMENT_H

#include "rdmap/control-field.h"

namespace ns3::nfsrdma
{

/// What one call of RdmapStream::EmitSegment() has sent.
struct EmittedSegment
{
    RdmapOpcode opcode{RdmapOpcode::SEND};
    uint32_t ulpduLength{0};     ///< Octets of the ULPDU, headers included.
    uint32_t payloadLength{0};   ///< Octets fetched from memory.
    bool messageComplete{false}; ///< It was the last segment of its message.
    bool faulty{false};          ///< Its payload could not be had: it was not sent.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_EMITTED_SEGMENT_H
