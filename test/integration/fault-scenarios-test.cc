/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <algorithm>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;
using ::testing::Not;

/// The scenarios about faults keep what their comments promise, and not without the fault.
class FaultScenariosTest : public SimulatorTest
{
  protected:
    ProcessResult RunScenario(const std::string& name, const std::vector<std::string>& options = {})
    {
        std::vector<std::string> arguments{"run", name, "--out", "out"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        auto result = Run(arguments);
        m_summary = m_directory.ReadJson("out/summary.json");
        return result;
    }

    void ExpectVerified() const
    {
        EXPECT_EQ(m_summary["exit_status"], 0);
        EXPECT_EQ(m_summary["verification"]["reads"]["mismatches"], 0);
        EXPECT_EQ(m_summary["verification"]["exports"]["mismatches"], 0);
        EXPECT_GT(m_summary["verification"]["exports"]["octets"], 100000);
    }

    uint64_t GetFirings(const std::string& fault) const
    {
        for (const auto& outcome : m_summary["faults"]["plan"])
        {
            if (outcome["name"] == fault)
            {
                return outcome["firings"];
            }
        }
        ADD_FAILURE() << "no fault " << fault;
        return 0;
    }

    /// \return the longest time from submission to completion of the RPCs of each client, ns.
    std::map<std::string, uint64_t> GetLongestRpcs() const
    {
        std::istringstream lines(m_directory.ReadFile("out/rpc.csv"));
        std::string line;
        std::getline(lines, line);
        std::map<std::string, uint64_t> longest;
        while (std::getline(lines, line))
        {
            std::vector<std::string> fields;
            std::istringstream row(line);
            for (std::string field; std::getline(row, field, ',');)
            {
                fields.push_back(field);
            }
            const uint64_t time =
                std::stoull(fields.at(COMPLETED)) - std::stoull(fields.at(SUBMITTED));
            longest[fields.at(0)] = std::max(longest[fields.at(0)], time);
        }
        return longest;
    }

    static constexpr std::size_t SUBMITTED = 14; ///< Columns of rpc.csv.
    static constexpr std::size_t COMPLETED = 31;
    static constexpr uint64_t MILLISECOND = 1'000'000;
    nlohmann::json m_summary;
};

const std::vector<std::string> COUNTERS{"--set",
                                        "faults.startups=every mpa-request: delay 1ns",
                                        "--set",
                                        "faults.terminates=every terminate: delay 1ns",
                                        "--set",
                                        "faults.again0=every retransmission on client-0: delay 1ns",
                                        "--set",
                                        "faults.again=every retransmission: delay 1ns"};

TEST_F(FaultScenariosTest, CrcCorruptionEndsConnectionsAndHarmsNothing)
{
    EXPECT_EQ(RunScenario("crc-corruption", COUNTERS).status, 0);
    ExpectVerified();
    for (const auto* fault : {"corrupt-write", "corrupt-call", "corrupt-read"})
    {
        EXPECT_EQ(GetFirings(fault), 1U);
    }
    EXPECT_EQ(GetFirings("terminates"), 3U);
    EXPECT_EQ(GetFirings("startups"), 4U);
}

TEST_F(FaultScenariosTest, CrcCorruptionWithoutCrcsHarms)
{
    EXPECT_EQ(RunScenario("crc-corruption", {"--set", "rnic.mpa_crc=false"}).status, 1);
    EXPECT_GT(m_summary["verification"]["reads"]["mismatches"], 0);
}

TEST_F(FaultScenariosTest, LinkFlapIsSurvivedByItsConnection)
{
    EXPECT_EQ(RunScenario("link-flap", COUNTERS).status, 0);
    ExpectVerified();
    EXPECT_GT(GetFirings("again0"), 0U);
    EXPECT_EQ(GetFirings("again0"), GetFirings("again"));
    EXPECT_EQ(GetFirings("startups"), 2U);
    EXPECT_GT(m_summary["faults"]["frames_stopped"], 0);
    auto options = COUNTERS;
    options.insert(options.end(), {"--set", "faults.flap=none"});
    EXPECT_EQ(RunScenario("link-flap", options).status, 0);
    EXPECT_EQ(GetFirings("again"), 0U);
}

TEST_F(FaultScenariosTest, PartitionHealsAndOthersDoNotNotice)
{
    EXPECT_EQ(RunScenario("partition-heal").status, 0);
    ExpectVerified();
    auto longest = GetLongestRpcs();
    for (const auto* client : {"0", "1"})
    {
        EXPECT_GT(longest[client], 295 * MILLISECOND) << client;
    }
    for (const auto* client : {"2", "3"})
    {
        EXPECT_LT(longest[client], 50 * MILLISECOND) << client;
    }
    EXPECT_EQ(RunScenario("partition-heal", {"--set", "faults.partition=none"}).status, 0);
    EXPECT_LT(GetLongestRpcs()["0"], 50 * MILLISECOND);
}

TEST_F(FaultScenariosTest, MtuBlackHoleStopsOneAndIcmpHelpsTheOther)
{
    EXPECT_EQ(RunScenario("mtu-black-hole").status, 0);
    ExpectVerified();
    auto longest = GetLongestRpcs();
    EXPECT_GT(longest["0"], 900 * MILLISECOND);
    EXPECT_LT(longest["1"], 500 * MILLISECOND);
    EXPECT_EQ(RunScenario("mtu-black-hole", {"--set", "faults.black-hole=none"}).status, 0);
    EXPECT_LT(GetLongestRpcs()["0"], 500 * MILLISECOND);
}

class FaultPlanTest : public SimulatorTest
{
  protected:
    ProcessResult RunWith(const std::string& fault, const std::string& more = "")
    {
        m_directory.WriteFile("mix.ini",
                              std::string(SMALL_MIX) + more + "[faults]\nbad = " + fault + "\n");
        return Run({"run", "mix.ini", "--out", "out"});
    }
};

TEST_F(FaultPlanTest, WrongLinesAreRefusedByFileLineAndKey)
{
    const std::pair<const char*, const char*> wrong[]{
        {"1st rdma-wriet: drop", "got 'rdma-wriet', expected an event: segment, data, "},
        {"1st rdma-wriet: drop", "; nearest to 'rdma-wriet': rdma-write\n"},
        {"1st fpdu: dorp", "; nearest to 'dorp': drop\n"},
        {"1st fpdu from cleint-2: drop", "; nearest to 'cleint-2': client-2\n"},
        {"1st fpdu from client-3: drop", "got 'client-3', expected a host, server-0 to server-1, "},
        {"at -1ms on server-0: crash", "got '-1ms', expected a time such as 500us or 10ms, not"},
        {"1st rdma-done: drop", "got 'rdma-done', expected an event that occurs: rdma-done needs"},
        {"1st nfs SEQUENCE call: drop", "got 'SEQUENCE', expected what nfs has with nfs.version 3"},
        {"at 1ms on client-0: storage-stall for 1ms", "got 'client-0', expected a server, for"},
        {"1st fpdu", "got the end, expected ':' and what happens"}};
    for (const auto& [fault, message] : wrong)
    {
        const auto result = RunWith(fault);
        EXPECT_EQ(result.status, 2) << fault;
        EXPECT_THAT(result.errors, ::testing::StartsWith("mix.ini:11: faults.bad: got "));
        EXPECT_THAT(result.errors, HasSubstr(message));
        EXPECT_EQ(result.CountErrorLines(), 1U);
        EXPECT_TRUE(m_directory.ReadAll(".").size() == 1);
    }
}

TEST_F(FaultPlanTest, WhatNeverHappenedIsReported)
{
    const auto result = RunWith("9999th rdma-write: drop");
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.output, HasSubstr("faults          bad never happened ("));
    const auto faults = m_directory.ReadJson("out/summary.json")["faults"]["plan"];
    EXPECT_EQ(faults[0]["firings"], 0);
    EXPECT_GT(faults[0]["occurrences"], 10);
    EXPECT_EQ(m_directory.ReadFile("out/faults.csv"), "time_ns,name,host,event,what,until_ns\n");
}

