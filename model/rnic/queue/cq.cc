/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/cq.h"

#include "rnic/hardware/device.h"
#include "wire/ns3-version.h"
#include "wire/simulation-clock.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(CompletionQueue);

TypeId
CompletionQueue::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::CompletionQueue")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddTraceSource("Completion",
                            "An entry was written.",
                            MakeTraceSourceAccessor(&CompletionQueue::m_completionTrace),
                            "ns3::nfsrdma::CompletionQueue::CompletionTracedCallback")
            .AddTraceSource("AsyncEvent",
                            "CQ_ERR: an entry was lost; with the queue's number.",
                            MakeTraceSourceAccessor(&CompletionQueue::m_asyncEventTrace),
                            "ns3::nfsrdma::AsyncEventTracedCallback");
    return tid;
}

void
CompletionQueue::DoDispose()
{
    m_moderation.Cancel();
    m_interrupt.Cancel();
    m_failure.Cancel();
    m_late.Cancel();
    m_handling.Cancel();
    m_appearance.Cancel();
    m_coming.clear();
    m_notify = NotifyCallback();
    m_entries.clear();
    m_users.clear();
    m_dead = true;
    m_device = nullptr;
    Object::DoDispose();
}

void
CompletionQueue::Bind(RnicDevice& device, uint32_t number, uint32_t depth)
{
    m_device = &device;
    m_number = number;
    m_depth = depth;
    m_polling = device.GetSettings().polling;
    m_moderator.SetModeration(device.GetSettings().moderationCount,
                              device.GetSettings().moderationPeriod);
    if (device.GetSettings().adaptiveModeration)
    {
        m_adaptive = std::make_unique<AdaptiveModeration>();
    }
    SetThread(nullptr);
}

void
CompletionQueue::RequestNotify(NotifyKind kind)
{
    Settle();
    m_moderator.Arm(kind);
    Await();
}

void
CompletionQueue::SetModeration(uint32_t count, Time period)
{
    Settle();
    m_moderator.SetModeration(count, period);
    AwaitAnew();
}

uint32_t
CompletionQueue::GetCount()
{
    Settle();
    return m_entries.size();
}

void
CompletionQueue::Write(const CompletionWriter& writer,
                       const WorkCompletion& completion,
                       uint32_t slots,
                       Time due,
                       std::unique_ptr<WorkTimeline> timeline)
{
    if (!m_coming.empty())
    {
        SettleUntil(SimulationClock::Now() - TimeStep(1));
    }
    m_coming.InsertInOrder({due, &writer, {completion, slots, std::move(timeline)}}, &Coming::due);
    Await();
}

void
CompletionQueue::Withdraw(const CompletionWriter& writer)
{
    SettleUntil(SimulationClock::Now() - TimeStep(1));
    Forget(writer);
    AwaitAnew();
}

void
CompletionQueue::Forget(const CompletionWriter& writer)
{
    if (m_coming.empty())
    {
        return;
    }
    const auto isToCome = [&writer, now = SimulationClock::Now()](const Coming& coming) {
        return coming.writer == &writer && coming.due >= now;
    };
    m_coming.erase(std::remove_if(m_coming.begin(), m_coming.end(), isToCome), m_coming.end());
}

/// Takes back the interrupt of an entry that has not appeared, and looks again.
void
CompletionQueue::AwaitAnew()
{
    if (m_interrupt.IsRunning() && m_interruptOf >= SimulationClock::Now())
    {
        m_interrupt.Cancel();
    }
    Await();
}

void
CompletionQueue::SettleUntil(Time until)
{
    while (!m_coming.empty() && m_coming.front().due <= until)
    {
        Entry entry = std::move(m_coming.front().entry);
        m_coming.pop_front();
        Take(std::move(entry));
    }
}

/// \return whether whoever waits for solicited entries waits for \p completion.
bool
CompletionQueue::IsSolicited(const WorkCompletion& completion)
{
    return completion.solicited || completion.status != WorkCompletionStatus::SUCCESS;
}

