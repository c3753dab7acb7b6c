/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/cluster-plan.h"

#include "helper/nfs-rdma-server-helper.h"
#include "nfs/store/storage-model.h"
#include "scenarios/simulator/keys/policy-keys.h"
#include "scenarios/simulator/setup/client-list.h"
#include "scenarios/simulator/setup/fault-plan.h"
#include "scenarios/simulator/setup/host-settings.h"
#include "scenarios/simulator/setup/measurement-from-config.h"
#include "scenarios/simulator/setup/nfs-check.h"
#include "scenarios/simulator/setup/scenario-check.h"
#include "scenarios/simulator/setup/shared-trees.h"
#include "scenarios/simulator/setup/workload-check.h"

#include "ns3/tcp-socket.h"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

/// Values of a scenario's keys by their types.
class Keys
{
  public:
    explicit Keys(const ScenarioConfig& config)
        : m_config(config)
    {
    }

    [[nodiscard]] uint32_t Number(const std::string& key) const
    {
        return static_cast<uint32_t>(m_config.Get(key).AsInteger());
    }

    [[nodiscard]] Time Duration(const std::string& key) const
    {
        return m_config.Get(key).AsTime();
    }

    [[nodiscard]] bool Is(const std::string& key) const
    {
        return m_config.Get(key).AsBoolean();
    }

    [[nodiscard]] std::string Word(const std::string& key) const
    {
        return m_config.Get(key).AsText();
    }

  private:
    const ScenarioConfig& m_config;
};

bool
EndsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Appends the thresholds of \p section that are other than its inline_threshold.
void
AppendThresholds(const ScenarioConfig& config,
                 const std::string& section,
                 std::vector<AttributeText>& attributes)
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
            attributes.push_back({target, value.ToAttributeText()});
        }
    }
}

/// Appends the policies of \p section that have settings of their own, with these.
void
AppendPolicies(const ScenarioConfig& config,
               const std::string& section,
               std::vector<AttributeText>& attributes)
{
    for (const auto& choice : GetPolicyChoices())
    {
        const auto chosen = config.Get(section + "." + choice.key).AsText();
        for (const auto& kind : choice.kinds)
        {
            if (kind.name != chosen || kind.rows.empty())
            {
                continue;
            }
            SettingWords words{kind.name, {}};
            for (const auto& row : kind.rows)
            {
                const auto key = std::string(section).append(".").append(choice.GetKey(row));
                const auto text = config.Get(key).ToAttributeText();
                if (text.find('|') != std::string::npos)
                {
                    config.Refuse(key, "a text without '|'");
                }
                words.values.emplace_back(row.GetAttribute(), text);
            }
            attributes.push_back({choice.target, words.ToText()});
        }
    }
}

/// A handle's length is the recording's unless the user said otherwise.
void
AppendHandleSizes(const ScenarioConfig& config,
                  const WorkloadInput& input,
                  std::vector<AttributeText>& attributes)
{
    if (input.recordings.empty())
    {
        return;
    }
    const Trace& trace = *input.recordings.begin()->second.trace;
    const auto append = [&](const std::string& key, const char* target, uint32_t octets) {
        if (octets != 0 && config.GetOrigin(key).source == ScenarioOrigin::DEFAULT)
        {
            attributes.push_back({target, std::to_string(octets)});
        }
    };
    append("nfs.root_handle", "FileStore::RootHandleOctets", trace.rootHandleOctets);
    append("nfs.handle", "FileStore::HandleOctets", trace.otherHandleOctets);
}

/// The attributes that keys stand for, but those of workloads and adversaries.
std::vector<AttributeText>
ListAttributes(const ScenarioConfig& config, const WorkloadInput& input)
{
    const auto& schema = config.GetSchema();
    std::vector<AttributeText> attributes;
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        if (schema.GetFullName(index).rfind("adversary.", 0) == 0)
        {
            continue;
        }
        for (const auto& target : schema.GetKey(index).targets)
        {
            AttributeText attribute{target, config.Get(index).ToAttributeText()};
            if (!EndsWith(attribute.GetClass(), "Workload"))
            {
                attributes.push_back(std::move(attribute));
            }
        }
    }
    AppendThresholds(config, "rpcrdma", attributes);
    AppendPolicies(config, "rpcrdma", attributes);
    AppendHandleSizes(config, input, attributes);
    return attributes;
}

