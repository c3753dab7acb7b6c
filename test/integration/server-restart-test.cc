/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host-fault-fixture.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <map>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::ElementsAre;

/// Buffered writes, UNSTABLE and committed at the end only.
constexpr const char* WRITES = "[cluster]\nclients = 2\n"
                               "[rpcrdma]\nclient_timeout = 100ms\n"
                               "[storage]\nprofile = nvme\ncache = 64MiB\n"
                               "[workload]\nkind = fio\nreadwrite = write\nbs = 65536\n"
                               "size = 4MiB\niodepth = 4\nrequests = 64\nend_fsync = true\n";

/// What servers and clients do about a restart: RFC 1813 section 4.8, RFC 8881 section 8.4.
class ServerRestartTest : public HostFaultTest
{
  protected:
    FaultedRun RunVersion(const std::string& version, HostFaultKind kind, Time after)
    {
        return Run(std::string(WRITES) + "[nfs]\nversion = " + version + "\n",
                   {{"server-0", after, MakeFault(kind, MilliSeconds(20))}});
    }

    void Begin(const Cluster& cluster) override
    {
        m_verifier = cluster.GetServers().front().nfs->GetBootVerifier();
        cluster.GetServers().front().nfs4->TraceConnectWithoutContext(
            "Served",
            Callback<void, Nfs4Op, Nfs4Status, Time>([this](Nfs4Op last, Nfs4Status status, Time) {
                m_served.push_back(std::string(ToString(last)) + " " + ToString(status));
            }));
        if (m_losesSilently)
        {
            const auto pages = cluster.GetServers().front().pageCache;
            Simulator::Schedule(MicroSeconds(600), [pages] { pages->Restart(); });
        }
    }

    void Look(const Cluster& cluster) override
    {
        const auto& server = cluster.GetServers().front();
        m_newVerifier = server.nfs->GetBootVerifier();
        m_pagesLost = server.pageCache->GetStatistics().pagesLost;
        m_writes = server.pageCache->GetStatistics().writes;
        m_closed = server.transport->GetStatistics().closed;
        for (const Nfs4Op op :
             {Nfs4Op::EXCHANGE_ID, Nfs4Op::CREATE_SESSION, Nfs4Op::OPEN, Nfs4Op::RECLAIM_COMPLETE})
        {
            m_operations[op] = server.nfs4->GetOperations(op);
        }
    }

    bool m_losesSilently{false};
    std::vector<std::string> m_served; ///< COMPOUNDs: last operation and status.
    uint64_t m_verifier{0};
    uint64_t m_newVerifier{0};
    uint64_t m_pagesLost{0};
    uint64_t m_writes{0};
    uint64_t m_closed{0};
    std::map<Nfs4Op, uint64_t> m_operations;
};

TEST_F(ServerRestartTest, NothingIsWrittenTwiceWithoutOne)
{
    const auto run = Run(std::string(WRITES) + "[nfs]\nversion = 3\n", {});
    ExpectSound(run);
    EXPECT_EQ(m_newVerifier, m_verifier);
    EXPECT_EQ(m_pagesLost, 0U);
    EXPECT_EQ(run.connects, 2U);
}

/// What was in the server's memory only is lost; clients learn it from the verifier of COMMIT.
TEST_F(ServerRestartTest, ClientOfVersion3WritesAgainWhatACrashHasLost)
{
    ExpectSound(Run(std::string(WRITES) + "[nfs]\nversion = 3\n", {}));
    const uint64_t writes = m_writes;
    const auto run = RunVersion("3", HostFaultKind::CRASH, MicroSeconds(600));
    ExpectSound(run);
    EXPECT_EQ(run.report.verification.failedOperations, 0U);
    EXPECT_GT(m_pagesLost, 16U);
    EXPECT_EQ(m_newVerifier, m_verifier + 1);
    EXPECT_GT(m_writes, writes);
    EXPECT_GE(run.connects, 4U);
}

