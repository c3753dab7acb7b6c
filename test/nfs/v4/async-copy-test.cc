/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "client-server-fixture.h"
#include "nfs/v4/client/offload-table.h"

#include "ns3/nstime.h"

#include <algorithm>

namespace ns3::nfsrdma::test
{

namespace
{

/// Copies at the server that take time, with transfers of 4096 octets at most.
class Nfs42AsyncCopy : public Nfs4ClientServer
{
  protected:
    static constexpr uint32_t TRANSFER = 4096;
    static constexpr uint64_t LENGTH = 5 * TRANSFER;

    void SetUp() override
    {
        Nfs4ClientServer::SetUp();
        const auto model = CreateObject<StorageModel>();
        model->SetAttribute("ReadLatency", TimeValue(MilliSeconds(5)));
        m_storage = CreateObject<ServerStorage>();
        m_storage->SetDevice(model);
        for (const Host& host : m_hosts)
        {
            host.files->SetAttribute("TransferSize", UintegerValue(TRANSFER));
        }
        Mount(m_hosts[0]);
        m_from = Open(m_hosts[0], "from", true, true);
        m_to = Open(m_hosts[0], "to", true, true);
        HostBuffer buffer(m_hosts[0].memory, TRANSFER);
        for (uint64_t offset = 0; offset < LENGTH; offset += TRANSFER)
        {
            m_octets.resize(TRANSFER, static_cast<uint8_t>(offset / TRANSFER + 1));
            std::fill(m_octets.begin(),
                      m_octets.end(),
                      static_cast<uint8_t>(offset / TRANSFER + 1));
            buffer.Write(0, m_octets);
            EXPECT_TRUE(Await<FileWriteReply>([&](auto done) {
                            m_hosts[0].files->Run(FileWrite{m_from,
                                                            offset,
                                                            TRANSFER,
                                                            StableHow::FILE_SYNC,
                                                            buffer.GetAddress()},
                                                  done);
                        }).IsOk());
        }
        m_server->SetStorage(m_storage);
    }

    FileCopyReply Copy(uint64_t count = LENGTH)
    {
        return Await<FileCopyReply>([&](auto done) {
            m_hosts[0].files->GetRanges().Run(FileCopy{m_to, 0, count, m_from, 0}, done);
        });
    }

    void End()
    {
        Close(m_hosts[0], m_from);
        Close(m_hosts[0], m_to);
        Unmount(m_hosts[0]);
    }

    /// \return the octets at \p offset of the file copied to.
    uint8_t Look(uint64_t offset)
    {
        const auto inode = m_store->FindPath(*m_store->GetExport("export"), "to");
        uint8_t found = 0;
        m_store->GetData().Read(*inode, offset, 1, [&found](uint64_t, uint64_t) {
            return MutableByteSpan(&found, 1);
        });
        return found;
    }

    [[nodiscard]] uint64_t CountCallbacks()
    {
        return m_hosts[0].client->GetCallbackProgram()->GetAnswered(Nfs4CbOp::OFFLOAD);
    }

