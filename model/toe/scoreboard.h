/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_SCOREBOARD_H
#define NFSRDMA_TOE_SCOREBOARD_H

#include "toe/sequence-space.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// A segment that was sent and is not acknowledged.
struct SentSegment
{
    Position begin{0};
    Position end{0}; ///< Behind the FIN, when it has one.
    bool fin{false};
    bool sacked{false};
    bool lost{false};
    bool repeating{false}; ///< A repetition is on its way.
    uint32_t transmissions{0};
    Time sentAt; ///< The last time.

    [[nodiscard]] uint64_t GetSize() const
    {
        return static_cast<uint64_t>(end - begin);
    }
};

/**
 * \brief What is known of each segment in flight: RFC 6675 with segments in place of octets, as
 * Linux has it. A segment is repeated with the bounds it was sent with.
 *
 *     sent --------> sacked ----+
 *       |  \                    +--> acknowledged, and gone
 *       |   +------------------+
 *       +--> lost --> lost, repeating --> (either of them; or lost again)
 *
 * Without SACK, duplicate acknowledgments stand for segments that have arrived, nobody knows which.
 */
class Scoreboard
{
  public:
    /// Remembers a new segment behind all others.
    void Add(Position begin, Position end, bool fin, Time now);
    /// A repetition of \p segment leaves.
    void Repeat(SentSegment& segment, Time now);

    /// All below \p position has arrived. Those that newly did are added to \p arrived, as they
    /// were.
    void Acknowledge(Position position, std::vector<SentSegment>& arrived);
    /// What lies wholly within has arrived. Those that newly did are added to \p arrived, as they
    /// were.
    void Sack(Position begin, Position end, std::vector<SentSegment>& arrived);

    /// Another duplicate acknowledgment, without SACK, for a segment of \p size.
    void CountDuplicate(uint32_t size);

    /// \p octets that duplicate acknowledgments stood for have been acknowledged.
    void ForgetDuplicates(uint64_t octets)
    {
        m_duplicates -= m_duplicates > octets ? octets : m_duplicates;
    }

    void MarkLost(SentSegment& segment);

    /// From now on TakeLost() tells of losses.
    void KeepLost()
    {
        m_keepsLost = true;
    }

    /// \return segments marked as lost since the last call, each as often as it was.
    [[nodiscard]] std::vector<SentSegment> TakeLost()
    {
        return std::exchange(m_newlyLost, {});
    }

    /// Takes back all marks of loss; \return whether there were any.
    bool UnmarkLost();
    /// Forgets what was SACKed: the receiver may have dropped it (RFC 2018 section 8).
    void ForgetSacks();
    /// Splits the segments above \p most octets, for a path that has become narrower.
    void Split(uint32_t most);

    /// \return the first that is lost and not being repeated; null without.
    [[nodiscard]] SentSegment* NextLost();

    [[nodiscard]] std::deque<SentSegment>& GetSegments()
    {
        return m_segments;
    }

    [[nodiscard]] bool IsEmpty() const
    {
        return m_segments.empty();
    }

    /// \return octets that are believed to be on their way: pipe of RFC 6675 section 4.
    [[nodiscard]] uint64_t GetPipe() const;

    [[nodiscard]] uint64_t GetLostOctets() const
    {
        return m_lost;
    }

    [[nodiscard]] uint64_t GetSackedOctets() const
    {
        return m_sacked;
    }

    [[nodiscard]] uint32_t GetSackedSegments() const
    {
        return m_sackedSegments;
    }

    /// \return place behind the highest octet SACKed or acknowledged.
    [[nodiscard]] Position GetForward() const
    {
        return m_forward;
    }

  private:
    void Forget(const SentSegment& segment);

    std::deque<SentSegment> m_segments;
    uint64_t m_out{0};        ///< Octets of all.
    uint64_t m_sacked{0};     ///< Octets of those SACKed.
    uint64_t m_lost{0};       ///< Octets of those lost.
    uint64_t m_repeating{0};  ///< Octets of those being repeated.
    uint64_t m_duplicates{0}; ///< Octets that duplicate acknowledgments stand for.
    uint32_t m_sackedSegments{0};
    Position m_forward{0};
    bool m_keepsLost{false};
    std::vector<SentSegment> m_newlyLost;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_SCOREBOARD_H
