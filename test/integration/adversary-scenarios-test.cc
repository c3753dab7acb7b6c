/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "adversary-fixture.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The scenarios about adversaries and replies keep what their comments promise, with the defence
/// and without, with the adversary and without.
class AdversaryScenariosTest : public AdversaryTest
{
};

const std::vector<std::string> READ_CHUNKS{
    "rpcrdma.profile=read-chunk-replies",
    "rpcrdma.client_reply_mechanism=reply-chunk-never",
};

TEST_F(AdversaryScenariosTest, CancelledRpcsCostConnectionsUnlessThereIsNoReplyChunk)
{
    EXPECT_EQ(RunScenario("cancelled-rpcs"), 0);
    ExpectSound();
    EXPECT_GT(Noticed("client-0", "connections_lost"), 5U);
    EXPECT_GT(Noticed("client-0", "calls_sent_again"), 10U);
    EXPECT_EQ(Noticed("client-0", "terminates_sent"), Noticed("client-0", "connections_lost"));
    EXPECT_EQ(Noticed("client-1", "connections_lost"), 0U);
    const double harmed = GetSimulated();

    EXPECT_EQ(RunScenario("cancelled-rpcs", READ_CHUNKS), 0);
    ExpectSound();
    EXPECT_GT(GetBroken(), 10U);
    EXPECT_EQ(Noticed("client-0", "connections_lost"), 0U);
    EXPECT_EQ(Noticed("client-0", "calls_sent_again"), 0U);
    EXPECT_GT(Noticed("server-0", "exposed_peak_octets"), 10000U);
    EXPECT_LT(GetSimulated(), harmed);

    EXPECT_EQ(RunScenario("cancelled-rpcs", {"adversary storm.role=none"}), 0);
    EXPECT_FALSE(m_summary.contains("adversaries"));
    EXPECT_LT(GetSimulated(), harmed);
}

TEST_F(AdversaryScenariosTest, RogueResponderHasNothingToOverrunWithReadChunks)
{
    EXPECT_EQ(RunScenario("rogue-responder"), 0);
    ExpectSound();
    EXPECT_GT(GetBroken(), 4U);
    EXPECT_EQ(Noticed("client-1", "connections_lost") + Noticed("client-3", "connections_lost"),
              GetBroken());
    EXPECT_GT(Noticed("client-1", "calls_sent_again"), 0U);
    for (const auto* client : {"client-0", "client-2"})
    {
        EXPECT_EQ(Noticed(client, "connections_lost"), 0U);
        EXPECT_EQ(Noticed(client, "calls_sent_again"), 0U);
    }
    EXPECT_EQ(RunScenario("rogue-responder", READ_CHUNKS), 0);
    ExpectSound();
    EXPECT_EQ(GetBroken(), 0U);
    EXPECT_EQ(Noticed("client-3", "connections_lost"), 0U);
}

TEST_F(AdversaryScenariosTest, UnreadRepliesAreReclaimedOrLimited)
{
    EXPECT_EQ(RunScenario("unread-replies"), 0);
    ExpectSound();
    EXPECT_GT(Noticed("server-0", "exposed_expired"), 100U);
    const auto expectNoHarm = [this] {
        for (const auto* client : {"client-0", "client-1"})
        {
            EXPECT_EQ(Noticed(client, "connections_lost"), 0U);
            EXPECT_EQ(Noticed(client, "calls_failed"), 0U);
        }
    };
    expectNoHarm();
    const uint64_t bounded = GetBroken();
    const std::string never = "rpcrdma.server_read_chunk_timeout=0s";
    EXPECT_EQ(RunScenario("unread-replies", {never}), 0);
    EXPECT_EQ(Noticed("server-0", "exposed_expired"), 0U);
    EXPECT_GT(Noticed("server-0", "exposed_peak_octets"), 1'900'000U);
    EXPECT_LT(GetBroken(), bounded / 4) << "its replies wait for regions, others do not";
    expectNoHarm();

    EXPECT_EQ(RunScenario("unread-replies", {never, "rpcrdma.server_max_pending_read_chunks=4"}),
              0);
    ExpectSound();
    EXPECT_EQ(GetBroken(), 4U);
    EXPECT_GT(Noticed("server-0", "exposure_refused"), 50U);
    expectNoHarm();
    EXPECT_EQ(RunScenario("unread-replies", {never, "rpcrdma.server_max_exposed_bytes=200000"}), 0);
    EXPECT_EQ(GetBroken(), 3U);
    expectNoHarm();
    EXPECT_EQ(RunScenario("unread-replies", {never, "adversary hoarder.role=none"}), 0);
}

