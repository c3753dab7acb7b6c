/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/rpc-loop.h"
#include "rpc/tcp/caller.h"
#include "rpc/tcp/listener.h"
#include "rpc/tcp/record-marking.h"
#include "rpc/tcp/tcp-pair.h"
#include "tls/endpoint.h"
#include "tls/identity.h"
#include "tls/session.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t MAX_RECORD = 1 << 20;

/// One end of a TCP connection that a test speaks for: records in clear, and in TLS.
class RawPeer
{
  public:
    using Handler = std::function<void(RawPeer&, const ByteVector& record)>;

    RawPeer(const Ptr<Socket>& socket, Handler handler)
        : m_socket(socket),
          m_handler(std::move(handler))
    {
        m_socket->SetRecvCallback(MakeCallback(&RawPeer::Take, this));
        m_socket->SetCloseCallbacks(MakeCallback(&RawPeer::NoteEnd, this),
                                    MakeCallback(&RawPeer::NoteEnd, this));
    }

    void Send(const ByteVector& octets)
    {
        m_socket->Send(octets.data(), octets.size(), 0);
    }

    /// Sends \p message as a record, in TLS where that is open.
    void SendRecord(const ByteVector& message)
    {
        const ByteVector record = MarkRecord(message, RpcFragmentHeader::MAX_LENGTH);
        Send(session && session->GetState() == TlsSession::State::OPEN ? session->Protect(record)
                                                                       : record);
    }

    /// What comes from now on is TLS.
    void StartTls(const TlsEndpoint& endpoint)
    {
        session = std::make_unique<TlsSession>(endpoint, "raw", "server-0");
        session->Start();
        Flush();
    }

    void Flush()
    {
        if (session->HasOutput())
        {
            Send(session->TakeOutput());
        }
    }

    void Close()
    {
        m_socket->Close();
    }

    std::unique_ptr<TlsSession> session;
    std::vector<ByteVector> records;
    ByteVector inTls; ///< Octets that have come since StartTls().
    bool isOver{false};

  private:
    void Take(Ptr<Socket> socket)
    {
        while (const Ptr<Packet> packet = socket->Recv())
        {
            if (packet->GetSize() == 0)
            {
                return;
            }
            ByteVector octets(packet->GetSize());
            packet->CopyData(octets.data(), octets.size());
            if (session)
            {
                inTls.insert(inTls.end(), octets.begin(), octets.end());
                octets = session->Receive(octets);
                Flush();
            }
            ByteSpan rest(octets);
            for (auto taken = m_decoder.Take(rest); taken && *taken; taken = m_decoder.Take(rest))
            {
                records.push_back(std::move(**taken));
                m_handler(*this, ByteVector(records.back()));
            }
        }
    }

    void NoteEnd(Ptr<Socket> /* socket */)
    {
        isOver = true;
    }

    Ptr<Socket> m_socket;
    Handler m_handler;
    RecordMarkingDecoder m_decoder{MAX_RECORD};
};

ByteVector
MakeCall(uint32_t xid, uint32_t procedure, RpcAuthFlavor flavor)
{
    RpcCallHeader header;
    header.xid = xid;
    header.program = 400000;
    header.version = 3;
    header.procedure = procedure;
    header.flavor = flavor;
    XdrWriter writer;
    header.Encode(writer);
    if (procedure != 0)
    {
        writer.WriteU32(1);
        writer.WriteU32(2);
    }
    return writer.Take();
}

ByteVector
MakeReply(uint32_t xid, bool startTls, RpcAcceptStatus status = RpcAcceptStatus::SUCCESS)
{
    RpcReplyHeader header;
    header.xid = xid;
    header.startTls = startTls;
    header.acceptStatus = status;
    XdrWriter writer;
    header.Encode(writer);
    return writer.Take();
}

uint32_t
GetXid(const ByteVector& record)
{
    return XdrReader(record).ReadU32();
}

bool
IsProbe(const ByteVector& record)
{
    XdrReader reader(record);
    const auto header = RpcCallHeader::Decode(reader);
    return header && header->flavor == RpcAuthFlavor::TLS;
}

RpcReplyHeader
DecodeReply(const ByteVector& record)
{
    XdrReader reader(record);
    const auto header = RpcReplyHeader::Decode(reader);
    EXPECT_TRUE(header);
    return header ? *header : RpcReplyHeader();
}

