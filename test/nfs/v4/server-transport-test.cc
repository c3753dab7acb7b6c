/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/service.h"
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

/// An Nfs4Server behind RPC-over-RDMA, called with COMPOUNDs of NFSv4.0.
class Nfs4ServerTransport : public RpcRdmaTest
{
  protected:
    static constexpr uint32_t FILE_SIZE = 20000;

    void SetUp() override
    {
        RpcRdmaTest::SetUp();
        m_store = CreateObject<FileStore>();
        const InodeNumber root = m_store->CreateExport("export");
        m_file = m_store->AddFile(root,
                                  "file",
                                  FILE_SIZE,
                                  {0666, 0, 0},
                                  [](uint64_t offset, MutableByteSpan out) {
                                      for (std::size_t i = 0; i < out.size(); ++i)
                                      {
                                          out[i] = GetOctet(offset + i);
                                      }
                                  });
        m_link = m_store->AddSymlink(root, "link", std::string(3000, 'l'));
        m_nfs = CreateObject<Nfs4Server>();
        m_nfs->SetFileStore(m_store);
        m_nfs->SetHostMemory(m_serverHost.memory);
        m_rpcServer->Register(m_nfs);
        m_nfsClient = CreateObject<RpcClient>();
        m_nfsClient->SetTransport(m_client);
        m_nfsClient->SetProgram(100003, 4);
        AuthSysCredential credential;
        credential.machineName = "client";
        m_nfsClient->SetCredential(credential);
    }

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("MaxWriteChunks", UintegerValue(8));
    }

    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("MaxWriteChunks", UintegerValue(8));
    }

    static uint8_t GetOctet(uint64_t offset)
    {
        return static_cast<uint8_t>(offset % 251 + 1);
    }

    [[nodiscard]] PutfhArgs4 Put(InodeNumber number) const
    {
        PutfhArgs4 put;
        put.object = Nfs4Fh(m_store->GetHandle(number).AsSpan());
        return put;
    }

    static ReadArgs4 Read(uint64_t offset, uint32_t count)
    {
        ReadArgs4 read;
        read.offset = offset;
        read.count = count;
        return read;
    }

    /// Calls with room for items of the given sizes, and keeps what came.
    void Call(std::vector<Nfs4ArgOp> ops, const std::vector<uint32_t>& room)
    {
        Compound4Args args;
        args.ops = std::move(ops);
        XdrWriter writer;
        args.Encode(writer);
        RpcArguments arguments;
        arguments.octets = writer.Take();
        RpcReplyEstimate estimate;
        estimate.head = 200;
        estimate.tail = 400;
        for (const uint32_t octets : room)
        {
            m_buffers.emplace_back(std::make_shared<HostBuffer>(m_clientHost.memory, octets));
            RpcReplyItem item;
            item.maximum = octets;
            item.address = m_buffers.back()->GetAddress();
            item.ddpEligible = true;
            item.owner = m_buffers.back();
            estimate.items.push_back(item);
        }
        m_nfsClient->Call(
            1,
            std::move(arguments),
            estimate,
            [this](RpcRecord& record, const RpcReceivedMessage& message, XdrReader& reader) {
                m_record = record;
                m_items = message.items;
                auto items = Nfs4DataItems::OfReply(message);
                auto results = Compound4Res::Decode(reader, &items);
                ASSERT_TRUE(results);
                m_results = std::move(*results);
                ++m_replies;
            });
        Run();
        ASSERT_EQ(m_replies, 1U);
        ASSERT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    }

    void ExpectContent(std::size_t item, uint64_t offset, uint32_t count)
    {
        ASSERT_LT(item, m_items.size());
        EXPECT_EQ(m_items[item].length, count);
        ByteVector octets(count);
        m_buffers[item]->Read(0, octets);
        for (uint32_t i = 0; i < count; ++i)
        {
            ASSERT_EQ(octets[i], GetOctet(offset + i)) << i;
        }
    }

    Ptr<FileStore> m_store;
    Ptr<Nfs4Server> m_nfs;
    Ptr<RpcClient> m_nfsClient;
    InodeNumber m_file{0};
    InodeNumber m_link{0};
    std::vector<std::shared_ptr<HostBuffer>> m_buffers;
    RpcRecord m_record;
    std::vector<RpcReceivedItem> m_items;
    Compound4Res m_results;
    uint32_t m_replies{0};
};

