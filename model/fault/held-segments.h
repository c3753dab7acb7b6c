/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_HELD_SEGMENTS_H
#define NFSRDMA_FAULT_HELD_SEGMENTS_H

#include "link/tcp-segment.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <functional>
#include <list>
#include <vector>

namespace ns3::nfsrdma
{

/// Segments that others of their direction are to overtake.
class HeldSegments
{
  public:
    /// Longest time that a segment waits for others.
    static constexpr int64_t MAX_HOLD_NS = 10'000'000;

    /// Lets a frame of host \p host go on.
    using ReleaseFunction = std::function<void(std::size_t host, const Ptr<Packet>& frame)>;

    explicit HeldSegments(ReleaseFunction release);
    ~HeldSegments();
    HeldSegments(const HeldSegments&) = delete;
    HeldSegments& operator=(const HeldSegments&) = delete;

    /// Keeps \p frames of a segment until \p behind others have passed, or \p extra longer than
    /// MAX_HOLD_NS.
    void Hold(std::size_t host,
              const TcpSegment::Flow& flow,
              std::vector<Ptr<Packet>> frames,
              uint64_t behind,
              Time extra);
    /// A segment of \p flow has passed.
    void Pass(const TcpSegment::Flow& flow);
    void ReleaseAll();

    [[nodiscard]] bool IsEmpty() const
    {
        return m_held.empty();
    }

  private:
    struct Held
    {
        std::size_t host;
        TcpSegment::Flow flow;
        std::vector<Ptr<Packet>> frames;
        uint64_t behind;
        EventId patience;
    };

    void Release(std::list<Held>::iterator held);

    ReleaseFunction m_release;
    std::list<Held> m_held;
};

/// Octets that are to be lost each time they are sent, so many times more.
class DoomedOctets
{
  public:
    void Add(const TcpSegment& segment, uint64_t times)
    {
        m_doomed.push_back({segment.GetFlow(), segment.sequence, segment.EndSequence(), times});
    }

    /// \return whether \p segment has such octets, and is lost.
    [[nodiscard]] bool Take(const TcpSegment& segment);

    [[nodiscard]] bool IsEmpty() const
    {
        return m_doomed.empty();
    }

    void Clear()
    {
        m_doomed.clear();
    }

  private:
    struct Doomed
    {
        TcpSegment::Flow flow;
        uint32_t begin;
        uint32_t end;
        uint64_t times;
    };

    std::vector<Doomed> m_doomed;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_HELD_SEGMENTS_H
