/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/run/cluster-from-plan.h"

#include "scenarios/simulator/run/cluster-recordings.h"
#include "workload/generate/measured-files.h"
#include "workload/replay/trace-rows.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

/// Classes of objects that the daemons of a host make by themselves, with the defaults that are
/// set.
const std::set<std::string> MADE_BY_HOSTS{"MountServer",
                                          "NlmClient",
                                          "NlmServer",
                                          "RpcTcpClient",
                                          "RpcTcpServer",
                                          "RpcbindServer",
                                          "TcpEngine"};

/// \return whether \p attribute says that there is no bond, which no bond can be told.
bool
IsOfNoBond(const AttributeText& attribute)
{
    return attribute.target == "BondNetDevice::Mode" && attribute.value == "none";
}

/// Sets an attribute of the network's parts; \return whether \p attribute is one.
bool
SetNetworkAttribute(const AttributeText& attribute, EthernetNetworkHelper& network)
{
    using Setter = void (EthernetNetworkHelper::*)(const std::string&, const AttributeValue&);
    static const std::map<std::string, Setter> setters{
        {"EthernetNetDevice", &EthernetNetworkHelper::SetDeviceAttribute},
        {"EthernetChannel", &EthernetNetworkHelper::SetChannelAttribute},
        {"EthernetSwitch", &EthernetNetworkHelper::SetSwitchAttribute},
        {"ResegmentingMiddlebox", &EthernetNetworkHelper::SetMiddleboxAttribute},
        {"LinkImpairment", &EthernetNetworkHelper::SetImpairmentAttribute},
        {"BondNetDevice", &EthernetNetworkHelper::SetBondAttribute}};
    const auto found = setters.find(attribute.GetClass());
    if (found == setters.end())
    {
        return false;
    }
    (network.*found->second)(attribute.GetName(), StringValue(attribute.value));
    return true;
}

void
SetAttributes(const ClusterPlan& plan, ClusterHelper& helper)
{
    for (const auto& attribute : plan.attributes)
    {
        const StringValue value(attribute.value);
        if (IsOfNoBond(attribute) || SetNetworkAttribute(attribute, helper.GetNetwork()))
        {
            continue;
        }
        if (MADE_BY_HOSTS.count(attribute.GetClass()) != 0)
        {
            Config::SetDefault("ns3::nfsrdma::" + attribute.target, value);
        }
        else
        {
            helper.SetAttribute(attribute.target, value);
        }
    }
    for (const auto& attribute : plan.serverAttributes)
    {
        helper.SetServerAttribute(attribute.target, StringValue(attribute.value));
    }
    for (const auto& attribute : plan.clientAttributes)
    {
        helper.SetClientAttribute(attribute.target, StringValue(attribute.value));
    }
    for (uint32_t host = 0; host < plan.hosts.size(); ++host)
    {
        helper.GetNetwork().SetHostLink(host, plan.hosts[host].link);
        for (const auto& attribute : plan.hosts[host].attributes)
        {
            if (IsOfNoBond(attribute))
            {
                continue;
            }
            if (attribute.GetClass() == "BondNetDevice")
            {
                helper.GetNetwork().SetHostBondAttribute(host,
                                                         attribute.GetName(),
                                                         StringValue(attribute.value));
                continue;
            }
            helper.SetHostAttribute(host, attribute.target, StringValue(attribute.value));
        }
    }
}

void
SetNetwork(const ClusterPlan& plan, ClusterHelper& helper)
{
    auto& network = helper.GetNetwork();
    helper.SetTopology(*plan.topology);
    helper.SetMtu(plan.network.mtu);
    helper.GetTcp() = plan.tcp;
    helper.SetIpsec(plan.network.ipsecHosts, plan.seed);
    helper.SetAttribute("RpcTls::Seed", UintegerValue(plan.seed));
    helper.SetAttribute("RpcTls::KeepSecrets", BooleanValue(!plan.output.pcapHosts.empty()));
    network.SetIpv6(plan.network.ipv6);
    network.SetBonded(plan.network.bonded);
    network.SetDirectedArp(plan.network.directedArp);
    network.SetWeightedPaths(plan.network.weightedPaths);
    network.SetArpQueue(plan.network.arpQueue);
    network.SetQueueSizes(plan.network.hostQueue, plan.network.switchQueue);
    if (!plan.network.middleboxHosts.empty())
    {
        network.AddMiddleboxes();
        network.SetMiddleboxHosts(plan.network.middleboxHosts);
    }
}

