/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "client-fixture.h"

namespace ns3::nfsrdma::test
{

namespace
{

/// The operation of a COMPOUND that is an Args.
template <typename Args>
const Args&
Get(const Compound4Args& compound, std::size_t nth = 0)
{
    for (const auto& op : compound.ops)
    {
        const auto* found = std::get_if<Args>(&op);
        if (found != nullptr && nth-- == 0)
        {
            return *found;
        }
    }
    static const Args NONE{};
    ADD_FAILURE() << "no such operation";
    return NONE;
}

} // namespace

using Nfs41Operations = Nfs4ClientTest;

/// The mount of nfs-v4.1-mtu1500.pcap, frames 8 to 59.
TEST_F(Nfs41Operations, MountSendsWhatLinuxSends)
{
    m_files->SetExport("/export");
    const auto reply = Await<FileReply>([&](auto done) { m_files->Mount(done); });
    ASSERT_TRUE(reply.IsOk());
    const std::string getattr = "SEQUENCE PUTFH GETATTR";
    const std::string lookup = "SEQUENCE PUTFH LOOKUP GETFH GETATTR";
    EXPECT_EQ(m_server->log,
              Log({"NULL",
                   "EXCHANGE_ID",
                   "EXCHANGE_ID",
                   "CREATE_SESSION",
                   "SEQUENCE RECLAIM_COMPLETE",
                   "SEQUENCE PUTROOTFH SECINFO_NO_NAME",
                   "SEQUENCE PUTROOTFH GETFH GETATTR",
                   getattr,
                   getattr,
                   getattr,
                   getattr,
                   getattr,
                   getattr,
                   getattr,
                   "SEQUENCE PUTFH ACCESS GETATTR",
                   lookup,
                   lookup,
                   getattr,
                   getattr,
                   getattr,
                   getattr,
                   getattr}));
    const auto& exchange = Get<ExchangeIdArgs4>(m_server->calls.at(0));
    EXPECT_EQ(exchange.ownerId.size(), 20U);
    EXPECT_EQ(exchange.flags, 0x101U);
    const auto& create = Get<CreateSessionArgs4>(m_server->calls.at(2));
    EXPECT_EQ(create.fore.maxRequests, 64U);
    EXPECT_EQ(create.fore.maxRequestSize, 1049620U);
    EXPECT_EQ(create.fore.maxResponseSize, 1049480U);
    EXPECT_EQ(create.back.maxRequestSize, 4068U);
    EXPECT_EQ(create.back.maxResponseSize, 4068U);
    EXPECT_EQ(create.back.maxRequests, 16U);
    EXPECT_EQ(m_files->GetRoot().octets, ByteVector({'e', 'x', 'p', 'o', 'r', 't'}));
    EXPECT_EQ(m_client->GetRenewal().GetLease().GetPeriod(), Seconds(90));
    EXPECT_EQ(m_files->GetTransferSize(), 65536U);
    m_server->log.clear();
    EXPECT_TRUE(Unmount().IsOk());
    EXPECT_EQ(m_server->log, Log({"DESTROY_SESSION", "DESTROY_CLIENTID"}));
}

TEST_F(Nfs41Operations, CreateWriteReadClose)
{
    Mount();
    const auto opened = Open("file", true, true);
    ASSERT_TRUE(opened.IsOk());
    EXPECT_EQ(opened.attributes->uid, 1000U);
    EXPECT_EQ(Write(opened.file, 2, "hello").count, 5U);
    EXPECT_TRUE(Close(opened.file).IsOk());
    const auto again = Open("file");
    EXPECT_EQ(Read(again.file, 1, 100), std::string("\0hello", 6));
    EXPECT_TRUE(Close(again.file).IsOk());
    EXPECT_EQ(m_server->log,
              Log({"SEQUENCE PUTFH OPEN GETFH ACCESS GETATTR",
                   "SEQUENCE PUTFH WRITE GETATTR",
                   "SEQUENCE PUTFH GETATTR CLOSE",
                   "SEQUENCE PUTFH OPEN GETFH ACCESS GETATTR",
                   "SEQUENCE PUTFH READ",
                   "SEQUENCE PUTFH GETATTR CLOSE"}));
    EXPECT_TRUE(Get<SequenceArgs4>(m_server->calls[0]).cacheThis);
    EXPECT_FALSE(Get<SequenceArgs4>(m_server->calls[1]).cacheThis);
    EXPECT_EQ(Get<WriteArgs4>(m_server->calls[1]).stateid.seqid, 0U);
    EXPECT_EQ(Get<OpenArgs4>(m_server->calls[0]).owner.owner.size(), 24U);
    EXPECT_EQ(m_server->GetStateIds(), 0U);
    EXPECT_TRUE(Unmount().IsOk());
}

TEST_F(Nfs41Operations, DirectFileWantsNoDelegationAndNoAttributes)
{
    Mount();
    FileOpenHow how;
    how.write = true;
    how.direct = true;
    const auto opened = Await<FileOpenReply>([&](auto done) {
        m_files->Run(FileOpen{{m_files->GetRoot(), "file"}, how}, done);
    });
    EXPECT_EQ(Get<OpenArgs4>(m_server->calls[0]).shareAccess,
              OPEN4_SHARE_ACCESS_BOTH | OPEN4_SHARE_ACCESS_WANT_NO_DELEG);
    Write(opened.file, 0, "x");
    EXPECT_EQ(m_server->log.back(), "SEQUENCE PUTFH WRITE");
    Close(opened.file);
    Unmount();
}

TEST_F(Nfs41Operations, NamesAndAttributes)
{
    Mount();
    const auto& root = m_files->GetRoot();
    const auto dir = Await<FileObjectReply>([&](auto done) {
        m_files->Run(FileMakeDirectory{{root, "dir"}, {}}, done);
    });
    EXPECT_EQ(dir.object.octets, ByteVector({'d', 'i', 'r'}));
    const std::string target(3000, 'x');
    const ByteVector octets(target.begin(), target.end());
    Await<FileObjectReply>([&](auto done) {
        m_files->Run(FileMakeSymlink{{root, "sl"}, octets, {}}, done);
    });
    EXPECT_EQ(Get<CreateArgs4>(m_server->calls.back()).link.length, 3000U);
    Await<FileReply>([&](auto done) {
        m_files->Run(FileRename{{root, "a"}, {dir.object, "b"}}, done);
    });
    Await<FileReply>([&](auto done) { m_files->Run(FileMakeLink{{root, "l"}, dir.object}, done); });
    Await<FileReply>([&](auto done) { m_files->Run(FileRemove{{root, "a"}}, done); });
    Sattr3 changes;
    changes.mode = 0640;
    changes.uid = 7;
    Await<FileReply>([&](auto done) {
        m_files->Run(FileSetAttributes{dir.object, nullptr, changes}, done);
    });
    EXPECT_EQ(Get<SetattrArgs4>(m_server->calls.back()).attributes.owner, "7");
    Await<FileListReply>([&](auto done) { m_files->Run(FileList{root, 0, 0, 65448, true}, done); });
    EXPECT_EQ(Get<ReaddirArgs4>(m_server->calls.back()).maxcount, 65448U);
    Await<FileSystemReply>([&](auto done) { m_files->Run(FileGetFileSystem{root}, done); });
    EXPECT_EQ(m_server->log,
              Log({"SEQUENCE PUTFH CREATE GETFH GETATTR",
                   "SEQUENCE PUTFH CREATE GETFH GETATTR",
                   "SEQUENCE PUTFH SAVEFH PUTFH RENAME",
                   "SEQUENCE PUTFH SAVEFH PUTFH LINK RESTOREFH GETATTR",
                   "SEQUENCE PUTFH REMOVE",
                   "SEQUENCE PUTFH SETATTR GETATTR",
                   "SEQUENCE PUTFH READDIR",
                   "SEQUENCE PUTFH GETATTR"}));
    Unmount();
}

TEST_F(Nfs41Operations, FileOpenTwiceIsClosedOnce)
{
    Mount();
    const auto reader = Open("file");
    const auto writer = Open("file", true);
    m_server->log.clear();
    Close(writer.file);
    EXPECT_EQ(m_server->log, Log({"SEQUENCE PUTFH OPEN_DOWNGRADE"}));
    Close(reader.file);
    EXPECT_EQ(m_server->log.back(), "SEQUENCE PUTFH GETATTR CLOSE");
    EXPECT_TRUE(m_client->GetHeld().GetOpens().empty());
    Unmount();
}

TEST_F(Nfs41Operations, LockIsGivenUpWithTheFile)
{
    Mount();
    const auto opened = Open("file", true);
    m_server->log.clear();
    const auto locked = Await<FileReply>([&](auto done) {
        m_files->GetLocks().Lock(opened.file, LockType4::WRITEW, 0, NFS4_UINT64_MAX, done);
    });
    EXPECT_TRUE(locked.IsOk());
    Write(opened.file, 0, "x");
    const auto& write = Get<WriteArgs4>(m_server->calls.back());
    EXPECT_EQ(write.stateid.other,
              m_client->GetHeld().GetOpens().begin()->second->lockStateid->other);
    Close(opened.file);
    EXPECT_EQ(m_server->log,
              Log({"SEQUENCE PUTFH LOCK",
                   "SEQUENCE PUTFH WRITE GETATTR",
                   "SEQUENCE PUTFH LOCKU",
                   "SEQUENCE FREE_STATEID",
                   "SEQUENCE PUTFH GETATTR CLOSE"}));
    Unmount();
}

TEST_F(Nfs41Operations, CallsWaitForSlots)
{
    m_server->slots = 2;
    Mount();
    uint32_t done = 0;
    for (uint32_t i = 0; i < 10; ++i)
    {
        m_files->Run(FileGetAttributes{m_files->GetRoot()},
                     [&done](const FileAttributesReply& reply) {
                         EXPECT_TRUE(reply.IsOk());
                         ++done;
                     });
    }
    EXPECT_EQ(m_client->GetSession().GetSlots().GetUsed(), 2U);
    RunFor(Seconds(1));
    EXPECT_EQ(done, 10U);
    uint32_t highest = 0;
    for (const auto& call : m_server->calls)
    {
        highest = std::max(highest, Get<SequenceArgs4>(call).slotId);
    }
    EXPECT_EQ(highest, 1U);
    Unmount();
}

TEST_F(Nfs41Operations, ErrorOfTheServerIsTheCallers)
{
    Mount();
    m_server->errors[Nfs4Op::LOOKUP] = {Nfs4Status::NOENT};
    const auto reply = Await<FileObjectReply>([&](auto done) {
        m_files->Run(FileLookup{{m_files->GetRoot(), "x"}}, done);
    });
    EXPECT_EQ(reply.status, static_cast<uint32_t>(Nfs4Status::NOENT));
    EXPECT_EQ(m_client->GetManager().GetRecoveries(), 2U); // those of the mount
    Unmount();
}

TEST_F(Nfs41Operations, LeaseIsRenewedAtTwoThirdsAndNotAfterUnmount)
{
    Mount();
    RunFor(Seconds(400));
    EXPECT_EQ(m_server->log, Log(6, "SEQUENCE"));
    Unmount();
    m_server->log.clear();
    Simulator::Run(); // ends: no timer is left
    EXPECT_TRUE(m_server->log.empty());
}

class Nfs42Operations : public Nfs4ClientTest
{
  protected:
    [[nodiscard]] uint32_t GetMinorVersion() const override
    {
        return 2;
    }
};

TEST_F(Nfs42Operations, OperationsOfMinorVersionTwo)
{
    Mount();
    const auto file = Open("file", true).file;
    m_server->log.clear();
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    m_files->GetRanges().Run(FileAllocate{file, 0, 10}, done);
                }).IsOk());
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    m_files->GetRanges().Run(FileDeallocate{file, 0, 10}, done);
                }).IsOk());
    EXPECT_TRUE(Await<FileSeekReply>([&](auto done) {
                    m_files->GetRanges().Run(FileSeek{file, 0, DataContent4::HOLE}, done);
                }).IsOk());
    EXPECT_TRUE(Await<FileCopyReply>([&](auto done) {
                    m_files->GetRanges().Run(FileCopy{file, 4096, 100, file, 0}, done);
                }).IsOk());
    const auto& object = file->GetObject();
    const ByteVector value{1, 2, 3};
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    m_files->GetXattrs().Set(object, "user.a", value, done);
                }).IsOk());
    EXPECT_TRUE(Await<FileXattrReply>([&](auto done) {
                    m_files->GetXattrs().Get(object, "user.a", done);
                }).IsOk());
    EXPECT_TRUE(Await<FileXattrListReply>([&](auto done) {
                    m_files->GetXattrs().List(object, 0, 4096, done);
                }).IsOk());
    EXPECT_TRUE(Await<FileReply>([&](auto done) {
                    m_files->GetXattrs().Remove(object, "user.a", done);
                }).IsOk());
    EXPECT_EQ(m_server->log,
              Log({"SEQUENCE PUTFH ALLOCATE GETATTR",
                   "SEQUENCE PUTFH DEALLOCATE GETATTR",
                   "SEQUENCE PUTFH SEEK",
                   "SEQUENCE PUTFH SAVEFH PUTFH COPY PUTFH COMMIT",
                   "SEQUENCE PUTFH SETXATTR",
                   "SEQUENCE PUTFH GETXATTR",
                   "SEQUENCE PUTFH LISTXATTRS",
                   "SEQUENCE PUTFH REMOVEXATTR"}));
    EXPECT_EQ(m_server->calls.back().minorVersion, 2U);
    Close(file);
    Unmount();
}

