/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-helper.h"
#include "helper/guarantees.h"
#include "rpcrdma/policy/pull-notice.h"
#include "workload/generate/mix.h"

#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Clients that press on the bounds of one server.
class GuaranteesTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        m_guarantees.reset();
        m_cluster.reset();
        Simulator::Destroy();
    }

    static constexpr uint64_t USUAL_OPERATIONS = 40;

    using Texts = std::vector<std::pair<std::string, std::string>>;
    using Counts = std::vector<std::pair<std::string, uint64_t>>;

    void Run(uint32_t clients,
             const Texts& texts,
             const Counts& counts,
             uint64_t operations = USUAL_OPERATIONS)
    {
        ClusterHelper helper;
        helper.SetSize(clients, 1);
        for (const auto& [name, text] : texts)
        {
            helper.SetAttribute("RpcRdmaServer::" + name, StringValue(text));
        }
        for (const auto& [name, count] : counts)
        {
            helper.SetAttribute("RpcRdmaServer::" + name, UintegerValue(count));
        }
        helper.GetNetwork().SetDirectedArp(true);
        helper.SetAttribute("RpcServer::MaxConnections", UintegerValue(clients));
        for (const auto& [name, text] : m_clientTexts)
        {
            helper.SetAttribute("RpcRdmaClient::" + name, StringValue(text));
        }
        for (const auto& [name, count] : m_clientCounts)
        {
            helper.SetAttribute("RpcRdmaClient::" + name, UintegerValue(count));
        }
        helper.SetWorkload([this, operations](uint32_t) {
            const auto workload = CreateObject<MixWorkload>();
            workload->SetAttribute("Operations", UintegerValue(operations));
            if (m_lists)
            {
                workload->SetAttribute("OperationMix", StringValue("readdirplus:1"));
                workload->SetAttribute("DirectoryCount", UintegerValue(16384));
                workload->SetAttribute("LargeDirectoryEntries", UintegerValue(90));
                workload->SetAttribute("LargeDirectoryFraction", DoubleValue(0.7));
                workload->SetAttribute("QueueDepth", UintegerValue(32));
            }
            if (operations < USUAL_OPERATIONS)
            {
                workload->SetAttribute("Files", UintegerValue(2));
                workload->SetAttribute("FileSize", UintegerValue(32768));
            }
            return workload;
        });
        m_cluster = helper.Build();
        m_guarantees = std::make_unique<Guarantees>(*m_cluster);
        m_cluster->SetFinishedCallback([] { Simulator::Stop(); });
        if (m_prepare)
        {
            m_prepare();
        }
        m_cluster->Start();
        Simulator::Run();
        ASSERT_TRUE(m_cluster->IsFinished());
    }

    /// \return whether \p policy is looked at, and its line appears once its bound is one less than
    /// what was used.
    bool IsSeenToBreak(const std::string& policy, const std::string& what) const
    {
        bool found = false;
        for (auto use : m_guarantees->List())
        {
            if (use.policy == policy && use.what == what && use.used > 0)
            {
                use.bound = use.used - 1;
                std::ostringstream line;
                line << use.host << ": " << policy << ": " << what << " " << use.used
                     << ", at most " << use.bound << " (" << use.limit << ")";
                found = true;
                EXPECT_THAT(FindBroken({use}), Contains(line.str()));
            }
        }
        return found;
    }

    Texts m_clientTexts;
    Counts m_clientCounts;
    bool m_lists{false};             ///< Directories, most of them longer than a Send.
    std::function<void()> m_prepare; ///< Called before the cluster starts.
    std::unique_ptr<Cluster> m_cluster;
    std::unique_ptr<Guarantees> m_guarantees;
};

TEST_F(GuaranteesTest, FairShareOfFewReceives)
{
    Run(12, {{"CreditGrant", "fair-share"}}, {{"SharedReceives", 30}});
    EXPECT_THAT(FindBroken(m_guarantees->List()), IsEmpty());
    EXPECT_TRUE(IsSeenToBreak("fair-share", "receive buffers"));
    m_cluster->GetServers()[0].transport->SetAttribute("SharedReceives", UintegerValue(12));
    EXPECT_THAT(FindBroken(m_guarantees->List()),
                Contains(HasSubstr("server-0: fair-share: receive buffers")));
}

