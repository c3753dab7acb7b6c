/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_HYSTART_H
#define NFSRDMA_TOE_HYSTART_H

#include "toe/congestion-control.h"
#include "toe/engine-settings.h"
#include "toe/sequence-space.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief The first slow start by HyStart++, RFC 9406: it ends before anything is lost, when round
 * trips become longer.
 *
 *                   the least round trip of a round is         five rounds
 *     +------------+ longer than that of the one before +--------------+   have passed   +------+
 *     | SLOW START | ---------------------------------> | CONSERVATIVE | --------------> | OVER |
 *     +------------+ <--------------------------------- +--------------+                 +------+
 *           |            it is shorter again                   |                            ^
 *           +--------------------------------------------------+----------------------------+
 *                                    a loss or a mark
 *
 * Conservative slow start grows a quarter as fast. A round ends when what was sent before it began
 * is acknowledged.
 */
class HyStart
{
  public:
    explicit HyStart(const TcpEngineSettings& settings);

    /// \return whether it has not ended.
    [[nodiscard]] bool IsActive() const
    {
        return m_phase != Phase::OVER;
    }

    /// A round trip took \p sample.
    void Measure(Time sample);
    /// \p octets are acknowledged, up to \p acknowledged of what was sent up to \p sent. \p window
    /// grows when it was the limit (\p grows); its threshold is set when slow start is over.
    /// \return octets that are left for congestion avoidance
    [[nodiscard]] uint64_t Acknowledge(CongestionWindow& window,
                                       uint64_t octets,
                                       Position acknowledged,
                                       Position sent,
                                       bool grows);

    /// Something was lost or marked.
    void End()
    {
        m_phase = Phase::OVER;
    }

  private:
    enum class Phase
    {
        SLOW_START,
        CONSERVATIVE,
        OVER,
    };

    void BeginRound(CongestionWindow& window, Position sent);

    const TcpEngineSettings& m_settings;
    Phase m_phase{Phase::SLOW_START};
    Position m_roundEnd{0};            ///< 0 before the first acknowledgment.
    std::optional<Time> m_least;       ///< Round trip of this round.
    std::optional<Time> m_leastBefore; ///< Of the round before.
    Time m_baseline;                   ///< Of the round that made it conservative.
    uint32_t m_samples{0};             ///< Of this round.
    uint32_t m_conservativeRounds{0};
    uint64_t m_remainder{0}; ///< Octets acknowledged that have made nothing grow yet.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_HYSTART_H
