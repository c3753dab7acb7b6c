/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-helper.h"
#include "workload/check/lock-verifier.h"

#include "ns3/enum.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <memory>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t CLIENTS = 3;
constexpr uint32_t REQUESTS = 30;

/// Clients that lock records of one file while the server's lock manager restarts; \p version of
/// NFS.
class LocksRestartTest : public ::testing::TestWithParam<const char*>
{
  protected:
    void SetUp() override
    {
        ClusterHelper helper;
        helper.SetSize(CLIENTS, 1);
        helper.SetNfsVersion(GetParam());
        helper.SetLockManagers(true);
        helper.SetSharedExport(true);
        const std::string files = "Nfs" + std::string(GetParam()) + "FileClient::";
        helper.SetAttribute(files + "LocalLock", StringValue("none"));
        helper.SetWorkload([](uint32_t) {
            const auto workload = CreateObject<LockWorkload>();
            workload->SetAttribute("Requests", UintegerValue(REQUESTS));
            workload->SetAttribute("IoDepth", UintegerValue(2));
            workload->SetAttribute("Records", UintegerValue(4));
            workload->SetAttribute("HoldTime", TimeValue(MilliSeconds(2)));
            return workload;
        });
        m_cluster = helper.Build();
        for (const auto& client : m_cluster->GetClients())
        {
            client.stack.daemons->GetLockClient()->TraceConnectWithoutContext(
                "Reclaimed",
                MakeCallback(&LocksRestartTest::NoteReclaim, this));
        }
    }

    void TearDown() override
    {
        m_cluster.reset();
        Simulator::Destroy();
    }

    void NoteReclaim(const NlmRequest&, NlmStatus status)
    {
        ++(status == NlmStatus::GRANTED ? m_reclaimed : m_refused);
    }

    [[nodiscard]] const Ptr<NfsDaemons>& GetDaemons() const
    {
        return m_cluster->GetServers().front().daemons;
    }

    /// Restarts the server's daemons, as many locks as are held then being lost.
    void Restart()
    {
        m_held += GetDaemons()->GetLockServer()->GetTable().GetLockCount();
        GetDaemons()->Restart();
        EXPECT_EQ(GetDaemons()->GetLockServer()->GetTable().GetLockCount(), 0U);
    }

    void RunAll()
    {
        m_cluster->SetFinishedCallback([] { Simulator::Stop(); });
        m_cluster->Start();
        Simulator::Stop(Seconds(1000));
        Simulator::Run();
        ASSERT_TRUE(m_cluster->IsFinished());
    }

    void ExpectNoCountLost()
    {
        LockVerifier verifier;
        uint64_t done = 0;
        for (const auto& client : m_cluster->GetClients())
        {
            const auto workload = DynamicCast<LockWorkload>(client.workloads.front());
            EXPECT_EQ(workload->GetFailed(), 0U);
            verifier.Add(*workload);
            for (const auto& [place, increments] : workload->GetIncrements())
            {
                done += increments.done;
            }
        }
        EXPECT_EQ(done, CLIENTS * REQUESTS);
        const auto& store = *m_cluster->GetServers().front().store;
        const auto check = verifier.Verify(store, *store.GetExport(ClusterHelper::SHARED_EXPORT));
        EXPECT_EQ(check.mismatches, 0U) << check.described.front().what;
        EXPECT_EQ(check.files, 4U);
    }

    std::unique_ptr<Cluster> m_cluster;
    uint64_t m_held{0};
    uint32_t m_reclaimed{0};
    uint32_t m_refused{0};
};

TEST_P(LocksRestartTest, LocksAreReclaimedInTheGracePeriod)
{
    Simulator::Schedule(MilliSeconds(20), [this] { Restart(); });
    RunAll();
    EXPECT_GT(m_held, 0U);
    EXPECT_GT(m_reclaimed, 0U);
    EXPECT_LE(m_reclaimed, m_held);
    EXPECT_EQ(m_refused, 0U);
    // Whoever had no lock waited for the end of the grace period.
    EXPECT_GT(Simulator::Now(), Seconds(50));
    EXPECT_EQ(GetDaemons()->GetMonitor()->GetState(), 3U);
    ExpectNoCountLost();
}

TEST_P(LocksRestartTest, ASecondRestartInTheGracePeriodLosesNothing)
{
    for (const int at : {15, 16, 30})
    {
        Simulator::Schedule(MilliSeconds(at), [this] { Restart(); });
    }
    RunAll();
    EXPECT_EQ(m_refused, 0U);
    EXPECT_EQ(GetDaemons()->GetMonitor()->GetState(), 7U);
    ExpectNoCountLost();
}

INSTANTIATE_TEST_SUITE_P(Versions,
                         LocksRestartTest,
                         ::testing::Values("2", "3"),
                         [](const auto& test) { return std::string("V") + test.param; });

} // namespace

} // namespace ns3::nfsrdma
