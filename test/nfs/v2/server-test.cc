/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/loop.h"

#include <set>

namespace ns3::nfsrdma::test
{
namespace
{

/// Parameter: whether items travel by chunks.
class Nfs2Service : public Nfs2Loop, public ::testing::WithParamInterface<bool>
{
  protected:
    void SetUp() override
    {
        Nfs2Loop::SetUp();
        m_transport->reduceCalls = GetParam();
        m_transport->reduceReplies = GetParam();
        m_client->SetReduceReadlink(GetParam());
    }
};

TEST_P(Nfs2Service, FilesAreMadeWrittenReadAndRemoved)
{
    const Nfs2Fh root = Handle(m_root);
    Create2Args create;
    create.where = {root, "file"};
    create.attributes.mode = 0640;
    const auto made = Do<Nfs2Create>(create);
    ASSERT_EQ(made.status, Nfs2Status::OK);
    EXPECT_EQ(made.attributes.mode, MODE2_REG | 0640);
    EXPECT_EQ(made.attributes.size, 0U);
    const ByteVector octets{1, 2, 3, 4, 5};
    EXPECT_EQ(DoWrite(made.object, 7, octets), Nfs2Status::OK);
    EXPECT_EQ(DoRead(made.object, 7, 100), octets);
    EXPECT_EQ(DoRead(made.object, 11, 100), ByteVector{5});
    EXPECT_EQ(DoRead(made.object, 12, 100), ByteVector());
    EXPECT_EQ(m_status, Nfs2Status::OK);
    const auto found = Do<Nfs2Lookup>({root, "file"});
    EXPECT_EQ(found.object, made.object);
    EXPECT_EQ(found.attributes.size, 12U);
    Setattr2Args set;
    set.object = made.object;
    set.attributes.size = 8;
    set.attributes.mtime = {100, Sattr2::SERVER_TIME};
    EXPECT_EQ(Do<Nfs2Setattr>(set).attributes.size, 8U);
    EXPECT_EQ(Do<Nfs2Getattr>({made.object}).attributes.size, 8U);
    EXPECT_EQ(Do<Nfs2Link>({made.object, {root, "other"}}).status, Nfs2Status::OK);
    EXPECT_EQ(Do<Nfs2Rename>({{root, "other"}, {root, "third"}}).status, Nfs2Status::OK);
    EXPECT_EQ(Do<Nfs2Getattr>({made.object}).attributes.nlink, 2U);
    EXPECT_EQ(Do<Nfs2Remove>({root, "file"}).status, Nfs2Status::OK);
    EXPECT_EQ(Do<Nfs2Remove>({root, "third"}).status, Nfs2Status::OK);
    EXPECT_EQ(Do<Nfs2Getattr>({made.object}).status, Nfs2Status::STALE);
    EXPECT_EQ(m_record.programStatus, 70U);
}

TEST_P(Nfs2Service, ReadGivesEightKibibytesAtMost)
{
    const InodeNumber file = m_store->AddFile(m_root, "large", 20000);
    EXPECT_EQ(DoRead(Handle(file), 0, 20000).size(), NFS2_MAXDATA);
    EXPECT_EQ(DoRead(Handle(file), 3 * NFS2_MAXDATA, 20000).size(), 0U);
    EXPECT_EQ(DoRead(Handle(m_root), 0, 1).size(), 0U);
    EXPECT_EQ(m_status, Nfs2Status::ISDIR);
}

TEST_P(Nfs2Service, SymlinksHaveTheirAttributesBehindThePath)
{
    const Nfs2Fh root = Handle(m_root);
    const std::string target = "../somewhere/else";
    EXPECT_EQ(DoSymlink({root, "link"}, target), Nfs2Status::OK);
    const auto found = Do<Nfs2Lookup>({root, "link"});
    EXPECT_EQ(found.attributes.type, Ftype2::LNK);
    EXPECT_EQ(DoReadlink(found.object), target);
    EXPECT_EQ(DoReadlink(root), "");
    EXPECT_EQ(m_status, Nfs2Status::INVAL);
}

TEST_P(Nfs2Service, DirectoriesAreListedInPieces)
{
    const Nfs2Fh root = Handle(m_root);
    Create2Args make;
    make.where = {root, "dir"};
    const auto dir = Do<Nfs2Mkdir>(make);
    ASSERT_EQ(dir.status, Nfs2Status::OK);
    EXPECT_EQ(Do<Nfs2Mkdir>(make).status, Nfs2Status::EXIST);
    std::set<std::string> expected{".", ".."};
    for (int i = 0; i < 100; ++i)
    {
        const std::string name = "entry-" + std::string(i % 20, 'x') + std::to_string(i);
        make.where = {dir.object, name};
        ASSERT_EQ(Do<Nfs2Create>(make).status, Nfs2Status::OK);
        expected.insert(name);
    }
    std::set<std::string> listed;
    uint32_t cookie = 0;
    uint32_t calls = 0;
    for (bool eof = false; !eof && calls < 100; ++calls)
    {
        const auto results = DoReaddir(dir.object, cookie, 512);
        ASSERT_EQ(results.status, Nfs2Status::OK);
        ASSERT_FALSE(results.entries.empty());
        for (const Entry2& entry : results.entries)
        {
            EXPECT_TRUE(listed.insert(entry.name).second);
            cookie = entry.cookie;
        }
        eof = results.eof;
    }
    EXPECT_EQ(listed, expected);
    EXPECT_GT(calls, 5U);
    EXPECT_EQ(Do<Nfs2Rmdir>({root, "dir"}).status, Nfs2Status::NOTEMPTY);
}

TEST_P(Nfs2Service, CreateMakesWhatTheModeSays)
{
    const Nfs2Fh root = Handle(m_root);
    Create2Args create;
    create.where = {root, "fifo"};
    create.attributes.mode = MODE2_FIFO | 0600;
    EXPECT_EQ(Do<Nfs2Create>(create).attributes.type, Ftype2::CHR);
    create.where.name = "device";
    create.attributes.mode = MODE2_BLK | 0600;
    create.attributes.size = EncodeDevice2({8, 300});
    const auto device = Do<Nfs2Create>(create);
    EXPECT_EQ(device.attributes.type, Ftype2::BLK);
    EXPECT_EQ(device.attributes.rdev, create.attributes.size);
    EXPECT_EQ(device.attributes.ToFattr3().rdev.specdata2, 300U);
    create.where.name = "none";
    create.attributes.mode = MODE2_DIR;
    EXPECT_EQ(Do<Nfs2Create>(create).status, Nfs2Status::INVAL);
}

TEST_P(Nfs2Service, OtherProceduresAreServed)
{
    Do<Nfs2Null>({});
    EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    Do<Nfs2Root>({});
    Do<Nfs2Writecache>({});
    EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    const auto statistics = Do<Nfs2Statfs>({Handle(m_root)});
    EXPECT_EQ(statistics.tsize, NFS2_MAXDATA);
    EXPECT_GT(statistics.blocks, statistics.bfree - 1);
    using Unknown = RpcProcedure<18U, XdrVoid, XdrVoid>;
    XdrVoid none;
    RpcReplyEstimate estimate;
    estimate.head = RpcReplyHeader::ACCEPTED_SIZE;
    CallStub<Unknown>(*m_rpc, none, Into(none), std::move(estimate));
    Simulator::Run();
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
    EXPECT_EQ(m_server->GetCalls(Nfs2Procedure::ROOT), 1U);
}

TEST_P(Nfs2Service, HandlesThatNobodyGaveAreStale)
{
    Nfs2Fh handle = Handle(m_root);
    handle.octets.back() = 1;
    EXPECT_EQ(Do<Nfs2Getattr>({handle}).status, Nfs2Status::STALE);
    EXPECT_EQ(Do<Nfs2Getattr>({Nfs2Fh()}).status, Nfs2Status::STALE);
}

INSTANTIATE_TEST_SUITE_P(Items, Nfs2Service, ::testing::Bool(), [](const auto& parameter) {
    return parameter.param ? "ByChunks" : "Inline";
});

class Nfs2Garbage : public Nfs2Loop
{
};

TEST_F(Nfs2Garbage, ItemInTheWrongPlaceIsGarbage)
{
    m_transport->reduceCalls = true;
    m_transport->shiftPosition = 4;
    const InodeNumber file = m_store->AddFile(m_root, "f", 0);
    DoWrite(Handle(file), 0, {1, 2, 3});
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
    DoSymlink({Handle(m_root), "l"}, "target");
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
    EXPECT_EQ(m_server->GetGarbageCalls(), 2U);
}

TEST_F(Nfs2Garbage, TooMuchDataIsGarbage)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 0);
    DoWrite(Handle(file), 0, ByteVector(NFS2_MAXDATA + 1));
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
}