/// What sections [link NAME], [rnic NAME], [host NAME] and [rpcrdma NAME] say of hosts.
std::vector<HostPlan>
ListHosts(const ScenarioConfig& config, const std::vector<HostSettings>& settings)
{
    std::vector<HostPlan> hosts;
    for (const auto& own : settings)
    {
        HostPlan host;
        host.link = MakeHostLink(config, own);
        for (const auto& section : {own.rnicSection, own.hostSection, own.rpcrdmaSection})
        {
            for (const auto index : config.GetKeysOf(section))
            {
                const auto& key = config.GetSchema().GetKey(index);
                const auto value = config.Get(section + "." + key.name).ToAttributeText();
                for (const auto& target : key.targets)
                {
                    host.attributes.push_back({target, value});
                }
            }
        }
        if (own.rpcrdmaSection != "rpcrdma")
        {
            AppendThresholds(config, own.rpcrdmaSection, host.attributes);
            AppendPolicies(config, own.rpcrdmaSection, host.attributes);
        }
        hosts.push_back(std::move(host));
    }
    return hosts;
}

/// Where the scenario wants middleboxes.
std::set<uint32_t>
ListMiddleboxHosts(const Keys& keys, const ClusterHosts& size)
{
    const auto at = keys.Word("middlebox.at");
    std::set<uint32_t> chosen;
    for (uint32_t host = 0; at != "none" && host < size.servers + size.clients; ++host)
    {
        if (at == "hosts" || (host < size.servers) == (at == "servers"))
        {
            chosen.insert(host);
        }
    }
    return chosen;
}

AttributeText
MakeCutSize(const ScenarioConfig& config, const Keys& keys)
{
    const uint32_t most = keys.Number("middlebox.cut_max");
    return {"ResegmentingMiddlebox::CutSize",
            "ns3::UniformRandomVariable[Min=" + std::to_string(keys.Number("middlebox.cut_min")) +
                "|Max=" +
                std::to_string(most > 0 ? most : static_cast<uint32_t>(GetSegmentSize(config))) +
                "]"};
}

NetworkPlan
MakeNetwork(const ScenarioConfig& config, const Keys& keys, const ClusterHosts& size)
{
    NetworkPlan network;
    network.linkRate = config.Get("link.rate").ToText();
    network.mtu = static_cast<uint16_t>(keys.Number("link.mtu"));
    network.hostQueue = keys.Number("link.host_queue");
    network.switchQueue = keys.Number("link.switch_queue");
    network.ipv6 = keys.Word("topology.ip") == "ipv6";
    network.bonded = keys.Word("topology.shape") != "rails";
    network.directedArp = keys.Word("topology.arp") == "directed";
    network.weightedPaths = keys.Word("topology.paths") == "weighted";
    network.arpQueue = keys.Number("topology.arp_queue");
    network.middleboxHosts = ListMiddleboxHosts(keys, size);
    return network;
}

DataCenterTcpPreset
MakeTcp(const Keys& keys, const PathTimers& timers)
{
    DataCenterTcpPreset tcp;
    tcp.congestionControl = TypeId::LookupByName("ns3::" + keys.Word("tcp.congestion_control"));
    tcp.minRto = keys.Duration("tcp.min_rto");
    tcp.initialRtt = timers.GetInitialRtt();
    tcp.delAckTimeout = keys.Duration("tcp.delayed_ack");
    tcp.delAckCount = keys.Number("tcp.ack_every");
    tcp.connTimeout = timers.GetConnectTimeout();
    tcp.connCount = keys.Number("tcp.connect_attempts");
    tcp.dataRetries = keys.Number("tcp.data_retries");
    tcp.persistTimeout = keys.Duration("tcp.persist_timeout");
    tcp.initialCwnd = keys.Number("tcp.initial_window");
    tcp.sndBufSize = keys.Number("tcp.send_buffer");
    tcp.rcvBufSize = keys.Number("tcp.receive_buffer");
    tcp.ecn = keys.Is("tcp.ecn");
    tcp.sack = keys.Is("tcp.sack");
    tcp.timestamps = keys.Is("tcp.timestamps");
    tcp.windowScaling = keys.Is("tcp.window_scaling");
    tcp.maxSegmentLifetime = keys.Duration("tcp.max_segment_lifetime");
    return tcp;
}

/// \return the model of storage, with the settings that it has beside those of all.
SettingWords
MakeStorage(const ScenarioConfig& config)
{
    SettingWords storage{"device", {}};
    if (config.GetSchema().Find("storage.model"))
    {
        storage.name = config.Get("storage.model").AsText();
    }
    for (const auto& row : StorageModel::GetKinds().Find(storage.name)->rows)
    {
        storage.values.emplace_back(row.GetAttribute(),
                                    config.Get("storage." + row.GetKey()).ToAttributeText());
    }
    return storage;
}

