/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_RNIC_HARDWARE_H
#define NFSRDMA_RNIC_RNIC_HARDWARE_H

#include "rnic/rnic-counters.h"
#include "rnic/rnic-behaviour.h"

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
class RnicHardware : public RnicBehaviour
{
  public:
    static TypeId GetTypeId();

    /// \return from the post until the engine knows the work request.
    [[nodiscard]] Time GetPostLatency() const
    {
        return m_doorbell + m_wqeFetch;
    }

    /// \return from a known work request to its first FPDU of \p payload octets, all idle.
    [[nodiscard]] Time GetStartLatency(uint64_t payload) const;

    /// \return time the transmit engine is occupied by an FPDU; \p first of its message.
    [[nodiscard]] Time GetTransmitOccupancy(uint32_t payload, bool first) const;
    [[nodiscard]] Time GetReadRequestTurnaround() const;
    [[nodiscard]] Time GetCqeWrite() const;
    [[nodiscard]] Time GetInterruptLatency() const;

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

    [[nodiscard]] const RnicCounters& GetCounters() const
    {
        return m_counters;
    }

    // For the device's parts only.
    RnicCounters& Counters()
    {
        return m_counters;
    }

  private:
    [[nodiscard]] Time GetBusTime(uint64_t octets) const;
    Time QueueMemoryWork(Time ready, Time cost);

    Time m_doorbell;
    Time m_wqeFetch;
    Time m_txPerWqe;
    Time m_txPerFpdu;
    DataRate m_pcieRate;
    Time m_pcieLatency;
    Time m_rxPerFpdu;
    Time m_readRequestTurnaround;
    Time m_cqeWrite;
    Time m_interruptLatency;
    Time m_registerBase;
    Time m_registerPerPage;
    Time m_invalidateCost;

    Time m_receiveBusy;
    Time m_busBusy;
    Time m_receiveDone;
    Time m_memoryBusy;

    RnicCounters m_counters;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_RNIC_HARDWARE_H
