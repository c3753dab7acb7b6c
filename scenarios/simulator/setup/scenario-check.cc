/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/scenario-check.h"

#include "ipsec/inline-crypto.h"
#include "link/least-mtu.h"
#include "rpc/server.h"
#include "scenarios/simulator/keys/edit-distance.h"
#include "scenarios/simulator/setup/adversary-check.h"
#include "scenarios/simulator/setup/client-list.h"
#include "scenarios/simulator/setup/explore-plan.h"
#include "scenarios/simulator/setup/fault-plan.h"
#include "scenarios/simulator/setup/host-check.h"
#include "scenarios/simulator/setup/measurement-from-config.h"
#include "scenarios/simulator/setup/nfs-check.h"
#include "scenarios/simulator/setup/rnic-check.h"
#include "scenarios/simulator/setup/rpcrdma-check.h"
#include "scenarios/simulator/setup/storage-check.h"
#include "scenarios/simulator/setup/topology-from-config.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <sstream>
#include <unistd.h>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t IPV4_AND_TCP = 40;
constexpr uint64_t IPV6_AND_TCP = 60;
constexpr uint64_t TIMESTAMP_OPTION = 12;

constexpr const char* IPV6_MTU_EXPECTED =
    "at least 1280B, the smallest of a path of IPv6 (RFC 8200 section 5)";

bool
IsOverIpv6(const ScenarioConfig& config)
{
    return config.Get("topology.ip").AsText() == "ipv6";
}

uint64_t
GetHeaders(const ScenarioConfig& config)
{
    return (IsOverIpv6(config) ? IPV6_AND_TCP : IPV4_AND_TCP) +
           (config.Get("tcp.timestamps").AsBoolean() ? TIMESTAMP_OPTION : 0);
}

void
CheckSecurity(const ScenarioConfig& config)
{
    const std::string key = "nfs.server_security";
    if (!RpcServer::AreFlavors(config.Get(key).AsText()))
    {
        config.Refuse(key, "some of sys, krb5, krb5i and krb5p, separated by commas");
    }
}

/// Operations of NFSv4.2 in a mix.
void
CheckRangeOperations(const ScenarioConfig& config,
                     const std::string& section,
                     const std::string& mix)
{
    for (const char* const name :
         {"read_plus:", "seek:", "allocate:", "deallocate:", "copy:", "clone:"})
    {
        if (mix.find(name) != std::string::npos && config.Get("nfs.version").AsText() != "4.2")
        {
            config.Refuse(section + ".operation_mix",
                          "no read_plus, seek, allocate, deallocate, copy or clone but with "
                          "nfs.version = 4.2");
        }
    }
    if (mix.find("clone:") != std::string::npos && !config.Get("nfs.reflinks").AsBoolean())
    {
        config.Refuse(section + ".operation_mix", "no clone but with nfs.reflinks = true");
    }
}

void
CheckMount(const ScenarioConfig& config)
{
    constexpr int64_t RPCBIND = 111;
    const std::string version = config.Get("nfs.version").AsText();
    const bool hasAcls = version != "2" || config.Get("nfs.nfsacl2").AsBoolean();
    for (const std::string& section : config.GetWorkloadSections())
    {
        const std::string kind = config.Get(section + ".kind").AsText();
        if (kind == "acl" && !hasAcls)
        {
            config.Refuse("nfs.version",
                          "3 or 4.x, or 2 with nfs.nfsacl2 = true, with workload acl");
        }
        const auto mix = config.Get(section + ".operation_mix").AsText();
        if (kind == "mix")
        {
            CheckRangeOperations(config, section, mix);
        }
        if (version == "2" && kind == "mix" && mix.find("commit:") != std::string::npos)
        {
            config.Refuse(section + ".operation_mix",
                          "no commit with nfs.version 2, which has none");
        }
    }
    if (version != "2" && version != "3" && config.Get("nfs.mount").AsText() != "none")
    {
        config.Refuse("nfs.mount", "none with NFSv4, which mounts over its own connection");
    }
    if (config.Get("nfs.mount").AsText() == "none")
    {
        return;
    }
    if (config.Get("nfs.port").AsInteger() == RPCBIND)
    {
        config.Refuse("nfs.port", "a port other than rpcbind's, 111");
    }
    const auto mountd = config.Get("nfs.mountd_port").AsInteger();
    if (mountd == RPCBIND || mountd == config.Get("nfs.port").AsInteger())
    {
        config.Refuse("nfs.mountd_port", "a port other than rpcbind's, 111, and nfs.port");
    }
}

