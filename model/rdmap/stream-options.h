/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_STREAM_OPTIONS_H
#define NFSRDMA_RDMAP_STREAM_OPTIONS_H

#include "mpa/startup.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// What a stream is set to at startup.
struct RdmapStreamOptions
{
    uint32_t ird{0};        ///< Inbound Read Requests that may be queued; one more ends the stream.
    uint8_t version{1};     ///< DDP and RDMAP version of all headers: 0 or 1.
    bool extensions{false}; ///< Atomics and Immediate Data, RFC 7306; not in version 0.
    /// First FPDU of the initiator, which has used up MSN 1 of its queue (RFC 6581 section 4).
    ReadyToReceive rtr{ReadyToReceive::NONE};
    bool initiator{false}; ///< This side has sent the FPDU of rtr.

    /// \return MSN of the first Send that ReceiveUlpdu() gets.
    [[nodiscard]] uint32_t GetFirstInboundSend() const
    {
        return !initiator && rtr == ReadyToReceive::SEND ? 2 : 1;
    }

    [[nodiscard]] bool HasExtensions() const
    {
        return extensions && version != 0;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_STREAM_OPTIONS_H
