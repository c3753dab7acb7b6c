/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "adversary-fixture.h"
#include "fault/adversary/registry.h"
#include "fault/adversary/rogue-requester.h"
#include "fault/adversary/rogue-responder.h"

#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

/// Reads and writes in blocks that go inline and by chunk, and listings with Reply chunks.
constexpr const char* BASE = "[cluster]\nclients = 3\n"
                             "[rpcrdma]\nclient_timeout = 5ms\n"
                             "[workload]\nkind = fio\nreadwrite = randrw\ndirect = true\n"
                             "bssplit = 2048:1,16384:2\nsize = 128KiB\niodepth = 4\n"
                             "requests = 60\n"
                             "[workload lists]\nclients = 0\nkind = listing\n"
                             "list_directories = 1\nlist_entries = 60\nlist_count = 8KiB\n"
                             "requests = 20\n";

/// What a server and its clients can do against adversaries.
constexpr const char* RPC_DEFENCES =
    "[rpcrdma]\nclient_read_chunk_extension = true\nserver_read_chunk_extension = true\n"
    "client_reply_mechanism = reply-chunk-when-surely-large\n"
    "server_read_chunk_policy = when-needed\nclient_pull_notice = reserved-receives\n"
    "server_read_chunk_timeout = 1ms\nserver_max_pending_read_chunks = 16\n"
    "server_enforce_credits = true\nserver_bad_message_limit = 4\n"
    "server_header_rules = rfc8166\nserver_failed_call_memory = 16\n";

struct AdversaryCase
{
    std::string role;
    std::string version;
    bool defended;
};

/// \return true for roles at the RPC-over-RDMA layer.
bool
IsOfRpcRdma(const TypeId& type)
{
    return type.IsChildOf(RogueResponder::GetTypeId()) ||
           type.IsChildOf(RogueRequester::GetTypeId()) ||
           type.GetName() == "ns3::nfsrdma::AbortStorm";
}

std::vector<AdversaryCase>
MakeAdversaryCases()
{
    std::vector<AdversaryCase> cases;
    for (const auto& entry : GetAdversaryRoles())
    {
        if (!IsOfRpcRdma(entry.GetType()))
        {
            continue;
        }
        for (const auto* version : {"3", "4.1"})
        {
            cases.push_back({entry.name, version, false});
            cases.push_back({entry.name, version, true});
        }
    }
    return cases;
}

/// Whatever a host does: nothing crashes or hangs, every call of honest clients ends, the files
/// hold what completed operations imply, nothing is left over, and it happens again the same way.
class AdversaryMatrix : public AdversaryTest, public ::testing::WithParamInterface<AdversaryCase>
{
};

TEST_P(AdversaryMatrix, EndsWell)
{
    const auto& one = GetParam();
    const bool isServer = GetAdversaryRoles().Find(one.role)->side == AdversarySide::SERVER;
    std::string scenario = std::string(BASE) + "[nfs]\nversion = " + one.version +
                           "\n[adversary bad]\nrole = " + one.role + "\nhosts = ";
    scenario += isServer ? "server-0\nprobability = 0.05\n" : "client-2\nevery = 150us\n";
    m_directory.WriteFile("one.ini", scenario);
    std::vector<std::string> settings;
    if (one.defended)
    {
        std::istringstream lines(RPC_DEFENCES);
        std::string line;
        std::getline(lines, line);
        while (std::getline(lines, line))
        {
            settings.push_back("rpcrdma." + line);
        }
    }
    EXPECT_EQ(RunFile("one.ini", settings), 0) << m_result.output << m_result.errors;
    ExpectSound();
    const bool isReadChunk = one.role == "never-done" || one.role == "reply-drain";
    if (one.defended || !isReadChunk)
    {
        EXPECT_GT(GetBroken(), 0U);
    }
    if (!isServer && one.role != "abort-storm")
    {
        for (const auto* client : {"client-0", "client-1"})
        {
            EXPECT_EQ(Noticed(client, "connections_lost"), 0U);
            EXPECT_EQ(Noticed(client, "calls_failed"), 0U);
        }
    }
    const std::string digest = m_summary["digest"];
    EXPECT_EQ(RunFile("one.ini", settings), 0);
    EXPECT_EQ(m_summary["digest"], digest);
}

INSTANTIATE_TEST_SUITE_P(Every,
                         AdversaryMatrix,
                         ::testing::ValuesIn(MakeAdversaryCases()),
                         [](const auto& one) {
                             std::string name = one.param.role + "V" + one.param.version +
                                                (one.param.defended ? "Defended" : "");
                             for (auto& c : name)
                             {
                                 c = c == '-' || c == '.' ? '_' : c;
                             }
                             return name;
                         });

/// Defences end what they are for.
class AdversaryDefence : public AdversaryTest
{
  protected:
    int RunWith(const std::string& adversary, const std::vector<std::string>& settings = {})
    {
        m_directory.WriteFile("one.ini", std::string(BASE) + "[adversary bad]\n" + adversary);
        return RunFile("one.ini", settings);
    }
};

TEST_F(AdversaryDefence, EnforcedCreditsStopWhatReceivesAllow)
{
    // More calls than credits, but hardly more than receives; the last burst long before the end.
    const std::string flood =
        "role = credit-overrun\nhosts = client-2\nburst = 10\nevery = 200us\nstop = 2500us\n";
    constexpr double JUDGED = 2.9e-3;
    const std::vector<std::string> few{"rpcrdma.server_credits=8"};
    EXPECT_EQ(RunWith(flood, few), 0);
    EXPECT_EQ(Noticed("server-0", "credit_overruns"), 0U);
    const uint64_t rounds = GetBroken();
    EXPECT_EQ(RunWith(flood, {few[0], "rpcrdma.server_enforce_credits=true"}), 0);
    EXPECT_GT(Noticed("server-0", "credit_overruns"), 0U);
    EXPECT_GT(GetSimulated(), JUDGED);
    EXPECT_EQ(Noticed("server-0", "credit_overruns"), GetBroken());
    EXPECT_LT(GetBroken(), rounds);
    EXPECT_EQ(Noticed("client-0", "connections_lost"), 0U);
}

TEST_F(AdversaryDefence, HonestClientsKeepWithinEnforcedCredits)
{
    m_directory.WriteFile("one.ini", BASE);
    EXPECT_EQ(RunFile("one.ini"), 0);
    const std::string digest = m_summary["digest"];
    EXPECT_EQ(RunFile("one.ini", {"rpcrdma.server_enforce_credits=true"}), 0);
    EXPECT_EQ(m_summary["digest"], digest);
}

TEST_F(AdversaryDefence, BadMessagesEndTheirConnection)
{
    const std::string fuzz = "role = malformed-calls\nhosts = client-2\nevery = 20us\n";
    EXPECT_EQ(RunWith(fuzz), 0);
    EXPECT_EQ(Noticed("server-0", "bad_messages_closed"), 0U);
    const auto errors = Noticed("server-0", "errors_sent");
    EXPECT_GT(errors, 10U);
    EXPECT_EQ(RunWith(fuzz, {"rpcrdma.server_bad_message_limit=3"}), 0);
    EXPECT_GT(Noticed("server-0", "bad_messages_closed"), 0U);
    EXPECT_LT(Noticed("server-0", "errors_sent"), errors);
    EXPECT_EQ(Noticed("client-1", "connections_lost"), 0U);
}

} // namespace

} // namespace ns3::nfsrdma
