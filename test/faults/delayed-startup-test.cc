/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"
#include "tshark.h"

namespace ns3::nfsrdma
{
namespace
{

/// RFC 5044 section 7.1: MPA begins behind an exchange on TCP, and again after a rejection.
class DelayedStartupRun : public FaultTest
{
  protected:
    /// \return frames of client-0 that \p filter of tshark shows.
    [[nodiscard]] std::size_t Count(const std::string& filter) const
    {
        return test::RunTshark(m_directory.GetPath() + "/out/client-0.pcap", "-Y '" + filter + "'")
            .size();
    }
};

constexpr const char* WORK =
    "[cluster]\nclients = 2\n[output]\npcap = client-0\n[workload]\nkind = mix\n"
    "operations = 40\n[rnic]\n";

TEST_F(DelayedStartupRun, TsharkReadsAllThatComesBehindTheLastStreamingMessage)
{
    ASSERT_EQ(RunText(WORK).status, 0);
    const std::size_t nfs = Count("nfs");
    EXPECT_GT(nfs, 100U);
    const std::size_t malformed = Count("_ws.malformed"); // READs, whose data tshark misses.
    EXPECT_EQ(Count("tcp contains \"Hello\""), 0U);
    for (const std::string tcp : {"offload", "ns3"})
    {
        const auto result =
            RunText(std::string(WORK) + "streaming_preamble = 100\ntcp = " + tcp + "\n");
        ASSERT_EQ(result.status, 0) << result.errors;
        EXPECT_EQ(Count("nfs"), nfs);
        EXPECT_EQ(Count("tcp contains \"Hello. Hello. \""), 1U);
        EXPECT_EQ(Count("tcp contains \"Hello Ack. Hello Ack. \""), 1U);
        EXPECT_EQ(Count("iwarp_mpa.req"), 1U);
        EXPECT_EQ(Count("_ws.malformed"), malformed);
    }
}

TEST_F(DelayedStartupRun, FaultsOfRpcsAreFoundBehindIt)
{
    const auto result = RunText(std::string(WORK) +
                                "streaming_preamble = 3000\n[faults]\nlost = 3rd nfs READ call: "
                                "drop\nreply = 1st mpa-reply: drop\n");
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(Table("faults.csv").size(), 2U);
}

/// A server that has no queue pair left, since another client holds them for a second, refuses.
TEST_F(DelayedStartupRun, TheNextAttemptGoesOverARejectedConnection)
{
    const std::string refused =
        "[cluster]\nclients = 2\n[output]\npcap = client-1\n[rnic servers]\nhosts = servers\n"
        "max_qps = 2\n[workload]\nkind = mix\noperations = 4\nstart_spread = 5ms\n"
        "[adversary still]\nrole = drip-fed-startup\nhosts = client-0\nmanner = complete\n"
        "connections = 8\nevery = 50us\nstop = 1s\n";
    for (const bool stands : {false, true})
    {
        const auto result =
            RunText(refused,
                    {"--set", std::string("rnic.rejected_stream_time=") + (stands ? "10s" : "0s")});
        EXPECT_EQ(result.status, 0) << result.errors;
        const auto count = [this](const std::string& filter) {
            return test::RunTshark(m_directory.GetPath() + "/out/client-1.pcap",
                                   "-Y '" + filter + "'")
                .size();
        };
        EXPECT_EQ(count("iwarp_mpa.rep"), 2U) << "a rejection, and an acceptance";
        EXPECT_EQ(count("tcp.flags.syn == 1 && tcp.flags.ack == 0"), stands ? 1U : 2U);
        EXPECT_EQ(count("_ws.malformed"), 0U);
        EXPECT_GT(count("nfs"), 100U);
    }
}

} // namespace
} // namespace ns3::nfsrdma
