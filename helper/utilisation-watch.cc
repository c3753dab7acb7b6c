/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/utilisation-watch.h"

#include "helper/cluster.h"
#include "host/cpu.h"
#include "host/occupancy-meter.h"

#include "ns3/assert.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace ns3::nfsrdma
{

namespace
{

/// \return the mean number of places that were busy for \p busy together.
double
GetMeanNumber(Time busy, Time span, uint32_t places)
{
    if (!span.IsStrictlyPositive())
    {
        return 0;
    }
    const double mean = std::max(busy.GetDouble() / span.GetDouble(), 0.0);
    return places == 0 ? mean : std::min<double>(mean, places);
}

/// \return the integral over time of what \p meter has measured.
Time
GetArea(const OccupancyMeter& meter)
{
    const Time now = Simulator::Now();
    return NanoSeconds(
        std::llround(meter.GetMean(now) * static_cast<double>(now.GetNanoSeconds())));
}

} // namespace

UtilisationWatch::UtilisationWatch(const Cluster& cluster)
    : m_cluster(cluster)
{
    const auto servers = static_cast<uint32_t>(cluster.GetServers().size());
    const bool areApart = servers == cluster.GetServerHostCount();
    std::vector<const NfsRdmaClient*> clients(cluster.GetHostCount(), nullptr);
    for (uint32_t client = 0; client < cluster.GetClients().size(); ++client)
    {
        clients.at(cluster.GetClientHost(client)) = &cluster.GetClients()[client].stack;
    }
    for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
    {
        const auto name = cluster.GetHostName(host);
        const auto device = cluster.GetDevice(host);
        const auto& ports = cluster.GetNetwork().hostPorts[host];
        for (uint32_t number = 0; number < ports.size(); ++number)
        {
            Add(
                name,
                "link",
                1,
                [port = PeekPointer(ports[number])] { return port->GetCounters().busy; },
                ports.size() > 1 ? std::make_optional(number) : std::nullopt);
        }
        AddDevice(name, PeekPointer(device));
        AddCores(name, PeekPointer(device->GetHostCpu()));
        if (areApart && host < servers)
        {
            AddServer(name, cluster.GetServers()[host]);
        }
        if (clients[host] != nullptr)
        {
            AddClient(name, *clients[host]);
        }
    }
    for (uint32_t server = 0; !areApart && server < servers; ++server)
    {
        AddServer(cluster.GetServerName(server), cluster.GetServers()[server]);
    }
    for (const auto& port : cluster.GetNetwork().ports)
    {
        const auto device = cluster.GetNetwork().switches[port.ethernetSwitch]->GetPort(port.port);
        Add(cluster.GetNetwork().switchNames[port.ethernetSwitch] + " to " + port.peer,
            "link",
            1,
            [port = PeekPointer(device)] { return port->GetCounters().busy; });
    }
    m_resources.shrink_to_fit();
    m_threadsBefore.resize(servers);
    Restart();
}

void
UtilisationWatch::Add(const std::string& place,
                      std::string_view resource,
                      uint32_t places,
                      std::function<Time()> busy,
                      std::optional<uint32_t> number,
                      std::function<uint64_t()> peak)
{
    if (m_places.empty() || m_places.back() != place)
    {
        m_places.push_back(place);
    }
    auto& added = m_resources.emplace_back();
    added.place = static_cast<uint32_t>(m_places.size() - 1);
    added.places = places;
    added.name = resource;
    added.number = number;
    added.busy = std::move(busy);
    added.peak = std::move(peak);
}

void
UtilisationWatch::AddCredits(const std::string& place,
                             std::string_view resource,
                             uint32_t places,
                             FlowCredits& credits)
{
    Add(
        place,
        resource,
        places,
        [&credits] { return credits.GetArea(); },
        std::nullopt,
        [&credits] { return credits.GetPeak(); });
}

void
UtilisationWatch::AddMeter(const std::string& place,
                           std::string_view resource,
                           uint32_t places,
                           const std::function<const OccupancyMeter&()>& meter,
                           std::optional<uint32_t> number)
{
    Add(
        place,
        resource,
        places,
        [meter] { return GetArea(meter()); },
        number,
        [meter] { return meter().GetPeak(); });
}

void
UtilisationWatch::AddDevice(const std::string& place, RnicDevice* device)
{
    const RnicSettings& settings = device->GetSettings();
    Add(place, "transmit_engine", 1, [device] { return device->GetCounters().transmitBusy; });
    Add(place, "receive_engine", 1, [device] { return device->GetCounters().receiveBusy; });
    Add(place, "memory_unit", 1, [device] { return device->GetCounters().memoryUnitBusy; });
    Add(place, "bus_to_device", 1, [device] {
        return device->GetClocks().GetBus().GetBusy(PcieBus::Direction::TO_DEVICE);
    });
    Add(place, "bus_to_host", 1, [device] {
        return device->GetClocks().GetBus().GetBusy(PcieBus::Direction::TO_HOST);
    });
    if (!settings.engineOnHost)
    {
        RnicClocks& clocks = device->GetClocks();
        AddCredits(place, "bus_reads", settings.pcieTags, clocks.GetPcie().GetTags());
        AddCredits(place, "posted_writes", settings.pciePostedWrites, clocks.GetPostedWrites());
    }
    if (settings.contextNearSize != 0)
    {
        Add(place, "context_port", 1, [device] {
            return device->GetSettings().contextLoad *
                   static_cast<int64_t>(device->GetCounters().contextLoads);
        });
    }
    ContextStore& contexts = device->GetClocks().GetContexts();
    if (contexts.IsBounded())
    {
        AddCredits(place, "context_fetches", settings.contextFetches, contexts.GetFetches());
    }
}

void
UtilisationWatch::AddCores(const std::string& place, HostCpu* cpu)
{
    Add(place, "cores", cpu->GetCores(), [cpu] { return cpu->GetUsed(); });
    for (std::size_t number = 0; number < HOST_CONTEXTS; ++number)
    {
        const auto context = static_cast<HostContext>(number);
        Add(place, ToString(context), cpu->GetCores(), [cpu, context] {
            return cpu->GetUsed(context);
        });
    }
    for (uint32_t core = 0; core < cpu->GetCores(); ++core)
    {
        Add(
            place,
            "core",
            1,
            [cpu, core] { return cpu->GetUsedOf(core); },
            core);
    }
}

void
UtilisationWatch::AddServer(const std::string& place, const NfsRdmaServer& server)
{
    const auto pool = server.rpc->GetThreadPool();
    AddMeter(place, "threads", pool->GetSize(), [pool]() -> const OccupancyMeter& {
        return pool->GetBusyMeter();
    });
    AddMeter(place, "thread_queue", 0, [pool]() -> const OccupancyMeter& {
        return pool->GetQueueMeter();
    });
    const auto storage = server.storage;
    Add(place, "storage", static_cast<uint32_t>(storage->CountPlaces()), [storage] {
        return storage->GetServiceTime();
    });
}

void
UtilisationWatch::AddClient(const std::string& place, const NfsRdmaClient& client)
{
    UintegerValue slots;
    if (client.transport)
    {
        client.transport->GetAttribute("Slots", slots);
    }
    for (uint32_t i = 0; i < client.transports.size(); ++i)
    {
        const auto meter = std::make_shared<OccupancyMeter>();
        client.transports[i]->TraceConnectWithoutContext(
            "Outstanding",
            Callback<void, uint32_t, uint32_t>([meter](uint32_t before, uint32_t now) {
                meter->Change(Simulator::Now(), before, now);
            }));
        AddMeter(
            place,
            "credits",
            static_cast<uint32_t>(slots.Get()),
            [meter]() -> const OccupancyMeter& { return *meter; },
            i);
    }
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
    std::size_t threads = 0;
    for (const auto& server : m_cluster.GetServers())
    {
        threads += server.rpc->GetThreadPool()->GetAccounts().size();
    }
    utilisations.reserve(m_resources.size() + threads);
    for (const auto& resource : m_resources)
    {
        auto& added = utilisations.emplace_back();
        added.place = m_places[resource.place];
        added.resource = resource.name;
        added.number = resource.number;
        added.places = resource.places;
        added.mean = GetMeanNumber(resource.busy() - resource.before, span, resource.places);
        if (resource.peak)
        {
            added.peak = resource.peak();
        }
        if (resource.name != "threads")
        {
            continue;
        }
        for (std::size_t server = 0; server < m_threadsBefore.size(); ++server)
        {
            if (m_cluster.GetServerName(static_cast<uint32_t>(server)) != m_places[resource.place])
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
                utilisations.push_back({m_places[resource.place],
                                        "thread",
                                        static_cast<uint32_t>(thread),
                                        1,
                                        GetMeanNumber(held, span, 1),
                                        std::nullopt});
            }
        }
    }
    return utilisations;
}

} // namespace ns3::nfsrdma
