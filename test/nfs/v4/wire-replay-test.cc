/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-pcap.h"
#include "mpa/tcp-preset.h"
#include "nfs/v3/status3.h"
#include "nfs/v4/captured-rpcs.h"
#include "nfs/v4/captured-tree.h"
#include "nfs/v4/protocol/callback-compound.h"
#include "nfs/v4/server/service.h"
#include "rdma-host.h"
#include "rpcrdma/client/requester.h"
#include "rpcrdma/server/responder.h"
#include "temporary-file.h"
#include "workload/replay/compounds-again.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{
namespace
{

constexpr uint16_t MTU = 1500;

/// Answers callbacks as a CompoundReplay does, and tells of it.
class CallbackProgram : public RpcProgram
{
  public:
    using Answer = std::function<CbCompound4Res(const CbCompound4Args& args)>;

    void SetAnswer(Answer answer)
    {
        m_answer = std::move(answer);
    }

    void SetAnswered(std::function<void()> answered)
    {
        m_answered = std::move(answered);
    }

    [[nodiscard]] uint32_t GetProgram() const override
    {
        return NFS4_CALLBACK_PROGRAM;
    }

    [[nodiscard]] uint32_t GetVersion() const override
    {
        return NFS4_CALLBACK_VERSION;
    }

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override
    {
        RpcServerReply reply;
        if (call->header.procedure == CB_COMPOUND)
        {
            XdrReader reader(ByteSpan(call->message.octets).subspan(call->argumentsPosition));
            XdrWriter writer;
            m_answer(*CbCompound4Args::Decode(reader)).Encode(writer);
            reply.results.octets = writer.Take();
        }
        done(std::move(reply));
        if (call->header.procedure == CB_COMPOUND && m_answered)
        {
            // The answer is on its way before whatever it makes the client do.
            Simulator::Schedule(MilliSeconds(1), m_answered);
        }
    }

  private:
    Answer m_answer;
    std::function<void()> m_answered;
};

/// What crossed the wire for an RPC: message types, lengths of Sends and of each chunk.
std::string
Describe(const CapturedRpc& rpc)
{
    std::string text;
    const auto add = [&text](const char* name, const RpcRdmaWriteChunk& chunk) {
        text += name;
        for (const RpcRdmaSegment& segment : chunk)
        {
            text += " " + std::to_string(segment.length);
        }
    };
    const auto addLists = [&](const RpcRdmaHeader& header, std::size_t octets) {
        text += std::string(ToString(header.proc)) + " " + std::to_string(octets);
        for (const RpcRdmaReadSegment& segment : header.chunks.readList)
        {
            text += " Read " + std::to_string(segment.position) + ":" +
                    std::to_string(segment.target.length);
        }
        for (const RpcRdmaWriteChunk& chunk : header.chunks.writeList)
        {
            add(" Write", chunk);
        }
        if (header.chunks.replyChunk)
        {
            add(" Reply", *header.chunks.replyChunk);
        }
        text += " credits " + std::to_string(header.credit);
    };
    addLists(rpc.callTransport, rpc.callOctets);
    if (rpc.replyTransport)
    {
        text += " / ";
        addLists(*rpc.replyTransport, rpc.replyOctets);
    }
    return text;
}

/// A client and a server on one link; the client makes the calls of a capture again.
class Nfs41WireReplay : public testing::Test
{
  protected:
    void SetUp() override
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        DataCenterTcpPreset().Apply(MTU);
        const auto channel = CreateObject<EthernetChannel>();
        m_clientHost = MakeRdmaHost(2, channel, MTU);
        m_serverHost = MakeRdmaHost(1, channel, MTU);
    }

    void TearDown() override
    {
        m_replay.reset();
        Simulator::Destroy();
    }

