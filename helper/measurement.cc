/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/measurement.h"

#include "wire/name-of.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>
#include <iterator>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

/// Requests before the first look at the precision.
constexpr std::size_t FIRST_CHECK = 200;
/// From one look to the next there are a fifth more.
constexpr std::size_t CHECK_SHARE = 5;
constexpr double PERCENT_OF_ONE = 100;

std::string
FormatPercent(double share)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << share * PERCENT_OF_ONE << "%";
    return text.str();
}

} // namespace

const char*
ToString(RunPhase phase)
{
    return NameOf(phase,
                  {{RunPhase::SETUP, "setup"},
                   {RunPhase::WARM_UP, "warm-up"},
                   {RunPhase::MEASUREMENT, "measurement"},
                   {RunPhase::DRAIN, "drain"},
                   {RunPhase::DONE, "done"}});
}

/// Passes requests of one workload on.
class Measurement::Tap
{
  public:
    Tap(Measurement& measurement, const Ptr<Workload>& workload)
        : m_measurement(measurement),
          m_workload(workload)
    {
        m_workload->TraceConnectWithoutContext("RequestEnded",
                                               MakeCallback(&Tap::TakeRequest, this));
    }

    ~Tap()
    {
        m_workload->TraceDisconnectWithoutContext("RequestEnded",
                                                  MakeCallback(&Tap::TakeRequest, this));
    }

    Tap(const Tap&) = delete;
    Tap& operator=(const Tap&) = delete;

  private:
    // NOLINTNEXTLINE(performance-unnecessary-value-param): as the trace source has it
    void TakeRequest(const std::string& /* item */, Time arrived, Time ended, uint64_t, bool ok)
    {
        m_measurement.TakeRequest({arrived, ended, ok});
    }

    Measurement& m_measurement;
    Ptr<Workload> m_workload;
};

Measurement::Measurement(const MeasurementPlan& plan, std::vector<Member> members)
    : m_plan(plan),
      m_members(std::move(members)),
      m_nextCheck(FIRST_CHECK)
{
    m_phases.emplace_back(RunPhase::SETUP, Simulator::Now());
    for (const auto& member : m_members)
    {
        if (m_plan.barrier)
        {
            member.workload->SetReadyCallback([this] { TakeReady(); });
        }
        const bool observes = m_plan.findWarmUp || m_plan.precision > 0;
        if (observes && !member.workload->IsBackground())
        {
            m_taps.push_back(std::make_unique<Tap>(*this, member.workload));
        }
    }
}

Measurement::~Measurement()
{
    m_event.Cancel();
}

void
Measurement::TakeReady()
{
    const bool all = std::all_of(m_members.begin(), m_members.end(), [](const Member& member) {
        return member.workload->GetPhase() == WorkloadPhase::READY || member.workload->IsFinished();
    });
    if (all && !m_passed)
    {
        PassBarrier();
    }
}

void
Measurement::PassBarrier()
{
    m_passed = true;
    uint32_t last = 0;
    for (const auto& member : m_members)
    {
        last = std::max(last, member.client);
    }
    for (const auto& member : m_members)
    {
        if (member.workload->IsFinished())
        {
            continue;
        }
        const Time after =
            m_plan.spread * static_cast<int64_t>(member.client) / (int64_t{last} + 1) +
            member.workload->GetBeginDelay();
        if (m_members.size() == 1 && after.IsZero())
        {
            member.workload->Begin();
            return;
        }
        Simulator::ScheduleWithContext(member.node, after, &Workload::Begin, member.workload);
    }
}