TEST_F(ServerRestartTest, ClientOfVersion41WritesAgainAndReclaims)
{
    ExpectSound(Run(std::string(WRITES) + "[nfs]\nversion = 4.1\n", {}));
    const uint64_t writes = m_writes;
    const auto before = m_operations;
    const auto run = RunVersion("4.1", HostFaultKind::CRASH, MicroSeconds(600));
    ExpectSound(run);
    EXPECT_EQ(run.report.verification.failedOperations, 0U);
    EXPECT_GT(m_pagesLost, 16U);
    EXPECT_GT(m_writes, writes);
    for (const auto& [op, count] : before)
    {
        EXPECT_GE(m_operations[op], count + 2) << static_cast<int>(op);
    }
}

/// nfsd is restarted, the machine is not: the page cache stays, but clients cannot know it.
TEST_F(ServerRestartTest, RestartInOrderLosesNothing)
{
    ExpectSound(Run(std::string(WRITES) + "[nfs]\nversion = 3\n", {}));
    const uint64_t writes = m_writes;
    const auto run = RunVersion("3", HostFaultKind::RESTART, MicroSeconds(600));
    ExpectSound(run);
    EXPECT_EQ(run.report.verification.failedOperations, 0U);
    EXPECT_EQ(m_pagesLost, 0U);
    EXPECT_EQ(m_newVerifier, m_verifier + 1);
    EXPECT_GT(m_writes, writes);
    EXPECT_GE(m_closed, 2U);
}

/// dd of six blocks with O_DIRECT, nfsd restarted meanwhile, without a record of clients: what the
/// captured Linux did (nfs-v4.1-nfsd-restart), from the WRITE that found another server on.
TEST_F(ServerRestartTest, ClientOfVersion41RecoversAsCaptured)
{
    constexpr const char* DD = "[cluster]\nclients = 1\n[link]\nrate = 1Gbps\n"
                               "[nfs]\nversion = 4.1\nrecord_clients = false\n"
                               "[workload]\nkind = fio\nreadwrite = write\nbs = 65536\n"
                               "size = 393216\niodepth = 1\nrequests = 6\ndirect = true\n";
    const auto run =
        Run(DD, {{"server-0", MicroSeconds(1500), MakeFault(HostFaultKind::RESTART, Seconds(1))}});
    ExpectSound(run);
    EXPECT_EQ(run.connects, 2U);
    const auto first = std::find(m_served.begin(), m_served.end(), "SEQUENCE NFS4ERR_BADSESSION");
    ASSERT_NE(first, m_served.end()) << ::testing::PrintToString(m_served);
    ASSERT_GE(m_served.end() - first, 9) << ::testing::PrintToString(m_served);
    EXPECT_THAT(std::vector<std::string>(first, first + 9),
                ElementsAre("SEQUENCE NFS4ERR_BADSESSION",
                            "DESTROY_SESSION NFS4ERR_BADSESSION",
                            "CREATE_SESSION NFS4ERR_STALE_CLIENTID",
                            "EXCHANGE_ID NFS4_OK",
                            "CREATE_SESSION NFS4_OK",
                            "GETATTR NFS4_OK",
                            "OPEN NFS4ERR_NO_GRACE",
                            "RECLAIM_COMPLETE NFS4_OK",
                            "GETATTR NFS4_OK")); // OPEN, ACCESS, GETATTR
}

/// The check finds what a client does not write again: a loss that no verifier tells of.
TEST_F(ServerRestartTest, LossThatNobodyTellsOfIsFound)
{
    m_losesSilently = true;
    const auto run = Run(std::string(WRITES) + "[nfs]\nversion = 3\n", {});
    EXPECT_TRUE(run.finished);
    EXPECT_GT(m_pagesLost, 16U);
    EXPECT_GT(run.report.verification.GetMismatches(), 0U);
}

} // namespace

} // namespace ns3::nfsrdma
