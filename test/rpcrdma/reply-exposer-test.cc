/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/internet-address.h"
#include "rpcrdma/message/pull-notice-list.h"
#include "rpcrdma/message/read-chunk-extension.h"
#include "rpcrdma/raw-peer-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

/// RpcRdmaServer, which provides Read chunks, and a hand-made requester on bare verbs.
class ReplyExposer : public RawRequesterTest
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("ReadChunkExtension", BooleanValue(true));
        server->SetAttribute("ReadChunkPolicy", StringValue("when-needed"));
        server->SetAttribute("ReadChunkTimeout", TimeValue(Time(0)));
        server->SetAttribute("RemoteInvalidation", BooleanValue(true));
        server->TraceConnectWithoutContext("ReadChunkReleased",
                                           MakeCallback(&ReplyExposer::HandleReleased, this));
    }

    void HandleReleased(uint32_t xid, ReadChunkRelease reason, Time /* waited */)
    {
        m_released.emplace_back(xid, reason);
    }

    static ByteVector GetPrivateData(const ReadChunkExtension& extension)
    {
        ByteVector data = RpcRdmaPrivateData{true, 4096, 4096}.Encode();
        const ByteVector more = extension.Encode();
        data.insert(data.end(), more.begin(), more.end());
        return data;
    }

    void Open(uint32_t initiatorDepth = 8)
    {
        ReadChunkExtension extension;
        extension.requester = true;
        extension.piggyback = true;
        extension.remoteInvalidation = true;
        ASSERT_TRUE(m_server->Listen());
        m_peer->Connect(MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT),
                        GetPrivateData(extension),
                        16,
                        initiatorDepth);
        Simulator::Stop(MilliSeconds(1));
        Run();
        ASSERT_EQ(m_peer->events, std::vector{CmEventType::ESTABLISHED});
    }

    /// Lets \p time pass.
    static void Wait(Time time = MilliSeconds(1))
    {
        Simulator::Stop(time);
        Run();
    }

    static ByteVector MakeCall(uint32_t xid,
                               uint32_t length,
                               const RpcRdmaChunkLists& chunks = RpcRdmaChunkLists(),
                               uint32_t tailWords = 0)
    {
        RpcRdmaHeader header = MakeHeader(xid);
        header.chunks = chunks;
        return Encode(header, MakeGiveCall(xid, length, true, tailWords));
    }

    /// \return the header of the answer to a call.
    RpcRdmaHeader Ask(const ByteVector& call)
    {
        m_peer->received.clear();
        m_peer->Send(call);
        Wait();
        EXPECT_EQ(m_peer->received.size(), 1U);
        ByteReader reader(m_peer->received.back());
        const auto header = RpcRdmaHeader::Decode(reader);
        EXPECT_TRUE(header);
        EXPECT_EQ(reader.Remaining() > 0, header->proc == RpcRdmaProc::MSG);
        return *header;
    }

    static ByteVector MakeDone(uint32_t xid)
    {
        ByteVector message(RpcRdmaFixedHeader::SIZE);
        ByteWriter writer(message);
        RpcRdmaFixedHeader{xid, 1, 32, 3}.Encode(writer);
        return message;
    }

    [[nodiscard]] const SvcRdmaStatistics& Statistics() const
    {
        return m_server->GetStatistics();
    }

    [[nodiscard]] uint32_t GetValidRegions() const
    {
        return m_serverHost.device->GetCensus().validMemoryRegions;
    }

    void ExpectServerClean()
    {
        RawRequesterTest::ExpectServerClean([] { Wait(); });
        EXPECT_EQ(Statistics().exposedBytes, 0U);
    }

    std::vector<std::pair<uint32_t, ReadChunkRelease>> m_released;
};

using Released = std::vector<std::pair<uint32_t, ReadChunkRelease>>;

TEST_F(ReplyExposer, AnswersTheExtensionBehindRfc8797)
{
    m_server->SetAttribute("DoneReceives", UintegerValue(0x203));
    Open();
    EXPECT_EQ(m_peer->peer.sendSize, 4096U);
    const auto extension = ReadChunkExtension::Decode(m_peer->peerData);
    ASSERT_TRUE(extension);
    EXPECT_FALSE(extension->requester);
    EXPECT_TRUE(extension->responder);
    EXPECT_TRUE(extension->piggyback);
    EXPECT_TRUE(extension->remoteInvalidation);
    EXPECT_EQ(extension->doneReceives, 0x203U);
    EXPECT_EQ(m_peer->peerData.size(), 16U);
    ExpectServerClean();
}

