/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_IMPAIRMENT_H
#define NFSRDMA_LINK_IMPAIRMENT_H

#include "link/tcp-segment.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <functional>
#include <optional>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief Decides what becomes of the TCP segments of one direction of a link: lost, doubled, late,
 * changed.
 *
 * The four fates are drawn each on its own and independently, for each segment with payload (and
 * without, unless DataOnly); a lost segment has no other fate. A changed one has one bit of its
 * payload inverted and a TCP checksum that is right: what the CRC of MPA is for (RFC 5044 section
 * 4.4). The random streams are drawn from only for probabilities above zero.
 */
class LinkImpairment : public Object
{
  public:
    /// What becomes of one segment.
    struct Fate
    {
        bool drop{false};
        bool duplicate{false};           ///< A second one follows at once.
        Time delay;                      ///< Others overtake it meanwhile.
        std::optional<uint32_t> flipBit; ///< Bit of the payload; 0 is 0x80 of octet 0.
    };

    /// Segments and what became of them.
    struct Counters
    {
        uint64_t segments{0}; ///< Asked about.
        uint64_t dropped{0};
        uint64_t duplicated{0};
        uint64_t delayed{0};
        uint64_t corrupted{0};
    };

    static TypeId GetTypeId();
    LinkImpairment();

    /// Decides in place of the draw. Number of the segment, from 0, among those asked about.
    using FateCallback = std::function<Fate(uint64_t number, const TcpSegment& segment)>;

    void SetFateCallback(FateCallback callback)
    {
        m_fate = std::move(callback);
    }

    /// \return the fate of \p segment, counted.
    [[nodiscard]] Fate Decide(const TcpSegment& segment);

    [[nodiscard]] const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// \return streams used.
    int64_t AssignStreams(int64_t stream);

    /// Inverts bit \p bit of the payload of \p segment, modulo its size.
    static void FlipBit(TcpSegment& segment, uint32_t bit);

  private:
    Fate Draw(const TcpSegment& segment);

    static bool Happens(double probability, UniformRandomVariable& variable)
    {
        return probability > 0 && variable.GetValue() < probability;
    }

    double m_dropProbability{0};
    double m_duplicateProbability{0};
    double m_reorderProbability{0};
    Time m_reorderDelay;
    double m_corruptProbability{0};
    bool m_dataOnly{true};
    Ptr<UniformRandomVariable> m_drop;
    Ptr<UniformRandomVariable> m_duplicate;
    Ptr<UniformRandomVariable> m_reorder;
    Ptr<UniformRandomVariable> m_corrupt;
    FateCallback m_fate;
    Counters m_counters;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_IMPAIRMENT_H