class Nfs40Operations : public Nfs4ClientTest
{
  protected:
    [[nodiscard]] uint32_t GetMinorVersion() const override
    {
        return 0;
    }
};

TEST_F(Nfs40Operations, MountAndUnmount)
{
    const auto reply = Await<FileReply>([&](auto done) { m_files->Mount(done); });
    ASSERT_TRUE(reply.IsOk());
    EXPECT_EQ(Log(m_server->log.begin(), m_server->log.begin() + 4),
              Log({"NULL", "SETCLIENTID", "SETCLIENTID_CONFIRM", "PUTROOTFH GETFH GETATTR"}));
    const auto& setclientid = Get<SetclientidArgs4>(m_server->calls.at(0));
    EXPECT_EQ(setclientid.cbLocation.netid, "tcp");
    EXPECT_EQ(setclientid.cbProgram, NFS4_CALLBACK_PROGRAM);
    m_server->log.clear();
    Unmount();
    EXPECT_TRUE(m_server->log.empty());
}

TEST_F(Nfs40Operations, CallsOfTheOwnerGoOneAtATimeWithItsSeqid)
{
    Mount();
    m_server->confirm = true;
    std::vector<std::shared_ptr<OpenFile>> files;
    for (const char* name : {"a", "b", "c"})
    {
        m_files->Run(FileOpen{{m_files->GetRoot(), name}, {}}, [&](const FileOpenReply& reply) {
            ASSERT_TRUE(reply.IsOk());
            files.push_back(reply.file);
        });
    }
    RunFor(Seconds(1));
    ASSERT_EQ(files.size(), 3U);
    EXPECT_EQ(Get<OpenArgs4>(m_server->calls[0]).seqid, 0U);
    std::set<uint32_t> seqids;
    for (const auto& call : m_server->calls)
    {
        if (GetOp(call.ops[1]) == Nfs4Op::OPEN)
        {
            seqids.insert(Get<OpenArgs4>(call).seqid);
        }
        else
        {
            seqids.insert(Get<OpenConfirmArgs4>(call).seqid);
        }
    }
    EXPECT_EQ(seqids, std::set<uint32_t>({0, 1, 2, 3, 4, 5}));
    m_server->log.clear();
    m_server->calls.clear();
    for (const auto& file : files)
    {
        EXPECT_TRUE(Close(file).IsOk());
    }
    EXPECT_EQ(Get<CloseArgs4>(m_server->calls.back()).seqid, 8U);
    EXPECT_EQ(m_server->log.back(), "PUTFH GETATTR CLOSE");
    Unmount();
}

TEST_F(Nfs40Operations, LeaseIsRenewedWithRenew)
{
    Mount();
    RunFor(Seconds(130));
    EXPECT_EQ(m_server->log, Log({"RENEW", "RENEW"}));
    Unmount();
}

} // namespace ns3::nfsrdma::test
