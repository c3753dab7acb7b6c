/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_MEASUREMENT_H
#define NFSRDMA_HELPER_MEASUREMENT_H

#include "helper/steady-state.h"
#include "workload/life.h"
#include "workload/request-log.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// Where a run stands.
enum class RunPhase : uint8_t
{
    SETUP,       ///< Workloads make what they need, and wait for each other.
    WARM_UP,     ///< They work, and nothing is measured.
    MEASUREMENT, ///< What ends in here counts.
    DRAIN,       ///< What has arrived ends; nothing more arrives.
    DONE
};

/// \return "setup", "warm-up", "measurement", "drain" or "done".
const char* ToString(RunPhase phase);

/// When workloads begin, and what is measured of their work.
struct MeasurementPlan
{
    /// What is to be known so well that the measurement ends.
    enum Metric
    {
        LATENCY,              ///< Mean, from arrival to the end.
        OPERATIONS_PER_SECOND ///< Requests that end with success.
    };

    bool barrier{true};     ///< All are ready before any begins; else each begins when it is ready.
    Time spread;            ///< Clients begin evenly over it, from the barrier on.
    Time warmUp;            ///< At least, with the longest ramp time of the foreground.
    bool findWarmUp{false}; ///< The transient is found afterwards, by FindTruncation().
    Time duration;          ///< Of the measurement; 0: until the foreground's work is done.
    double precision{0}; ///< Ends when half the 95% interval is such a share of the mean; 0: not.
    Metric metric{LATENCY};
    Time longest{Seconds(10)}; ///< Of a measurement that precision is to end.

    /// \return whether the measurement ends before the work is done.
    [[nodiscard]] bool EndsWork() const
    {
        return duration.IsStrictlyPositive() || precision > 0;
    }
};

/**
 * \brief What a run measures: has the workloads of a cluster begin together, tells when the window
 * of measurement begins and ends, and has them drain.
 *
 *     SETUP --all are ready--> WARM_UP --> MEASUREMENT --> DRAIN --all are finished--> DONE
 *
 * The measurement ends with its duration, with its precision, or when the foreground's work is
 * done. Workloads in the background run until then. Workloads belong to nodes that know nothing of
 * each other; this stands outside of them all, as the program that runs them.
 */
class Measurement
{
  public:
    /// A workload and whose it is.
    struct Member
    {
        Ptr<Workload> workload;
        uint32_t client{0}; ///< Index.
        uint32_t node{0};   ///< Id of its node.
    };

    /// What was found about the steady state; only with findWarmUp or precision.
    struct Verdict
    {
        bool asked{false};
        bool steady{false};
        std::string text;              ///< For people: what was found.
        std::optional<Time> transient; ///< Left out of the measurement; only with findWarmUp.
        std::optional<MeanEstimate> estimate; ///< Of the metric; latency: s.
    };

    using PhaseCallback = std::function<void(RunPhase entered)>;

    /// \param members one at least; their start is not before this
    Measurement(const MeasurementPlan& plan, std::vector<Member> members);
    ~Measurement();
    Measurement(const Measurement&) = delete;
    Measurement& operator=(const Measurement&) = delete;

    /// Called when a phase begins, but for the first.
    void SetPhaseCallback(PhaseCallback callback)
    {
        m_callback = std::move(callback);
    }

    /// To be told when a workload has begun, or has finished.
    void TakePhase(WorkloadPhase entered);

    [[nodiscard]] RunPhase GetPhase() const
    {
        return m_phase;
    }

    /// \return the window as far as it is known; the transient is left out when DONE.
    [[nodiscard]] const MeasurementWindow& GetWindow() const
    {
        return m_window;
    }

    /// \return each phase that the run was in, and when it began.
    [[nodiscard]] const std::vector<std::pair<RunPhase, Time>>& GetPhases() const
    {
        return m_phases;
    }

    /// \return the phase that the run was in at \p time.
    [[nodiscard]] RunPhase FindPhase(Time time) const;

    /// \return when the first workload of the foreground had no more to do, in the window; its end
    /// when none had before.
    [[nodiscard]] Time GetFullLoadEnd() const
    {
        return Min(m_firstFinished, m_window.end);
    }

    [[nodiscard]] const Verdict& GetVerdict() const
    {
        return m_verdict;
    }

    /// What there is of a run that has not ended by itself.
    void Close();

  private:
    class Tap;

    /// A request of the foreground.
    struct Observation
    {
        Time arrived;
        Time ended;
        bool ok{false};
    };

    void TakeReady();
    void PassBarrier();
    void BeginWarmUp();
    void BeginMeasurement();
    void EndMeasurement();
    void DrainAll();
    void Enter(RunPhase phase);
    void TakeRequest(const Observation& request);
    /// Looks whether the metric is known well enough.
    void CheckPrecision();
    /// \return latencies of successes in the order of arrival, from \p begin on; s.
    [[nodiscard]] std::vector<double> ListLatencies(Time begin) const;
    [[nodiscard]] std::vector<double> ListRates(Time begin, Time end) const;
    /// \return where the transient ends, or none when there is no steady state.
    [[nodiscard]] std::optional<Time> FindSteadyBegin() const;
    /// \return of the metric, in the window.
    [[nodiscard]] std::optional<MeanEstimate> Estimate(Time begin, Time end) const;
    void Judge();
    [[nodiscard]] bool IsForegroundFinished() const;
    [[nodiscard]] bool AreAllFinished() const;

    MeasurementPlan m_plan;
    std::vector<Member> m_members;
    std::vector<std::unique_ptr<Tap>> m_taps;
    PhaseCallback m_callback;
    RunPhase m_phase{RunPhase::SETUP};
    std::vector<std::pair<RunPhase, Time>> m_phases;
    bool m_passed{false}; ///< The barrier, or the first begin without it.
    MeasurementWindow m_window;
    Time m_firstFinished{Time::Max()};
    std::vector<Observation> m_requests; ///< With findWarmUp or precision.
    std::size_t m_nextCheck{0};
    EventId m_event;
    Verdict m_verdict;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_MEASUREMENT_H
