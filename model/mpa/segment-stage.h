/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_SEGMENT_STAGE_H
#define NFSRDMA_MPA_SEGMENT_STAGE_H

#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief What the segments of a TcpEngine pass in an adapter.
 *
 * On their way out, those that TCP sends of itself, without payload or repeated, pass the transmit
 * engine, which has made the others already when TCP is given them. Those that come wait in the
 * adapter's packet buffer for the part of the receive engine that is TCP's.
 */
class TcpSegmentStage : public SimpleRefCount<TcpSegmentStage>
{
  public:
    virtual ~TcpSegmentStage() = default;

    /// \return what a connection that is accepted passes: by default, what all those of its
    /// listener do.
    [[nodiscard]] virtual Ptr<TcpSegmentStage> MakeForConnection()
    {
        return this;
    }

    /// A segment with \p repeated octets of payload, or with none, is due. \return whether it
    /// leaves now; otherwise it is to be given to Defer()
    [[nodiscard]] virtual bool Admit(uint32_t repeated) = 0;
    /// Calls \p leave when the segment may leave, after those deferred before.
    /// \param isMade it costs nothing any more: it only keeps its place behind others
    virtual void Defer(uint32_t repeated, bool isMade, std::function<void()> leave) = 0;
    /// A segment has come, in a packet of \p octets, \p hasPayload or not. \return when TCP has it
    /// in hand, now or later and after those before it; nothing: there is no room for it
    [[nodiscard]] virtual std::optional<Time> Arrive(uint32_t octets, bool hasPayload) = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_SEGMENT_STAGE_H
