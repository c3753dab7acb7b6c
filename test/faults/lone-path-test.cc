/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"
#include "helper/capture/pcap-reader.h"
#include "link/tcp-segment.h"
#include "lone-path.h"
#include "scenarios/simulator/keys/scenario-schema.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <map>
#include <ostream>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;

/// A value of a key as scenarios write it, and as numbers count it.
struct Quantity
{
    const char* text;
    double value;
};

constexpr std::array<Quantity, 8> DELAYS{{{"50ns", 50e-9},
                                          {"1us", 1e-6},
                                          {"20us", 20e-6},
                                          {"250us", 250e-6},
                                          {"800us", 800e-6},
                                          {"1ms", 1e-3},
                                          {"5ms", 5e-3},
                                          {"25ms", 25e-3}}};
constexpr std::array<Quantity, 6> RATES{{{"1Gbps", 1e9},
                                         {"10Gbps", 10e9},
                                         {"25Gbps", 25e9},
                                         {"100Gbps", 100e9},
                                         {"200Gbps", 200e9},
                                         {"400Gbps", 400e9}}};
constexpr std::array<uint32_t, 2> SIZES{4096, 262144};
constexpr std::array<Quantity, 2> SERVER_COSTS{{{"0ns", 0}, {"10us", 10e-6}}};

/// \return every value that key \p name offers.
std::vector<std::string>
GetOffered(const std::string& name)
{
    const auto schema = ScenarioSchema::Standard();
    return schema.GetKey(schema.Find(name).value()).constraint.choices;
}

/// How MPA and TCP work together.
struct Transport
{
    std::string kind;
    bool packing;
};

/// \return those that the keys offer.
const std::vector<Transport>&
GetTransports()
{
    static const std::vector<Transport> TRANSPORTS = [] {
        std::vector<Transport> transports;
        for (const auto& kind : GetOffered("rnic.mpa_transport"))
        {
            transports.push_back({kind, false});
            if (kind != "layered")
            {
                transports.push_back({kind, true});
            }
        }
        return transports;
    }();
    return TRANSPORTS;
}

/// \return those whose first windows leave at once; BBR paces them.
const std::vector<std::string>&
GetControls()
{
    static const std::vector<std::string> CONTROLS = [] {
        auto controls = GetOffered("tcp.congestion_control");
        controls.erase(std::remove(controls.begin(), controls.end(), "TcpBbr"), controls.end());
        return controls;
    }();
    return CONTROLS;
}

const std::vector<std::string>&
GetTcps()
{
    static const std::vector<std::string> TCPS = GetOffered("rnic.tcp");
    return TCPS;
}

/// A row of the table.
struct LonePathCase
{
    uint32_t octets;
    std::string control;
    Transport transport;
    bool sack;
    Quantity delay;
    Quantity rate;
    Quantity serverCost;
    std::string tcp;

    [[nodiscard]] bool CountsAcks() const
    {
        return control == "TcpNewReno" && tcp == "ns3";
    }

    [[nodiscard]] std::string GetName() const
    {
        std::string name = control + "_" + transport.kind + (transport.packing ? "_packing" : "") +
                           (sack ? "_sack_" : "_nosack_") + std::to_string(octets) + "_" +
                           delay.text + "_" + rate.text + "_" + serverCost.text + "_" + tcp;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    }
};

std::ostream&
operator<<(std::ostream& stream, const LonePathCase& row)
{
    return stream << row.GetName();
}

/**
 * A lone client on an idle path reads and writes a file, one call after the other: each READ and
 * WRITE takes what the arithmetic of window and round trip gives, on a connection that is cold and
 * on one that is warm, and no segment is sent twice.
 */
class LonePathTable : public FaultTest
{
  protected:
    static constexpr double TOLERANCE = 0.15;
    static constexpr double SWITCH_LATENCY = 450e-9;
    /// Linux's server writes five pages by each work request.
    static constexpr uint64_t SERVER_WRITE = 5 * 4096;
    static constexpr uint16_t NFS_RDMA_PORT = 20049;

