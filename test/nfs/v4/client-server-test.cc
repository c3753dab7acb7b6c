/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "client-server-fixture.h"

namespace ns3::nfsrdma::test
{

TEST_P(Nfs4ClientServer, FilesAndNames)
{
    const Host& host = m_hosts[0];
    Mount(host);
    const FileRef root = host.files->GetRoot();
    const auto file = Open(host, "file", true, true);
    EXPECT_EQ(Write(host, file, "hello").count, 5U);
    EXPECT_EQ(Read(host, file), "hello");
    const auto committed = Await<FileCommitReply>([&](auto done) {
        host.files->Run(FileCommit{file, 0, 0}, done);
    });
    EXPECT_TRUE(committed.IsOk());
    Close(host, file);
    const auto attributes = Await<FileAttributesReply>(
        [&](auto done) { host.files->Run(FileGetAttributes{file->GetObject()}, done); });
    EXPECT_EQ(attributes.attributes.size, 5U);
    EXPECT_EQ(attributes.attributes.type, Ftype3::REG);
    const auto dir = Await<FileObjectReply>([&](auto done) {
        host.files->Run(FileMakeDirectory{{root, "dir"}, {}}, done);
    });
    ASSERT_TRUE(dir.IsOk());
    const std::string target = "some/where";
    const ByteVector octets(target.begin(), target.end());
    const auto symlink = Await<FileObjectReply>([&](auto done) {
        host.files->Run(FileMakeSymlink{{root, "link"}, octets, {}}, done);
    });
    ASSERT_TRUE(symlink.IsOk());
    EXPECT_EQ(Await<FileLinkReply>([&](auto done) {
                  host.files->Run(FileReadLink{symlink.object}, done);
              }).target,
              octets);
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    host.files->Run(FileRename{{root, "file"}, {dir.object, "moved"}}, done);
                }).IsOk());
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    host.files->Run(FileMakeLink{{root, "second"}, file->GetObject()}, done);
                }).IsOk());
    const auto list = Await<FileListReply>([&](auto done) {
        host.files->Run(FileList{root, 0, 0, 65448, true}, done);
    });
    std::set<std::string> names;
    for (const auto& entry : list.entries)
    {
        names.insert(entry.name);
        EXPECT_TRUE(entry.attributes);
    }
    EXPECT_EQ(names, std::set<std::string>({"dir", "link", "second"}));
    EXPECT_TRUE(list.eof);
    EXPECT_EQ(Await<FileReply>([&](auto done) {
                  host.files->Run(FileRemoveDirectory{{root, "dir"}}, done);
              }).status,
              static_cast<uint32_t>(Nfs4Status::NOTEMPTY));
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    host.files->Run(FileRemove{{root, "second"}}, done);
                }).IsOk());
    EXPECT_EQ(Await<FileObjectReply>([&](auto done) {
                  host.files->Run(FileLookup{{root, "second"}}, done);
              }).status,
              static_cast<uint32_t>(Nfs4Status::NOENT));
    Unmount(host);
}

TEST_P(Nfs4ClientServer, ExclusiveCreateAndAttributes)
{
    const Host& host = m_hosts[0];
    Mount(host);
    FileOpenHow how;
    how.write = true;
    how.create = true;
    how.mode = CreateMode3::EXCLUSIVE;
    how.verifier = 0x1234567890;
    how.attributes.mode = 0640;
    const auto opened = Await<FileOpenReply>([&](auto done) {
        host.files->Run(FileOpen{{host.files->GetRoot(), "x"}, how}, done);
    });
    ASSERT_TRUE(opened.IsOk()) << ToString(static_cast<Nfs4Status>(opened.status));
    const auto attributes = Await<FileAttributesReply>(
        [&](auto done) { host.files->Run(FileGetAttributes{opened.object}, done); });
    EXPECT_EQ(attributes.attributes.mode & 0777U, 0640U);
    Sattr3 changes;
    changes.size = 100;
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    host.files->Run(FileSetAttributes{opened.object, opened.file, changes}, done);
                }).IsOk());
    Close(host, opened.file);
    Unmount(host);
}

TEST_P(Nfs4ClientServer, AccessLists)
{
    const Host& host = m_hosts[0];
    Mount(host);
    const auto file = Open(host, "file", true, true);
    PosixAcl acl = MakeMinimalAcl(0640);
    acl.insert(acl.begin() + 1, {PosixAclTag::USER, 3001, 6});
    acl.insert(acl.end() - 1, {PosixAclTag::MASK, 0, 7});
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    host.files->Run(FileSetAcls{file->GetObject(), {acl, {}}}, done);
                }).IsOk());
    const auto got = Await<FileAclReply>(
        [&](auto done) { host.files->Run(FileGetAcls{file->GetObject()}, done); });
    EXPECT_TRUE(got.IsOk());
    EXPECT_NE(ToString(got.access).find("user:3001:rw-"), std::string::npos)
        << ToString(got.access);
    Close(host, file);
    Unmount(host);
}

TEST_P(Nfs4ClientServer, DelegationIsRecalledForTheWriteOfAnother)
{
    const Host& reader = m_hosts[0];
    const Host& writer = m_hosts[1];
    Mount(reader);
    Mount(writer);
    Close(reader, Open(reader, "file", true, true));
    Close(reader, Open(reader, "file", false));
    if (reader.client->GetHeld().GetDelegations().empty())
    {
        // The server wants to see the callback path work first.
        Close(reader, Open(reader, "file", false));
    }
    EXPECT_EQ(reader.client->GetHeld().GetDelegations().size(), 1U);
    const auto local = Open(reader, "file", false);
    const auto writing = Open(writer, "file", true);
    EXPECT_TRUE(reader.client->GetHeld().GetDelegations().empty());
    EXPECT_EQ(Write(writer, writing, "new").count, 3U);
    EXPECT_EQ(Read(reader, local), "new");
    Close(reader, local);
    Close(writer, writing);
    Unmount(writer);
    Unmount(reader);
}

TEST_P(Nfs4ClientServer, RestartOfTheServerIsSurvived)
{
    const Host& host = m_hosts[0];
    Mount(host);
    const auto file = Open(host, "file", true, true);
    EXPECT_EQ(Write(host, file, "one").count, 3U);
    m_server->Restart();
    EXPECT_TRUE(Write(host, file, "two").IsOk());
    EXPECT_EQ(Read(host, file), "two");
    Close(host, file);
    Unmount(host);
}

TEST_P(Nfs4ClientServer, LocksKeepOthersOut)
{
    Mount(m_hosts[0]);
    Mount(m_hosts[1]);
    const auto first = Open(m_hosts[0], "file", true, true);
    const auto second = Open(m_hosts[1], "file", true);
    const auto lock = [this](std::size_t host, const std::shared_ptr<OpenFile>& file) {
        return Await<FileReply>([&](auto done) {
            m_hosts[host].files->GetLocks().Lock(file, LockType4::WRITE, 0, 100, done);
        });
    };
    EXPECT_TRUE(lock(0, first).IsOk());
    EXPECT_EQ(lock(1, second).status, static_cast<uint32_t>(Nfs4Status::DENIED));
    Close(m_hosts[0], first);
    const auto granted = lock(1, second);
    EXPECT_TRUE(granted.IsOk()) << ToString(static_cast<Nfs4Status>(granted.status));
    Close(m_hosts[1], second);
    Unmount(m_hosts[1]);
    Unmount(m_hosts[0]);
}

INSTANTIATE_TEST_SUITE_P(MinorVersions, Nfs4ClientServer, ::testing::Values(0U, 1U, 2U));

} // namespace ns3::nfsrdma::test
