/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/capture-file.h"
#include "helper/capture/rpcrdma-conversation.h"
#include "rpcrdma/raw-peer.h"
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/simulator.h"

#include <deque>

namespace ns3::nfsrdma
{
namespace
{

const std::string PROBES = NFSRDMA_SOURCE_DIR "/test/data/linux-6.1-nfs-v3-rpcrdma-probes.pcap.gz";

/// Answers NULL of NFS version 3, the only procedure that the probes call.
class NullProgram : public RpcProgram
{
  public:
    [[nodiscard]] uint32_t GetProgram() const override
    {
        return 100003;
    }

    [[nodiscard]] uint32_t GetVersion() const override
    {
        return 3;
    }

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override
    {
        EXPECT_EQ(call->header.procedure, 0U);
        done({});
    }
};

/**
 * Each probe of the capture, sent to RpcRdmaServer with its default attributes; what comes back is
 * what Linux sent, but for the names of memory.
 */
class ProbeReplay : public RpcRdmaTest, public testing::WithParamInterface<std::size_t>
{
  protected:
    /// Memory of the peer in the place of a segment of the captured call.
    struct Lent
    {
        RpcRdmaSegment captured;
        RpcRdmaSegment own;
        HostBuffer buffer;
    };

    void SetUp() override
    {
        RpcRdmaTest::SetUp();
        m_rpcServer->Register(CreateObject<NullProgram>());
        m_peer = std::make_unique<RawPeer>(m_clientHost.device);
        const auto file = ReadCaptureFile(PROBES);
        m_capture = TcpCapture::Read(file.value()).value();
    }

    void TearDown() override
    {
        m_lent.clear();
        m_peer.reset();
        RpcRdmaTest::TearDown();
    }

    /// \return the payloads of the messages of \p opcode that \p side sent.
    static std::vector<ByteVector> GetPayloads(const MpaConversation& conversation,
                                               std::size_t side,
                                               RdmapOpcode opcode)
    {
        std::vector<ByteVector> payloads;
        bool open = false;
        for (const CapturedFpdu& fpdu : conversation.GetDirection(side).fpdus)
        {
            if (fpdu.opcode != opcode)
            {
                continue;
            }
            if (!open)
            {
                payloads.emplace_back();
            }
            payloads.back().insert(payloads.back().end(), fpdu.payload.begin(), fpdu.payload.end());
            open = !fpdu.last;
        }
        return payloads;
    }

    void Lend(RpcRdmaSegment& segment, const ByteVector& content, uint32_t access)
    {
        Lent& lent = m_lent.emplace_back();
        lent.captured = segment;
        lent.buffer = HostBuffer(m_clientHost.memory, std::max<uint32_t>(segment.length, 1));
        lent.buffer.Write(0, content);
        lent.own = m_peer->Register(lent.buffer, segment.length, access);
        segment.handle = lent.own.handle;
        segment.offset = lent.own.offset;
    }

    /// \return the call with memory of the peer in its chunks, as far as it has good ones.
    ByteVector MakeCall(const CapturedRpcRdma& call, const std::vector<ByteVector>& served)
    {
        if (!call.header)
        {
            return call.octets;
        }
        RpcRdmaHeader header = *call.header;
        std::size_t next = 0;
        for (RpcRdmaReadSegment& segment : header.chunks.readList)
        {
            if (next < served.size())
            {
                Lend(segment.target, served[next++], ACCESS_REMOTE_READ);
            }
        }
        const uint32_t writable = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE;
        for (RpcRdmaWriteChunk& chunk : header.chunks.writeList)
        {
            for (RpcRdmaSegment& segment : chunk)
            {
                Lend(segment, {}, writable);
            }
        }
        if (header.chunks.replyChunk)
        {
            for (RpcRdmaSegment& segment : *header.chunks.replyChunk)
            {
                Lend(segment, {}, writable);
            }
        }
        ByteVector octets(header.GetEncodedSize());
        ByteWriter writer(octets);
        header.Encode(writer);
        octets.insert(octets.end(), call.GetPayload().begin(), call.GetPayload().end());
        return octets;
    }

