/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

ScenarioSection
MakeHostSection()
{
    return {
        "host",
        "The processor of every host: its cores and what work costs them.",
        {
            {"hosts",
             Text(),
             "all",
             "of a section [host NAME]: client-0..3, server-1, clients, servers"},
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
             Rate(1e6),
             "80Gbps",
             "rate at which a core copies memory: data that travel inline, replies that are put "
             "together for a Send or a Read chunk, buffers of registration pools",
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
        }};
}

} // namespace ns3::nfsrdma
