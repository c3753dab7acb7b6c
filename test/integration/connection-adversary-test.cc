/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

/// A role at the connection, MPA or RNIC layer, and how it is set.
struct RoleCase
{
    const char* name;
    const char* keys;
};

constexpr const char* CONNECTION_DEFENCES =
    "startups_per_peer = 4\nconnections_per_peer = 8\n"
    "connection_rate = 2000\nfault_limit = 8\nignore_time = 1ms\n"
    "mpa_request_timeout = 500us\nstag_keys = random\n"
    "stag_indices = scattered\n"
    "[rpcrdma]\nserver_private_data_at_front = true\n";

class ConnectionAdversaryTest : public SimulatorTest
{
  protected:
    /// Runs \p scenario; \return its exit status. Nothing may be left over.
    int RunText(const std::string& scenario)
    {
        m_directory.WriteFile("case.ini", scenario);
        const auto result = Run({"run", "case.ini", "--out", "out"});
        EXPECT_EQ(result.errors, "");
        m_summary = m_directory.ReadJson("out/summary.json");
        ExpectNothingLeft();
        return result.status;
    }

    int RunScenario(const std::string& name, const std::vector<std::string>& settings = {})
    {
        std::vector<std::string> arguments{"run", name, "--out", "out"};
        for (const auto& setting : settings)
        {
            arguments.insert(arguments.end(), {"--set", setting});
        }
        const auto result = Run(arguments);
        EXPECT_EQ(result.errors, "");
        m_summary = m_directory.ReadJson("out/summary.json");
        ExpectNothingLeft();
        return result.status;
    }

    void ExpectNothingLeft() const
    {
        for (const auto& [kind, count] : m_summary["leftovers"].items())
        {
            EXPECT_EQ(count, 0) << kind;
        }
    }

    /// \return how often the adversaries of the run noted \p what.
    [[nodiscard]] uint64_t CountNotes(const std::string& what) const
    {
        uint64_t count = 0;
        for (const auto& role : m_summary["adversaries"]["roles"])
        {
            count += role["broken"].value(what, uint64_t{0});
        }
        return count;
    }

    [[nodiscard]] double GetRate() const
    {
        return m_summary["rpcs_per_second"];
    }

    [[nodiscard]] double GetDuration() const
    {
        return m_summary["simulated_s"];
    }

    nlohmann::json m_summary;
};

class ConnectionAdversaryMatrix
    : public ConnectionAdversaryTest,
      public ::testing::WithParamInterface<std::tuple<RoleCase, const char*, bool>>
{
};

TEST_P(ConnectionAdversaryMatrix, HonestClientsAreServed)
{
    const auto& [role, version, defended] = GetParam();
    const std::string scenario =
        std::string("[cluster]\nclients = 3\n[nfs]\nversion = ") + version +
        "\n[workload]\nkind = mix\noperations = 120\nfiles = 4\nfile_size = 64KiB\n"
        "[adversary it]\nhosts = client-0\nconnections = 4\nevery = 30us\nrole = " +
        role.name + "\n" + role.keys + "[rnic]\n" + (defended ? CONNECTION_DEFENCES : "");
    EXPECT_EQ(RunText(scenario), 0);
    EXPECT_EQ(m_summary["errors"], 0);
    EXPECT_GT(m_summary["verification"]["exports"]["octets"], 100000);
    EXPECT_GE(m_summary["adversaries"]["roles"][0]["rules_broken"], 4);
    const std::string digest = m_summary["digest"];
    if (!defended)
    {
        EXPECT_EQ(RunText(scenario), 0);
        EXPECT_EQ(m_summary["digest"], digest) << "the same once more";
    }
}

INSTANTIATE_TEST_SUITE_P(
    Every,
    ConnectionAdversaryMatrix,
    ::testing::Combine(::testing::Values(RoleCase{"drip-fed-startup", "octet_interval = 100us\n"},
                                         RoleCase{"connection-churn", "ending = terminate\n"},
                                         RoleCase{"private-data-mimic", ""},
                                         RoleCase{"malformed-segments", "hold_time = 200us\n"},
                                         RoleCase{"guessed-stags", "guess_window = 32\n"},
                                         RoleCase{"false-read-depths", ""}),
                       ::testing::Values("3", "4.1"),
                       ::testing::Bool()),
    [](const auto& one) {
        std::string name = std::get<0>(one.param).name + std::string("V") + std::get<1>(one.param) +
                           (std::get<2>(one.param) ? "Defended" : "Linux");
        const auto isBad = [](char c) { return c == '-' || c == '.'; };
        name.erase(std::remove_if(name.begin(), name.end(), isBad), name.end());
        return name;
    });

TEST_F(ConnectionAdversaryTest, DripFedStartupIsHarmlessWithALimitForEachPeer)
{
    EXPECT_EQ(RunScenario("startup-drip-feed"), 0);
    EXPECT_LT(GetDuration(), 0.1);
    EXPECT_GE(CountNotes("held in startup"), 4U);
}