TEST_F(AdversaryScenariosTest, ChunkListsThatAreNotCheckedCostTheirSenderItsConnection)
{
    struct Outcome
    {
        uint64_t errors;
        uint64_t terminates;
    };

    const std::array<Outcome, 8> outcomes{
        {{0, 0}, {0, 4}, {18, 0}, {18, 0}, {0, 4}, {18, 0}, {18, 0}, {0, 4}}};
    ASSERT_EQ(Run({"run", "chunk-checks", "--out", "out"}).status, 0);
    for (std::size_t point = 0; point < outcomes.size(); ++point)
    {
        m_summary =
            m_directory.ReadJson("out/points/" + std::to_string(point) + "-s1/summary.json");
        EXPECT_EQ(Noticed("server-0", "errors_sent"), outcomes.at(point).errors) << point;
        EXPECT_EQ(Noticed("server-0", "terminates_received"), outcomes.at(point).terminates)
            << point;
        EXPECT_EQ(Noticed("client-0", "connections_lost"), 0U) << point;
        EXPECT_EQ(Noticed("client-1", "connections_lost"), 0U) << point;
        ExpectSound();
    }
}

TEST_F(AdversaryScenariosTest, ASegmentThatIsNotCheckedTakesTheMemoryOfTheServer)
{
    const std::vector<std::string> one{"adversary forger.chunk_fault=long-segment",
                                       "rpcrdma.server_empty_chunks=inline",
                                       "rpcrdma.server_careless=false"};
    const auto peakWith = [&](const std::string& limit) {
        auto settings = one;
        settings.push_back("rpcrdma.server_max_call_bytes=" + limit);
        EXPECT_EQ(RunScenario("chunk-checks", settings), 0);
        std::istringstream table(m_directory.ReadFile("out/memory.csv"));
        for (std::string line; std::getline(table, line);)
        {
            if (line.rfind("server-0,,read_sinks,", 0) == 0)
            {
                return std::stoull(line.substr(line.rfind(',') + 1));
            }
        }
        return 0ULL;
    };
    EXPECT_EQ(peakWith("1060864B"), 262144U) << "sinks of the other clients";
    EXPECT_GE(peakWith("1GiB"), 512ULL << 20);
}

TEST_F(AdversaryScenariosTest, ExhaustedCreditsNeedAQuestionAndACreditForIt)
{
    EXPECT_EQ(RunScenario("credits-exhausted"), 0);
    ExpectSound();
    EXPECT_GT(GetBroken(), 10U);
    EXPECT_GT(Noticed("client-0", "connections_lost"), 0U);
    EXPECT_EQ(Noticed("client-0", "calls_failed"), 0U);
    EXPECT_LT(GetSimulated(), 0.1);
    EXPECT_EQ(RunScenario("credits-exhausted", {"rpcrdma.client_probe_period=0s"}), 3);
    EXPECT_THAT(m_result.errors, HasSubstr("client-0: "));
    EXPECT_EQ(Noticed("client-0", "connections_lost"), 0U);

    std::vector<std::string> slow{"adversary deaf.role=none",
                                  "storage.profile=nvme",
                                  "nfs.threads=64",
                                  "faults.slow=at 4ms on server-0: storage-stall for 12ms"};
    EXPECT_EQ(RunScenario("credits-exhausted", slow), 0);
    EXPECT_LT(GetSimulated(), 0.1);
    EXPECT_EQ(m_summary["retransmissions"], 0);
    slow.emplace_back("rpcrdma.client_reserved_credits=0");
    EXPECT_EQ(RunScenario("credits-exhausted", slow), 0);
    EXPECT_GT(m_summary["retransmissions"], 0);
}

TEST_F(AdversaryScenariosTest, RepliesTooLargeForTheirChunk)
{
    const std::string smart = "rpcrdma.server_careless=false";
    EXPECT_EQ(RunScenario("reply-chunk-overrun"), 1);
    ExpectSound();
    EXPECT_GT(m_summary["verification"]["failed_operations"], 0);
    EXPECT_GT(m_summary["retransmissions"], 5);
    EXPECT_EQ(RunScenario("reply-chunk-overrun", {smart}), 1);
    EXPECT_GT(m_summary["verification"]["failed_operations"], 0);
    EXPECT_EQ(m_summary["retransmissions"], 0);
    EXPECT_EQ(RunScenario("reply-chunk-overrun", {smart, "rpcrdma.profile=read-chunk-replies"}), 0);
    ExpectSound();
    EXPECT_EQ(m_summary["verification"]["failed_operations"], 0);
    EXPECT_EQ(RunScenario("reply-chunk-overrun", {"workload acls.acl_entries=5:1"}), 0);
    EXPECT_EQ(m_summary["retransmissions"], 0);
}

