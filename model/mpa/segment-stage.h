/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_SEGMENT_STAGE_H
#define NFSRDMA_MPA_SEGMENT_STAGE_H

#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>

namespace ns3::nfsrdma
{

/**
 * \brief What the segments pass that a TcpEngine sends of itself: without payload, or repeated. In
 * an adapter, its transmit engine, which has made the others already when TCP is given them.
 */
class TcpSegmentStage : public SimpleRefCount<TcpSegmentStage>
{
  public:
    virtual ~TcpSegmentStage() = default;

    /// A segment with \p repeated octets of payload, or with none, is due. \return whether it
    /// leaves now; otherwise it is to be given to Defer()
    [[nodiscard]] virtual bool Admit(uint32_t repeated) = 0;
    /// Calls \p leave when the segment may leave, after those deferred before.
    /// \param isMade it costs nothing any more: it only keeps its place behind others
    virtual void Defer(uint32_t repeated, bool isMade, std::function<void()> leave) = 0;
    /// A segment without payload has come.
    virtual void NoteArrival() = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_SEGMENT_STAGE_H
