/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-hardware.h"

#include "rnic/transfer-time.h"

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

Time
RnicHardware::GetBusTime(uint64_t octets) const
{
    return GetTransferTime(octets, GetPcieRate());
}

Time
RnicHardware::GetStartLatency(uint64_t payload) const
{
    Time latency = GetTxPerWqe() + GetTxPerFpdu();
    if (payload != 0)
    {
        latency += GetPcieLatency() + GetBusTime(payload);
    }
    return latency;
}

Time
RnicHardware::GetTransmitOccupancy(uint32_t payload, bool first) const
{
    const Time engine = first ? GetTxPerWqe() + GetTxPerFpdu() : GetTxPerFpdu();
    return std::max(engine, GetBusTime(payload));
}

void
RnicHardware::ReceiveFpdu()
{
    m_receiveBusy = std::max(m_receiveBusy, Simulator::Now()) + GetRxPerFpdu();
    m_receiveDone = std::max(m_receiveDone, m_receiveBusy);
}

void
RnicHardware::PlacePayload(uint64_t payload)
{
    if (payload == 0)
    {
        return;
    }
    m_busBusy = std::max(m_busBusy, m_receiveBusy) + GetBusTime(payload);
    m_receiveDone = std::max(m_receiveDone, m_busBusy + GetPcieLatency());
    m_counters.payloadReceived += payload;
}

Time
RnicHardware::QueueMemoryWork(Time ready, Time cost)
{
    m_memoryBusy = std::max(m_memoryBusy, ready) + cost;
    return m_memoryBusy;
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
