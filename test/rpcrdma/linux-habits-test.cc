/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/raw-peer.h"
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>

namespace ns3::nfsrdma
{
namespace
{

/// What the client puts on the wire, beside what Linux 6.1 did in the captures of NFSv3 on siw.
class LinuxHabits : public RpcRdmaTest
{
  protected:
    void SetUp() override
    {
        RpcRdmaTest::SetUp();
        m_memory.emplace_back(m_clientHost.memory, 1 << 20);
        m_peer = std::make_unique<RawPeer>(m_serverHost.device);
        ASSERT_TRUE(m_peer->Listen(RpcRdmaServer::NFS_RDMA_PORT,
                                   RpcRdmaPrivateData{false, 4096, 4096}.Encode()));
        m_client->Connect();
        Run();
        m_peer->onMessage = [this](const ByteVector& message) {
            ByteReader reader(message);
            m_calls.push_back(RpcRdmaHeader::Decode(reader).value());
            m_payload.assign(reader.Rest().begin(), reader.Rest().end());
            RpcRdmaHeader answer;
            answer.xid = m_calls.back().xid;
            answer.credit = 64;
            answer.chunks.writeList = m_calls.back().chunks.writeList;
            answer.chunks.replyChunk = m_calls.back().chunks.replyChunk;
            ByteVector octets(answer.GetEncodedSize());
            ByteWriter writer(octets);
            answer.Encode(writer);
            m_peer->Send(octets);
        };
    }

    void TearDown() override
    {
        m_client->Disconnect();
        Run();
        m_peer.reset();
        m_memory.clear();
        EXPECT_TRUE(IsZero(m_clientHost.device->GetCensus()));
        RpcRdmaTest::TearDown();
    }

    /// Sends a call of that shape and returns the header it had.
    const RpcRdmaHeader& Call(uint32_t head,
                              uint32_t item,
                              bool eligible,
                              RpcReplyEstimate reply,
                              uint32_t room = 0)
    {
        auto call = std::make_unique<RpcTransportCall>();
        call->record.xid = ++m_xid;
        call->call.octets.resize(head);
        call->call.room = room;
        if (item > 0)
        {
            call->call.items = {{m_memory.front().GetAddress(), item, eligible, head, nullptr}};
        }
        for (RpcReplyItem& expected : reply.items)
        {
            expected.address = m_memory.front().GetAddress();
        }
        call->reply = std::move(reply);
        call->completed = [](RpcRecord&, RpcReceivedMessage&&) {};
        m_client->Submit(std::move(call));
        Run();
        EXPECT_EQ(m_calls.back().xid, m_xid);
        return m_calls.back();
    }

    static std::vector<uint32_t> Lengths(const RpcRdmaWriteChunk& chunk)
    {
        std::vector<uint32_t> lengths;
        for (const RpcRdmaSegment& segment : chunk)
        {
            lengths.push_back(segment.length);
        }
        return lengths;
    }

