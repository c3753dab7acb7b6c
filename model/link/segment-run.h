/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_SEGMENT_RUN_H
#define NFSRDMA_LINK_SEGMENT_RUN_H

#include "link/tcp-segment.h"

#include <deque>
#include <functional>

namespace ns3::nfsrdma
{

/**
 * \brief A run of octets without a gap, collected from segments of one direction of a connection,
 * out of which segments of other sizes are cut.
 *
 * A segment cut out has the headers of the run's first segment with the acknowledgment and window
 * of its last one; its identification counts up from the first one's (as TCP segmentation offload
 * does); PSH where the octet is in it that ended a segment with PSH; CWR only in the first. Between
 * Append() and the end of the run all octets that have gone in come out, in order, once.
 */
class SegmentRun
{
  public:
    /// \return whether \p segment continues the run: plain data, next in sequence, and nothing in
    /// its headers differs but identification, acknowledgment, window and PSH. Without octets, any
    /// plain data does.
    [[nodiscard]] bool Accepts(const TcpSegment& segment) const;
    /// Adds \p segment, which the run accepts.
    void Append(const TcpSegment& segment);

    /// \return octets held.
    [[nodiscard]] uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_front.payload.size());
    }

    /// Takes the first \p size octets, 1 to GetSize(), as a segment.
    [[nodiscard]] TcpSegment Take(uint32_t size);

    /// Gives the size of the next segment, octets; values below 1 count as 1.
    using SizeSource = std::function<uint32_t()>;
    /// \return \p segment, plain data, as segments of at most the sizes that \p next gives.
    static std::vector<TcpSegment> Split(const TcpSegment& segment, const SizeSource& next);

  private:
    TcpSegment m_front;            ///< Headers; its payload is what is held.
    std::deque<uint32_t> m_pushes; ///< Sequence numbers behind which a push was asked for.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_SEGMENT_RUN_H
