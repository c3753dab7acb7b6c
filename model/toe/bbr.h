/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_BBR_H
#define NFSRDMA_TOE_BBR_H

#include "toe/rate-control.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ns3::nfsrdma
{

/**
 * \brief BBR version 3 (draft-ietf-ccwg-bbr): the rate is that of the bottleneck, the window what
 * that rate and the shortest round trip need.
 *
 *     +---------+  rate grows     +-------+  the queue
 *     | STARTUP | --------------> | DRAIN | ---------+
 *     +---------+  no more        +-------+  is gone |
 *          ^                                         v
 *          |      +------+ queue gone  +--------+ time is +--------+ a round +----+
 *          |      | DOWN | ----------> | CRUISE | ------> | REFILL | ------> | UP |
 *          |      +------+             +--------+   up    +--------+   trip  +----+
 *          |          ^                                                        |
 *          |          +---------- losses, or the rate grows no more -----------+
 *          |
 *     +-----------+   no round trip was as short as the shortest for PROBE_RTT_INTERVAL:
 *     | PROBE_RTT | <------- from any of them, and back to CRUISE; while the rate was never
 *     +-----------+          reached, to STARTUP
 *
 * The draft's names are those of the members, m_bwShortTerm for BBR.bw_shortterm and so on. It has
 * no answer to marks: packets are not ECN-capable.
 */
class Bbr : public RateControl
{
  public:
    enum class State
    {
        STARTUP,
        DRAIN,
        DOWN,
        CRUISE,
        REFILL,
        UP,
        PROBE_RTT,
    };

    /// Section 2.
    static constexpr double STARTUP_PACING_GAIN = 2.77;
    static constexpr double DRAIN_PACING_GAIN = 0.5;
    static constexpr double DOWN_PACING_GAIN = 0.9;
    static constexpr double UP_PACING_GAIN = 1.25;
    static constexpr double CWND_GAIN = 2.0;
    static constexpr double UP_CWND_GAIN = 2.25;
    static constexpr double PROBE_RTT_CWND_GAIN = 0.5;
    static constexpr double PACING_MARGIN = 0.01;
    static constexpr double LOSS_THRESHOLD = 0.02;
    static constexpr double BETA = 0.7;
    static constexpr double HEADROOM = 0.15;
    static constexpr uint32_t STARTUP_FULL_LOSS_COUNT = 6;
    static constexpr int64_t MIN_RTT_FILTER_SECONDS = 10;
    static constexpr int64_t PROBE_RTT_INTERVAL_SECONDS = 5;
    static constexpr int64_t PROBE_RTT_MILLISECONDS = 200;

    [[nodiscard]] std::string_view GetName() const override
    {
        return "bbr";
    }

    void Start(const CongestionWindow& window,
               std::optional<Time> roundTrip,
               uint32_t seed,
               Time now) override;
    void NoteSend(bool isIdle, CongestionWindow& window, Time now) override;
    void NoteLoss(const LostSegment& segment, Time now) override;
    void Acknowledge(const DeliverySample& sample, CongestionWindow& window, Time now) override;
    void EnterRecovery(const CongestionWindow& window) override;
    void LeaveRecovery(CongestionWindow& window) override;
    void Undo() override;
    [[nodiscard]] Time GetGap(uint64_t octets) const override;

    [[nodiscard]] bool IsHeldBack() const override
    {
        return m_state == State::PROBE_RTT;
    }

    [[nodiscard]] State GetState() const
    {
        return m_state;
    }

    /// \return octets a second.
    [[nodiscard]] double GetPacingRate() const
    {
        return m_pacingRate;
    }

    /// \return the rate of the bottleneck, octets a second; 0: it is not known.
    [[nodiscard]] double GetMaxBandwidth() const
    {
        return std::max(m_bandwidths[0], m_bandwidths[1]);
    }

    /// \return the shortest round trip of late.
    [[nodiscard]] std::optional<Time> GetMinRoundTrip() const
    {
        return m_minRtt;
    }

    /// \return octets that may be in flight for long, as losses have told.
    [[nodiscard]] double GetInflightLongTerm() const
    {
        return m_inflightLongTerm;
    }

  private:
    static constexpr double NONE = std::numeric_limits<double>::infinity();

    /// What acknowledgments tell while the path is probed: of what was sent before, or since.
    enum class AckPhase
    {
        INIT,
        REFILLING,
        STARTING,
        FEEDBACK,
        STOPPING,
    };

    /// How things stood before the first loss of a round.
    struct BeforeLoss
    {
        State state{State::STARTUP};
        double bwShortTerm{NONE};
        double inflightShortTerm{NONE};
        double inflightLongTerm{NONE};
    };

    // The model
    void UpdateRound(const DeliverySample& sample);
    void StartRound();
    void UpdateLatest(const DeliverySample& sample);
    void UpdateMaxBandwidth(const DeliverySample& sample);
    void AdaptLowerBounds();
    void UpdateAckAggregation(const DeliverySample& sample, Time now);
    void CheckFullBandwidth(const DeliverySample& sample);
    void CheckStartupHighLoss(const DeliverySample& sample);
    void ResetFullBandwidth(double rate);
    void UpdateMinRtt(const DeliverySample& sample, Time now);
    void ResetCongestionSignals();
    void ResetShortTermModel();

    // The states
    void UpdateCycle(const DeliverySample& sample, Time now);
    void AdaptLongTermModel(const DeliverySample& sample);
    void ProbeUpward(const DeliverySample& sample);
    void RaiseSlope();
    [[nodiscard]] bool IsInflightTooHigh(uint64_t lost, uint64_t inFlight) const;
    void HandleInflightTooHigh(double inFlight, bool applicationLimited);
    [[nodiscard]] bool IsProbing() const;
    [[nodiscard]] bool IsInCycle() const;
    [[nodiscard]] bool IsTimeToProbe(Time now) const;
    [[nodiscard]] bool IsTimeToCruise(const DeliverySample& sample) const;
    void StartDown();
    void StartCruise();
    void StartRefill();
    void StartUp(double rate);
    void CheckProbeRtt(const DeliverySample& sample, CongestionWindow& window, Time now);
    void CheckProbeRttDone(CongestionWindow& window, Time now);
    uint32_t Draw(uint32_t below);

    // The controls
    void SetPacingRate();
    void SetPacingRate(double gain);
    void SetWindow(const DeliverySample& sample, CongestionWindow& window);
    void BoundWindow(CongestionWindow& window) const;
    [[nodiscard]] double GetPacingGain() const;
    [[nodiscard]] double GetWindowGain() const;
    [[nodiscard]] double GetBandwidth() const;
    /// \return octets, the product of \p bandwidth and the shortest round trip, times \p gain.
    [[nodiscard]] double GetProduct(double bandwidth, double gain) const;
    [[nodiscard]] double AddBudget(double inFlight) const;
    [[nodiscard]] double GetTarget() const;
    [[nodiscard]] double GetInflightWithHeadroom() const;
    [[nodiscard]] double GetLeastWindow() const;

    State m_state{State::STARTUP};
    uint32_t m_segment{0};
    double m_initialWindow{0};
    double m_window{0}; ///< As it was set last.
    double m_pacingRate{0};
    Time m_now;

    // Rounds
    uint64_t m_total{0}; ///< Octets that have arrived.
    uint64_t m_nextRoundDelivered{0};
    uint64_t m_rounds{0};
    bool m_roundStart{false};

    // What has arrived of late, and what was lost
    std::array<double, 2> m_bandwidths{}; ///< The most, of this cycle and the one before.
    double m_bwLatest{0};
    double m_inflightLatest{0};
    double m_bwShortTerm{NONE};
    double m_inflightShortTerm{NONE};
    double m_inflightLongTerm{NONE}; ///< A whole number, which the window can reach.
    uint64_t m_lossRoundDelivered{0};
    bool m_lossRoundStart{false};
    bool m_lossInRound{false};
    uint32_t m_lossRanges{0}; ///< Of the round, that do not touch.
    Position m_lossEnd{0};    ///< Of the latest of them.

    // Acknowledgments that come together
    std::array<double, 2> m_extraAcked{};
    uint32_t m_extraAckedRounds{0};
    uint32_t m_extraAckedBin{0};
    Time m_extraAckedSince;
    double m_extraAckedDelivered{0};

    // Whether the rate still grows
    bool m_fullBwReached{false};
    bool m_fullBwNow{false};
    double m_fullBw{0};
    uint32_t m_fullBwCount{0};

    // Round trips
    std::optional<Time> m_minRtt;
    Time m_minRttStamp;
    std::optional<Time> m_probeRttMinDelay;
    Time m_probeRttMinStamp;
    bool m_probeRttExpired{false};
    std::optional<Time> m_probeRttDoneStamp;
    bool m_probeRttRoundDone{false};
    bool m_idleRestart{false};

    // Draining and probing
    uint64_t m_drainStartRound{0};
    AckPhase m_ackPhase{AckPhase::INIT};
    bool m_bwProbeSamples{false};
    Time m_cycleStamp;
    Time m_bwProbeWait;
    uint64_t m_roundsSinceProbe{0};
    uint32_t m_probeUpRounds{0};
    double m_probeUpAcks{0};
    double m_probeUpCount{NONE};
    uint32_t m_random{0};

    // Recovery
    bool m_recovering{false};
    double m_priorWindow{0};
    std::optional<BeforeLoss> m_beforeLoss;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_BBR_H
