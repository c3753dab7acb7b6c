/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_DEVICE_H
#define NFSRDMA_RNIC_HARDWARE_DEVICE_H

#include "host/cpu.h"
#include "host/memory.h"
#include "mpa/settings.h"
#include "mpa/transport.h"
#include "rnic/hardware/clocks.h"
#include "rnic/hardware/counters.h"
#include "rnic/hardware/injected-faults.h"
#include "rnic/hardware/profile.h"
#include "rnic/hardware/reassembly-monitor.h"
#include "rnic/hardware/receive-buffer.h"
#include "rnic/hardware/segment-queue.h"
#include "rnic/hardware/transmit-engine.h"
#include "rnic/memory/placement-watch.h"
#include "rnic/memory/protection-domain.h"
#include "rnic/memory/registration-verbs.h"
#include "rnic/memory/stag-choice.h"
#include "rnic/queue/cq.h"
#include "rnic/queue/qp.h"
#include "rnic/queue/srq.h"

#include "ns3/node.h"
#include "ns3/object.h"

#include <map>
#include <memory>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

class CmId;
class KeptStreams;

/// Objects alive on a device; all zero when everything was given back.
struct RnicCensus
{
    uint32_t protectionDomains{0};
    uint32_t completionQueues{0};
    uint32_t queuePairs{0};
    uint32_t sharedReceiveQueues{0};
    uint32_t memoryRegions{0};
    uint32_t validMemoryRegions{0};
    uint32_t memoryWindows{0};
    uint32_t boundMemoryWindows{0};
    uint64_t pinnedPages{0};      ///< Of the host.
    uint32_t outstandingSends{0}; ///< Send WQEs not completed.
    uint32_t postedReceives{0};   ///< Receive WQEs not consumed.
    uint32_t connections{0};      ///< Connection-manager ids that are connected or connecting.
};

/**
 * \brief An iWARP RNIC on a node: maker of verbs objects, owner of limits and hardware timing.
 *
 * Aggregated to a node that has an IP stack and a HostMemory. Every limit and cost is an attribute
 * (RnicSettings, RnicDefences). Verbs that make something return NO_MEMORY at a limit of the device
 * and INVALID_ARGUMENT for a size that is zero or above its limit, or for an object of another
 * device; Destroy() returns INVALID_ARGUMENT for an object not alive on this device, and BUSY for a
 * protection domain, completion queue or shared receive queue still in use and for a region over
 * which windows are bound. Destroying a queue pair drops its outstanding work without completions;
 * completions already written stay.
 *
 * A device that is gone (RnicFaults) returns NO_DEVICE.
 *
 * Verbs take effect at once, but those that keep the host busy take time of the control thread,
 * after which they would have returned.
 */
class RnicDevice : public Object
{
  public:
    static TypeId GetTypeId();
    RnicDevice();
    ~RnicDevice() override;

    /// Must be called once before use. The node's HostMemory and HostCpu are looked up, or made and
    /// aggregated.
    void SetNode(Ptr<Node> node);

    [[nodiscard]] Ptr<Node> GetNode() const
    {
        return m_node;
    }

    [[nodiscard]] Ptr<HostMemory> GetHostMemory() const
    {
        return m_hostMemory;
    }

    [[nodiscard]] Ptr<HostCpu> GetHostCpu() const
    {
        return m_hostCpu;
    }

    /// \return what tells programs that poll memory of peers' data.
    [[nodiscard]] PlacementWatch& GetPlacementWatch()
    {
        return m_placementWatch;
    }

    [[nodiscard]] const RnicSettings& GetSettings() const
    {
        return m_settings;
    }

    [[nodiscard]] const RnicDefences& GetDefences() const
    {
        return m_defences;
    }

    /// \return with which statuses work requests at fault complete.
    [[nodiscard]] const FaultStatus& GetFaultStatus() const
    {
        return FaultStatus::Get(m_settings.faultStatus);
    }

    [[nodiscard]] const RnicClocks& GetClocks() const
    {
        return m_clocks;
    }

    [[nodiscard]] const RnicCounters& GetCounters() const;

    /// Settings of all connections: MaxIrd is the device's own, OutOfOrderPlacement is on with an
    /// aware transport.
    void SetMpaSettings(Ptr<MpaSettings> settings)
    {
        m_mpaSettings = settings;
    }

    [[nodiscard]] Ptr<MpaSettings> GetMpaSettings() const
    {
        return m_mpaSettings;
    }

