/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/nfs3-loop.h"
#include "nfs/v3/acl-server3.h"
#include "nfs/v3/file-client3.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma::test
{

namespace
{

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

/// A FileClient of NFSv3 before a server; what procedures it calls is recorded.
class Nfs3FileClientTest : public Nfs3Loop
{
  protected:
    void SetUp() override
    {
        Nfs3Loop::SetUp();
        const auto aclServer = CreateObject<NfsAcl3Server>();
        aclServer->SetFileStore(m_store);
        aclServer->SetStorage(m_server->GetStorage());
        m_rpcServer->Register(aclServer);
        const auto aclRpc = CreateObject<RpcClient>();
        aclRpc->SetTransport(m_transport);
        aclRpc->SetCredential(AuthSysCredential());
        const auto acl = CreateObject<NfsAcl3Client>();
        acl->SetRpcClient(aclRpc);
        acl->SetHostMemory(m_clientMemory);
        m_files = CreateObject<Nfs3FileClient>();
        m_files->SetClients(m_client, acl);
        const ByteSpan octets = m_rootHandle.AsSpan();
        m_rootRef.octets.assign(octets.begin(), octets.end());
        for (const auto& rpc : {m_rpcClient, aclRpc})
        {
            rpc->TraceConnectWithoutContext(
                "RpcCompleted",
                Callback<void, const RpcRecord&>([this](const RpcRecord& record) {
                    m_calls.emplace_back(
                        record.program == NFS_PROGRAM
                            ? ToString(static_cast<Nfs3Procedure>(record.procedure))
                            : ToString(static_cast<NfsAcl3Procedure>(record.procedure)));
                }));
        }
    }

    void TearDown() override
    {
        EXPECT_EQ(m_files->GetPending(), 0U);
        EXPECT_EQ(m_clientMemory->GetAllocationCount(), 0U);
        Nfs3Loop::TearDown();
    }

    /// Starts an operation with \p start and runs the simulation; \return its reply.
    template <typename Reply, typename Start>
    Reply Run(Start&& start)
    {
        m_calls.clear();
        std::optional<Reply> reply;
        bool within = true;
        start(FileClient::Done<Reply>([&](const Reply& got) {
            EXPECT_FALSE(reply) << "completed twice";
            EXPECT_FALSE(within) << "completed from within";
            reply = got;
        }));
        within = false;
        EXPECT_EQ(m_files->GetPending(), 1U);
        Simulator::Run();
        EXPECT_TRUE(reply) << "not completed";
        return reply.value_or(Reply());
    }

    FileOpenReply Open(const std::string& name, const FileOpenHow& how)
    {
        return Run<FileOpenReply>([&](const auto& done) {
            m_files->Run(FileOpen{{m_rootRef, name}, how}, done);
        });
    }

    static FileOpenHow MakeCreate(CreateMode3 mode)
    {
        FileOpenHow how;
        how.write = true;
        how.create = true;
        how.mode = mode;
        how.attributes.mode = 0640;
        how.verifier = 0x0123456789abcdef;
        return how;
    }

    FileWriteReply Write(const std::shared_ptr<OpenFile>& file,
                         const ByteVector& data,
                         StableHow stable)
    {
        HostBuffer buffer(m_clientMemory, data.size());
        buffer.Write(0, data);
        return Run<FileWriteReply>([&](const auto& done) {
            m_files->Run(
                FileWrite{file, 0, static_cast<uint32_t>(data.size()), stable, buffer.GetAddress()},
                done);
        });
    }

    Ptr<Nfs3FileClient> m_files;
    FileRef m_rootRef;
    std::vector<std::string> m_calls;
};

TEST_F(Nfs3FileClientTest, MountCloseAndUnmountTakeNoCall)
{
    EXPECT_TRUE(Run<FileReply>([&](const auto& done) { m_files->Mount(done); }).IsOk());
    EXPECT_TRUE(
        Run<FileReply>([&](const auto& done) { m_files->Run(FileClose{nullptr}, done); }).IsOk());
    EXPECT_TRUE(Run<FileReply>([&](const auto& done) { m_files->Unmount(done); }).IsOk());
    EXPECT_THAT(m_calls, ElementsAre());
}

TEST_F(Nfs3FileClientTest, OpenIsALookupOrACreate)
{
    const auto made = Open("f", MakeCreate(CreateMode3::UNCHECKED));
    ASSERT_TRUE(made.IsOk());
    EXPECT_THAT(m_calls, ElementsAre("CREATE"));
    const auto found = Open("f", {});
    ASSERT_TRUE(found.IsOk());
    EXPECT_THAT(m_calls, ElementsAre("LOOKUP"));
    EXPECT_EQ(found.object, made.object);
    EXPECT_EQ(found.file->GetObject(), made.object);
    ASSERT_TRUE(found.attributes);
    EXPECT_EQ(found.attributes->mode, 0640U);
    const auto missing = Open("g", {});
    EXPECT_EQ(missing.status, static_cast<uint32_t>(Nfs3Status::NOENT));
    EXPECT_EQ(missing.file, nullptr);
    EXPECT_EQ(Open("f", MakeCreate(CreateMode3::GUARDED)).status,
              static_cast<uint32_t>(Nfs3Status::EXIST));
}

TEST_F(Nfs3FileClientTest, AnExclusiveCreateSetsAttributesAfterwards)
{
    const auto made = Open("f", MakeCreate(CreateMode3::EXCLUSIVE));
    ASSERT_TRUE(made.IsOk());
    EXPECT_THAT(m_calls, ElementsAre("CREATE", "SETATTR"));
    const auto reply = Run<FileAttributesReply>(
        [&](const auto& done) { m_files->Run(FileGetAttributes{made.object}, done); });
    EXPECT_EQ(reply.attributes.mode, 0640U);
}

TEST_F(Nfs3FileClientTest, WritesCommitsAndReadsBack)
{
    const auto made = Open("f", MakeCreate(CreateMode3::UNCHECKED));
    const ByteVector data{1, 2, 3, 4, 5};
    const auto written = Write(made.file, data, StableHow::UNSTABLE);
    ASSERT_TRUE(written.IsOk());
    EXPECT_EQ(written.count, 5U);
    const auto committed = Run<FileCommitReply>([&](const auto& done) {
        m_files->Run(FileCommit{made.file, 0, 0}, done);
    });
    EXPECT_TRUE(committed.IsOk());
    EXPECT_EQ(committed.verifier, written.verifier);
    HostBuffer buffer(m_clientMemory, 8);
    const auto read = Run<FileReadReply>([&](const auto& done) {
        m_files->Run(FileRead{made.file, 1, 8, buffer.GetAddress()}, done);
    });
    ASSERT_TRUE(read.IsOk());
    EXPECT_EQ(read.count, 4U);
    EXPECT_TRUE(read.eof);
    ByteVector got(4);
    buffer.Read(0, got);
    EXPECT_THAT(got, ElementsAre(2, 3, 4, 5));
}

TEST_F(Nfs3FileClientTest, ChangesAttributesAndAsksForAccess)
{
    const auto made = Open("f", MakeCreate(CreateMode3::UNCHECKED));
    Sattr3 changes;
    changes.size = 100;
    EXPECT_TRUE(Run<FileReply>([&](const auto& done) {
                    m_files->Run(FileSetAttributes{made.object, made.file, changes}, done);
                }).IsOk());
    const auto attributes = Run<FileAttributesReply>(
        [&](const auto& done) { m_files->Run(FileGetAttributes{made.object}, done); });
    EXPECT_EQ(attributes.attributes.size, 100U);
    const auto access = Run<FileAccessReply>([&](const auto& done) {
        m_files->Run(FileAccess{made.object, ACCESS3_READ | ACCESS3_MODIFY}, done);
    });
    EXPECT_EQ(access.access, ACCESS3_READ | ACCESS3_MODIFY);
}

TEST_F(Nfs3FileClientTest, MakesNamesMovesAndRemovesThem)
{
    const auto dir = Run<FileObjectReply>([&](const auto& done) {
        m_files->Run(FileMakeDirectory{{m_rootRef, "d"}, {}}, done);
    });
    ASSERT_TRUE(dir.IsOk());
    const ByteVector target{'x', '/', 'y'};
    const auto link = Run<FileObjectReply>([&](const auto& done) {
        m_files->Run(FileMakeSymlink{{dir.object, "l"}, target, {}}, done);
    });
    ASSERT_TRUE(link.IsOk());
    const auto path = Run<FileLinkReply>(
        [&](const auto& done) { m_files->Run(FileReadLink{link.object}, done); });
    EXPECT_EQ(path.target, target);
    const auto node = Run<FileObjectReply>([&](const auto& done) {
        m_files->Run(FileMakeNode{{dir.object, "p"}, Ftype3::FIFO, {}, {}}, done);
    });
    EXPECT_TRUE(node.IsOk());
    const auto file = Open("f", MakeCreate(CreateMode3::UNCHECKED));
    EXPECT_TRUE(Run<FileReply>([&](const auto& done) {
                    m_files->Run(FileMakeLink{{dir.object, "f2"}, file.object}, done);
                }).IsOk());
    EXPECT_TRUE(Run<FileReply>([&](const auto& done) {
                    m_files->Run(FileRename{{m_rootRef, "f"}, {dir.object, "f3"}}, done);
                }).IsOk());
    for (const char* name : {"l", "p", "f2"})
    {
        EXPECT_TRUE(Run<FileReply>([&](const auto& done) {
                        m_files->Run(FileRemove{{dir.object, name}}, done);
                    }).IsOk())
            << name;
    }
    EXPECT_EQ(Run<FileReply>([&](const auto& done) {
                  m_files->Run(FileRemoveDirectory{{m_rootRef, "d"}}, done);
              }).status,
              static_cast<uint32_t>(Nfs3Status::NOTEMPTY));
    const auto found = Run<FileObjectReply>([&](const auto& done) {
        m_files->Run(FileLookup{{dir.object, "f3"}}, done);
    });
    EXPECT_EQ(found.object, file.object);
}

TEST_F(Nfs3FileClientTest, ListsADirectoryPageAfterPage)
{
    for (int i = 0; i < 40; ++i)
    {
        m_store->AddFile(m_root, "file-" + std::to_string(i), 0, {0644, 0, 0});
    }
    for (const bool plus : {false, true})
    {
        uint64_t cookie = 0;
        uint64_t verifier = 0;
        std::set<std::string> names;
        uint32_t pages = 0;
        for (bool eof = false; !eof && pages < 100; ++pages)
        {
            const auto page = Run<FileListReply>([&](const auto& done) {
                m_files->Run(FileList{m_rootRef, cookie, verifier, 1024, plus}, done);
            });
            ASSERT_TRUE(page.IsOk());
            for (const auto& entry : page.entries)
            {
                EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
                EXPECT_EQ(entry.object.has_value(), plus && entry.name != "..") << entry.name;
                cookie = entry.cookie;
            }
            verifier = page.verifier;
            eof = page.eof;
        }
        EXPECT_EQ(names.size(), 42U);
        EXPECT_GT(pages, 1U);
    }
}

TEST_F(Nfs3FileClientTest, SetsAndGetsAccessLists)
{
    const auto made = Open("f", MakeCreate(CreateMode3::UNCHECKED));
    const auto acl = ParsePosixAcl("user::rw-,user:7:r--,group::r--,mask::r--,other::---").value();
    EXPECT_TRUE(Run<FileReply>([&](const auto& done) {
                    m_files->Run(FileSetAcls{made.object, {acl, {}}}, done);
                }).IsOk());
    EXPECT_THAT(m_calls, ElementsAre("NFSACL3 SETACL"));
    const auto got =
        Run<FileAclReply>([&](const auto& done) { m_files->Run(FileGetAcls{made.object}, done); });
    EXPECT_EQ(got.access, acl);
    EXPECT_TRUE(got.defaultAcl.empty());
    m_files->SetClients(m_client, nullptr);
    EXPECT_EQ(Run<FileAclReply>([&](const auto& done) {
                  m_files->Run(FileGetAcls{made.object}, done);
              }).status,
              static_cast<uint32_t>(Nfs3Status::NOTSUPP));
}

TEST_F(Nfs3FileClientTest, TellsOfTheFileSystem)
{
    const auto reply = Run<FileSystemReply>(
        [&](const auto& done) { m_files->Run(FileGetFileSystem{m_rootRef}, done); });
    ASSERT_TRUE(reply.IsOk());
    EXPECT_GT(reply.totalBytes, 0U);
    EXPECT_GE(reply.totalBytes, reply.freeBytes);
}

} // namespace

} // namespace ns3::nfsrdma::test