void
Measurement::TakePhase(WorkloadPhase entered)
{
    if (entered == WorkloadPhase::RUN)
    {
        m_passed = true;
        if (m_phase == RunPhase::SETUP)
        {
            BeginWarmUp();
        }
        else if (m_phase >= RunPhase::DRAIN)
        {
            Simulator::ScheduleNow(&Measurement::DrainAll, this);
        }
        return;
    }
    if (entered != WorkloadPhase::FINISHED)
    {
        return;
    }
    if (!m_passed)
    {
        TakeReady();
    }
    m_firstFinished = Min(m_firstFinished, Simulator::Now());
    if (IsForegroundFinished() && m_phase < RunPhase::DRAIN)
    {
        EndMeasurement();
    }
    if (AreAllFinished() && m_phase == RunPhase::DRAIN)
    {
        Close();
    }
}

void
Measurement::BeginWarmUp()
{
    Time warmUp = m_plan.warmUp;
    for (const auto& member : m_members)
    {
        if (!member.workload->IsBackground())
        {
            warmUp = Max(warmUp, member.workload->GetRampTime());
        }
    }
    m_window.begin = Simulator::Now() + warmUp;
    if (warmUp.IsZero())
    {
        BeginMeasurement();
        return;
    }
    Enter(RunPhase::WARM_UP);
    m_event = Simulator::Schedule(warmUp, &Measurement::BeginMeasurement, this);
}

void
Measurement::BeginMeasurement()
{
    Enter(RunPhase::MEASUREMENT);
    const Time longest = m_plan.precision > 0 ? m_plan.longest : m_plan.duration;
    if (longest.IsStrictlyPositive())
    {
        m_event = Simulator::Schedule(longest, &Measurement::EndMeasurement, this);
    }
}

void
Measurement::EndMeasurement()
{
    m_event.Cancel();
    m_window.end = Simulator::Now();
    Enter(RunPhase::DRAIN);
    DrainAll();
}

void
Measurement::DrainAll()
{
    for (const auto& member : m_members)
    {
        if (!member.workload->IsFinished() && member.workload->CanDrain())
        {
            member.workload->Drain();
        }
    }
}

void
Measurement::Close()
{
    if (m_phase == RunPhase::DONE)
    {
        return;
    }
    m_event.Cancel();
    m_window.end = Min(m_window.end, Simulator::Now());
    Judge();
    for (const auto& member : m_members)
    {
        auto window = m_window;
        window.begin = Max(window.begin, member.workload->GetRunBegin());
        member.workload->SetWindow(window);
    }
    Enter(RunPhase::DONE);
}

void
Measurement::Enter(RunPhase phase)
{
    m_phase = phase;
    m_phases.emplace_back(phase, Simulator::Now());
    if (m_callback)
    {
        m_callback(phase);
    }
}

RunPhase
Measurement::FindPhase(Time time) const
{
    const auto after =
        std::upper_bound(m_phases.begin(), m_phases.end(), time, [](Time when, const auto& phase) {
            return when < phase.second;
        });
    return after == m_phases.begin() ? RunPhase::SETUP : std::prev(after)->first;
}

bool
Measurement::IsForegroundFinished() const
{
    return std::all_of(m_members.begin(), m_members.end(), [](const Member& member) {
        return member.workload->IsBackground() || member.workload->IsFinished();
    });
}

bool
Measurement::AreAllFinished() const
{
    return std::all_of(m_members.begin(), m_members.end(), [](const Member& member) {
        return member.workload->IsFinished();
    });
}

void
Measurement::TakeRequest(const Observation& request)
{
    m_requests.push_back(request);
    if (m_plan.precision > 0 && m_phase == RunPhase::MEASUREMENT &&
        m_requests.size() >= m_nextCheck)
    {
        m_nextCheck = m_requests.size() + m_requests.size() / CHECK_SHARE;
        CheckPrecision();
    }
}

void
Measurement::CheckPrecision()
{
    const auto begin = m_plan.findWarmUp ? FindSteadyBegin() : m_window.begin;
    if (!begin)
    {
        return;
    }
    const auto estimate = Estimate(*begin, Simulator::Now());
    if (estimate && !estimate->trend && estimate->GetRelativeHalfWidth() <= m_plan.precision)
    {
        // Not from within a workload that a request has just ended of.
        m_event.Cancel();
        m_nextCheck = m_requests.max_size();
        m_event = Simulator::ScheduleNow(&Measurement::EndMeasurement, this);
    }
}