TEST_F(ConnectionAdversaryTest, DripFedStartupKeepsOthersOutWithoutIt)
{
    EXPECT_EQ(RunScenario("startup-drip-feed", {"rnic.startups_per_peer=0"}), 0);
    EXPECT_GT(GetDuration(), 5.0);
    EXPECT_EQ(RunScenario("startup-drip-feed",
                          {"rnic.startups_per_peer=0", "rnic.mpa_request_timeout=0s"}),
              0);
    EXPECT_GT(GetDuration(), 8.0);
    EXPECT_EQ(CountNotes("held in startup"), 32U);
}

TEST_F(ConnectionAdversaryTest, AShortTimerHelpsAgainstDripFedStartup)
{
    EXPECT_EQ(RunScenario("startup-drip-feed",
                          {"rnic.startups_per_peer=0", "rnic.mpa_request_timeout=300us"}),
              0);
    EXPECT_LT(GetDuration(), 1.0);
    EXPECT_GT(CountNotes("ended by the server"), 100U);
}

/// Connections that come through startup, and then nothing.
class SilentPeerTest : public ConnectionAdversaryTest
{
  protected:
    int RunWith(const std::string& rnic)
    {
        return RunText("[cluster]\nclients = 2\n[workload]\nkind = mix\noperations = 300\n"
                       "files = 4\nfile_size = 64KiB\n[adversary still]\nhosts = client-0\n"
                       "role = drip-fed-startup\nmanner = complete\nconnections = 16\n"
                       "every = 20us\n[rnic]\n" +
                       rnic);
    }

    uint64_t Noticed(const std::string& counter) const
    {
        return m_summary["adversaries"]["victims"]["server-0"][counter];
    }

    uint64_t GetReceivePeak() const
    {
        return m_summary["server_memory"]["receive_buffers_peak_octets"];
    }
};

TEST_F(SilentPeerTest, HoldsWhatAConnectionTakesUntilATimerEndsIt)
{
    EXPECT_EQ(RunWith(""), 0);
    EXPECT_EQ(CountNotes("held in silence"), 16U);
    EXPECT_EQ(CountNotes("ended by the server"), 0U);
    EXPECT_EQ(Noticed("silent_peers"), 0U);
    const auto held = GetReceivePeak();
    EXPECT_EQ(RunWith("mpa_first_fpdu_timeout = 100us\n"), 0);
    EXPECT_GT(Noticed("silent_peers"), 16U) << "it comes again";
    EXPECT_GE(CountNotes("ended by the server"), 16U);
    EXPECT_LT(GetReceivePeak(), held);
}

TEST_F(SilentPeerTest, IsIgnoredAfterTooManyFaults)
{
    EXPECT_EQ(RunWith("mpa_first_fpdu_timeout = 100us\nfault_limit = 4\nignore_time = 1s\n"), 0);
    EXPECT_GE(Noticed("silent_peers"), 4U);
    EXPECT_LE(Noticed("silent_peers"), 16U);
    EXPECT_GT(Noticed("connections_limited"), 0U);
}

TEST_F(SilentPeerTest, PeersThatSpeakAreLeftAlone)
{
    EXPECT_EQ(RunWith("mpa_first_fpdu_timeout = 100us\n"), 0);
    EXPECT_EQ(m_summary["adversaries"]["victims"]["client-1"]["connections_lost"], 0);
}

TEST_F(ConnectionAdversaryTest, ChurnCostsOthersTheirRateUnlessItIsLimited)
{
    EXPECT_EQ(RunScenario("connection-churn"), 0);
    const double limited = GetRate();
    EXPECT_GT(CountNotes("refused"), 100U);
    EXPECT_EQ(RunScenario("connection-churn", {"rnic.connection_rate=0"}), 0);
    EXPECT_EQ(CountNotes("refused"), 0U);
    EXPECT_LT(GetRate(), 0.8 * limited);
    EXPECT_EQ(RunScenario("connection-churn", {"adversary churn.start=10s"}), 0);
    EXPECT_GT(limited, 0.95 * GetRate());
}

TEST_F(ConnectionAdversaryTest, LinuxHeedsNoSizesOfPrivateData)
{
    EXPECT_EQ(RunScenario("private-data-mimicry",
                          {"rpcrdma.server_private_data_at_front=true",
                           "rpcrdma.server_honour_sizes=false"}),
              0);
    EXPECT_GT(CountNotes("cut-short believed"), 0U) << "a reply larger than its receives";
    EXPECT_EQ(CountNotes("cut-short not believed"), 0U);
}

