/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/completion-queue.h"

#include "rnic/rnic-hardware.h"

#include "ns3/simulator.h"

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
    m_interrupt.Cancel();
    m_failure.Cancel();
    m_notify = NotifyCallback();
    m_entries.clear();
    m_users.clear();
    m_armed = false;
    m_dead = true;
    m_hardware = nullptr;
    Object::DoDispose();
}

void
CompletionQueue::Bind(RnicHardware& hardware, uint32_t number, uint32_t depth)
{
    m_hardware = &hardware;
    m_number = number;
    m_depth = depth;
}

void
CompletionQueue::Attach(uint32_t queuePairNumber, CompletionQueueUser& user)
{
    m_users[queuePairNumber] = &user;
}

void
CompletionQueue::Detach(uint32_t queuePairNumber)
{
    m_users.erase(queuePairNumber);
}

bool
CompletionQueue::IsUsed() const
{
    return !m_users.empty();
}

void
CompletionQueue::Write(const WorkCompletion& completion, uint32_t slots)
{
    RnicCounters& counters = m_hardware->Counters();
    if (m_dead || m_entries.size() >= m_depth)
    {
        counters.completionsLost++;
        if (!m_dead)
        {
            m_dead = true;
            m_failure = Simulator::ScheduleNow(&CompletionQueue::Fail, this);
        }
        return;
    }
    m_entries.push_back({completion, slots});
    counters.completions++;
    counters.completionErrors += completion.status == WorkCompletionStatus::SUCCESS ? 0 : 1;
    m_completionTrace(completion);
    if (m_armed)
    {
        m_armed = false;
        if (!m_interrupt.IsRunning())
        {
            m_interrupt = Simulator::Schedule(m_hardware->GetInterruptLatency(),
                                              &CompletionQueue::Interrupt,
                                              this);
        }
    }
}

void
CompletionQueue::Interrupt()
{
    m_hardware->Counters().interrupts++;
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

std::optional<WorkCompletion>
CompletionQueue::Poll()
{
    if (m_entries.empty())
    {
        return std::nullopt;
    }
    const Entry entry = m_entries.front();
    m_entries.pop_front();
    if (entry.slots != 0)
    {
        const auto user = m_users.find(entry.completion.queuePairNumber);
        if (user != m_users.end())
        {
            user->second->SendSlotsPolled(entry.slots);
        }
    }
    return entry.completion;
}

void
CompletionQueue::RequestNotify()
{
    m_armed = true;
}

uint32_t
CompletionQueue::GetDepth() const
{
    return m_depth;
}

uint32_t
CompletionQueue::GetCount() const
{
    return m_entries.size();
}

void
CompletionQueue::SetNotifyCallback(NotifyCallback callback)
{
    m_notify = callback;
}

bool
CompletionQueue::IsDead() const
{
    return m_dead;
}

uint32_t
CompletionQueue::GetNumber() const
{
    return m_number;
}

} // namespace ns3::nfsrdma
