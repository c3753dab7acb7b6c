/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory-work.h"

#include "rnic/queue-pair.h"
#include "rnic/rnic-device.h"
#include "rnic/work-request-checker.h"

#include "ns3/simulator.h"

#include <algorithm>

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
MemoryWork::Stop()
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
            if (!m_event.IsRunning())
            {
                m_event = Simulator::Schedule(m_end - Simulator::Now(), &MemoryWork::Done, this);
            }
            return;
        }
        if (!Execute(*head))
        {
            const bool binding = head->request.opcode == WorkRequestOpcode::BIND_WINDOW;
            m_pair.FailLocally(head,
                               binding ? WorkCompletionStatus::MW_BIND_ERR
                                       : WorkCompletionStatus::LOC_QP_OP_ERR);
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
    RnicDevice& device = m_pair.GetDevice();
    entry.state = SendQueueEntry::State::ACTIVE;
    const Time ready = std::max(m_transmitter.GetReleased(entry), Simulator::Now());
    entry.Mark(WorkStage::QUEUE, ready);
    m_end = entry.request.opcode == WorkRequestOpcode::REGISTER_MR
                ? device.QueueRegistration(ready, CountPages(entry.request.registration))
                : device.QueueInvalidation(ready);
}

void
MemoryWork::Done()
{
    Run();
    m_transmitter.Wake();
}

bool
MemoryWork::Execute(const SendQueueEntry& entry)
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

bool
MemoryWork::Register(const SendQueueEntry& entry)
{
    RnicDevice& device = m_pair.GetDevice();
    MemoryRegion& region = *entry.request.region;
    const bool usable = device.GetStagTable().Find(region.GetStag()) == &region &&
                        !region.IsValid() &&
                        PeekPointer(region.GetProtectionDomain()) == &m_pair.GetDomain();
    if (usable)
    {
        region.Register(entry.request.registration);
        device.Counters().registrations++;
    }
    return usable;
}

bool
MemoryWork::Invalidate(const SendQueueEntry& entry)
{
    RnicDevice& device = m_pair.GetDevice();
    const auto region =
        device.GetStagTable().CheckInvalidation(entry.request.invalidateStag, m_pair.GetDomain());
    if (!region)
    {
        return false;
    }
    if ((*region)->IsValid())
    {
        (*region)->Invalidate();
        device.Counters().localInvalidations++;
    }
    return true;
}

bool
MemoryWork::Bind(const SendQueueEntry& /* entry */)
{
    return false;
}

} // namespace ns3::nfsrdma
