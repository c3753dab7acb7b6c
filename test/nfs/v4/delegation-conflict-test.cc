/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "delegation-holder.h"
#include "nfs/v3/file-client3.h"
#include "nfs/v3/server3.h"

namespace ns3::nfsrdma::test
{

namespace
{

/// With a client of NFSv3 beside them.
class DelegationConflict : public DelegationHolder
{
  protected:
    void AddPrograms() override
    {
        m_nfs3Server = CreateObject<Nfs3Server>();
        m_nfs3Server->SetFileStore(m_store);
        m_nfs3Server->SetHostMemory(m_serverMemory);
        m_nfs3Server->SetDelegationGuard(PeekPointer(m_server));
        m_rpcServer->Register(m_nfs3Server);
    }

    void SetUp() override
    {
        DelegationHolder::SetUp();
        m_nfs3 = CreateObject<Nfs3Client>();
        m_nfs3->SetRpcClient(m_olderRpc);
        m_nfs3->SetHostMemory(m_olderMemory);
        m_files3 = CreateObject<Nfs3FileClient>();
        m_files3->SetClients(m_nfs3, nullptr);
    }

    void TearDown() override
    {
        EXPECT_EQ(m_nfs3->GetPending(), 0U);
        m_files3->Dispose();
        m_nfs3->Dispose();
        DelegationHolder::TearDown();
    }

    FileReply SetMode3(uint32_t mode)
    {
        Sattr3 changes;
        changes.mode = mode;
        return Await<FileReply>([&](auto done) {
            m_files3->Run(FileSetAttributes{m_held->GetObject(), nullptr, changes}, done);
        });
    }

    FileWriteReply Write3()
    {
        const auto opened = Await<FileOpenReply>([&](auto done) {
            m_files3->Run(FileOpen{{m_root, "file"}, FileOpenHow()}, done);
        });
        m_statuses.clear();
        m_began = Simulator::Now();
        HostBuffer buffer(m_olderMemory, 5);
        return Await<FileWriteReply>([&](auto done) {
            m_files3->Run(FileWrite{opened.file, 0, 5, StableHow::FILE_SYNC, buffer.GetAddress()},
                          done);
        });
    }

    Ptr<Nfs3Server> m_nfs3Server;
    Ptr<Nfs3Client> m_nfs3;
    Ptr<Nfs3FileClient> m_files3;
};

TEST_P(DelegationConflict, WriteOfAnOlderVersionComesAgainAfterFiveSeconds)
{
    EXPECT_TRUE(Write3().IsOk());
    EXPECT_EQ(m_statuses, (std::vector<uint32_t>{JUKEBOX, 0}));
    EXPECT_EQ(m_nfs3->GetJukeboxes(), 1U);
    EXPECT_GE(GetTaken(), Seconds(5));
    EXPECT_LT(GetTaken(), Seconds(5) + MilliSeconds(1));
    EXPECT_FALSE(HoldsDelegation());
}

TEST_P(DelegationConflict, ReadOfAnOlderVersionIsInNobodysWay)
{
    const auto opened = Await<FileOpenReply>([&](auto done) {
        m_files3->Run(FileOpen{{m_root, "file"}, FileOpenHow()}, done);
    });
    HostBuffer buffer(m_olderMemory, 5);
    EXPECT_TRUE(Await<FileReadReply>([&](auto done) {
                    m_files3->Run(FileRead{opened.file, 0, 5, buffer.GetAddress()}, done);
                }).IsOk());
    EXPECT_TRUE(HoldsDelegation());
}

TEST_P(DelegationConflict, SetattrOfAnOlderVersionWaitsForTheReturn)
{
    EXPECT_TRUE(SetMode3(0600).IsOk());
    EXPECT_EQ(m_statuses, (std::vector<uint32_t>{0}));
    EXPECT_LT(GetTaken(), MilliSeconds(30));
    EXPECT_FALSE(HoldsDelegation());
}

TEST_P(DelegationConflict, RemovalAndRenameOfAnOlderVersionWaitForTheReturn)
{
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    m_files3->Run(FileRename{{m_root, "file"}, {m_root, "moved"}}, done);
                }).IsOk());
    EXPECT_FALSE(HoldsDelegation());
    EXPECT_EQ(m_statuses, (std::vector<uint32_t>{0}));
    EXPECT_LT(GetTaken(), MilliSeconds(30));
}