    /// Before SetNode().
    void SetTransport(Ptr<MpaTransport> transport);

    [[nodiscard]] Ptr<MpaTransport> GetTransport() const
    {
        return m_transport;
    }

    /// Has what is random about STags (RnicDefences), and the tail of reads on the bus, come from
    /// \p stream and the one behind it; before memory is registered.
    /// \return streams used: 2
    int64_t AssignStreams(int64_t stream);

    /// \return the key of a region's next STag, by the attribute StagKeys.
    [[nodiscard]] uint8_t ChooseStagKey(uint8_t previous)
    {
        return m_stagChoice.ChooseKey(previous);
    }

    /// \return see TcpSegmentQueue::ListLost().
    [[nodiscard]] std::vector<uint64_t> ListPortLosses() const;

    /// \return the domain that connections share with ProtectionDomains "device", which no census
    /// counts; null when the device has none left or is gone.
    [[nodiscard]] Ptr<ProtectionDomain> GetCommonDomain();
    tl::expected<Ptr<ProtectionDomain>, VerbsError> AllocateProtectionDomain();
    tl::expected<void, VerbsError> Destroy(Ptr<ProtectionDomain> domain);

    tl::expected<Ptr<CompletionQueue>, VerbsError> CreateCompletionQueue(uint32_t depth);
    tl::expected<void, VerbsError> Destroy(Ptr<CompletionQueue> queue);

    tl::expected<Ptr<QueuePair>, VerbsError> CreateQueuePair(Ptr<ProtectionDomain> domain,
                                                             Ptr<CompletionQueue> sendQueue,
                                                             Ptr<CompletionQueue> receiveQueue,
                                                             QueuePairCapabilities capabilities);
    tl::expected<void, VerbsError> Destroy(Ptr<QueuePair> pair);

    /// Makes a queue of \p depth work requests with at most \p maxElements elements each.
    tl::expected<Ptr<SharedReceiveQueue>, VerbsError> CreateSharedReceiveQueue(
        Ptr<ProtectionDomain> domain,
        uint32_t depth,
        uint32_t maxElements = 1);
    tl::expected<void, VerbsError> Destroy(Ptr<SharedReceiveQueue> queue);

    /// Allocates an invalid fast-register region of at most \p maxPages pages.
    tl::expected<Ptr<MemoryRegion>, VerbsError> AllocateMemoryRegion(Ptr<ProtectionDomain> domain,
                                                                     uint32_t maxPages);
    /**
     * \brief Makes a regular region, valid at once, with a key of the device's choice.
     *
     * \p length octets from host address \p address, in one allocation, are named by tagged
     * offsets from \p iova on, or from 0 with ACCESS_ZERO_BASED. The pages are pinned. Takes
     * HostRegisterBase and HostRegisterPerPage.
     *
     * 2^64 - 1 octets from address 0 are all memory, whatever is allocated when, as with
     * ib_get_dma_mr: nothing is pinned.
     * \return INVALID_ARGUMENT also for no octets, memory not allocated, offsets that wrap, unknown
     * rights, and remote write or atomics without local write; NO_MEMORY also at the host's limit
     * of pinned pages.
     */
    tl::expected<Ptr<MemoryRegion>, VerbsError> RegisterMemory(Ptr<ProtectionDomain> domain,
                                                               uint64_t address,
                                                               uint64_t length,
                                                               uint32_t access,
                                                               uint64_t iova);

    tl::expected<void, VerbsError> Destroy(Ptr<MemoryRegion> region)
    {
        return m_memoryVerbs.Destroy(region);
    }

    /// Allocates a memory window that is not bound.
    tl::expected<Ptr<MemoryWindow>, VerbsError> AllocateMemoryWindow(Ptr<ProtectionDomain> domain);

    tl::expected<void, VerbsError> Destroy(Ptr<MemoryWindow> window)
    {
        return m_memoryVerbs.Destroy(window);
    }

    /// \return the thread of the host that control verbs run on.
    [[nodiscard]] const HostThread& GetControlThread() const
    {
        return *m_controlThread;
    }

    [[nodiscard]] RnicCensus GetCensus() const;

    /// \return reassembly memory of all connections, octets; counted with CountReassembly only.
    [[nodiscard]] const OccupancyMeter& GetReassemblyMeter() const
    {
        return m_reassembly->GetMeter();
    }