ByteVector
Join(std::initializer_list<ByteVector> parts)
{
    ByteVector all;
    for (const ByteVector& part : parts)
    {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

ByteVector
Mark(const ByteVector& message)
{
    return MarkRecord(message, RpcFragmentHeader::MAX_LENGTH);
}

/// A fatal alert in clear: handshake_failure.
const ByteVector HANDSHAKE_FAILURE{0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28};

/// A client or a server of TLS on sockets of a host, against a peer that the test speaks for.
class TlsPeer : public ::testing::Test
{
  protected:
    static constexpr uint16_t PORT = 2049;

    void SetUp() override
    {
        m_rpcServer->Register(m_adder);
        for (std::size_t side = 0; side < 2; ++side)
        {
            m_sockets[side]->SetHost(m_pair.nodes[side], m_cpus[side]);
            m_tls[side]->SetHost(side == TcpPair::CLIENT ? TlsEndpoint::Side::CLIENT
                                                         : TlsEndpoint::Side::SERVER,
                                 side == TcpPair::CLIENT ? "client-0" : "server-0");
            m_sockets[side]->SetTls(m_tls[side]);
        }
    }

    void TearDown() override
    {
        for (const auto& peer : m_peers)
        {
            peer->Close();
        }
        m_transport->Dispose();
        m_server->Dispose();
        for (const auto& sockets : m_sockets)
        {
            sockets->Dispose();
        }
        Simulator::Destroy();
        m_peers.clear();
    }

    void Set(std::size_t side, const std::string& attribute, const std::string& value)
    {
        m_tls[side]->SetAttribute(attribute, StringValue(value));
    }

    [[nodiscard]] RpcTlsStatistics Count(std::size_t side) const
    {
        return m_tls[side]->GetStatistics();
    }

    static void RunUntil(Time time)
    {
        Simulator::Stop(time - Simulator::Now());
        Simulator::Run();
    }

    TcpPair m_pair;
    std::array<Ptr<HostCpu>, 2> m_cpus{CreateObject<HostCpu>(), CreateObject<HostCpu>()};
    std::array<Ptr<HostSockets>, 2> m_sockets{CreateObject<HostSockets>(),
                                              CreateObject<HostSockets>()};
    std::array<Ptr<RpcTls>, 2> m_tls{CreateObject<RpcTls>(), CreateObject<RpcTls>()};
    Ptr<AdderProgram> m_adder{Create<AdderProgram>(3)};
    Ptr<RpcServer> m_rpcServer{CreateObject<RpcServer>()};
    Ptr<RpcTcpServer> m_server{CreateObject<RpcTcpServer>()};
    Ptr<RpcTcpClient> m_transport{CreateObject<RpcTcpClient>()};
    std::vector<std::unique_ptr<RawPeer>> m_peers;
};

/// The server is the model's.
class TlsServerPeer : public TlsPeer
{
  protected:
    void SetUp() override
    {
        TlsPeer::SetUp();
        m_server->SetNode(m_pair.nodes[TcpPair::SERVER]);
        m_server->SetRpcServer(m_rpcServer);
        m_server->SetSockets(m_sockets[TcpPair::SERVER]);
        m_server->TraceConnectWithoutContext("Closed",
                                             MakeCallback(&TlsServerPeer::TakeClosed, this));
    }

    /// Connects, and sends \p first as it is.
    RawPeer& Connect(
        const ByteVector& first,
        RawPeer::Handler handler = [](RawPeer&, const ByteVector&) {})
    {
        if (m_peers.empty())
        {
            EXPECT_TRUE(m_server->Listen(PORT));
        }
        const Ptr<Socket> socket =
            Socket::CreateSocket(m_pair.nodes[TcpPair::CLIENT], TcpSocketFactory::GetTypeId());
        socket->Bind();
        m_peers.push_back(std::make_unique<RawPeer>(socket, std::move(handler)));
        m_first = first;
        socket->SetConnectCallback(MakeCallback(&TlsServerPeer::SendFirst, this),
                                   MakeNullCallback<void, Ptr<Socket>>());
        socket->Connect(InetSocketAddress(TcpPair::SERVER_ADDRESS, PORT));
        return *m_peers.back();
    }

    void SendFirst(Ptr<Socket> /* socket */)
    {
        m_peers.back()->Send(m_first);
    }

    void TakeClosed(RpcTcpEnd end)
    {
        m_closed.push_back(end);
        m_closedAt = Simulator::Now();
    }

    /// \return what has come back for \p call, sent on a new connection.
    RpcReplyHeader Ask(const ByteVector& call)
    {
        const auto& peer = Connect(Mark(call));
        RunUntil(MilliSeconds(1));
        EXPECT_EQ(peer.records.size(), 1U);
        return peer.records.empty() ? RpcReplyHeader() : DecodeReply(peer.records[0]);
    }

    [[nodiscard]] uint32_t CountBusyThreads() const
    {
        return m_rpcServer->GetThreadPool()->GetBusy();
    }

    ByteVector m_first;
    std::vector<RpcTcpEnd> m_closed;
    Time m_closedAt;
    TlsEndpoint m_endpoint{TlsEndpoint::Side::CLIENT, 1, std::nullopt, TlsRecords()};
};

const ByteVector PROBE = MakeCall(7, 0, RpcAuthFlavor::TLS);

TEST_F(TlsServerPeer, AClientThatSaysStartTlsAndThenNothingIsClosedAfterFiveSeconds)
{
    auto& peer = Connect(Mark(PROBE));
    RunUntil(Seconds(4.9));
    ASSERT_EQ(peer.records.size(), 1U);
    EXPECT_TRUE(DecodeReply(peer.records[0]).startTls);
    EXPECT_EQ(m_server->GetConnectionCount(), 1U);
    RunUntil(Seconds(6));
    EXPECT_EQ(m_server->GetConnectionCount(), 0U);
    EXPECT_EQ(m_closed, std::vector<RpcTcpEnd>{RpcTcpEnd::TLS_TIMED_OUT});
    EXPECT_GT(m_closedAt, Seconds(5));
    EXPECT_LT(m_closedAt, Seconds(5.01));
    EXPECT_TRUE(peer.isOver);
    EXPECT_EQ(Count(TcpPair::SERVER).timedOut, 1U);
    EXPECT_EQ(Count(TcpPair::SERVER).handshakesFailed, 1U);
}

TEST_F(TlsServerPeer, AHandshakeThatEndsIsNotTimedOut)
{
    Set(TcpPair::SERVER, "ServerHandshakeTimeout", "1s");
    auto& peer = Connect(Mark(PROBE), [this](RawPeer& one, const ByteVector&) {
        if (!one.session)
        {
            one.StartTls(m_endpoint);
        }
    });
    RunUntil(Seconds(3));
    ASSERT_EQ(m_server->GetConnectionCount(), 1U);
    peer.SendRecord(MakeCall(8, 1, RpcAuthFlavor::NONE));
    RunUntil(Seconds(4));
    ASSERT_EQ(peer.records.size(), 2U);
    EXPECT_EQ(GetXid(peer.records[1]), 8U);
    EXPECT_EQ(Count(TcpPair::SERVER).timedOut, 0U);
    EXPECT_EQ(Count(TcpPair::SERVER).handshakes, 1U);
}

TEST_F(TlsServerPeer, AThreadIsHeldFromStartTlsToTheEndOfTheHandshake)
{
    Set(TcpPair::SERVER, "HandshakeLatency", "10ms");
    Connect(Mark(PROBE), [this](RawPeer& one, const ByteVector&) {
        if (!one.session)
        {
            one.StartTls(m_endpoint);
        }
    });
    RunUntil(MilliSeconds(9));
    EXPECT_EQ(CountBusyThreads(), 1U);
    EXPECT_EQ(Count(TcpPair::SERVER).handshakes, 0U);
    RunUntil(MilliSeconds(50));
    EXPECT_EQ(CountBusyThreads(), 0U);
    EXPECT_EQ(Count(TcpPair::SERVER).handshakes, 1U);
}

TEST_F(TlsServerPeer, ASecondProbeBeforeTheHandshakeBeginsNoSecondOne)
{
    auto& peer = Connect(Join({Mark(PROBE), Mark(PROBE)}), [this](RawPeer& one, const ByteVector&) {
        if (!one.session)
        {
            one.StartTls(m_endpoint);
        }
    });
    RunUntil(Seconds(10));
    EXPECT_EQ(Count(TcpPair::SERVER).handshakes, 1U);
    EXPECT_EQ(Count(TcpPair::SERVER).timedOut, 0U);
    EXPECT_EQ(Count(TcpPair::SERVER).handshakesFailed, 0U);
    EXPECT_EQ(m_server->GetConnectionCount(), 1U);
    EXPECT_FALSE(peer.isOver);
    EXPECT_EQ(CountBusyThreads(), 0U);
}

TEST_F(TlsServerPeer, APeerThatLeavesAfterTwoProbesIsForgotten)
{
    auto& peer = Connect(Join({Mark(PROBE), Mark(PROBE)}),
                         [](RawPeer& one, const ByteVector&) { one.Close(); });
    RunUntil(Seconds(10));
    EXPECT_EQ(Count(TcpPair::SERVER).handshakes, 0U);
    EXPECT_EQ(Count(TcpPair::SERVER).timedOut, 0U);
    EXPECT_EQ(m_server->GetConnectionCount(), 0U);
    EXPECT_EQ(m_closed.size(), 1U);
    EXPECT_FALSE(peer.records.empty());
    EXPECT_EQ(CountBusyThreads(), 0U);
}

TEST_F(TlsServerPeer, PeersThatLeaveOrFailLetGoOfTheirThreads)
{
    Set(TcpPair::SERVER, "HandshakeLatency", "10ms");
    auto& leaving = Connect(Mark(PROBE));
    RunUntil(MilliSeconds(2));
    EXPECT_EQ(CountBusyThreads(), 1U);
    leaving.Close();
    RunUntil(MilliSeconds(50));
    EXPECT_EQ(CountBusyThreads(), 0U);
    Connect(Mark(PROBE), [](RawPeer& one, const ByteVector&) {
        one.SendRecord(MakeCall(8, 0, RpcAuthFlavor::NONE));
    });
    RunUntil(MilliSeconds(55));
    EXPECT_EQ(CountBusyThreads(), 1U);
    RunUntil(MilliSeconds(100));
    EXPECT_EQ(CountBusyThreads(), 0U);
    EXPECT_EQ(Count(TcpPair::SERVER).handshakesFailed, 2U);
}

TEST_F(TlsServerPeer, SilentHandshakesKeepTheirThreadsFromCallsUntilTheyTimeOut)
{
    m_rpcServer->SetAttribute("Threads", UintegerValue(2));
    m_rpcServer->SetAttribute("MaxConnections", UintegerValue(10));
    Connect(Mark(PROBE));
    RunUntil(MilliSeconds(1));
    Connect(Mark(PROBE));
    RunUntil(MilliSeconds(2));
    EXPECT_EQ(CountBusyThreads(), 2U);
    auto& honest = Connect(Mark(MakeCall(9, 0, RpcAuthFlavor::NONE)));
    RunUntil(MilliSeconds(4990));
    EXPECT_TRUE(honest.records.empty());
    RunUntil(MilliSeconds(5010));
    EXPECT_EQ(honest.records.size(), 1U);
    EXPECT_EQ(CountBusyThreads(), 0U);
    EXPECT_EQ(Count(TcpPair::SERVER).timedOut, 2U);
}

TEST_F(TlsServerPeer, AHandshakeWaitsForAThread)
{
    m_rpcServer->SetAttribute("Threads", UintegerValue(1));
    m_rpcServer->SetAttribute("MaxConnections", UintegerValue(10));
    Set(TcpPair::SERVER, "ServerHandshakeTimeout", "1s");
    auto& silent = Connect(Mark(PROBE));
    RunUntil(MilliSeconds(1));
    auto& other = Connect(Mark(PROBE), [this](RawPeer& one, const ByteVector&) {
        if (!one.session)
        {
            one.StartTls(m_endpoint);
        }
    });
    RunUntil(MilliSeconds(990));
    EXPECT_EQ(Count(TcpPair::SERVER).handshakes, 0U);
    EXPECT_TRUE(other.records.empty());
    RunUntil(MilliSeconds(1100));
    EXPECT_TRUE(silent.isOver);
    EXPECT_EQ(other.records.size(), 1U);
    EXPECT_EQ(Count(TcpPair::SERVER).handshakes, 1U);
    EXPECT_EQ(Count(TcpPair::SERVER).timedOut, 1U);
    EXPECT_EQ(CountBusyThreads(), 0U);
}

TEST_F(TlsServerPeer, WhatComesInClearBeforeTheHandshakeIsNotCarriedOut)
{
    const ByteVector call = Mark(MakeCall(8, 1, RpcAuthFlavor::NONE));
    const ByteVector part(call.begin(), call.end() - 3);
    auto& peer = Connect(Join({Mark(PROBE), part}), [this](RawPeer& one, const ByteVector&) {
        if (!one.session)
        {
            one.StartTls(m_endpoint);
        }
    });
    RunUntil(Seconds(1));
    EXPECT_EQ(Count(TcpPair::SERVER).spurious, 1U);
    EXPECT_EQ(Count(TcpPair::SERVER).handshakes, 1U);
    peer.SendRecord(MakeCall(9, 1, RpcAuthFlavor::NONE));
    RunUntil(Seconds(2));
    ASSERT_EQ(peer.records.size(), 2U);
    EXPECT_EQ(GetXid(peer.records[1]), 9U);
    EXPECT_EQ(m_adder->started.size(), 1U);
}

TEST_F(TlsServerPeer, WhatComesInClearBeforeTheHandshakeEndsTheConnectionWhereSet)
{
    Set(TcpPair::SERVER, "SpuriousTraffic", "close");
    const ByteVector call = Mark(MakeCall(8, 1, RpcAuthFlavor::NONE));
    auto& peer = Connect(Join({Mark(PROBE), ByteVector(call.begin(), call.end() - 3)}));
    RunUntil(Seconds(1));
    EXPECT_EQ(m_closed, std::vector<RpcTcpEnd>{RpcTcpEnd::TLS_SPURIOUS});
    EXPECT_TRUE(peer.isOver);
    EXPECT_TRUE(m_adder->started.empty());
}

TEST_F(TlsServerPeer, ACallInClearInPlaceOfTheHandshakeFailsIt)
{
    Connect(Mark(PROBE), [](RawPeer& one, const ByteVector&) {
        one.SendRecord(MakeCall(8, 1, RpcAuthFlavor::NONE));
    });
    RunUntil(Seconds(1));
    EXPECT_EQ(m_closed, std::vector<RpcTcpEnd>{RpcTcpEnd::TLS_FAILED});
    EXPECT_EQ(Count(TcpPair::SERVER).handshakesFailed, 1U);
    EXPECT_TRUE(m_adder->started.empty());
}

TEST_F(TlsServerPeer, AnAlertIsReadThoughItsFinComesWhileTheDaemonIsBusy)
{
    m_cpus[TcpPair::SERVER]->SetAttribute("TlsHandshakeCost", TimeValue(MilliSeconds(10)));
    Connect(Mark(PROBE), [this](RawPeer& one, const ByteVector&) {
        if (one.session)
        {
            return;
        }
        one.StartTls(m_endpoint);
        Simulator::Schedule(MilliSeconds(5), [&one] {
            one.Send(HANDSHAKE_FAILURE);
            one.Close();
        });
    });
    RunUntil(Seconds(1));
    EXPECT_EQ(m_closed, std::vector<RpcTcpEnd>{RpcTcpEnd::TLS_FAILED});
    EXPECT_EQ(Count(TcpPair::SERVER).alertsReceived, 1U);
    EXPECT_EQ(Count(TcpPair::SERVER).handshakesFailed, 1U);
}

TEST_F(TlsServerPeer, AnAlertAndAFinEndTheSessionByTheAlert)
{
    auto& peer = Connect(Mark(PROBE), [this](RawPeer& one, const ByteVector&) {
        if (!one.session)
        {
            one.StartTls(m_endpoint);
        }
    });
    RunUntil(Seconds(1));
    ASSERT_EQ(Count(TcpPair::SERVER).handshakes, 1U);
    // The thread that reads the call is busy when alert and FIN come.
    m_rpcServer->SetAttribute("CallCost", TimeValue(Seconds(1)));
    m_cpus[TcpPair::SERVER]->SetAttribute("TcpReadCost", TimeValue(Seconds(1)));
    peer.SendRecord(MakeCall(8, 1, RpcAuthFlavor::NONE));
    RunUntil(Seconds(1.1));
    // What the peer takes for a record that is not authentic makes it send bad_record_mac.
    static_cast<void>(peer.session->Receive(ByteVector{
        0x17, 0x03, 0x03, 0x00, 0x11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}));
    ASSERT_EQ(peer.session->GetState(), TlsSession::State::FAILED);
    peer.Flush();
    peer.Close();
    RunUntil(Seconds(1.5));
    EXPECT_EQ(m_closed, std::vector<RpcTcpEnd>{RpcTcpEnd::TLS_ALERT});
    EXPECT_EQ(Count(TcpPair::SERVER).alertsReceived, 1U);
}

TEST_F(TlsServerPeer, AProbeMustHaveNoBody)
{
    ByteVector call = PROBE;
    constexpr std::size_t CREDENTIAL_LENGTH = 28;
    call[CREDENTIAL_LENGTH + 3] = 4;
    call.insert(call.begin() + CREDENTIAL_LENGTH + 4, 4, 0);
    const auto reply = Ask(call);
    EXPECT_TRUE(reply.denied);
    EXPECT_EQ(reply.authStatus, static_cast<uint32_t>(RpcAuthStatus::BADCRED));
}

TEST_F(TlsServerPeer, AProbeMustHaveTheVerifierOfAuthNone)
{
    ByteVector call = PROBE;
    constexpr std::size_t VERIFIER_FLAVOR = 32;
    call[VERIFIER_FLAVOR + 3] = 1;
    const auto reply = Ask(call);
    EXPECT_TRUE(reply.denied);
    EXPECT_EQ(reply.authStatus, static_cast<uint32_t>(RpcAuthStatus::BADVERF));
}

TEST_F(TlsServerPeer, AuthTlsOnAnotherProcedureIsDenied)
{
    const auto reply = Ask(MakeCall(7, 1, RpcAuthFlavor::TLS));
    EXPECT_TRUE(reply.denied);
    EXPECT_EQ(reply.authStatus, static_cast<uint32_t>(RpcAuthStatus::BADCRED));
    EXPECT_TRUE(m_adder->started.empty());
}

TEST_F(TlsServerPeer, AProbeWithinASessionIsDenied)
{
    auto& peer = Connect(Mark(PROBE), [this](RawPeer& one, const ByteVector&) {
        if (!one.session)
        {
            one.StartTls(m_endpoint);
        }
    });
    RunUntil(Seconds(1));
    peer.SendRecord(PROBE);
    RunUntil(Seconds(2));
    ASSERT_EQ(peer.records.size(), 2U);
    EXPECT_TRUE(DecodeReply(peer.records[1]).denied);
    EXPECT_EQ(DecodeReply(peer.records[1]).authStatus,
              static_cast<uint32_t>(RpcAuthStatus::BADCRED));
    EXPECT_EQ(m_server->GetConnectionCount(), 1U);
}

TEST_F(TlsServerPeer, AServerThatKnowsAuthTlsButDoesNotOfferItAcceptsTheProbe)
{
    Set(TcpPair::SERVER, "ServerOffers", "false");
    const auto reply = Ask(PROBE);
    EXPECT_FALSE(reply.denied);
    EXPECT_FALSE(reply.startTls);
    EXPECT_EQ(Count(TcpPair::SERVER).handshakesFailed, 0U);
}

TEST_F(TlsServerPeer, AServerThatDoesNotKnowAuthTlsDeniesTheProbe)
{
    Set(TcpPair::SERVER, "ServerOffers", "false");
    Set(TcpPair::SERVER, "ServerRefusal", "denied");
    const auto reply = Ask(PROBE);
    EXPECT_TRUE(reply.denied);
    EXPECT_EQ(reply.authStatus, static_cast<uint32_t>(RpcAuthStatus::BADCRED));
}

TEST_F(TlsServerPeer, WithoutTlsOfItsHostAServerDeniesTheProbe)
{
    m_sockets[TcpPair::SERVER]->SetTls(nullptr);
    const auto reply = Ask(PROBE);
    EXPECT_TRUE(reply.denied);
    EXPECT_EQ(reply.authStatus, static_cast<uint32_t>(RpcAuthStatus::BADCRED));
}

/// The client is the model's.
class TlsClientPeer : public TlsPeer
{
  protected:
    void SetUp() override
    {
        TlsPeer::SetUp();
        m_callbacks->Register(m_adder);
        m_transport->SetNode(m_pair.nodes[TcpPair::CLIENT]);
        m_transport->SetServer(InetSocketAddress(TcpPair::SERVER_ADDRESS, PORT));
        m_transport->SetSockets(m_sockets[TcpPair::CLIENT]);
        m_transport->SetServerName("server-0");
        m_transport->SetReverseServer(m_callbacks);
        m_transport->TraceConnectWithoutContext(
            "Disconnected",
            MakeCallback(&TlsClientPeer::TakeDisconnected, this));
        m_client->SetTransport(m_transport);
        m_client->SetProgram(400000, 3);
        Set(TcpPair::CLIENT, "Mode", "tls");
    }

    /// The handshake is given up by its own timeout, and not before.
    void ExpectTimeoutAfterTenSeconds()
    {
        RunUntil(Seconds(9.9));
        EXPECT_TRUE(m_ends.empty());
        RunUntil(Seconds(12));
        EXPECT_EQ(m_ends, std::vector<RpcTcpEnd>{RpcTcpEnd::TLS_TIMED_OUT});
        EXPECT_GT(m_endedAt, Seconds(10));
        EXPECT_LT(m_endedAt, Seconds(10.01));
    }

    /// Listens with a peer that treats records as \p handler says.
    void Listen(RawPeer::Handler handler)
    {
        m_handler = std::move(handler);
        m_listener =
            Socket::CreateSocket(m_pair.nodes[TcpPair::SERVER], TcpSocketFactory::GetTypeId());
        m_listener->Bind(InetSocketAddress(TcpPair::SERVER_ADDRESS, PORT));
        m_listener->Listen();
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeCallback(&TlsClientPeer::Accept, this));
    }

    void Accept(Ptr<Socket> socket, const Address& /* from */)
    {
        m_peers.push_back(std::make_unique<RawPeer>(socket, m_handler));
    }

    void Call()
    {
        XdrWriter writer;
        writer.WriteU32(21);
        writer.WriteU32(21);
        RpcArguments arguments;
        arguments.octets = writer.Take();
        m_client->Call(1,
                       std::move(arguments),
                       RpcReplyEstimate(),
                       [this](RpcRecord& record, const RpcReceivedMessage&, XdrReader& reader) {
                           m_records.push_back(record);
                           m_sums.push_back(reader.ReadU32());
                       });
    }

    /// A peer that offers TLS, sends \p behind in clear behind that, and adds nothing up: its
    /// answer to every call is 42.
    RawPeer::Handler Offer(std::function<ByteVector(uint32_t xid)> before = {},
                           std::function<ByteVector(uint32_t xid)> behind = {})
    {
        return [this, before, behind](RawPeer& peer, const ByteVector& record) {
            const uint32_t xid = GetXid(record);
            if (IsProbe(record))
            {
                peer.Send(Join({before ? before(xid) : ByteVector(),
                                Mark(MakeReply(xid, true)),
                                behind ? behind(xid) : ByteVector()}));
                peer.StartTls(m_endpoint);
                return;
            }
            peer.SendRecord(MakeAnswer(xid, 42));
        };
    }

    static ByteVector MakeAnswer(uint32_t xid, uint32_t sum)
    {
        XdrWriter writer;
        writer.WriteU32(sum);
        return Join({MakeReply(xid, false), writer.Take()});
    }

    void TakeDisconnected(RpcTcpEnd end)
    {
        m_ends.push_back(end);
        m_endedAt = Simulator::Now();
    }

    Ptr<RpcServer> m_callbacks{CreateObject<RpcServer>()};
    Ptr<RpcClient> m_client{CreateObject<RpcClient>()};
    Ptr<Socket> m_listener;
    RawPeer::Handler m_handler;
    std::vector<RpcRecord> m_records;
    std::vector<uint32_t> m_sums;
    std::vector<RpcTcpEnd> m_ends;
    Time m_endedAt;
    TlsEndpoint m_endpoint{TlsEndpoint::Side::SERVER,
                           1,
                           TlsIdentity::MakeHost(1, "server-0"),
                           TlsRecords()};
};

TEST_F(TlsClientPeer, AServerThatNeverAnswersIsAskedAgainUntilTheMajorTimeout)
{
    m_transport->SetAttribute("Timeout", TimeValue(Seconds(1)));
    m_transport->SetAttribute("Retries", UintegerValue(2));
    Listen([](RawPeer&, const ByteVector&) {});
    Call();
    RunUntil(Seconds(2.9));
    ASSERT_EQ(m_peers.size(), 1U);
    ASSERT_EQ(m_peers[0]->records.size(), 2U) << "at once, and after 1 s";
    EXPECT_EQ(m_peers[0]->records[0], m_peers[0]->records[1]);
    EXPECT_EQ(Count(TcpPair::CLIENT).probes, 2U);
    EXPECT_TRUE(m_ends.empty());
    RunUntil(Seconds(5));
    EXPECT_EQ(m_ends, std::vector<RpcTcpEnd>{RpcTcpEnd::TLS_TIMED_OUT});
    EXPECT_GT(m_endedAt, Seconds(3));
    EXPECT_LT(m_endedAt, Seconds(3.01));
    EXPECT_EQ(Count(TcpPair::CLIENT).timedOut, 1U);
    EXPECT_EQ(Count(TcpPair::CLIENT).handshakesFailed, 0U) << "there was none";
    EXPECT_TRUE(m_records.empty()) << "a hard call";
    RunUntil(Seconds(6.5));
    EXPECT_EQ(m_peers.size(), 2U) << "a new connection after RetryDelay";
}

TEST_F(TlsClientPeer, ASoftCallFailsWhenTheServerNeverAnswers)
{
    m_transport->SetAttribute("Timeout", TimeValue(Seconds(1)));
    m_transport->SetAttribute("Retries", UintegerValue(2));
    m_transport->SetAttribute("Soft", BooleanValue(true));
    Listen([](RawPeer&, const ByteVector&) {});
    Call();
    RunUntil(Seconds(5));
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records[0].outcome, RpcOutcome::DISCONNECTED);
}