NfsPlan
MakeNfs(const ScenarioConfig& config, const Keys& keys, const WorkloadInput& input)
{
    NfsPlan nfs;
    nfs.version = input.ResolveNfsVersion(config);
    nfs.tcp = keys.Word("cluster.transport") == "tcp";
    nfs.tcpClients = ResolveTcpClients(config);
    nfs.serversPerHost = keys.Number("cluster.servers_per_host");
    const bool isPortSet = config.GetOrigin("nfs.port").source != ScenarioOrigin::DEFAULT;
    nfs.port =
        nfs.tcp && !isPortSet ? NFS_TCP_PORT : static_cast<uint16_t>(keys.Number("nfs.port"));
    nfs.connections = keys.Number("nfs.nconnect");
    nfs.maxConnect = keys.Number("nfs.max_connect");
    nfs.serverAddress = keys.Number("nfs.server_address");
    nfs.transferSize = keys.Number("nfs.transfer_size");
    nfs.localLock = keys.Word("nfs.local_lock");
    nfs.leaseTime = keys.Duration("nfs.lease_time");
    nfs.longestGrace =
        std::max(keys.Duration("nfs.grace_time"), keys.Duration("nfs.nlm_grace_period"));
    nfs.security = keys.Word("nfs.client_security");
    nfs.tcpMount = keys.Word("nfs.mount") == "linux";
    nfs.lockManagers = HasLockManagers(config);
    nfs.sharedExport = HasWorkload(config, "lock");
    nfs.storage = MakeStorage(config);
    return nfs;
}

/// Gives each job its part of the rates of arrivals.
void
ShareRates(const ScenarioConfig& config, const std::string& section, WorkloadPlan& plan)
{
    const auto jobs = plan.kind == "fio" ? config.Get(section + ".numjobs").AsInteger() : 1;
    const auto parts = static_cast<double>(plan.clients.size() * jobs);
    const char* const owner = plan.kind == "mix" ? "MixWorkload" : "RequestWorkload";
    for (const auto& [key, attribute] : {std::pair{"arrival_rate", "ArrivalRate"},
                                         std::pair{"arrival_peak_rate", "ArrivalPeakRate"}})
    {
        std::ostringstream rate;
        rate << std::setprecision(std::numeric_limits<double>::max_digits10)
             << config.Get(section + "." + key).AsReal() / parts;
        plan.attributes.push_back({std::string(owner) + "::" + attribute, rate.str()});
    }
}

WorkloadPlan
MakeWorkload(const ScenarioConfig& config,
             const Keys& keys,
             const WorkloadInput& input,
             const std::string& section)
{
    WorkloadPlan plan;
    plan.section = section;
    if (const auto space = section.find(' '); space != std::string::npos)
    {
        plan.name = section.substr(space + 1);
    }
    plan.kind = keys.Word(section + ".kind");
    plan.directory = keys.Word(section + ".directory");
    plan.clients = ResolveClients(config, section);
    plan.attributes = ListWorkloadAttributes(config, section);
    plan.delay = keys.Duration(section + ".start_delay");
    plan.background = keys.Is(section + ".background");
    plan.sharesArrivals = keys.Word(section + ".arrivals_of") == "population";
    if (plan.sharesArrivals)
    {
        ShareRates(config, section, plan);
    }
    if (const auto found = input.arrivals.find(section); found != input.arrivals.end())
    {
        plan.arrivals = found->second;
    }
    if (const auto found = input.recordings.find(section); found != input.recordings.end())
    {
        plan.recording = found->second;
    }
    if (keys.Word(section + ".pace") != "closed")
    {
        plan.timeScale = config.Get(section + ".time_scale").AsReal();
    }
    return plan;
}

/// \return how long an attempt to connect may take: SYNs, each waited for twice as long as the one
/// before, and the reply to MPA's Request.
Time
GetAttemptLimit(const Keys& keys)
{
    // More are no part of an attempt that is waited for: each waits twice as long.
    constexpr uint32_t MOST_SYNS = 16;
    TypeId::AttributeInformation first;
    TcpSocket::GetTypeId().LookupAttributeByName("ConnTimeout", &first);
    Time wait = DynamicCast<const TimeValue>(first.initialValue)->Get();
    Time limit = keys.Duration("rnic.mpa_reply_timeout");
    for (uint32_t i = 0; i <= std::min(keys.Number("tcp.connect_attempts"), MOST_SYNS); ++i)
    {
        limit += wait;
        wait = wait * 2;
    }
    return limit;
}

StallPlan
MakeStall(const ScenarioConfig& config, const Keys& keys)
{
    constexpr int64_t LIFETIMES = 2;
    StallPlan stall;
    stall.limit = keys.Duration("cluster.stall_limit");
    stall.connections = config.Get("cluster.stall_connections").AsInteger();
    stall.retries = keys.Number("cluster.stall_retries");
    stall.attempt = GetAttemptLimit(keys);
    stall.patience =
        std::max(stall.limit, keys.Duration("tcp.max_segment_lifetime") * LIFETIMES + Seconds(1));
    return stall;
}