    void Expect(const LonePathCase& row) const
    {
        SCOPED_TRACE(row.GetName());
        const auto run = RunText(MakeScenario(row), {"--pcap", "client-0"});
        ASSERT_EQ(run.status, 0) << run.errors;
        const auto summary = Summary();
        for (const auto& [place, count] : summary["drops"].items())
        {
            EXPECT_EQ(count, 0) << place;
        }
        const auto segments = ReadSegments();
        EXPECT_EQ(CountRepeated(segments), 0U);

        const LonePath path{row.rate.value, row.delay.value, SWITCH_LATENCY};
        std::map<std::string, LoneSender> senders;
        std::map<std::string, uint32_t> counts;
        for (auto& rpc : Table("rpc.csv"))
        {
            const auto& operation = rpc.at("operation");
            const bool isRead = operation == "READ";
            if (!isRead && operation != "WRITE")
            {
                continue;
            }
            auto sender = senders.find(operation);
            if (sender == senders.end())
            {
                sender = senders.emplace(operation, LoneSender(path, row.CountsAcks())).first;
                Warm(sender->second, segments, isRead, std::stoll(rpc.at("send_ns")));
            }
            const double took =
                1e-9 * (std::stod(rpc.at("reply_ns")) - std::stod(rpc.at("send_ns")));
            const double expected = Predict(row, path, rpc, sender->second);
            EXPECT_NEAR(took, expected, TOLERANCE * expected)
                << operation << " number " << counts[operation] << " of the connection";
            ++counts[operation];
        }
        EXPECT_GE(counts["READ"], 2U);
        EXPECT_GE(counts["WRITE"], 2U);
    }

  private:
    struct Segment
    {
        int64_t time;
        TcpSegment tcp;
    };

    static std::string MakeScenario(const LonePathCase& row)
    {
        return "[cluster]\nclients = 1\nstall_limit = 300s\n[rpcrdma]\nclient_timeout = 600s\n"
               "[link]\nrate = " +
               std::string(row.rate.text) + "\ndelay = " + row.delay.text +
               "\n[tcp]\ncongestion_control = " + row.control +
               "\nsack = " + (row.sack ? "true" : "false") + "\n[rnic]\ntcp = " + row.tcp +
               "\nport_rate = 400Gbps\nmpa_transport = " + row.transport.kind +
               (row.transport.packing ? "\nmpa_packing = true" : "") +
               "\ndoorbell = 0ns\nwqe_fetch = 0ns\ntx_per_wqe = 0ns\ntx_per_fpdu = 0ns\n"
               "rx_per_fpdu = 0ns\nread_request_turnaround = 0ns\npcie_rate = 100Tbps\n"
               "pcie_latency = 0ns\ncqe_write = 0ns\ninterrupt_latency = 0ns\n"
               "register_base = 0ns\nregister_per_page = 0ns\ninvalidate_cost = 0ns\n"
               "[host]\npost_cost = 0ns\npost_per_request = 0ns\npoll_cost = 0ns\n"
               "interrupt_cost = 0ns\nwake_up = 0ns\ncopy_rate = 100Tbps\nmap_cost = 0ns\n"
               "client_call_cost = 0ns\nclient_reply_cost = 0ns\nserver_call_cost = " +
               row.serverCost.text +
               "\n[storage]\nmetadata_cost = 0ns\nsync_latency = 0ns\nread_latency = 0ns\n"
               "write_latency = 0ns\nrate = 0bps\n"
               "[workload]\nkind = fio\ndirect = true\niodepth = 1\nrequests = 8\n"
               "readwrite = rw\nbs = " +
               std::to_string(row.octets) + "\nsize = " + std::to_string(8 * row.octets) + "\n";
    }

    [[nodiscard]] std::vector<Segment> ReadSegments() const
    {
        const auto text = m_directory.ReadFile("out/client-0.pcap");
        const ByteVector octets(text.begin(), text.end());
        std::vector<Segment> segments;
        auto reader = PcapReader::Create(ByteSpan(octets)).value();
        for (auto frame = reader.Next().value(); frame; frame = reader.Next().value())
        {
            if (auto segment = TcpSegment::Decode(frame->octets))
            {
                segments.push_back({frame->time, std::move(*segment)});
            }
        }
        return segments;
    }

    /// \return segments whose octets, SYN or FIN had been sent before.
    static uint32_t CountRepeated(const std::vector<Segment>& segments)
    {
        uint32_t count = 0;
        std::map<TcpSegment::Flow, uint32_t> ends;
        for (const auto& [time, tcp] : segments)
        {
            const bool marks = (tcp.flags & (TcpSegment::SYN | TcpSegment::FIN)) != 0;
            if (!tcp.payload.empty() || marks)
            {
                auto& end = ends[tcp.GetFlow()];
                count += tcp.sequence < end ? 1 : 0;
                end = std::max(end, tcp.EndSequence() + (marks ? 1 : 0));
            }
        }
        return count;
    }