    Ptr<ServerStorage> m_storage;
    std::shared_ptr<OpenFile> m_from;
    std::shared_ptr<OpenFile> m_to;
    ByteVector m_octets;
};

TEST_P(Nfs42AsyncCopy, LargeOnesEndWithACallback)
{
    const auto reply = Copy();
    EXPECT_TRUE(reply.IsOk()) << reply.status;
    EXPECT_EQ(reply.count, LENGTH);
    EXPECT_EQ(CountCallbacks(), 1U);
    EXPECT_EQ(m_server->GetOperations(Nfs4Op::OFFLOAD_STATUS), 0U);
    EXPECT_EQ(m_server->GetOperations(Nfs4Op::COMMIT), 0U);
    EXPECT_EQ(Look(0), 1U);
    EXPECT_EQ(Look(LENGTH - 1), 5U);
    EXPECT_EQ(m_server->GetState().copies.GetCount(), 0U);
    End();
}

/// Somebody at the server's host removes it while the copy waits for the device.
TEST_P(Nfs42AsyncCopy, EndsWhenAFileIsGone)
{
    Simulator::Schedule(MilliSeconds(2), [this] {
        const InodeNumber root = *m_store->GetExport("export");
        EXPECT_EQ(m_store->GetNames().Remove(root, "from", FileCredential()), Nfs3Status::OK);
    });
    const auto reply = Copy();
    EXPECT_FALSE(reply.IsOk() && reply.count > 0) << reply.status;
    EXPECT_EQ(m_server->GetState().copies.GetCount(), 0U);
}

TEST_P(Nfs42AsyncCopy, TwoTransfersAreSynchronous)
{
    const auto reply = Copy(2 * TRANSFER);
    EXPECT_TRUE(reply.IsOk()) << reply.status;
    EXPECT_EQ(reply.count, 2 * TRANSFER);
    EXPECT_EQ(CountCallbacks(), 0U);
    EXPECT_EQ(m_server->GetOperations(Nfs4Op::COMMIT), 1U);
    End();
}

TEST_P(Nfs42AsyncCopy, StatusIsAskedForWhenItTakesLong)
{
    m_hosts[0].files->SetAttribute("OffloadStatusDelay", TimeValue(MilliSeconds(2)));
    const auto reply = Copy();
    EXPECT_TRUE(reply.IsOk()) << reply.status;
    EXPECT_EQ(reply.count, LENGTH);
    EXPECT_GT(m_server->GetOperations(Nfs4Op::OFFLOAD_STATUS), 0U);
    EXPECT_EQ(m_server->GetOperations(Nfs4Op::COPY), 1U);
    End();
}

TEST_P(Nfs42AsyncCopy, StatusTellsTheEndWhenTheCallbackIsLost)
{
    m_hosts[0].callbackTransport->loseCalls = 1;
    const auto reply = Copy();
    EXPECT_TRUE(reply.IsOk()) << reply.status;
    EXPECT_EQ(reply.count, LENGTH);
    EXPECT_EQ(m_server->GetOperations(Nfs4Op::COPY), 1U);
    EXPECT_EQ(m_server->GetOperations(Nfs4Op::OFFLOAD_STATUS), 1U);
    EXPECT_EQ(CountCallbacks(), 0U);
    EXPECT_EQ(Look(LENGTH - 1), 5U);
    EXPECT_GE(Simulator::Now(), Seconds(7));
    End();
}

/// CB_OFFLOADs go one at a time: those of many copies come later than the client asks.
TEST_P(Nfs42AsyncCopy, NoneIsMadeAgainForACallbackThatIsLate)
{
    m_hosts[0].files->SetAttribute("OffloadStatusDelay", TimeValue(MicroSeconds(10)));
    uint32_t ended = 0;
    for (uint32_t i = 0; i < 16; ++i)
    {
        m_hosts[0].files->GetRanges().Run(FileCopy{m_to, 0, LENGTH, m_from, 0},
                                          [&ended](const FileCopyReply& reply) {
                                              EXPECT_TRUE(reply.IsOk()) << reply.status;
                                              EXPECT_EQ(reply.count, LENGTH);
                                              ++ended;
                                          });
    }
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    EXPECT_EQ(ended, 16U);
    EXPECT_EQ(m_server->GetOperations(Nfs4Op::COPY), 16U);
    EXPECT_EQ(m_server->GetState().copies.GetCount(), 0U);
    End();
}

TEST_P(Nfs42AsyncCopy, IsMadeAgainAfterARestart)
{
    Simulator::Schedule(MilliSeconds(1), [this] { m_server->Restart(); });
    // What tells the client that the server has restarted.
    Simulator::Schedule(MilliSeconds(2), [this] {
        m_hosts[0].files->Run(FileGetAttributes{m_from->GetObject()},
                              [](const FileAttributesReply&) {});
    });
    const auto reply = Copy();
    EXPECT_TRUE(reply.IsOk()) << reply.status;
    EXPECT_EQ(reply.count, LENGTH);
    EXPECT_EQ(m_server->GetOperations(Nfs4Op::COPY), 2U);
    EXPECT_EQ(m_server->GetOperations(Nfs4Op::OFFLOAD_CANCEL), 1U);
    EXPECT_EQ(CountCallbacks(), 1U);
    EXPECT_EQ(Look(LENGTH - 1), 5U);
    End();
}

INSTANTIATE_TEST_SUITE_P(Minor, Nfs42AsyncCopy, ::testing::Values(2U));

TEST(Nfs4OffloadTableTest, KeepsWhatComesBeforeTheReply)
{
    Nfs4OffloadTable table;
    CbOffloadArgs4 result;
    result.stateid.seqid = 1;
    result.response.count = 77;
    table.Arrive(result);
    uint64_t count = 0;
    table.Expect(result.stateid,
                 [&count](const CbOffloadArgs4* got) { count = got->response.count; });
    EXPECT_EQ(count, 77U);
    EXPECT_FALSE(table.IsExpected(result.stateid));
    bool lost = false;
    table.Expect(result.stateid, [&lost](const CbOffloadArgs4* got) { lost = got == nullptr; });
    EXPECT_TRUE(table.IsExpected(result.stateid));
    table.LoseAll();
    EXPECT_TRUE(lost);
}

/// Locks that are waited for, in sessions.
class Nfs4LockNotice : public Nfs4ClientServer
{
};

TEST_P(Nfs4LockNotice, WhoWaitsIsToldWhenTheLockIsFree)
{
    std::vector<std::shared_ptr<OpenFile>> files;
    for (const Host& host : m_hosts)
    {
        Mount(host);
        files.push_back(Open(host, "file", true, files.empty()));
    }
    const FileLock lock{7, true, 0, 100, false};
    EXPECT_TRUE(Await<FileLockReply>([&](auto done) {
                    m_hosts[0].files->LockFile(files[0], lock, true, done);
                }).granted);
    Time granted;
    m_hosts[1].files->LockFile(files[1], lock, true, [&granted](const FileLockReply& reply) {
        EXPECT_TRUE(reply.granted);
        granted = Simulator::Now();
    });
    Simulator::Stop(MilliSeconds(2500));
    Simulator::Run();
    EXPECT_TRUE(granted.IsZero());
    EXPECT_EQ(m_server->GetState().blockedLocks.GetCount(), 1U);
    const Time freed = Simulator::Now();
    m_hosts[0].files->UnlockFile(files[0], lock, [](const FileReply&) {});
    Simulator::Stop(MilliSeconds(100));
    Simulator::Run();
    EXPECT_GE(granted, freed);
    EXPECT_LT(granted, freed + MilliSeconds(100));
    EXPECT_EQ(m_hosts[1].client->GetCallbackProgram()->GetAnswered(Nfs4CbOp::NOTIFY_LOCK), 1U);
    EXPECT_EQ(m_hosts[0].client->GetCallbackProgram()->GetAnswered(Nfs4CbOp::NOTIFY_LOCK), 0U);
    EXPECT_EQ(m_server->GetState().blockedLocks.GetCount(), 0U);
    m_hosts[1].files->UnlockFile(files[1], lock, [](const FileReply&) {});
    for (uint32_t i = 0; i < 2; ++i)
    {
        Close(m_hosts[i], files[i]);
        Unmount(m_hosts[i]);
    }
}

TEST_P(Nfs4LockNotice, WithoutTheCallbackItIsAskedAgainAfterHalfAMinute)
{
    std::vector<std::shared_ptr<OpenFile>> files;
    for (const Host& host : m_hosts)
    {
        Mount(host);
        files.push_back(Open(host, "file", true, files.empty()));
    }
    m_hosts[1].callbackTransport->loseCalls = 1;
    const FileLock lock{7, true, 0, 100, false};
    EXPECT_TRUE(Await<FileLockReply>([&](auto done) {
                    m_hosts[0].files->LockFile(files[0], lock, true, done);
                }).granted);
    const Time asked = Simulator::Now();
    Simulator::Schedule(Seconds(1), [&] {
        m_hosts[0].files->UnlockFile(files[0], lock, [](const FileReply&) {});
    });
    EXPECT_TRUE(Await<FileLockReply>([&](auto done) {
                    m_hosts[1].files->LockFile(files[1], lock, true, done);
                }).granted);
    EXPECT_GE(Simulator::Now() - asked, Seconds(30));
    m_hosts[1].files->UnlockFile(files[1], lock, [](const FileReply&) {});
    for (uint32_t i = 0; i < 2; ++i)
    {
        Close(m_hosts[i], files[i]);
        Unmount(m_hosts[i]);
    }
}

INSTANTIATE_TEST_SUITE_P(Minor, Nfs4LockNotice, ::testing::Values(1U, 2U));

} // namespace

} // namespace ns3::nfsrdma::test
