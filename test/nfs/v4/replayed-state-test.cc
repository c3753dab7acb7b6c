/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "client-server-fixture.h"

namespace ns3::nfsrdma::test
{

namespace
{

/// A session of work in which a reply is lost: the call is sent again, and answered from what the
/// server keeps: the seqid of an owner (4.0), a slot (4.1, 4.2), the duplicate request cache.
class Nfs4ReplayedState : public Nfs4ClientServer
{
  protected:
    /// Makes, opens, writes, reads, locks and removes, so that each sequenced operation occurs;
    /// every step must do what it says.
    void Work()
    {
        const Host& host = m_hosts[0];
        Mount(host);
        const FileRef root = host.files->GetRoot();
        const auto first = Open(host, "first", true, true);
        const auto second = Open(host, "second", true, true);
        ASSERT_TRUE(first && second);
        EXPECT_NE(first->GetObject().octets, root.octets);
        EXPECT_NE(first->GetObject().octets, second->GetObject().octets);
        EXPECT_EQ(Write(host, first, "one").count, 3U);
        EXPECT_EQ(Write(host, second, "two!").count, 4U);
        const auto reader = Open(host, "first", false);
        EXPECT_EQ(reader->GetObject().octets, first->GetObject().octets);
        Lock(first, 0, 10, true);
        Lock(second, 5, 1, true);
        Lock(first, 20, 10, true);
        Lock(first, 0, 10, false);
        EXPECT_EQ(Read(host, reader), "one");
        EXPECT_TRUE(
            Await<FileReply>([&](auto done) {
                Sattr3 changes;
                changes.size = 2;
                host.files->Run(FileSetAttributes{first->GetObject(), first, changes}, done);
            }).IsOk());
        Close(host, first); // OPEN_DOWNGRADE
        EXPECT_EQ(Read(host, reader), "on");
        Close(host, reader);
        Close(host, second);
        const auto dir = Await<FileObjectReply>([&](auto done) {
            host.files->Run(FileMakeDirectory{{root, "dir"}, {}}, done);
        });
        EXPECT_TRUE(dir.IsOk());
        EXPECT_TRUE(Await<FileReply>([&](auto done) {
                        host.files->Run(FileRename{{root, "second"}, {dir.object, "moved"}}, done);
                    }).IsOk());
        EXPECT_TRUE(
            Await<FileReply>([&](auto done) {
                host.files->Run(FileMakeLink{{dir.object, "link"}, first->GetObject()}, done);
            }).IsOk());
        EXPECT_TRUE(Await<FileReply>([&](auto done) {
                        host.files->Run(FileRemove{{root, "first"}}, done);
                    }).IsOk());
        const auto again = Open(host, "last", true, true);
        EXPECT_EQ(Write(host, again, "three").count, 5U);
        Close(host, again);
        Unmount(host);
    }

    void Lock(const std::shared_ptr<OpenFile>& file, uint64_t offset, uint64_t length, bool lock)
    {
        const Host& host = m_hosts[0];
        const auto reply = Await<FileReply>([&](auto done) {
            if (lock)
            {
                host.files->GetLocks().Lock(file, LockType4::WRITE, offset, length, done);
                return;
            }
            host.files->GetLocks().Unlock(file, offset, length, done);
        });
        EXPECT_TRUE(reply.IsOk()) << ToString(static_cast<Nfs4Status>(reply.status));
    }

    void ExpectFiles()
    {
        const InodeNumber root = *m_store->GetExport("export");
        std::map<std::string, std::string> files;
        for (const FileListing& listing : m_store->List(root))
        {
            ByteVector octets(listing.type == Ftype3::REG ? listing.size : 0);
            if (!octets.empty())
            {
                m_store->GetData().ReadContent(listing.inode, 0, octets);
            }
            files[listing.path] = std::string(octets.begin(), octets.end());
        }
        const std::map<std::string, std::string> expected{{"", ""},
                                                          {"dir", ""},
                                                          {"dir/link", "on"},
                                                          {"dir/moved", "two!"},
                                                          {"last", "three"}};
        EXPECT_EQ(files, expected);
        EXPECT_FALSE(m_server->HasDelegations()) << "state is left at the server";
    }

