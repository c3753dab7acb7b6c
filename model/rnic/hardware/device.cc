/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/device.h"

#include "rnic/connect/cm-id.h"
#include "rnic/connect/kept-streams.h"

#include "ns3/abort.h"
#include "ns3/object-map.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RnicDevice);

namespace
{

/// \return true when \p object is the one that \p objects holds under \p number.
template <typename T>
bool
IsAlive(const std::map<uint32_t, Ptr<T>>& objects, uint32_t number, const Ptr<T>& object)
{
    const auto found = objects.find(number);
    return object && found != objects.end() && found->second == object;
}

template <typename T>
void
DisposeAll(std::map<uint32_t, Ptr<T>>& objects)
{
    for (auto& [number, object] : objects)
    {
        object->Dispose();
    }
    objects.clear();
}

} // namespace

TypeId
RnicDevice::GetTypeId()
{
    static TypeId tid =
        AddAttributes(AddAttributes(TypeId("ns3::nfsrdma::RnicDevice").SetParent<Object>(),
                                    RnicSettings::GetRows(),
                                    &RnicDevice::m_settings),
                      RnicDefences::GetRows(),
                      &RnicDevice::m_defences)
            .SetGroupName("NfsRdma")
            .AddConstructor<RnicDevice>()
            .AddAttribute("FirstStagIndex",
                          "Index of the first memory region's STags (count). Devices whose "
                          "traffic is captured together should not overlap. Default: 1.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RnicDevice::m_firstStagIndex),
                          MakeUintegerChecker<uint32_t>(1, StagTable::MAX_INDEX))
            .AddAttribute(
                "MpaSettings",
                "How connections are started and framed: attributes of their own, for "
                "all connections of the device. Default: an object with theirs.",
                TypeId::ATTR_GET | TypeId::ATTR_SET,
                PointerValue(),
                MakePointerAccessor(&RnicDevice::SetMpaSettings, &RnicDevice::GetMpaSettings),
                MakePointerChecker<MpaSettings>())
            .AddAttribute("MpaTransport",
                          "How TCP and MPA work together: attributes of its own, to be set before "
                          "the device has its node. Default: an object with theirs.",
                          TypeId::ATTR_GET | TypeId::ATTR_SET,
                          PointerValue(),
                          MakePointerAccessor(&RnicDevice::SetTransport, &RnicDevice::GetTransport),
                          MakePointerChecker<MpaTransport>())
            .AddAttribute("DomainList",
                          "The protection domains, by number.",
                          ObjectMapValue(),
                          MakeObjectMapAccessor(&RnicDevice::m_domains),
                          MakeObjectMapChecker<ProtectionDomain>())
            .AddAttribute("CompletionQueueList",
                          "The completion queues, by number.",
                          ObjectMapValue(),
                          MakeObjectMapAccessor(&RnicDevice::m_completionQueues),
                          MakeObjectMapChecker<CompletionQueue>())
            .AddAttribute("QueuePairList",
                          "The queue pairs, by number.",
                          ObjectMapValue(),
                          MakeObjectMapAccessor(&RnicDevice::m_queuePairs),
                          MakeObjectMapChecker<QueuePair>())
            .AddAttribute("SharedReceiveQueueList",
                          "The shared receive queues, by number.",
                          ObjectMapValue(),
                          MakeObjectMapAccessor(&RnicDevice::m_sharedReceiveQueues),
                          MakeObjectMapChecker<SharedReceiveQueue>())
            .AddAttribute("CmIdList",
                          "The identifiers of the connection manager, by number.",
                          ObjectMapValue(),
                          MakeObjectMapAccessor(&RnicDevice::m_ids),
                          MakeObjectMapChecker<CmId>())
            .AddTraceSource("RegisterMemory",
                            "A regular region has been made: it, and when the verb would have "
                            "returned.",
                            MakeTraceSourceAccessor(&RnicDevice::m_registerMemoryTrace),
                            "ns3::nfsrdma::RnicDevice::RegionTracedCallback")
            .AddTraceSource("DeregisterMemory",
                            "A regular region is destroyed: it, and when the verb would have "
                            "returned.",
                            MakeTraceSourceAccessor(&RnicDevice::m_deregisterMemoryTrace),
                            "ns3::nfsrdma::RnicDevice::RegionTracedCallback")
            .AddTraceSource("QueuePairCreated",
                            "A queue pair has been made, to which nothing has happened yet.",
                            MakeTraceSourceAccessor(&RnicDevice::m_queuePairCreatedTrace),
                            "ns3::nfsrdma::RnicDevice::QueuePairTracedCallback")
            .AddTraceSource("AsyncEvent",
                            "DEVICE_FATAL: the device is gone; with 0.",
                            MakeTraceSourceAccessor(&RnicDevice::m_asyncEventTrace),
                            "ns3::nfsrdma::AsyncEventTracedCallback");
    return tid;
}

