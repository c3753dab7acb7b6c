/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/memory-watch.h"

#include "helper/cluster.h"
#include "mpa/host-tcp.h"

#include "ns3/simulator.h"

#include <sstream>
#include <utility>

namespace ns3::nfsrdma
{

/// Listens to one host.
class MemoryWatch::Host
{
  public:
    Host(std::string name, const Ptr<RnicDevice>& device, const Ptr<Node>& node)
        : m_name(std::move(name)),
          m_device(device)
    {
        const auto memory = device->GetHostMemory();
        for (std::size_t use = 0; use < HOST_MEMORY_USES; ++use)
        {
            m_uses[use].Change(Time(),
                               0,
                               memory->GetAllocatedBytes(static_cast<HostMemoryUse>(use)));
        }
        memory->TraceConnectWithoutContext("Allocated", MakeCallback(&Host::NoteUse, this));
        memory->TraceConnectWithoutContext("Charged", MakeCallback(&Host::NoteCharge, this));
        memory->TraceConnectWithoutContext("PinnedPages", MakeCallback(&Host::NotePages, this));
        if (const auto tcp = node->GetObject<HostTcp>())
        {
            tcp->TraceConnectWithoutContext("Held", MakeCallback(&Host::NoteHeld, this));
            tcp->TraceConnectWithoutContext("Waiting", MakeCallback(&Host::NoteWaiting, this));
        }
    }

    void AddServer(const NfsRdmaServer& server)
    {
        m_caches.push_back(server.pageCache);
        server.pageCache->TraceConnectWithoutContext("Read", MakeCallback(&Host::NoteRead, this));
        server.pageCache->TraceConnectWithoutContext("DirtyPages",
                                                     MakeCallback(&Host::NoteDirty, this));
    }

    void AddUses(Time now, std::vector<MemoryUse>& uses) const
    {
        for (std::size_t use = 0; use < HOST_MEMORY_USES; ++use)
        {
            AddUse(ToString(static_cast<HostMemoryUse>(use)), m_uses[use], now, uses);
        }
        AddUse("registered", m_registered, now, uses);
        AddUse("tcp_send", m_held, now, uses);
        AddUse("tcp_receive", m_waiting, now, uses);
        const auto& reassembly = m_device->GetReassemblyMeter();
        if (reassembly.GetPeak() > 0)
        {
            uses.push_back(
                {m_name, "", "reassembly", reassembly.GetMean(now), reassembly.GetPeak()});
        }
        AddUse("receive_buffer", m_device->GetReceiveBuffer().GetMeter(), now, uses);
        auto& posted = m_device->GetClocks().GetPostedWrites();
        if (posted.GetPeak() > 0)
        {
            uses.push_back({m_name, "", "posted_writes", posted.GetMean(now), posted.GetPeak()});
        }
        const auto& reads = m_device->GetClocks().GetPcie().GetCompletions();
        if (reads.GetPeak() > 0)
        {
            uses.push_back({m_name, "", "bus_reads", reads.GetMean(now), reads.GetPeak()});
        }
        AddUse("page_cache", m_cached, now, uses);
        AddUse("exposed", m_exposed, now, uses);
    }

    [[nodiscard]] bool HasServers() const
    {
        return !m_caches.empty();
    }

    [[nodiscard]] MemoryUse GetTransport(Time now) const
    {
        return {m_name, "", "transport", m_transport.GetMean(now), m_transport.GetPeak()};
    }

    /// \param names of hosts by address
    void AddConnections(Time now,
                        const std::map<IpAddress, std::string>& names,
                        std::vector<MemoryUse>& uses) const
    {
        const auto& accounts = m_device->GetHostMemory()->GetAccounts();
        for (const auto& [account, meters] : m_connections)
        {
            const auto& [peer, number, open, octets] = accounts.Get(account);
            const auto name = names.find(peer);
            const auto connection =
                (name == names.end() ? "unknown" : name->second) + " " + std::to_string(number);
            for (std::size_t charge = 0; charge < meters.size(); ++charge)
            {
                const auto& meter = meters[charge];
                if (meter.GetPeak() > 0)
                {
                    uses.push_back({m_name,
                                    connection,
                                    ToString(static_cast<HostMemoryCharge>(charge)),
                                    meter.GetMean(now),
                                    meter.GetPeak()});
                }
            }
        }
    }

  private:
    void AddUse(const char* kind,
                const OccupancyMeter& meter,
                Time now,
                std::vector<MemoryUse>& uses) const
    {
        if (meter.GetPeak() > 0)
        {
            uses.push_back({m_name, "", kind, meter.GetMean(now), meter.GetPeak()});
        }
    }

