/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_CLUSTER_PLAN_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_CLUSTER_PLAN_H

#include "fault/scene.h"
#include "helper/charts/message-selection.h"
#include "helper/measurement.h"
#include "helper/topology/topology-shapes.h"
#include "mpa/tcp-preset.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/setup/adversary-check.h"
#include "scenarios/simulator/setup/attribute-text.h"
#include "scenarios/simulator/setup/explore-plan.h"
#include "scenarios/simulator/setup/path-timers.h"
#include "scenarios/simulator/setup/workload-input.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What joins the hosts, besides the topology and the attributes of its parts.
struct NetworkPlan
{
    std::string linkRate;    ///< As the user reads it.
    uint16_t mtu{0};         ///< Of all hosts that say no other.
    uint32_t hostQueue{0};   ///< Octets.
    uint32_t switchQueue{0}; ///< Octets.
    bool ipv6{false};
    bool bonded{true}; ///< Several ports of a host are one interface.
    bool directedArp{false};
    bool weightedPaths{false};
    uint32_t arpQueue{0}; ///< Packets.
    std::set<uint32_t> middleboxHosts;
    std::set<uint32_t> ipsecHosts; ///< They protect what they send to each other.
};

/// One host, where it differs from the others.
struct HostPlan
{
    std::vector<AttributeText> attributes;
    LinkTraits link;
};

struct NfsPlan
{
    std::string version; ///< "2", "3", "4.0", "4.1" or "4.2".
    uint16_t port{0};
    bool tcp{false};               ///< Not RDMA.
    std::set<uint32_t> tcpClients; ///< Those that are over TCP while others are over RDMA.
    uint32_t serversPerHost{1};
    uint32_t connections{1}; ///< Of a client, to the address that it mounts.
    uint32_t maxConnect{1};
    uint32_t serverAddress{1}; ///< 0: in turn.
    uint32_t transferSize{0};
    std::string localLock;
    Time leaseTime;
    Time longestGrace; ///< Of NFSv4 or of the lock manager.
    std::string security;
    bool tcpMount{false};
    bool lockManagers{false};
    bool sharedExport{false};
    SettingWords storage; ///< As NfsRdmaServerHelper::SetStorage() has it.
};

/// A section [workload] or [workload NAME].
struct WorkloadPlan
{
    std::string section;
    std::string name; ///< Empty for [workload].
    std::string kind;
    std::string directory; ///< Empty: named as the workload.
    std::set<uint32_t> clients;
    std::vector<AttributeText> attributes; ///< Of the kind's class.
    Time delay;                            ///< From the begin of the others.
    bool background{false};
    std::shared_ptr<const std::vector<Time>> arrivals; ///< Of a trace; null: none.
    bool sharesArrivals{false}; ///< They are those of all its clients, which take them in turn.
    std::optional<Recording> recording; ///< Of kind replay.
    double timeScale{0};                ///< Of recorded times; 0: as fast as it goes.
};

/// When a run that goes nowhere is ended.
struct StallPlan
{
    Time limit;
    uint64_t connections{0}; ///< Of a client.
    uint32_t retries{0};
    Time attempt;  ///< The longest that an attempt to connect takes.
    Time patience; ///< For what is closed, until TIME_WAIT is over for one thing.
};

/// What is written besides manifest.json, summary.json and mountstats.txt.
struct OutputPlan
{
    bool rpcCsv{false};
    bool ports{false};
    bool resources{false};
    bool traceEvents{false};
    Time queueSample; ///< 0: none.
    Time timeline;    ///< 0: none.
    MessageSelection messages;
    std::vector<uint32_t> pcapHosts;
};

/**
 * \brief A scenario, resolved: every value has been checked and has its type and unit. What runs
 * and what is reported of a run read this; nothing looks a key up by its name again.
 *
 * Hosts are numbered servers first, clients from 0.
 */
struct ClusterPlan
{
    ClusterHosts size;
    uint64_t seed{0};
    NetworkPlan network;
    std::shared_ptr<const Topology> topology;
    DataCenterTcpPreset tcp;
    PathTimers path;
    NfsPlan nfs;
    std::vector<AttributeText> attributes;       ///< Of what all hosts and the network have.
    std::vector<AttributeText> serverAttributes; ///< Stronger than those.
    std::vector<AttributeText> clientAttributes; ///< Stronger than those.
    std::vector<HostPlan> hosts;
    Time startSpread;
    MeasurementPlan measurement;
    std::vector<WorkloadPlan> workloads;
    std::map<uint32_t, std::string> sharedTrees; ///< Of clients that share their export, its name.
    std::vector<FaultSpec> faults;
    FaultScene faultScene;
    std::vector<AdversarySection> adversaries;
    std::set<uint32_t> rogueClients; ///< They run no workload, and mount nothing.
    StallPlan stall;
    OutputPlan output;
    ExplorePlan explore;

    /// \param config passed CheckCombinations() and CheckWorkload()
    /// \param input as WorkloadInput::Load() gave it for \p config
    static ClusterPlan Resolve(const ScenarioConfig& config, const WorkloadInput& input);

    /// \return the first workload of a client that replays a recording, or null.
    [[nodiscard]] const WorkloadPlan* FindReplay(uint32_t client) const;
    /// \return whether any workload replays a recording.
    [[nodiscard]] bool HasReplay() const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_CLUSTER_PLAN_H