    /// \return what may go wrong on purpose.
    [[nodiscard]] RnicFaults& GetFaults()
    {
        return m_faults;
    }

    /// Signature of the RegisterMemory and DeregisterMemory trace sources: the region, and when the
    /// verb would have returned.
    using RegionTracedCallback = void (*)(const MemoryRegion& region, Time done);
    /// Signature of the QueuePairCreated trace source: the queue pair, in IDLE.
    using QueuePairTracedCallback = void (*)(Ptr<QueuePair> pair);

    // For the parts of the device only.
    [[nodiscard]] RnicClocks& GetClocks()
    {
        return m_clocks;
    }

    [[nodiscard]] RnicCounters& Counters()
    {
        return m_counters;
    }

    [[nodiscard]] StagTable& GetStagTable()
    {
        return m_memoryVerbs.GetTable();
    }

    /// Has the control thread give the device a command, which takes \p cost.
    void RunCommand(Time cost);
    /// Has the control thread work on a regular region made, or about to be destroyed.
    void MemoryRegistered(const MemoryRegion& region);
    void MemoryDeregistered(const MemoryRegion& region);

    [[nodiscard]] TransmitEngine& GetTransmitEngine()
    {
        return m_transmitEngine;
    }

    /// \return what FPDUs go through between TCP and host memory.
    [[nodiscard]] ReceiveBuffer& GetReceiveBuffer()
    {
        return m_receiveBuffer;
    }

    /// \return an MPA connection with the settings of this device, or, after a peer has closed on
    /// revision 2, with \p revision1.
    [[nodiscard]] Ptr<MpaConnection> CreateConnection(bool revision1 = false) const;
    /// Keeps \p id alive, and counts it when it is a connection, until RemoveId().
    /// \return a handle for RemoveId()
    [[nodiscard]] uint32_t AddId(Ptr<CmId> id);
    void RemoveId(uint32_t handle);

    /// \return TCP connections on which peers have rejected MPA, for the next attempt.
    [[nodiscard]] KeptStreams& GetKeptStreams()
    {
        return *m_keptStreams;
    }

    /// \return what is alive, oldest first.
    [[nodiscard]] std::vector<Ptr<CmId>> ListIds() const;
    [[nodiscard]] std::vector<Ptr<QueuePair>> ListQueuePairs() const;
    void ReportFatal();

  protected:
    void DoDispose() override;

  private:
    RnicSettings m_settings;
    RnicDefences m_defences;
    RnicCounters m_counters;
    RnicClocks m_clocks;
    Ptr<ReassemblyMonitor> m_reassembly;
    Ptr<MpaSettings> m_mpaSettings;
    Ptr<MpaTransport> m_transport;
    Ptr<Node> m_node;
    Ptr<HostMemory> m_hostMemory;
    Ptr<HostCpu> m_hostCpu;
    PlacementWatch m_placementWatch;
    Ptr<HostThread> m_controlThread;
    MemoryVerbs m_memoryVerbs;
    StagChoice m_stagChoice;
    RnicFaults m_faults;
    TracedCallback<const MemoryRegion&, Time> m_registerMemoryTrace;
    TracedCallback<const MemoryRegion&, Time> m_deregisterMemoryTrace;
    TracedCallback<AsyncEventType, uint32_t> m_asyncEventTrace;
    TracedCallback<Ptr<QueuePair>> m_queuePairCreatedTrace;
    TransmitEngine m_transmitEngine;
    Ptr<TcpSegmentQueue> m_segmentQueue;
    ReceiveBuffer m_receiveBuffer;
    std::map<uint32_t, Ptr<ProtectionDomain>> m_domains;
    Ptr<ProtectionDomain> m_commonDomain;
    std::map<uint32_t, Ptr<CompletionQueue>> m_completionQueues;
    std::map<uint32_t, Ptr<QueuePair>> m_queuePairs;
    std::map<uint32_t, Ptr<SharedReceiveQueue>> m_sharedReceiveQueues;
    std::map<uint32_t, Ptr<CmId>> m_ids;
    std::unique_ptr<KeptStreams> m_keptStreams;
    uint32_t m_nextDomain{1};
    uint32_t m_nextCompletionQueue{1};
    uint32_t m_nextQueuePair{1};
    uint32_t m_nextSharedReceiveQueue{1};
    uint32_t m_nextId{1};
    uint32_t m_firstStagIndex{1};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_DEVICE_H
