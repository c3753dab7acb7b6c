/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_RNIC_HARDWARE_H
#define NFSRDMA_RNIC_RNIC_HARDWARE_H

#include "rnic/host-cpu.h"
#include "rnic/rnic-costs.h"
#include "rnic/rnic-counters.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief What the steps of an RNIC cost: the attributes of a profile, and the clocks that the parts
 * of a device share.
 *
 * One Send, all parts idle, takes from the post to the handler of the receiver:
 *
 *     Doorbell + WqeFetch + TxPerWqe + TxPerFpdu + [PcieLatency + payload / PcieRate]
 *     + network + RxPerFpdu + [payload / PcieRate + PcieLatency] + CqeWrite + InterruptLatency
 *
 * The bracketed stages are of payload only. Under load a stage is a server: the transmit engine is
 * occupied by an FPDU for the longer of its own time and that of the payload on the bus, the
 * receive engine and the bus towards the host serve in order of arrival, and the memory unit
 * executes one registration or invalidation at a time. The bus is full duplex.
 */
class RnicHardware : public RnicCosts
{
  public:
    static TypeId GetTypeId();

    /// \return from the post until the engine knows the work request.
    [[nodiscard]] Time GetPostLatency() const
    {
        return GetDoorbell() + GetWqeFetch();
    }

    /// \return from a known work request to its first FPDU of \p payload octets, all idle.
    [[nodiscard]] Time GetStartLatency(uint64_t payload) const;

    /// \return time the transmit engine is occupied by an FPDU; \p first of its message.
    [[nodiscard]] Time GetTransmitOccupancy(uint32_t payload, bool first) const;

    /// Receive engine: accounts one FPDU that has arrived now.
    void ReceiveFpdu();
    /// Bus: accounts \p payload octets of the latest FPDU on their way to host memory.
    void PlacePayload(uint64_t payload);

    /// \return when the latest FPDU has been handled and its payload is in host memory.
    [[nodiscard]] Time GetReceiveDone() const
    {
        return m_receiveDone;
    }

    /// Memory unit: queues a registration of \p pages for not before \p ready; \return its end.
    Time QueueRegistration(Time ready, uint32_t pages);
    /// Memory unit: queues an invalidation for not before \p ready; \return its end.
    Time QueueInvalidation(Time ready);
    /// Memory unit: queues a binding of a window for not before \p ready; \return its end.
    Time QueueBinding(Time ready);

    [[nodiscard]] const RnicCounters& GetCounters() const
    {
        return m_counters;
    }

    // For the device's parts only.

    [[nodiscard]] HostCpu& GetCpu() const
    {
        return *m_cpu;
    }

    RnicCounters& Counters()
    {
        return m_counters;
    }

  protected:
    void DoDispose() override;
    void SetCpu(Ptr<HostCpu> cpu);

  private:
    [[nodiscard]] Time GetBusTime(uint64_t octets) const;
    Time QueueMemoryWork(Time ready, Time cost);

    Ptr<HostCpu> m_cpu;
    Time m_receiveBusy;
    Time m_busBusy;
    Time m_receiveDone;
    Time m_memoryBusy;

    RnicCounters m_counters;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_RNIC_HARDWARE_H
