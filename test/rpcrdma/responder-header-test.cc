/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/internet-address.h"
#include "rpcrdma/raw-peer-fixture.h"
#include "wire/crc32c.h"
#include "wire/hex-bytes.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{
namespace
{

/// GIVE of nothing; arguments follow.
const char* const CALL = "00001001 00000000 00000002 00061a80 00000001 00000002 00000000 "
                         "00000000 00000000 00000000";

/// A hand-made requester on bare verbs against RpcRdmaServer.
class ResponderHeader : public RawRequesterTest
{
  protected:
    virtual ByteVector GetPrivateData()
    {
        return RpcRdmaPrivateData{true, 4096, 4096}.Encode();
    }

    void Open()
    {
        ASSERT_TRUE(m_server->Listen());
        m_peer->Connect(MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT),
                        GetPrivateData());
        Run();
        ASSERT_EQ(m_peer->events, std::vector{CmEventType::ESTABLISHED});
    }

    /// Sends \p message and expects exactly \p answer (nothing when empty), and a living
    /// connection.
    void Expect(const std::string& message, const std::string& answer)
    {
        m_peer->received.clear();
        m_peer->Send(HexBytes(message));
        Run();
        if (answer.empty())
        {
            EXPECT_TRUE(m_peer->received.empty()) << message;
        }
        else
        {
            EXPECT_EQ(m_peer->received, std::vector<ByteVector>{HexBytes(answer)}) << message;
        }
        EXPECT_EQ(m_server->GetConnectionCount(), 1U) << message;
    }

    /// A TAKE call of \p item, whose octets are left out when \p reduced; ends with a word.
    static ByteVector MakeTake(const ByteVector& item, bool reduced)
    {
        XdrWriter writer;
        writer.WriteU32(item.size());
        if (!reduced)
        {
            writer.WriteFixedOpaque(item);
        }
        writer.WriteU32(0x600dbeef);
        return MakeEchoCall(0x1001, EchoProgram::TAKE, writer.Take());
    }

    static ByteVector MakeGive(uint32_t length, bool eligible)
    {
        return MakeGiveCall(0x1001, length, eligible, 0);
    }

    ByteVector MakeMessage(RpcRdmaHeader header, const ByteVector& payload)
    {
        header.xid = 0x1001;
        header.credit = 32;
        return Encode(header, payload);
    }

    /// Sends a message and decodes the one answer.
    RpcRdmaHeader Exchange(const ByteVector& message)
    {
        m_peer->received.clear();
        m_peer->Send(message);
        Run();
        EXPECT_EQ(m_peer->received.size(), 1U);
        if (m_peer->received.size() != 1)
        {
            return {};
        }
        ByteReader reader(m_peer->received.front());
        const auto header = RpcRdmaHeader::Decode(reader);
        EXPECT_TRUE(header);
        m_payload.assign(reader.Rest().begin(), reader.Rest().end());
        return header ? *header : RpcRdmaHeader();
    }

    static void ExpectTaken(const ByteVector& reply, const ByteVector& item)
    {
        XdrReader reader(reply);
        ASSERT_TRUE(RpcReplyHeader::Decode(reader));
        EXPECT_EQ(reader.ReadU32(), item.size());
        EXPECT_EQ(reader.ReadU32(), Crc32c(item));
        EXPECT_EQ(reader.ReadU32(), 0x600dbeefU);
    }

    HostBuffer Fill(const ByteVector& octets)
    {
        HostBuffer buffer(m_clientHost.memory, octets.size() + 1);
        buffer.Write(0, octets);
        return buffer;
    }

    RpcRdmaSegment Expose(const HostBuffer& buffer, uint32_t length)
    {
        return m_peer->Register(buffer, length, ACCESS_REMOTE_READ);
    }