    /// \return an answer with the captured names of memory.
    ByteVector Rename(const ByteVector& answer)
    {
        ByteReader reader(answer);
        auto header = RpcRdmaHeader::Decode(reader);
        if (!header)
        {
            return answer;
        }
        const auto rename = [this](RpcRdmaSegment& segment) {
            for (const Lent& lent : m_lent)
            {
                if (lent.own.handle == segment.handle && lent.own.offset == segment.offset)
                {
                    segment.handle = lent.captured.handle;
                    segment.offset = lent.captured.offset;
                    return;
                }
            }
        };
        for (RpcRdmaWriteChunk& chunk : header->chunks.writeList)
        {
            std::for_each(chunk.begin(), chunk.end(), rename);
        }
        if (header->chunks.replyChunk)
        {
            std::for_each(header->chunks.replyChunk->begin(),
                          header->chunks.replyChunk->end(),
                          rename);
        }
        ByteVector octets(header->GetEncodedSize());
        ByteWriter writer(octets);
        header->Encode(writer);
        octets.insert(octets.end(), reader.Rest().begin(), reader.Rest().end());
        return octets;
    }

    [[nodiscard]] Stag FindOwn(Stag captured) const
    {
        for (const Lent& lent : m_lent)
        {
            if (lent.captured.handle == captured)
            {
                return lent.own.handle;
            }
        }
        return captured;
    }

    std::unique_ptr<RawPeer> m_peer;
    TcpCapture m_capture;
    std::deque<Lent> m_lent;
};

TEST_P(ProbeReplay, IsAnsweredAsLinuxDid)
{
    const MpaConversation conversation(m_capture.conversations.at(GetParam()));
    const RpcRdmaConversation messages(conversation);
    const std::size_t initiator = conversation.GetInitiator();
    const CapturedRpcRdma& call = messages.GetMessages().front();
    const CapturedRpcRdma* const expected = messages.FindAnswer(0);
    const auto served = GetPayloads(conversation, initiator, RdmapOpcode::READ_RESPONSE);
    const bool terminated = !GetPayloads(conversation, initiator, RdmapOpcode::TERMINATE).empty();

    ASSERT_TRUE(m_server->Listen());
    const auto privateData = RpcRdmaPrivateData::Decode(conversation.GetRequest()->privateData);
    m_peer->Connect(MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT),
                    privateData ? privateData->Encode() : ByteVector());
    Run();
    ASSERT_EQ(m_peer->events, std::vector{CmEventType::ESTABLISHED});
    const auto offered = RpcRdmaPrivateData::Decode(conversation.GetReply()->privateData);
    ASSERT_TRUE(offered);
    EXPECT_EQ(m_peer->peer.Encode(), offered->Encode());

    m_peer->Send(MakeCall(call, served));
    Run();
    EXPECT_EQ(m_server->GetConnectionCount(), terminated ? 0U : 1U);
    const std::size_t reads =
        GetPayloads(conversation, 1 - initiator, RdmapOpcode::READ_REQUEST).size();
    EXPECT_EQ(m_server->GetStatistics().read, reads);

    const auto written = GetPayloads(conversation, 1 - initiator, RdmapOpcode::WRITE);
    EXPECT_EQ(m_server->GetStatistics().write, written.size());
    for (std::size_t i = 0; i < written.size(); ++i)
    {
        ByteVector octets(written[i].size());
        m_lent[i].buffer.Read(0, octets);
        EXPECT_EQ(octets, written[i]);
    }
    if (!expected)
    {
        EXPECT_TRUE(m_peer->received.empty());
        return;
    }
    ASSERT_EQ(m_peer->received.size(), 1U);
    EXPECT_EQ(Rename(m_peer->received.front()), expected->octets);
    const WorkCompletion& completion = m_peer->completions.front();
    EXPECT_EQ(completion.withInvalidate, expected->invalidated.has_value());
    if (expected->invalidated)
    {
        EXPECT_EQ(completion.invalidatedStag, FindOwn(*expected->invalidated));
    }
}

INSTANTIATE_TEST_SUITE_P(Linux, ProbeReplay, testing::Range(std::size_t{0}, std::size_t{17}));

TEST(ProbeReplayCapture, HasSeventeenProbes)
{
    const auto file = ReadCaptureFile(PROBES);
    EXPECT_EQ(TcpCapture::Read(file.value()).value().conversations.size(), 17U);
}

} // namespace
} // namespace ns3::nfsrdma
