/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/internet-address.h"
#include "rpcrdma/raw-peer-fixture.h"
#include "rpcrdma/server/failed-calls.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{
namespace
{

/// RpcRdmaServer with other than default rules against a hand-made requester.
class ResponderRules : public RawRequesterTest
{
  protected:
    void SetUp() override
    {
        RawRequesterTest::SetUp();
        m_server->TraceConnectWithoutContext(
            "Refused",
            Callback<void, uint32_t, CallVerdict, CallFault>(
                [this](uint32_t, CallVerdict, CallFault fault) { m_faults.push_back(fault); }));
        ASSERT_TRUE(m_server->Listen());
        Reopen();
    }

    void Reopen()
    {
        m_peer = std::make_unique<RawPeer>(m_clientHost.device);
        m_peer->Connect(MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT),
                        RpcRdmaPrivateData{true, 4096, 4096}.Encode());
        Run();
        ASSERT_EQ(m_peer->events, std::vector{CmEventType::ESTABLISHED});
    }

    void Send(RpcRdmaHeader header, uint32_t xid, const ByteVector& payload)
    {
        header.xid = xid;
        header.credit = 32;
        m_peer->Send(Encode(header, payload));
    }

    RpcRdmaHeader GetAnswer()
    {
        EXPECT_EQ(m_peer->received.size(), 1U);
        if (m_peer->received.empty())
        {
            return {};
        }
        const ByteVector message = m_peer->received.back();
        m_peer->received.clear();
        ByteReader reader(message);
        return RpcRdmaHeader::Decode(reader).value();
    }

    void ExpectErrorChunk(CallFault fault)
    {
        const RpcRdmaHeader answer = GetAnswer();
        EXPECT_EQ(answer.proc, RpcRdmaProc::ERROR);
        EXPECT_EQ(answer.error, RpcRdmaErrorCode::ERR_CHUNK);
        ASSERT_FALSE(m_faults.empty());
        EXPECT_EQ(m_faults.back(), fault) << ToString(m_faults.back());
        EXPECT_EQ(m_server->GetStatistics().read, 0U);
        EXPECT_EQ(m_server->GetConnectionCount(), 1U);
    }

    std::vector<CallFault> m_faults;
};

class LimitedProgram : public ResponderRules
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("ProgramLimits", BooleanValue(true));
        server->SetAttribute("HeaderRules", StringValue("rfc8166"));
        m_program->limits = {10000, 20000};
        m_program->serviceTime = MicroSeconds(100);
    }
};

TEST_F(LimitedProgram, RefusesLargerChunksBeforeAnyRead)
{
    RpcRdmaHeader call;
    call.chunks.readList = {{44, {0x77, 10004, 0}}};
    Send(call, 1, MakeEchoCall(1, EchoProgram::TAKE, ByteVector(4)));
    Run();
    ExpectErrorChunk(CallFault::CALL_TOO_LARGE);

    call.proc = RpcRdmaProc::NOMSG; // the program is not to be seen
    call.chunks.readList = {{0, {0x77, 10004, 0}}};
    Send(call, 2, {});
    Run();
    ExpectErrorChunk(CallFault::CALL_TOO_LARGE);

    call = RpcRdmaHeader();
    call.chunks.replyChunk = RpcRdmaWriteChunk{{0x78, 20000, 0}, {0x79, 1, 0}};
    Send(call, 3, MakeGiveCall(3, 0, true, 0));
    Run();
    ExpectErrorChunk(CallFault::REPLY_TOO_LARGE);
    const SvcRdmaStatistics& statistics = m_server->GetStatistics();
    EXPECT_EQ(statistics.faults.at(static_cast<std::size_t>(CallFault::CALL_TOO_LARGE)), 2U);
    EXPECT_EQ(statistics.faults.at(static_cast<std::size_t>(CallFault::REPLY_TOO_LARGE)), 1U);
    ExpectServerClean();
}

TEST_F(LimitedProgram, DuplicateInServiceIsDiscardedAndAfterwardsServed)
{
    Send({}, 5, MakeGiveCall(5, 100, true, 0));
    Send({}, 5, MakeGiveCall(5, 100, true, 0));
    Run();
    EXPECT_EQ(GetAnswer().proc, RpcRdmaProc::MSG);
    EXPECT_EQ(m_faults, std::vector{CallFault::DUPLICATE_XID});
    Send({}, 5, MakeGiveCall(5, 100, true, 0));
    Run();
    EXPECT_EQ(GetAnswer().proc, RpcRdmaProc::MSG);
    ExpectServerClean();
}

TEST_F(LimitedProgram, OtherXidInTheMessageIsRefused)
{
    Send({}, 6, MakeGiveCall(7, 100, true, 0));
    Run();
    ExpectErrorChunk(CallFault::XID);
    ExpectServerClean();
}

TEST_F(ResponderRules, LinuxServesDuplicatesAndOtherXids)
{
    m_program->serviceTime = MicroSeconds(100);
    Send({}, 5, MakeGiveCall(5, 100, true, 0));
    Send({}, 5, MakeGiveCall(5, 100, true, 0));
    Send({}, 6, MakeGiveCall(7, 100, true, 0));
    Run();
    EXPECT_EQ(m_peer->received.size(), 3U);
    EXPECT_TRUE(m_faults.empty());
    ExpectServerClean();
}