TEST_F(AdversaryScenariosTest, RepliesOfUnknownSize)
{
    EXPECT_EQ(RunScenario("reply-size-estimation"), 1);
    ExpectSound();
    const uint64_t failed = m_summary["verification"]["failed_operations"];
    EXPECT_GT(failed, 50U);
    EXPECT_EQ(RunScenario("reply-size-estimation", {"nfs.client_reply_attempts=6"}), 0);
    EXPECT_EQ(m_summary["verification"]["failed_operations"], 0);
    const double again = GetSimulated();
    EXPECT_EQ(RunScenario("reply-size-estimation", {"rpcrdma.profile=read-chunk-replies"}), 0);
    EXPECT_EQ(m_summary["verification"]["failed_operations"], 0);
    EXPECT_LT(GetSimulated(), again);
    EXPECT_LT(m_summary["registrations_per_rpc"], 1.0);
}

TEST_F(AdversaryScenariosTest, LookupsWaitForTheInvalidationOfWhatTheyDoNotUse)
{
    const auto get = [this](const std::string& operation, const std::string& what) {
        for (const auto& row : m_summary["operations"])
        {
            if (row["operation"] == operation)
            {
                return row.at(nlohmann::json::json_pointer(what)).get<double>();
            }
        }
        ADD_FAILURE() << "no " << operation;
        return 0.0;
    };
    EXPECT_EQ(RunScenario("registration-cost"), 0);
    EXPECT_GE(get("LOOKUP", "/registrations"), get("LOOKUP", "/count"));
    const double latency = get("LOOKUP", "/latency_us/mean");
    EXPECT_EQ(RunScenario("registration-cost", {"rpcrdma.profile=read-chunk-replies"}), 0);
    EXPECT_EQ(get("LOOKUP", "/registrations"), 0);
    const double without = get("LOOKUP", "/latency_us/mean");
    EXPECT_EQ(get("LOOKUP", "/bytes/reply_read_chunk"), 0);
    EXPECT_GT(latency, 1.1 * without) << "the wait for the invalidation";

    EXPECT_EQ(RunScenario("registration-cost", {"rpcrdma.server_invalidation=linux"}), 0);
    EXPECT_GE(get("LOOKUP", "/registrations"), get("LOOKUP", "/count"));
    EXPECT_LT(get("LOOKUP", "/latency_us/mean"), 1.02 * without) << "nothing is waited for";
}

TEST_F(AdversaryScenariosTest, CancelledReadsLoseConnectionsWhateverTheReplyMechanism)
{
    const auto lost = [this](std::vector<std::string> keys) {
        keys.emplace_back("adversary storm.operation=read");
        EXPECT_EQ(RunScenario("cancelled-rpcs", keys), 0);
        ExpectSound();
        EXPECT_GT(GetBroken(), 10U);
        return Noticed("client-0", "connections_lost");
    };
    EXPECT_GT(lost({}), 20U);
    EXPECT_GT(lost(READ_CHUNKS), 20U) << "their data come by Write chunk all the same";
    EXPECT_EQ(lost({"rpcrdma.inline_threshold=64KiB"}), 0U);
    EXPECT_EQ(lost({"rpcrdma.client_registration_strategy=preregistered"}), 0U);
}

TEST_F(AdversaryScenariosTest, HeaderSizeDecidesNearTheThreshold)
{
    const std::string solved = "rpcrdma.client_reply_mechanism=solved";
    EXPECT_EQ(RunScenario("header-size-estimation"), 0);
    const uint64_t rpcs = m_summary["rpcs"];
    EXPECT_EQ(m_summary["forms"]["msg+reply"], rpcs);
    EXPECT_EQ(RunScenario("header-size-estimation", {"workload.list_count=3840"}), 0);
    EXPECT_EQ(m_summary["forms"]["msg/inline"], m_summary["rpcs"]);
    EXPECT_EQ(RunScenario("header-size-estimation", {solved}), 0);
    EXPECT_EQ(m_summary["forms"]["msg/inline"], rpcs);
    EXPECT_EQ(m_summary["registrations_per_rpc"], 0);
    EXPECT_EQ(RunScenario("header-size-estimation", {solved, "workload.list_count=3968"}), 0);
    EXPECT_EQ(m_summary["forms"]["msg+reply"], m_summary["rpcs"]);
    EXPECT_EQ(m_summary["errors"], 0);
}

