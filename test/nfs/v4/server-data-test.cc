/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server-operations.h"
#include "rpc/absent-item.h"

#include "ns3/boolean.h"

namespace ns3::nfsrdma::test
{
namespace
{

TEST_F(Nfs4ServerOperations, ItemsOfSeveralReadsStayInTheirPlaces)
{
    Mount();
    const auto answer = InSession({Put(m_file),
                                   MakeRead(0, 100),
                                   MakeRead(20000, 100),
                                   MakeRead(9990, 100),
                                   Put(m_link),
                                   ReadlinkArgs4()});
    ASSERT_EQ(answer.results.status, Nfs4Status::OK);
    ASSERT_EQ(answer.payload.items.size(), 4U);
    const std::vector<uint32_t> lengths{100, 0, 10, 10};
    for (std::size_t i = 0; i < lengths.size(); ++i)
    {
        EXPECT_EQ(answer.payload.items[i].length, lengths[i]) << i;
        EXPECT_TRUE(answer.payload.items[i].ddpEligible);
        if (i > 0)
        {
            EXPECT_GT(answer.payload.items[i].offset, answer.payload.items[i - 1].offset);
        }
    }
    EXPECT_TRUE(Get<ReadRes4>(answer, 2).data.reduced);
    EXPECT_FALSE(Get<ReadRes4>(answer, 3).data.reduced);
    EXPECT_TRUE(Get<ReadRes4>(answer, 3).eof);
    EXPECT_EQ(Get<ReadRes4>(answer, 4).data.length, 10U);
    ByteVector link(10);
    answer.payload.items[3].owner->Read(0, link);
    EXPECT_EQ(std::string(link.begin(), link.end()), "dir/target");
}

TEST_F(Nfs4ServerOperations, FailedReadLeavesItsChunkUnused)
{
    Mount();
    const auto answer = InSession({Put(m_file), MakeRead(0, 8), Put(m_dir), MakeRead(0, 8)});
    EXPECT_EQ(answer.results.status, Nfs4Status::ISDIR);
    ASSERT_EQ(answer.payload.items.size(), 2U);
    EXPECT_EQ(answer.payload.items[1].length, 0U);
    EXPECT_EQ(answer.payload.items[1].offset, answer.payload.octets.size());
}

TEST_F(Nfs4ServerOperations, FailedReadHasNoItemWhereWriteChunksAreToBeEmpty)
{
    m_server->SetAttribute("EmptyWriteChunks", BooleanValue(true));
    Mount();
    const auto answer = InSession({Put(m_file), MakeRead(20000, 8), Put(m_dir), ReadlinkArgs4()});
    EXPECT_EQ(answer.results.status, Nfs4Status::INVAL);
    ASSERT_EQ(answer.payload.items.size(), 2U);
    EXPECT_FALSE(IsAbsentItem(answer.payload.items[0])) << "no octets are data too";
    EXPECT_TRUE(IsAbsentItem(answer.payload.items[1]));
    EXPECT_TRUE(answer.payload.items[1].ddpEligible);
    EXPECT_EQ(answer.payload.items[1].length, 0U);
    EXPECT_EQ(answer.payload.items[1].offset, answer.payload.octets.size());
}

TEST_F(Nfs4ServerOperations, ReducedItemsOfCalls)
{
    Mount();
    const auto opened = OpenIt("file", SHARE_WRITE);
    const ByteVector octets(5000, 7);
    auto buffer = std::make_shared<HostBuffer>(m_memory, 5000);
    buffer->Write(0, octets);

    Compound4Args args;
    args.minorVersion = 1;
    SequenceArgs4 sequence;
    sequence.sessionId = m_session;
    sequence.sequenceId = ++m_sequence;
    WriteArgs4 write;
    write.stateid = GetOpenState(opened);
    write.offset = 100;
    write.data = Nfs3Data::Reduced(5000);
    args.ops = {sequence, Put(m_file), write};
    XdrWriter writer;
    std::vector<uint32_t> reducedAt;
    args.Encode(writer, &reducedAt);
    RpcReceivedMessage message;
    message.octets = writer.Take();
    message.items.push_back({reducedAt.at(0), buffer->GetAddress(), 5000, buffer});
    RpcReceivedMessage misplaced = message;
    const auto written = Dispatch(std::move(message));
    EXPECT_EQ(written.results.status, Nfs4Status::OK);
    ByteVector content(5000);
    m_store->GetData().ReadContent(m_file, 100, content);
    EXPECT_EQ(content, octets);

    misplaced.items.front().position += 4;
    EXPECT_EQ(Dispatch(std::move(misplaced)).accepted, RpcAcceptStatus::GARBAGE_ARGS);
    EXPECT_EQ(m_server->GetGarbageCalls(), 1U);
}

// ---- NFSv4.2 ----

class Nfs42Server : public Nfs4ServerOperations
{
  protected:
    void SetUp() override
    {
        Nfs4ServerOperations::SetUp();
        m_minorVersion = 2;
        Mount();
        m_open = GetOpenState(OpenIt("file", SHARE_BOTH | OPEN4_SHARE_ACCESS_WANT_NO_DELEG));
    }

    Answer Seek(uint64_t offset, DataContent4 what)
    {
        SeekArgs4 seek;
        seek.stateid = m_open;
        seek.offset = offset;
        seek.what = what;
        return InSession({Put(m_file), seek});
    }