std::vector<double>
Measurement::ListLatencies(Time begin) const
{
    std::vector<Observation> requests;
    std::copy_if(m_requests.begin(),
                 m_requests.end(),
                 std::back_inserter(requests),
                 [this, begin](const Observation& request) {
                     return request.ok && request.arrived >= begin &&
                            request.arrived <= m_window.end;
                 });
    std::stable_sort(requests.begin(), requests.end(), [](const auto& one, const auto& other) {
        return one.arrived < other.arrived;
    });
    std::vector<double> latencies;
    latencies.reserve(requests.size());
    for (const auto& request : requests)
    {
        latencies.push_back((request.ended - request.arrived).GetSeconds());
    }
    return latencies;
}

std::vector<double>
Measurement::ListRates(Time begin, Time end) const
{
    constexpr std::size_t SLICES = MEAN_BATCHES * 2;
    const double slice = (end - begin).GetSeconds() / static_cast<double>(SLICES);
    if (slice <= 0)
    {
        return {};
    }
    std::vector<double> rates(SLICES, 0);
    for (const auto& request : m_requests)
    {
        if (request.ok && request.ended >= begin && request.ended < end)
        {
            const auto index =
                static_cast<std::size_t>((request.ended - begin).GetSeconds() / slice);
            rates[std::min(index, SLICES - 1)] += 1 / slice;
        }
    }
    return rates;
}

std::optional<Time>
Measurement::FindSteadyBegin() const
{
    const auto latencies = ListLatencies(m_window.begin);
    const auto truncated = FindTruncation(latencies);
    if (!truncated)
    {
        return std::nullopt;
    }
    std::vector<Time> arrivals;
    for (const auto& request : m_requests)
    {
        if (request.ok && request.arrived >= m_window.begin && request.arrived <= m_window.end)
        {
            arrivals.push_back(request.arrived);
        }
    }
    std::sort(arrivals.begin(), arrivals.end());
    return *truncated == 0 ? m_window.begin : arrivals[*truncated];
}

std::optional<MeanEstimate>
Measurement::Estimate(Time begin, Time end) const
{
    return m_plan.metric == MeasurementPlan::LATENCY ? EstimateMean(ListLatencies(begin), 0)
                                                     : EstimateMean(ListRates(begin, end), 0);
}

void
Measurement::Judge()
{
    if (!m_plan.findWarmUp && m_plan.precision <= 0)
    {
        return;
    }
    m_verdict.asked = true;
    std::ostringstream text;
    auto begin = std::optional<Time>(m_window.begin);
    if (m_plan.findWarmUp)
    {
        begin = FindSteadyBegin();
        if (!begin)
        {
            m_verdict.text = "no steady state: latencies do not settle in the first half of " +
                             std::to_string(m_requests.size()) + " requests";
            return;
        }
        m_verdict.transient = *begin - m_window.begin;
        text << "transient of " << (*begin - m_window.begin).As(Time::US) << " left out (MSER-5); ";
        m_window.begin = *begin;
    }
    m_verdict.estimate = Estimate(*begin, m_window.end);
    const auto& estimate = m_verdict.estimate;
    if (!estimate)
    {
        m_verdict.text =
            text.str() + "too few requests for an interval: " + std::to_string(m_requests.size());
        return;
    }
    if (estimate->trend)
    {
        m_verdict.text = "no steady state: " + text.str() + "batch means have a trend";
        return;
    }
    m_verdict.steady = true;
    text << "95% interval of the mean +-" << FormatPercent(estimate->GetRelativeHalfWidth());
    if (m_plan.precision > 0 && estimate->GetRelativeHalfWidth() > m_plan.precision)
    {
        text << ", not the +-" << FormatPercent(m_plan.precision) << " asked for";
    }
    m_verdict.text = text.str();
}

} // namespace ns3::nfsrdma