TEST_F(GuaranteesTest, ReceiveMemoryUnderEachPolicy)
{
    for (const char* policy : {"fixed", "requested", "adaptive"})
    {
        SCOPED_TRACE(policy);
        Run(10, {{"CreditGrant", policy}}, {{"ReceiveMemoryLimit", 40 * 4096}});
        EXPECT_THAT(FindBroken(m_guarantees->List()), IsEmpty());
        EXPECT_TRUE(IsSeenToBreak("server_receive_memory_limit", "octets of receive buffers"));
        EXPECT_TRUE(IsSeenToBreak("server_credit_grant, all", "credits of a connection"));
        TearDown();
    }
}

TEST_F(GuaranteesTest, AdaptiveCreditsWithinTheServersMemory)
{
    Run(4, {{"CreditGrant", "adaptive"}}, {{"MemoryLimit", 4 << 20}});
    EXPECT_THAT(FindBroken(m_guarantees->List()), IsEmpty());
    EXPECT_TRUE(
        IsSeenToBreak("server_memory_limit", "octets of receive buffers, Send contexts and sinks"));
}

TEST_F(GuaranteesTest, ClientsKeepToSlotsAndThresholds)
{
    Run(2, {}, {});
    EXPECT_THAT(FindBroken(m_guarantees->List()), IsEmpty());
    EXPECT_TRUE(IsSeenToBreak("client_slots", "calls outstanding"));
    const std::string inlinePolicies = "client_inline_policy, server_inline_policy";
    EXPECT_TRUE(IsSeenToBreak(inlinePolicies, "octets of the largest Send to the server"));
    EXPECT_TRUE(IsSeenToBreak(inlinePolicies, "octets of the largest Send to the client"));
    const auto& client = m_cluster->GetClients()[1].stack.transports[0];
    client->SetAttribute("InlineSend", UintegerValue(1024));
    EXPECT_THAT(FindBroken(m_guarantees->List()),
                Contains(HasSubstr("client-1: " + inlinePolicies +
                                   ": octets of the largest Send "
                                   "to the server 4096, at most "
                                   "1024")));
}

TEST_F(GuaranteesTest, AFixedGrantIsNotWhatWasRequested)
{
    Run(1, {{"CreditGrant", "fixed"}}, {{"Credits", 200}});
    EXPECT_THAT(FindBroken(m_guarantees->List()), IsEmpty());
    m_cluster->GetServers()[0].transport->SetAttribute("CreditGrant", StringValue("requested"));
    EXPECT_THAT(FindBroken(m_guarantees->List()),
                Contains(HasSubstr("replies that grant more than was requested")));
}

TEST_F(GuaranteesTest, ExposureOfRepliesWithinItsBounds)
{
    m_clientTexts = {{"ReadChunkExtension", "true"}, {"ReplyMechanism", "reply-chunk-never"}};
    Run(4,
        {{"ReadChunkExtension", "true"},
         {"ReadChunkPolicy", "when-needed"},
         {"ReadChunkTimeout", "60s"}},
        {{"MaxExposedBytes", 1 << 20}, {"MaxPendingReadChunks", 64}});
    EXPECT_THAT(FindBroken(m_guarantees->List()), IsEmpty());
    EXPECT_TRUE(IsSeenToBreak("server_max_exposed_bytes", "octets exposed on a connection"));
    EXPECT_TRUE(IsSeenToBreak("server_max_pending_read_chunks",
                              "Read chunks of a connection without a notice"));
    EXPECT_TRUE(
        IsSeenToBreak("server_read_chunk_timeout", "ns that a Read chunk waited for its notice"));
    for (const char* policy : {"never", "announced-only"})
    {
        m_cluster->GetServers()[0].transport->SetAttribute("ReadChunkPolicy", StringValue(policy));
        EXPECT_THAT(FindBroken(m_guarantees->List()),
                    Contains(HasSubstr("server-0: never, announced-only: replies provided as Read "
                                       "chunk")));
    }
}

