/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/costs.h"
#include "host/iommu-settings.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"

namespace ns3::nfsrdma
{

ScenarioSection
MakeHostSection()
{
    ScenarioSection section{
        "host",
        "Every host: its cores and what work costs them, its memory, and its ports.",
        {
            {"hosts",
             Text(),
             "all",
             "of a section [host NAME]: client-0..3, server-1, clients, servers"},
            {"profile",
             Text(),
             "none",
             "profiles/host/NAME.ini: values for the keys below; none: their own"},
            {"cores", Integer(1, 4096), "16", "cores of a host", {"HostCpu::Cores"}},
            {"server_cores",
             Integer(0, 4096),
             "0",
             "cores of a server, where they are not as many; 0: host.cores"},
            {"post_cost",
             Duration(),
             "50ns",
             "core, each call that posts work, its doorbell included",
             {"HostCpu::PostCost"}},
            {"post_per_request",
             Duration(),
             "10ns",
             "core, each work request of such a call",
             {"HostCpu::PostPerRequest"}},
            {"poll_cost",
             Duration(),
             "20ns",
             "core, each completion polled",
             {"HostCpu::PollCost"}},
            {"interrupt_cost",
             Duration(),
             "500ns",
             "core, each interrupt",
             {"HostCpu::InterruptCost"}},
            {"wake_up", Duration(), "1us", "to make a sleeping thread run", {"HostCpu::WakeUp"}},
            {"copy_rate",
             Rate(0),
             "80Gbps",
             "rate at which a core copies memory: data that travel inline, replies that are put "
             "together for a Send or a Read chunk, buffers of registration pools; 0bps: at once",
             {"HostCpu::CopyRate"}},
            {"max_pinned_pages",
             Integer(0),
             "1073741824",
             "limit of 4 KiB pages pinned for devices at once",
             {"HostMemory::MaxPinnedPages"}},
            {"reuse_buffers",
             Boolean(),
             "false",
             "workloads and RDMA Reads of servers use their buffers again, as registration caches "
             "need; else every buffer has a new address",
             {"HostBufferStore::Reuse"}},
            {"map_cost",
             Duration(),
             "100ns",
             "core, each piece of memory registered for a chunk, and each page sent from where it "
             "is, to map it for DMA",
             {"RpcRdmaClient::MapCost", "RpcRdmaServer::MapCost"}},
            {"client_call_cost",
             Duration(),
             "5us",
             "core of a client, before it sends a call",
             {"RpcClient::CallCost"}},
            {"client_reply_cost",
             Duration(),
             "5us",
             "core of a client, after a reply has come, copies apart",
             {"RpcClient::ReplyCost"}},
            {"server_call_cost",
             Duration(),
             "5us",
             "core of a server, each RPC besides the storage's time",
             {"RpcServer::CallCost"}},
            {"ports",
             Integer(1, 8),
             "1",
             "ports of the RNIC, each with a link; several are bonded to one interface, unless "
             "bond is "
             "none"},
            {"bond",
             Choice({"active-backup", "balance-xor", "802.3ad", "none"}),
             "active-backup",
             "how bonded ports work together (Linux mode): one sends and receives, or all do, as a "
             "static link aggregation group of their switch, or as one that LACP makes; none: each "
             "has "
             "an address in a network of its own (topology.shape = rails)",
             {"BondNetDevice::Mode"}},
            {"bond_miimon",
             Duration(1),
             "100ms",
             "between two looks at the links of bonded ports (Linux miimon)",
             {"BondNetDevice::Miimon"}},
            {"bond_updelay",
             Duration(),
             "0ns",
             "until a link that has come back is used (Linux updelay)",
             {"BondNetDevice::UpDelay"}},
            {"bond_downdelay",
             Duration(),
             "0ns",
             "until a link that is seen to be down is given up (Linux downdelay)",
             {"BondNetDevice::DownDelay"}},
            {"bond_arp_interval",
             Duration(),
             "0ns",
             "active-backup: between two looks at what has come by ports, each with an ARP request "
             "to each target, in place of looks at links (Linux arp_interval); 0: links",
             {"BondNetDevice::ArpInterval"}},
            {"bond_arp_ip_target",
             Text(),
             "",
             "addresses that are asked for, with commas (Linux arp_ip_target); hosts have "
             "10.77.0.1 "
             "and up, servers first",
             {"BondNetDevice::ArpTargets"}},
            {"bond_arp_validate",
             Boolean(),
             "false",
             "only answers of targets count, and requests for them at ports in reserve; else all "
             "that comes does (Linux arp_validate all, none)",
             {"BondNetDevice::ArpValidate"}},
            {"bond_arp_missed_max",
             Integer(1, 255),
             "2",
             "intervals in which nothing came until a port is down (Linux arp_missed_max)",
             {"BondNetDevice::ArpMissedMax"}},
            {"bond_primary",
             Integer(0, 8),
             "0",
             "active-backup: the port that is active whenever it has a link, from 1 (Linux "
             "primary); 0: none",
             {"BondNetDevice::Primary"}},
            {"bond_xmit_hash_policy",
             Choice({"layer2", "layer2+3", "layer3+4"}),
             "layer2",
             "balance-xor and 802.3ad: what the port of a frame depends on (Linux "
             "xmit_hash_policy)",
             {"BondNetDevice::XmitHashPolicy"}},
            {"bond_lacp_rate",
             Choice({"slow", "fast"}),
             "slow",
             "802.3ad: LACPDUs that the switch is asked for, each 30 s or each second; without "
             "any for three times as long a port leaves the aggregate (Linux lacp_rate)",
             {"BondNetDevice::LacpRate"}},
            {"bond_fail_over_mac",
             Choice({"none", "active"}),
             "none",
             "active-backup: the bond has one MAC address, or that of its active port (Linux "
             "fail_over_mac)",
             {"BondNetDevice::FailOverMac"}},
        }};
    AppendKeys(section.keys, HostCosts::GetRows(), "HostCpu");
    AppendKeys(section.keys, IommuSettings::GetRows(), "HostCpu");
    return section;
}

} // namespace ns3::nfsrdma