void
CompletionQueue::Await()
{
    if (m_coming.empty())
    {
        return;
    }
    const auto isHeeded = [this](const Coming& coming) {
        return m_moderator.Heeds(IsSolicited(coming.entry.completion));
    };
    const auto heeded = std::find_if(m_coming.begin(), m_coming.end(), isHeeded);
    const bool mayOverrun = m_entries.size() + m_coming.size() > m_depth;
    const bool isHeldBack = heeded != m_coming.end() && m_moderator.HoldsBack();
    if (!m_completionTrace.IsEmpty() || mayOverrun || isHeldBack)
    {
        AppearAt(m_coming.front().due);
    }
    const bool isKnown = heeded != m_coming.end() && !isHeldBack && !mayOverrun && !m_dead;
    if (isKnown && (!m_interrupt.IsRunning() || heeded->due < m_interruptOf))
    {
        m_interrupt.Cancel();
        RaiseInterrupt(heeded->due);
    }
    if (!m_appearance.IsRunning() &&
        !(m_interrupt.IsRunning() && m_interrupt.GetDue() >= m_coming.back().due))
    {
        AppearAt(m_coming.back().due);
    }
}

void
CompletionQueue::AppearAt(Time due)
{
    if (!m_appearance.IsRunning() || m_appearance.GetDue() > due)
    {
        m_appearance.Plan(SimulationClock::Now(), due, &CompletionQueue::Appear, this);
    }
}

void
CompletionQueue::Appear()
{
    Settle();
    Await();
}

void
CompletionQueue::Take(Entry entry)
{
    RnicCounters& counters = m_device->Counters();
    if (m_dead || m_entries.size() >= m_depth)
    {
        Overrun();
        return;
    }
    const WorkCompletion completion = entry.completion;
    m_entries.push_back(std::move(entry));
    counters.completions++;
    counters.completionErrors += completion.status == WorkCompletionStatus::SUCCESS ? 0 : 1;
    m_completionTrace(completion);
    switch (m_moderator.Write(IsSolicited(completion)))
    {
    case InterruptModerator::Action::NONE:
        break;
    case InterruptModerator::Action::START_TIMER:
        m_moderation =
            Simulator::Schedule(m_moderator.GetPeriod(), &CompletionQueue::ModerationOver, this);
        break;
    case InterruptModerator::Action::INTERRUPT:
        m_moderation.Cancel();
        RaiseInterrupt(SimulationClock::Now());
        m_interruptOf = Time(0);
        break;
    }
}

void
CompletionQueue::ModerationOver()
{
    m_moderator.Expire();
    RaiseInterrupt(SimulationClock::Now());
    m_interruptOf = Time(0);
}

void
CompletionQueue::RaiseInterrupt(Time appears)
{
    if (m_inInterrupt || m_interrupt.IsRunning())
    {
        return;
    }
    HostCpu& cpu = m_device->GetClocks().GetCpu();
    m_interruptOf = appears;
    Time seen = std::max(appears, m_thread->GetFree());
    if (!m_polling)
    {
        const Time taken = appears + m_device->GetSettings().interruptLatency;
        m_wakeUp = cpu.GetWakeUp(*m_thread, taken, cpu.GetWakeUp());
        seen = taken + cpu.GetInterruptCost() + m_wakeUp;
    }
    m_interrupt.Plan(SimulationClock::Now(), seen, &CompletionQueue::Interrupt, this);
}

/// Has entries appear that do so before the interrupt in hand, which tells of them too.
void
CompletionQueue::SettleInInterrupt()
{
    m_inInterrupt = true;
    Settle();
    m_inInterrupt = false;
}

void
CompletionQueue::Interrupt()
{
    SettleInInterrupt();
    HostCpu& cpu = m_device->GetClocks().GetCpu();
    const Time now = SimulationClock::Now();
    Time ready = now - m_wakeUp;
    if (m_thread->GetFree() > ready)
    {
        m_wakeUp = Time(0);
    }
    if (!m_polling)
    {
        m_device->Counters().interrupts++;
        Adapt();
        const Time cost = cpu.GetInterruptCost();
        ready = cpu.Settle(*m_interruptContext, ready - cost, cost);
    }
    ready = cpu.Settle(*m_thread, ready, std::exchange(m_wakeUp, Time(0)));
    if (ready > now)
    {
        m_interrupt.Plan(now, ready, &CompletionQueue::Handle, this);
        return;
    }
    Handle();
}