    RpcRdmaSegment Offer(const HostBuffer& buffer, uint32_t length)
    {
        return m_peer->Register(buffer, length, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    }

    ByteVector m_payload;
};

TEST_F(ResponderHeader, AnswersAsNfsdDid)
{
    Open();
    EXPECT_FALSE(m_peer->peer.remoteInvalidation);
    EXPECT_EQ(m_peer->peer.sendSize, 4096U);
    const std::string errorChunk = "00001001 00000001 00000040 00000004 00000002";
    const std::string lists = "00000000 00000000 00000000";
    const std::string reply = "00001001 00000001 00000040 00000000" + lists +
                              "00001001 00000001 00000000 00000000 00000000 00000000 00000000";
    const std::string call = lists + CALL + "00000000 00000000 00000000";

    Expect("00001001 00000001 00000020 00000000" + call, reply);
    Expect("00001001 00000001 00000000 00000000" + call, reply);
    Expect("00001001 00000002 00000020 00000000" + call,
           "00001001 00000002 00000040 00000004 00000001 00000001 00000001");
    Expect("00001001 00000001 00000020 00000005" + call, errorChunk);
    Expect("00001001 00000001 00000020 00000002 00000004 00000400" + call, errorChunk);
    Expect("00001001 00000001 00000020 00000003", "");
    Expect("00001001 00000001 00000020 00000004 00000002", "");
    Expect("00001001 00000001 00000020 00000001" + lists, "");
    Expect("00001001 00000001 00000020", "");
    Expect("00001001 00000001 00000020 00000000", errorChunk);
    Expect("00001001 00000001 00000020 00000000 00000000 00000000", errorChunk);
    Expect("00001001 00000001 00000020 00000000 00000002 00000000 00000000", errorChunk);
    Expect("00001001 00000001 00000020 00000000 00000000 00000000 00000001 00000003 00000007",
           errorChunk);
    Expect("00001001 00000001 00000020 00000000 00000000 00000000 00000001 ffffffff", errorChunk);
    Expect("00001001 00000001 00000020 00000000 00000001 00000006 00000007 00000004 "
           "0000000000000000 " +
               call,
           errorChunk);
    Expect("00001001 00000001 00000020 00000000" + lists + "00001001 00000001 00000000", "");
    EXPECT_EQ(m_server->GetStatistics().errVers, 1U);
    EXPECT_EQ(m_server->GetStatistics().errChunk, 8U);
    EXPECT_EQ(m_server->GetStatistics().dropped, 5U);
    const auto count = [this](CallFault fault) {
        return m_server->GetStatistics().faults.at(static_cast<std::size_t>(fault));
    };
    EXPECT_EQ(count(CallFault::PROC), 1U);
    EXPECT_EQ(count(CallFault::MSGP), 1U);
    EXPECT_EQ(count(CallFault::DONE), 1U);
    EXPECT_EQ(count(CallFault::ERROR), 1U);
    ExpectServerClean();
}

TEST_F(ResponderHeader, PositionBeyondTheMessageIsRefusedBeforeAnyRead)
{
    Open();
    RpcRdmaHeader call;
    call.chunks.readList.push_back({400, {0x123, 4096, 0}});
    const RpcRdmaHeader answer = Exchange(MakeMessage(call, MakeTake(MakePattern(4096, 1), true)));
    EXPECT_EQ(answer.proc, RpcRdmaProc::ERROR);
    EXPECT_EQ(answer.error, RpcRdmaErrorCode::ERR_CHUNK);
    call.chunks.readList.front() = {44, {0x123, 2000000, 0}};
    EXPECT_EQ(Exchange(MakeMessage(call, MakeTake({}, true))).proc, RpcRdmaProc::ERROR);
    EXPECT_EQ(m_server->GetStatistics().read, 0U);
    ExpectServerClean();
}

TEST_F(ResponderHeader, ReadChunkWithAndWithoutRoundup)
{
    Open();
    const ByteVector item = MakePattern(5001, 9);
    HostBuffer buffer(m_clientHost.memory, 5004);
    buffer.Write(0, item);
    for (const uint32_t length : {5001U, 5004U})
    {
        RpcRdmaHeader call;
        call.chunks.readList.push_back({44, Expose(buffer, length)});
        EXPECT_EQ(Exchange(MakeMessage(call, MakeTake(item, true))).proc, RpcRdmaProc::MSG);
        ExpectTaken(m_payload, item);
    }
    EXPECT_EQ(m_server->GetStatistics().sendWithInvalidate, 2U);
    ExpectServerClean();
}

TEST_F(ResponderHeader, PositionZeroWithAnotherChunk)
{
    Open();
    const ByteVector item = MakePattern(6000, 9);
    const ByteVector stream = MakeTake(item, true);
    const HostBuffer streamBuffer = Fill(stream);
    const HostBuffer itemBuffer = Fill(item);
    const RpcRdmaSegment whole = Expose(streamBuffer, stream.size());
    const RpcRdmaSegment data = Expose(itemBuffer, item.size());
    RpcRdmaHeader call;
    call.proc = RpcRdmaProc::NOMSG;
    // The stream in two segments of one registration, the item in three.
    call.chunks.readList.push_back({0, {whole.handle, 20, whole.offset}});
    call.chunks.readList.push_back(
        {0, {whole.handle, static_cast<uint32_t>(stream.size()) - 20, whole.offset + 20}});
    call.chunks.readList.push_back({44, {data.handle, 1000, data.offset}});
    call.chunks.readList.push_back({44, {data.handle, 1, data.offset + 1000}});
    call.chunks.readList.push_back({44, {data.handle, 4999, data.offset + 1001}});
    EXPECT_EQ(Exchange(MakeMessage(call, {})).proc, RpcRdmaProc::MSG);
    ExpectTaken(m_payload, item);
    EXPECT_EQ(m_program->reducedItems, 1U);
    EXPECT_EQ(m_server->GetStatistics().read, 5U);
    EXPECT_EQ(m_server->GetStatistics().sendWithInvalidate, 0U);
    ExpectServerClean();
}

TEST_F(ResponderHeader, ChunksThatAreNoItemsAreGarbage)
{
    Open();
    const ByteVector item = MakePattern(4000, 9);
    ByteVector call = MakeTake(item, false);
    // A part of the item and the last word travel as chunks of their own.
    const HostBuffer first = Fill(ByteVector(call.begin() + 44, call.begin() + 44 + 1000));
    const HostBuffer second = Fill(ByteVector(call.end() - 4, call.end()));
    RpcRdmaHeader header;
    header.chunks.readList.push_back({44, Expose(first, 1000)});
    header.chunks.readList.push_back({44 + 4000, Expose(second, 4)});
    call.erase(call.end() - 4, call.end());
    call.erase(call.begin() + 44, call.begin() + 44 + 1000);
    EXPECT_EQ(Exchange(MakeMessage(header, call)).proc, RpcRdmaProc::MSG);
    XdrReader reader(m_payload);
    EXPECT_EQ(RpcReplyHeader::Decode(reader)->acceptStatus, RpcAcceptStatus::GARBAGE_ARGS);
    EXPECT_EQ(m_program->reducedItems, 0U);
    ExpectServerClean();
}

TEST_F(ResponderHeader, ChunkShorterThanItsItemIsGarbage)
{
    Open();
    const ByteVector item = MakePattern(5000, 9);
    const HostBuffer buffer = Fill(item);
    RpcRdmaHeader call;
    call.chunks.readList.push_back({44, Expose(buffer, 4000)});
    EXPECT_EQ(Exchange(MakeMessage(call, MakeTake(item, true))).proc, RpcRdmaProc::MSG);
    XdrReader reader(m_payload);
    EXPECT_EQ(RpcReplyHeader::Decode(reader)->acceptStatus, RpcAcceptStatus::GARBAGE_ARGS);
    ExpectServerClean();
}

TEST_F(ResponderHeader, WriteChunksAreFilledInOrderAndReturned)
{
    Open();
    const HostBuffer buffer(m_clientHost.memory, 8192);
    const RpcRdmaSegment segment = Offer(buffer, 8192);
    RpcRdmaHeader call;
    call.chunks.writeList.push_back({{segment.handle, 1000, segment.offset},
                                     {segment.handle, 0, segment.offset + 1000},
                                     {segment.handle, 3000, segment.offset + 1000},
                                     {segment.handle, 500, segment.offset + 4000}});
    call.chunks.writeList.push_back({{segment.handle, 100, segment.offset + 5000}});
    const RpcRdmaHeader reply = Exchange(MakeMessage(call, MakeGive(2001, true)));
    EXPECT_EQ(reply.proc, RpcRdmaProc::MSG);
    RpcRdmaChunkLists expected = call.chunks;
    expected.writeList[0][2].length = 1001;
    expected.writeList[0][3].length = 0;
    expected.writeList[1][0].length = 0;
    EXPECT_EQ(reply.chunks.writeList, expected.writeList);
    EXPECT_EQ(m_payload.size(), 28U);
    ByteVector written(2004);
    buffer.Read(0, written);
    ByteVector pattern = MakePattern(2001, 0x1001);
    pattern.resize(2004); // no pad is written
    EXPECT_EQ(written, pattern);
    EXPECT_TRUE(m_peer->completions.back().withInvalidate);
    EXPECT_EQ(m_peer->completions.back().invalidatedStag, segment.handle);
    ExpectServerClean();
}

TEST_F(ResponderHeader, WriteChunkThatIsTooSmallOrEmptyOrNotForTheItem)
{
    Open();
    const HostBuffer buffer(m_clientHost.memory, 8192);
    RpcRdmaHeader call;
    call.chunks.writeList.push_back({Offer(buffer, 100)});
    EXPECT_EQ(Exchange(MakeMessage(call, MakeGive(101, true))).proc, RpcRdmaProc::ERROR);
    EXPECT_EQ(m_server->GetStatistics().write, 0U);

    call.chunks.writeList.front().clear();
    EXPECT_EQ(Exchange(MakeMessage(call, MakeGive(101, true))).chunks.writeList,
              call.chunks.writeList);
    EXPECT_EQ(m_payload.size(), 28U + 104);

    call.chunks.writeList.front() = {Offer(buffer, 200)};
    const RpcRdmaHeader unused = Exchange(MakeMessage(call, MakeGive(101, false)));
    EXPECT_EQ(unused.chunks.writeList.front().front().length, 0U);
    EXPECT_EQ(m_payload.size(), 28U + 104);
    ExpectServerClean();
}

TEST_F(ResponderHeader, ReplyChunkIsFilledInOrderOrRefused)
{
    Open();
    const HostBuffer buffer(m_clientHost.memory, 8192);
    RpcRdmaHeader call;
    call.chunks.replyChunk = RpcRdmaWriteChunk{Offer(buffer, 8)};
    EXPECT_EQ(Exchange(MakeMessage(call, MakeGive(0, false))).proc, RpcRdmaProc::ERROR);

    const HostBuffer rest(m_clientHost.memory, 4096);
    call.chunks.replyChunk = RpcRdmaWriteChunk{Offer(buffer, 8), Offer(rest, 4096)};
    const RpcRdmaHeader reply = Exchange(MakeMessage(call, MakeGive(50, false)));
    EXPECT_EQ(reply.proc, RpcRdmaProc::NOMSG);
    EXPECT_EQ((*reply.chunks.replyChunk)[0].length, 8U);
    EXPECT_EQ((*reply.chunks.replyChunk)[1].length, 28U + 52 - 8);
    ByteVector written(52);
    rest.Read(20, written);
    ByteVector pattern = MakePattern(50, 0x1001);
    pattern.resize(52);
    EXPECT_EQ(written, pattern);
    ExpectServerClean();
}

TEST_F(ResponderHeader, WriteChunkAndReplyChunkTogether)
{
    Open();
    const HostBuffer item(m_clientHost.memory, 8192);
    const HostBuffer message(m_clientHost.memory, 8192);
    RpcRdmaHeader call;
    call.chunks.writeList.push_back({Offer(item, 8192)});
    call.chunks.replyChunk = RpcRdmaWriteChunk{Offer(message, 8192)};
    const RpcRdmaHeader reply = Exchange(MakeMessage(call, MakeGive(5000, true)));
    EXPECT_EQ(reply.proc, RpcRdmaProc::NOMSG);
    EXPECT_EQ(GetChunkLength(reply.chunks.writeList.front()), 5000U);
    EXPECT_EQ(GetChunkLength(*reply.chunks.replyChunk), 28U);
    ExpectServerClean();
}

TEST_F(ResponderHeader, ReplyTooLargeForInline)
{
    Open();
    EXPECT_EQ(Exchange(MakeMessage({}, MakeGive(4096 - 28 - 28, false))).proc, RpcRdmaProc::MSG);
    EXPECT_EQ(Exchange(MakeMessage({}, MakeGive(4096 - 28 - 27, false))).proc, RpcRdmaProc::ERROR);
    ExpectServerClean();
}

TEST_F(ResponderHeader, ReadThatIsNotAllowedEndsTheConnection)
{
    Open();
    RpcRdmaHeader call;
    call.chunks.readList.push_back({44, {0x7777, 4096, 0}});
    m_peer->Send(MakeMessage(call, MakeTake(MakePattern(4096, 1), true)));
    Run();
    EXPECT_EQ(m_peer->events.back(), CmEventType::DISCONNECTED);
    EXPECT_EQ(m_server->GetConnectionCount(), 0U);
    EXPECT_EQ(m_rpcServer->GetStatistics().calls, 0U);
    ExpectServerClean();
}

TEST_F(ResponderHeader, PeerThatServesNoReadsIsRefused)
{
    ASSERT_TRUE(m_server->Listen());
    m_peer->Connect(MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT), {}, 0);
    Run();
    EXPECT_EQ(m_peer->events, std::vector{CmEventType::REJECTED});
    EXPECT_EQ(m_server->GetStatistics().refused, 1U);
    m_peer->Destroy();
    m_server->Stop();
    Run();
    EXPECT_TRUE(IsZero(m_serverHost.device->GetCensus()));
}

