/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"
#include "tshark.h"

#include <sstream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

const char* const MIX = "[workload]\nkind = mix\noperations = 150\nfiles = 6\nfile_size = 256KiB\n"
                        "symlinks = 2\nio_sizes = 4096:2,131072:1\nqueue_depth = 8\n";

class NfsOverTcpTest : public SimulatorTest
{
  protected:
    /// Runs two clients over TCP, captured. \return summary.json
    nlohmann::json RunMix(const std::string& sections)
    {
        m_directory.WriteFile("tcp.ini",
                              "[cluster]\nclients = 2\ntransport = tcp\n[output]\npcap = all\n" +
                                  sections + MIX);
        const auto result = Run({"run", "tcp.ini", "--out", "out"});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return m_directory.ReadJson("out/summary.json");
    }

    /// \return how many frames of the server's capture tshark shows for a filter.
    std::size_t CountFrames(const std::string& filter)
    {
        return test::RunTshark(m_directory.GetPath() + "/out/server-0.pcap", "-Y '" + filter + "'")
            .size();
    }
};

struct Spoken
{
    const char* version;
    const char* ip;
};

class VersionOverTcpTest : public NfsOverTcpTest, public ::testing::WithParamInterface<Spoken>
{
};

/// Real octets: every frame is dissected up to NFS, TCP has nothing to complain of, and what files
/// hold is what the operations imply (exit status 0).
TEST_P(VersionOverTcpTest, IsDissectedAndVerified)
{
    const auto summary = RunMix(std::string("[nfs]\nversion = ") + GetParam().version +
                                "\n[topology]\nip = " + GetParam().ip + "\n");
    EXPECT_GE(summary["rpcs"].get<uint64_t>(), 300U);
    EXPECT_GT(CountFrames("nfs && tcp.port == 2049"), 300U);
    EXPECT_EQ(CountFrames("_ws.malformed"), 0U);
    EXPECT_EQ(CountFrames("tcp.port == 2049 && tcp.analysis.flags && "
                          "!tcp.analysis.window_update"),
              0U);
    EXPECT_EQ(CountFrames("iwarp_mpa || tcp.port == 20049"), 0U);
    const auto mount = m_directory.ReadFile("out/mountstats.txt");
    EXPECT_NE(mount.find("\txprt:\ttcp "), std::string::npos);
    EXPECT_NE(mount.find(",proto=tcp"), std::string::npos);
    EXPECT_EQ(mount.find("rdma"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Versions,
                         VersionOverTcpTest,
                         ::testing::Values(Spoken{"2", "ipv4"},
                                           Spoken{"3", "ipv4"},
                                           Spoken{"3", "ipv6"},
                                           Spoken{"4.0", "ipv4"},
                                           Spoken{"4.1", "ipv4"},
                                           Spoken{"4.1", "ipv6"}),
                         [](const auto& test) {
                             const std::string version = test.param.version;
                             return "V" + version.substr(0, 1) +
                                    (version.size() > 1 ? version.substr(2) : "") + test.param.ip;
                         });

/// Calls of the server to a client come over the connection that the client has made.
TEST_F(NfsOverTcpTest, DelegationsAreRecalledOverTheConnectionOfTheClient)
{
    m_directory.WriteFile("shared.ini",
                          "[cluster]\nclients = 3\ntransport = tcp\n[nfs]\nversion = 4.1\n"
                          "[output]\npcap = server-0\n[workload]\nkind = mix\noperations = 200\n"
                          "exports = shared\nsystem_calls = true\nfiles = 4\nfile_size = 16KiB\n"
                          "symlinks = 0\noperation_mix = read:4,write:2\n");
    const auto result = Run({"run", "shared.ini", "--out", "out"});
    ASSERT_EQ(result.status, 0) << result.output << result.errors;
    EXPECT_GT(CountFrames("nfs.cb.operation == 4"), 0U);
    EXPECT_EQ(CountFrames("tcp.flags.syn == 1 && tcp.flags.ack == 0 && tcp.srcport == 2049"), 0U);
}

TEST_F(NfsOverTcpTest, ConnectionsAreMadeAnewAfterACrash)
{
    const auto summary = RunMix("[nfs]\nversion = 3\n[cluster]\nstall_limit = 60s\n[faults]\n"
                                "boot = 40th nfs READ call: crash for 30ms on server-0\n");
    EXPECT_GE(summary["connections_lost"].get<uint64_t>(), 2U);
}

TEST_F(NfsOverTcpTest, NconnectHasAConnectionForEach)
{
    RunMix("[nfs]\nnconnect = 4\n");
    EXPECT_EQ(CountFrames("tcp.flags.syn == 1 && tcp.flags.ack == 0"), 8U);
}

TEST_F(NfsOverTcpTest, FragmentsOfRecordsAreDissected)
{
    RunMix("[nfs]\ntcp_fragment_size = 3000\n");
    EXPECT_GT(CountFrames("rpc.lastfrag == 0"), 10U);
    EXPECT_EQ(CountFrames("_ws.malformed"), 0U);
}

/// Reads or GETATTRs of one client on hosts whose stages cost nothing but what a test says.
class TcpStagesTest : public SimulatorTest
{
  protected:
    double GetRate(const std::string& host,
                   const std::string& mix = "getattr:1",
                   const std::string& nfs = "")
    {
        m_directory.WriteFile(
            "calls.ini",
            "[cluster]\nclients = 1\ntransport = tcp\n[link]\nmtu = 9000\n"
            "[nfs]\nthreads = 256\n" +
                nfs +
                "[storage]\nmetadata_cost = 0ns\n[tcp]\nsend_buffer = 16MiB\n"
                "receive_buffer = 16MiB\n[host]\nprofile = ideal\n" +
                host +
                "[workload]\noperations = 0\nduration = 8ms\nstart_spread = 0ns\nfiles = 4\n"
                "file_size = 128KiB\nsymlinks = 0\nqueue_depth = 64\n"
                "operation_mix = " +
                mix + (mix == "getattr:1" ? "\n" : "\nio_sizes = 131072:1\n"));
        const auto result = Run({"run", "calls.ini", "--out", "out"});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return m_directory.ReadJson("out/summary.json")["rpcs_per_second"];
    }
};

struct SocketStage
{
    const char* key;
    const char* mix;
    double visits; ///< Of each RPC at the place that is the narrowest.
};

class SlowTcpStageTest : public TcpStagesTest, public ::testing::WithParamInterface<SocketStage>
{
};

TEST_P(SlowTcpStageTest, AloneSetsTheRate)
{
    constexpr double COST = 4e-6;
    const double rate = GetRate(std::string(GetParam().key) + " = 4us\n", GetParam().mix);
    EXPECT_NEAR(rate * GetParam().visits * COST, 1, 0.05);
}

/// The octets of a reply of 128 KiB are 32 times 4 KiB, and a little more; two pieces of 64 KiB for
/// the adapter, and a little more.
INSTANTIATE_TEST_SUITE_P(OverTcp,
                         SlowTcpStageTest,
                         ::testing::Values(SocketStage{"tcp_send_cost", "getattr:1", 1},
                                           SocketStage{"tcp_output_cost", "getattr:1", 1},
                                           SocketStage{"tcp_read_cost", "getattr:1", 1},
                                           SocketStage{"tcp_packet_cost", "read:1", 15},
                                           SocketStage{"tcp_receive_copy", "read:1", 32.03},
                                           SocketStage{"tcp_server_send_copy", "read:1", 32.03},
                                           SocketStage{"tcp_client_send_copy", "write:1", 32.05},
                                           SocketStage{"client_send_hold", "getattr:1", 1},
                                           SocketStage{"client_receive_hold", "getattr:1", 1}),
                         [](const auto& test) { return std::string(test.param.key); });

TEST_F(TcpStagesTest, SegmentationOffloadSparesPiecesOfOutput)
{
    const std::string slow = "tcp_output_cost = 8us\n";
    const double whole = GetRate(slow, "read:1");
    const double cut = GetRate(slow + "tcp_segmentation_offload = 0B\n", "read:1");
    EXPECT_NEAR(whole * 3 * 8e-6, 1, 0.05);
    EXPECT_NEAR(cut * 15 * 8e-6, 1, 0.05);
}

TEST_F(TcpStagesTest, ReceiveAggregationSparesSegments)
{
    const std::string slow = "tcp_segment_cost = 4us\n";
    const double whole = GetRate(slow, "read:1");
    const double each = GetRate(slow + "tcp_receive_aggregation = 0B\n", "read:1");
    EXPECT_NEAR(each * 15 * 4e-6, 1, 0.05);
    EXPECT_GT(whole, 3 * each);
}

TEST_F(TcpStagesTest, ChecksumsCostBothEnds)
{
    const double rate = GetRate("tcp_checksum = 4us\n", "read:1");
    EXPECT_NEAR(rate * 32.03 * 4e-6, 1, 0.05);
}

/// Acknowledgments go out from the soft interrupt that takes what they acknowledge.
TEST_F(TcpStagesTest, AcknowledgmentsCostTheSoftInterrupt)
{
    const double free = GetRate("tcp_packet_cost = 1us\n", "read:1");
    const double acknowledged = GetRate("tcp_packet_cost = 1us\ntcp_ack_cost = 4us\n", "read:1");
    EXPECT_LT(acknowledged, free / 2);
}

/// What wakes the reader is in the way of a single call.
TEST_F(TcpStagesTest, AReaderIsWoken)
{
    const double asleep =
        GetRate("tcp_wake_up = 100us\n", "getattr:1", "tcp_slot_table_entries = 2\n");
    EXPECT_NEAR(asleep * 100e-6, 2, 0.3);
}

/// Packets wait for the interrupt; a call and its reply do so once each.
TEST_F(TcpStagesTest, ModerationDelaysInterrupts)
{
    const double slow =
        GetRate("tcp_moderation = 50us\n", "getattr:1", "tcp_slot_table_entries = 2\n");
    EXPECT_NEAR(slow * 100e-6, 2, 0.3);
}

TEST_F(TcpStagesTest, SlotsBoundTheCallsUnderWay)
{
    const std::string slow = "server_call_cost = 100us\n";
    const double two = GetRate(slow, "getattr:1", "tcp_slot_table_entries = 2\n");
    const double eight = GetRate(slow, "getattr:1", "tcp_slot_table_entries = 8\n");
    EXPECT_NEAR(two * 100e-6, 2, 0.2);
    EXPECT_NEAR(eight / two, 4, 0.2);
}

/// A thread reads a call off its socket, and no other thread the next one meanwhile.
TEST_F(TcpStagesTest, OneThreadAtATimeReadsASocket)
{
    const std::string slow = "tcp_read_cost = 4us\n";
    const double one = GetRate(slow);
    const double four = GetRate(slow, "getattr:1", "nconnect = 4\n");
    EXPECT_NEAR(four / one, 4, 0.2);
}

} // namespace
} // namespace ns3::nfsrdma