    Ptr<ScriptedTransport> Transport()
    {
        return m_hosts[0].transport;
    }
};

/// The Nth reply is lost, for every N.
class Nfs4LostReply : public Nfs4ReplayedState
{
};

TEST_P(Nfs4LostReply, WorkEndsAsWithoutIt)
{
    Work();
    ExpectFiles();
    const auto calls = static_cast<uint32_t>(Transport()->paths.size());
    EXPECT_GT(calls, 25U);
    for (uint32_t lost = 1; lost <= calls; ++lost)
    {
        SCOPED_TRACE("reply " + std::to_string(lost) + " of " + std::to_string(calls));
        TearDown();
        m_hosts.clear();
        SetUp();
        Transport()->resendAfter = {lost};
        Work();
        ExpectFiles();
        EXPECT_EQ(Transport()->resent, 1U);
        if (HasFailure())
        {
            return;
        }
    }
}

TEST_P(Nfs4LostReply, EveryReplyIsLostOnce)
{
    for (uint32_t lost = 1; lost <= 500; ++lost)
    {
        Transport()->resendAfter.insert(lost);
    }
    Work();
    ExpectFiles();
    EXPECT_GT(Transport()->resent, 25U);
}

INSTANTIATE_TEST_SUITE_P(MinorVersions, Nfs4LostReply, ::testing::Values(0U, 1U, 2U));

/// Calls of NFSv4.0 that end without an answer (a soft mount, an RPC that the transport gave up):
/// whether the server has carried them out is not known.
class Nfs4Unanswered : public Nfs4ReplayedState
{
  protected:
    void SetUp() override
    {
        Nfs4ReplayedState::SetUp();
        Mount(m_hosts[0]);
        m_file = Open(m_hosts[0], "file", true, true);
        EXPECT_EQ(Write(m_hosts[0], m_file, "file").count, 4U);
    }

    /// The next call does not reach the server, or its reply is lost.
    void Lose(bool call)
    {
        (call ? Transport()->loseCalls : Transport()->loseReplies) = 1;
    }

    /// What follows must be about the files that it names.
    void ExpectOrder()
    {
        const auto other = Open(m_hosts[0], "other", true, true);
        ASSERT_TRUE(other);
        EXPECT_NE(other->GetObject().octets, m_file->GetObject().octets);
        EXPECT_EQ(Write(m_hosts[0], other, "other").count, 5U);
        EXPECT_EQ(Read(m_hosts[0], other), "other");
        Lock(other, 0, 1, true);
        Lock(other, 0, 1, false);
        Close(m_hosts[0], other);
    }

    void End()
    {
        Close(m_hosts[0], m_file);
        Unmount(m_hosts[0]);
    }

    std::shared_ptr<OpenFile> m_file;
};

TEST_P(Nfs4Unanswered, Open)
{
    for (const bool call : {true, false})
    {
        Lose(call);
        FileOpenHow how;
        how.write = true;
        how.create = true;
        const auto lost = Await<FileOpenReply>([&](auto done) {
            m_hosts[0].files->Run(FileOpen{{m_hosts[0].files->GetRoot(), "lost"}, how}, done);
        });
        EXPECT_FALSE(lost.IsOk());
        ExpectOrder();
    }
    End();
}

TEST_P(Nfs4Unanswered, Close)
{
    for (const bool call : {true, false})
    {
        const auto closed = ::testing::Test::HasFailure()
                                ? nullptr
                                : Open(m_hosts[0], call ? "call" : "reply", true, true);
        ASSERT_TRUE(closed);
        Lose(call);
        EXPECT_FALSE(Await<FileReply>([&](auto done) {
                         m_hosts[0].files->Run(FileClose{closed}, done);
                     }).IsOk());
        ExpectOrder();
    }
    End();
}

TEST_P(Nfs4Unanswered, LockAndUnlock)
{
    const auto lock = [this] {
        return Await<FileReply>([&](auto done) {
            m_hosts[0].files->GetLocks().Lock(m_file, LockType4::WRITE, 0, 10, done);
        });
    };
    const auto unlock = [this] {
        return Await<FileReply>(
            [&](auto done) { m_hosts[0].files->GetLocks().Unlock(m_file, 0, 10, done); });
    };
    for (const bool call : {true, false})
    {
        Lose(call); // the first with the open owner's seqid
        EXPECT_FALSE(lock().IsOk());
        EXPECT_TRUE(lock().IsOk());
        ExpectOrder();
        Lose(call);
        EXPECT_FALSE(unlock().IsOk());
        EXPECT_TRUE(unlock().IsOk());
        ExpectOrder();
    }
    End();
}

INSTANTIATE_TEST_SUITE_P(MinorVersions, Nfs4Unanswered, ::testing::Values(0U));

TEST(Nfs4Seqid, CountsUpInDoubt)
{
    Nfs4Seqid seqid;
    seqid.Answered(Nfs4Status::OK);
    EXPECT_FALSE(seqid.StepBack());
    seqid.Unanswered();
    seqid.Unanswered();
    EXPECT_EQ(seqid.Get(), 3U);
    seqid.Answered(Nfs4Status::BAD_SEQID);
    EXPECT_TRUE(seqid.StepBack());
    EXPECT_EQ(seqid.Get(), 2U);
    seqid.Answered(Nfs4Status::NOENT);
    EXPECT_EQ(seqid.Get(), 3U);
    EXPECT_FALSE(seqid.StepBack()) << "the server's number is known again";
}

} // namespace

} // namespace ns3::nfsrdma::test