class SilentPeer : public ResponderHeader
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("HonourSizes", BooleanValue(true));
    }

    ByteVector GetPrivateData() override
    {
        return {};
    }
};

TEST_F(SilentPeer, GetsDefaultThresholdAndNoInvalidation)
{
    Open();
    EXPECT_EQ(Exchange(MakeMessage({}, MakeGive(1024 - 56, false))).proc, RpcRdmaProc::MSG);
    EXPECT_EQ(Exchange(MakeMessage({}, MakeGive(1024 - 55, false))).proc, RpcRdmaProc::ERROR);
    const HostBuffer buffer(m_clientHost.memory, 8192);
    RpcRdmaHeader call;
    call.chunks.writeList.push_back({Offer(buffer, 8192)});
    EXPECT_EQ(Exchange(MakeMessage(call, MakeGive(4096, true))).proc, RpcRdmaProc::MSG);
    EXPECT_FALSE(m_peer->completions.back().withInvalidate);
    ExpectServerClean();
}

class StrictServer : public ResponderHeader
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("RefuseEmptyNomsg", BooleanValue(true));
        server->SetAttribute("CreditGrant", StringValue("requested"));
        server->SetAttribute("MaxWriteChunks", UintegerValue(1));
    }
};

TEST_F(StrictServer, RefusesWhatTheRfcRefuses)
{
    Open();
    Expect("00001001 00000001 00000020 00000001 00000000 00000000 00000000",
           "00001001 00000001 00000020 00000004 00000002");
    RpcRdmaHeader call;
    call.chunks.writeList.resize(2);
    EXPECT_EQ(Exchange(MakeMessage(call, MakeGive(4, true))).proc, RpcRdmaProc::ERROR);
    ExpectServerClean();
}