void
CheckMiddlebox(const ScenarioConfig& config)
{
    const auto most = config.Get("middlebox.cut_max").AsInteger();
    if (most > 0 && most < config.Get("middlebox.cut_min").AsInteger())
    {
        config.Refuse("middlebox.cut_max", "at least middlebox.cut_min, or 0");
    }
    const auto mtu = config.Get("middlebox.mtu").AsInteger();
    if (mtu > 0 && mtu < LEAST_IPV6_MTU && IsOverIpv6(config))
    {
        config.Refuse("middlebox.mtu", std::string(IPV6_MTU_EXPECTED) + ", or 0");
    }
    if (mtu > 0 && mtu < LEAST_MTU)
    {
        config.Refuse("middlebox.mtu",
                      "at least " + std::to_string(LEAST_MTU) +
                          "B, which every IPv4 host takes (RFC 791 section 3.1), or 0");
    }
}

void
CheckLinkMtu(const ScenarioConfig& config, const std::vector<HostSettings>& hosts)
{
    for (const auto& host : hosts)
    {
        if (IsOverIpv6(config) && host.mtu < LEAST_IPV6_MTU)
        {
            config.Refuse(host.linkSection + ".mtu", IPV6_MTU_EXPECTED);
        }
    }
}

/// What ESP leaves of the MTU is as large as IP has to have it, and two hosts have it.
void
CheckIpsec(const ScenarioConfig& config, const std::vector<HostSettings>& hosts)
{
    const auto mode = config.Get("ipsec.mode").AsText();
    if (mode == "none")
    {
        return;
    }
    const auto chosen = ResolveHosts(config, "ipsec");
    if (chosen.size() < 2)
    {
        config.Refuse("ipsec.hosts", "two hosts or more: ESP is between them");
    }
    if (hosts.size() > AssociationName::MOST_HOSTS)
    {
        config.Refuse("ipsec.mode", "none with more than 65535 hosts: SPIs have 16 bits for them");
    }
    const bool isIpv6 = IsOverIpv6(config);
    const uint32_t least = isIpv6 ? LEAST_IPV6_MTU : LEAST_MTU;
    for (const auto host : chosen)
    {
        const auto mtu = hosts[host].mtu;
        const auto overhead = InlineCrypto::GetOverhead(mode == "tunnel" ? IpsecSettings::TUNNEL
                                                                         : IpsecSettings::TRANSPORT,
                                                        isIpv6,
                                                        mtu);
        if (mtu < least + overhead)
        {
            std::ostringstream expected;
            expected << "at least " << least + overhead << "B: ESP in " << mode << " mode takes "
                     << overhead << ", and IP needs " << least;
            config.Refuse(hosts[host].linkSection + ".mtu", expected.str());
        }
    }
}

void
CheckFrameQueues(const ScenarioConfig& config, const std::vector<HostSettings>& hosts)
{
    constexpr uint64_t HEADER = 14;
    for (const auto& host : hosts)
    {
        const uint64_t frame = host.mtu + HEADER;
        for (const auto* key : {".host_queue", ".switch_queue"})
        {
            if (config.Get(host.linkSection + key).AsInteger() < frame)
            {
                config.Refuse(host.linkSection + key,
                              "room for a frame of " + host.linkSection + ".mtu, " +
                                  std::to_string(frame) + "B");
            }
        }
    }
    const uint64_t frame = GetLargestMtu(hosts) + HEADER;
    for (const auto* key : {"tcp.send_buffer", "tcp.receive_buffer"})
    {
        if (config.Get(key).AsInteger() < 2 * frame)
        {
            config.Refuse(key, "room for two segments of the largest link.mtu");
        }
    }
}