    Nfs4StateId m_open;
};

TEST_F(Nfs42Server, AllocateDeallocateSeek)
{
    AllocateArgs4 allocate;
    allocate.stateid = m_open;
    allocate.offset = 100000;
    allocate.length = 31072;
    EXPECT_EQ(InSession({Put(m_file), allocate}).results.status, Nfs4Status::OK);
    EXPECT_EQ(m_store->Get(m_file).attributes.size, 131072U);
    EXPECT_EQ(Seek(0, DataContent4::DATA).results.status, Nfs4Status::NXIO);
    WriteArgs4 write = MakeWrite(m_open, ByteVector(8192, 1));
    write.offset = 65536;
    EXPECT_EQ(InSession({Put(m_file), write}).results.status, Nfs4Status::OK);
    EXPECT_EQ(Get<SeekRes4>(Seek(0, DataContent4::DATA), 2).offset, 65536U);
    EXPECT_EQ(Get<SeekRes4>(Seek(65536, DataContent4::HOLE), 2).offset, 73728U);
    DeallocateArgs4 deallocate;
    deallocate.stateid = m_open;
    deallocate.offset = 65536;
    deallocate.length = 4096;
    EXPECT_EQ(InSession({Put(m_file), deallocate}).results.status, Nfs4Status::OK);
    EXPECT_EQ(Get<SeekRes4>(Seek(0, DataContent4::DATA), 2).offset, 69632U);
    EXPECT_EQ(Seek(131072, DataContent4::HOLE).results.status, Nfs4Status::NXIO);
}

TEST_F(Nfs42Server, ReadPlusIsOneSegmentOfData)
{
    ReadPlusArgs4 read;
    read.stateid = m_open;
    read.offset = 9000;
    read.count = 4096;
    const auto answer = InSession({Put(m_file), read});
    const auto& results = Get<ReadPlusRes4>(answer, 2);
    ASSERT_EQ(results.contents.size(), 1U);
    EXPECT_EQ(results.contents[0].data.size(), 1000U);
    EXPECT_TRUE(results.eof);
    EXPECT_TRUE(answer.payload.items.empty()) << "not DDP-eligible";
}

TEST_F(Nfs42Server, CopyAndClone)
{
    const ByteVector octets(3000, 5);
    ASSERT_EQ(InSession({Put(m_file), MakeWrite(m_open, octets)}).results.status, Nfs4Status::OK);
    OpenArgs4 open = MakeOpen("copy", SHARE_BOTH | OPEN4_SHARE_ACCESS_WANT_NO_DELEG);
    open.create.emplace();
    const auto made = InSession({Put(m_root), open});
    const auto copy = m_store->FindPath(m_root, "copy");
    ASSERT_TRUE(copy);
    CopyArgs4 args;
    args.synchronous = true;
    args.srcStateid = m_open;
    args.dstStateid = Get<OpenRes4>(made, 2).stateid;
    const auto copied = InSession({Put(m_file), SavefhArgs4(), Put(*copy), args});
    ASSERT_EQ(copied.results.status, Nfs4Status::OK);
    EXPECT_EQ(Get<CopyRes4>(copied, 4).response.count, 10000U);
    EXPECT_TRUE(Get<CopyRes4>(copied, 4).synchronous);
    ByteVector content(3000);
    m_store->GetData().ReadContent(*copy, 0, content);
    EXPECT_EQ(content, octets);
    CloneArgs4 clone;
    clone.srcStateid = args.srcStateid;
    clone.dstStateid = args.dstStateid;
    EXPECT_EQ(InSession({Put(m_file), SavefhArgs4(), Put(*copy), clone}).results.status,
              Nfs4Status::NOTSUPP);
    m_server->SetAttribute("Reflinks", BooleanValue(true));
    EXPECT_EQ(InSession({Put(m_file), SavefhArgs4(), Put(*copy), clone}).results.status,
              Nfs4Status::OK);
    OffloadStatusArgs4 status;
    EXPECT_EQ(InSession({Put(m_file), status}).results.status, Nfs4Status::BAD_STATEID);
}

TEST_F(Nfs42Server, Xattrs)
{
    SetxattrArgs4 set;
    set.name = "colour";
    set.value = {'r', 'e', 'd'};
    set.option = SetXattrOption4::REPLACE;
    EXPECT_EQ(InSession({Put(m_file), set}).results.status, Nfs4Status::NOXATTR);
    set.option = SetXattrOption4::CREATE;
    EXPECT_EQ(InSession({Put(m_file), set}).results.status, Nfs4Status::OK);
    EXPECT_EQ(InSession({Put(m_file), set}).results.status, Nfs4Status::EXIST);
    GetxattrArgs4 get;
    get.name = "colour";
    EXPECT_EQ(Get<GetxattrRes4>(InSession({Put(m_file), get}), 2).value, set.value);
    ListxattrsArgs4 list;
    list.maxcount = 4096;
    const auto listed = InSession({Put(m_file), list});
    EXPECT_EQ(Get<ListxattrsRes4>(listed, 2).names, std::vector<std::string>{"colour"});
    EXPECT_TRUE(Get<ListxattrsRes4>(listed, 2).eof);
    list.maxcount = 20;
    EXPECT_EQ(InSession({Put(m_file), list}).results.status, Nfs4Status::TOOSMALL);
    RemovexattrArgs4 remove;
    remove.name = "colour";
    EXPECT_EQ(InSession({Put(m_file), remove}).results.status, Nfs4Status::OK);
    EXPECT_EQ(InSession({Put(m_file), get}).results.status, Nfs4Status::NOXATTR);
}

TEST_F(Nfs42Server, WhatNfsdDoesNotDo)
{
    EXPECT_EQ(InSession({Put(m_file), IoAdviseArgs4()}).results.status, Nfs4Status::NOTSUPP);
    EXPECT_EQ(InSession({Put(m_file), LayoutstatsArgs4()}).results.status, Nfs4Status::NOTSUPP);
    EXPECT_EQ(InSession({Put(m_file), WriteSameArgs4()}).results.status, Nfs4Status::NOTSUPP);
}

} // namespace
} // namespace ns3::nfsrdma::test