    void NoteUse(HostMemoryUse use, uint64_t before, uint64_t now)
    {
        m_uses[static_cast<std::size_t>(use)].Change(Simulator::Now(), before, now);
        if (use == HostMemoryUse::RECEIVES || use == HostMemoryUse::SENDS ||
            use == HostMemoryUse::REPLY_PAGES || use == HostMemoryUse::READ_SINKS)
        {
            const uint64_t held = m_transport.GetCurrent();
            m_transport.Change(Simulator::Now(), held, held + now - before);
        }
    }

    void NoteCharge(HostMemoryAccount account,
                    HostMemoryCharge charge,
                    uint64_t before,
                    uint64_t now)
    {
        m_connections[account]
            .at(static_cast<std::size_t>(charge))
            .Change(Simulator::Now(), before, now);
        if (charge == HostMemoryCharge::EXPOSED)
        {
            m_exposed.Change(Simulator::Now(),
                             m_exposed.GetCurrent(),
                             m_exposed.GetCurrent() + now - before);
        }
    }

    void NotePages(uint64_t before, uint64_t now)
    {
        m_registered.Change(Simulator::Now(),
                            before * HostMemory::PAGE_SIZE,
                            now * HostMemory::PAGE_SIZE);
    }

    void NoteHeld(uint64_t before, uint64_t now)
    {
        m_held.Change(Simulator::Now(), before, now);
    }

    void NoteWaiting(uint64_t before, uint64_t now)
    {
        m_waiting.Change(Simulator::Now(), before, now);
    }

    void NoteCache()
    {
        uint64_t pages = 0;
        for (const auto& cache : m_caches)
        {
            pages += cache->GetCachedPages();
        }
        m_cached.Change(Simulator::Now(), m_cached.GetCurrent(), pages * HostMemory::PAGE_SIZE);
    }

    void NoteRead(InodeNumber /* file */, uint64_t /* found */, uint64_t /* missing */)
    {
        NoteCache();
    }

    void NoteDirty(uint64_t /* before */, uint64_t /* now */)
    {
        NoteCache();
    }

    std::string m_name;
    Ptr<RnicDevice> m_device;
    std::vector<Ptr<ServerStorage>> m_caches; ///< Of its servers.
    std::array<OccupancyMeter, HOST_MEMORY_USES> m_uses;
    std::map<HostMemoryAccount, std::array<OccupancyMeter, HOST_MEMORY_CHARGES>> m_connections;
    OccupancyMeter m_registered;
    OccupancyMeter m_held;
    OccupancyMeter m_waiting;
    OccupancyMeter m_cached;
    OccupancyMeter m_exposed;
    OccupancyMeter m_transport;
};

MemoryWatch::MemoryWatch(const Cluster& cluster)
{
    for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
    {
        const auto& addresses = cluster.GetNetwork().hostAddresses[host];
        m_names.emplace(addresses.front(), cluster.GetHostName(host));
        for (std::size_t port = 2; port <= addresses.size(); ++port)
        {
            std::ostringstream name;
            name << cluster.GetHostName(host) << " port " << port;
            m_names.emplace(addresses[port - 1], name.str());
        }
        m_hosts.push_back(std::make_unique<Host>(cluster.GetHostName(host),
                                                 cluster.GetDevice(host),
                                                 cluster.GetNetwork().devices[host]->GetNode()));
    }
    for (uint32_t server = 0; server < cluster.GetServers().size(); ++server)
    {
        m_hosts[cluster.GetServerHost(server)]->AddServer(cluster.GetServers()[server]);
        for (const auto& address : cluster.GetServerAddresses(server))
        {
            m_names.emplace(address, cluster.GetServerName(server));
        }
    }
}

MemoryWatch::~MemoryWatch() = default;

std::vector<MemoryUse>
MemoryWatch::GetUses(Time now) const
{
    std::vector<MemoryUse> uses;
    for (const auto& host : m_hosts)
    {
        host->AddUses(now, uses);
        host->AddConnections(now, m_names, uses);
    }
    return uses;
}

std::vector<MemoryUse>
MemoryWatch::GetServerTransports(Time now) const
{
    std::vector<MemoryUse> uses;
    for (const auto& host : m_hosts)
    {
        if (host->HasServers())
        {
            uses.push_back(host->GetTransport(now));
        }
    }
    return uses;
}

} // namespace ns3::nfsrdma
