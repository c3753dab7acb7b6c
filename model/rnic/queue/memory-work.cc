/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/memory-work.h"

#include "rnic/hardware/device.h"
#include "rnic/queue/qp.h"
#include "wire/ns3-version.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

MemoryWork::MemoryWork(QueuePair& pair, QueuePairTransmitter& transmitter)
    : m_pair(pair),
      m_transmitter(transmitter)
{
}

MemoryWork::~MemoryWork()
{
    m_event.Cancel();
}

void
MemoryWork::Run()
{
    while (m_pair.GetState() == QueuePairState::RTS)
    {
        SendQueueEntry* head = m_pair.GetSendQueue().GetNext();
        if (head == nullptr || !head->IsMemoryWork())
        {
            return;
        }
        if (head->state == SendQueueEntry::State::POSTED)
        {
            if (m_transmitter.IsStalled(*head))
            {
                return;
            }
            Start(*head);
        }
        if (m_end > Simulator::Now())
        {
            if (!IsPending(m_event))
            {
                m_event = Simulator::Schedule(m_end - Simulator::Now(), &MemoryWork::Done, this);
            }
            return;
        }
        const WorkCompletionStatus status = Execute(*head);
        if (status != WorkCompletionStatus::SUCCESS)
        {
            m_pair.FailLocally(head, status);
            return;
        }
        m_transmitter.MemoryWorkDone();
        head->Mark(WorkStage::ENGINE, Simulator::Now());
        m_pair.GetSendQueue().Advance(SendQueueEntry::State::DONE, Simulator::Now());
    }
}

void
MemoryWork::Start(SendQueueEntry& entry)
{
    entry.state = SendQueueEntry::State::ACTIVE;
    const Time ready = std::max(m_transmitter.GetReleased(entry), Simulator::Now());
    entry.Mark(WorkStage::QUEUE, ready);
    m_end = Queue(entry, ready);
}

Time
MemoryWork::Queue(const SendQueueEntry& entry, Time ready) const
{
    RnicDevice& device = m_pair.GetDevice();
    switch (entry.request.opcode)
    {
    case WorkRequestOpcode::REGISTER_MR:
        return device.GetClocks().QueueRegistration(ready, entry.request.registration.CountPages());
    case WorkRequestOpcode::BIND_WINDOW:
        return device.GetClocks().QueueBinding(ready);
    default: {
        const auto buffer = device.GetStagTable().CheckInvalidation(entry.request.invalidateStag,
                                                                    m_pair.GetStagUser());
        return device.GetClocks().QueueInvalidation(
            buffer ? std::max(ready, (*buffer)->GetWritten()) : ready);
    }
    }
}

void
MemoryWork::Done()
{
    Run();
    m_transmitter.Wake();
}

WorkCompletionStatus
MemoryWork::Execute(SendQueueEntry& entry)
{
    switch (entry.request.opcode)
    {
    case WorkRequestOpcode::REGISTER_MR:
        return Register(entry);
    case WorkRequestOpcode::BIND_WINDOW:
        return Bind(entry);
    default:
        return Invalidate(entry);
    }
}

WorkCompletionStatus
MemoryWork::GetStatus(const SendQueueEntry& entry, StagFault fault) const
{
    return m_pair.GetDevice().GetFaultStatus().OfMemoryWork(entry.request.opcode, fault);
}

WorkCompletionStatus
MemoryWork::Register(SendQueueEntry& entry)
{
    RnicDevice& device = m_pair.GetDevice();
    MemoryRegion& region = *entry.request.region;
    if (device.GetFaults().TakeFailedRegistration())
    {
        return GetStatus(entry, StagFault::NOT_VALID);
    }
    if (!device.GetStagTable().Holds(region))
    {
        return GetStatus(entry, StagFault::UNKNOWN);
    }
    if (region.IsValid())
    {
        return GetStatus(entry, StagFault::NOT_VALID);
    }
    if (!region.BelongsTo(m_pair.GetDomain()))
    {
        return GetStatus(entry, StagFault::NOT_ASSOCIATED);
    }
    region.Register(entry.request.registration, std::move(entry.pins));
    device.Counters().registrations++;
    return WorkCompletionStatus::SUCCESS;
}

WorkCompletionStatus
MemoryWork::Invalidate(const SendQueueEntry& entry)
{
    RnicDevice& device = m_pair.GetDevice();
    const auto buffer =
        device.GetStagTable().CheckInvalidation(entry.request.invalidateStag, m_pair.GetStagUser());
    if (!buffer)
    {
        return GetStatus(entry, buffer.error());
    }
    if ((*buffer)->IsValid())
    {
        (*buffer)->Invalidate();
        device.Counters().localInvalidations++;
    }
    return WorkCompletionStatus::SUCCESS;
}

WorkCompletionStatus
MemoryWork::Bind(const SendQueueEntry& entry)
{
    RnicDevice& device = m_pair.GetDevice();
    const StagTable& table = device.GetStagTable();
    const WindowBinding& binding = entry.request.binding;
    MemoryWindow& window = *entry.request.window;
    if (!table.Holds(window) || !table.Holds(*binding.region) ||
        !window.CanBind(binding, m_pair.GetDomain()))
    {
        return GetStatus(entry, StagFault::NOT_VALID);
    }
    window.Bind(binding, device.GetSettings().windowsOfQueuePairs ? m_pair.GetNumber() : 0);
    device.Counters().windowBindings++;
    return WorkCompletionStatus::SUCCESS;
}

} // namespace ns3::nfsrdma
