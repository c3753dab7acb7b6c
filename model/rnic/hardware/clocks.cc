/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/clocks.h"

#include "host/interconnect.h"
#include "host/iommu.h"
#include "host/transfer-time.h"
#include "wire/simulation-clock.h"

#include <algorithm>

namespace ns3::nfsrdma
{

RnicClocks::RnicClocks(const RnicSettings& settings, RnicCounters& counters)
    : m_settings(settings),
      m_counters(counters),
      m_transmitThread(Create<HostThread>()),
      m_receiveThread(Create<HostThread>()),
      m_pcie(settings),
      m_contexts(settings, counters, m_pcie)
{
}

PostTimes
RnicClocks::Post(HostThread& thread, const PostedWork& work)
{
    PostTimes times;
    times.posted = m_cpu->Run(thread, m_cpu->GetPostCost(work.requests, work.inlineData));
    times.rung = times.posted + m_settings.doorbell;
    const bool pushed =
        work.pushed || (work.requests == 1 && work.descriptors <= m_settings.wqePush);
    if (pushed)
    {
        times.fetched = times.rung;
    }
    else if (m_settings.engineOnHost)
    {
        times.fetched = times.rung + m_settings.wqeFetch;
    }
    else
    {
        times.fetched = Fetch(times.rung, work.descriptors);
    }
    return times;
}

Time
RnicClocks::Fetch(Time rung, uint64_t descriptors)
{
    return m_pcie.Read(SimulationClock::Now(), rung, descriptors, m_settings.wqeFetch);
}

Time
RnicClocks::GetFpduTime(const FpduSize& size, Time perFpdu) const
{
    const Time checked =
        size.crc == 0 ? perFpdu : perFpdu + GetTransferTime(size.crc, m_settings.crcRate);
    return m_settings.engineOnHost ? checked + m_cpu->GetCopyTime(size.payload) : checked;
}

Time
RnicClocks::GetGatherTime(uint32_t payload, bool inlineData, const Pieces& pieces) const
{
    if (payload == 0 || inlineData || m_settings.engineOnHost)
    {
        return Time(0);
    }
    const Time read = m_pcie.GetReadTime(payload, m_settings.pcieLatency);
    return pieces.empty() ? read : read + GetDistance(pieces);
}

StartCosts
RnicClocks::UseEngine(uint32_t queuePair,
                      Time released,
                      const FpduSize& first,
                      bool inlineData,
                      const Pieces& pieces)
{
    const Time from = std::max(released, SimulationClock::Now());
    StartCosts costs;
    costs.context = m_contexts.UseQueuePair(queuePair, from) - from;
    costs.engine = m_settings.txPerWqe + GetFpduTime(first, m_settings.txPerFpdu);
    costs.gather = GetGatherTime(first.payload, inlineData, pieces);
    return costs;
}

StartCosts
RnicClocks::GetResponseCosts(const FpduSize& first, const Pieces& pieces) const
{
    StartCosts costs;
    costs.engine = m_settings.txPerWqe + GetFpduTime(first, m_settings.txPerFpdu);
    costs.gather = GetGatherTime(first.payload, false, pieces);
    return costs;
}

Time
RnicClocks::AwaitEngine(Time work)
{
    const Time now = SimulationClock::Now();
    return m_settings.engineOnHost && m_cpu->GetAvailable(*m_transmitThread) > now
               ? m_cpu->Run(*m_transmitThread, work)
               : now;
}

Time
RnicClocks::GetDistance(const Pieces& pieces) const
{
    const HostIommu* const iommu = m_cpu->GetIommu();
    const HostInterconnect* const interconnect = m_cpu->GetInterconnect();
    return (iommu == nullptr ? Time(0) : iommu->GetWalkTime(pieces)) +
           (interconnect == nullptr ? Time(0) : interconnect->GetCrossing(pieces));
}

Time
RnicClocks::ReadPayload(Time leaves, uint32_t octets, const Pieces& pieces)
{
    Time latency = m_settings.pcieLatency;
    Time asked = leaves - m_pcie.GetLead(octets, latency);
    if (!pieces.empty())
    {
        asked -= GetDistance(pieces);
        Time known = asked;
        if (HostIommu* const iommu = m_cpu->GetIommu())
        {
            known = iommu->TranslateRead(pieces, known);
        }
        if (HostInterconnect* const interconnect = m_cpu->GetInterconnect())
        {
            known = interconnect->Cross(HostInterconnect::Direction::READ, pieces, known);
        }
        latency += known - asked;
    }
    return m_pcie.Read(SimulationClock::Now(), asked, octets, latency) -
           m_pcie.GetStoreTime(octets);
}

Time
RnicClocks::SendFpdu(Time begins,
                     const FpduSize& size,
                     bool inlineData,
                     Time extra,
                     const Pieces& pieces)
{
    const Time engine = GetFpduTime(size, m_settings.txPerFpdu) + extra;
    if (m_settings.engineOnHost)
    {
        m_counters.transmitBusy += engine;
        return m_cpu->Run(*m_transmitThread, engine) - begins;
    }
    Time occupied = engine;
    if (!inlineData && size.payload != 0)
    {
        occupied = std::max(engine, ReadPayload(begins, size.payload, pieces) - begins);
    }
    m_counters.transmitBusy += occupied;
    return occupied;
}

void
RnicClocks::ReceiveFpdu(ReceiveTimes& progress, uint32_t queuePair, uint32_t crcOctets)
{
    const Time now = SimulationClock::Now();
    const Time ready = m_contexts.UseQueuePair(queuePair, now);
    const Time work = GetFpduTime({0, crcOctets}, m_settings.rxPerFpdu);
    const Time earliest = std::max(ready, progress.handled);
    progress.arrived = now;
    progress.miss = ready - now;
    progress.handled = m_settings.engineOnHost
                           ? m_cpu->Run(*m_receiveThread, work)
                           : NanoSeconds(m_receiveEngine.Reserve(now.GetNanoSeconds(),
                                                                 earliest.GetNanoSeconds(),
                                                                 work.GetNanoSeconds()));
    progress.done = std::max(progress.done, progress.handled);
    m_counters.receiveBusy += work;
}

Time
RnicClocks::SendSegment(uint32_t repeated)
{
    if (repeated != 0)
    {
        return SendFpdu(SimulationClock::Now(), {repeated, 0}, false, Time(0), {});
    }
    m_counters.transmitBusy += m_settings.ackCost;
    return m_settings.ackCost;
}

void
RnicClocks::ReceiveSegment()
{
    if (!m_settings.engineOnHost)
    {
        const int64_t now = SimulationClock::Now().GetNanoSeconds();
        m_receiveEngine.Reserve(now, now, m_settings.ackCost.GetNanoSeconds());
        m_counters.receiveBusy += m_settings.ackCost;
    }
}

void
RnicClocks::UseStag(ReceiveTimes& progress, uint32_t stag, uint64_t offset, uint64_t octets)
{
    constexpr uint32_t KEY_BITS = 8;
    const uint32_t index = stag >> KEY_BITS;
    const Time known = m_contexts.UseStag(index, progress.handled);
    Await(progress, m_contexts.UseTranslations(index, offset, octets, known));
}

void
RnicClocks::UseReceiveQueue(ReceiveTimes& progress, uint32_t number, bool shared)
{
    Await(progress, m_contexts.UseReceiveQueue(number, shared, progress.handled));
}

void
RnicClocks::Await(ReceiveTimes& progress, Time ready)
{
    progress.miss += ready - progress.handled;
    progress.handled = ready;
    progress.done = std::max(progress.done, ready);
}

void
RnicClocks::PlacePayload(ReceiveTimes& progress, uint64_t payload, const Pieces& pieces)
{
    if (payload == 0)
    {
        return;
    }
    const Time placed = m_settings.engineOnHost
                            ? m_cpu->Run(*m_receiveThread, m_cpu->GetCopyTime(payload))
                            : PostWrite(progress.handled, payload, pieces);
    progress.done = std::max(progress.done, placed);
    m_counters.payloadReceived += payload;
}

Time
RnicClocks::PostWrite(Time earliest, uint64_t octets, const Pieces& pieces)
{
    const Time now = SimulationClock::Now();
    const Time start =
        m_postedWrites.GetStart(now, std::max(now, earliest), octets, m_settings.pciePostedWrites);
    if (start > earliest)
    {
        m_receiveEngine.Reserve(now.GetNanoSeconds(),
                                earliest.GetNanoSeconds(),
                                (start - std::max(earliest, now)).GetNanoSeconds());
    }
    const Time arrived =
        m_pcie.Write(now, start, octets) + m_settings.pcieSwitch + m_settings.pcieLatency;
    Time there = arrived;
    if (HostIommu* const iommu = m_cpu->GetIommu())
    {
        there = iommu->TranslateWrite(pieces, there);
    }
    if (HostInterconnect* const interconnect = m_cpu->GetInterconnect())
    {
        there = interconnect->Cross(HostInterconnect::Direction::WRITE, pieces, there);
    }
    Time end = m_pcie.Commit(now, there, octets);
    m_postedWrites.Add(octets, start, end);
    return end;
}

Time
RnicClocks::WriteCompletion(uint32_t queue, Time ready)
{
    const Time known = m_contexts.UseCompletionQueue(queue, ready);
    const Time written =
        m_settings.engineOnHost
            ? known
            : m_pcie.Write(SimulationClock::Now(), known, CQE_SIZE) + m_settings.pcieSwitch;
    return written + m_settings.cqeWrite;
}

Time
RnicClocks::QueueMemoryWork(Time ready, Time cost)
{
    m_counters.memoryUnitBusy += cost;
    return NanoSeconds(m_memoryUnit.Reserve(SimulationClock::Now().GetNanoSeconds(),
                                            ready.GetNanoSeconds(),
                                            cost.GetNanoSeconds()));
}

Time
RnicClocks::QueueRegistration(Time ready, uint32_t pages)
{
    return QueueMemoryWork(ready,
                           m_settings.registerBase + m_settings.registerPerPage * int64_t{pages});
}

} // namespace ns3::nfsrdma
