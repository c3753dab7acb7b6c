/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_DELIVERY_RATE_H
#define NFSRDMA_TOE_DELIVERY_RATE_H

#include "toe/scoreboard.h"
#include "toe/sequence-space.h"
#include "wire/ring.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/// What an acknowledgment tells of the path: rs of draft-ietf-ccwg-bbr section 4.1.1.
struct DeliverySample
{
    double rate{0};             ///< Octets a second; 0: it tells of none.
    uint64_t delivered{0};      ///< Octets that have arrived in the interval of the rate.
    uint64_t priorDelivered{0}; ///< Octets that had arrived when its interval began.
    uint64_t total{0};          ///< Octets that have arrived so far.
    uint64_t newlyDelivered{0}; ///< Octets that the acknowledgment is for.
    uint64_t newlyLost{0};      ///< Octets found to be lost since the acknowledgment before.
    uint64_t lost{0};           ///< Octets found to be lost since the newest that arrived was sent.
    uint64_t sentInFlight{0};   ///< Octets in flight when that was sent, with it.
    uint64_t inFlight{0};       ///< Octets in flight now.
    bool applicationLimited{false}; ///< The rate is of less than the path may carry.
    bool windowLimited{false};      ///< Octets have waited for the congestion window of late.
    std::optional<Time> roundTrip;
};

/// What is known of a segment that is found to be lost.
struct LostSegment
{
    Position begin{0};
    Position end{0};
    uint64_t lost{0};         ///< Octets found to be lost since it was sent, with it.
    uint64_t sentInFlight{0}; ///< Octets in flight when it was sent, with it.
    uint64_t total{0};        ///< Octets that have arrived so far.
    bool applicationLimited{false};
};

/**
 * \brief Measures at which rate octets arrive at the receiver: draft-ietf-ccwg-bbr section 4.1.
 *
 * Each segment remembers how much had arrived when it was sent. When it arrives itself, what has
 * arrived meanwhile, divided by the longer of the times in which that was sent and acknowledged, is
 * a rate.
 */
class DeliveryRate
{
  public:
    /// A segment that ends at \p end, of a new one or a repetition, leaves at \p now.
    /// \param inFlight octets, with it
    void Send(Position end, uint64_t size, uint64_t inFlight, Time now);

    /// There is nothing to send though the window has room; \p inFlight octets are on their way.
    void NoteApplicationLimit(uint64_t inFlight);

    /// An acknowledgment is being processed: Deliver() for each segment that has arrived, then
    /// Finish().
    void Begin();
    void Deliver(const SentSegment& segment, Time now);
    /// \param least round trip measured; an interval that is shorter tells of no rate
    /// \param unacknowledged what lies below has no place here any more
    [[nodiscard]] DeliverySample Finish(std::optional<Time> least, Position unacknowledged);

    /// \p segment is found to be lost, or its repetition. \return nothing for a part of what was
    /// sent as one
    [[nodiscard]] std::optional<LostSegment> Lose(const SentSegment& segment);

    /// What was found to be lost since the last Finish() was not: no sample tells of it as new.
    void ForgetNewlyLost()
    {
        m_lostBefore = m_lost;
    }

    /// \return octets that have arrived.
    [[nodiscard]] uint64_t GetDelivered() const
    {
        return m_delivered;
    }

    /// \return octets that have been found to be lost.
    [[nodiscard]] uint64_t GetLost() const
    {
        return m_lost;
    }

    /// \return whether what is sent now is less than the path may carry.
    [[nodiscard]] bool IsApplicationLimited() const
    {
        return m_limitedUntil != 0;
    }

  private:
    /// How things stood when a segment was sent.
    struct Mark
    {
        Position end{0};
        Time sentAt;
        Time firstSentAt; ///< Where the time of sending of its interval begins.
        Time deliveredAt; ///< Where the time of acknowledging of its interval begins.
        uint64_t delivered{0};
        uint64_t lost{0};
        uint64_t inFlight{0};
        bool limited{false};
        bool arrived{false};
    };

    [[nodiscard]] Mark* Find(Position end);

    Ring<Mark> m_marks; ///< By end.
    uint64_t m_delivered{0};
    uint64_t m_lost{0};
    uint64_t m_limitedUntil{0}; ///< Until so many octets have arrived; 0: it is not.
    Time m_deliveredAt;
    Time m_firstSentAt;

    // Of the acknowledgment at hand
    std::optional<Mark> m_newest; ///< Of those that arrived, the one sent last.
    uint64_t m_deliveredBefore{0};
    uint64_t m_lostBefore{0}; ///< When the acknowledgment before was finished.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_DELIVERY_RATE_H