RnicDevice::RnicDevice()
    : m_clocks(m_settings, m_counters),
      m_reassembly(Create<ReassemblyMonitor>()),
      m_mpaSettings(CreateObject<MpaSettings>()),
      m_transport(CreateObject<MpaTransport>()),
      m_controlThread(Create<HostThread>()),
      m_memoryVerbs(*this),
      m_stagChoice(m_defences, GetStagTable()),
      m_faults(*this),
      m_transmitEngine(m_settings.txBurst),
      m_segmentQueue(Create<TcpSegmentQueue>(m_clocks, m_transmitEngine, m_counters)),
      m_receiveBuffer(m_settings.rxBuffer),
      m_keptStreams(std::make_unique<KeptStreams>())
{
}

RnicDevice::~RnicDevice() = default;

void
RnicDevice::DoDispose()
{
    m_placementWatch.Clear();
    m_transmitEngine.Stop();
    m_segmentQueue->Stop();
    m_receiveBuffer.Stop();
    DisposeAll(m_ids);
    m_keptStreams->Clear();
    DisposeAll(m_queuePairs);
    DisposeAll(m_sharedReceiveQueues);
    DisposeAll(m_completionQueues);
    GetStagTable().Clear();
    m_commonDomain = nullptr;
    DisposeAll(m_domains);
    m_transport->Dispose();
    m_hostMemory = nullptr;
    m_hostCpu = nullptr;
    m_node = nullptr;
    m_clocks.Stop();
    Object::DoDispose();
}

void
RnicDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
    m_hostMemory = node->GetObject<HostMemory>();
    if (!m_hostMemory)
    {
        m_hostMemory = CreateObject<HostMemory>();
        node->AggregateObject(m_hostMemory);
    }
    m_hostCpu = node->GetObject<HostCpu>();
    if (!m_hostCpu)
    {
        m_hostCpu = CreateObject<HostCpu>();
        node->AggregateObject(m_hostCpu);
    }
    m_clocks.SetCpu(m_hostCpu);
    m_transport->SetNode(node);
    m_transport->SetSegmentStage(m_segmentQueue);
    std::vector<Ptr<EthernetNetDevice>> ports;
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (const auto port = DynamicCast<EthernetNetDevice>(node->GetDevice(i)))
        {
            ports.push_back(port);
        }
    }
    m_segmentQueue->SetPorts(ports);
    GetStagTable().SetFirstIndex(m_firstStagIndex);
    m_stagChoice.OrderIndices();
}

std::vector<uint64_t>
RnicDevice::ListPortLosses() const
{
    return m_segmentQueue->ListLost();
}

int64_t
RnicDevice::AssignStreams(int64_t stream)
{
    m_stagChoice.AssignStream(stream);
    return 1 + m_clocks.GetPcie().AssignStreams(stream + 1);
}

Ptr<ProtectionDomain>
RnicDevice::GetCommonDomain()
{
    if (m_faults.HasFailed())
    {
        return nullptr;
    }
    if (!m_commonDomain)
    {
        m_commonDomain = AllocateProtectionDomain().value_or(nullptr);
    }
    return m_commonDomain;
}

tl::expected<Ptr<ProtectionDomain>, VerbsError>
RnicDevice::AllocateProtectionDomain()
{
    if (m_faults.HasFailed())
    {
        return tl::make_unexpected(VerbsError::NO_DEVICE);
    }
    if (m_domains.size() >= m_settings.maxPds)
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    auto domain = CreateObject<ProtectionDomain>();
    domain->Bind(m_nextDomain);
    m_domains.emplace(m_nextDomain++, domain);
    return domain;
}

tl::expected<void, VerbsError>
RnicDevice::Destroy(Ptr<ProtectionDomain> domain)
{
    if (!domain || !IsAlive(m_domains, domain->GetHandle(), domain))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (domain->IsUsed())
    {
        return tl::make_unexpected(VerbsError::BUSY);
    }
    m_domains.erase(domain->GetHandle());
    domain->Bind(0);
    return {};
}

const RnicCounters&
RnicDevice::GetCounters() const
{
    for (const auto& [number, queue] : m_completionQueues)
    {
        queue->Settle();
    }
    return m_counters;
}

tl::expected<Ptr<CompletionQueue>, VerbsError>
RnicDevice::CreateCompletionQueue(uint32_t depth)
{
    if (m_faults.HasFailed())
    {
        return tl::make_unexpected(VerbsError::NO_DEVICE);
    }
    if (depth == 0 || depth > m_settings.maxCqDepth)
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (m_completionQueues.size() >= m_settings.maxCqs)
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    auto queue = CreateObject<CompletionQueue>();
    queue->Bind(*this, m_nextCompletionQueue, depth);
    m_completionQueues.emplace(m_nextCompletionQueue++, queue);
    return queue;
}

