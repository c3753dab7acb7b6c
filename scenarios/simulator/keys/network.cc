/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/least-mtu.h"
#include "mpa/tcp-engine.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/key-units.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"

namespace ns3::nfsrdma
{

ScenarioSection
MakeLinkSection()
{
    return {"link",
            "Ethernet: the link of each host, and the ports of switches.",
            {
                {"hosts",
                 Text(),
                 "all",
                 "hosts that a section [link NAME] applies to: client-0..3, server-1, clients, "
                 "servers"},
                {"rate",
                 Rate(MBPS, 10 * TBPS),
                 "100Gbps",
                 "rate of every link in each direction",
                 {"EthernetNetDevice::DataRate"}},
                {"delay",
                 Duration(),
                 "50ns",
                 "propagation delay of a link (5 ns for each metre)",
                 {"EthernetChannel::Delay"}},
                {"mtu",
                 Size(LEAST_MTU, 65535),
                 "1500",
                 "largest IP packet",
                 {"EthernetNetDevice::Mtu"}},
                {"host_queue", Size(KIB, GIB), "4MiB", "size of a host's transmit queue"},
                {"switch_queue",
                 Size(KIB, GIB),
                 "4MiB",
                 "size of the transmit queue of a switch port; what does not fit is dropped"},
                {"switch_latency",
                 Duration(),
                 "450ns",
                 "time from the last octet of a frame in to its first octet out of an idle port",
                 {"EthernetSwitch::Latency"}},
                {"switch_marking",
                 Choice({"none", "threshold", "red"}),
                 "none",
                 "how a switch chooses the packets that it marks with ECN when they are queued",
                 {"EthernetSwitch::Marking"}},
                {"mark_threshold",
                 Size(0, GIB),
                 "97500B",
                 "threshold: a packet is marked when more octets than this are queued before it",
                 {"EthernetSwitch::MarkThreshold"}},
                {"red_minimum",
                 Size(0, GIB),
                 "100KiB",
                 "red: average queue length below which no packet is marked",
                 {"EthernetSwitch::RedMinimum"}},
                {"red_maximum",
                 Size(1, GIB),
                 "300KiB",
                 "red: average queue length from which every packet is marked",
                 {"EthernetSwitch::RedMaximum"}},
                {"red_probability",
                 Real(0, 1),
                 "0.1",
                 "red: probability of a mark when the average queue length is just below "
                 "red_maximum",
                 {"EthernetSwitch::RedProbability"}},
                {"red_weight",
                 Real(0, 1),
                 "0.002",
                 "red: weight of a new sample in the average queue length",
                 {"EthernetSwitch::RedWeight"}},
                {"switch_buffer",
                 Size(0, 4 * GIB - 1),
                 "0B",
                 "packet buffer that the ports of a switch share; 0B: each port has its own queue",
                 {"EthernetSwitch::Buffer"}},
                {"switch_alpha",
                 Real(0, 1024),
                 "1",
                 "dynamic threshold of a port: this factor times the free part of the shared "
                 "buffer; 0: an equal part of the buffer",
                 {"EthernetSwitch::Alpha"}},
                {"flow_control",
                 Choice({"none", "pause", "pfc"}),
                 "none",
                 "flow control on links when buffers are full: PAUSE frames of IEEE 802.3 Annex "
                 "31B, or those of 802.1Qbb (PFC) for priority 0, which all frames have",
                 {"EthernetNetDevice::FlowControl"}},
                {"switch_xoff",
                 Size(0, 4 * GIB - 1),
                 "0B",
                 "octets that came in by a port and are still in the switch from which it sends "
                 "PAUSE; 0B: the port's dynamic threshold",
                 {"EthernetSwitch::Xoff"}},
                {"switch_xon",
                 Size(0, 4 * GIB - 1),
                 "0B",
                 "octets to which that amount has to fall until the switch lets the other end "
                 "continue; 0B: half of switch_xoff",
                 {"EthernetSwitch::Xon"}},
            }};
}

ScenarioSection
MakeMiddleboxSection()
{
    return {
        "middlebox",
        "A box in the links of some hosts that re-segments TCP, impairs it, or narrows the path.",
        {
            {"at",
             Choice({"none", "servers", "clients", "hosts"}),
             "none",
             "hosts whose links have a middlebox; the other keys of the section need one"},
            {"mode",
             Choice({"none", "split", "merge", "recut"}),
             "none",
             "how the middlebox cuts TCP segments with data anew",
             {"ResegmentingMiddlebox::Mode"}},
            {"latency",
             Duration(),
             "450ns",
             "time from the last octet of a frame in to its first octet out of an idle port",
             {"ResegmentingMiddlebox::Latency"}},
            {"split_size",
             Size(0, 65535),
             "536",
             "split: largest payload of a segment; 0: drawn between cut_min and cut_max",
             {"ResegmentingMiddlebox::SplitSize"}},
            {"merge_size",
             Size(0, 65535),
             "0",
             "merge: largest payload of a segment; 0: as link.mtu allows",
             {"ResegmentingMiddlebox::MergeSize"}},
            {"cut_min", Size(1, 65535), "1", "recut: smallest payload drawn"},
            {"cut_max", Size(0, 65535), "0", "recut: largest payload drawn; 0: as link.mtu allows"},
            {"hold_time",
             Duration(),
             "10us",
             "merge, recut: longest time that an octet waits for more",
             {"ResegmentingMiddlebox::HoldTime"}},
            {"spare_first_octets",
             Size(0, GIB),
             "0",
             "segments that begin within this many octets of either direction of a connection are "
             "not cut anew",
             {"ResegmentingMiddlebox::SpareFirstOctets"}},
            {"drop",
             Real(0, 1),
             "0",
             "probability that a segment is dropped, in each direction",
             {"LinkImpairment::DropProbability"}},
            {"duplicate",
             Real(0, 1),
             "0",
             "probability that a segment is duplicated",
             {"LinkImpairment::DuplicateProbability"}},
            {"reorder",
             Real(0, 1),
             "0",
             "probability that a segment is delayed by reorder_delay",
             {"LinkImpairment::ReorderProbability"}},
            {"reorder_delay",
             Duration(),
             "10us",
             "delay of such a segment",
             {"LinkImpairment::ReorderDelay"}},
            {"corrupt",
             Real(0, 1),
             "0",
             "probability that a bit of the payload is inverted, and the TCP checksum corrected to "
             "match",
             {"LinkImpairment::CorruptProbability"}},
            {"data_only",
             Boolean(),
             "true",
             "drop, duplicate and reorder only segments with payload",
             {"LinkImpairment::DataOnly"}},
            {"mtu",
             Size(0, 65535),
             "0",
             "largest IP packet that is forwarded; 0: any",
             {"ResegmentingMiddlebox::Mtu"}},
            {"black_hole",
             Boolean(),
             "false",
             "drop packets larger than mtu without an ICMP message",
             {"ResegmentingMiddlebox::BlackHole"}},
        }};
}

ScenarioSection
MakeTcpSection()
{
    ScenarioSection section{
        "tcp",
        "TCP under MPA, set for a data centre.",
        {
            {"congestion_control",
             Choice({"TcpLinuxReno", "TcpNewReno", "TcpCubic", "TcpDctcp", "TcpBbr"}),
             "TcpLinuxReno",
             "congestion control, by the names of ns-3; the device's engine knows one Reno, and as "
             "TcpBbr version 3 (draft-ietf-ccwg-bbr). Not TcpBbr with rnic.tcp = ns3, which paces "
             "by rates reckoned in milliseconds"},
            {"ecn",
             Boolean(),
             "false",
             "explicit congestion notification (RFC 3168); TcpDctcp has it in any case, TcpBbr "
             "never"},
            {"min_rto",
             Duration(1),
             "4ms",
             "least time that the retransmission timer adds to the smoothed round-trip time"},
            {"initial_rtt",
             Duration(1),
             "1ms",
             "round-trip time assumed before the first "
             "measurement"},
            {"delayed_ack", Duration(), "1ms", "longest time that an acknowledgment is delayed"},
            {"ack_every",
             Integer(1, 1000),
             "2",
             "segments after which an acknowledgment is sent "
             "at once"},
            {"connect_timeout",
             Duration(1),
             "20ms",
             "time until the first SYN is sent again; without this key four round-trip times where "
             "the path is longer"},
            {"connect_attempts",
             Integer(1, 100),
             "6",
             "number of SYNs after which an attempt to "
             "connect fails"},
            {"data_retries",
             Integer(1, 1000),
             "7",
             "retransmissions of the same data after which the connection is given up"},
            {"persist_timeout", Duration(1), "10ms", "time until a closed window is probed"},
            {"initial_window",
             Integer(1, 10000),
             "10",
             "size of the initial congestion window, in "
             "segments"},
            {"send_buffer", Size(4 * KIB, GIB), "256KiB", "send buffer of a connection"},
            {"receive_buffer", Size(4 * KIB, GIB), "256KiB", "receive buffer of a connection"},
            {"sack", Boolean(), "true", "selective acknowledgment (RFC 2018)"},
            {"timestamps",
             Boolean(),
             "true",
             "timestamps option (RFC 7323), which takes 12 octets of each segment"},
            {"window_scaling", Boolean(), "true", "window scale option (RFC 7323)"},
            {"max_segment_lifetime",
             Duration(1, HOUR),
             "5ms",
             "maximum segment lifetime: "
             "TIME-WAIT lasts twice as long"},
        }};
    AppendKeys(section.keys, TcpEngineValues::GetRows(), "TcpEngine");
    return section;
}

} // namespace ns3::nfsrdma