TEST_F(ReplyExposer, DoesNotTakeInvalidationsThatItHasNotAnnounced)
{
    m_server->SetAttribute("RemoteInvalidation", BooleanValue(false));
    Open();
    EXPECT_FALSE(m_peer->peer.remoteInvalidation);
    const auto extension = ReadChunkExtension::Decode(m_peer->peerData);
    ASSERT_TRUE(extension);
    EXPECT_FALSE(extension->remoteInvalidation);
    ExpectServerClean();
}

TEST_F(ReplyExposer, SaysNothingToAClientThatDoesNotAsk)
{
    ASSERT_TRUE(m_server->Listen());
    m_peer->Connect(MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT),
                    RpcRdmaPrivateData{true, 4096, 4096}.Encode());
    Wait();
    EXPECT_EQ(m_peer->peerData.size(), 8U);
    EXPECT_EQ(Ask(MakeCall(1, 6000)).proc, RpcRdmaProc::ERROR);
    EXPECT_EQ(Statistics().exposedChunks, 0U);
    ExpectServerClean();
}

TEST_F(ReplyExposer, TheChunkHoldsTheReplyUntilDone)
{
    m_server->SetAttribute("ReadChunkCopyLimit", UintegerValue(1 << 20));
    Open();
    const uint32_t before = GetValidRegions();
    const RpcRdmaHeader header = Ask(MakeCall(0x31, 6001));
    ASSERT_EQ(header.proc, RpcRdmaProc::NOMSG);
    EXPECT_EQ(header.xid, 0x31U);
    EXPECT_EQ(header.credit, 64U);
    ASSERT_EQ(header.chunks.readList.size(), 1U);
    EXPECT_EQ(header.chunks.readList[0].position, 0U);
    EXPECT_TRUE(header.chunks.writeList.empty());
    EXPECT_FALSE(header.chunks.replyChunk);
    EXPECT_EQ(GetValidRegions(), before + 1);
    EXPECT_EQ(Statistics().exposedBytes, 24U + 4 + 6004);

    for (uint32_t round = 0; round < 2; ++round)
    {
        m_peer->Read(header.chunks.readList[0].target);
        Wait(Seconds(100));
        const ByteVector octets = m_peer->GetRead();
        XdrReader words(octets);
        EXPECT_EQ(words.ReadU32(), 0x31U);
        words.ReadFixedOpaque(20);
        EXPECT_EQ(words.ReadU32(), 6001U);
        const ByteSpan item = words.ReadFixedOpaque(6001);
        EXPECT_EQ(ByteVector(item.begin(), item.end()), MakePattern(6001, 0x31));
        EXPECT_EQ(words.Remaining(), 0U);
    }
    m_peer->Send(MakeDone(0x31));
    Wait();
    EXPECT_EQ(m_released, (Released{{0x31, ReadChunkRelease::DONE}}));
    EXPECT_EQ(GetValidRegions(), before);
    EXPECT_EQ(Statistics().exposedBytes, 0U);
    EXPECT_EQ(Statistics().exposedDone, 1U);
    ExpectServerClean();
}

TEST_F(ReplyExposer, AReplyChunkThatIsTooSmallComesBackUnused)
{
    Open();
    HostBuffer room(m_clientHost.memory, 8192);
    RpcRdmaChunkLists chunks;
    chunks.replyChunk =
        RpcRdmaWriteChunk{m_peer->Register(room, 5000, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE)};
    const RpcRdmaHeader header = Ask(MakeCall(0x32, 6000, chunks));
    ASSERT_EQ(header.proc, RpcRdmaProc::NOMSG);
    EXPECT_EQ(header.chunks.readList.size(), 2U);
    ASSERT_TRUE(header.chunks.replyChunk);
    ASSERT_EQ(header.chunks.replyChunk->size(), 1U);
    EXPECT_EQ(header.chunks.replyChunk->front().handle, chunks.replyChunk->front().handle);
    EXPECT_EQ(header.chunks.replyChunk->front().length, 0U);
    EXPECT_EQ(Statistics().write, 0U);
    m_peer->Send(MakeDone(0x32));
    Wait();
    ExpectServerClean();
}