/// A call with a Write chunk that has no segments, for 4 octets.
class EmptyWriteChunk : public ResponderHeader
{
  protected:
    void Use(const std::string& use)
    {
        m_server->SetAttribute("EmptyChunks", StringValue(use));
        Open();
    }

    [[nodiscard]] ByteVector MakeCall()
    {
        RpcRdmaHeader call;
        call.chunks.writeList.resize(1);
        return MakeMessage(call, MakeGive(4, true));
    }
};

TEST_F(EmptyWriteChunk, DataGoInline)
{
    Use("inline");
    EXPECT_EQ(Exchange(MakeCall()).proc, RpcRdmaProc::MSG);
    EXPECT_EQ(m_server->GetConnectionCount(), 1U);
}

TEST_F(EmptyWriteChunk, TheCallIsRefused)
{
    Use("refused");
    EXPECT_EQ(Exchange(MakeCall()).proc, RpcRdmaProc::ERROR);
    EXPECT_EQ(m_server->GetConnectionCount(), 1U);
    ExpectServerClean();
}

/// The RNIC of the client refuses the RDMA Write.
TEST_F(EmptyWriteChunk, DataGoWhereNobodyOffersMemory)
{
    Use("foreign");
    m_peer->Send(MakeCall());
    Run();
    EXPECT_EQ(m_server->GetConnectionCount(), 0U);
}

} // namespace
} // namespace ns3::nfsrdma
