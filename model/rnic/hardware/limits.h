/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_LIMITS_H
#define NFSRDMA_RNIC_HARDWARE_LIMITS_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief What the silicon of an RNIC can hold (as ibv_device_attr): the limits of a profile.
 */
class RnicLimits : public Object
{
  public:
    static TypeId GetTypeId();

    /// Atomics and Immediate Data (RFC 7306).
    [[nodiscard]] bool HasRdmapExtensions() const
    {
        return m_rdmapExtensions;
    }

    /// Send with Invalidate.
    [[nodiscard]] bool HasSendWithInvalidate() const
    {
        return m_sendWithInvalidate;
    }

    /// Octets of private data of a consumer.
    [[nodiscard]] uint32_t GetMaxPrivateData() const
    {
        return m_maxPrivateData;
    }

    /// Count.
    [[nodiscard]] uint32_t GetMaxProtectionDomains() const
    {
        return m_maxProtectionDomains;
    }

    /// Count.
    [[nodiscard]] uint32_t GetMaxCompletionQueues() const
    {
        return m_maxCompletionQueues;
    }

    /// Count.
    [[nodiscard]] uint32_t GetMaxQueuePairs() const
    {
        return m_maxQueuePairs;
    }

    /// Count.
    [[nodiscard]] uint32_t GetMaxMemoryRegions() const
    {
        return m_maxMemoryRegions;
    }

    /// Count.
    [[nodiscard]] uint32_t GetMaxMemoryWindows() const
    {
        return m_maxMemoryWindows;
    }

    /// Count.
    [[nodiscard]] uint32_t GetMaxSharedReceiveQueues() const
    {
        return m_maxSharedReceiveQueues;
    }

    /// Entries of a completion queue.
    [[nodiscard]] uint32_t GetMaxCqDepth() const
    {
        return m_maxCqDepth;
    }

    /// Work requests of a send or receive queue.
    [[nodiscard]] uint32_t GetMaxQueueDepth() const
    {
        return m_maxQueueDepth;
    }

    /// Work requests of a shared receive queue.
    [[nodiscard]] uint32_t GetMaxSharedReceiveDepth() const
    {
        return m_maxSharedReceiveDepth;
    }

    /// Scatter/gather elements of a work request.
    [[nodiscard]] uint32_t GetMaxElements() const
    {
        return m_maxElements;
    }

    /// Octets that a work request may carry itself.
    [[nodiscard]] uint32_t GetMaxInline() const
    {
        return m_maxInline;
    }

    /// Octets of a work request.
    [[nodiscard]] uint32_t GetMaxMessage() const
    {
        return m_maxMessage;
    }

    /// Outbound RDMA Reads of a queue pair.
    [[nodiscard]] uint32_t GetMaxOrd() const
    {
        return m_maxOrd;
    }

    /// Inbound RDMA Reads of a queue pair.
    [[nodiscard]] uint32_t GetMaxIrd() const
    {
        return m_maxIrd;
    }

    /// Pages of a fast-register region.
    [[nodiscard]] uint32_t GetMaxFastRegisterPages() const
    {
        return m_maxFastRegisterPages;
    }

  private:
    bool m_rdmapExtensions{false};
    bool m_sendWithInvalidate{true};
    uint32_t m_maxPrivateData{0};
    uint32_t m_maxProtectionDomains{0};
    uint32_t m_maxCompletionQueues{0};
    uint32_t m_maxQueuePairs{0};
    uint32_t m_maxMemoryRegions{0};
    uint32_t m_maxMemoryWindows{0};
    uint32_t m_maxSharedReceiveQueues{0};
    uint32_t m_maxCqDepth{0};
    uint32_t m_maxQueueDepth{0};
    uint32_t m_maxSharedReceiveDepth{0};
    uint32_t m_maxElements{0};
    uint32_t m_maxInline{0};
    uint32_t m_maxMessage{0};
    uint32_t m_maxOrd{0};
    uint32_t m_maxIrd{0};
    uint32_t m_maxFastRegisterPages{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_LIMITS_H