TEST_F(TlsClientPeer, WithoutATimeoutOfCallsAServerThatNeverAnswersIsLeftLikeAHandshake)
{
    m_transport->SetAttribute("Timeout", TimeValue(Seconds(0)));
    Listen([](RawPeer&, const ByteVector&) {});
    Call();
    ExpectTimeoutAfterTenSeconds();
    EXPECT_EQ(Count(TcpPair::CLIENT).probes, 1U);
    EXPECT_EQ(Count(TcpPair::CLIENT).timedOut, 1U);
}

TEST_F(TlsClientPeer, AServerThatSaysStartTlsAndThenNothingIsLeftAfterTenSeconds)
{
    Listen([](RawPeer& peer, const ByteVector& record) {
        peer.SendRecord(MakeReply(GetXid(record), true));
    });
    Call();
    ExpectTimeoutAfterTenSeconds();
    EXPECT_EQ(Count(TcpPair::CLIENT).timedOut, 1U);
    EXPECT_EQ(Count(TcpPair::CLIENT).handshakesFailed, 1U);
    EXPECT_TRUE(m_records.empty()) << "a hard call";
    RunUntil(Seconds(14));
    EXPECT_EQ(m_peers.size(), 2U);
}

TEST_F(TlsClientPeer, CallsOfTheServerInClearAreNotCarriedOut)
{
    Listen(Offer([](uint32_t) { return Mark(MakeCall(5, 1, RpcAuthFlavor::NONE)); },
                 [](uint32_t) { return Mark(MakeCall(6, 1, RpcAuthFlavor::NONE)); }));
    Call();
    RunUntil(Seconds(1));
    EXPECT_TRUE(m_adder->started.empty());
    EXPECT_EQ(Count(TcpPair::CLIENT).spurious, 2U);
    EXPECT_EQ(m_sums, std::vector<uint32_t>{42}) << "the handshake went on";
    EXPECT_EQ(m_transport->GetStatistics().reverseReplies, 0U);
    m_peers[0]->SendRecord(MakeCall(5, 1, RpcAuthFlavor::NONE));
    RunUntil(Seconds(2));
    EXPECT_EQ(m_adder->started.size(), 1U) << "through TLS they are";
}