tl::expected<void, VerbsError>
RnicDevice::Destroy(Ptr<CompletionQueue> queue)
{
    if (!queue || !IsAlive(m_completionQueues, queue->GetNumber(), queue))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (queue->IsUsed())
    {
        return tl::make_unexpected(VerbsError::BUSY);
    }
    m_completionQueues.erase(queue->GetNumber());
    queue->Dispose();
    return {};
}

tl::expected<Ptr<QueuePair>, VerbsError>
RnicDevice::CreateQueuePair(Ptr<ProtectionDomain> domain,
                            Ptr<CompletionQueue> sendQueue,
                            Ptr<CompletionQueue> receiveQueue,
                            QueuePairCapabilities capabilities)
{
    if (m_faults.HasFailed())
    {
        return tl::make_unexpected(VerbsError::NO_DEVICE);
    }
    const auto isAlive = [this](const Ptr<CompletionQueue>& queue) {
        return queue && IsAlive(m_completionQueues, queue->GetNumber(), queue) && !queue->IsDead();
    };
    const auto isAllowed = [this](uint32_t depth) {
        return depth != 0 && depth <= m_settings.maxQueueDepth;
    };
    const Ptr<SharedReceiveQueue>& shared = capabilities.sharedReceiveQueue;
    const bool receives = shared ? IsAlive(m_sharedReceiveQueues, shared->GetNumber(), shared)
                                 : isAllowed(capabilities.receiveDepth);
    if (!domain || !IsAlive(m_domains, domain->GetHandle(), domain) || !isAlive(sendQueue) ||
        !isAlive(receiveQueue) || !isAllowed(capabilities.sendDepth) || !receives ||
        capabilities.maxSendElements > m_settings.maxElements ||
        capabilities.maxReceiveElements > m_settings.maxElements ||
        capabilities.maxInline > m_settings.maxInline)
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (m_queuePairs.size() >= m_settings.maxQps)
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    for (uint32_t* elements : {&capabilities.maxSendElements, &capabilities.maxReceiveElements})
    {
        *elements = *elements == 0 ? m_settings.maxElements : *elements;
    }
    auto pair = CreateObject<QueuePair>();
    pair->Bind(*this, domain, sendQueue, receiveQueue, capabilities, m_nextQueuePair);
    m_queuePairs.emplace(m_nextQueuePair++, pair);
    RunCommand(m_settings.hostCreateQp);
    m_queuePairCreatedTrace(pair);
    return pair;
}

tl::expected<void, VerbsError>
RnicDevice::Destroy(Ptr<QueuePair> pair)
{
    if (!pair || !IsAlive(m_queuePairs, pair->GetNumber(), pair))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    m_queuePairs.erase(pair->GetNumber());
    m_clocks.ForgetContext(pair->GetNumber());
    pair->Shutdown();
    pair->Dispose();
    RunCommand(m_settings.hostDestroyQp);
    return {};
}

tl::expected<Ptr<SharedReceiveQueue>, VerbsError>
RnicDevice::CreateSharedReceiveQueue(Ptr<ProtectionDomain> domain,
                                     uint32_t depth,
                                     uint32_t maxElements)
{
    if (m_faults.HasFailed())
    {
        return tl::make_unexpected(VerbsError::NO_DEVICE);
    }
    if (!domain || !IsAlive(m_domains, domain->GetHandle(), domain) || depth == 0 ||
        depth > m_settings.maxSrqDepth || maxElements == 0 || maxElements > m_settings.maxElements)
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (m_sharedReceiveQueues.size() >= m_settings.maxSrqs)
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    auto queue = CreateObject<SharedReceiveQueue>();
    queue->Bind(*this, domain, depth, maxElements, m_nextSharedReceiveQueue);
    m_sharedReceiveQueues.emplace(m_nextSharedReceiveQueue++, queue);
    return queue;
}

tl::expected<void, VerbsError>
RnicDevice::Destroy(Ptr<SharedReceiveQueue> queue)
{
    if (!queue || !IsAlive(m_sharedReceiveQueues, queue->GetNumber(), queue))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (queue->IsUsed())
    {
        return tl::make_unexpected(VerbsError::BUSY);
    }
    m_sharedReceiveQueues.erase(queue->GetNumber());
    queue->Shutdown();
    queue->Dispose();
    return {};
}

tl::expected<Ptr<MemoryRegion>, VerbsError>
RnicDevice::AllocateMemoryRegion(Ptr<ProtectionDomain> domain, uint32_t maxPages)
{
    if (m_faults.HasFailed())
    {
        return tl::make_unexpected(VerbsError::NO_DEVICE);
    }
    if (!domain || !IsAlive(m_domains, domain->GetHandle(), domain))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    return m_memoryVerbs.AllocateRegion(domain, maxPages);
}

