/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_ULPDU_STREAM_H
#define NFSRDMA_MPA_ULPDU_STREAM_H

#include "wire/bytes.h"

namespace ns3::nfsrdma
{

/**
 * \brief What DDP asks of the layer below it when it sends (RFC 5044 section 3).
 *
 * A ULPDU is built in place: BeginUlpdu() lends its octets, CommitUlpdu() sends them. Between the
 * two no other member may be called. What is not committed is dropped by the next BeginUlpdu().
 */
class UlpduStream
{
  public:
    virtual ~UlpduStream() = default;

    /// \return MULPDU, the largest ULPDU that fits one segment now, 128 to 64768 octets.
    [[nodiscard]] virtual uint32_t GetMulpdu() const = 0;
    /// \return true when a ULPDU of GetMulpdu() octets can be taken now.
    [[nodiscard]] virtual bool CanSend() const = 0;
    /// \return \p length octets to fill; 1 to GetMulpdu().
    [[nodiscard]] virtual MutableByteSpan BeginUlpdu(uint32_t length) = 0;
    /// Frames and sends the octets lent by BeginUlpdu().
    virtual void CommitUlpdu() = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_ULPDU_STREAM_H