TEST_F(TlsClientPeer, CallsOfTheServerInClearEndTheConnectionWhereSet)
{
    Set(TcpPair::CLIENT, "SpuriousTraffic", "close");
    Listen(Offer([](uint32_t) { return Mark(MakeCall(5, 1, RpcAuthFlavor::NONE)); }));
    Call();
    RunUntil(Seconds(1));
    EXPECT_TRUE(m_adder->started.empty());
    EXPECT_EQ(m_ends, std::vector<RpcTcpEnd>{RpcTcpEnd::TLS_SPURIOUS});
    EXPECT_TRUE(m_peers[0]->isOver);
}

TEST_F(TlsClientPeer, AReplyInClearIsNoAnswer)
{
    // The call under way has the XID before the one of the call that asks for TLS.
    Listen(Offer([](uint32_t xid) { return Mark(MakeAnswer(xid - 1, 666)); }));
    Call();
    RunUntil(Seconds(1));
    EXPECT_EQ(m_sums, std::vector<uint32_t>{42});
    EXPECT_EQ(Count(TcpPair::CLIENT).spurious, 1U);
}

TEST_F(TlsClientPeer, OctetsInClearBehindStartTlsAreNoPartOfTheSession)
{
    const auto forge = [](uint32_t xid) { return Mark(MakeAnswer(xid - 1, 666)); };
    Listen(Offer({}, [forge](uint32_t xid) {
        const ByteVector whole = forge(xid);
        return ByteVector(whole.begin(), whole.end() - 4);
    }));
    Call();
    RunUntil(Seconds(1));
    EXPECT_EQ(m_sums, std::vector<uint32_t>{42});
    EXPECT_EQ(Count(TcpPair::CLIENT).spurious, 1U);
    EXPECT_EQ(Count(TcpPair::CLIENT).handshakes, 1U);
}

