/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

ScenarioSection
MakeClusterSection()
{
    return {
        "cluster",
        "Who is there. Client i mounts an export of its own on server i mod servers, counted over "
        "all hosts.",
        {
            {"clients", Integer(1, 60000), "2", "NFS clients"},
            {"servers",
             Integer(1, 4000),
             "1",
             "hosts of NFS servers, each with one server unless "
             "servers_per_host says otherwise"},
            {"servers_per_host",
             Integer(1, 64),
             "1",
             "NFS servers on each of those hosts, as in containers: each server has its own "
             "addresses, exports, threads and storage, and all share the cores, memory and RNIC of "
             "the host"},
            {"transport",
             Choice({"rdma", "tcp"}),
             "rdma",
             "transport of NFS: RPC-over-RDMA, or the hosts' TCP with record marking (RFC 5531)"},
            {"tcp_clients",
             Text(),
             "none",
             "clients that mount over TCP while the others mount over RDMA, such as 0-3,7; the "
             "servers then listen for both, for TCP at port 2049"},
            {"plugins",
             Text(),
             "",
             "shared objects that add policies, workloads, adversaries or models of storage, with "
             "their keys: files relative to the scenario's directory, separated by commas"},
            {"seed", Integer(1, 4'000'000'000), "1", "seed of every random stream"},
            {"stall_limit",
             Duration(1),
             "30s",
             "simulated time without a completed RPC, and without a pending timer that could help, "
             "after which the run counts as stalled; 20 times as long while every RPC that "
             "completes is only told to wait"},
            {"stall_connections",
             Integer(0, 1e9),
             "1000",
             "connections that a client may make without a completed RPC until the run counts as "
             "stalled; 0: any number"},
            {"stall_retries",
             Integer(0, 1000000),
             "3",
             "how often recurring timers (timeouts of calls, attempts to connect) may fire after "
             "stall_limit until the run counts as stalled"},
        }};
}

ScenarioSection
MakeKernelSection()
{
    return {"kernel",
            "Which Linux every host runs, or the clients of [kernel NAME].",
            {
                {"hosts",
                 Text(),
                 "all",
                 "hosts that a section [kernel NAME] applies to: "
                 "client-0..3, clients"},
                {"profile",
                 Text(),
                 "none",
                 "profiles/kernel/NAME.ini, values for keys of several sections; the scenario and "
                 "the profiles that it names take precedence; none: no kernel profile"},
            }};
}

ScenarioSection
MakeOutputSection()
{
    return {
        "output",
        "What is written.",
        {
            {"pcap",
             Text(),
             "none",
             "hosts whose frames are captured: all, none, or "
             "client-0,server-0"},
            {"rpc_csv",
             Boolean(),
             "true",
             "write rpc.csv, with a row for each RPC; a sweep writes it only if this key is set"},
            {"reassembly",
             Boolean(),
             "false",
             "measure the memory that hosts need to reassemble FPDUs",
             {"MpaSettings::CountReassembly"}},
            {"resources",
             Boolean(),
             "false",
             "measure threads, storage and credits: number, arrivals, residence time, utilisation"},
            {"ports",
             Boolean(),
             "false",
             "write ports.csv, with a row for each switch port: frames, marks, drops, queue"},
            {"queue_sample",
             Duration(),
             "0ns",
             "period at which queues.csv records the queues of switch ports; 0ns: never"},
            {"messages",
             Text(),
             "none",
             "RPCs whose messages messages.csv records for sequence charts: all, 0x1234 (an XID), "
             "READ (an operation), first 20, first 3 READ"},
            {"timeline",
             Duration(),
             "0ns",
             "period of timeline.csv (throughput, credits and windows of each client) and switch "
             "for events.csv (states of connections); 0ns: neither"},
            {"trace_events",
             Boolean(),
             "false",
             "write trace.json for Perfetto or chrome://tracing: RPCs, work requests, threads, "
             "links and faults of the run"},
            {"figure",
             Choice({"auto",
                     "reassembly-memory",
                     "framing-cost",
                     "host-bound",
                     "reply-mechanism",
                     "slow-requesters",
                     "credits",
                     "credit-policies",
                     "inline-policies",
                     "registration-policies",
                     "registration-strategies",
                     "rdma-against-tcp",
                     "guessed-stags",
                     "connection-churn",
                     "drip-fed-startup",
                     "cancelled-share",
                     "loss",
                     "fault-cost",
                     "pull-up",
                     "remote-invalidation",
                     "credit-sensitivity",
                     "incast",
                     "sequence",
                     "connection-loss"}),
             "auto",
             "figure that is drawn after the run; auto: chosen by what was run"},
        }};
}

ScenarioSection
MakeSweepSection()
{
    return {"sweep",
            "Many runs: lines 'section.key = a, b, c' (or a; b; c) span a grid of points.",
            {
                {"mode",
                 Choice({"grid", "list"}),
                 "grid",
                 "points of the sweep: every combination of the lists, or the lists side by side"},
                {"seeds", Integer(1, 10000), "1", "runs of each point, with consecutive seeds"},
            }};
}

} // namespace ns3::nfsrdma