OutputPlan
MakeOutput(const ScenarioConfig& config, const Keys& keys)
{
    OutputPlan output;
    output.rpcCsv = keys.Is("output.rpc_csv");
    output.ports = keys.Is("output.ports");
    output.resources = keys.Is("output.resources");
    output.traceEvents = keys.Is("output.trace_events");
    output.queueSample = keys.Duration("output.queue_sample");
    output.timeline = keys.Duration("output.timeline");
    output.messages = ResolveMessages(config);
    output.pcapHosts = ResolvePcapHosts(config);
    return output;
}

std::vector<AttributeText>
ListServerAttributes(const ScenarioConfig& config,
                     const Keys& keys,
                     const std::vector<HostSettings>& settings)
{
    std::vector<AttributeText> attributes{
        {"RpcRdmaServer::ExpectedConnections",
         std::to_string(CountServerConnections(config, settings, 0))}};
    if (const auto cores = keys.Number("host.server_cores"); cores > 0)
    {
        attributes.push_back({"HostCpu::Cores", std::to_string(cores)});
    }
    return attributes;
}

std::set<uint32_t>
ListRogueClients(const ClusterPlan& plan)
{
    std::set<uint32_t> clients;
    for (const auto& section : plan.adversaries)
    {
        for (const uint32_t host : section.hosts)
        {
            if (!section.entry->ridesOnStack)
            {
                clients.insert(host - plan.size.servers);
            }
        }
    }
    return clients;
}

} // namespace

ClusterPlan
ClusterPlan::Resolve(const ScenarioConfig& config, const WorkloadInput& input)
{
    const Keys keys(config);
    const auto settings = ResolveHostSettings(config);
    ClusterPlan plan;
    plan.size = GetClusterHosts(config);
    plan.seed = config.Get("cluster.seed").AsInteger();
    plan.network = MakeNetwork(config, keys, plan.size);
    if (keys.Word("ipsec.mode") != "none")
    {
        const auto hosts = ResolveHosts(config, "ipsec");
        plan.network.ipsecHosts.insert(hosts.begin(), hosts.end());
    }
    plan.topology = input.topology;
    plan.path = PathTimers(config, settings, *input.topology);
    plan.tcp = MakeTcp(keys, plan.path);
    plan.nfs = MakeNfs(config, keys, input);
    plan.attributes = ListAttributes(config, input);
    if (!plan.network.middleboxHosts.empty())
    {
        plan.attributes.push_back(MakeCutSize(config, keys));
    }
    if (keys.Word("topology.paths") == "spray")
    {
        plan.attributes.push_back({"EthernetSwitch::Spray", "true"});
    }
    plan.serverAttributes = ListServerAttributes(config, keys, settings);
    plan.clientAttributes = {
        {"RpcServer::Threads", config.Get("nfs.callback_threads").ToAttributeText()},
        {"RpcServer::CallCost", config.Get("nfs.callback_cost").ToAttributeText()}};
    plan.hosts = ListHosts(config, settings);
    plan.startSpread = keys.Duration("workload.start_spread");
    plan.measurement = ResolveMeasurement(config);
    for (const auto& section : config.GetWorkloadSections())
    {
        auto& workload = plan.workloads.emplace_back(MakeWorkload(config, keys, input, section));
        if (plan.measurement.EndsWork() || workload.background)
        {
            const auto endless = ListEndlessAttributes(config, section);
            workload.attributes.insert(workload.attributes.end(), endless.begin(), endless.end());
        }
    }
    plan.sharedTrees = ResolveSharedTrees(config);
    plan.faultScene = GetFaultScene(config, settings);
    plan.faults = ResolveFaults(config, plan.faultScene);
    plan.adversaries = ResolveAdversaries(config);
    plan.rogueClients = ListRogueClients(plan);
    plan.stall = MakeStall(config, keys);
    plan.output = MakeOutput(config, keys);
    plan.explore = ResolveExplore(config);
    return plan;
}

const WorkloadPlan*
ClusterPlan::FindReplay(uint32_t client) const
{
    const auto found =
        std::find_if(workloads.begin(), workloads.end(), [client](const WorkloadPlan& workload) {
            return workload.recording && workload.clients.count(client) != 0;
        });
    return found == workloads.end() ? nullptr : &*found;
}

bool
ClusterPlan::HasReplay() const
{
    return std::any_of(workloads.begin(), workloads.end(), [](const WorkloadPlan& workload) {
        return workload.recording.has_value();
    });
}

} // namespace ns3::nfsrdma
