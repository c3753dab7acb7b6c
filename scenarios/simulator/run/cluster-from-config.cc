/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/run/cluster-from-config.h"

#include "scenarios/simulator/run/cluster-recordings.h"
#include "scenarios/simulator/setup/adversary-check.h"
#include "scenarios/simulator/setup/host-settings.h"
#include "scenarios/simulator/setup/nfs-check.h"
#include "scenarios/simulator/setup/path-timers.h"
#include "scenarios/simulator/setup/scenario-check.h"
#include "scenarios/simulator/setup/workload-check.h"
#include "workload/replay/trace-rows.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>
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
                                          "RpcbindServer"};

/// \return class and attribute of "Class::Attribute".
std::pair<std::string, std::string>
SplitTarget(const std::string& target)
{
    const auto colons = target.find("::");
    return {target.substr(0, colons), target.substr(colons + 2)};
}

bool
EndsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Calls \p set with the attributes of the thresholds of \p section that are other than its
/// inline_threshold.
void
ApplyThresholds(const ScenarioConfig& config,
                const std::string& section,
                const std::function<void(const char*, const StringValue&)>& set)
{
    const std::pair<const char*, const char*> thresholds[]{
        {".client_inline_send", "RpcRdmaClient::InlineSend"},
        {".client_inline_receive", "RpcRdmaClient::InlineReceive"},
        {".server_inline_send", "RpcRdmaServer::InlineSend"},
        {".server_inline_receive", "RpcRdmaServer::InlineReceive"}};
    for (const auto& [key, target] : thresholds)
    {
        if (const auto& value = config.Get(section + key); value.AsInteger() > 0)
        {
            set(target, StringValue(value.ToAttributeText()));
        }
    }
}

/// Sets the attributes that the scenario's keys stand for, but those of workloads and adversaries.
void
ApplyTargets(const ScenarioConfig& config, ClusterHelper& cluster)
{
    const auto& schema = config.GetSchema();
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        if (schema.GetFullName(index).rfind("adversary.", 0) == 0)
        {
            continue;
        }
        const StringValue value(config.Get(index).ToAttributeText());
        for (const auto& target : schema.GetKey(index).targets)
        {
            const auto [className, attribute] = SplitTarget(target);
            if (className == "EthernetNetDevice")
            {
                cluster.GetNetwork().SetDeviceAttribute(attribute, value);
            }
            else if (className == "EthernetChannel")
            {
                cluster.GetNetwork().SetChannelAttribute(attribute, value);
            }
            else if (className == "EthernetSwitch")
            {
                cluster.GetNetwork().SetSwitchAttribute(attribute, value);
            }
            else if (className == "ResegmentingMiddlebox")
            {
                cluster.GetNetwork().SetMiddleboxAttribute(attribute, value);
            }
            else if (className == "LinkImpairment")
            {
                cluster.GetNetwork().SetImpairmentAttribute(attribute, value);
            }
            else if (MADE_BY_HOSTS.count(className) != 0)
            {
                Config::SetDefault("ns3::nfsrdma::" + target, value);
            }
            else if (!EndsWith(className, "Workload"))
            {
                cluster.SetAttribute(target, value);
            }
        }
    }
}

/// \return what [link NAME] says of the link of a host, and its rate when its port is slower.
LinkTraits
MakeHostLink(const ScenarioConfig& config, const HostSettings& host)
{
    LinkTraits traits;
    for (const auto index : config.GetKeysOf(host.linkSection))
    {
        const std::string key = config.GetSchema().GetKey(index).name;
        const auto& value = config.Get(host.linkSection + "." + key);
        if (key == "delay")
        {
            traits.delay = value.AsTime().GetNanoSeconds();
        }
        else if (key == "host_queue")
        {
            traits.hostQueue = static_cast<uint32_t>(value.AsInteger());
        }
        else if (key == "switch_queue")
        {
            traits.queue = static_cast<uint32_t>(value.AsInteger());
        }
    }
    if (host.linkRate != config.Get("link.rate").AsRate())
    {
        traits.rate = host.linkRate.GetBitRate();
    }
    return traits;
}

/// Sets what \p section, [rnic NAME], [host NAME] or [rpcrdma NAME], says, for \p host.
void
ApplyGroup(const ScenarioConfig& config,
           const std::string& section,
           uint32_t host,
           ClusterHelper& cluster)
{
    for (const auto index : config.GetKeysOf(section))
    {
        const auto& key = config.GetSchema().GetKey(index);
        const StringValue value(config.Get(section + "." + key.name).ToAttributeText());
        for (const auto& target : key.targets)
        {
            cluster.SetHostAttribute(host, target, value);
        }
    }
}