TEST_F(Nfs4ServerTransport, EachReadHasItsOwnWriteChunk)
{
    Connect();
    Call({Put(m_file), Read(0, 8192), Read(8192, 4096), Put(m_link), ReadlinkArgs4()},
         {8192, 4096, 4096});
    EXPECT_EQ(m_results.status, Nfs4Status::OK);
    ASSERT_EQ(m_items.size(), 3U);
    ExpectContent(0, 0, 8192);
    ExpectContent(1, 8192, 4096);
    EXPECT_EQ(m_items[2].length, 3000U);
}

TEST_F(Nfs4ServerTransport, ReadWithoutDataLeavesItsChunkUnused)
{
    Connect();
    Call({Put(m_file), Read(0, 4096), Read(FILE_SIZE, 4096), Read(12288, 4096)},
         {4096, 4096, 4096});
    EXPECT_EQ(m_results.status, Nfs4Status::OK);
    ASSERT_EQ(m_items.size(), 3U);
    ExpectContent(0, 0, 4096);
    EXPECT_EQ(m_items[1].length, 0U);
    ExpectContent(2, 12288, 4096);
}

TEST_F(Nfs4ServerTransport, FailedReadEndsTheChunksThatWereUsed)
{
    Connect();
    Call({Put(m_file), Read(0, 4096), Put(m_link), Read(0, 4096), Read(0, 4096)},
         {4096, 4096, 4096});
    EXPECT_EQ(m_results.status, Nfs4Status::SYMLINK);
    ASSERT_EQ(m_results.ops.size(), 4U);
    ASSERT_EQ(m_items.size(), 3U);
    ExpectContent(0, 0, 4096);
    EXPECT_EQ(m_items[1].length, 0U);
    EXPECT_EQ(m_items[2].length, 0U);
}

TEST_F(Nfs4ServerTransport, FailedReadReturnsAnEmptyWriteChunkWhereItIsToldTo)
{
    Connect();
    const std::vector<Nfs4ArgOp> ops{Put(m_file),
                                     Read(0, 4096),
                                     Read(FILE_SIZE, 4096),
                                     Put(m_link),
                                     Read(0, 4096),
                                     Read(0, 4096)};
    const std::vector<uint32_t> room{4096, 4096, 4096, 4096};
    Call(ops, room);
    EXPECT_EQ(m_results.status, Nfs4Status::SYMLINK);
    const uint32_t withSegments = m_record.replyInlineBytes;
    m_nfs->SetAttribute("EmptyWriteChunks", BooleanValue(true));
    m_replies = 0;
    m_buffers.clear();
    Call(ops, room);
    EXPECT_EQ(m_results.status, Nfs4Status::SYMLINK);
    ASSERT_EQ(m_items.size(), 4U);
    ExpectContent(0, 0, 4096);
    for (std::size_t i = 1; i < m_items.size(); ++i)
    {
        EXPECT_EQ(m_items[i].length, 0U) << i;
    }
    // One segment less, that of the READ that failed: neither that of the READ of no octets, nor
    // that of the READ that was not come to.
    EXPECT_EQ(m_record.replyInlineBytes, withSegments - RpcRdmaSegment::SIZE);
}

TEST_F(Nfs4ServerTransport, ReadsPastTheLastChunkAreInline)
{
    Connect();
    Call({Put(m_file), Read(0, 8192), Read(100, 64)}, {8192});
    EXPECT_EQ(m_results.status, Nfs4Status::OK);
    ExpectContent(0, 0, 8192);
    const auto& inlineRead = std::get<ReadRes4>(m_results.ops.at(2));
    EXPECT_FALSE(inlineRead.data.reduced);
    EXPECT_EQ(inlineRead.data.length, 64U);
}

} // namespace
} // namespace ns3::nfsrdma