TEST_F(TlsClientPeer, OctetsInClearBehindStartTlsEndTheConnectionWhereSet)
{
    Set(TcpPair::CLIENT, "SpuriousTraffic", "close");
    Listen(Offer({}, [](uint32_t xid) { return Mark(MakeAnswer(xid - 1, 666)); }));
    Call();
    RunUntil(Seconds(1));
    EXPECT_TRUE(m_sums.empty());
    EXPECT_EQ(m_ends, std::vector<RpcTcpEnd>{RpcTcpEnd::TLS_SPURIOUS});
}

TEST_F(TlsClientPeer, AForgedReplyThatComesLaterFailsTheHandshake)
{
    Listen([](RawPeer& peer, const ByteVector& record) {
        const uint32_t xid = GetXid(record);
        peer.SendRecord(MakeReply(xid, true));
        Simulator::Schedule(MilliSeconds(10),
                            [&peer, xid] { peer.SendRecord(MakeAnswer(xid - 1, 666)); });
    });
    Call();
    RunUntil(Seconds(1));
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records[0].outcome, RpcOutcome::DISCONNECTED);
    EXPECT_EQ(Count(TcpPair::CLIENT).handshakesFailed, 1U);
}

TEST_F(TlsClientPeer, StartTlsCountsWhateverTheStatusOfTheCall)
{
    Listen([this](RawPeer& peer, const ByteVector& record) {
        if (!peer.session)
        {
            peer.SendRecord(MakeReply(GetXid(record), true, RpcAcceptStatus::PROG_UNAVAIL));
            peer.StartTls(m_endpoint);
            return;
        }
        peer.SendRecord(MakeAnswer(GetXid(record), 42));
    });
    Call();
    RunUntil(Seconds(1));
    EXPECT_EQ(m_sums, std::vector<uint32_t>{42});
    EXPECT_EQ(Count(TcpPair::CLIENT).handshakes, 1U);
}