TEST_F(ReplyExposer, AReplyChunkWithRoomIsUsedUnlessThePolicyPrefersReadChunks)
{
    for (const bool prefers : {false, true})
    {
        m_server->SetAttribute("ReadChunkPolicy",
                               StringValue(prefers ? "prefer-over-reply-chunk" : "when-needed"));
        Open();
        HostBuffer room(m_clientHost.memory, 8192);
        RpcRdmaChunkLists chunks;
        chunks.replyChunk = RpcRdmaWriteChunk{
            m_peer->Register(room, 8192, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE)};
        const RpcRdmaHeader header = Ask(MakeCall(0x33, 6000, chunks));
        EXPECT_EQ(header.proc, RpcRdmaProc::NOMSG);
        EXPECT_EQ(header.chunks.readList.empty(), !prefers);
        EXPECT_EQ(header.chunks.replyChunk->front().length, prefers ? 0U : 6028U);
        ExpectServerClean();
        m_peer = std::make_unique<RawPeer>(m_clientHost.device);
    }
}

TEST_F(ReplyExposer, WriteChunksAreHonouredBeside)
{
    Open();
    HostBuffer room(m_clientHost.memory, 8192);
    RpcRdmaChunkLists chunks;
    chunks.writeList = {{m_peer->Register(room, 8192, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE)}};
    const RpcRdmaHeader header = Ask(MakeCall(0x34, 6001, chunks, 1500));
    ASSERT_EQ(header.chunks.writeList.size(), 1U);
    EXPECT_EQ(header.chunks.writeList[0][0].length, 6001U);
    ByteVector item(6001);
    room.Read(0, item);
    EXPECT_EQ(item, MakePattern(6001, 0x34));
    ASSERT_EQ(header.chunks.readList.size(), 1U);
    EXPECT_EQ(header.chunks.readList[0].target.length, 24U + 4 + 6000);
    m_peer->Send(MakeDone(0x34));
    Wait();
    ExpectServerClean();
}

TEST_F(ReplyExposer, SegmentsAreBoundedByTheRegionsPages)
{
    m_server->SetAttribute("RegionPages", UintegerValue(2));
    Open();
    const RpcRdmaHeader header = Ask(MakeCall(0x35, 50000));
    uint64_t length = 0;
    for (const RpcRdmaReadSegment& segment : header.chunks.readList)
    {
        EXPECT_EQ(segment.position, 0U);
        EXPECT_LE(segment.target.length, 2 * HostMemory::PAGE_SIZE);
        length += segment.target.length;
    }
    EXPECT_EQ(length, 24U + 4 + 50000);
    EXPECT_EQ(header.chunks.readList.size(), 1U + 7);
    EXPECT_EQ(Statistics().exposedSegments, 8U);
    m_peer->Send(MakeDone(0x35));
    Wait();
    EXPECT_EQ(Statistics().exposedBytes, 0U);
    ExpectServerClean();
}

TEST_F(ReplyExposer, MoreSegmentsThanTheHeaderHasRoomForIsErrChunk)
{
    m_server->SetAttribute("RegionPages", UintegerValue(1));
    Open();
    const uint32_t before = GetValidRegions();
    EXPECT_EQ(Ask(MakeCall(0x36, 1000000)).proc, RpcRdmaProc::ERROR);
    EXPECT_EQ(Statistics().errChunk, 1U);
    EXPECT_EQ(Statistics().exposedChunks, 0U);
    EXPECT_EQ(GetValidRegions(), before);
    EXPECT_EQ(Ask(MakeCall(0x37, 600000)).proc, RpcRdmaProc::NOMSG);
    m_peer->Send(MakeDone(0x37));
    Wait();
    ExpectServerClean();
}

/// Two regions for each reply; the fifth is for sinks alone.
TEST_F(ReplyExposer, RepliesWaitForRegionsInTurn)
{
    m_serverHost.device->SetAttribute("MaxMrs", UintegerValue(5));
    Open();
    EXPECT_EQ(Ask(MakeCall(1, 6000)).proc, RpcRdmaProc::NOMSG);
    EXPECT_EQ(Ask(MakeCall(2, 6000)).proc, RpcRdmaProc::NOMSG);
    m_peer->received.clear();
    m_peer->Send(MakeCall(3, 6000));
    m_peer->Send(MakeCall(4, 6000));
    Wait();
    EXPECT_TRUE(m_peer->received.empty());
    EXPECT_EQ(Statistics().regionWaits, 2U);
    for (uint32_t xid = 1; xid <= 4; ++xid)
    {
        m_peer->Send(MakeDone(xid));
        Wait();
        EXPECT_EQ(m_peer->received.size(), std::min(xid, 2U));
    }
    EXPECT_EQ(Statistics().errChunk, 0U);
    EXPECT_EQ(Statistics().exposedBytes, 0U);
    ExpectServerClean();
}

