/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "client-server-fixture.h"

namespace ns3::nfsrdma::test
{

namespace
{

/// NFSv4.0 without sessions: a call that changes state ends without an answer, as on a soft mount,
/// though the server has carried it out.
class Nfs40Unanswered : public Nfs4ClientServer
{
  protected:
    void SetUp() override
    {
        Nfs4ClientServer::SetUp();
        for (const Host& host : m_hosts)
        {
            host.transport->lossOutcome = RpcOutcome::TIMED_OUT;
            Mount(host);
            m_files.push_back(Open(host, "file", true, m_files.empty()));
        }
    }

    FileLockReply Lock(std::size_t host, uint64_t offset, bool answered = true)
    {
        m_hosts[host].transport->loseReplies = answered ? 0 : 1;
        const FileLock lock{static_cast<uint32_t>(7 + host), true, offset, 10, false};
        return Await<FileLockReply>(
            [&](auto done) { m_hosts[host].files->LockFile(m_files[host], lock, false, done); });
    }

    void End()
    {
        Close(m_hosts[1], m_files[1]);
        for (const Host& host : m_hosts)
        {
            Unmount(host);
        }
    }

    std::vector<std::shared_ptr<OpenFile>> m_files;
};

TEST_P(Nfs40Unanswered, ALockLeavesAStateidThatIoCanUse)
{
    EXPECT_TRUE(Lock(0, 0).granted);
    for (uint64_t offset = 20; offset < 80; offset += 20)
    {
        EXPECT_FALSE(Lock(0, offset, false).IsOk());
    }
    const auto written = Write(m_hosts[0], m_files[0], "text");
    EXPECT_TRUE(written.IsOk()) << ToString(static_cast<Nfs4Status>(written.status));
    EXPECT_FALSE(Lock(0, 100, false).IsOk());
    EXPECT_EQ(Read(m_hosts[0], m_files[0]), "text");
    EXPECT_FALSE(Lock(0, 120, false).IsOk());
    EXPECT_TRUE(Lock(0, 140).granted);
    Close(m_hosts[0], m_files[0]);
    for (uint64_t offset = 0; offset <= 140; offset += 20)
    {
        EXPECT_TRUE(Lock(1, offset).granted) << offset;
    }
    End();
}

TEST_P(Nfs40Unanswered, AFirstLockIsNotHeldBeyondTheClose)
{
    EXPECT_FALSE(Lock(0, 0, false).IsOk());
    EXPECT_FALSE(Lock(1, 0).granted) << "the server has carried it out";
    Close(m_hosts[0], m_files[0]);
    EXPECT_TRUE(Lock(1, 0).granted);
    EXPECT_EQ(m_server->GetOperations(Nfs4Op::RELEASE_LOCKOWNER), 1U);
    End();
}

TEST_P(Nfs40Unanswered, ACallThatNeverReachedTheServerLeavesNothing)
{
    m_hosts[0].transport->loseCalls = 1;
    EXPECT_FALSE(Lock(0, 0).IsOk());
    EXPECT_TRUE(Lock(1, 0).granted);
    Close(m_hosts[0], m_files[0]);
    EXPECT_TRUE(Lock(1, 20).granted);
    End();
}

TEST_P(Nfs40Unanswered, ADowngradeLeavesAStateidThatIoCanUse)
{
    FileOpenHow how;
    how.write = false;
    how.read = true;
    const auto reader =
        Await<FileOpenReply>([&](auto done) {
            m_hosts[0].files->Run(FileOpen{{m_hosts[0].files->GetRoot(), "file"}, how}, done);
        }).file;
    m_hosts[0].transport->loseReplies = 1;
    Await<FileReply>([&](auto done) { m_hosts[0].files->Run(FileClose{m_files[0]}, done); });
    EXPECT_EQ(m_hosts[0].transport->loseReplies, 0U);
    EXPECT_EQ(Read(m_hosts[0], reader), "");
    Close(m_hosts[0], reader);
    End();
}

INSTANTIATE_TEST_SUITE_P(Minor, Nfs40Unanswered, ::testing::Values(0U));

} // namespace

} // namespace ns3::nfsrdma::test
