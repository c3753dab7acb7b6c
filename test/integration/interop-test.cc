/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

/// Peers that support responder-provided Read chunks, do not, or say so falsely:
/// scenarios/interop-*.
class InteropTest : public SimulatorTest
{
  protected:
    /// Runs the scenario with \p settings on top; nothing may be left over.
    int RunScenario(const std::string& name, const std::vector<std::string>& settings = {})
    {
        std::vector<std::string> arguments{"run", "interop-" + name, "--out", "out"};
        for (const auto& setting : settings)
        {
            arguments.insert(arguments.end(), {"--set", setting});
        }
        const auto result = Run(arguments);
        m_summary = m_directory.ReadJson("out/summary.json");
        for (const auto& [kind, count] : m_summary["leftovers"].items())
        {
            EXPECT_EQ(count, 0) << kind;
        }
        EXPECT_EQ(m_summary["verification"]["exports"]["mismatches"], 0);
        return result.status;
    }

    /// \return RPCs by outcome.
    std::map<std::string, uint32_t> CountOutcomes() const
    {
        std::istringstream lines(m_directory.ReadFile("out/rpc.csv"));
        std::string line;
        std::getline(lines, line);
        const auto outcome = FindColumn(line, "outcome");
        std::map<std::string, uint32_t> outcomes;
        while (std::getline(lines, line))
        {
            ++outcomes[Split(line).at(outcome)];
        }
        return outcomes;
    }

    /// \return the sum of a column of rpc.csv, by client.
    std::map<std::string, uint64_t> SumByClient(const std::string& column) const
    {
        std::istringstream lines(m_directory.ReadFile("out/rpc.csv"));
        std::string line;
        std::getline(lines, line);
        const auto place = FindColumn(line, column);
        std::map<std::string, uint64_t> sums;
        while (std::getline(lines, line))
        {
            const auto fields = Split(line);
            sums[fields.at(0)] += std::stoull(fields.at(place));
        }
        return sums;
    }

    /// \return how many RPCs of \p client ended otherwise than with SUCCESS.
    uint32_t CountFailures(const std::string& client) const
    {
        std::istringstream lines(m_directory.ReadFile("out/rpc.csv"));
        std::string line;
        std::getline(lines, line);
        const auto outcome = FindColumn(line, "outcome");
        uint32_t failures = 0;
        while (std::getline(lines, line))
        {
            const auto fields = Split(line);
            failures += fields.at(0) == client && fields.at(outcome) != "SUCCESS" ? 1 : 0;
        }
        return failures;
    }

    /// \return the place of \p column in the header row.
    static std::size_t FindColumn(const std::string& header, const std::string& column)
    {
        const auto names = Split(header);
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), column) -
                                        names.begin());
    }

    static std::vector<std::string> Split(const std::string& line)
    {
        std::istringstream row(line);
        std::vector<std::string> fields;
        for (std::string field; std::getline(row, field, ',');)
        {
            fields.push_back(field);
        }
        return fields;
    }

    uint64_t GetExposedPeak() const
    {
        return m_summary["server_memory"]["exposed_peak_octets"];
    }

    static constexpr uint32_t LARGE = 30; ///< Replies that do not fit inline.
    nlohmann::json m_summary;
};

TEST_F(InteropTest, AnOldResponderSaysWhatItCannotSend)
{
    EXPECT_EQ(RunScenario("old-responder"), 1);
    EXPECT_EQ(CountOutcomes()["TRANSPORT_ERROR"], LARGE);
    EXPECT_EQ(GetExposedPeak(), 0U);
    EXPECT_EQ(RunScenario("old-responder", {"rpcrdma.client_reply_mechanism=linux"}), 0);
    EXPECT_EQ(RunScenario("old-responder",
                          {"rpcrdma.server_read_chunk_extension=true",
                           "rpcrdma.server_read_chunk_policy=when-needed"}),
              0);
    EXPECT_GT(GetExposedPeak(), 0U);
}

TEST_F(InteropTest, AnOldRequesterLeavesTheMemoryOfTheServerExposed)
{
    // Clients that begin at one instant expose what they read at one instant, too.
    const std::string apart = "measure.barrier=false";
    EXPECT_EQ(RunScenario("old-requester", {apart}), 1);
    EXPECT_EQ(CountOutcomes()["BAD_REPLY"], LARGE);
    const uint64_t silent = GetExposedPeak();
    EXPECT_EQ(
        RunScenario("old-requester", {apart, "rpcrdma.client_notify_unexpected_read_chunks=true"}),
        1);
    EXPECT_EQ(CountOutcomes()["BAD_REPLY"], LARGE);
    EXPECT_GE(silent, 10 * GetExposedPeak());
    EXPECT_EQ(RunScenario("old-requester", {"rpcrdma.server_read_chunks_without_agreement=false"}),
              0);
    EXPECT_EQ(GetExposedPeak(), 0U);
}

