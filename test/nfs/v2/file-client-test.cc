/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/file-client2.h"
#include "nfs/v2/loop.h"

namespace ns3::nfsrdma::test
{
namespace
{

class Nfs2Files : public Nfs2Loop
{
  protected:
    void SetUp() override
    {
        Nfs2Loop::SetUp();
        m_files->SetClient(m_client);
        m_files->SetHostMemory(m_clientMemory);
        const NfsFh3 root = m_store->GetHandle(m_root);
        const ByteSpan octets = root.AsSpan();
        m_rootRef.octets.assign(octets.begin(), octets.end());
    }

    /// \return what stores a reply in \p reply.
    template <typename Reply>
    FileClient::Done<Reply> To(Reply& reply)
    {
        return [this, &reply](const Reply& given) {
            reply = given;
            ++m_ended;
        };
    }

    void Run(uint32_t ended = 1)
    {
        EXPECT_GT(m_files->GetPending(), 0U);
        m_ended = 0;
        Simulator::Run();
        EXPECT_EQ(m_ended, ended);
        EXPECT_EQ(m_files->GetPending(), 0U);
    }

    FileOpenReply Open(const std::string& name, const FileOpenHow& how)
    {
        FileOpenReply reply;
        m_files->Run(FileOpen{{m_rootRef, name}, how}, To(reply));
        Run();
        return reply;
    }

    FileOpenReply Create(const std::string& name, CreateMode3 mode = CreateMode3::UNCHECKED)
    {
        FileOpenHow how;
        how.create = true;
        how.write = true;
        how.mode = mode;
        how.attributes.mode = 0600;
        return Open(name, how);
    }

