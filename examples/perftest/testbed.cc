/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/testbed.h"

#include "helper/rnic-helper.h"
#include "mpa/tcp-preset.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/config/scenarios-directory.h"
#include "scenarios/simulator/run/cluster-from-plan.h"
#include "scenarios/simulator/setup/scenario-check.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unistd.h>

namespace ns3::nfsrdma
{

namespace po = boost::program_options;

namespace
{

bool
StartsWith(const std::string& text, const char* start)
{
    return text.rfind(start, 0) == 0;
}

bool
IsFile(const std::string& profile)
{
    return profile.find('/') != std::string::npos ||
           std::filesystem::path(profile).extension() == ".ini";
}

std::vector<ScenarioEntry>
MakeEntries(const TestbedOptions& options)
{
    std::vector<ScenarioEntry> entries;
    if (IsFile(options.profile))
    {
        entries = ScenarioFile::Load(options.profile).GetEntries();
        for (const ScenarioEntry& entry : entries)
        {
            if (!StartsWith(entry.key, "rnic.") && !StartsWith(entry.key, "host."))
            {
                throw ScenarioError(entry.origin.ToText(),
                                    entry.key,
                                    Quote(entry.value),
                                    "keys of sections rnic and host");
            }
        }
    }
    else
    {
        entries.push_back({"rnic.profile", options.profile, {"--profile", 0}});
    }
    const auto add = [&entries](const char* key, const char* option, const std::string& value) {
        if (!value.empty())
        {
            entries.push_back({key, value, {option, 0}});
        }
    };
    add("link.rate", "--link-rate", options.linkRate);
    add("link.delay", "--delay", options.delay);
    add("link.mtu", "--mtu", options.mtu);
    add("cluster.seed", "--seed", options.seed);
    return entries;
}

/// \return true for an attribute of what RnicHelper puts into a node.
bool
IsOfHost(const std::string& target)
{
    constexpr std::array<const char*, 5>
        CLASSES{"RnicDevice::", "HostMemory::", "HostCpu::", "MpaSettings::", "MpaTransport::"};
    return std::any_of(CLASSES.begin(), CLASSES.end(), [&target](const char* name) {
        return StartsWith(target, name);
    });
}

} // namespace

void
TestbedOptions::Describe(po::options_description& description)
{
    auto add = description.add_options();
    add("profile",
        po::value<std::string>()->value_name("NAME|FILE"),
        "RNIC of both hosts: one of scenarios/profiles/rnic, or a file like those (default: "
        "generic-100g)");
    add("link-rate",
        po::value<std::string>()->value_name("RATE"),
        "rate of the cable (the port's, up to 100Gbps)");
    add("delay", po::value<std::string>()->value_name("TIME"), "delay of the cable (50ns)");
    add("mtu,m", po::value<std::string>()->value_name("OCTETS"), "largest IP packet (1500)");
    add("events,e", "sleep until the interrupt of a completion; default: poll");
    add("seed", po::value<std::string>()->value_name("N"), "random seed (1)");
    add("pcap",
        po::value<std::string>()->value_name("PREFIX"),
        "capture at both hosts: PREFIX-client.pcap, PREFIX-server.pcap");
}

TestbedOptions
TestbedOptions::From(const po::variables_map& values)
{
    TestbedOptions options;
    const auto get = [&values](const char* name, std::string& text) {
        if (values.count(name) != 0)
        {
            text = values[name].as<std::string>();
        }
    };
    get("profile", options.profile);
    get("link-rate", options.linkRate);
    get("delay", options.delay);
    get("mtu", options.mtu);
    get("seed", options.seed);
    get("pcap", options.pcap);
    options.events = values.count("events") != 0;
    return options;
}

Testbed::Testbed(const TestbedOptions& options)
    : m_profile(IsFile(options.profile) ? std::filesystem::path(options.profile).stem().string()
                                        : options.profile),
      m_pcap(options.pcap),
      m_events(options.events)
{
    const auto schema = ScenarioSchema::Standard();
    const ScenarioPath path{{".", GetScenariosDirectory()}};
    const ScenarioConfig config(schema, path, MakeEntries(options));
    CheckCombinations(config);
    if (!options.pcap.empty())
    {
        RequireWritable(options.pcap + "-client.pcap", "--pcap");
    }
    const auto plan = ClusterPlan::Resolve(config, WorkloadInput::Load(config, path));
    ConfigureSimulator(plan);
    m_rate = config.Get("link.rate").AsRate();
    m_delay = config.Get("link.delay").AsTime();
    Build(plan);
}

Testbed::~Testbed()
{
    for (const auto& capture : m_captures)
    {
        capture->Close();
    }
    Simulator::Destroy();
}

void
Testbed::Build(const ClusterPlan& plan)
{
    m_mtu = plan.network.mtu;
    DataCenterTcpPreset().Apply(plan.network.mtu);

    EthernetNetworkHelper network;
    RnicHelper rnic;
    network.SetQueueSizes(plan.network.hostQueue, plan.network.hostQueue);
    for (const auto& attribute : plan.attributes)
    {
        const StringValue value(attribute.value);
        if (IsOfHost(attribute.target))
        {
            rnic.SetAttribute(attribute.target, value);
        }
        else if (attribute.GetClass() == "EthernetNetDevice")
        {
            network.SetDeviceAttribute(attribute.GetName(), value);
        }
        else if (attribute.GetClass() == "EthernetChannel")
        {
            network.SetChannelAttribute(attribute.GetName(), value);
        }
    }
    rnic.SetAttribute("Polling", BooleanValue(!m_events));
    NodeContainer hosts;
    hosts.Create(2);
    m_network = network.InstallBackToBack(hosts);
    m_devices = rnic.Install(hosts);
    for (const auto& port : m_network.devices)
    {
        m_lines.push_back(std::make_unique<LineRateWatch>(port));
    }
}

void
Testbed::StartCaptures()
{
    if (m_pcap.empty())
    {
        return;
    }
    for (const Host host : {SERVER, CLIENT})
    {
        const auto file = m_pcap + (host == SERVER ? "-server.pcap" : "-client.pcap");
        m_captures.push_back(CreateObject<EthernetPcap>());
        if (!m_captures.back()->Open(file, m_network.devices[host]))
        {
            throw ScenarioError("--pcap", "", Quote(file), "a file that can be written");
        }
    }
}

Ptr<RnicDevice>
Testbed::GetDevice(Host host) const
{
    return m_devices[host];
}

IpAddress
Testbed::GetAddress(Host host) const
{
    return m_network.addresses[host];
}

const std::string&
Testbed::GetProfile() const
{
    return m_profile;
}

DataRate
Testbed::GetLinkRate() const
{
    return m_rate;
}

Time
Testbed::GetDelay() const
{
    return m_delay;
}

uint32_t
Testbed::GetMtu() const
{
    return m_mtu;
}

bool
Testbed::UsesEvents() const
{
    return m_events;
}

std::string
Testbed::GetLineFault() const
{
    for (std::size_t host = 0; host < m_lines.size(); ++host)
    {
        if (const auto at = m_lines[host]->GetFault())
        {
            return std::string(host == SERVER ? "server" : "client") +
                   " has sent more than its line carries, at " +
                   std::to_string(at->GetNanoSeconds()) + " ns";
        }
    }
    return "";
}

void
RequireWritable(const std::string& path, const std::string& option)
{
    const std::filesystem::path file(path);
    const auto directory = file.has_parent_path() ? file.parent_path() : ".";
    std::error_code error;
    const bool wrong = file.filename().empty() || std::filesystem::is_directory(file, error) ||
                       !std::filesystem::is_directory(directory, error) ||
                       access(directory.c_str(), W_OK) != 0 ||
                       (std::filesystem::exists(file, error) && access(path.c_str(), W_OK) != 0);
    if (wrong)
    {
        throw ScenarioError(option, "", Quote(path), "a file in a directory that can be written");
    }
}

} // namespace ns3::nfsrdma
