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
        EXPECT_EQ(Count("_ws.malformed"), 0U);
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

/// A server that can make no RDMA Reads refuses, as nfsd does.
TEST_F(DelayedStartupRun, TheNextAttemptGoesOverARejectedConnection)
{
    const std::string refused =
        "[cluster]\nclients = 1\nstall_limit = 20s\nstall_connections = 3\n[output]\n"
        "pcap = client-0\n[workload]\nkind = mix\noperations = 4\n[rnic]\nmax_ird = 0\n";
    const std::string opens = "tcp.flags.syn == 1 && tcp.flags.ack == 0";
    for (const std::string preamble : {"", "streaming_preamble = 40\n"})
    {
        EXPECT_EQ(RunText(refused + preamble).status, 3);
        const std::size_t attempts = Count("iwarp_mpa.rep");
        EXPECT_GT(attempts, 2U);
        EXPECT_EQ(Count(opens), attempts);
        EXPECT_EQ(RunText(refused + preamble +
                          "rejected_stream_time = 60s\nmpa_request_timeout = "
                          "60s\n")
                      .status,
                  3);
        EXPECT_EQ(Count("iwarp_mpa.rep"), attempts);
        EXPECT_EQ(Count(opens), 1U);
        EXPECT_EQ(Count("tcp contains \"Hello. \""), preamble.empty() ? 0 : attempts);
    }
}

} // namespace
} // namespace ns3::nfsrdma