TEST_P(DelegationConflict, AClientThatCannotBeAskedLosesTheDelegationAfterALease)
{
    Silence();
    EXPECT_TRUE(SetMode3(0600).IsOk());
    EXPECT_GE(GetTaken(), GetLoss());
    EXPECT_LT(GetTaken(), GetLoss() + Seconds(15));
    ASSERT_GT(m_statuses.size(), 10U);
    EXPECT_EQ(m_statuses.back(), 0U);
    m_statuses.pop_back();
    EXPECT_EQ(m_statuses, std::vector<uint32_t>(m_statuses.size(), JUKEBOX));
}

TEST_P(DelegationConflict, WithoutDelayJukeboxIsTheAnswer)
{
    Silence();
    m_nfs3->SetAttribute("JukeboxDelay", TimeValue(Time(0)));
    EXPECT_EQ(SetMode3(0600).status, JUKEBOX);
    EXPECT_GE(GetTaken(), MilliSeconds(30)) << "the thread has waited";
    EXPECT_LT(GetTaken(), MilliSeconds(31));
    EXPECT_EQ(m_nfs3->GetJukeboxes(), 0U);
}

TEST_P(DelegationConflict, RemovalByAnotherClientOfNfs4WaitsForTheReturn)
{
    const Host& other = m_hosts[1];
    Mount(other);
    const Time began = Simulator::Now();
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    other.files->Run(FileRemove{{other.files->GetRoot(), "file"}}, done);
                }).IsOk());
    EXPECT_LT(Simulator::Now() - began, MilliSeconds(30)) << "not after the client's 100 ms";
    m_abandoned = true;
    EXPECT_FALSE(HoldsDelegation());
    Unmount(other);
}

TEST_P(DelegationConflict, SetattrByAnotherClientOfNfs4IsDelayedWhenNothingComesBack)
{
    const Host& other = m_hosts[1];
    Mount(other);
    Silence();
    std::vector<Nfs4Status> statuses;
    other.rpc->TraceConnectWithoutContext(
        "RpcCompleted",
        Callback<void, const RpcRecord&>([&statuses](const RpcRecord& record) {
            if (record.operation == static_cast<uint32_t>(Nfs4ClientProcedure::SETATTR))
            {
                statuses.push_back(static_cast<Nfs4Status>(record.programStatus));
            }
        }));
    Sattr3 changes;
    changes.mode = 0600;
    const Time began = Simulator::Now();
    EXPECT_TRUE(
        Await<FileReply>([&](auto done) {
            other.files->Run(FileSetAttributes{m_held->GetObject(), nullptr, changes}, done);
        }).IsOk());
    ASSERT_GT(statuses.size(), 5U);
    EXPECT_EQ(statuses.front(), Nfs4Status::DELAY);
    EXPECT_EQ(statuses.back(), Nfs4Status::OK);
    // 100 ms, doubled up to 15 s; the thread waits 30 ms each time.
    EXPECT_GE(Simulator::Now() - began, GetLoss());
    EXPECT_LT(statuses.size(), 16U);
    Unmount(other);
}

TEST_P(DelegationConflict, ARestartEndsTheWait)
{
    Silence();
    m_nfs3->SetAttribute("JukeboxDelay", TimeValue(Time(0)));
    Simulator::Schedule(MilliSeconds(10), [this] { m_server->Restart(); });
    EXPECT_EQ(SetMode3(0600).status, JUKEBOX);
    EXPECT_LT(GetTaken(), MilliSeconds(11));
}

INSTANTIATE_TEST_SUITE_P(MinorVersions, DelegationConflict, ::testing::Values(0U, 1U));

} // namespace
} // namespace ns3::nfsrdma::test