    /// \p sender, that of the server or the client, has sent what it did until \p time.
    static void Warm(LoneSender& sender,
                     const std::vector<Segment>& segments,
                     bool ofServer,
                     int64_t time)
    {
        for (const auto& [at, tcp] : segments)
        {
            if (at < time && (tcp.sourcePort == NFS_RDMA_PORT) == ofServer)
            {
                sender.Acknowledge(tcp.payload.size());
            }
        }
    }

    /// \return what the RPC takes from the client's Send to its reply, in seconds.
    static double Predict(const LonePathCase& row,
                          const LonePath& path,
                          const std::map<std::string, std::string>& rpc,
                          LoneSender& sender)
    {
        // 2 of MPA, 18 of DDP and RDMAP, CRC 4.
        constexpr uint32_t UNTAGGED_FPDU = 24;
        constexpr uint32_t READ_REQUEST = UNTAGGED_FPDU + 28;
        const auto number = [&rpc](const char* column) {
            return static_cast<uint32_t>(std::stoul(rpc.at(column)));
        };
        const uint32_t reply = number("reply_inline_bytes") + UNTAGGED_FPDU;
        const double call =
            path.GetOneWay(number("call_inline_bytes") + UNTAGGED_FPDU) + row.serverCost.value;
        const auto cut = [&row](const std::vector<uint32_t>& fpdus) {
            return CutIntoSegments(fpdus, row.transport.kind, row.transport.packing);
        };
        if (const uint32_t written = number("write_chunk_bytes"); written > 0)
        {
            auto fpdus = CutIntoFpdus(written, SERVER_WRITE);
            fpdus.push_back(reply);
            return call + sender.Transfer(cut(fpdus));
        }
        const uint32_t read = number("read_chunk_bytes");
        return call + path.GetOneWay(READ_REQUEST) +
               sender.Transfer(cut(CutIntoFpdus(read, read))) + path.GetOneWay(reply);
    }
};

class LonePathPairs : public LonePathTable, public ::testing::WithParamInterface<LonePathCase>
{
};

TEST_P(LonePathPairs, TakesWhatWindowAndRoundTripGive)
{
    Expect(GetParam());
}

/// Any two values of different columns of the table meet in a row.
std::vector<LonePathCase>
ChooseRows()
{
    std::vector<LonePathCase> rows;
    for (const auto& levels : CoverPairs({DELAYS.size(),
                                          RATES.size(),
                                          GetTransports().size(),
                                          GetControls().size(),
                                          SIZES.size(),
                                          2,
                                          SERVER_COSTS.size(),
                                          GetTcps().size()}))
    {
        rows.push_back({SIZES.at(levels[4]),
                        GetControls().at(levels[3]),
                        GetTransports().at(levels[2]),
                        levels[5] == 1,
                        DELAYS.at(levels[0]),
                        RATES.at(levels[1]),
                        SERVER_COSTS.at(levels[6]),
                        GetTcps().at(levels[7])});
    }
    return rows;
}

INSTANTIATE_TEST_SUITE_P(Quick,
                         LonePathPairs,
                         ::testing::ValuesIn(ChooseRows()),
                         [](const auto& row) { return row.param.GetName(); });

/// The whole table, by control, transport, SACK and size.
class LonePathProduct
    : public LonePathTable,
      public ::testing::WithParamInterface<std::tuple<std::string, std::size_t, bool, uint32_t>>
{
};

TEST_P(LonePathProduct, TakesWhatWindowAndRoundTripGive)
{
    const auto& [control, transport, sack, octets] = GetParam();
    for (const auto& delay : DELAYS)
    {
        for (const auto& rate : RATES)
        {
            for (const auto& tcp : GetTcps())
            {
                Expect({octets,
                        control,
                        GetTransports().at(transport),
                        sack,
                        delay,
                        rate,
                        SERVER_COSTS.front(),
                        tcp});
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Nightly,
                         LonePathProduct,
                         ::testing::Combine(::testing::ValuesIn(GetControls()),
                                            ::testing::Range(std::size_t{0},
                                                             GetTransports().size()),
                                            ::testing::Bool(),
                                            ::testing::ValuesIn(SIZES)));

TEST_F(LonePathTable, AControlThatDoesNotReachItIsRefused)
{
    const auto run = RunText("[tcp]\ncongestion_control = TcpBbr\n[rnic]\ntcp = ns3\n");
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.errors,
                HasSubstr("scenario.ini:4: rnic.tcp: got 'ns3', expected offload with "
                          "tcp.congestion_control = TcpBbr"));
    EXPECT_THAT(Run({"--list-keys"}).output, HasSubstr("Not TcpBbr with rnic.tcp = ns3"));
}

} // namespace

} // namespace ns3::nfsrdma
