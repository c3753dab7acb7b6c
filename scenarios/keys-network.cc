/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "key-makers.h"
#include "scenario-keys.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr double MBPS = 1e6;
constexpr double TBPS = 1e12;
constexpr double HOUR = 3.6e12;
constexpr double KIB = 1024;
constexpr double GIB = 1024 * 1024 * 1024;

} // namespace

ScenarioSection
MakeLinkSection()
{
    return {"link",
            "Ethernet: the link of each host, and the ports of switches.",
            {
                {"hosts",
                 Text(),
                 "all",
                 "of a section [link NAME]: client-0..3, server-1, clients, servers"},
                {"rate",
                 Rate(MBPS, 10 * TBPS),
                 "100Gbps",
                 "rate of every link, each direction",
                 {"EthernetNetDevice::DataRate"}},
                {"delay",
                 Duration(),
                 "50ns",
                 "time an octet takes from end to end of a link (5 ns per metre)",
                 {"EthernetChannel::Delay"}},
                {"mtu", Size(68, 65535), "1500", "largest IP packet", {"EthernetNetDevice::Mtu"}},
                {"host_queue", Size(KIB, GIB), "4MiB", "room in the transmit queue of a host"},
                {"switch_queue",
                 Size(KIB, GIB),
                 "4MiB",
                 "room in the transmit queue of a port of the switch; a full one drops"},
                {"switch_latency",
                 Duration(),
                 "450ns",
                 "from the last octet in to the first out of an idle port",
                 {"EthernetSwitch::Latency"}},
                {"switch_marking",
                 Choice({"none", "threshold", "red"}),
                 "none",
                 "which frames get the ECN mark before they wait at a port of a switch",
                 {"EthernetSwitch::Marking"}},
                {"mark_threshold",
                 Size(0, GIB),
                 "97500B",
                 "threshold: frames that find more waiting are marked",
                 {"EthernetSwitch::MarkThreshold"}},
                {"red_minimum",
                 Size(0, GIB),
                 "100KiB",
                 "red: average queue below which nothing is marked",
                 {"EthernetSwitch::RedMinimum"}},
                {"red_maximum",
                 Size(1, GIB),
                 "300KiB",
                 "red: average queue from which everything is marked",
                 {"EthernetSwitch::RedMaximum"}},
                {"red_probability",
                 Real(0, 1),
                 "0.1",
                 "red: probability of a mark just below red_maximum",
                 {"EthernetSwitch::RedProbability"}},
                {"red_weight",
                 Real(0, 1),
                 "0.002",
                 "red: weight of the queue that a frame finds in the average",
                 {"EthernetSwitch::RedWeight"}},
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
             "whose links have one; without it the other keys do nothing"},
            {"mode",
             Choice({"none", "split", "merge", "recut"}),
             "none",
             "what is done to TCP segments that carry data",
             {"ResegmentingMiddlebox::Mode"}},
            {"latency",
             Duration(),
             "450ns",
             "from the last octet in to the first out of an idle port",
             {"ResegmentingMiddlebox::Latency"}},
            {"split_size",
             Size(0, 65535),
             "536",
             "split: largest payload of a segment; 0: drawn from cut_min to cut_max",
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
             "merge, recut: longest wait of an octet for others",
             {"ResegmentingMiddlebox::HoldTime"}},
            {"spare_first_octets",
             Size(0, GIB),
             "0",
             "segments that begin within them, of each direction of a connection, are left alone",
             {"ResegmentingMiddlebox::SpareFirstOctets"}},
            {"drop",
             Real(0, 1),
             "0",
             "probability that a segment is lost, each direction",
             {"LinkImpairment::DropProbability"}},
            {"duplicate",
             Real(0, 1),
             "0",
             "probability that a segment is doubled",
             {"LinkImpairment::DuplicateProbability"}},
            {"reorder",
             Real(0, 1),
             "0",
             "probability that a segment is held for reorder_delay",
             {"LinkImpairment::ReorderProbability"}},
            {"reorder_delay",
             Duration(),
             "10us",
             "how long such a segment is held",
             {"LinkImpairment::ReorderDelay"}},
            {"corrupt",
             Real(0, 1),
             "0",
             "probability that a bit of the payload is inverted and the TCP checksum made right",
             {"LinkImpairment::CorruptProbability"}},
            {"data_only",
             Boolean(),
             "true",
             "whether segments without payload are not impaired",
             {"LinkImpairment::DataOnly"}},
            {"mtu",
             Size(0, 65535),
             "0",
             "largest IP packet let through; 0: any",
             {"ResegmentingMiddlebox::Mtu"}},
            {"black_hole",
             Boolean(),
             "false",
             "whether packets above mtu vanish without an ICMP message",
             {"ResegmentingMiddlebox::BlackHole"}},
        }};
}

ScenarioSection
MakeTcpSection()
{
    return {"tcp",
            "ns-3's TCP under MPA, set for a data centre.",
            {
                {"congestion_control",
                 Choice({"TcpLinuxReno", "TcpNewReno", "TcpCubic", "TcpDctcp", "TcpBbr"}),
                 "TcpLinuxReno",
                 "congestion control of ns-3"},
                {"ecn",
                 Boolean(),
                 "false",
                 "explicit congestion notification (RFC 3168); TcpDctcp has it in any case"},
                {"min_rto", Duration(1), "4ms", "lower bound of the retransmission timer"},
                {"initial_rtt", Duration(1), "1ms", "round trip assumed before it is measured"},
                {"delayed_ack", Duration(), "1ms", "longest delay of an acknowledgment"},
                {"ack_every", Integer(1, 1000), "2", "segments that force an acknowledgment"},
                {"connect_timeout", Duration(1), "20ms", "wait for an answer to the first SYN"},
                {"connect_attempts", Integer(1, 100), "6", "SYNs sent before giving up"},
                {"data_retries",
                 Integer(1, 1000),
                 "7",
                 "retransmissions of the same data before the connection is given up"},
                {"persist_timeout", Duration(1), "10ms", "wait before a closed window is probed"},
                {"initial_window", Integer(1, 10000), "10", "segments of the first window"},
                {"send_buffer", Size(4 * KIB, GIB), "256KiB", "send buffer of a connection"},
                {"receive_buffer", Size(4 * KIB, GIB), "256KiB", "receive buffer of a connection"},
                {"sack", Boolean(), "true", "selective acknowledgment (RFC 2018)"},
                {"timestamps",
                 Boolean(),
                 "true",
                 "timestamp option (RFC 7323), 12 octets of each segment"},
                {"window_scaling", Boolean(), "true", "window scale option (RFC 7323)"},
                {"max_segment_lifetime", Duration(1, HOUR), "5ms", "half of what TIME_WAIT lasts"},
            }};
}

} // namespace ns3::nfsrdma