/// The thread takes the interrupt.
void
CompletionQueue::Handle()
{
    const Ptr<CompletionQueue> self(this);
    SettleInInterrupt();
    Notify();
    Await();
}

void
CompletionQueue::Adapt()
{
    const uint64_t polled = std::exchange(m_polled, 0);
    if (m_adaptive && m_adaptive->Event(SimulationClock::Now(), polled))
    {
        m_moderator.SetModeration(m_adaptive->GetProfile().count, m_adaptive->GetProfile().period);
    }
}

void
CompletionQueue::Notify()
{
    if (!m_notify.IsNull())
    {
        const Ptr<CompletionQueue> self(this);
        m_notify(self);
    }
}

void
CompletionQueue::Fail()
{
    m_asyncEventTrace(AsyncEventType::CQ_ERR, m_number);
    const std::map<uint32_t, CompletionQueueUser*> users = m_users;
    for (const auto& [number, user] : users)
    {
        if (m_users.count(number) != 0)
        {
            user->CompletionQueueFailed();
        }
    }
}

void
CompletionQueue::Overrun()
{
    m_device->Counters().completionsLost++;
    if (!m_dead)
    {
        m_dead = true;
        m_failure = Simulator::ScheduleNow(&CompletionQueue::Fail, this);
        AwaitAnew();
    }
}

void
CompletionQueue::SetLag(Time lag)
{
    m_lag = lag;
    if (m_lag.IsZero() && IsPending(m_late))
    {
        m_late.Cancel();
        m_late = Simulator::ScheduleNow(&CompletionQueue::LagOver, this);
    }
}

bool
CompletionQueue::IsLate()
{
    if (m_lagOver)
    {
        m_lagOver = false;
        return false;
    }
    if (!IsPending(m_late))
    {
        m_late = Simulator::Schedule(m_lag, &CompletionQueue::LagOver, this);
    }
    return true;
}

void
CompletionQueue::LagOver()
{
    m_lagOver = true;
    Notify();
    m_lagOver = m_lagOver && !m_lag.IsZero();
}

bool
CompletionQueue::HandlesOldest()
{
    if (std::exchange(m_handled, false))
    {
        return false;
    }
    if (!m_handling.IsRunning())
    {
        const Time done = m_device->GetClocks().GetCpu().Run(*m_thread, m_work);
        m_handling.Plan(SimulationClock::Now(), done, &CompletionQueue::HandlingOver, this);
    }
    return true;
}

void
CompletionQueue::HandlingOver()
{
    m_handled = true;
    Notify();
}

std::optional<WorkCompletion>
CompletionQueue::Poll()
{
    Settle();
    if (m_entries.empty() || (!m_lag.IsZero() && IsLate()) ||
        (!m_work.IsNothing() && HandlesOldest()))
    {
        return std::nullopt;
    }
    const Entry entry = std::move(m_entries.front());
    m_entries.pop_front();
    ++m_polled;
    HostCpu& cpu = m_device->GetClocks().GetCpu();
    cpu.Run(*m_thread, cpu.GetPollCost());
    if (entry.slots != 0 || entry.timeline)
    {
        const auto user = m_users.find(entry.completion.queuePairNumber);
        if (user != m_users.end())
        {
            user->second->SendSlotsPolled(entry.slots);
            if (entry.timeline)
            {
                entry.timeline->Mark(WorkStage::NOTIFY, SimulationClock::Now());
                user->second->WorkDone(entry.completion, *entry.timeline);
            }
        }
    }
    return entry.completion;
}

void
CompletionQueue::SetThread(Ptr<HostThread> thread)
{
    m_thread = thread ? thread : Create<HostThread>();
    m_interruptContext = Create<HostThread>(HostContext::INTERRUPT, m_thread->GetCore());
}

} // namespace ns3::nfsrdma
