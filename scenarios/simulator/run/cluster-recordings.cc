/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/run/cluster-recordings.h"

#include "workload/local-changes.h"
#include "workload/replay/recorded-restart.h"
#include "workload/replay/trace-rows.h"

#include "ns3/boolean.h"

#include <cmath>
#include <tuple>
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

ClusterRecordings::ClusterRecordings(const ClusterPlan& plan)
    : m_plan(plan)
{
}

std::string
ClusterRecordings::GetExportName(uint32_t client) const
{
    const std::string number = "-" + std::to_string(client);
    const auto* replay = m_plan.FindReplay(client);
    const std::string recorded =
        replay != nullptr ? replay->recording->trace->GetExportName() : std::string();
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
        if (const auto* replay = m_plan.FindReplay(client))
        {
            AddLocalChanges(cluster, client, *replay);
            AddRestarts(cluster, client, *replay->recording->trace);
        }
    }
}

void
ClusterRecordings::AddLocalChanges(const Cluster& cluster,
                                   uint32_t client,
                                   const WorkloadPlan& replay)
{
    const Recording& recording = *replay.recording;
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
    for (auto change : changes)
    {
        const auto recorded = static_cast<double>(change.delay.GetNanoSeconds());
        change.delay = NanoSeconds(std::llround(recorded * replay.timeScale));
        local->Add(cluster.GetClients()[client].root, change);
    }
}

void
ClusterRecordings::AddRestarts(const Cluster& cluster, uint32_t client, const Trace& trace) const
{
    const auto restarts = FindRestarts(trace, trace.GetTraceClient(client));
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
        object = CreateObject<ServerRestarts>();
        object->SetServer(
            server.rpc,
            [server] {
                server.Stop();
                server.nfs4->Restart();
            },
            [server] { std::ignore = server.Listen(); });
        server.node->AggregateObject(object);
    }
    return object;
}

} // namespace ns3::nfsrdma