TEST_F(ReplyExposer, NoticesForNothingAreDroppedAndCounted)
{
    Open();
    m_peer->Send(MakeDone(0x99));
    Wait();
    EXPECT_EQ(Statistics().doneUnknown, 1U);
    Ask(MakeCall(0x38, 6000));
    m_peer->Send(MakeDone(0x38));
    m_peer->Send(MakeDone(0x38));
    Wait();
    EXPECT_EQ(Statistics().doneUnknown, 2U);
    EXPECT_EQ(Statistics().exposedDone, 1U);
    EXPECT_EQ(m_released.size(), 1U);
    EXPECT_EQ(m_server->GetConnectionCount(), 1U);
    EXPECT_EQ(Ask(MakeCall(0x39, 10)).proc, RpcRdmaProc::MSG);
    ExpectServerClean();
}

TEST_F(ReplyExposer, OneTagInvalidatedByTheNoticeTheOthersLocally)
{
    Open();
    const uint32_t before = GetValidRegions();
    const RpcRdmaHeader header = Ask(MakeCall(0x3a, 10000));
    ASSERT_EQ(header.chunks.readList.size(), 2U);
    EXPECT_EQ(GetValidRegions(), before + 2);
    for (uint32_t which = 0; which < 2; ++which)
    {
        const RpcRdmaHeader next = which == 0 ? header : Ask(MakeCall(0x3a, 10000));
        m_peer->SendWithInvalidate(MakeDone(0x3a), next.chunks.readList[which].target.handle);
        Wait();
        EXPECT_EQ(GetValidRegions(), before);
        EXPECT_EQ(Statistics().exposedBytes, 0U);
    }
    EXPECT_EQ(m_server->GetConnectionCount(), 1U);
    ExpectServerClean();
}

TEST_F(ReplyExposer, ATagOfAnotherChunkIsKnownToBeInvalidThere)
{
    Open();
    const uint32_t before = GetValidRegions();
    const RpcRdmaHeader one = Ask(MakeCall(1, 10000));
    const RpcRdmaHeader two = Ask(MakeCall(2, 10000));
    m_peer->SendWithInvalidate(MakeDone(1), two.chunks.readList[0].target.handle);
    Wait();
    EXPECT_EQ(GetValidRegions(), before + 1);
    m_peer->Send(MakeDone(2));
    Wait();
    EXPECT_EQ(GetValidRegions(), before);
    EXPECT_EQ(m_server->GetConnectionCount(), 1U);
    EXPECT_EQ(Ask(MakeCall(3, 10000)).chunks.readList.size(), 2U);
    ExpectServerClean();
}

TEST_F(ReplyExposer, NoticesRideOnACall)
{
    Open();
    Ask(MakeCall(1, 6000));
    Ask(MakeCall(2, 6000));
    const ByteVector plain = MakeCall(3, 10);
    ByteReader reader(plain);
    PullNoticeList list;
    list.xids = {1, 2, 77};
    ByteVector call = list.Encode(*RpcRdmaFixedHeader::Decode(reader));
    call.insert(call.end(), plain.begin() + RpcRdmaFixedHeader::SIZE, plain.end());
    EXPECT_EQ(Ask(call).proc, RpcRdmaProc::MSG);
    EXPECT_EQ(Statistics().exposedDone, 2U);
    EXPECT_EQ(Statistics().doneUnknown, 1U);
    EXPECT_EQ(Statistics().exposedBytes, 0U);
    call[19] = 0; // No notice, though the header says so: an unknown rdma_proc.
    EXPECT_EQ(Ask(call).proc, RpcRdmaProc::ERROR);
    ExpectServerClean();
}