TEST_F(GuaranteesTest, ReceivesStandBehindEachPartOfAReply)
{
    const std::string line =
        "client-0: client_reply_messages: Receives that replies in parts may want for ";
    m_lists = true;
    m_clientTexts = {{"ReplyMechanism", "continuation"}};
    m_clientCounts = {{"ReplyMessages", 16}};
    Run(2, {{"MessageContinuation", "true"}}, {{"Credits", 16}});
    const auto uses = m_guarantees->List();
    EXPECT_THAT(FindBroken(uses), IsEmpty());
    EXPECT_EQ(std::count_if(uses.begin(),
                            uses.end(),
                            [](const auto& use) { return use.policy == "client_reply_messages"; }),
              2);
    EXPECT_GT(m_cluster->GetServers()[0].transport->GetStatistics().continuedReplies, 20U);
    TearDown();

    // Calls that go out before the Receives of their replies are posted are seen where that counts.
    m_clientTexts.emplace_back("ReceiveOrder", "after-completion");
    m_clientCounts.emplace_back("ReceiveBatch", 0);
    Run(2, {{"MessageContinuation", "true"}}, {{"Credits", 16}});
    EXPECT_THAT(FindBroken(m_guarantees->List()), IsEmpty());
    m_cluster->GetClients()[0].stack.transports[0]->SetAttribute("ReceiveOrder",
                                                                 StringValue("before-completion"));
    EXPECT_THAT(FindBroken(m_guarantees->List()), Contains(HasSubstr(line)));
}

TEST_F(GuaranteesTest, NoticesFindAReceive)
{
    m_lists = true;
    for (const char* policy : {"outstanding-until-reply", "reserved-receives", "piggyback"})
    {
        SCOPED_TRACE(policy);
        m_clientTexts = {{"ReadChunkExtension", "true"},
                         {"ReplyMechanism", "reply-chunk-never"},
                         {"PullNotice", policy}};
        Run(2,
            {{"ReadChunkExtension", "true"}, {"ReadChunkPolicy", "when-needed"}},
            {{"Credits", 4}, {"DoneReceives", 2}});
        const auto uses = m_guarantees->List();
        EXPECT_THAT(FindBroken(uses), IsEmpty());
        EXPECT_EQ(std::count_if(uses.begin(),
                                uses.end(),
                                [](const auto& use) {
                                    return use.policy == "client_pull_notice, all" &&
                                           use.bound == 0;
                                }),
                  2);
        EXPECT_GT(m_cluster->GetServers()[0].transport->GetStatistics().exposedDone, 20U);
        TearDown();
    }
}

/// Does not look at credits.
class HastyNotices : public PullNoticePolicy
{
  public:
    [[nodiscard]] bool MayCall(const NoticeUsage& usage) const override
    {
        return usage.calls < usage.granted;
    }

    [[nodiscard]] bool MayNotify(const NoticeUsage& /* usage */) const override
    {
        return true;
    }
};

TEST_F(GuaranteesTest, NoticesThatFindNoReceiveAreSeen)
{
    PullNoticePolicy::Add<HastyNotices>("hasty");
    m_lists = true;
    m_clientTexts = {{"ReadChunkExtension", "true"},
                     {"ReplyMechanism", "reply-chunk-never"},
                     {"PullNotice", "hasty"}};
    Run(2,
        {{"ReadChunkExtension", "true"}, {"ReadChunkPolicy", "when-needed"}},
        {{"Credits", 4}, {"DoneReceives", 1}});
    EXPECT_THAT(FindBroken(m_guarantees->List()),
                Contains(HasSubstr("client_pull_notice, all: calls and RDMA_DONE beyond the "
                                   "Receives that there are")));
}

TEST_F(GuaranteesTest, NoticesThatRideOnCallsTakeNoReceive)
{
    constexpr uint32_t CHANGES = 200;
    m_lists = true;
    m_clientTexts = {{"ReadChunkExtension", "true"},
                     {"ReplyMechanism", "reply-chunk-never"},
                     {"PullNotice", "piggyback"},
                     {"PiggybackDelay", "1us"}};
    uint64_t mostOnCalls = 0;
    m_prepare = [this, &mostOnCalls] {
        const auto transport = m_cluster->GetServers()[0].transport;
        for (uint32_t change = 1; change <= CHANGES; ++change)
        {
            Simulator::Schedule(MicroSeconds(20 * change), [transport, change] {
                transport->SetAttribute("Credits", UintegerValue(change % 2 == 0 ? 16 : 1));
            });
        }
        for (const auto& client : m_cluster->GetClients())
        {
            const auto* requester = PeekPointer(client.stack.transports[0]);
            client.stack.transports[0]->TraceConnectWithoutContext(
                "DoneSent",
                Callback<void, uint32_t, bool>(
                    [requester, &mostOnCalls](uint32_t /* xid */, bool onCall) {
                        if (onCall)
                        {
                            mostOnCalls = std::max(mostOnCalls, requester->CountNoticesBeyond());
                        }
                    }));
        }
    };
    Run(2,
        {{"ReadChunkExtension", "true"}, {"ReadChunkPolicy", "when-needed"}},
        {{"Credits", 16}, {"DoneReceives", 1}});
    EXPECT_GT(mostOnCalls, 0U) << "no grant has shrunk while notices were not confirmed";
    EXPECT_THAT(FindBroken(m_guarantees->List()), Not(Contains(HasSubstr("client_pull_notice"))));
}

