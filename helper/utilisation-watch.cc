/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/utilisation-watch.h"

#include "helper/cluster.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

double
GetShare(Time busy, Time span, uint32_t places)
{
    const double available = span.GetDouble() * places;
    return available > 0 ? std::clamp(busy.GetDouble() / available, 0.0, 1.0) : 0;
}

} // namespace

UtilisationWatch::UtilisationWatch(const Cluster& cluster)
    : m_cluster(cluster)
{
    const auto servers = static_cast<uint32_t>(cluster.GetServers().size());
    for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
    {
        const auto name = cluster.GetHostName(host);
        const auto port = cluster.GetNetwork().devices[host];
        const auto device = cluster.GetDevice(host);
        const auto cpu = device->GetHostCpu();
        Add(name, "link", 1, [port] { return port->GetCounters().busy; });
        Add(name, "transmit_engine", 1, [device] { return device->GetCounters().transmitBusy; });
        Add(name, "receive_engine", 1, [device] { return device->GetCounters().receiveBusy; });
        Add(name, "memory_unit", 1, [device] { return device->GetCounters().memoryUnitBusy; });
        Add(name, "bus_to_device", 1, [device] {
            return device->GetClocks().GetBus().GetBusy(PcieBus::Direction::TO_DEVICE);
        });
        Add(name, "bus_to_host", 1, [device] {
            return device->GetClocks().GetBus().GetBusy(PcieBus::Direction::TO_HOST);
        });
        Add(name, "cores", cpu->GetCores(), [cpu] { return cpu->GetUsed(); });
        if (host >= servers)
        {
            continue;
        }
        const auto& server = cluster.GetServers()[host];
        const auto pool = server.rpc->GetThreadPool();
        Add(name, "threads", pool->GetSize(), [pool] {
            const Time now = Simulator::Now();
            return NanoSeconds(static_cast<int64_t>(pool->GetBusyMeter().GetMean(now) *
                                                    static_cast<double>(now.GetNanoSeconds())));
        });
        UintegerValue depth;
        server.storage->GetAttribute("QueueDepth", depth);
        const auto storage = server.storage;
        Add(name, "storage", static_cast<uint32_t>(depth.Get()), [storage] {
            return storage->GetServiceTime();
        });
    }
    for (const auto& port : cluster.GetNetwork().ports)
    {
        const auto device = cluster.GetNetwork().switches[port.ethernetSwitch]->GetPort(port.port);
        Add(cluster.GetNetwork().switchNames[port.ethernetSwitch] + " to " + port.peer,
            "link",
            1,
            [device] { return device->GetCounters().busy; });
    }
    m_threadsBefore.resize(servers);
    Restart();
}

void
UtilisationWatch::Add(const std::string& place,
                      const std::string& resource,
                      uint32_t places,
                      std::function<Time()> busy)
{
    m_resources.push_back({{place, resource, 0, places, 0}, std::move(busy), Time()});
}

void
UtilisationWatch::Restart()
{
    m_began = Simulator::Now();
    for (auto& resource : m_resources)
    {
        resource.before = resource.busy();
    }
    for (std::size_t server = 0; server < m_threadsBefore.size(); ++server)
    {
        auto& before = m_threadsBefore[server];
        before.clear();
        for (const auto& thread :
             m_cluster.GetServers()[server].rpc->GetThreadPool()->GetAccounts())
        {
            before.push_back(thread.held);
        }
    }
}

std::vector<Utilisation>
UtilisationWatch::GetUtilisations() const
{
    const Time span = Simulator::Now() - m_began;
    std::vector<Utilisation> utilisations;
    for (const auto& resource : m_resources)
    {
        utilisations.push_back(resource.what);
        utilisations.back().share =
            GetShare(resource.busy() - resource.before, span, resource.what.places);
        if (resource.what.resource != "threads")
        {
            continue;
        }
        for (std::size_t server = 0; server < m_threadsBefore.size(); ++server)
        {
            if (m_cluster.GetHostName(static_cast<uint32_t>(server)) != resource.what.place)
            {
                continue;
            }
            const auto& before = m_threadsBefore[server];
            const auto accounts =
                m_cluster.GetServers()[server].rpc->GetThreadPool()->GetAccounts();
            for (std::size_t thread = 0; thread < accounts.size(); ++thread)
            {
                const Time held =
                    accounts[thread].held - (thread < before.size() ? before[thread] : Time());
                utilisations.push_back({resource.what.place,
                                        "thread",
                                        static_cast<uint32_t>(thread),
                                        1,
                                        GetShare(held, span, 1)});
            }
        }
    }
    return utilisations;
}

} // namespace ns3::nfsrdma
