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
            {"servers", Integer(1, 4000), "1", "hosts of NFS servers, with one each"},
            {"servers_per_host",
             Integer(1, 64),
             "1",
             "NFS servers on each of those hosts, as containers: each has addresses, exports, "
             "threads and storage of its own, and all share the cores, memory and RNIC of the "
             "host"},
            {"transport",
             Choice({"rdma", "tcp"}),
             "rdma",
             "what carries NFS: RPC-over-RDMA, or TCP of the hosts, with record marking (RFC "
             "5531)"},
            {"tcp_clients",
             Text(),
             "none",
             "clients that mount over TCP where the others mount over RDMA, such as 0-3,7; servers "
             "listen for both, over TCP on port 2049"},
            {"plugins",
             Text(),
             "",
             "shared objects with further policies, workloads, adversaries and models of storage, "
             "and their keys: files separated by commas, from the scenario's directory"},
            {"seed", Integer(1, 4'000'000'000), "1", "seed of every random stream"},
            {"stall_limit",
             Duration(1),
             "30s",
             "simulated time without a finished RPC, and without a timer pending that may help, "
             "after which a run counts as stalled; 20 times as long when all that finish are put "
             "off"},
            {"stall_connections",
             Integer(0, 1e9),
             "1000",
             "connections of each client without a finished RPC after which a run counts as "
             "stalled; 0: any number"},
            {"stall_retries",
             Integer(0, 1000000),
             "3",
             "times that timers which come again and again (timeouts of calls, attempts to "
             "connect) "
             "are waited for beyond stall_limit, until a run counts as stalled"},
        }};
}

ScenarioSection
MakeKernelSection()
{
    return {"kernel",
            "Which Linux every host runs, or the clients of [kernel NAME].",
            {
                {"hosts", Text(), "all", "of a section [kernel NAME]: client-0..3, clients"},
                {"profile",
                 Text(),
                 "none",
                 "profiles/kernel/NAME.ini: values for keys of several sections, weaker than those "
                 "that the scenario and the profiles it names give; none: their own"},
            }};
}

ScenarioSection
MakeOutputSection()
{
    return {
        "output",
        "What is written.",
        {
            {"pcap", Text(), "none", "hosts to capture at: all, none, or client-0,server-0"},
            {"rpc_csv",
             Boolean(),
             "true",
             "write rpc.csv, a row for each RPC; in a sweep only when it is set"},
            {"reassembly",
             Boolean(),
             "false",
             "count the memory that hosts need to put FPDUs together",
             {"MpaSettings::CountReassembly"}},
            {"resources",
             Boolean(),
             "false",
             "measure threads, storage and credits: number, arrivals, stay, utilisation"},
            {"ports",
             Boolean(),
             "false",
             "write ports.csv, a row for each port of a switch: frames, marks, drops, queue"},
            {"queue_sample",
             Duration(),
             "0ns",
             "period at which queues.csv tells the queues of ports of switches; 0: never"},
            {"messages",
             Text(),
             "none",
             "RPCs that messages.csv tells every message of, for sequence charts: all, 0x1234 "
             "(an XID), READ (an operation), first 20, first 3 READ"},
            {"timeline",
             Duration(),
             "0ns",
             "period of timeline.csv: throughput, credits, windows of each client against time; "
             "and events.csv: states of connections; 0: neither"},
            {"trace_events",
             Boolean(),
             "false",
             "write trace.json, for Perfetto or chrome://tracing: RPCs, work requests, threads, "
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
             "what analysis/figures.py draws; auto: by what was run"},
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
                 "points: every combination of the lists, or all lists side by side"},
                {"seeds", Integer(1, 10000), "1", "runs of each point, seeds counting up"},
            }};
}

} // namespace ns3::nfsrdma