    static constexpr uint32_t SMALL = 120;
    std::unique_ptr<RawPeer> m_peer;
    std::vector<HostBuffer> m_memory;
    std::vector<RpcRdmaHeader> m_calls;
    ByteVector m_payload;
    uint32_t m_xid{0x601d87f7};
};

TEST_F(LinuxHabits, ReplyChunksOfHeadPagesTail)
{
    const RpcRdmaHeader readdirplus = Call(112, 0, false, {124, {{65536, 0, false}}, 4});
    ASSERT_TRUE(readdirplus.chunks.replyChunk);
    EXPECT_EQ(Lengths(*readdirplus.chunks.replyChunk), (std::vector<uint32_t>{124, 65536, 4}));
    for (const RpcRdmaSegment& segment : *readdirplus.chunks.replyChunk)
    {
        EXPECT_EQ(segment.offset >> 32, readdirplus.xid);
    }
    const RpcRdmaHeader getacl = Call(88, 0, false, {256, {{28672, 0, false}}, 4});
    EXPECT_EQ(Lengths(*getacl.chunks.replyChunk), (std::vector<uint32_t>{256, 28672, 4}));
    const RpcRdmaHeader exchangeId = Call(200, 0, false, {4240, {}, 0});
    EXPECT_EQ(Lengths(*exchangeId.chunks.replyChunk), (std::vector<uint32_t>{4240}));
    EXPECT_EQ(m_client->GetStatistics().replyChunk, 7U);
    EXPECT_EQ(m_client->GetStatistics().totalRdmaRequest, 65664U + 28932 + 4240);
}

TEST_F(LinuxHabits, ReadChunksAfterTheHead)
{
    const RpcRdmaHeader write = Call(108, 5001, true, {SMALL, {}, 0});
    ASSERT_EQ(write.chunks.readList.size(), 1U);
    EXPECT_EQ(write.chunks.readList.front().position, 108U);
    EXPECT_EQ(write.chunks.readList.front().target.length, 5001U);
    EXPECT_EQ(write.chunks.readList.front().target.offset >> 32, write.xid);
    EXPECT_EQ(write.chunks.readList.front().target.offset & UINT32_MAX,
              m_memory.front().GetAddress() & UINT32_MAX);
    EXPECT_EQ(m_payload.size(), 108U);
    const RpcRdmaHeader symlink = Call(120, 4000, true, {SMALL, {}, 0});
    EXPECT_EQ(symlink.chunks.readList.front().position, 120U);
    EXPECT_EQ(m_client->GetStatistics().totalRdmaRequest, 0U);
}

TEST_F(LinuxHabits, BufferOfASlotGrowsToTheLargestCallOfAProcedure)
{
    constexpr uint32_t OPEN = 3344;
    const uint64_t before = m_client->GetStatistics().hardwayRegister;
    Call(200, 0, false, {SMALL, {}, 0}, OPEN);
    EXPECT_EQ(m_client->GetStatistics().hardwayRegister, before + OPEN);
    // Calls one after the other take other slots, until the Sends of the first are known to be
    // done.
    uint64_t grown = before;
    while (m_client->GetStatistics().hardwayRegister != grown)
    {
        grown = m_client->GetStatistics().hardwayRegister;
        for (int i = 0; i < 256; ++i)
        {
            Call(200, 0, false, {SMALL, {}, 0}, OPEN);
        }
    }
    EXPECT_EQ((grown - before) % OPEN, 0U);
    EXPECT_EQ(m_client->GetStatistics().pullupCopy, 0U);
    Call(108, 3072, true, {SMALL, {}, 0});
    EXPECT_EQ(m_payload.size(), 3180U);
    EXPECT_EQ(m_client->GetStatistics().pullupCopy, 3072U);
    EXPECT_EQ(m_client->GetStatistics().hardwayRegister, grown);
}

TEST_F(LinuxHabits, LongCallOfHeadAndPages)
{
    const RpcRdmaHeader setacl = Call(92, 4048, false, {SMALL, {}, 0});
    EXPECT_EQ(setacl.proc, RpcRdmaProc::NOMSG);
    ASSERT_EQ(setacl.chunks.readList.size(), 2U);
    EXPECT_EQ(setacl.chunks.readList[0].position, 0U);
    EXPECT_EQ(setacl.chunks.readList[0].target.length, 92U);
    EXPECT_EQ(setacl.chunks.readList[1].position, 0U);
    EXPECT_EQ(setacl.chunks.readList[1].target.length, 4048U);
    EXPECT_TRUE(m_payload.empty());
    EXPECT_EQ(m_client->GetStatistics().localInvNeeded, 2U);
}

TEST_F(LinuxHabits, SmallItemsArePulledUpLargerOnesMapped)
{
    Call(108, 100, true, {SMALL, {}, 0});
    Call(108, 100, true, {SMALL, {}, 0});
    Call(120, 10, true, {SMALL, {}, 0});
    EXPECT_EQ(m_payload.size(), 132U);
    EXPECT_EQ(m_client->GetStatistics().pullupCopy, 212U);
    Call(108, 3072, true, {SMALL, {}, 0});
    EXPECT_EQ(m_payload.size(), 3180U);
    EXPECT_EQ(m_client->GetStatistics().pullupCopy, 212U);
    EXPECT_EQ(m_client->GetStatistics().sends, 4U);
    EXPECT_EQ(m_client->GetStatistics().mrsAllocated, 4U);
}

TEST_F(LinuxHabits, KeyIsSteppedByEachRegistration)
{
    std::map<Stag, Stag> lastOfRegion;
    for (int i = 0; i < 20; ++i)
    {
        const Stag handle =
            Call(108, 4096, true, {SMALL, {}, 0}).chunks.readList.front().target.handle;
        const auto [last, first] = lastOfRegion.emplace(handle >> 8, handle);
        if (!first)
        {
            EXPECT_EQ(handle, last->second + 1);
            last->second = handle;
        }
    }
    EXPECT_LT(lastOfRegion.size(), 10U);
}

// The RPCs of nfs-v3-mtu1500 from its first, as far as chunks go: a GETACL is the tenth, a
// READDIRPLUS the thirteenth, six GETACLs follow. Their STags tell which regions Linux took: for
// the READDIRPLUS three new ones, since the slot of the first GETACL was not free yet.
TEST_F(LinuxHabits, SlotIsFreeWhenItsSendIsKnownToHaveCompleted)
{
    const uint64_t address = m_memory.front().GetAddress();
    std::vector<std::vector<Stag>> regions;
    for (int i = 0; i < 19; ++i)
    {
        if (i != 9 && i < 12)
        {
            Call(92, 0, false, {SMALL, {}, 0});
            continue;
        }
        regions.emplace_back();
        for (const auto& segment :
             *Call(92, 0, false, {256, {{28672, address, false}}, 4}).chunks.replyChunk)
        {
            regions.back().push_back(segment.handle >> 8);
        }
    }
    for (const Stag region : regions[0])
    {
        EXPECT_EQ(std::count(regions[1].begin(), regions[1].end(), region), 0);
    }
    for (std::size_t i = 2; i < regions.size(); ++i)
    {
        EXPECT_EQ(regions[i], regions[1]) << i;
    }
    EXPECT_EQ(m_client->GetStatistics().failedMarshal, 1U);
    EXPECT_EQ(m_client->GetStatistics().mrsAllocated, 8U);
}

TEST_F(LinuxHabits, RegionsAreAllocatedInBatches)
{
    uint32_t ended = 0;
    Call(92, 0, false, {SMALL, {}, 0}); // for the grant
    for (int i = 0; i < 6; ++i)
    {
        auto call = std::make_unique<RpcTransportCall>();
        call->record.xid = ++m_xid;
        call->call.octets.resize(100);
        call->reply = {SMALL, {{8192, m_memory.front().GetAddress() + i * 8192U, true}}, 0};
        call->completed = [&ended](RpcRecord&, RpcReceivedMessage&&) { ++ended; };
        m_client->Submit(std::move(call));
    }
    Run();
    EXPECT_EQ(ended, 6U);
    EXPECT_EQ(m_client->GetStatistics().failedMarshal, 1U);
    EXPECT_EQ(m_client->GetStatistics().mrsAllocated, 8U);
    EXPECT_EQ(m_client->GetStatistics().writeChunk, 6U);
}

} // namespace
} // namespace ns3::nfsrdma