/// Sets what sections [link NAME], [rnic NAME], [host NAME] and [rpcrdma NAME] say.
void
ApplyGroups(const ScenarioConfig& config, ClusterHelper& cluster)
{
    const auto settings = ResolveHostSettings(config);
    for (uint32_t host = 0; host < settings.size(); ++host)
    {
        const auto& own = settings[host];
        cluster.GetNetwork().SetHostLink(host, MakeHostLink(config, own));
        for (const auto& section : {own.rnicSection, own.hostSection, own.rpcrdmaSection})
        {
            ApplyGroup(config, section, host, cluster);
        }
        if (own.rpcrdmaSection != "rpcrdma")
        {
            ApplyThresholds(config,
                            own.rpcrdmaSection,
                            [&](const char* target, const StringValue& value) {
                                cluster.SetHostAttribute(host, target, value);
                            });
        }
    }
}

/// Puts middleboxes where the scenario wants them; their attributes have been set.
void
ApplyMiddlebox(const ScenarioConfig& config, EthernetNetworkHelper& network)
{
    const auto number = [&config](const char* key) {
        return static_cast<uint32_t>(config.Get(key).AsInteger());
    };
    const auto at = config.Get("middlebox.at").AsText();
    if (at == "none")
    {
        return;
    }
    const uint32_t servers = number("cluster.servers");
    const uint32_t hosts = servers + number("cluster.clients");
    std::set<uint32_t> chosen;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        if (at == "hosts" || (host < servers) == (at == "servers"))
        {
            chosen.insert(host);
        }
    }
    network.AddMiddleboxes();
    network.SetMiddleboxHosts(std::move(chosen));
    const uint32_t most = number("middlebox.cut_max");
    network.SetMiddleboxAttribute(
        "CutSize",
        StringValue(
            "ns3::UniformRandomVariable[Min=" + std::to_string(number("middlebox.cut_min")) +
            "|Max=" +
            std::to_string(most > 0 ? most : static_cast<uint32_t>(GetSegmentSize(config))) + "]"));
}

void
ApplyTcp(const ScenarioConfig& config, const PathTimers& timers, DataCenterTcpPreset& tcp)
{
    const auto get = [&config](const char* key) { return config.Get(std::string("tcp.") + key); };
    const auto number = [&get](const char* key) {
        return static_cast<uint32_t>(get(key).AsInteger());
    };
    tcp.congestionControl = TypeId::LookupByName("ns3::" + get("congestion_control").AsText());
    tcp.minRto = get("min_rto").AsTime();
    tcp.initialRtt = timers.GetInitialRtt();
    tcp.delAckTimeout = get("delayed_ack").AsTime();
    tcp.delAckCount = number("ack_every");
    tcp.connTimeout = timers.GetConnectTimeout();
    tcp.connCount = number("connect_attempts");
    tcp.dataRetries = number("data_retries");
    tcp.persistTimeout = get("persist_timeout").AsTime();
    tcp.initialCwnd = number("initial_window");
    tcp.sndBufSize = number("send_buffer");
    tcp.rcvBufSize = number("receive_buffer");
    tcp.ecn = get("ecn").AsBoolean();
    tcp.sack = get("sack").AsBoolean();
    tcp.timestamps = get("timestamps").AsBoolean();
    tcp.windowScaling = get("window_scaling").AsBoolean();
    tcp.maxSegmentLifetime = get("max_segment_lifetime").AsTime();
}

Ptr<Workload>
MakeWorkload(const ScenarioConfig& config, const WorkloadInput& input, const std::string& section)
{
    const auto workload = Workload::Create(config.Get(section + ".kind").AsText());
    ApplyWorkloadKeys(config, section, workload);
    workload->SetAttribute("StartTime", TimeValue(config.Get(section + ".start_delay").AsTime()));
    if (const auto space = section.find(' '); space != std::string::npos)
    {
        workload->SetName(section.substr(space + 1));
    }
    if (const auto replay = DynamicCast<ReplayWorkload>(workload))
    {
        replay->SetTrace(input.recordings.at(section).trace);
    }
    return workload;
}

std::vector<Ptr<Workload>>
MakeWorkloads(const ScenarioConfig& config,
              const WorkloadInput& input,
              const std::vector<Population>& populations,
              uint32_t client)
{
    std::vector<Ptr<Workload>> workloads;
    for (const auto& population : populations)
    {
        if (population.clients.count(client) != 0)
        {
            workloads.push_back(MakeWorkload(config, input, population.section));
        }
    }
    return workloads;
}

AuthSysCredential
MakeRootCredential(uint32_t client)
{
    AuthSysCredential credential;
    credential.machineName = "client-" + std::to_string(client);
    return credential;
}

