/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "client-server-fixture.h"
#include "nfs/nfs3-file-client.h"
#include "nfs/nfs3-server.h"

namespace ns3::nfsrdma::test
{

namespace
{

/// A client of NFSv4 that holds a read delegation of a file, another one of NFSv4, and one of NFSv3
/// at the same server.
class DelegationConflict : public Nfs4ClientServer
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
        Nfs4ClientServer::SetUp();
        m_memory3 = CreateObject<HostMemory>();
        m_transport3 = CreateObject<ScriptedTransport>(m_rpcServer, m_memory3);
        m_transport3->source = 99;
        m_transport3->replyMemory = m_serverMemory;
        const auto rpc = CreateObject<RpcClient>();
        rpc->SetTransport(m_transport3);
        AuthSysCredential credential;
        credential.machineName = "client-3";
        rpc->SetCredential(credential);
        rpc->TraceConnectWithoutContext(
            "RpcCompleted",
            Callback<void, const RpcRecord&>(
                [this](const RpcRecord& record) { m_statuses.push_back(record.programStatus); }));
        m_nfs3 = CreateObject<Nfs3Client>();
        m_nfs3->SetRpcClient(rpc);
        m_nfs3->SetHostMemory(m_memory3);
        m_files3 = CreateObject<Nfs3FileClient>();
        m_files3->SetClients(m_nfs3, nullptr);
        Mount(m_hosts[0]);
        m_root = m_hosts[0].files->GetRoot(); // Handles are the same in every version.
        Close(m_hosts[0], Open(m_hosts[0], "file", true, true));
        m_held = Open(m_hosts[0], "file", false);
        if (!HoldsDelegation())
        {
            // The server wants to see the callback path work first.
            Close(m_hosts[0], m_held);
            m_held = Open(m_hosts[0], "file", false);
        }
        ASSERT_TRUE(HoldsDelegation());
        m_began = Simulator::Now();
    }

    void TearDown() override
    {
        if (!m_abandoned)
        {
            Close(m_hosts[0], m_held);
            Unmount(m_hosts[0]);
        }
        EXPECT_EQ(m_nfs3->GetPending(), 0U);
        m_files3->Dispose();
        m_nfs3->Dispose();
        EXPECT_EQ(m_memory3->GetAllocationCount(), 0U);
        Nfs4ClientServer::TearDown();
    }

    bool HoldsDelegation() const
    {
        return !m_hosts[0].client->GetHeld().GetDelegations().empty();
    }

    /// From now on no callback reaches the holder.
    void Silence()
    {
        m_hosts[0].callbackTransport->loseCalls = 1000;
        m_abandoned = true;
    }

    FileReply SetMode3(uint32_t mode)
    {
        Sattr3 changes;
        changes.mode = mode;
        return Await<FileReply>([&](auto done) {
            m_files3->SetAttributes(m_held->GetObject(), nullptr, changes, done);
        });
    }

    FileWriteReply Write3()
    {
        const auto opened = Await<FileOpenReply>(
            [&](auto done) { m_files3->Open(m_root, "file", FileOpenHow(), done); });
        m_statuses.clear();
        m_began = Simulator::Now();
        HostBuffer buffer(m_memory3, 5);
        return Await<FileWriteReply>([&](auto done) {
            m_files3->Write(opened.file, 0, 5, buffer.GetAddress(), StableHow::FILE_SYNC, done);
        });
    }

    /// When a delegation is gone that cannot be asked for: a lease after the recall; with NFSv4.0
    /// the holder's next RENEW tells it that the callback path is down, and it gives all back.
    [[nodiscard]] Time GetLoss() const
    {
        return GetParam() == 0 ? Seconds(60) : Seconds(90);
    }

    [[nodiscard]] Time GetTaken() const
    {
        return Simulator::Now() - m_began;
    }

    static constexpr auto JUKEBOX = static_cast<uint32_t>(Nfs3Status::JUKEBOX);

    Ptr<Nfs3Server> m_nfs3Server;
    Ptr<HostMemory> m_memory3;
    Ptr<ScriptedTransport> m_transport3;
    Ptr<Nfs3Client> m_nfs3;
    Ptr<Nfs3FileClient> m_files3;
    FileRef m_root;
    std::shared_ptr<OpenFile> m_held;
    std::vector<uint32_t> m_statuses; ///< Of RPCs of the client of NFSv3.
    Time m_began;
    bool m_abandoned{false}; ///< The holder does not unmount.
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
    const auto opened = Await<FileOpenReply>(
        [&](auto done) { m_files3->Open(m_root, "file", FileOpenHow(), done); });
    HostBuffer buffer(m_memory3, 5);
    EXPECT_TRUE(Await<FileReadReply>([&](auto done) {
                    m_files3->Read(opened.file, 0, 5, buffer.GetAddress(), done);
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
                    m_files3->Rename(m_root, "file", m_root, "moved", done);
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
                    other.files->Remove(other.files->GetRoot(), "file", done);
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
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    other.files->SetAttributes(m_held->GetObject(), nullptr, changes, done);
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
