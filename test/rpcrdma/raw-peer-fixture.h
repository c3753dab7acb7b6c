/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPCRDMA_RAW_PEER_FIXTURE_H
#define NFSRDMA_TEST_RPCRDMA_RAW_PEER_FIXTURE_H

#include "rpcrdma/raw-peer.h"
#include "rpcrdma/rpcrdma-fixture.h"

#include <memory>

namespace ns3::nfsrdma
{

/// One side of an RpcRdmaTest is a peer moved by hand, on bare verbs.
class RawPeerTest : public RpcRdmaTest
{
  protected:
    void TearDown() override
    {
        m_peer.reset();
        RpcRdmaTest::TearDown();
    }

    /// \return the octets of \p header with \p payload behind it.
    static ByteVector Encode(const RpcRdmaHeader& header, const ByteVector& payload)
    {
        ByteVector octets(header.GetEncodedSize());
        ByteWriter writer(octets);
        header.Encode(writer);
        octets.insert(octets.end(), payload.begin(), payload.end());
        return octets;
    }

    /// \return the header of a message of \p xid with 32 credits.
    static RpcRdmaHeader MakeHeader(uint32_t xid)
    {
        RpcRdmaHeader header;
        header.xid = xid;
        header.credit = 32;
        return header;
    }

    /// \return the RPC message that calls \p procedure of the EchoProgram.
    static ByteVector MakeEchoCall(uint32_t xid, uint32_t procedure, const ByteVector& arguments)
    {
        RpcCallHeader header;
        header.xid = xid;
        header.program = EchoProgram::PROGRAM;
        header.version = EchoProgram::VERSION;
        header.procedure = procedure;
        XdrWriter writer;
        header.Encode(writer);
        ByteVector octets = writer.Take();
        octets.insert(octets.end(), arguments.begin(), arguments.end());
        return octets;
    }

    /// \return the RPC message that asks for \p length octets and \p tailWords words.
    static ByteVector MakeGiveCall(uint32_t xid, uint32_t length, bool eligible, uint32_t tailWords)
    {
        XdrWriter writer;
        writer.WriteU32(length);
        writer.WriteBool(eligible);
        writer.WriteU32(tailWords);
        return MakeEchoCall(xid, EchoProgram::GIVE, writer.Take());
    }

    /// \return the RPC message that answers a TAKE of nothing.
    static ByteVector MakeTakeReply(uint32_t xid)
    {
        RpcReplyHeader header;
        header.xid = xid;
        XdrWriter writer;
        header.Encode(writer);
        writer.WriteU32(0);
        writer.WriteU32(0);
        writer.WriteU32(0x600dbeef);
        return writer.Take();
    }

    std::unique_ptr<RawPeer> m_peer;
};

/// RpcRdmaClient against a responder moved by hand.
class RawResponderTest : public RawPeerTest
{
  protected:
    void SetUp() override
    {
        RawPeerTest::SetUp();
        m_peer = std::make_unique<RawPeer>(m_serverHost.device);
    }

    void OpenWith(const ByteVector& privateData)
    {
        ASSERT_TRUE(m_peer->Listen(RpcRdmaServer::NFS_RDMA_PORT, privateData));
        m_client->Connect();
        Run();
        ASSERT_TRUE(m_client->IsConnected());
    }

    void ExpectClientClean()
    {
        m_client->Disconnect();
        Run();
        m_peer->Destroy();
        Run();
        EXPECT_TRUE(m_client->IsIdle());
        EXPECT_TRUE(IsZero(m_clientHost.device->GetCensus()));
    }
};

/// RpcRdmaServer against a requester moved by hand.
class RawRequesterTest : public RawPeerTest
{
  protected:
    void SetUp() override
    {
        RawPeerTest::SetUp();
        m_peer = std::make_unique<RawPeer>(m_clientHost.device);
    }

    /// Ends the connection, if it stands, and the server, and expects that nothing is left.
    /// \param settle runs until what was begun is over
    void ExpectServerClean(void (*settle)() = Run)
    {
        if (m_server->GetConnectionCount() > 0)
        {
            m_peer->Disconnect();
            settle();
        }
        m_peer->Destroy();
        m_server->Stop();
        settle();
        EXPECT_TRUE(IsZero(m_clientHost.device->GetCensus()));
        EXPECT_TRUE(IsZero(m_serverHost.device->GetCensus()));
        EXPECT_EQ(m_serverHost.memory->GetAllocationCount(), 0U);
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPCRDMA_RAW_PEER_FIXTURE_H