void
CheckTcpTimers(const ScenarioConfig& config)
{
    if (config.Get("tcp.min_rto").AsTime() <= config.Get("tcp.delayed_ack").AsTime())
    {
        config.Refuse(
            "tcp.min_rto",
            "longer than tcp.delayed_ack, so that no acknowledgment that waits looks like "
            "a loss");
    }
}

std::vector<std::string>
ListHosts(uint64_t servers, uint64_t clients)
{
    std::vector<std::string> names;
    for (uint64_t i = 0; i < servers; ++i)
    {
        names.push_back("server-" + std::to_string(i));
    }
    for (uint64_t i = 0; i < clients; ++i)
    {
        names.push_back("client-" + std::to_string(i));
    }
    return names;
}

} // namespace

void
CheckCombinations(const ScenarioConfig& config)
{
    CheckSecurity(config);
    CheckMount(config);
    if (config.Get("nfs.version").AsText() == "2")
    {
        CheckNfs2(config);
    }
    CheckCaches(config);
    CheckLocks(config);
    CheckServersPerHost(config);
    (void)ResolveTcpClients(config);
    CheckMiddlebox(config);
    const auto hosts = ResolveHostSettings(config);
    CheckHosts(config, hosts);
    CheckStorage(config);
    CheckRnic(config, hosts);
    CheckRpcRdma(config, hosts);
    CheckTopology(config);
    CheckLinkMtu(config, hosts);
    CheckIpsec(config, hosts);
    CheckFrameQueues(config, hosts);
    CheckTcpTimers(config);
    ResolvePcapHosts(config);
    ResolveMessages(config);
    (void)ResolveMeasurement(config);
    (void)ResolveFaults(config, GetFaultScene(config, hosts));
    (void)ResolveAdversaries(config);
    (void)ResolveExplore(config);
}

uint64_t
GetSegmentSize(const ScenarioConfig& config)
{
    const uint64_t mtu = config.Get("link.mtu").AsInteger();
    return mtu - std::min(mtu, GetHeaders(config));
}

MessageSelection
ResolveMessages(const ScenarioConfig& config)
{
    auto selection = MessageSelection::Parse(config.Get("output.messages").AsText());
    if (!selection)
    {
        config.Refuse("output.messages", MessageSelection::EXPECTED);
    }
    return *selection;
}

std::vector<uint32_t>
ResolvePcapHosts(const ScenarioConfig& config)
{
    const auto text = config.Get("output.pcap").AsText();
    const auto names = ListHosts(config.Get("cluster.servers").AsInteger(),
                                 config.Get("cluster.clients").AsInteger());
    std::vector<uint32_t> hosts;
    if (text == "all")
    {
        hosts.resize(names.size());
        std::iota(hosts.begin(), hosts.end(), 0);
        return hosts;
    }
    if (text == "none")
    {
        return hosts;
    }
    for (const auto& name : SplitList(text))
    {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end())
        {
            config.Refuse("output.pcap",
                          "all, none, or hosts of the cluster; nearest host to " + Quote(name) +
                              ": " + FindNearest(name, names));
        }
        const auto host = static_cast<uint32_t>(found - names.begin());
        if (std::find(hosts.begin(), hosts.end(), host) == hosts.end())
        {
            hosts.push_back(host);
        }
    }
    return hosts;
}

void
CheckWritable(const std::string& directory, const std::string& where)
{
    namespace fs = std::filesystem;
    std::error_code error;
    fs::path existing = fs::absolute(directory, error).lexically_normal();
    if (existing.filename().empty())
    {
        existing = existing.parent_path();
    }
    while (!fs::exists(fs::symlink_status(existing, error)) && existing.has_parent_path() &&
           existing != existing.parent_path())
    {
        existing = existing.parent_path();
    }
    if (!fs::is_directory(existing, error))
    {
        throw ScenarioError(where,
                            "",
                            Quote(directory),
                            "a directory (" + Quote(existing.string()) + " is none)");
    }
    if (access(existing.c_str(), W_OK | X_OK) != 0)
    {
        throw ScenarioError(where,
                            "",
                            Quote(directory),
                            "a directory that can be written to (" + Quote(existing.string()) +
                                ": " + std::strerror(errno) + ")");
    }
}

} // namespace ns3::nfsrdma
