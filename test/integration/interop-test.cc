/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

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
        std::vector<std::string> arguments{"run",
                                           NFSRDMA_SOURCE_DIR "/scenarios/interop-" + name + ".ini",
                                           "--out",
                                           "out"};
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
        constexpr int OUTCOME = 7;
        std::map<std::string, uint32_t> outcomes;
        while (std::getline(lines, line))
        {
            std::istringstream row(line);
            std::string field;
            for (int i = 0; i <= OUTCOME; ++i)
            {
                std::getline(row, field, ',');
            }
            ++outcomes[field];
        }
        return outcomes;
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
    EXPECT_EQ(RunScenario("old-requester"), 1);
    EXPECT_EQ(CountOutcomes()["BAD_REPLY"], LARGE);
    const uint64_t silent = GetExposedPeak();
    EXPECT_EQ(RunScenario("old-requester", {"rpcrdma.client_notify_unexpected_read_chunks=true"}),
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

} // namespace

} // namespace ns3::nfsrdma
