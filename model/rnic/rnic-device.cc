/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-device.h"

#include "rnic/cm-id.h"

#include "ns3/abort.h"
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
        TypeId("ns3::nfsrdma::RnicDevice")
            .SetParent<RnicHardware>()
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
                          MakePointerChecker<MpaTransport>());
    return tid;
}

RnicDevice::RnicDevice()
    : m_reassembly(Create<ReassemblyMonitor>()),
      m_mpaSettings(CreateObject<MpaSettings>()),
      m_transport(CreateObject<MpaTransport>())
{
}

RnicDevice::~RnicDevice() = default;

void
RnicDevice::DoDispose()
{
    m_transmitEngine.Stop();
    DisposeAll(m_ids);
    DisposeAll(m_queuePairs);
    DisposeAll(m_completionQueues);
    m_stagTable.Clear();
    DisposeAll(m_domains);
    m_transport->Dispose();
    m_hostMemory = nullptr;
    m_hostCpu = nullptr;
    m_node = nullptr;
    RnicHardware::DoDispose();
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
    SetCpu(m_hostCpu);
    m_transport->SetNode(node);
    m_stagTable.SetFirstIndex(m_firstStagIndex);
}

Ptr<Node>
RnicDevice::GetNode() const
{
    return m_node;
}

Ptr<HostCpu>
RnicDevice::GetHostCpu() const
{
    return m_hostCpu;
}

Ptr<HostMemory>
RnicDevice::GetHostMemory() const
{
    return m_hostMemory;
}

tl::expected<Ptr<ProtectionDomain>, VerbsError>
RnicDevice::AllocateProtectionDomain()
{
    if (m_domains.size() >= GetMaxProtectionDomains())
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

tl::expected<Ptr<CompletionQueue>, VerbsError>
RnicDevice::CreateCompletionQueue(uint32_t depth)
{
    if (depth == 0 || depth > GetMaxCqDepth())
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (m_completionQueues.size() >= GetMaxCompletionQueues())
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
                            const QueuePairCapabilities& sizes)
{
    const auto isAlive = [this](const Ptr<CompletionQueue>& queue) {
        return queue && IsAlive(m_completionQueues, queue->GetNumber(), queue) && !queue->IsDead();
    };
    const auto isAllowed = [this](uint32_t depth) {
        return depth != 0 && depth <= GetMaxQueueDepth();
    };
    if (!domain || !IsAlive(m_domains, domain->GetHandle(), domain) || !isAlive(sendQueue) ||
        !isAlive(receiveQueue) || !isAllowed(sizes.sendDepth) || !isAllowed(sizes.receiveDepth))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (m_queuePairs.size() >= GetMaxQueuePairs())
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    auto pair = CreateObject<QueuePair>();
    pair->Bind(*this, domain, sendQueue, receiveQueue, sizes, m_nextQueuePair);
    m_queuePairs.emplace(m_nextQueuePair++, pair);
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
    pair->Shutdown();
    pair->Dispose();
    return {};
}

tl::expected<Ptr<MemoryRegion>, VerbsError>
RnicDevice::AllocateMemoryRegion(Ptr<ProtectionDomain> domain, uint32_t maxPages)
{
    if (!domain || !IsAlive(m_domains, domain->GetHandle(), domain) || maxPages == 0 ||
        maxPages > GetMaxFastRegisterPages())
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (m_stagTable.GetCount() >= GetMaxMemoryRegions())
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    auto region = CreateObject<MemoryRegion>();
    const auto index = m_stagTable.Insert(region);
    if (!index)
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    region->Bind(*index, domain, maxPages);
    domain->AddUser();
    return region;
}

tl::expected<void, VerbsError>
RnicDevice::Destroy(Ptr<MemoryRegion> region)
{
    if (!region || m_stagTable.Find(region->GetStag()) != PeekPointer(region))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    m_stagTable.Remove(region->GetIndex());
    region->GetProtectionDomain()->RemoveUser();
    region->Dispose();
    return {};
}

RnicCensus
RnicDevice::GetCensus() const
{
    RnicCensus census;
    census.protectionDomains = m_domains.size();
    census.completionQueues = m_completionQueues.size();
    census.queuePairs = m_queuePairs.size();
    census.memoryRegions = m_stagTable.GetCount();
    census.validMemoryRegions = m_stagTable.GetValidCount();
    for (const auto& [number, pair] : m_queuePairs)
    {
        census.outstandingSends += pair->GetOutstandingSends();
        census.postedReceives += pair->GetPostedReceives();
    }
    for (const auto& [number, id] : m_ids)
    {
        census.connections += id->IsActive() ? 1 : 0;
    }
    return census;
}

StagTable&
RnicDevice::GetStagTable()
{
    return m_stagTable;
}

TransmitEngine&
RnicDevice::GetTransmitEngine()
{
    return m_transmitEngine;
}

const OccupancyMeter&
RnicDevice::GetReassemblyMeter() const
{
    return m_reassembly->GetMeter();
}

void
RnicDevice::SetMpaSettings(Ptr<MpaSettings> settings)
{
    m_mpaSettings = settings;
}

Ptr<MpaSettings>
RnicDevice::GetMpaSettings() const
{
    return m_mpaSettings;
}

void
RnicDevice::SetTransport(Ptr<MpaTransport> transport)
{
    NS_ABORT_MSG_IF(m_node, "the transport of a device is chosen before its node");
    m_transport = transport;
}

Ptr<MpaTransport>
RnicDevice::GetTransport() const
{
    return m_transport;
}

Ptr<MpaConnection>
RnicDevice::CreateConnection(bool revision1) const
{
    m_mpaSettings->SetMaxIrd(GetMaxIrd());
    if (m_transport->GetKind() == MpaTransport::AWARE)
    {
        m_mpaSettings->SetOutOfOrderPlacement(true);
    }
    auto connection =
        CreateObject<MpaConnection>(revision1 ? m_mpaSettings->CopyWithRevision1() : m_mpaSettings);
    if (m_mpaSettings->CountsReassembly())
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