AuthSysCredential
MakeTraceCredential(const Trace& trace, uint32_t client)
{
    AuthSysCredential credential;
    credential.machineName = "client-" + std::to_string(client);
    if (!trace.clients.empty())
    {
        const auto& recorded = trace.clients.at(trace.GetTraceClient(client));
        credential.machineName = recorded.machine;
        credential.uid = recorded.uid;
        credential.gid = recorded.gid;
        credential.gids = recorded.gids;
    }
    return credential;
}

/// A handle's length is the recording's unless the user said otherwise.
void
ApplyHandleSizes(const ScenarioConfig& config, const Trace& trace, ClusterHelper& cluster)
{
    const auto apply = [&](const std::string& key, const char* target, uint32_t octets) {
        if (octets != 0 && config.GetOrigin(key).source == ScenarioOrigin::DEFAULT)
        {
            cluster.SetAttribute(target, StringValue(std::to_string(octets)));
        }
    };
    apply("nfs.root_handle", "FileStore::RootHandleOctets", trace.rootHandleOctets);
    apply("nfs.handle", "FileStore::HandleOctets", trace.otherHandleOctets);
}

} // namespace

void
ConfigureSimulator(const ScenarioConfig& config)
{
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    RngSeedManager::SetSeed(static_cast<uint32_t>(config.Get("cluster.seed").AsInteger()));
    RngSeedManager::SetRun(1);
}

std::unique_ptr<Cluster>
BuildCluster(const ScenarioConfig& config, const WorkloadInput& input)
{
    ClusterHelper helper;
    const auto populations = ListPopulations(config);
    const ClusterRecordings recordings(config, input, populations);
    const auto number = [&config](const char* key) {
        return static_cast<uint32_t>(config.Get(key).AsInteger());
    };
    helper.SetSize(number("cluster.clients"), number("cluster.servers"));
    helper.SetTopology(*input.topology);
    helper.GetNetwork().SetDirectedArp(config.Get("topology.arp").AsText() == "directed");
    helper.GetNetwork().SetArpQueue(number("topology.arp_queue"));
    helper.SetConnections(number("nfs.nconnect"));
    const uint32_t clientsOfServer =
        (number("cluster.clients") + number("cluster.servers") - 1) / number("cluster.servers");
    helper.SetServerAttribute("RpcRdmaServer::ExpectedConnections",
                              UintegerValue(uint64_t{clientsOfServer} * number("nfs.nconnect")));
    helper.SetMtu(static_cast<uint16_t>(number("link.mtu")));
    helper.GetNetwork().SetQueueSizes(number("link.host_queue"), number("link.switch_queue"));
    helper.SetNfsPort(static_cast<uint16_t>(number("nfs.port")));
    helper.SetNfsVersion(recordings.ResolveNfsVersion());
    helper.SetClientAttribute("RpcServer::Threads",
                              UintegerValue(config.Get("nfs.callback_threads").AsInteger()));
    helper.SetClientAttribute("RpcServer::CallCost",
                              TimeValue(config.Get("nfs.callback_cost").AsTime()));
    helper.SetTcpMount(config.Get("nfs.mount").AsText() == "linux");
    helper.SetLockManagers(HasLockManagers(config));
    helper.SetSharedExport(HasWorkload(config, "lock"));
    helper.SetMountFlavors(config.Get("nfs.client_security").AsText());
    helper.SetSecurity(config.Get("nfs.client_security").AsText());
    helper.SetStartSpread(config.Get("workload.start_spread").AsTime());
    ApplyTcp(config, PathTimers(config, *input.topology), helper.GetTcp());
    ApplyTargets(config, helper);
    ApplyThresholds(config, "rpcrdma", [&helper](const char* target, const StringValue& value) {
        helper.SetAttribute(target, value);
    });
    if (const auto cores = number("host.server_cores"); cores > 0)
    {
        helper.SetServerAttribute("HostCpu::Cores", UintegerValue(cores));
    }
    ApplyGroups(config, helper);
    ApplyMiddlebox(config, helper.GetNetwork());
    helper.SetAbsent(ListRogueClients(config));
    helper.SetWorkloads(
        [&](uint32_t client) { return MakeWorkloads(config, input, populations, client); });
    if (!input.recordings.empty())
    {
        ApplyHandleSizes(config, *input.recordings.begin()->second.trace, helper);
        helper.SetCredential([&](uint32_t client) {
            const auto* recording = recordings.Find(client);
            return recording != nullptr ? MakeTraceCredential(*recording->trace, client)
                                        : MakeRootCredential(client);
        });
        helper.SetExportNames([&](uint32_t client) { return recordings.GetExportName(client); });
        helper.SetTrees([&](uint32_t client) {
            const auto* recording = recordings.Find(client);
            return recording != nullptr ? recording->tree : nullptr;
        });
    }
    auto cluster = helper.Build();
    recordings.Prepare(*cluster);
    return cluster;
}

} // namespace ns3::nfsrdma
