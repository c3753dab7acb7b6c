/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_RNIC_DEVICE_H
#define NFSRDMA_RNIC_RNIC_DEVICE_H

#include "rnic/completion-queue.h"
#include "rnic/host-cpu.h"
#include "rnic/host-memory.h"
#include "rnic/memory-region.h"
#include "rnic/placement-watch.h"
#include "rnic/protection-domain.h"
#include "rnic/queue-pair.h"
#include "rnic/reassembly-monitor.h"
#include "rnic/rnic-hardware.h"
#include "rnic/stag-table.h"
#include "rnic/transmit-engine.h"

#include "ns3/node.h"
#include "ns3/object.h"

#include <map>
#include <string>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

class CmId;
class MpaTransport;

/// Objects alive on a device; all zero when everything was given back.
struct RnicCensus
{
    uint32_t protectionDomains{0};
    uint32_t completionQueues{0};
    uint32_t queuePairs{0};
    uint32_t memoryRegions{0};
    uint32_t validMemoryRegions{0};
    uint32_t outstandingSends{0}; ///< Send WQEs not completed.
    uint32_t postedReceives{0};   ///< Receive WQEs not consumed.
    uint32_t connections{0};      ///< Connection-manager ids that are connected or connecting.
};

/**
 * \brief An iWARP RNIC on a node: maker of verbs objects, owner of limits and hardware timing.
 *
 * Aggregated to a node that has an IP stack and a HostMemory. Every limit and cost is an attribute
 * (RnicHardware). Verbs that make something return NO_MEMORY at a limit of the device and
 * INVALID_ARGUMENT for a size that is zero or above its limit, or for an object of another device;
 * Destroy() returns INVALID_ARGUMENT for an object not alive on this device, and BUSY for a
 * protection domain or completion queue still in use. Destroying a queue pair drops its outstanding
 * work without completions; completions already written stay.
 */
class RnicDevice : public RnicHardware
{
  public:
    static TypeId GetTypeId();
    RnicDevice();
    ~RnicDevice() override;

    /// Must be called once before use. The node's HostMemory and HostCpu are looked up, or made and
    /// aggregated.
    void SetNode(Ptr<Node> node);
    [[nodiscard]] Ptr<Node> GetNode() const;
    [[nodiscard]] Ptr<HostMemory> GetHostMemory() const;
    [[nodiscard]] Ptr<HostCpu> GetHostCpu() const;
    /// \return what tells programs that poll memory of peers' data.
    [[nodiscard]] PlacementWatch& GetPlacementWatch();

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

    [[nodiscard]] RnicCensus GetCensus() const;
    /// \return reassembly memory of all connections, octets; counted with CountReassembly only.
    [[nodiscard]] const OccupancyMeter& GetReassemblyMeter() const;

    // For the parts of the device only.
    [[nodiscard]] StagTable& GetStagTable();
    [[nodiscard]] TransmitEngine& GetTransmitEngine();
    [[nodiscard]] Ptr<MpaTransport> GetTransport() const;
    /// \return an MPA connection with the settings of this device.
    [[nodiscard]] Ptr<MpaConnection> CreateConnection() const;
    /// \return whether a connection asked for is tried again with MPA revision 1.
    [[nodiscard]] bool HasMpaRevisionFallback() const;
    /// Keeps \p id alive, and counts it when it is a connection, until RemoveId().
    /// \return a handle for RemoveId()
    [[nodiscard]] uint32_t AddId(Ptr<CmId> id);
    void RemoveId(uint32_t handle);

  protected:
    void DoDispose() override;

  private:
    Ptr<ReassemblyMonitor> m_reassembly;
    bool m_countReassembly{false};
    bool m_mpaDropBadSegments{false};
    Ptr<Node> m_node;
    Ptr<HostMemory> m_hostMemory;
    Ptr<HostCpu> m_hostCpu;
    PlacementWatch m_placementWatch;
    Ptr<MpaTransport> m_transport;
    StagTable m_stagTable;
    TransmitEngine m_transmitEngine;
    std::map<uint32_t, Ptr<ProtectionDomain>> m_domains;
    std::map<uint32_t, Ptr<CompletionQueue>> m_completionQueues;
    std::map<uint32_t, Ptr<QueuePair>> m_queuePairs;
    std::map<uint32_t, Ptr<CmId>> m_ids;
    uint32_t m_nextDomain{1};
    uint32_t m_nextCompletionQueue{1};
    uint32_t m_nextQueuePair{1};
    uint32_t m_nextId{1};
    uint32_t m_firstStagIndex{1};
    uint8_t m_mpaRevision{2};
    int m_mpaTransport{0}; ///< MpaTransport::Kind.
    bool m_mpaPacking{false};
    bool m_mpaNagle{false};
    bool m_mpaCrc{false};
    bool m_mpaPeerToPeer{false};
    std::string m_mpaReadyToReceive;
    int m_mpaConformance{0}; ///< MpaConformance.
    bool m_mpaMarkers{false};
    bool m_mpaMarkerSupport{true};
    bool m_mpaResponderCrc{true};
    bool m_mpaRevisionFallback{false};
    Time m_mpaReplyTimeout;
    Time m_mpaRequestTimeout;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_RNIC_DEVICE_H
