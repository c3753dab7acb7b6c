/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "delegation-holder.h"
#include "nfs/v2/file-client2.h"
#include "nfs/v2/server2.h"

namespace ns3::nfsrdma::test
{

namespace
{

/// With a client of NFSv2 beside them, which sends calls again after a minute.
class DelegationConflict2 : public DelegationHolder
{
  protected:
    static constexpr int64_t RETRANSMIT = 60; ///< Seconds.

    void AddPrograms() override
    {
        m_nfs2Server = CreateObject<Nfs2Server>();
        m_nfs2Server->SetFileStore(m_store);
        m_nfs2Server->SetHostMemory(m_serverMemory);
        m_nfs2Server->SetDelegationGuard(PeekPointer(m_server));
        m_rpcServer->Register(m_nfs2Server);
    }

    void SetUp() override
    {
        DelegationHolder::SetUp();
        m_olderTransport->retransmit = Seconds(RETRANSMIT);
        m_nfs2 = CreateObject<Nfs2Client>();
        m_nfs2->SetRpcClient(m_olderRpc);
        m_nfs2->SetHostMemory(m_olderMemory);
        m_files2 = CreateObject<Nfs2FileClient>();
        m_files2->SetClient(m_nfs2);
        m_files2->SetHostMemory(m_olderMemory);
    }

    void TearDown() override
    {
        EXPECT_EQ(m_nfs2->GetPending(), 0U);
        m_files2->Dispose();
        m_nfs2->Dispose();
        DelegationHolder::TearDown();
    }

    std::shared_ptr<OpenFile> Open2()
    {
        const auto opened = Await<FileOpenReply>([&](auto done) {
            m_files2->Run(FileOpen{{m_root, "file"}, FileOpenHow()}, done);
        });
        EXPECT_TRUE(opened.IsOk());
        m_statuses.clear();
        m_began = Simulator::Now();
        return opened.file;
    }

    FileWriteReply Write2(const std::string& text)
    {
        const auto file = Open2();
        HostBuffer buffer(m_olderMemory, text.size());
        buffer.Write(0, ByteVector(text.begin(), text.end()));
        return Await<FileWriteReply>([&](auto done) {
            m_files2->Run(FileWrite{file,
                                    0,
                                    static_cast<uint32_t>(text.size()),
                                    StableHow::FILE_SYNC,
                                    buffer.GetAddress()},
                          done);
        });
    }

    std::string Read2()
    {
        const auto file = Open2();
        HostBuffer buffer(m_olderMemory, 100);
        const auto read = Await<FileReadReply>([&](auto done) {
            m_files2->Run(FileRead{file, 0, 100, buffer.GetAddress()}, done);
        });
        EXPECT_TRUE(read.IsOk());
        ByteVector octets(read.count);
        buffer.Read(0, octets);
        return std::string(octets.begin(), octets.end());
    }

    FileReply SetMode2(uint32_t mode)
    {
        Sattr3 changes;
        changes.mode = mode;
        return Await<FileReply>([&](auto done) {
            m_files2->Run(FileSetAttributes{m_held->GetObject(), nullptr, changes}, done);
        });
    }

    Ptr<Nfs2Server> m_nfs2Server;
    Ptr<Nfs2Client> m_nfs2;
    Ptr<Nfs2FileClient> m_files2;
};

TEST_P(DelegationConflict2, WriteIsCarriedOutWhenItIsSentAgain)
{
    EXPECT_TRUE(Write2("older").IsOk());
    EXPECT_EQ(m_statuses, std::vector<uint32_t>{0});
    EXPECT_EQ(m_nfs2Server->GetDroppedCalls(), 1U);
    EXPECT_GE(GetTaken(), Seconds(RETRANSMIT));
    EXPECT_LT(GetTaken(), Seconds(RETRANSMIT) + MilliSeconds(1));
    EXPECT_FALSE(HoldsDelegation());
    EXPECT_EQ(Read(m_hosts[0], m_held), "older");
}

TEST_P(DelegationConflict2, ReadGivesWhatTheHolderHasWritten)
{
    const auto writer = Open(m_hosts[0], "file", true);
    EXPECT_TRUE(Write(m_hosts[0], writer, "newer").IsOk());
    EXPECT_EQ(Read2(), "newer");
    EXPECT_TRUE(HoldsDelegation());
    EXPECT_EQ(m_nfs2Server->GetDroppedCalls(), 0U);
    Close(m_hosts[0], writer);
}

TEST_P(DelegationConflict2, AWriteIsDroppedUntilTheDelegationIsLost)
{
    Silence();
    EXPECT_TRUE(Write2("older").IsOk());
    EXPECT_EQ(m_statuses, std::vector<uint32_t>{0});
    EXPECT_GE(GetTaken(), GetLoss());
    // At 120 s a holder of NFSv4.1 learns that its delegation was taken away, opens the file again,
    // and is given another one (its session is bound anew, and such a server does not try the way
    // back), a moment before the WRITE comes again: that one is lost as the first was.
    const unsigned retransmissions = GetParam() == 0 ? 1 : 4;
    EXPECT_EQ(m_nfs2Server->GetDroppedCalls(), retransmissions);
    EXPECT_LT(GetTaken(), Seconds(RETRANSMIT * retransmissions) + MilliSeconds(1));
    EXPECT_EQ(Read2(), "older");
}

TEST_P(DelegationConflict2, SetattrWaitsForTheReturn)
{
    EXPECT_TRUE(SetMode2(0600).IsOk());
    EXPECT_LT(GetTaken(), MilliSeconds(30));
    EXPECT_FALSE(HoldsDelegation());
    EXPECT_EQ(m_statuses, std::vector<uint32_t>{0});
}

TEST_P(DelegationConflict2, SetattrFailsWhenNothingComesBack)
{
    Silence();
    EXPECT_EQ(SetMode2(0600).status, JUKEBOX);
    EXPECT_GE(GetTaken(), MilliSeconds(30)) << "the thread has waited";
    EXPECT_LT(GetTaken(), MilliSeconds(31));
    EXPECT_EQ(m_nfs2Server->GetDroppedCalls(), 0U);
}

INSTANTIATE_TEST_SUITE_P(MinorVersions, DelegationConflict2, ::testing::Values(0U, 1U));

} // namespace
} // namespace ns3::nfsrdma::test