    void Load(const std::string& name)
    {
        m_captured = ReadCapturedRpcs(name);
        std::vector<RecordedCompound> compounds;
        for (const CapturedRpc& rpc : m_captured)
        {
            if (!rpc.reverse)
            {
                compounds.push_back(Record(rpc));
            }
        }
        MakeServer(CapturedTree(compounds));
        MakeClient();
        std::size_t index = 0;
        for (std::size_t i = 0; i < m_captured.size(); ++i)
        {
            if (m_captured[i].reverse)
            {
                m_recallBefore = index;
                XdrReader reader(m_captured[i].GetArguments());
                const auto args = CbCompound4Args::Decode(reader);
                m_recalled = std::get<CbRecallArgs4>(args->ops.at(1)).fh;
            }
            else
            {
                m_recorded.push_back(
                    std::make_shared<RecordedCompound>(std::move(compounds[index++])));
            }
        }
    }

    static RecordedCompound Record(const CapturedRpc& rpc)
    {
        RecordedCompound recorded;
        recorded.name = rpc.ToString();
        recorded.procedure = rpc.callHeader.procedure;
        if (recorded.procedure == NFSPROC4_NULL)
        {
            return recorded;
        }
        XdrReader reader(rpc.GetArguments());
        auto items = Nfs4DataItems::OfCall(rpc.call, static_cast<uint32_t>(rpc.argumentsPosition));
        recorded.call = *Compound4Args::Decode(reader, &items);
        if (rpc.replyTransport)
        {
            XdrReader results(rpc.GetResults());
            auto resultItems = Nfs4DataItems::OfReply(rpc.reply);
            recorded.reply = *Compound4Res::Decode(results, &resultItems);
        }
        const auto& replyChunk = rpc.callTransport.chunks.replyChunk;
        recorded.aclOctets = replyChunk && replyChunk->size() == 3 ? replyChunk->at(1).length : 0;
        return recorded;
    }

    void MakeServer(const CapturedTree& tree)
    {
        m_store = CreateObject<FileStore>();
        tree.Build(*m_store);
        m_program = CreateObject<Nfs4Server>();
        m_program->SetFileStore(m_store);
        m_program->SetHostMemory(m_serverHost.device->GetHostMemory());
        const auto rpcServer = CreateObject<RpcServer>();
        rpcServer->Register(m_program);
        m_server = CreateObject<RpcRdmaServer>();
        m_server->SetDevice(m_serverHost.device);
        m_server->SetRpcServer(rpcServer);
        m_program->SetCallbackRoutes({[this](const IpAddress& address, uint64_t connection) {
                                          return m_server->GetReverseTransport(address, connection);
                                      },
                                      {},
                                      {}});
        ASSERT_TRUE(m_server->Listen());
    }

    void MakeClient()
    {
        m_transport = CreateObject<RpcRdmaClient>();
        m_transport->SetDevice(m_clientHost.device);
        m_transport->SetServer(
            MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT));
        m_callbackServer = CreateObject<RpcServer>();
        m_callbacks = CreateObject<CallbackProgram>();
        m_callbackServer->Register(m_callbacks);
        m_transport->SetReverseServer(m_callbackServer);
        const auto rpc = CreateObject<RpcClient>();
        rpc->SetTransport(m_transport);
        for (const CapturedRpc& captured : m_captured)
        {
            if (captured.callHeader.procedure == NFSPROC4_COMPOUND && !captured.reverse)
            {
                rpc->SetCredential(captured.callHeader.authSys);
                break;
            }
        }
        m_replay = std::make_unique<CompoundReplay>(rpc, m_clientHost.device->GetHostMemory());
        m_callbacks->SetAnswer(
            [this](const CbCompound4Args& args) { return m_replay->Answer(args); });
    }

    void Run()
    {
        const auto pcap = CreateObject<EthernetPcap>();
        ASSERT_TRUE(pcap->Open(m_file.GetPath(), m_clientHost.port));
        m_transport->Connect();
        Next();
        Simulator::Stop(Seconds(1000));
        Simulator::Run();
        pcap->Close();
    }

    /// Makes the next call, after the callback when it is its turn.
    void Next()
    {
        if (m_next == m_recorded.size())
        {
            m_transport->Disconnect();
            return;
        }
        if (m_next == m_recallBefore)
        {
            m_recallBefore.reset();
            m_callbacks->SetAnswered([this] { Next(); });
            Recall();
            return;
        }
        const auto& recorded = m_recorded[m_next++];
        m_replay->Issue(recorded, [this, recorded](const CompoundReplay::Outcome& outcome) {
            m_compared += outcome.compared;
            for (const std::string& mismatch : outcome.mismatches)
            {
                ADD_FAILURE() << recorded->name << ": " << mismatch;
            }
            Next();
        });
    }

    /// A process of the server changes the file that the captured callback is about.
    void Recall()
    {
        const auto own = m_replay->GetIdentifiers().FindHandle(m_recalled);
        ASSERT_TRUE(own);
        for (const FileListing& file : m_store->List(*m_store->GetExport("export")))
        {
            const NfsFh3 handle = m_store->GetHandle(file.inode);
            if (Nfs4Fh(handle.AsSpan()) == *own)
            {
                EXPECT_TRUE(m_program->BreakDelegations(file.inode));
            }
        }
    }

    RdmaHost m_clientHost;
    RdmaHost m_serverHost;
    Ptr<FileStore> m_store;
    Ptr<Nfs4Server> m_program;
    Ptr<RpcRdmaServer> m_server;
    Ptr<RpcRdmaClient> m_transport;
    Ptr<RpcServer> m_callbackServer;
    Ptr<CallbackProgram> m_callbacks;
    std::vector<CapturedRpc> m_captured;
    std::unique_ptr<CompoundReplay> m_replay;
    std::vector<std::shared_ptr<const RecordedCompound>> m_recorded;
    std::size_t m_next{0};
    uint64_t m_compared{0};
    std::optional<std::size_t> m_recallBefore;
    Nfs4Fh m_recalled;
    TemporaryFile m_file;
};