TEST_F(TlsClientPeer, WithoutStartTlsThereIsNoClientHello)
{
    Listen([](RawPeer& peer, const ByteVector& record) {
        peer.SendRecord(MakeReply(GetXid(record), false));
    });
    Call();
    RunUntil(Seconds(1));
    ASSERT_EQ(m_peers.size(), 1U);
    EXPECT_EQ(m_peers[0]->records.size(), 1U);
    EXPECT_EQ(m_records.at(0).outcome, RpcOutcome::DISCONNECTED);
    EXPECT_EQ(Count(TcpPair::CLIENT).refused, 1U);
}

TEST_F(TlsClientPeer, TheProbeIsWhatTheRfcSays)
{
    Listen([](RawPeer&, const ByteVector&) {});
    Call();
    RunUntil(Seconds(1));
    XdrReader reader(m_peers.at(0)->records.at(0));
    constexpr int TO_PROCEDURE = 5;
    for (int word = 0; word < TO_PROCEDURE; ++word)
    {
        static_cast<void>(reader.ReadU32());
    }
    EXPECT_EQ(reader.ReadU32(), 0U) << "procedure";
    EXPECT_EQ(reader.ReadU32(), 7U) << "AUTH_TLS";
    EXPECT_EQ(reader.ReadU32(), 0U) << "length of the credential";
    EXPECT_EQ(reader.ReadU32(), 0U) << "AUTH_NONE";
    EXPECT_EQ(reader.ReadU32(), 0U) << "length of the verifier";
    EXPECT_TRUE(reader.Ok());
    EXPECT_EQ(reader.Remaining(), 0U);
}

