/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_RNIC_DEVICE_H
#define NFSRDMA_RNIC_RNIC_DEVICE_H

#include "rnic/completion-queue.h"
#include "rnic/host-memory.h"
#include "rnic/memory-region.h"
#include "rnic/queue-pair.h"

#include "ns3/node.h"
#include "ns3/object.h"

#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

class ProtectionDomain : public Object
{
  public:
    static TypeId GetTypeId();
    [[nodiscard]] uint32_t GetHandle() const;
};

/// Objects alive on a device; all zero when everything was given back.
struct RnicCensus
{
    uint32_t protectionDomains{0};
    uint32_t completionQueues{0};
    uint32_t queuePairs{0};
    uint32_t memoryRegions{0};
    uint32_t validMemoryRegions{0};
    uint32_t outstandingSends{0};    ///< Send WQEs not completed.
    uint32_t postedReceives{0};      ///< Receive WQEs not consumed.
    uint32_t connections{0};         ///< Connection-manager ids that are connected or connecting.
};

/**
 * \brief An iWARP RNIC on a node: maker of verbs objects, owner of limits and hardware timing.
 *
 * Aggregated to a node that has an IP stack and a HostMemory. Every limit and cost is an attribute.
 */
class RnicDevice : public Object
{
  public:
    static TypeId GetTypeId();
    RnicDevice();
    ~RnicDevice() override;

    /// Must be called once before use.
    void SetNode(Ptr<Node> node);
    [[nodiscard]] Ptr<Node> GetNode() const;
    [[nodiscard]] Ptr<HostMemory> GetHostMemory() const;

    tl::expected<Ptr<ProtectionDomain>, VerbsError> AllocateProtectionDomain();
    tl::expected<void, VerbsError> Destroy(Ptr<ProtectionDomain> domain);

    tl::expected<Ptr<CompletionQueue>, VerbsError> CreateCompletionQueue(uint32_t depth);
    tl::expected<void, VerbsError> Destroy(Ptr<CompletionQueue> queue);

    tl::expected<Ptr<QueuePair>, VerbsError> CreateQueuePair(Ptr<ProtectionDomain> domain,
                                                             Ptr<CompletionQueue> sendQueue,
                                                             Ptr<CompletionQueue> receiveQueue,
                                                             const QueuePairCapabilities& sizes);
    tl::expected<void, VerbsError> Destroy(Ptr<QueuePair> pair);

    /// Allocates an invalid fast-register region of at most \p maxPages pages.
    tl::expected<Ptr<MemoryRegion>, VerbsError> AllocateMemoryRegion(Ptr<ProtectionDomain> domain,
                                                                     uint32_t maxPages);
    tl::expected<void, VerbsError> Destroy(Ptr<MemoryRegion> region);

    [[nodiscard]] uint32_t GetMaxFastRegisterPages() const;
    [[nodiscard]] uint32_t GetMaxElements() const; ///< Scatter/gather elements of a work request.
    [[nodiscard]] uint32_t GetMaxOrd() const;
    [[nodiscard]] uint32_t GetMaxIrd() const;
    [[nodiscard]] RnicCensus GetCensus() const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_RNIC_DEVICE_H
