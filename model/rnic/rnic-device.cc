/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-device.h"

#include "mpa/mpa-transport.h"
#include "rnic/cm-id.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/object-factory.h"
#include "ns3/socket.h"
#include "ns3/string.h"
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
            .AddAttribute("MpaRevision",
                          "MPA revision of connections asked for. Default: 2, as Linux siw.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&RnicDevice::m_mpaRevision),
                          MakeUintegerChecker<uint8_t>(1, 2))
            .AddAttribute("MpaCrc",
                          "Whether to ask for CRCs at MPA startup. Default: false, as Linux siw.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicDevice::m_mpaCrc),
                          MakeBooleanChecker())
            .AddAttribute("MpaDropBadSegments",
                          "Whether TCP is made to repeat a segment that holds an FPDU with a wrong "
                          "CRC or marker (RFC 5044 section 8). Default: false, as Linux siw.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicDevice::m_mpaDropBadSegments),
                          MakeBooleanChecker())
            .AddAttribute("CountReassembly",
                          "Whether the memory that arriving octets need until they form an FPDU is "
                          "counted. Default: false, for speed.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicDevice::m_countReassembly),
                          MakeBooleanChecker())
            .AddAttribute("MpaTransport",
                          "How TCP and MPA work together: layered, aware-sender or aware (RFC 5044 "
                          "section 5). Default: aware-sender.",
                          EnumValue(MpaTransport::AWARE_SENDER),
                          MakeEnumAccessor(&RnicDevice::m_mpaTransport),
                          MakeEnumChecker(MpaTransport::LAYERED,
                                          "layered",
                                          MpaTransport::AWARE_SENDER,
                                          "aware-sender",
                                          MpaTransport::AWARE,
                                          "aware"))
            .AddAttribute("MpaPacking",
                          "Whether an aware sender may put several whole FPDUs into a segment "
                          "(RFC 5044 appendix A.2). Default: false.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicDevice::m_mpaPacking),
                          MakeBooleanChecker())
            .AddAttribute("MpaNagle",
                          "Whether less than a segment waits while anything is unacknowledged "
                          "(RFC 896). Default: false (RFC 5044 section 5.1).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicDevice::m_mpaNagle),
                          MakeBooleanChecker())
            .AddAttribute("MpaPeerToPeer",
                          "Whether to ask for the peer-to-peer model of MPA revision 2. Default: "
                          "false, as Linux siw.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicDevice::m_mpaPeerToPeer),
                          MakeBooleanChecker())
            .AddAttribute("MpaReadyToReceive",
                          "Kinds of ready-to-receive FPDU to offer and to accept in that model, "
                          "the preferred one first, of Send, Write and Read. Default: Linux siw.",
                          StringValue("Write Read"),
                          MakeStringAccessor(&RnicDevice::m_mpaReadyToReceive),
                          MakeStringChecker())
            .AddAttribute("MpaConformance",
                          "Specifications spoken: rdma-consortium, non-permissive or permissive "
                          "(RFC 5044 appendix C). Default: non-permissive, as Linux siw.",
                          EnumValue(static_cast<int>(MpaConformance::NON_PERMISSIVE)),
                          MakeEnumAccessor(&RnicDevice::m_mpaConformance),
                          MakeEnumChecker(static_cast<int>(MpaConformance::RDMA_CONSORTIUM),
                                          "rdma-consortium",
                                          static_cast<int>(MpaConformance::NON_PERMISSIVE),
                                          "non-permissive",
                                          static_cast<int>(MpaConformance::PERMISSIVE),
                                          "permissive"))
            .AddAttribute("MpaMarkers",
                          "Whether to ask for markers in what is received. Default: false, as "
                          "Linux siw.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicDevice::m_mpaMarkers),
                          MakeBooleanChecker())
            .AddAttribute("MpaMarkerSupport",
                          "Whether to send markers to a peer that asks for them. Default: true "
                          "(RFC 5044 section 4.3); Linux siw rejects such a peer.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RnicDevice::m_mpaMarkerSupport),
                          MakeBooleanChecker())
            .AddAttribute("MpaResponderCrc",
                          "Whether a responder that asks for CRCs turns them on alone. Default: "
                          "true (RFC 5044 section 7.1.1); Linux siw does not.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RnicDevice::m_mpaResponderCrc),
                          MakeBooleanChecker())
            .AddAttribute("MpaRevisionFallback",
                          "Whether to connect again with revision 1 when a peer closes on a "
                          "Request of revision 2, as cxgb4 does. Default: false, as Linux siw.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RnicDevice::m_mpaRevisionFallback),
                          MakeBooleanChecker())
            .AddAttribute("MpaReplyTimeout",
                          "Time an initiator waits for the Reply (s). Default: Linux siw.",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&RnicDevice::m_mpaReplyTimeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MpaRequestTimeout",
                          "Time a responder waits for the Request (s). Default: Linux siw.",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&RnicDevice::m_mpaRequestTimeout),
                          MakeTimeChecker(Time(0)));
    return tid;
}

RnicDevice::RnicDevice()
    : m_reassembly(Create<ReassemblyMonitor>())
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
    if (m_transport)
    {
        m_transport->Dispose();
        m_transport = nullptr;
    }
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
    m_transport = CreateObjectWithAttributes<MpaTransport>("Transport",
                                                           EnumValue(m_mpaTransport),
                                                           "Packing",
                                                           BooleanValue(m_mpaPacking),
                                                           "Nagle",
                                                           BooleanValue(m_mpaNagle));
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
    ForgetContext(pair->GetNumber());
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

Ptr<MpaTransport>
RnicDevice::GetTransport() const
{
    return m_transport;
}

bool
RnicDevice::HasMpaRevisionFallback() const
{
    return m_mpaRevisionFallback && m_mpaRevision == 2;
}

Ptr<MpaConnection>
RnicDevice::CreateConnection() const
{
    auto connection = CreateObject<MpaConnection>();
    connection->SetAttribute("Conformance", EnumValue(m_mpaConformance));
    connection->SetAttribute("Revision", UintegerValue(m_mpaRevision));
    connection->SetAttribute("Crc", BooleanValue(m_mpaCrc));
    connection->SetAttribute("ResponderCrc", BooleanValue(m_mpaResponderCrc));
    connection->SetAttribute("Markers", BooleanValue(m_mpaMarkers));
    connection->SetAttribute("MarkerSupport", BooleanValue(m_mpaMarkerSupport));
    connection->SetAttribute("PeerToPeer", BooleanValue(m_mpaPeerToPeer));
    connection->SetAttribute("ReadyToReceive", StringValue(m_mpaReadyToReceive));
    connection->SetAttribute("MaxIrd", UintegerValue(GetMaxIrd()));
    connection->SetAttribute("ReplyTimeout", TimeValue(m_mpaReplyTimeout));
    connection->SetAttribute("RequestTimeout", TimeValue(m_mpaRequestTimeout));
    connection->SetAttribute("OutOfOrderPlacement",
                             BooleanValue(m_mpaTransport == MpaTransport::AWARE));
    connection->SetAttribute("DropBadSegments", BooleanValue(m_mpaDropBadSegments));
    if (m_countReassembly)
    {
        connection->SetAttribute("CountReassembly", BooleanValue(true));
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