    Ptr<Nfs2FileClient> m_files{CreateObject<Nfs2FileClient>()};
    FileRef m_rootRef;
    uint32_t m_ended{0};
};

TEST_F(Nfs2Files, TransfersHaveEightKibibytesAtMost)
{
    EXPECT_EQ(m_files->GetTransferSize(), NFS2_MAXDATA);
    const auto made = Create("file");
    ASSERT_TRUE(made.IsOk());
    ByteVector octets(NFS2_MAXDATA);
    for (std::size_t i = 0; i < octets.size(); ++i)
    {
        octets[i] = static_cast<uint8_t>(i * 3);
    }
    m_buffer->Write(0, octets);
    FileWriteReply written;
    m_files->Run(FileWrite{made.file, 5, 20001, StableHow::UNSTABLE, m_buffer->GetAddress()},
                 To(written));
    Run();
    EXPECT_TRUE(written.IsOk());
    EXPECT_EQ(written.count, NFS2_MAXDATA);
    EXPECT_EQ(written.committed, StableHow::FILE_SYNC);
    m_buffer->Write(0, ByteVector(BUFFER));
    FileReadReply read;
    m_files->Run(FileRead{made.file, 5, 40000, m_buffer->GetAddress()}, To(read));
    Run();
    EXPECT_TRUE(read.IsOk());
    EXPECT_EQ(read.count, NFS2_MAXDATA);
    EXPECT_TRUE(read.eof);
    ByteVector found(NFS2_MAXDATA);
    m_buffer->Read(0, found);
    EXPECT_EQ(found, octets);
    FileCommitReply committed;
    m_files->Run(FileCommit{made.file, 0, 0}, To(committed));
    FileReply closed;
    m_files->Run(FileClose{made.file}, To(closed));
    Run(2);
    EXPECT_TRUE(committed.IsOk() && closed.IsOk());
}

TEST_F(Nfs2Files, FilesEndAtTwoGibibytes)
{
    const auto made = Create("file");
    FileWriteReply written;
    m_files->Run(FileWrite{made.file,
                           Nfs2FileClient::MAX_FILE_SIZE - 10,
                           11,
                           StableHow::FILE_SYNC,
                           m_buffer->GetAddress()},
                 To(written));
    Run();
    EXPECT_EQ(written.status, static_cast<uint32_t>(Nfs3Status::FBIG));
    m_files->Run(FileWrite{made.file,
                           Nfs2FileClient::MAX_FILE_SIZE - 10,
                           10,
                           StableHow::FILE_SYNC,
                           m_buffer->GetAddress()},
                 To(written));
    Run();
    EXPECT_TRUE(written.IsOk());
    FileReadReply read;
    m_files->Run(FileRead{made.file, Nfs2FileClient::MAX_FILE_SIZE, 10, m_buffer->GetAddress()},
                 To(read));
    Run();
    EXPECT_TRUE(read.IsOk() && read.eof);
    EXPECT_EQ(read.count, 0U);
    Sattr3 larger;
    larger.size = Nfs2FileClient::MAX_FILE_SIZE + 1;
    FileReply set;
    m_files->Run(FileSetAttributes{made.object, nullptr, larger}, To(set));
    Run();
    EXPECT_EQ(set.status, static_cast<uint32_t>(Nfs3Status::FBIG));
}

TEST_F(Nfs2Files, GuardedCreateFindsNothingFirst)
{
    EXPECT_TRUE(Create("file", CreateMode3::EXCLUSIVE).IsOk());
    EXPECT_EQ(m_server->GetCalls(Nfs2Procedure::LOOKUP), 1U);
    EXPECT_EQ(Create("file", CreateMode3::GUARDED).status,
              static_cast<uint32_t>(Nfs2Status::EXIST));
    EXPECT_TRUE(Create("file").IsOk());
    EXPECT_TRUE(Open("file", FileOpenHow()).IsOk());
    EXPECT_EQ(Open("none", FileOpenHow()).status, static_cast<uint32_t>(Nfs2Status::NOENT));
}

TEST_F(Nfs2Files, NamesAreMadeListedAndRemoved)
{
    FileObjectReply dir;
    m_files->Run(FileMakeDirectory{{m_rootRef, "dir"}, Sattr3()}, To(dir));
    Run();
    ASSERT_TRUE(dir.IsOk());
    const std::string target = "somewhere";
    FileObjectReply link;
    const ByteVector path(target.begin(), target.end());
    m_files->Run(FileMakeSymlink{{dir.object, "link"}, path, Sattr3()}, To(link));
    Run();
    ASSERT_TRUE(link.IsOk());
    EXPECT_EQ(link.attributes->type, Ftype3::LNK);
    FileLinkReply read;
    m_files->Run(FileReadLink{link.object}, To(read));
    FileObjectReply fifo;
    m_files->Run(FileMakeNode{{dir.object, "fifo"}, Ftype3::FIFO, {}, Sattr3()}, To(fifo));
    FileObjectReply device;
    m_files->Run(FileMakeNode{{dir.object, "device"}, Ftype3::BLK, {8, 1}, Sattr3()}, To(device));
    Run(3);
    EXPECT_EQ(read.target, path);
    EXPECT_TRUE(fifo.IsOk());
    EXPECT_EQ(device.attributes->rdev, (SpecData3{8, 1}));
    FileReply linked;
    m_files->Run(FileMakeLink{{dir.object, "again"}, device.object}, To(linked));
    Run();
    FileReply renamed;
    m_files->Run(FileRename{{dir.object, "again"}, {m_rootRef, "moved"}}, To(renamed));
    Run();
    EXPECT_TRUE(linked.IsOk() && renamed.IsOk());
    FileListReply list;
    m_files->Run(FileList{dir.object, 0, 0, 4096, true}, To(list));
    Run();
    EXPECT_EQ(list.entries.size(), 5U);
    EXPECT_TRUE(list.eof);
    FileReply removed;
    m_files->Run(FileRemoveDirectory{{m_rootRef, "dir"}}, To(removed));
    Run();
    EXPECT_EQ(removed.status, static_cast<uint32_t>(Nfs2Status::NOTEMPTY));
    m_files->Run(FileRemove{{m_rootRef, "moved"}}, To(removed));
    Run();
    EXPECT_TRUE(removed.IsOk());
}

TEST_F(Nfs2Files, AccessIsWeighedByTheMode)
{
    const auto made = Create("file");
    FileAccessReply access;
    m_files->Run(FileAccess{made.object, 0x3f}, To(access));
    Run();
    EXPECT_EQ(access.access, ACCESS3_READ | ACCESS3_MODIFY | ACCESS3_EXTEND);
    FileCredential stranger;
    stranger.uid = 1000;
    stranger.gid = 1000;
    m_files->SetCredential(stranger);
    m_files->Run(FileAccess{made.object, 0x3f}, To(access));
    Run();
    EXPECT_EQ(access.access, 0U);
    m_files->Run(FileAccess{m_rootRef, 0x3f}, To(access));
    Run();
    EXPECT_EQ(access.access,
              ACCESS3_READ | ACCESS3_MODIFY | ACCESS3_EXTEND | ACCESS3_DELETE | ACCESS3_LOOKUP);
}

TEST_F(Nfs2Files, RestIsAnswered)
{
    FileReply mounted;
    FileReply unmounted;
    FileAclReply acls;
    FileReply set;
    FileSystemReply system;
    FileAttributesReply attributes;
    FileObjectReply found;
    m_files->Mount(To(mounted));
    m_files->Run(FileGetAcls{m_rootRef}, To(acls));
    m_files->Run(FileSetAcls{m_rootRef, {{}, {}}}, To(set));
    m_files->Run(FileGetFileSystem{m_rootRef}, To(system));
    m_files->Run(FileGetAttributes{m_rootRef}, To(attributes));
    m_files->Run(FileLookup{{m_rootRef, "."}}, To(found));
    m_files->Unmount(To(unmounted));
    Run(7);
    EXPECT_TRUE(mounted.IsOk() && unmounted.IsOk() && system.IsOk());
    EXPECT_EQ(acls.status, static_cast<uint32_t>(Nfs3Status::NOTSUPP));
    EXPECT_EQ(set.status, static_cast<uint32_t>(Nfs3Status::NOTSUPP));
    EXPECT_EQ(system.totalBytes, m_store->GetFileSystem().GetStatistics().totalBytes);
    EXPECT_EQ(attributes.attributes.type, Ftype3::DIR);
    EXPECT_EQ(found.attributes->fileid, attributes.attributes.fileid);
}

} // namespace
} // namespace ns3::nfsrdma::test
