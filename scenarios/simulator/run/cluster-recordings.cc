/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/run/cluster-recordings.h"

#include "scenarios/simulator/setup/client-list.h"
#include "workload/local-changes.h"
#include "workload/replay/recorded-restart.h"
#include "workload/replay/trace-rows.h"

#include "ns3/boolean.h"

#include <cmath>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// Objects of the tree may be used in a recording without having been looked up in it.
void
TellHandles(const Cluster& cluster)
{
    for (const auto& client : cluster.GetClients())
    {
        const auto& store = *cluster.GetServers()[client.server].store;
        for (const auto& [object, inode] : client.objects)
        {
            for (const auto& workload : client.workloads)
            {
                if (inode != client.root)
                {
                    workload->SetKnownHandle(object, store.GetHandle(inode));
                }
            }
        }
    }
}

} // namespace

std::vector<Population>
ListPopulations(const ScenarioConfig& config)
{
    std::vector<Population> populations;
    for (const auto& section : config.GetWorkloadSections())
    {
        populations.push_back({section, ResolveClients(config, section)});
    }
    return populations;
}

ClusterRecordings::ClusterRecordings(const ScenarioConfig& config,
                                     const WorkloadInput& input,
                                     const std::vector<Population>& populations)
    : m_config(config),
      m_input(input),
      m_populations(populations)
{
}

std::string
ClusterRecordings::ResolveNfsVersion() const
{
    if (m_config.GetOrigin("nfs.version").source == ScenarioOrigin::DEFAULT)
    {
        if (!m_input.recordings.empty())
        {
            return m_input.recordings.begin()->second.trace->GetNfsVersion();
        }
    }
    return m_config.Get("nfs.version").AsText();
}

std::string
ClusterRecordings::FindSection(uint32_t client) const
{
    for (const auto& population : m_populations)
    {
        if (m_input.recordings.count(population.section) != 0 &&
            population.clients.count(client) != 0)
        {
            return population.section;
        }
    }
    return {};
}

const Recording*
ClusterRecordings::Find(uint32_t client) const
{
    const auto section = FindSection(client);
    return section.empty() ? nullptr : &m_input.recordings.at(section);
}

std::string
ClusterRecordings::GetExportName(uint32_t client) const
{
    const std::string number = "-" + std::to_string(client);
    const auto* recording = Find(client);
    const std::string recorded =
        recording != nullptr ? recording->trace->GetExportName() : std::string();
    if (recorded.empty())
    {
        return "export" + number;
    }
    return client == 0 ? recorded : recorded + number;
}

void
ClusterRecordings::Prepare(const Cluster& cluster) const
{
    TellHandles(cluster);
    for (uint32_t client = 0; client < cluster.GetClients().size(); ++client)
    {
        if (Find(client) != nullptr)
        {
            AddLocalChanges(cluster, client);
            AddRestarts(cluster, client);
        }
    }
}

void
ClusterRecordings::AddLocalChanges(const Cluster& cluster, uint32_t client) const
{
    const auto& recording = *Find(client);
    const auto changes = FindLocalChanges(*recording.trace,
                                          recording.trace->GetTraceClient(client),
                                          recording.tree.get());
    if (changes.empty())
    {
        return;
    }
    const auto& server = cluster.GetServers()[cluster.GetClients()[client].server];
    auto local = server.node->GetObject<LocalChanges>();
    if (local == nullptr)
    {
        local = CreateObject<LocalChanges>();
        local->SetServer(server.nfs4, server.store);
        server.node->AggregateObject(local);
    }
    const auto section = FindSection(client);
    const bool closed = m_config.Get(section + ".pace").AsText() == "closed";
    const double scale = closed ? 0 : m_config.Get(section + ".time_scale").AsReal();
    for (auto change : changes)
    {
        const auto recorded = static_cast<double>(change.delay.GetNanoSeconds());
        change.delay = NanoSeconds(std::llround(recorded * scale));
        local->Add(cluster.GetClients()[client].root, change);
    }
}

void
ClusterRecordings::AddRestarts(const Cluster& cluster, uint32_t client) const
{
    const auto& recording = *Find(client);
    const auto restarts = FindRestarts(*recording.trace, recording.trace->GetTraceClient(client));
    if (restarts.empty())
    {
        return;
    }
    const auto& server = cluster.GetServers()[cluster.GetClients()[client].server];
    const auto object = GetRestarts(server);
    object->AddClient(restarts);
    for (std::size_t i = 0; i < restarts.size(); ++i)
    {
        if (!restarts[i].hasGrace)
        {
            server.nfs4->SetAttribute("RecordClients", BooleanValue(false));
        }
        for (const auto& workload : cluster.GetClients()[client].workloads)
        {
            if (const auto replay = DynamicCast<ReplayWorkload>(workload))
            {
                replay->SetGate(restarts[i].line, [object, i](std::function<void()> go) {
                    object->Await(i, std::move(go));
                });
            }
        }
    }
}

Ptr<ServerRestarts>
ClusterRecordings::GetRestarts(const NfsRdmaServer& server) const
{
    auto object = server.node->GetObject<ServerRestarts>();
    if (object == nullptr)
    {
        const auto port = static_cast<uint16_t>(m_config.Get("nfs.port").AsInteger());
        object = CreateObject<ServerRestarts>();
        object->SetServer(
            server.rpc,
            [transport = server.transport, nfs4 = server.nfs4] {
                transport->Stop();
                nfs4->Restart();
            },
            [transport = server.transport, port] { transport->Listen(port); });
        server.node->AggregateObject(object);
    }
    return object;
}

} // namespace ns3::nfsrdma
