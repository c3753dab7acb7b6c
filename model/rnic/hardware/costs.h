/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_COSTS_H
#define NFSRDMA_RNIC_HARDWARE_COSTS_H

#include "rnic/hardware/behaviour.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// What the steps of an RNIC cost: the attributes of a profile. RnicHardware tells how they add up.
class RnicCosts : public RnicBehaviour
{
  public:
    static TypeId GetTypeId();

    [[nodiscard]] Time GetDoorbell() const
    {
        return m_doorbell;
    }

    [[nodiscard]] Time GetWqeFetch() const
    {
        return m_wqeFetch;
    }

    [[nodiscard]] Time GetTxPerWqe() const
    {
        return m_txPerWqe;
    }

    [[nodiscard]] Time GetTxPerFpdu() const
    {
        return m_txPerFpdu;
    }

    [[nodiscard]] Time GetRxPerFpdu() const
    {
        return m_rxPerFpdu;
    }

    /// Payload, each direction; 0: takes no time.
    [[nodiscard]] const DataRate& GetPcieRate() const
    {
        return m_pcieRate;
    }

    [[nodiscard]] Time GetPcieLatency() const
    {
        return m_pcieLatency;
    }

    /// Contexts of queue pairs on the device; 0: all.
    [[nodiscard]] uint32_t GetContextCacheSize() const
    {
        return m_contextCacheSize;
    }

    /// Contexts of STags on the device; 0: all.
    [[nodiscard]] uint32_t GetStagCacheSize() const
    {
        return m_stagCacheSize;
    }

    /// Time to fetch a context.
    [[nodiscard]] Time GetContextMiss() const
    {
        return m_contextMiss;
    }

    /// Of FPDUs with CRCs, each direction; 0: takes no time.
    [[nodiscard]] const DataRate& GetCrcRate() const
    {
        return m_crcRate;
    }

    /// \return whether threads of the host do the work of the engines and of the bus.
    [[nodiscard]] bool IsEngineOnHost() const
    {
        return m_engineOnHost;
    }

    [[nodiscard]] Time GetReadRequestTurnaround() const
    {
        return m_readRequestTurnaround;
    }

    [[nodiscard]] Time GetCqeWrite() const
    {
        return m_cqeWrite;
    }

    [[nodiscard]] Time GetInterruptLatency() const
    {
        return m_interruptLatency;
    }

    /// Completions; see CompletionQueue::SetModeration().
    [[nodiscard]] uint32_t GetModerationCount() const
    {
        return m_moderationCount;
    }

    [[nodiscard]] Time GetModerationPeriod() const
    {
        return m_moderationPeriod;
    }

    /// \return whether consumers poll instead of sleeping.
    [[nodiscard]] bool IsPolled() const
    {
        return m_polling;
    }

    [[nodiscard]] Time GetRegisterBase() const
    {
        return m_registerBase;
    }

    [[nodiscard]] Time GetRegisterPerPage() const
    {
        return m_registerPerPage;
    }

    [[nodiscard]] Time GetInvalidateCost() const
    {
        return m_invalidateCost;
    }

    [[nodiscard]] Time GetBindCost() const
    {
        return m_bindCost;
    }

    /// \return host time of a thread that registers \p pages as a regular region.
    [[nodiscard]] Time GetHostRegistration(uint64_t pages) const;
    /// \return host time of a thread that destroys a regular region of \p pages.
    [[nodiscard]] Time GetHostDeregistration(uint64_t pages) const;

  private:
    Time m_doorbell;
    Time m_wqeFetch;
    Time m_txPerWqe;
    Time m_txPerFpdu;
    Time m_rxPerFpdu;
    DataRate m_pcieRate;
    Time m_pcieLatency;
    uint32_t m_contextCacheSize{0};
    uint32_t m_stagCacheSize{0};
    Time m_contextMiss;
    DataRate m_crcRate;
    bool m_engineOnHost{false};
    Time m_readRequestTurnaround;
    Time m_cqeWrite;
    Time m_interruptLatency;
    uint32_t m_moderationCount{1};
    Time m_moderationPeriod;
    bool m_polling{false};
    Time m_registerBase;
    Time m_registerPerPage;
    Time m_invalidateCost;
    Time m_bindCost;
    Time m_hostRegisterBase;
    Time m_hostRegisterPerPage;
    Time m_hostDeregisterBase;
    Time m_hostDeregisterPerPage;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_COSTS_H