class CarelessServer : public ResponderRules
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("Careless", BooleanValue(true));
        server->SetAttribute("FailedCallMemory", UintegerValue(8));
    }

    void ExpectLost()
    {
        EXPECT_EQ(m_peer->events.back(), CmEventType::DISCONNECTED);
        EXPECT_EQ(m_server->GetConnectionCount(), 0U);
    }
};

TEST_F(CarelessServer, PassesTheEndOfAWriteChunkAndLosesTheConnection)
{
    HostBuffer memory(m_clientHost.memory, 8192);
    memory.Write(0, ByteVector(8192, 0xa5));
    RpcRdmaHeader call;
    call.chunks.writeList = {
        {m_peer->Register(memory, 1000, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE)}};
    Send(call, 9, MakeGiveCall(9, 5000, true, 0));
    Run();
    ExpectLost();
    ByteVector after(8192 - 1000);
    memory.Read(1000, after);
    EXPECT_EQ(after, ByteVector(8192 - 1000, 0xa5));

    // The same Call on a new connection gets its error; another one does not.
    m_peer->Destroy();
    Reopen();
    Send(call, 9, MakeGiveCall(9, 5000, true, 0));
    Run();
    ExpectErrorChunk(CallFault::FAILED_BEFORE);
    Send({}, 10, MakeGiveCall(10, 100, true, 0));
    Run();
    EXPECT_EQ(GetAnswer().proc, RpcRdmaProc::MSG);
    ExpectServerClean();
}

TEST_F(CarelessServer, PassesTheEndOfAReplyChunkOrTheThreshold)
{
    HostBuffer memory(m_clientHost.memory, 8192);
    RpcRdmaHeader call;
    call.chunks.replyChunk =
        RpcRdmaWriteChunk{m_peer->Register(memory, 100, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE)};
    Send(call, 9, MakeGiveCall(9, 500, true, 0));
    Run();
    ExpectLost();
    m_peer->Destroy();
    Reopen();
    Send({}, 10, MakeGiveCall(10, 20000, true, 0)); // into a receive of 16384 octets
    Run();
    ExpectLost();
    ExpectServerClean();
}

TEST_F(CarelessServer, ServesWhatFits)
{
    HostBuffer memory(m_clientHost.memory, 8192);
    RpcRdmaHeader call;
    call.chunks.writeList = {
        {m_peer->Register(memory, 8192, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE)}};
    Send(call, 9, MakeGiveCall(9, 8192, true, 0));
    Run();
    EXPECT_EQ(GetChunkLength(GetAnswer().chunks.writeList.front()), 8192U);
    ExpectServerClean();
}

class Remembering : public ResponderRules
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("FailedCallMemory", UintegerValue(2));
    }
};

TEST_F(Remembering, CallWhoseReadWasRefusedGetsItsErrorWhenItComesAgain)
{
    RpcRdmaHeader call;
    call.chunks.readList = {{44, {0x7777, 4096, 0}}};
    const ByteVector payload = MakeEchoCall(9, EchoProgram::TAKE, ByteVector{0, 0, 16, 0});
    Send(call, 9, payload);
    Run();
    EXPECT_EQ(m_server->GetConnectionCount(), 0U);
    EXPECT_EQ(m_rpcServer->GetStatistics().calls, 0U);
    m_peer->Destroy();
    Reopen();
    Send(call, 9, payload);
    Run();
    EXPECT_EQ(GetAnswer().proc, RpcRdmaProc::ERROR);
    EXPECT_EQ(m_faults, std::vector{CallFault::FAILED_BEFORE});
    // Once: what comes a third time may be good.
    HostBuffer item(m_clientHost.memory, 4096);
    call.chunks.readList.front().target = m_peer->Register(item, 4096, ACCESS_REMOTE_READ);
    ByteVector whole = payload;
    whole.insert(whole.end(), 4, 0);
    Send(call, 9, whole);
    Run();
    EXPECT_EQ(GetAnswer().proc, RpcRdmaProc::MSG);
    ExpectServerClean();
}

TEST(SvcRdmaFailedCallsTest, ForgetsTheOldestFirst)
{
    SvcRdmaFailedCalls calls(2);
    EXPECT_TRUE(calls.IsEmpty());
    calls.Add(1, 10);
    calls.Add(1, 10);
    calls.Add(2, 10);
    calls.Add(1, 11);
    EXPECT_FALSE(calls.Take(1, 10));
    EXPECT_TRUE(calls.Take(2, 10));
    EXPECT_FALSE(calls.Take(2, 10));
    EXPECT_TRUE(calls.Take(1, 11));
    EXPECT_TRUE(calls.IsEmpty());
    SvcRdmaFailedCalls none(0);
    none.Add(1, 10);
    EXPECT_TRUE(none.IsEmpty());
}

} // namespace
} // namespace ns3::nfsrdma