TEST_F(InteropTest, AResponderThatAnnouncesFalselyFailsRpcs)
{
    EXPECT_EQ(RunScenario("false-responder", {"rpcrdma.server_read_chunk_policy=never"}), 1);
    const std::string unannounced = m_summary["digest"];
    EXPECT_EQ(RunScenario("false-responder"), 1);
    EXPECT_EQ(CountOutcomes()["TRANSPORT_ERROR"], LARGE);
    EXPECT_NE(m_summary["digest"], unannounced) << "nothing was announced on the wire";
    EXPECT_EQ(RunScenario("false-responder", {"rpcrdma.server_read_chunk_policy=when-needed"}), 0);
    EXPECT_EQ(RunScenario("false-responder", {"rpcrdma.client_reply_mechanism=linux"}), 0);
}

TEST_F(InteropTest, ARequesterThatAnnouncesFalselyStillNotifies)
{
    EXPECT_EQ(RunScenario("false-requester"), 1);
    EXPECT_EQ(CountOutcomes()["BAD_REPLY"], LARGE);
    const uint64_t notified = GetExposedPeak();
    EXPECT_EQ(RunScenario("false-requester", {"rpcrdma.client_max_pulled_bytes=1060864"}), 0);
    EXPECT_LE(notified, 2 * GetExposedPeak());
}

TEST_F(InteropTest, OldAndNewRequestersShareAServer)
{
    EXPECT_EQ(RunScenario("mixed-clients"), 0);
    auto pulled = SumByClient("reply_read_bytes");
    auto written = SumByClient("reply_chunk_bytes");
    for (const auto* client : {"0", "1"})
    {
        EXPECT_GT(pulled[client], 0U) << client;
        EXPECT_EQ(written[client], 0U) << client;
    }
    for (const auto* client : {"2", "3"})
    {
        EXPECT_EQ(pulled[client], 0U) << client;
        EXPECT_GT(written[client], 0U) << client;
    }
    const auto manifest = m_directory.ReadJson("out/manifest.json");
    EXPECT_EQ(manifest["config"]["rpcrdma new"]["hosts"], "client-0..1");
    EXPECT_EQ(manifest["config"]["rpcrdma new"]["client_reply_mechanism"], "reply-chunk-never");
}

TEST_F(InteropTest, OneHalfOfTheRequestersIsNotHarmedByTheOther)
{
    EXPECT_EQ(RunScenario("mixed-clients", {"rpcrdma new.client_read_chunk_extension=false"}), 1);
    EXPECT_GT(CountFailures("0"), 0U);
    EXPECT_GT(CountFailures("1"), 0U);
    EXPECT_EQ(CountFailures("2") + CountFailures("3"), 0U);
    EXPECT_EQ(RunScenario("mixed-clients",
                          {"rpcrdma.client_reply_mechanism=reply-chunk-never",
                           "rpcrdma.server_read_chunks_without_agreement=true"}),
              1);
    EXPECT_EQ(CountFailures("0") + CountFailures("1"), 0U);
    EXPECT_GT(CountFailures("2"), 0U);
    EXPECT_GT(CountFailures("3"), 0U);
}

TEST_F(InteropTest, SharesOfNewRequestersAreSwept)
{
    const auto result = Run({"run",
                             "interop-mixed-clients",
                             "--out",
                             "out",
                             "--set",
                             "sweep.rpcrdma new.hosts=client-0;clients;"});
    EXPECT_EQ(result.status, 0) << result.errors;
    for (const auto* point : {"0-s1", "1-s1"})
    {
        const std::string folder = std::string("out/points/") + point;
        const auto manifest = m_directory.ReadJson(folder + "/manifest.json");
        EXPECT_EQ(manifest["config"]["rpcrdma new"]["hosts"],
                  *point == '0' ? "client-0" : "clients");
    }
    const auto whole = m_directory.ReadJson("out/manifest.json");
    EXPECT_EQ(whole["sweep"]["keys"][0], "rpcrdma new.hosts");
    EXPECT_EQ(whole["config"]["rpcrdma new"]["client_read_chunk_extension"], "true");
    EXPECT_LT(m_directory.ReadJson("out/points/0-s1/summary.json")["bytes"]["reply_read_chunk"],
              m_directory.ReadJson("out/points/1-s1/summary.json")["bytes"]["reply_read_chunk"]);
}

} // namespace

} // namespace ns3::nfsrdma