TEST(Nfs2ServerDeathTest, LongHandlesAreRefused)
{
    const auto store = CreateObject<FileStore>();
    store->SetAttribute("HandleOctets", UintegerValue(40));
    EXPECT_DEATH(CreateObject<Nfs2Server>()->SetFileStore(store), "handles of 32 octets");
}

TEST(Nfs2Types, NumbersOfVersionThreeAreMapped)
{
    EXPECT_EQ(ToNfs2Status(Nfs3Status::NOENT), Nfs2Status::NOENT);
    EXPECT_EQ(ToNfs2Status(Nfs3Status::BADHANDLE), Nfs2Status::STALE);
    EXPECT_EQ(ToNfs2Status(Nfs3Status::TOOSMALL), Nfs2Status::IO);
    EXPECT_EQ(ToNfs2Status(Nfs3Status::REMOTE), Nfs2Status::IO);
    const SpecData3 device{0xabc, 0x12345};
    EXPECT_EQ(DecodeDevice2(EncodeDevice2(device)), device);
    EXPECT_STREQ(ToString(Nfs2Procedure::WRITECACHE), "WRITECACHE");
    EXPECT_STREQ(ToString(static_cast<Nfs2Procedure>(18)), "UNKNOWN");
}

TEST(Nfs2Types, ChangesOfVersionThreeSurvive)
{
    Sattr3 changes;
    EXPECT_EQ(Sattr2::Make(changes).ToSattr3(), changes);
    changes.mode = 0644;
    changes.uid = 5;
    changes.gid = 6;
    changes.size = 7;
    changes.atime.how = TimeHow::SET_TO_CLIENT_TIME;
    changes.atime.time.seconds = 8;
    changes.mtime.how = TimeHow::SET_TO_CLIENT_TIME;
    changes.mtime.time.nseconds = 9000;
    EXPECT_EQ(Sattr2::Make(changes).ToSattr3(), changes);
}

} // namespace
} // namespace ns3::nfsrdma::test