TEST_F(GuaranteesTest, StagsOfAllMemoryOutliveTheirRpc)
{
    m_clientTexts = {{"RegistrationStrategy", "all-physical"}};
    Run(1, {{"RegistrationStrategy", "all-physical"}}, {});
    EXPECT_THAT(FindBroken(m_guarantees->List()), IsEmpty());
    const std::string line =
        ": frwr, memory-window, regular: STags that a peer can use after their RPC";
    m_cluster->GetServers()[0].transport->SetAttribute("RegistrationStrategy", StringValue("frwr"));
    EXPECT_THAT(FindBroken(m_guarantees->List()), Contains(HasSubstr("server-0" + line)));
    m_cluster->GetClients()[0].stack.transports[0]->SetAttribute("RegistrationStrategy",
                                                                 StringValue("regular"));
    EXPECT_THAT(FindBroken(m_guarantees->List()), Contains(HasSubstr("client-0" + line)));
}

TEST_F(GuaranteesTest, ACacheRegistersWhatItHasNot)
{
    m_clientTexts = {{"RegistrationStrategy", "cache"}};
    Run(1, {{"RegistrationStrategy", "cache"}}, {});
    EXPECT_THAT(FindBroken(m_guarantees->List()), IsEmpty());
    EXPECT_TRUE(IsSeenToBreak("cache", "registrations"));
}

TEST_F(GuaranteesTest, AThousandConnectionsWithReceivesOfTheirOwn)
{
    constexpr uint64_t LIMIT = uint64_t{1000} * 20 * 4096;
    Run(1000, {{"CreditGrant", "adaptive"}}, {{"ReceiveMemoryLimit", LIMIT}}, 3);
    EXPECT_THAT(FindBroken(m_guarantees->List()), IsEmpty());
    EXPECT_TRUE(IsSeenToBreak("server_receive_memory_limit", "octets of receive buffers"));
    EXPECT_TRUE(IsSeenToBreak("server_credit_grant, all", "credits of a connection"));
}

TEST_F(GuaranteesTest, AThousandConnectionsShareReceives)
{
    Run(1000, {{"CreditGrant", "fair-share"}}, {{"SharedReceives", 4000}}, 3);
    EXPECT_THAT(FindBroken(m_guarantees->List()), IsEmpty());
    EXPECT_TRUE(IsSeenToBreak("fair-share", "receive buffers"));
}

/// \return \p text as one line, without what begins the lines of a comment.
std::string
Flatten(const std::string& text)
{
    std::istringstream words(text);
    std::string flat;
    for (std::string word; words >> word;)
    {
        if (word != "*" && word != "///")
        {
            flat += word;
            flat += ' ';
        }
    }
    return flat;
}

std::string
ReadSource(const std::string& name)
{
    std::ifstream file(std::string(NFSRDMA_SOURCE_DIR) + "/" + name);
    EXPECT_TRUE(file) << name;
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(GuaranteeRows, AreStatedByHeadersAndDocument)
{
    const auto document = ReadSource("model/RPC-OVER-RDMA.md");
    const auto rows = Guarantees::GetRows();
    EXPECT_GE(rows.size(), 16U);
    for (const auto& row : rows)
    {
        EXPECT_THAT(Flatten(ReadSource(row.header)), HasSubstr(row.formula)) << row.header;
        std::ostringstream line;
        line << "| " << row.policy << " | " << row.formula << " | " << row.checked << " |\n";
        EXPECT_THAT(document, HasSubstr(line.str()));
    }
}

} // namespace
} // namespace ns3::nfsrdma
