/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-helper.h"
#include "helper/guarantees.h"
#include "workload/generate/mix.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <fstream>
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

    using Texts = std::vector<std::pair<std::string, std::string>>;
    using Counts = std::vector<std::pair<std::string, uint64_t>>;

    void Run(uint32_t clients, const Texts& texts, const Counts& counts)
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
        helper.SetWorkload([](uint32_t) {
            const auto workload = CreateObject<MixWorkload>();
            workload->SetAttribute("Operations", UintegerValue(40));
            return workload;
        });
        m_cluster = helper.Build();
        m_guarantees = std::make_unique<Guarantees>(*m_cluster);
        m_cluster->SetFinishedCallback([] { Simulator::Stop(); });
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
