/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/leftover-census.h"

#include "host/buffer-store.h"
#include "mpa/tcp-engine.h"

#include "ns3/object-vector.h"
#include "ns3/tcp-l4-protocol.h"

#include <array>

namespace ns3::nfsrdma
{

namespace
{

uint64_t
CountTcpSockets(Ptr<Node> node)
{
    ObjectVectorValue sockets;
    node->GetObject<TcpL4Protocol>()->GetAttribute("SocketList", sockets);
    const auto engine = node->GetObject<TcpEngine>();
    return sockets.GetN() + (engine ? engine->CountConnections() : 0);
}

} // namespace

LeftoverCensus::LeftoverCensus()
{
    constexpr std::array<const char*, KINDS> NAMES{"memory_regions",
                                                   "valid_memory_regions",
                                                   "memory_windows",
                                                   "pinned_pages",
                                                   "credits",
                                                   "slots",
                                                   "send_wqes",
                                                   "receive_wqes",
                                                   "queue_pairs",
                                                   "completion_queues",
                                                   "protection_domains",
                                                   "connections",
                                                   "tcp_sockets",
                                                   "server_threads",
                                                   "storage_requests",
                                                   "file_locks",
                                                   "host_memory_bytes",
                                                   "receive_buffer_octets"};
    for (const auto* name : NAMES)
    {
        m_counts.emplace_back(name, 0);
    }
}

void
LeftoverCensus::Add(const std::string& name, const NfsRdmaClient& client)
{
    AddHost(name, client.node, client.device);
    Record(name, CREDITS, client.path->GetPending());
    Record(name, SLOTS, client.nfs->GetPending() + (client.nfs2 ? client.nfs2->GetPending() : 0));
    Record(name, FILE_LOCKS, client.files->GetLocalLocks().GetLockCount());
    for (const auto& transport : client.transports)
    {
        transport->Dispose();
    }
    for (const auto& transport : client.tcpTransports)
    {
        transport->Dispose();
    }
    HostBufferStore::Clear(client.memory);
    Record(name, HOST_MEMORY_BYTES, client.memory->GetAllocatedBytes());
}

void
LeftoverCensus::Add(const std::string& name, const NfsRdmaServer& server)
{
    Record(name,
           CONNECTIONS,
           server.transport->GetConnectionCount() +
               (server.tcp ? server.tcp->GetConnectionCount() : 0));
    Record(name, SERVER_THREADS, server.rpc->GetBusyThreads() + server.rpc->GetQueuedCalls());
    Record(name, STORAGE_REQUESTS, server.pageCache->GetPending());
    if (server.daemons && server.daemons->GetLockServer())
    {
        Record(name, FILE_LOCKS, server.daemons->GetLockServer()->GetTable().GetLockCount());
    }
}

void
LeftoverCensus::AddServerHost(const std::string& name, const NfsRdmaServer& server)
{
    AddHost(name, server.node, server.device);
    HostBufferStore::Clear(server.memory);
    Record(name,
           HOST_MEMORY_BYTES,
           server.memory->GetAllocatedBytes() -
               server.memory->GetAllocatedBytes(HostMemoryUse::THREADS));
}

void
LeftoverCensus::AddHost(const std::string& name, Ptr<Node> node, const Ptr<RnicDevice>& device)
{
    const auto census = device->GetCensus();
    Record(name, MEMORY_REGIONS, census.memoryRegions);
    Record(name, VALID_MEMORY_REGIONS, census.validMemoryRegions);
    Record(name, MEMORY_WINDOWS, census.memoryWindows);
    Record(name, PINNED_PAGES, census.pinnedPages);
    Record(name, SEND_WQES, census.outstandingSends);
    Record(name, RECEIVE_WQES, census.postedReceives);
    Record(name, QUEUE_PAIRS, census.queuePairs);
    Record(name, COMPLETION_QUEUES, census.completionQueues);
    Record(name, PROTECTION_DOMAINS, census.protectionDomains);
    Record(name, CONNECTIONS, census.connections);
    Record(name, RECEIVE_BUFFER_OCTETS, device->GetReceiveBuffer().GetMeter().GetCurrent());
    Record(name, TCP_SOCKETS, CountTcpSockets(node));
}

void
LeftoverCensus::Record(const std::string& name, Kind kind, uint64_t count)
{
    if (count != 0)
    {
        m_counts.at(kind).second += count;
        m_lines.push_back(name + ": " + std::to_string(count) + " " + m_counts.at(kind).first);
    }
}

const std::vector<LeftoverCensus::Count>&
LeftoverCensus::GetCounts() const
{
    return m_counts;
}

const std::vector<std::string>&
LeftoverCensus::GetLines() const
{
    return m_lines;
}

bool
LeftoverCensus::IsEmpty() const
{
    return m_lines.empty();
}

} // namespace ns3::nfsrdma