void
SetNfs(const NfsPlan& nfs, ClusterHelper& helper)
{
    helper.SetConnections(nfs.connections);
    helper.SetMaxConnect(nfs.maxConnect);
    helper.SetServerAddress(nfs.serverAddress);
    helper.SetNfsPort(nfs.port);
    helper.SetTcp(nfs.tcp);
    helper.SetTcpClients(nfs.tcpClients);
    helper.SetServersPerHost(nfs.serversPerHost);
    helper.SetNfsVersion(nfs.version);
    helper.SetTcpMount(nfs.tcpMount);
    helper.SetLockManagers(nfs.lockManagers);
    helper.SetSharedExport(nfs.sharedExport);
    helper.SetMountFlavors(nfs.security);
    helper.SetSecurity(nfs.security);
    helper.SetStorage(nfs.storage);
}

/// Gives the workload of a client the arrivals of a trace, or its part of them.
void
SetArrivals(const WorkloadPlan& plan, uint32_t client, const Ptr<Workload>& workload)
{
    const auto files = DynamicCast<FileWorkload>(workload);
    if (!files || !plan.arrivals)
    {
        return;
    }
    auto own = plan.arrivals;
    if (plan.sharesArrivals)
    {
        const auto turn = static_cast<std::size_t>(
            std::distance(plan.clients.begin(), plan.clients.find(client)));
        auto part = std::make_shared<std::vector<Time>>();
        for (std::size_t i = turn; i < plan.arrivals->size(); i += plan.clients.size())
        {
            part->push_back((*plan.arrivals)[i]);
        }
        own = part;
    }
    files->SetArrivalTimes(own);
}

std::vector<Ptr<Workload>>
MakeWorkloads(const ClusterPlan& plan, uint32_t client)
{
    std::vector<Ptr<Workload>> workloads;
    for (const auto& one : plan.workloads)
    {
        if (one.clients.count(client) == 0)
        {
            continue;
        }
        const auto workload = Workload::Create(one.kind);
        for (const auto& attribute : one.attributes)
        {
            workload->SetAttribute(attribute.GetName(), StringValue(attribute.value));
        }
        if (!one.name.empty())
        {
            workload->SetName(one.name);
        }
        if (const auto files = DynamicCast<FileWorkload>(workload))
        {
            files->SetDirectory(one.directory);
        }
        SetArrivals(one, client, workload);
        workload->SetBackground(one.background);
        if (plan.measurement.barrier)
        {
            workload->SetBeginDelay(one.delay);
        }
        else
        {
            workload->SetStartTime(one.delay);
        }
        if (const auto replay = DynamicCast<ReplayWorkload>(workload))
        {
            replay->SetTrace(one.recording->trace);
        }
        workloads.push_back(workload);
    }
    return workloads;
}

AuthSysCredential
MakeCredential(const WorkloadPlan* replay, uint32_t client)
{
    AuthSysCredential credential;
    credential.machineName = "client-" + std::to_string(client);
    if (replay != nullptr && !replay->recording->trace->clients.empty())
    {
        const Trace& trace = *replay->recording->trace;
        const auto& recorded = trace.clients.at(trace.GetTraceClient(client));
        credential.machineName = recorded.machine;
        credential.uid = recorded.uid;
        credential.gid = recorded.gid;
        credential.gids = recorded.gids;
    }
    return credential;
}

} // namespace

void
ConfigureSimulator(const ClusterPlan& plan)
{
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    RngSeedManager::SetSeed(static_cast<uint32_t>(plan.seed));
    RngSeedManager::SetRun(1);
}

std::unique_ptr<Cluster>
BuildCluster(const ClusterPlan& plan)
{
    ClusterHelper helper;
    const ClusterRecordings recordings(plan);
    helper.SetSize(plan.size.clients, plan.size.servers);
    SetNetwork(plan, helper);
    SetNfs(plan.nfs, helper);
    SetAttributes(plan, helper);
    helper.SetStartSpread(plan.startSpread);
    helper.SetAbsent(plan.rogueClients);
    helper.SetWorkloads([&plan](uint32_t client) { return MakeWorkloads(plan, client); });
    if (!plan.sharedTrees.empty())
    {
        helper.SetSharedTrees([&plan](uint32_t client) {
            const auto found = plan.sharedTrees.find(client);
            return found == plan.sharedTrees.end() ? std::string() : found->second;
        });
    }
    if (plan.HasReplay())
    {
        helper.SetCredential(
            [&plan](uint32_t client) { return MakeCredential(plan.FindReplay(client), client); });
        helper.SetExportNames([&](uint32_t client) { return recordings.GetExportName(client); });
        helper.SetTrees([&plan](uint32_t client) {
            const auto* replay = plan.FindReplay(client);
            return replay != nullptr ? replay->recording->tree : nullptr;
        });
    }
    auto cluster = helper.Build();
    cluster->SetMeasurement(plan.measurement);
    recordings.Prepare(*cluster);
    return cluster;
}

} // namespace ns3::nfsrdma