/// Rules about the section itself.
class AdversarySectionTest : public AdversaryTest
{
  protected:
    /// \return what is said about a scenario of two clients with \p section.
    std::string Refused(const std::string& section)
    {
        m_directory.WriteFile("bad.ini", "[cluster]\nclients = 2\n" + section);
        EXPECT_EQ(RunFile("bad.ini"), 2) << section;
        EXPECT_EQ(m_result.CountErrorLines(), 1U);
        return m_result.errors;
    }
};

TEST_F(AdversarySectionTest, RefusesByLineAndKey)
{
    EXPECT_THAT(Refused("[adversary a]\nrole = wrong-xdi\nhosts = server-0\n"),
                StartsWith("bad.ini:4: adversary.role: got 'wrong-xdi', expected "));
    EXPECT_THAT(Refused("[adversary a]\nrole = wrong-xdi\nhosts = server-0\n"),
                HasSubstr("wrong-xid"));
    EXPECT_THAT(Refused("[adversary a]\nrole = wrong-xid\nhosts = client-0\n"),
                StartsWith("bad.ini:4: adversary a.role: got 'wrong-xid', expected a role of "
                           "clients for client-0: abort-storm"));
    EXPECT_THAT(Refused("[adversary a]\nrole = never-done\nhosts = server-0\n"),
                HasSubstr("a role of servers for server-0: reply-overrun"));
    EXPECT_THAT(
        Refused("[adversary a]\nrole = wrong-xid\nhosts = server-0\nburst = 3\n"),
        StartsWith(
            "bad.ini:6: adversary a.burst: got '3', expected keys of role "
            "wrong-xid: role, hosts, start, stop, probability, victim, count, false_grant\n"));
    EXPECT_THAT(Refused("[adversary a]\nrole = wrong-xid\n"),
                StartsWith("bad.ini:4: adversary a: got no key hosts, expected role = NAME and "));
    EXPECT_THAT(
        Refused("[adversary]\nevery = 3ms\n"),
        StartsWith("bad.ini:4: adversary.every: got '3ms', expected this key in sections "));
    EXPECT_THAT(Refused("[adversary a]\nrole = never-done\nhosts = clients\n"),
                HasSubstr("a client that is left to run [workload]"));
    EXPECT_THAT(Refused("[adversary a]\nrole = never-done\nhosts = client-0\n"
                        "[workload w]\nclients = 0\nkind = fio\n"),
                HasSubstr("a client that is left to run [workload w]"));
    EXPECT_THAT(
        Refused("[adversary a]\nrole = wrong-xid\nhosts = server-0\nvictim = client-9\n"),
        StartsWith("bad.ini:6: adversary a.victim: got 'client-9', expected all, or a host"));
}

TEST_F(AdversarySectionTest, TellsWhatWasBroken)
{
    m_directory.WriteFile("one.ini",
                          std::string(SMALL_MIX) +
                              "[adversary liar]\nrole = replayed-reply\nhosts = servers\n"
                              "probability = 0.5\nstart = 1200us\ncount = 5\nvictim = client-1\n");
    EXPECT_EQ(RunFile("one.ini"), 0);
    ExpectSound();
    EXPECT_EQ(GetBroken(), 5U);
    EXPECT_THAT(m_result.output,
                HasSubstr("adversaries     liar (replayed-reply on server-0) broke 0 rules\n"));
    EXPECT_THAT(m_result.output, HasSubstr("liar (replayed-reply on server-1) broke 5 rules\n"));
    EXPECT_THAT(m_result.output, HasSubstr("victims         client-1: 5 unknown xids\n"));
    const auto rows = m_directory.ReadFile("out/adversaries.csv");
    EXPECT_THAT(rows, StartsWith("time_ns,name,host,peer,what\n"));
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 6);
    EXPECT_THAT(rows, HasSubstr(",liar,server-1,client-1,sends a"));
    EXPECT_EQ(m_directory.ReadJson("out/manifest.json")["config"]["adversary liar"]["count"], "5");
}

} // namespace

} // namespace ns3::nfsrdma