/**
 * The course of the capture nfs-v4.1-nfsd-restart: nfsd stops when the fifth WRITE has been sent;
 * the connection is closed, the next attempt meets a RST, 3 s later there is a connection, and the
 * first call on it has the XID of that WRITE. Its session is unknown, so is the client ID; a new
 * client ID and session, no grace period, no open to reclaim, OPEN anew, the WRITE again.
 */
TEST_F(Nfs41WireReplay, RestartOfTheServer)
{
    constexpr uint32_t FIFTH_WRITE = 29;
    Load("linux-6.1-nfs-v4.1-nfsd-restart");
    // The recorded server lets nobody reclaim.
    m_program->SetAttribute("RecordClients", BooleanValue(false));
    std::vector<uint32_t> sent;
    std::vector<Time> waits;
    m_transport->TraceConnectWithoutContext(
        "CallSent",
        Callback<void, const RpcRecord&>([this, &sent](const RpcRecord& record) {
            sent.push_back(record.xid);
            if (sent.size() == FIFTH_WRITE)
            {
                m_server->Stop();
                m_program->Restart();
                Simulator::Schedule(Seconds(1), [this] { EXPECT_TRUE(m_server->Listen()); });
            }
        }));
    m_transport->TraceConnectWithoutContext("Retry", Callback<void, Time>([&waits](Time delay) {
                                                waits.push_back(delay);
                                            }));
    Run();
    EXPECT_EQ(m_next, m_recorded.size());
    EXPECT_GT(m_compared, 100U);
    EXPECT_EQ(waits, (std::vector{Time(0), Seconds(3)}));
    ASSERT_EQ(sent.size(), m_recorded.size() + 1);
    EXPECT_EQ(sent[FIFTH_WRITE], sent[FIFTH_WRITE - 1]);
}

TEST_F(Nfs41WireReplay, EachCallCrossesTheWireAsLinuxs)
{
    Load("linux-6.1-nfs-v4.1-mtu1500");
    Run();
    EXPECT_GT(m_compared, 2500U);
    const auto simulated = ReadCapturedRpcsOf(m_file.GetPath());
    ASSERT_EQ(simulated.size(), m_captured.size());
    uint32_t same = 0;
    for (std::size_t i = 0; i < simulated.size(); ++i)
    {
        const std::string real = Describe(m_captured[i]);
        const std::string mine = Describe(simulated[i]);
        EXPECT_EQ(mine, real) << i << " " << m_captured[i].ToString();
        same += mine == real ? 1 : 0;
    }
    EXPECT_EQ(same, m_captured.size());
}

} // namespace
} // namespace ns3::nfsrdma::test
