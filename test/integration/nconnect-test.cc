/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/procedure.h"
#include "rpc/multipath.h"
#include "scenarios/simulator/run/cluster-from-plan.h"
#include "scenarios/simulator/run/run-verification.h"
#include "scenarios/simulator/setup/scenario-check.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace ns3::nfsrdma
{

namespace
{

/// A client with several connections to its server, of each version of NFS.
class NconnectTest : public ::testing::TestWithParam<const char*>
{
  protected:
    void SetUp() override
    {
        Build("[cluster]\nclients = 1\n[nfs]\nnconnect = 3\nversion = " + std::string(GetParam()) +
              "\n[workload]\nkind = fio\nbs = 16KiB\nsize = 256KiB\nreadwrite = randrw\n"
              "direct = true\niodepth = 12\nrequests = 600\n");
    }

    void TearDown() override
    {
        m_cluster.reset();
        Simulator::Destroy();
    }

    void Build(const std::string& text)
    {
        const ScenarioConfig config(m_schema,
                                    m_path,
                                    ScenarioFile::Parse("a.ini", text).GetEntries());
        CheckCombinations(config);
        const auto plan = ClusterPlan::Resolve(config, WorkloadInput::Load(config, m_path));
        ConfigureSimulator(plan);
        m_cluster = BuildCluster(plan);
        m_sent.resize(GetClient().stack.transports.size());
        for (std::size_t i = 0; i < m_sent.size(); ++i)
        {
            GetTransport(i).TraceConnectWithoutContext(
                "CallSent",
                Callback<void, const RpcRecord&>([this, i](const RpcRecord& record) {
                    ++m_sent[i];
                    m_callsSentOn[record.xid].insert(i);
                }));
        }
        m_cluster->SetRpcCallback([this](uint32_t, const RpcRecord& record) {
            EXPECT_EQ(record.outcome, RpcOutcome::SUCCESS);
            EXPECT_TRUE(m_operations.emplace(record.xid, record.operation).second)
                << "XID twice: " << record.xid;
        });
        m_cluster->SetFinishedCallback([] { Simulator::Stop(); });
    }

    [[nodiscard]] const ClusterClient& GetClient() const
    {
        return m_cluster->GetClients().front();
    }

    [[nodiscard]] RpcRdmaClient& GetTransport(std::size_t index) const
    {
        return *GetClient().stack.transports.at(index);
    }

    /// Runs to the end, takes all down and looks at what is left.
    void Run()
    {
        m_cluster->Start();
        Simulator::Run();
        ASSERT_TRUE(m_cluster->IsFinished())
            << ::testing::PrintToString(m_cluster->DescribeWaiting());
        m_cluster->Disconnect();
        Simulator::Run();
        m_cluster->Stop();
        Simulator::Run();
        RunReport report;
        SumUpWorkloads(*m_cluster, report);
        VerifyExports(*m_cluster, report);
        EXPECT_EQ(report.verification.GetMismatches(), 0U);
        EXPECT_EQ(report.verification.failedOperations, 0U);
        EXPECT_GT(report.verification.exports.octets, 0U);
    }

    ScenarioSchema m_schema{ScenarioSchema::Standard()};
    ScenarioPath m_path{{NFSRDMA_SOURCE_DIR "/scenarios"}};
    std::unique_ptr<Cluster> m_cluster;
    std::vector<uint64_t> m_sent;                            ///< Calls, by connection.
    std::map<uint32_t, std::set<std::size_t>> m_callsSentOn; ///< Connections, by XID.
    std::map<uint32_t, uint32_t> m_operations;               ///< Of RPCs that have ended, by XID.
};

TEST_P(NconnectTest, CallsAreSpread)
{
    Run();
    EXPECT_TRUE(m_cluster->TakeCensus().IsEmpty());
    const uint64_t all = m_sent[0] + m_sent[1] + m_sent[2];
    EXPECT_GE(all, 600U);
    for (const uint64_t sent : m_sent)
    {
        EXPECT_NEAR(static_cast<double>(sent), static_cast<double>(all) / 3, 30);
    }
    EXPECT_EQ(GetTransport(1).GetStatistics().connectCount, 1U);
}

/// The versions that keep state of clients.
class NconnectStateTest : public NconnectTest
{
};

TEST_P(NconnectStateTest, IsKeptOnTheMainConnection)
{
    std::vector<uint32_t> others;
    const auto sample = [&](std::size_t index) {
        return Callback<void, const RpcRecord&>(
            [&others, index](const RpcRecord&) { others.push_back(static_cast<uint32_t>(index)); });
    };
    for (std::size_t i = 0; i < 3; ++i)
    {
        GetTransport(i).TraceConnectWithoutContext("CallSent", sample(i));
    }
    Run();
    // EXCHANGE_ID or SETCLIENTID and what follows: one after the other on the first connection.
    ASSERT_GE(others.size(), 3U);
    EXPECT_EQ(others[0], 0U);
    EXPECT_EQ(others[1], 0U);
    EXPECT_EQ(others[2], 0U);
}

TEST_P(NconnectTest, OtherConnectionsGoOnWhenOneIsLost)
{
    constexpr int LOSSES = 20;
    int losses = 0;
    uint64_t atFirst = 0;
    uint64_t atLast = 0;
    // Each new connection is lost, too, before it carries anything through.
    GetTransport(1).TraceConnectWithoutContext(
        "Connected",
        Callback<void, uint32_t, uint32_t>([&](uint32_t, uint32_t) {
            atLast = m_sent[0] + m_sent[2];
            if (losses > 0 && losses < LOSSES)
            {
                ++losses;
                Simulator::ScheduleNow([this] { GetTransport(1).InjectError(); });
            }
        }));
    m_cluster->SetPhaseCallback([&](uint32_t, WorkloadPhase phase) {
        if (phase == WorkloadPhase::RUN)
        {
            Simulator::Schedule(MicroSeconds(300), [&] {
                atFirst = m_sent[0] + m_sent[2];
                ++losses;
                GetTransport(1).InjectError();
            });
        }
    });
    Run();
    EXPECT_TRUE(m_cluster->TakeCensus().IsEmpty());
    EXPECT_EQ(losses, LOSSES);
    EXPECT_GT(atLast, atFirst + 8);
    EXPECT_EQ(GetTransport(0).GetStatistics().connectCount, 1U);
    EXPECT_EQ(GetTransport(1).GetStatistics().connectCount, 1U + LOSSES);
    EXPECT_EQ(GetTransport(2).GetStatistics().connectCount, 1U);
    // A call stays with its connection, as in Linux.
    for (const auto& [xid, connections] : m_callsSentOn)
    {
        EXPECT_EQ(connections.size(), 1U) << xid;
    }
}

/// The versions with sessions.
class NconnectSessionTest : public NconnectTest
{
  protected:
    /// Loses connection \p index in the middle of the run.
    void Lose(std::size_t index)
    {
        m_cluster->SetPhaseCallback([this, index](uint32_t, WorkloadPhase phase) {
            if (phase == WorkloadPhase::RUN)
            {
                Simulator::Schedule(MicroSeconds(300),
                                    [this, index] { GetTransport(index).InjectError(); });
            }
        });
    }

    /// \return the connections that BIND_CONN_TO_SESSION has gone over, one for each.
    [[nodiscard]] std::vector<std::size_t> GetBound() const
    {
        std::vector<std::size_t> bound;
        for (const auto& [xid, operation] : m_operations)
        {
            if (operation == static_cast<uint32_t>(Nfs4ClientProcedure::BIND_CONN_TO_SESSION))
            {
                const auto& connections = m_callsSentOn.at(xid);
                bound.insert(bound.end(), connections.begin(), connections.end());
            }
        }
        return bound;
    }
};

TEST_P(NconnectSessionTest, EachConnectionIsBoundWhenTheMainOneIsLost)
{
    Lose(0);
    Run();
    EXPECT_TRUE(m_cluster->TakeCensus().IsEmpty());
    EXPECT_EQ(GetTransport(0).GetStatistics().connectCount, 2U);
    EXPECT_THAT(GetBound(), ::testing::UnorderedElementsAre(0U, 1U, 2U));
}

TEST_P(NconnectSessionTest, NothingIsBoundWhenAnotherOneIsLost)
{
    Lose(1);
    Run();
    EXPECT_TRUE(m_cluster->TakeCensus().IsEmpty());
    EXPECT_EQ(GetTransport(1).GetStatistics().connectCount, 2U);
    EXPECT_THAT(GetBound(), ::testing::IsEmpty());
}

std::string
NameVersion(const ::testing::TestParamInfo<const char*>& version)
{
    std::string name = version.param;
    std::replace(name.begin(), name.end(), '.', 'p');
    return "V" + name;
}

INSTANTIATE_TEST_SUITE_P(Versions,
                         NconnectTest,
                         ::testing::Values("3", "4.0", "4.1", "4.2"),
                         NameVersion);
INSTANTIATE_TEST_SUITE_P(Versions,
                         NconnectStateTest,
                         ::testing::Values("4.0", "4.1", "4.2"),
                         NameVersion);
INSTANTIATE_TEST_SUITE_P(Versions,
                         NconnectSessionTest,
                         ::testing::Values("4.1", "4.2"),
                         NameVersion);

} // namespace

} // namespace ns3::nfsrdma
