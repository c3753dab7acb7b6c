/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/clocks.h"

#include "host/transfer-time.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RnicHardware);

TypeId
RnicHardware::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RnicHardware").SetParent<RnicCosts>().SetGroupName("NfsRdma");
    return tid;
}

RnicHardware::RnicHardware()
    : m_transmitThread(Create<HostThread>()),
      m_receiveThread(Create<HostThread>())
{
}

void
RnicHardware::DoDispose()
{
    m_cpu = nullptr;
    RnicCosts::DoDispose();
}

void
RnicHardware::SetCpu(Ptr<HostCpu> cpu)
{
    m_cpu = cpu;
}

void
RnicHardware::ForgetContext(uint32_t queuePair)
{
    m_contexts.Remove(queuePair);
}

Time
RnicHardware::Cross(PcieBus::Direction direction, Time earliest, uint64_t octets)
{
    return IsEngineOnHost()
               ? earliest
               : m_bus.Transfer(direction, Simulator::Now(), earliest, octets, GetPcieRate());
}

PostTimes
RnicHardware::Post(HostThread& thread, const PostedWork& work)
{
    PostTimes times;
    times.posted = m_cpu->Run(thread, m_cpu->GetPostCost(work.requests, work.inlineData));
    times.rung = times.posted + GetDoorbell();
    times.fetched =
        work.pushed
            ? times.rung
            : Cross(PcieBus::Direction::TO_DEVICE, times.rung, work.descriptors) + GetWqeFetch();
    return times;
}

Time
RnicHardware::GetFpduTime(const FpduSize& size, Time perFpdu) const
{
    const Time checked =
        size.crc == 0 ? perFpdu : perFpdu + GetTransferTime(size.crc, GetCrcRate());
    return IsEngineOnHost() ? checked + m_cpu->GetCopyTime(size.payload) : checked;
}

Time
RnicHardware::GetGatherTime(uint32_t payload, bool inlineData) const
{
    return payload == 0 || inlineData || IsEngineOnHost()
               ? Time(0)
               : GetPcieLatency() + GetTransferTime(payload, GetPcieRate());
}

Time
RnicHardware::UseContext(uint32_t queuePair)
{
    const bool hit = m_contexts.Use(queuePair, GetContextCacheSize());
    m_counters.contextMisses += hit ? 0 : 1;
    return hit ? Time(0) : GetContextMiss();
}

StartCosts
RnicHardware::UseEngine(uint32_t queuePair, const FpduSize& first, bool inlineData)
{
    StartCosts costs;
    costs.context = UseContext(queuePair);
    costs.engine = GetTxPerWqe() + GetFpduTime(first, GetTxPerFpdu());
    costs.gather = GetGatherTime(first.payload, inlineData);
    return costs;
}

StartCosts
RnicHardware::GetResponseCosts(const FpduSize& first) const
{
    StartCosts costs;
    costs.engine = GetTxPerWqe() + GetFpduTime(first, GetTxPerFpdu());
    costs.gather = GetGatherTime(first.payload, false);
    return costs;
}

Time
RnicHardware::AwaitEngine(Time work)
{
    const Time now = Simulator::Now();
    return IsEngineOnHost() && m_cpu->GetAvailable(*m_transmitThread) > now
               ? m_cpu->Run(*m_transmitThread, work)
               : now;
}

Time
RnicHardware::SendFpdu(const FpduSize& size, bool inlineData, Time extra)
{
    const Time now = Simulator::Now();
    const Time engine = GetFpduTime(size, GetTxPerFpdu()) + extra;
    if (IsEngineOnHost())
    {
        return m_cpu->Run(*m_transmitThread, engine) - now;
    }
    const Time gathered =
        inlineData ? now : Cross(PcieBus::Direction::TO_DEVICE, now, size.payload);
    return std::max(engine, gathered - now);
}

void
RnicHardware::ReceiveFpdu(uint32_t queuePair, uint32_t crcOctets)
{
    const Time miss = UseContext(queuePair);
    const Time work = miss + GetFpduTime({0, crcOctets}, GetRxPerFpdu());
    const Time until = IsEngineOnHost() ? m_cpu->Run(*m_receiveThread, work)
                                        : m_receiveEngine.GetFree(Simulator::Now()) + work;
    m_receiveEngine.Handle(until, miss);
}

void
RnicHardware::UseStag(uint32_t stag)
{
    constexpr uint32_t KEY_BITS = 8;
    if (!m_stags.Use(stag >> KEY_BITS, GetStagCacheSize()))
    {
        m_counters.contextMisses++;
        m_receiveEngine.Handle(m_receiveEngine.GetHandled() + GetContextMiss(),
                               m_receiveEngine.GetMiss() + GetContextMiss());
    }
}

void
RnicHardware::PlacePayload(uint64_t payload)
{
    if (payload == 0)
    {
        return;
    }
    const Time handled = m_receiveEngine.GetHandled();
    m_receiveEngine.Place(
        IsEngineOnHost() ? m_cpu->Run(*m_receiveThread, m_cpu->GetCopyTime(payload))
                         : Cross(PcieBus::Direction::TO_HOST, handled, payload) + GetPcieLatency());
    m_counters.payloadReceived += payload;
}

ReceiveTimes
RnicHardware::GetReceiveTimes() const
{
    return {Simulator::Now(),
            m_receiveEngine.GetHandled(),
            m_receiveEngine.GetMiss(),
            m_receiveEngine.GetDone()};
}

Time
RnicHardware::WriteCompletion(Time ready)
{
    return Cross(PcieBus::Direction::TO_HOST, ready, CQE_SIZE) + GetCqeWrite();
}

Time
RnicHardware::QueueMemoryWork(Time ready, Time cost)
{
    return NanoSeconds(m_memoryUnit.Reserve(Simulator::Now().GetNanoSeconds(),
                                            ready.GetNanoSeconds(),
                                            cost.GetNanoSeconds()));
}

Time
RnicHardware::QueueRegistration(Time ready, uint32_t pages)
{
    return QueueMemoryWork(ready, GetRegisterBase() + GetRegisterPerPage() * int64_t{pages});
}

Time
RnicHardware::QueueInvalidation(Time ready)
{
    return QueueMemoryWork(ready, GetInvalidateCost());
}

Time
RnicHardware::QueueBinding(Time ready)
{
    return QueueMemoryWork(ready, GetBindCost());
}

} // namespace ns3::nfsrdma