TEST_F(TlsClientPeer, AnAlertAndAFinFailTheHandshake)
{
    Listen([](RawPeer& peer, const ByteVector& record) {
        peer.SendRecord(MakeReply(GetXid(record), true));
        Simulator::Schedule(MilliSeconds(10), [&peer] {
            peer.Send(HANDSHAKE_FAILURE);
            peer.Close();
        });
    });
    Call();
    RunUntil(Seconds(1));
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records[0].outcome, RpcOutcome::DISCONNECTED);
    EXPECT_EQ(m_ends, std::vector<RpcTcpEnd>{RpcTcpEnd::TLS_FAILED});
    EXPECT_EQ(Count(TcpPair::CLIENT).alertsReceived, 1U);
}

TEST_F(TlsClientPeer, AServerThatLeavesDuringTheHandshakeFailsIt)
{
    Listen([](RawPeer& peer, const ByteVector& record) {
        peer.SendRecord(MakeReply(GetXid(record), true));
        Simulator::Schedule(MilliSeconds(10), [&peer] { peer.Close(); });
    });
    Call();
    RunUntil(Seconds(1));
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records[0].outcome, RpcOutcome::DISCONNECTED);
    EXPECT_EQ(m_ends, std::vector<RpcTcpEnd>{RpcTcpEnd::TLS_FAILED});
}

