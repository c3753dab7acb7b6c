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
             "hosts that a section [host NAME] applies to: client-0..3, server-1, clients, "
             "servers"},
            {"profile",
             Text(),
             "none",
             "profiles/host/NAME.ini, values for the keys below; none: no host profile"},
            {"cores", Integer(1, 4096), "16", "cores of a host", {"HostCpu::Cores"}},
            {"server_cores",
             Integer(0, 4096),
             "0",
             "cores of a server if it has another number than clients; 0: host.cores"},
            {"post_cost",
             Duration(),
             "50ns",
             "processor time of each call that posts work requests, with its doorbell",
             {"HostCpu::PostCost"}},
            {"post_per_request",
             Duration(),
             "10ns",
             "processor time of each work request of such a call",
             {"HostCpu::PostPerRequest"}},
            {"poll_cost",
             Duration(),
             "20ns",
             "processor time of each completion that is polled",
             {"HostCpu::PollCost"}},
            {"interrupt_cost",
             Duration(),
             "500ns",
             "processor time of each interrupt",
             {"HostCpu::InterruptCost"}},
            {"wake_up",
             Duration(),
             "1us",
             "time until a sleeping thread runs",
             {"HostCpu::WakeUp"}},
            {"copy_rate",
             Rate(0),
             "80Gbps",
             "rate at which a core copies memory: inline data, replies that are assembled for a "
             "Send or a Read chunk, buffers of registration pools; 0bps: no time",
             {"HostCpu::CopyRate"}},
            {"max_pinned_pages",
             Integer(0),
             "1073741824",
             "pages of 4 KiB that may be pinned for devices at the same time",
             {"HostMemory::MaxPinnedPages"}},
            {"reuse_buffers",
             Boolean(),
             "false",
             "workloads, and RDMA Reads of servers, use the same buffers again, as registration "
             "caches need; otherwise each buffer has a new address",
             {"HostBufferStore::Reuse"}},
            {"map_cost",
             Duration(),
             "100ns",
             "processor time to map memory for DMA: each piece registered for a chunk, and each "
             "page that is sent from where it is",
             {"RpcRdmaClient::MapCost", "RpcRdmaServer::MapCost"}},
            {"client_call_cost",
             Duration(),
             "5us",
             "processor time of a client before it sends a call",
             {"RpcClient::CallCost"}},
            {"client_reply_cost",
             Duration(),
             "5us",
             "processor time of a client after a reply has come, without copies",
             {"RpcClient::ReplyCost"}},
            {"server_call_cost",
             Duration(),
             "5us",
             "processor time of a server for each RPC, without the time of its storage",
             {"RpcServer::CallCost"}},
            {"ports",
             Integer(1, 8),
             "1",
             "ports of the RNIC, each with its own link; several are bonded to one interface "
             "unless bond is none"},
            {"bond",
             Choice({"active-backup", "balance-xor", "802.3ad", "none"}),
             "active-backup",
             "how bonded ports work together (Linux mode): one port is active, or all are, as a "
             "static link aggregation group of their switch, or as one that LACP forms; none: each "
             "port has an address in a network of its own (topology.shape = rails)",
             {"BondNetDevice::Mode"}},
            {"bond_miimon",
             Duration(1),
             "100ms",
             "interval at which the links of bonded ports are checked (Linux miimon)",
             {"BondNetDevice::Miimon"}},
            {"bond_updelay",
             Duration(),
             "0ns",
             "time that a link has to be up until it is used (Linux updelay)",
             {"BondNetDevice::UpDelay"}},
            {"bond_downdelay",
             Duration(),
             "0ns",
             "time that a link has to be down until its port is given up (Linux downdelay)",
             {"BondNetDevice::DownDelay"}},
            {"bond_arp_interval",
             Duration(),
             "0ns",
             "active-backup: interval at which ports are checked for received frames, and an ARP "
             "request is sent to each target, instead of checking links (Linux arp_interval); 0ns: "
             "links are checked",
             {"BondNetDevice::ArpInterval"}},
            {"bond_arp_ip_target",
             Text(),
             "",
             "IP addresses that the ARP requests ask for, separated by commas (Linux "
             "arp_ip_target); hosts have 10.77.0.1 and up, servers first",
             {"BondNetDevice::ArpTargets"}},
            {"bond_arp_validate",
             Boolean(),
             "false",
             "count only ARP replies of targets, and ARP requests for them at backup ports; "
             "otherwise every received frame counts (Linux arp_validate all, none)",
             {"BondNetDevice::ArpValidate"}},
            {"bond_arp_missed_max",
             Integer(1, 255),
             "2",
             "intervals without a received frame after which a port counts as down (Linux "
             "arp_missed_max)",
             {"BondNetDevice::ArpMissedMax"}},
            {"bond_primary",
             Integer(0, 8),
             "0",
             "active-backup: port that is active whenever its link is up, counted from 1 (Linux "
             "primary); 0: none",
             {"BondNetDevice::Primary"}},
            {"bond_xmit_hash_policy",
             Choice({"layer2", "layer2+3", "layer3+4"}),
             "layer2",
             "balance-xor and 802.3ad: what the choice of a frame's port is computed from (Linux "
             "xmit_hash_policy)",
             {"BondNetDevice::XmitHashPolicy"}},
            {"bond_lacp_rate",
             Choice({"slow", "fast"}),
             "slow",
             "802.3ad: how often the switch is asked to send LACPDUs, each 30 s or each second; a "
             "port that gets none for three times as long leaves the aggregate (Linux lacp_rate)",
             {"BondNetDevice::LacpRate"}},
            {"bond_fail_over_mac",
             Choice({"none", "active"}),
             "none",
             "active-backup: whether the bond keeps one MAC address or takes that of its active "
             "port (Linux fail_over_mac)",
             {"BondNetDevice::FailOverMac"}},
        }};
    AppendKeys(section.keys, HostCosts::GetRows(), "HostCpu");
    AppendKeys(section.keys, IommuSettings::GetRows(), "HostCpu");
    return section;
}

} // namespace ns3::nfsrdma