TEST_F(ReplyExposer, WithoutAgreementNoNoticeRidesOnACall)
{
    m_server->SetAttribute("DoneOnCalls", BooleanValue(false));
    Open();
    EXPECT_FALSE(ReadChunkExtension::Decode(m_peer->peerData)->piggyback);
    Ask(MakeCall(1, 6000));
    const ByteVector plain = MakeCall(3, 10);
    ByteReader reader(plain);
    PullNoticeList list;
    list.xids = {1};
    ByteVector call = list.Encode(*RpcRdmaFixedHeader::Decode(reader));
    call.insert(call.end(), plain.begin() + RpcRdmaFixedHeader::SIZE, plain.end());
    EXPECT_EQ(Ask(call).proc, RpcRdmaProc::ERROR);
    EXPECT_EQ(Statistics().exposedDone, 0U);
    ExpectServerClean();
    EXPECT_EQ(m_released, (Released{{1, ReadChunkRelease::CONNECTION_LOST}}));
    EXPECT_EQ(Statistics().exposedLost, 1U);
}

TEST_F(ReplyExposer, ARequesterThatNeverNotifiesHoldsTheMemoryWithoutATimer)
{
    Open();
    for (uint32_t xid = 1; xid <= 20; ++xid)
    {
        Ask(MakeCall(xid, 6000));
    }
    Wait(Seconds(1000));
    EXPECT_EQ(Statistics().exposedBytes, 20U * 6028);
    EXPECT_EQ(Statistics().exposedBytesPeak, 20U * 6028);
    ExpectServerClean();
    EXPECT_EQ(Statistics().exposedLost, 20U);
}

/// The timer is on.
class ReplyExposerTimer : public ReplyExposer
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        ReplyExposer::ConfigureServer(server);
        server->SetAttribute("ReadChunkTimeout", TimeValue(MilliSeconds(50)));
    }
};

TEST_F(ReplyExposerTimer, ARequesterThatNeverNotifiesHoldsItNoLongerThanThat)
{
    Open();
    const uint32_t before = GetValidRegions();
    for (uint32_t xid = 1; xid <= 200; ++xid)
    {
        Ask(MakeCall(xid, 6000));
        EXPECT_LE(Statistics().exposedBytes, 51U * 6028);
    }
    Wait(MilliSeconds(51));
    EXPECT_EQ(Statistics().exposedExpired, 200U);
    EXPECT_EQ(Statistics().exposedBytes, 0U);
    EXPECT_EQ(GetValidRegions(), before);
    m_peer->Send(MakeDone(7));
    Wait();
    EXPECT_EQ(Statistics().doneUnknown, 1U);
    EXPECT_EQ(m_server->GetConnectionCount(), 1U);
    ExpectServerClean();
}

TEST_F(ReplyExposerTimer, ANoticeInTimeStopsIt)
{
    Open();
    Ask(MakeCall(1, 6000));
    m_peer->Send(MakeDone(1));
    Wait(Seconds(1));
    EXPECT_EQ(m_released, (Released{{1, ReadChunkRelease::DONE}}));
    EXPECT_EQ(Statistics().exposedExpired, 0U);
    ExpectServerClean();
}

TEST_F(ReplyExposerTimer, ALateReadIsARemoteAccessErrorAndTheConnectionIsLost)
{
    Open();
    const RpcRdmaHeader header = Ask(MakeCall(1, 6000));
    Wait(MilliSeconds(60));
    EXPECT_EQ(m_released, (Released{{1, ReadChunkRelease::EXPIRED}}));
    std::vector<TerminateReason> reasons;
    m_peer->onTerminate = [&reasons](const TerminateMessage& message) {
        reasons.push_back(message.reason);
    };
    m_peer->Read(header.chunks.readList[0].target);
    Wait();
    ASSERT_EQ(reasons.size(), 1U);
    EXPECT_EQ(reasons[0].layer, 0U);
    EXPECT_EQ(reasons[0].errorType, 1U);
    EXPECT_EQ(reasons[0].errorCode, 0U);
    EXPECT_EQ(m_peer->events.back(), CmEventType::DISCONNECTED);
    EXPECT_EQ(m_server->GetConnectionCount(), 0U);
    EXPECT_EQ(Statistics().exposedBytes, 0U);
    EXPECT_EQ(m_serverHost.memory->GetAllocationCount(), 0U);
    ExpectServerClean();
}

} // namespace
} // namespace ns3::nfsrdma
