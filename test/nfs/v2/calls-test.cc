/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/calls2.h"
#include "nfs/v2/loop.h"

namespace ns3::nfsrdma::test
{
namespace
{

/// NFSv2 through calls of version 3.
class Nfs2CallsTest : public Nfs2Loop
{
  protected:
    void SetUp() override
    {
        Nfs2Loop::SetUp();
        m_calls->SetClient(m_client, m_clientMemory);
        m_rootHandle = NfsFh3(Handle(m_root).octets);
    }

    template <typename Result>
    Nfs3Completion<Result> To(Result& result)
    {
        return [this, &result](RpcRecord& record, const Result& given) {
            m_record = record;
            result = given;
            ++m_ended;
        };
    }

    /// \return the results of a call.
    template <typename Args>
    typename Args::Result Make(const Args& args)
    {
        typename Args::Result result;
        m_calls->Call(args, Nfs3Completion<typename Args::Result>(To(result)));
        Simulator::Run();
        return result;
    }

    NfsFh3 MakeFile(const std::string& name)
    {
        Create3Args args;
        args.where = {m_rootHandle, name};
        args.attributes.mode = 0640;
        const auto made = Make(args);
        EXPECT_EQ(made.status, Nfs3Status::OK);
        return made.object.value_or(NfsFh3());
    }

    Read3Res DoRead3(const NfsFh3& file, uint64_t offset, uint32_t count)
    {
        Read3Res read;
        m_calls->Call(Read3Args{file, offset, count}, m_buffer->GetAddress(), To(read));
        Simulator::Run();
        return read;
    }

    Ptr<Nfs2Calls> m_calls{CreateObject<Nfs2Calls>()};
    NfsFh3 m_rootHandle;
    uint32_t m_ended{0};
};

TEST_F(Nfs2CallsTest, DataKnowTheirCountAndTheEnd)
{
    const auto file = MakeFile("file");
    m_buffer->Write(0, ByteVector(3000, 7));
    Write3Res written;
    m_calls->Call(Write3Args{file, 100, 3000, StableHow::FILE_SYNC, {}},
                  m_buffer->GetAddress(),
                  To(written));
    Simulator::Run();
    EXPECT_EQ(written.status, Nfs3Status::OK);
    EXPECT_EQ(written.count, 3000U);
    ASSERT_TRUE(written.wcc.after);
    EXPECT_EQ(written.wcc.after->size, 3100U);
    const auto part = DoRead3(file, 0, 3099);
    EXPECT_EQ(part.count, 3099U);
    EXPECT_FALSE(part.eof);
    const auto rest = DoRead3(file, 3000, 500);
    EXPECT_EQ(rest.count, 100U);
    EXPECT_TRUE(rest.eof);
    EXPECT_EQ(m_ended, 4U);
}

TEST_F(Nfs2CallsTest, NamesHaveHandlesOfFullLength)
{
    const auto file = MakeFile("file");
    EXPECT_EQ(file.length, NFS2_FHSIZE);
    const auto found = Make(Lookup3Args{{m_rootHandle, "file"}});
    EXPECT_EQ(found.object, file);
    ASSERT_TRUE(found.objectAttributes);
    EXPECT_EQ(found.objectAttributes->mode, 0640U);
    EXPECT_EQ(Make(Link3Args{file, {m_rootHandle, "hard"}}).status, Nfs3Status::OK);
    EXPECT_EQ(Make(Rename3Args{{m_rootHandle, "hard"}, {m_rootHandle, "moved"}}).status,
              Nfs3Status::OK);
    const auto listed = Make(Readdir3Args{m_rootHandle, 0, {}, 4096});
    EXPECT_EQ(listed.entries.size(), 4U);
    EXPECT_TRUE(listed.eof);
    EXPECT_EQ(Make(Remove3Args{{m_rootHandle, "moved"}}).status, Nfs3Status::OK);
    EXPECT_EQ(Make(Lookup3Args{{m_rootHandle, "moved"}}).status, Nfs3Status::NOENT);
}

TEST_F(Nfs2CallsTest, SymlinkGivesNoHandle)
{
    const ByteVector path{'a', '/', 'b', 'c', 'd'};
    const auto made = Make(Symlink3Args{{m_rootHandle, "link"}, {}, Nfs3Data(path)});
    EXPECT_EQ(made.status, Nfs3Status::OK);
    EXPECT_FALSE(made.object);
    const auto found = Make(Lookup3Args{{m_rootHandle, "link"}});
    std::string read;
    m_calls->Call(Readlink3Args{found.object}, [&read](RpcRecord&, const Readlink3Res& result) {
        read.assign(result.path.octets.begin(), result.path.octets.end());
    });
    Simulator::Run();
    EXPECT_EQ(read, "a/bcd");
}

TEST_F(Nfs2CallsTest, SpecialFilesAreCreated)
{
    Mknod3Args args;
    args.where = {m_rootHandle, "disk"};
    args.type = Ftype3::BLK;
    args.spec = {8, 17};
    const auto made = Make(args);
    ASSERT_TRUE(made.attributes);
    EXPECT_EQ(made.attributes->type, Ftype3::BLK);
    EXPECT_EQ(made.attributes->rdev, (SpecData3{8, 17}));
    EXPECT_EQ(m_server->GetCalls(Nfs2Procedure::CREATE), 1U);
}

TEST_F(Nfs2CallsTest, WhatVersion2HasNotIsRefusedWithoutAnRpc)
{
    const auto replies = m_transport->replies;
    EXPECT_EQ(Make(Access3Args{m_rootHandle, 1}).status, Nfs3Status::NOTSUPP);
    EXPECT_EQ(Make(Commit3Args{m_rootHandle, 0, 0}).status, Nfs3Status::NOTSUPP);
    EXPECT_EQ(Make(Fsinfo3Args{m_rootHandle}).status, Nfs3Status::NOTSUPP);
    EXPECT_EQ(m_transport->replies, replies);
    EXPECT_GT(Make(Fsstat3Args{m_rootHandle}).tbytes, 0U);
    EXPECT_EQ(m_server->GetCalls(Nfs2Procedure::STATFS), 1U);
}

} // namespace

} // namespace ns3::nfsrdma::test