TEST_F(ConnectionAdversaryTest, MimicsHarmThemselvesAlone)
{
    EXPECT_EQ(RunScenario("private-data-mimicry"), 0);
    EXPECT_GT(CountNotes("foreign believed"), 0U);
    EXPECT_GT(CountNotes("second believed"), 0U);
    EXPECT_GT(CountNotes("absurd-sizes believed"), 0U);
    EXPECT_GT(CountNotes("other-version not believed"), 0U);
    EXPECT_GT(CountNotes("cut-short not believed"), 0U);
    EXPECT_EQ(CountNotes("other-version believed") + CountNotes("cut-short believed"), 0U);
    EXPECT_EQ(RunScenario("private-data-mimicry", {"rpcrdma.server_private_data_at_front=true"}),
              0);
    EXPECT_EQ(CountNotes("foreign believed") + CountNotes("second believed"), 0U);
    EXPECT_GT(CountNotes("foreign not believed"), 0U);
}

TEST_F(ConnectionAdversaryTest, FalseReadDepthsAreToldOrBounded)
{
    EXPECT_EQ(RunScenario("false-read-depths"), 0);
    EXPECT_GT(CountNotes("low-ord"), 3U);
    EXPECT_EQ(CountNotes("told 1/2/02 no buffer"), CountNotes("low-ord") + CountNotes("zero-ord"));
    EXPECT_EQ(CountNotes("sent more Reads than are held"), CountNotes("high-ird"));
    EXPECT_EQ(CountNotes("answered with bounded depths"), CountNotes("unused-ord"));
    EXPECT_GT(CountNotes("zero-ird refused"), 3U);
    EXPECT_EQ(CountNotes("zero-ird"), 0U);
    for (const std::string honest : {"client-1", "client-2"})
    {
        EXPECT_EQ(m_summary["adversaries"]["victims"][honest]["connections_lost"], 0);
    }
    EXPECT_EQ(RunScenario("false-read-depths", {"rnic.fault_limit=4"}), 0);
    EXPECT_LE(CountNotes("low-ord") + CountNotes("zero-ord"), 6U);
}

/// A point of the sweep of guessed-stags.ini: domains, indices, keys.
using GuessPoint = std::tuple<std::string, std::string, std::string>;

class GuessedStagsTest : public ConnectionAdversaryTest
{
  protected:
    void SetUp() override
    {
        RunScenarioOnly("guessed-stags");
        std::istringstream lines(m_directory.ReadFile("out/adversaries.csv"));
        std::string line;
        std::getline(lines, line);
        EXPECT_EQ(line,
                  "point,seed,rpcrdma.server_registration_strategy,rnic.protection_domains,"
                  "rnic.stag_indices,rnic.stag_keys,name,role,host,what,count");
        while (std::getline(lines, line))
        {
            std::istringstream row(line);
            std::vector<std::string> fields;
            for (std::string field; std::getline(row, field, ',');)
            {
                fields.push_back(field);
            }
            auto& counts = fields.at(2) == "frwr" ? m_counts : m_ofAllMemory;
            counts[{fields.at(3), fields.at(4), fields.at(5)}][fields.at(9)] =
                std::stoull(fields.at(10));
        }
    }

    void RunScenarioOnly(const std::string& name)
    {
        const auto result = Run({"run", name, "--out", "out", "--jobs", "2"});
        EXPECT_EQ(result.errors, "");
    }

    [[nodiscard]] uint64_t Count(const GuessPoint& point, const std::string& what)
    {
        return m_counts[point][what];
    }

    /// \return guesses that hit a good STag, whatever came of it.
    [[nodiscard]] uint64_t CountGood(const GuessPoint& point)
    {
        return Count(point, "placed") + Count(point, "found");
    }

    std::map<GuessPoint, std::map<std::string, uint64_t>> m_counts;
    /// With one STag for all memory of the server.
    std::map<GuessPoint, std::map<std::string, uint64_t>> m_ofAllMemory;
};

TEST_F(GuessedStagsTest, KeysIndicesAndDomainsEachKeepThemOut)
{
    ASSERT_EQ(m_counts.size(), 5U);
    const GuessPoint open{"device", "sequential", "fixed"};
    EXPECT_GT(CountGood(open), 15U);
    EXPECT_EQ(Count(open, "foreign"), 0U);
    EXPECT_GT(CountGood(open), 3 * CountGood({"device", "sequential", "counter"}));
    EXPECT_GT(CountGood(open), 3 * CountGood({"device", "sequential", "random"}));
    EXPECT_EQ(CountGood({"device", "scattered", "fixed"}), 0U);
    const GuessPoint apart{"connection", "sequential", "fixed"};
    EXPECT_EQ(CountGood(apart), 0U);
    EXPECT_GT(Count(apart, "foreign"), 15U);
    for (const auto& [point, counts] : m_counts)
    {
        EXPECT_GT(Count(point, "unknown"), 100U) << std::get<2>(point);
    }
    EXPECT_GT(m_ofAllMemory.at(open)["placed"], 0U) << "one guess writes wherever it likes";
    EXPECT_EQ(m_ofAllMemory.at(apart)["placed"], 0U);
}

} // namespace

} // namespace ns3::nfsrdma
