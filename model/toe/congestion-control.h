/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_CONGESTION_CONTROL_H
#define NFSRDMA_TOE_CONGESTION_CONTROL_H

#include "toe/engine-settings.h"
#include "toe/sequence-space.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>

namespace ns3::nfsrdma
{

/// The congestion window of a connection, octets: RFC 5681 section 3.1.
struct CongestionWindow
{
    static constexpr uint64_t UNLIMITED = std::numeric_limits<uint64_t>::max();

    uint64_t window{0};
    uint64_t threshold{UNLIMITED}; ///< Below it is slow start.
    uint32_t segment{0};           ///< Octets of a full segment.

    [[nodiscard]] bool IsInSlowStart() const
    {
        return window < threshold;
    }

    /// \return the least that a threshold may be: two segments.
    [[nodiscard]] uint64_t GetLeastThreshold() const
    {
        return 2 * static_cast<uint64_t>(segment);
    }
};

class RateControl;

/**
 * \brief How fast a congestion window grows, and how far it shrinks. When it does either is for the
 * sender of the connection to say, which knows of recoveries.
 */
class CongestionControl
{
  public:
    virtual ~CongestionControl() = default;

    /// \return the control that \p settings name.
    static std::unique_ptr<CongestionControl> Create(TcpEngineSettings::Control control);

    [[nodiscard]] virtual std::string_view GetName() const = 0;

    /// \return this, if it sets the rate and the window itself; else null.
    [[nodiscard]] virtual RateControl* GetRateControl()
    {
        return nullptr;
    }

    /// \return whether marks are counted one by one, so that all packets are ECN-capable and the
    /// receiver echoes each mark (RFC 8257 section 3.2).
    [[nodiscard]] virtual bool CountsMarks() const
    {
        return false;
    }

    /// \p octets have been acknowledged while the window was the limit; slow start is over.
    /// \param smoothed round trip
    virtual void Avoid(CongestionWindow& window, uint64_t octets, Time now, Time smoothed) = 0;

    /// \return the threshold after a loss.
    [[nodiscard]] virtual uint64_t ReduceForLoss(const CongestionWindow& window, Time now) = 0;

    /// \return the threshold after a mark.
    [[nodiscard]] virtual uint64_t ReduceForMark(const CongestionWindow& window, Time now)
    {
        return ReduceForLoss(window, now);
    }

    /// An acknowledgment has come, by which so many octets have arrived; echo: it has ECE.
    virtual void Observe(Position /* acknowledged */,
                         Position /* sentEnd */,
                         uint64_t /* octets */,
                         bool /* echo */)
    {
    }

    /// A retransmission timer has gone off.
    virtual void NoteTimeout()
    {
    }

    /// The window after a reduction that was taken back, or after idling.
    virtual void Restart(const CongestionWindow& /* window */)
    {
    }
};

/// Slow start, for every control: the window grows by what is acknowledged, up to the threshold.
/// \return octets that are left for congestion avoidance
[[nodiscard]] uint64_t GrowInSlowStart(CongestionWindow& window, uint64_t octets);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_CONGESTION_CONTROL_H