TEST_F(TlsClientPeer, ACallAfterABadRecordGoesOnTheNextConnection)
{
    Listen(Offer());
    Call();
    RunUntil(Seconds(1));
    ASSERT_EQ(m_sums.size(), 1U);
    // The bad record is read, and its reader is at work for long enough that a call comes first.
    m_cpus[TcpPair::CLIENT]->SetAttribute("TlsReceiveCost", TimeValue(MilliSeconds(500)));
    m_peers[0]->Send(ByteVector{0x17, 0x03, 0x03, 0x00, 0x11, 1,  2,  3,  4,  5,  6,
                                7,    8,    9,    10,   11,   12, 13, 14, 15, 16, 17});
    const Time now = Simulator::Now();
    Simulator::Schedule(MicroSeconds(100), [this] {
        EXPECT_TRUE(m_transport->IsConnected());
        Call();
    });
    RunUntil(now + MilliSeconds(600));
    EXPECT_EQ(m_ends, std::vector<RpcTcpEnd>{RpcTcpEnd::TLS_ALERT});
    EXPECT_EQ(Count(TcpPair::CLIENT).badRecordMac, 1U);
    EXPECT_EQ(m_peers[0]->records.size(), 2U) << "the probe and the first call";
    m_cpus[TcpPair::CLIENT]->SetAttribute("TlsReceiveCost", TimeValue(Time(0)));
    RunUntil(Seconds(10));
    EXPECT_EQ(m_sums, (std::vector<uint32_t>{42, 42}));
    EXPECT_EQ(Count(TcpPair::CLIENT).handshakes, 2U);
}

} // namespace
} // namespace ns3::nfsrdma