tl::expected<Ptr<MemoryRegion>, VerbsError>
RnicDevice::RegisterMemory(Ptr<ProtectionDomain> domain,
                           uint64_t address,
                           uint64_t length,
                           uint32_t access,
                           uint64_t iova)
{
    if (m_faults.HasFailed())
    {
        return tl::make_unexpected(VerbsError::NO_DEVICE);
    }
    if (!domain || !IsAlive(m_domains, domain->GetHandle(), domain))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    MemoryRegistration registration;
    registration.address = address;
    registration.length = length;
    registration.iova = iova;
    registration.access = access;
    return m_memoryVerbs.RegisterRegion(domain, registration);
}

tl::expected<Ptr<MemoryWindow>, VerbsError>
RnicDevice::AllocateMemoryWindow(Ptr<ProtectionDomain> domain)
{
    if (m_faults.HasFailed())
    {
        return tl::make_unexpected(VerbsError::NO_DEVICE);
    }
    if (!domain || !IsAlive(m_domains, domain->GetHandle(), domain))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    return m_memoryVerbs.AllocateWindow(domain);
}

void
RnicDevice::RunCommand(Time cost)
{
    if (!cost.IsZero())
    {
        m_hostCpu->Run(*m_controlThread, cost);
    }
}

void
RnicDevice::MemoryRegistered(const MemoryRegion& region)
{
    const Time cost = m_settings.GetHostRegistration(region.GetPinnedPages());
    m_registerMemoryTrace(region, m_hostCpu->Run(*m_controlThread, cost));
}

void
RnicDevice::MemoryDeregistered(const MemoryRegion& region)
{
    const Time cost = m_settings.GetHostDeregistration(region.GetPinnedPages());
    m_deregisterMemoryTrace(region, m_hostCpu->Run(*m_controlThread, cost));
}

RnicCensus
RnicDevice::GetCensus() const
{
    RnicCensus census;
    census.protectionDomains = m_domains.size() - (m_commonDomain ? 1 : 0);
    census.completionQueues = m_completionQueues.size();
    census.queuePairs = m_queuePairs.size();
    census.sharedReceiveQueues = m_sharedReceiveQueues.size();
    const StagTable& table = m_memoryVerbs.GetTable();
    census.memoryRegions = table.GetRegions().alive;
    census.validMemoryRegions = table.GetRegions().valid;
    census.memoryWindows = table.GetWindows().alive;
    census.boundMemoryWindows = table.GetWindows().valid;
    census.pinnedPages = m_hostMemory ? m_hostMemory->GetPinnedPages() : 0;
    for (const auto& [number, pair] : m_queuePairs)
    {
        census.outstandingSends += pair->GetOutstandingSends();
        census.postedReceives += pair->GetPostedReceives();
    }
    for (const auto& [number, queue] : m_sharedReceiveQueues)
    {
        census.postedReceives += queue->GetPosted();
    }
    for (const auto& [number, id] : m_ids)
    {
        census.connections += id->IsActive() ? 1 : 0;
    }
    return census;
}

std::vector<Ptr<CmId>>
RnicDevice::ListIds() const
{
    std::vector<Ptr<CmId>> ids;
    for (const auto& [number, id] : m_ids)
    {
        ids.push_back(id);
    }
    return ids;
}

std::vector<Ptr<QueuePair>>
RnicDevice::ListQueuePairs() const
{
    std::vector<Ptr<QueuePair>> pairs;
    for (const auto& [number, pair] : m_queuePairs)
    {
        pairs.push_back(pair);
    }
    return pairs;
}

void
RnicDevice::ReportFatal()
{
    m_asyncEventTrace(AsyncEventType::DEVICE_FATAL, 0);
}

void
RnicDevice::SetTransport(Ptr<MpaTransport> transport)
{
    NS_ABORT_MSG_IF(m_node, "the transport of a device is chosen before its node");
    m_transport = transport;
}

Ptr<MpaConnection>
RnicDevice::CreateConnection(bool revision1) const
{
    m_mpaSettings->SetMaxIrd(m_settings.maxIrd);
    if (m_transport->GetKind() == MpaTransport::AWARE)
    {
        m_mpaSettings->SetOutOfOrderPlacement(true);
    }
    auto connection =
        CreateObject<MpaConnection>(revision1 ? m_mpaSettings->CopyWithRevision1() : m_mpaSettings);
    if (m_mpaSettings->GetValues().segments.countReassembly)
    {
        m_reassembly->Watch(*connection);
    }
    return connection;
}

uint32_t
RnicDevice::AddId(Ptr<CmId> id)
{
    m_ids.emplace(m_nextId, id);
    return m_nextId++;
}

void
RnicDevice::RemoveId(uint32_t handle)
{
    m_ids.erase(handle);
}

} // namespace ns3::nfsrdma