TEST_F(FaultPlanTest, EachTimeIsARow)
{
    EXPECT_EQ(RunWith("every 10th rdma-write from server-0 2 times: delay 5us").status, 0);
    const auto rows = m_directory.ReadFile("out/faults.csv");
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 3);
    EXPECT_THAT(rows, HasSubstr(",bad,server-0,rdma-write,delay 5us,"));
    EXPECT_EQ(m_directory.ReadJson("out/manifest.json")["config"]["faults"]["bad"],
              "every 10th rdma-write from server-0 2 times: delay 5us");
}

TEST_F(FaultPlanTest, SameSeedGivesTheSameAndAnotherAnother)
{
    const std::string fault = "fpdu with probability 0.02: drop";
    EXPECT_EQ(RunWith(fault).status, 0);
    const auto first = m_directory.ReadAll("out");
    EXPECT_EQ(RunWith(fault).status, 0);
    EXPECT_EQ(m_directory.ReadAll("out"), first);
    EXPECT_EQ(Run({"run", "mix.ini", "--out", "out", "--seed", "2"}).status, 0);
    EXPECT_NE(m_directory.ReadFile("out/faults.csv"), first.at("faults.csv"));
}

TEST_F(FaultPlanTest, APlanWithoutEffectChangesNothing)
{
    EXPECT_EQ(RunWith("none").status, 0);
    const auto digest = m_directory.ReadJson("out/summary.json")["digest"];
    EXPECT_THAT(m_directory.ReadFile("out/summary.json"), Not(HasSubstr("\"faults\"")));
    EXPECT_EQ(RunWith("1st rst: drop").status, 0);
    EXPECT_EQ(m_directory.ReadJson("out/summary.json")["digest"], digest);
}

TEST_F(FaultPlanTest, PrintedConfigurationHasThePlan)
{
    m_directory.WriteFile("mix.ini",
                          std::string(SMALL_MIX) + "[faults]\ncut = 1st fpdu: drop\n"
                                                   "other = 2nd fpdu: drop\n");
    const auto result = Run({"run", "mix.ini", "--print-config", "--set", "faults.other=none"});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("[faults]\ncut = 1st fpdu: drop\n"));
    EXPECT_THAT(result.output, Not(HasSubstr("\nother = ")));
}

TEST_F(FaultPlanTest, AnRpcThatCanNeverCompleteIsAStall)
{
    const std::string fault = "4th nfs READ reply: corrupt before crc field xid";
    EXPECT_EQ(RunWith(fault).status, 0) << "the call is sent again after client_timeout";
    const auto result = RunWith(fault, "[rpcrdma]\nclient_timeout = 0s\n");
    EXPECT_EQ(result.status, 3);
    EXPECT_THAT(result.errors, HasSubstr("stalled at "));
}

} // namespace

} // namespace ns3::nfsrdma
