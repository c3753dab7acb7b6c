/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/rpc-loop.h"
#include "rpc/tcp/caller.h"
#include "rpc/tcp/listener.h"
#include "rpc/tcp/tcp-pair.h"

#include "ns3/boolean.h"
#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <array>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

/// Gives back its argument, an opaque, and an item in host memory as long as the first word says.
class EchoProgram : public RpcProgram
{
  public:
    explicit EchoProgram(Ptr<HostMemory> memory)
        : m_memory(memory)
    {
    }

    [[nodiscard]] uint32_t GetProgram() const override
    {
        return 400002;
    }

    [[nodiscard]] uint32_t GetVersion() const override
    {
        return 1;
    }

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override
    {
        XdrReader reader(ByteSpan(call->message.octets).subspan(call->argumentsPosition));
        const ByteSpan octets = reader.ReadOpaque(UINT32_MAX);
        RpcServerReply reply;
        XdrWriter writer;
        writer.WriteU32(octets.size());
        reply.results.octets = writer.Take();
        const auto buffer = std::make_shared<HostBuffer>(m_memory, octets.size());
        buffer->Write(0, octets);
        reply.results.items.push_back(
            {buffer->GetAddress(), static_cast<uint32_t>(octets.size()), false, 4, buffer});
        done(std::move(reply));
    }

  private:
    Ptr<HostMemory> m_memory;
};

/// A client and a server of two programs.
class RpcTcp : public ::testing::Test
{
  public:
    void TakeConnected(uint16_t localPort)
    {
        m_localPorts.push_back(localPort);
    }

  protected:
    static constexpr uint16_t PORT = 2049;

    void SetUp() override
    {
        m_serverMemory = CreateObject<HostMemory>();
        m_clientMemory = CreateObject<HostMemory>();
        m_rpcServer->Register(Create<AdderProgram>(3));
        m_rpcServer->Register(Create<EchoProgram>(m_serverMemory));
        m_server->SetNode(m_pair.nodes[TcpPair::SERVER]);
        m_server->SetRpcServer(m_rpcServer);
        m_server->SetHostMemory(m_serverMemory);
        m_server->TraceConnectWithoutContext("Closed", MakeCallback(&RpcTcp::TakeClosed, this));
        m_transport->SetNode(m_pair.nodes[TcpPair::CLIENT]);
        m_transport->SetServer(InetSocketAddress(TcpPair::SERVER_ADDRESS, PORT));
        m_transport->SetHostMemory(m_clientMemory);
        m_transport->TraceConnectWithoutContext("Connected",
                                                MakeCallback(&RpcTcp::TakeConnected, this));
        m_client->SetTransport(m_transport);
        m_client->SetProgram(400000, 3);
    }

    void TearDown() override
    {
        m_transport->Dispose();
        m_server->Dispose();
        Simulator::Destroy();
    }

    void Listen()
    {
        ASSERT_TRUE(m_server->Listen(PORT));
    }

    void Call()
    {
        CallBy(m_client);
    }

    void CallBy(const Ptr<RpcClient>& client)
    {
        XdrWriter writer;
        writer.WriteU32(21);
        writer.WriteU32(21);
        RpcArguments arguments;
        arguments.octets = writer.Take();
        client->Call(1,
                     std::move(arguments),
                     RpcReplyEstimate(),
                     [this](RpcRecord& record, const RpcReceivedMessage&, XdrReader& reader) {
                         m_records.push_back(record);
                         m_sums.push_back(reader.ReadU32());
                     });
    }

    /// \return a client of the adder on \p transport.
    static Ptr<RpcClient> MakeClient(const Ptr<RpcTcpClient>& transport)
    {
        const auto client = CreateObject<RpcClient>();
        client->SetTransport(transport);
        client->SetProgram(400000, 3);
        return client;
    }

    /// Echoes \p octets, which travel as an item.
    void Echo(const ByteVector& octets)
    {
        m_client->SetProgram(400002, 1);
        const auto buffer = std::make_shared<HostBuffer>(m_clientMemory, octets.size());
        buffer->Write(0, octets);
        XdrWriter writer;
        writer.WriteU32(octets.size());
        RpcArguments arguments;
        arguments.octets = writer.Take();
        arguments.items.push_back(
            {buffer->GetAddress(), static_cast<uint32_t>(octets.size()), false, 4, buffer});
        m_client->Call(1,
                       std::move(arguments),
                       RpcReplyEstimate(),
                       [this](RpcRecord& record, const RpcReceivedMessage&, XdrReader& reader) {
                           m_records.push_back(record);
                           const ByteSpan echoed = reader.ReadOpaque(UINT32_MAX);
                           m_echo.assign(echoed.begin(), echoed.end());
                       });
    }

    /// A socket of the client's node that sends \p octets to the server as they are.
    void SendRaw(const ByteVector& octets)
    {
        m_raw = Socket::CreateSocket(m_pair.nodes[TcpPair::CLIENT], TcpSocketFactory::GetTypeId());
        m_raw->Bind();
        m_rawOctets = octets;
        m_raw->SetConnectCallback(MakeCallback(&RpcTcp::RawConnected, this),
                                  MakeNullCallback<void, Ptr<Socket>>());
        m_raw->Connect(InetSocketAddress(TcpPair::SERVER_ADDRESS, PORT));
    }

    void RawConnected(Ptr<Socket> socket)
    {
        socket->Send(m_rawOctets.data(), m_rawOctets.size(), 0);
    }

    void TakeClosed(RpcTcpEnd end)
    {
        m_closed.push_back(end);
    }

    TcpPair m_pair;
    Ptr<HostMemory> m_serverMemory;
    Ptr<HostMemory> m_clientMemory;
    Ptr<RpcServer> m_rpcServer{CreateObject<RpcServer>()};
    Ptr<RpcTcpServer> m_server{CreateObject<RpcTcpServer>()};
    Ptr<RpcTcpClient> m_transport{CreateObject<RpcTcpClient>()};
    Ptr<RpcClient> m_client{CreateObject<RpcClient>()};
    std::vector<RpcRecord> m_records;
    std::vector<uint32_t> m_sums;
    ByteVector m_echo;
    std::vector<uint16_t> m_localPorts;
    std::vector<RpcTcpEnd> m_closed;
    Ptr<Socket> m_raw;
    ByteVector m_rawOctets;
};

TEST_F(RpcTcp, ConnectsOnDemandAndDisconnectsWhenTold)
{
    Listen();
    Call();
    Call();
    m_transport->Disconnect();
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 2U);
    EXPECT_EQ(m_sums, std::vector<uint32_t>(2, 42));
    EXPECT_EQ(m_records.front().outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(m_records.front().callInlineBytes, 40U + 8 + 4);
    EXPECT_EQ(m_records.front().replyInlineBytes, 24U + 4 + 4);
    EXPECT_EQ(m_records.front().transmissions, 1U);
    EXPECT_EQ(m_localPorts.size(), 1U);
    EXPECT_FALSE(m_transport->IsConnected());
    EXPECT_EQ(m_closed, std::vector<RpcTcpEnd>{RpcTcpEnd::PEER_CLOSED});
    EXPECT_EQ(m_server->GetConnectionCount(), 0U);
    EXPECT_EQ(m_pair.CountSockets(TcpPair::CLIENT), 0U);
    EXPECT_EQ(m_pair.CountSockets(TcpPair::SERVER), 1U);
}

TEST_F(RpcTcp, IdleConnectionIsClosed)
{
    Listen();
    m_transport->SetAttribute("IdleTimeout", TimeValue(Seconds(2)));
    Call();
    Simulator::Schedule(Seconds(1), [this] {
        EXPECT_TRUE(m_transport->IsConnected());
        Call();
    });
    Simulator::Schedule(Seconds(2.5), [this] { EXPECT_TRUE(m_transport->IsConnected()); });
    Simulator::Schedule(Seconds(3.5), [this] {
        EXPECT_FALSE(m_transport->IsConnected());
        Call();
    });
    Simulator::Run();
    EXPECT_EQ(m_records.size(), 3U);
    EXPECT_EQ(m_transport->GetStatistics().connects, 2U);
}

TEST_F(RpcTcp, ItemsTravelInTheStreamWhateverTheFragments)
{
    Listen();
    ByteVector octets(600'001);
    for (std::size_t i = 0; i < octets.size(); ++i)
    {
        octets[i] = static_cast<uint8_t>(i * 7 + i / 256);
    }
    m_transport->SetAttribute("FragmentSize", UintegerValue(1000));
    m_server->SetAttribute("FragmentSize", UintegerValue(70'001));
    Echo(octets);
    m_transport->Disconnect();
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records.front().outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(m_echo, octets);
}

TEST_F(RpcTcp, LocalPortsAreChosenAsTold)
{
    Listen();
    m_transport->SetAttribute("LocalPort", UintegerValue(999));
    Call();
    m_transport->Disconnect();
    Simulator::Run();
    m_transport->SetAttribute("LocalPort", UintegerValue(0));
    m_transport->SetAttribute("ReservedPort", BooleanValue(true));
    const auto other = CreateObject<RpcTcpClient>();
    other->SetNode(m_pair.nodes[TcpPair::CLIENT]);
    other->SetServer(m_transport->GetServer());
    other->SetAttribute("ReservedPort", BooleanValue(true));
    other->TraceConnectWithoutContext("Connected", MakeCallback(&RpcTcp::TakeConnected, this));
    Call();
    CallBy(MakeClient(other));
    Simulator::Run();
    EXPECT_EQ(m_localPorts, (std::vector<uint16_t>{999, 1023, 1022}));
    EXPECT_EQ(m_records.size(), 3U);
    other->Dispose();
}

TEST_F(RpcTcp, SoftCallFailsWhenNobodyListens)
{
    m_transport->SetAttribute("Soft", BooleanValue(true));
    Call();
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records.front().outcome, RpcOutcome::DISCONNECTED);
    EXPECT_LT(m_records.front().completed, MilliSeconds(1)) << "the SYN was answered by RST";
    EXPECT_EQ(m_transport->GetPending(), 0U);
}

TEST_F(RpcTcp, HardCallWaitsForTheServerToListen)
{
    Simulator::Schedule(Seconds(4), [this] { Listen(); });
    Simulator::Schedule(Seconds(2), [this] {
        EXPECT_EQ(m_transport->DescribeWaiting().size(), 1U);
        EXPECT_FALSE(m_transport->IsConnected());
    });
    Call();
    m_transport->Disconnect();
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records.front().outcome, RpcOutcome::SUCCESS);
    // Refused at once, and after 3 s.
    EXPECT_GT(m_records.front().completed, Seconds(6));
    EXPECT_LT(m_records.front().completed, Seconds(6.1));
}

TEST_F(RpcTcp, LostConnectionIsMadeAgainAndCallsAreSentAgain)
{
    Listen();
    m_rpcServer->SetAttribute("CallCost", TimeValue(MilliSeconds(5)));
    Call();
    Call();
    Simulator::Schedule(MilliSeconds(3), [this] {
        EXPECT_EQ(m_server->GetConnectionCount(), 1U);
        m_server->Stop();
        Listen();
    });
    m_transport->Disconnect();
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 2U);
    for (const RpcRecord& record : m_records)
    {
        EXPECT_EQ(record.outcome, RpcOutcome::SUCCESS);
        EXPECT_EQ(record.transmissions, 2U);
        EXPECT_GE(record.completed, Seconds(3));
        EXPECT_LT(record.completed, Seconds(3.1));
    }
    EXPECT_EQ(m_transport->GetStatistics().connects, 2U);
    EXPECT_EQ(m_transport->GetStatistics().sends, 4U);
    EXPECT_EQ(m_transport->GetStatistics().receives, 2U);
    EXPECT_EQ(m_transport->GetStatistics().badXids, 0U);
}

TEST_F(RpcTcp, SlowReplyIsAskedForOnANewConnection)
{
    Listen();
    m_transport->SetAttribute("Timeout", TimeValue(Seconds(1)));
    m_transport->SetAttribute("Retries", UintegerValue(3));
    m_rpcServer->SetAttribute("CallCost", TimeValue(Seconds(1.5)));
    Call();
    m_transport->Disconnect();
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records.front().outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(m_records.front().transmissions, 2U);
    EXPECT_EQ(m_transport->GetStatistics().timeouts, 1U);
    EXPECT_EQ(m_transport->GetStatistics().connects, 2U);
}

TEST_F(RpcTcp, SoftCallEndsAfterItsMajorTimeout)
{
    Listen();
    m_transport->SetAttribute("Timeout", TimeValue(Seconds(1)));
    m_transport->SetAttribute("Retries", UintegerValue(1));
    m_transport->SetAttribute("Soft", BooleanValue(true));
    m_rpcServer->SetAttribute("CallCost", TimeValue(Seconds(60)));
    Call();
    m_transport->Disconnect();
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records.front().outcome, RpcOutcome::TIMED_OUT);
    EXPECT_EQ(m_records.front().transmissions, 2U);
    EXPECT_GE(m_records.front().completed, Seconds(2));
    EXPECT_LT(m_records.front().completed, Seconds(2.1));
}

TEST_F(RpcTcp, CancelledCallEndsAtOnceAndItsReplyIsUnknown)
{
    Listen();
    m_transport->SetAttribute("FirstXid", UintegerValue(77));
    m_rpcServer->SetAttribute("CallCost", TimeValue(Seconds(1)));
    Call();
    Simulator::Schedule(MilliSeconds(500), [this] {
        EXPECT_TRUE(m_client->Cancel(77));
        EXPECT_FALSE(m_client->Cancel(78));
    });
    Simulator::Schedule(Seconds(2), &RpcTcpClient::Disconnect, m_transport);
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records.front().outcome, RpcOutcome::CANCELLED);
    EXPECT_EQ(m_transport->GetStatistics().badXids, 1U);
}

TEST_F(RpcTcp, ServerClosesAfterARecordThatIsTooLong)
{
    Listen();
    m_server->SetAttribute("MaxRecordSize", UintegerValue(100));
    SendRaw({0x80, 0, 0, 101});
    Simulator::Run();
    EXPECT_EQ(m_closed, std::vector<RpcTcpEnd>{RpcTcpEnd::RECORD_TOO_LONG});
}

TEST_F(RpcTcp, ServerClosesAfterWhatIsNoCall)
{
    Listen();
    SendRaw({0x80, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 1});
    Simulator::Run();
    EXPECT_EQ(m_closed, std::vector<RpcTcpEnd>{RpcTcpEnd::NO_RPC});
    EXPECT_EQ(m_rpcServer->GetStatistics().badFormat, 1U);
}

TEST_F(RpcTcp, ClientLeavesAServerWhoseReplyIsTooLong)
{
    Listen();
    m_transport->SetAttribute("MaxRecordSize", UintegerValue(27));
    m_transport->SetAttribute("Timeout", TimeValue(Seconds(1)));
    m_transport->SetAttribute("Retries", UintegerValue(0));
    m_transport->SetAttribute("Soft", BooleanValue(true));
    Call();
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records.front().outcome, RpcOutcome::TIMED_OUT);
    EXPECT_EQ(m_transport->GetStatistics().connects, 2U);
}

TEST_F(RpcTcp, SeveralClientsHaveConnectionsOfTheirOwn)
{
    Listen();
    std::vector<Ptr<RpcTcpClient>> others;
    for (int i = 0; i < 5; ++i)
    {
        others.push_back(CreateObject<RpcTcpClient>());
        others.back()->SetNode(m_pair.nodes[TcpPair::CLIENT]);
        others.back()->SetServer(m_transport->GetServer());
        CallBy(MakeClient(others.back()));
    }
    Simulator::Schedule(Seconds(1), [this, &others] {
        EXPECT_EQ(m_server->GetConnectionCount(), 5U);
        for (const auto& other : others)
        {
            other->Disconnect();
        }
    });
    Simulator::Run();
    EXPECT_EQ(m_records.size(), 5U);
    EXPECT_EQ(m_server->GetConnectionCount(), 0U);
}

TEST_F(RpcTcp, LossIsTcpsMatter)
{
    Listen();
    for (std::size_t side = 0; side < 2; ++side)
    {
        const auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(static_cast<int64_t>(3 + side));
        const auto loss = CreateObject<RateErrorModel>();
        loss->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        loss->SetRate(0.02);
        loss->SetRandomVariable(uniform);
        m_pair.devices[side]->SetReceiveErrorModel(loss);
    }
    const ByteVector octets(100'000, 0x5a);
    for (int i = 0; i < 10; ++i)
    {
        Echo(octets);
    }
    m_transport->Disconnect();
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 10U);
    EXPECT_EQ(m_records.back().outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(m_echo, octets);
}

/// A server that answers late and is first not there: every trace source of both ends tells of it.
class RpcTcpTraces : public RpcTcp
{
  protected:
    template <typename... Arguments>
    void Watch(const Ptr<Object>& object, const std::string& source)
    {
        const auto name = object->GetInstanceTypeId().GetName() + "::" + source;
        m_fired[name];
        EXPECT_TRUE(object->TraceConnectWithoutContext(
            source,
            Callback<void, Arguments...>([this, name](Arguments...) { ++m_fired[name]; })))
            << name;
    }

    /// \return the trace sources of the class of \p object.
    static std::vector<std::string> ListSources(const Ptr<Object>& object)
    {
        std::vector<std::string> sources;
        const TypeId tid = object->GetInstanceTypeId();
        for (std::size_t i = 0; i < tid.GetTraceSourceN(); ++i)
        {
            sources.push_back(tid.GetName() + "::" + tid.GetTraceSource(i).name);
        }
        return sources;
    }

    std::map<std::string, uint32_t> m_fired;
};

TEST_F(RpcTcpTraces, EachSourceFires)
{
    Watch<uint16_t>(m_transport, "Connected");
    Watch<RpcTcpEnd>(m_transport, "Disconnected");
    Watch<const RpcRecord&>(m_transport, "CallSent");
    Watch<const RpcRecord&>(m_transport, "TimedOut");
    Watch<Time>(m_transport, "Retry");
    Watch<const RpcServiceTimes&>(m_server, "Replied");
    Watch<const Address&>(m_server, "Accepted");
    Watch<RpcTcpEnd>(m_server, "Closed");
    m_transport->SetAttribute("Timeout", TimeValue(Seconds(1)));
    m_rpcServer->SetAttribute("CallCost", TimeValue(MilliSeconds(1500)));
    Simulator::Schedule(Seconds(2), [this] { Listen(); });
    Call();
    Simulator::Schedule(Seconds(8), [this] {
        m_rpcServer->SetAttribute("CallCost", TimeValue(MilliSeconds(1)));
    });
    Simulator::Stop(Seconds(30));
    Simulator::Run();
    m_transport->Disconnect();
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    std::vector<std::string> sources = ListSources(m_transport);
    const auto ofServer = ListSources(m_server);
    sources.insert(sources.end(), ofServer.begin(), ofServer.end());
    EXPECT_EQ(sources.size(), m_fired.size());
    for (const auto& source : sources)
    {
        EXPECT_GT(m_fired[source], 0U) << source;
    }
}

/// The same on sockets of hosts, with TLS.
class RpcTcpTls : public RpcTcp
{
  protected:
    void TearDown() override
    {
        RpcTcp::TearDown();
        for (const auto& sockets : m_sockets)
        {
            sockets->Dispose();
        }
    }

    /// Puts the hosts' sockets under client and server, and has the server listen.
    void Start()
    {
        for (std::size_t side = 0; side < 2; ++side)
        {
            m_sockets[side]->SetHost(m_pair.nodes[side], CreateObject<HostCpu>());
            m_tls[side]->SetHost(side == TcpPair::CLIENT ? TlsEndpoint::Side::CLIENT
                                                         : TlsEndpoint::Side::SERVER,
                                 side == TcpPair::CLIENT ? "client-0" : "server-0");
            m_sockets[side]->SetTls(m_tls[side]);
        }
        m_transport->SetSockets(m_sockets[TcpPair::CLIENT]);
        m_transport->SetServerName("server-0");
        m_server->SetSockets(m_sockets[TcpPair::SERVER]);
        Listen();
    }

    void SetClient(const std::string& attribute, const std::string& value)
    {
        m_tls[TcpPair::CLIENT]->SetAttribute(attribute, StringValue(value));
    }

    void SetServer(const std::string& attribute, const std::string& value)
    {
        m_tls[TcpPair::SERVER]->SetAttribute(attribute, StringValue(value));
    }

    [[nodiscard]] RpcTlsStatistics Count(std::size_t side) const
    {
        return m_tls[side]->GetStatistics();
    }

    std::array<Ptr<HostSockets>, 2> m_sockets{CreateObject<HostSockets>(),
                                              CreateObject<HostSockets>()};
    std::array<Ptr<RpcTls>, 2> m_tls{CreateObject<RpcTls>(), CreateObject<RpcTls>()};
};

TEST_F(RpcTcpTls, SecuresAConnectionBeforeItsFirstCall)
{
    SetClient("Mode", "tls");
    SetClient("HandshakeLatency", "3ms");
    Start();
    Call();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records[0].outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(m_sums[0], 42U);
    EXPECT_GT(m_records[0].firstSent, MilliSeconds(3));
    EXPECT_LT(m_records[0].firstSent, MilliSeconds(4));
    EXPECT_EQ(Count(TcpPair::CLIENT).probes, 1U);
    for (const std::size_t side : {TcpPair::CLIENT, TcpPair::SERVER})
    {
        EXPECT_EQ(Count(side).handshakes, 1U);
        EXPECT_EQ(Count(side).recordsSent, 1U);
    }
    EXPECT_EQ(Count(TcpPair::CLIENT).octetsSent, Count(TcpPair::SERVER).octetsReceived);
    m_transport->Disconnect();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    EXPECT_EQ(Count(TcpPair::SERVER).closeNotify, 1U);
    EXPECT_EQ(m_closed, std::vector<RpcTcpEnd>{RpcTcpEnd::PEER_CLOSED});
}

TEST_F(RpcTcpTls, LargeRecordsPassWithKeysThatChange)
{
    ByteVector octets(300000);
    for (std::size_t i = 0; i < octets.size(); ++i)
    {
        octets[i] = static_cast<uint8_t>(i * 7);
    }
    SetClient("Mode", "mtls");
    SetClient("RekeyOctets", "100000");
    SetServer("RekeyOctets", "50000");
    SetServer("ServerRequires", "mtls");
    Start();
    for (int round = 0; round < 3; ++round)
    {
        Echo(octets);
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        EXPECT_EQ(m_echo, octets);
    }
    EXPECT_EQ(Count(TcpPair::CLIENT).keyUpdates, 2U);
    EXPECT_EQ(Count(TcpPair::SERVER).keyUpdates, 2U);
    EXPECT_EQ(m_rpcServer->GetStatistics().tooWeak, 0U);
}

TEST_F(RpcTcpTls, WithoutAnOfferModeTlsFailsAndOpportunisticGoesOn)
{
    SetClient("Mode", "tls");
    SetServer("ServerOffers", "false");
    Start();
    Call();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records[0].outcome, RpcOutcome::DISCONNECTED);
    EXPECT_EQ(m_server->GetStatistics().records, 1U) << "the call that asks for TLS";
    SetClient("Mode", "opportunistic");
    Call();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 2U);
    EXPECT_EQ(m_records[1].outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(Count(TcpPair::CLIENT).refused, 2U);
    EXPECT_EQ(Count(TcpPair::CLIENT).octetsSent, 0U);
}

TEST_F(RpcTcpTls, AServerThatRequiresTlsRefusesCallsInClear)
{
    SetServer("ServerRequires", "tls");
    Start();
    Call();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    EXPECT_EQ(m_rpcServer->GetStatistics().tooWeak, 1U);
    m_transport->Disconnect();
    SetClient("Mode", "tls");
    Call();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    EXPECT_EQ(m_rpcServer->GetStatistics().tooWeak, 1U);
    m_transport->Disconnect();
    SetServer("ServerRequires", "mtls");
    Call();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    EXPECT_EQ(m_rpcServer->GetStatistics().tooWeak, 2U) << "it has no certificate";
}

TEST_F(RpcTcpTls, CallsOfTheServerWaitUntilTheConnectionIsSecured)
{
    const auto callbacks = CreateObject<RpcServer>();
    callbacks->Register(Create<AdderProgram>(3));
    m_transport->SetReverseServer(callbacks);
    SetClient("Mode", "tls");
    Start();
    Call();
    Simulator::Stop(MilliSeconds(50));
    Simulator::Run();
    const auto client = *IpAddress::Parse(TcpPair::CLIENT_ADDRESS);
    const auto reverse = m_server->GetReverseTransport(client, 1);
    const auto caller = CreateObject<RpcClient>();
    caller->SetTransport(reverse);
    caller->SetProgram(400000, 3);
    CallBy(caller);
    Simulator::Stop(MilliSeconds(50));
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 2U);
    EXPECT_EQ(m_records[1].outcome, RpcOutcome::SUCCESS);
    m_transport->Disconnect();
    CallBy(caller);
    Simulator::Stop(MilliSeconds(50));
    Simulator::Run();
    EXPECT_EQ(m_records.size(), 2U) << "there is no connection";
    m_transport->Connect();
    Simulator::Stop(MilliSeconds(50));
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 3U);
    EXPECT_EQ(m_records[2].outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(Count(TcpPair::SERVER).handshakes, 2U);
    EXPECT_EQ(Count(TcpPair::SERVER).handshakesFailed, 0U);
}

TEST_F(RpcTcpTls, AHandshakeThatTakesTooLongEndsTheConnection)
{
    SetClient("Mode", "tls");
    SetClient("HandshakeTimeout", "1s");
    SetServer("HandshakeLatency", "2s");
    m_transport->SetAttribute("Soft", BooleanValue(true));
    Start();
    Call();
    Simulator::Stop(Seconds(3));
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records[0].outcome, RpcOutcome::DISCONNECTED);
    EXPECT_EQ(Count(TcpPair::CLIENT).timedOut, 1U);
    EXPECT_EQ(Count(TcpPair::CLIENT).handshakesFailed, 1U);
    EXPECT_EQ(Count(TcpPair::SERVER).timedOut, 0U);
    EXPECT_EQ(Count(TcpPair::SERVER).handshakesFailed, 1U);
    EXPECT_EQ(m_server->GetConnectionCount(), 0U);
}

TEST_F(RpcTcpTls, EncryptionTakesTheCoresTime)
{
    SetClient("Mode", "tls");
    SetClient("HandshakeLatency", "0s");
    SetServer("HandshakeLatency", "0s");
    const auto cpu = CreateObject<HostCpu>();
    cpu->SetAttribute("TlsRecordCost", TimeValue(MicroSeconds(100)));
    Start();
    m_sockets[TcpPair::CLIENT]->SetHost(m_pair.nodes[TcpPair::CLIENT], cpu);
    Call();
    Call();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 2U);
    const Time work = MicroSeconds(200);
    EXPECT_GT(m_records[0].replied - m_records[0].firstSent, work);
    EXPECT_LT(m_records[0].replied - m_records[0].firstSent, work + MicroSeconds(80));
}

TEST_F(RpcTcpTls, ItsTraceSourcesFire)
{
    std::vector<std::string> failures;
    std::vector<std::string> ends;
    const auto& tls = m_tls[TcpPair::CLIENT];
    tls->TraceConnectWithoutContext(
        "Handshake",
        Callback<void, Time, const std::string&>(
            [&failures](Time, const std::string& failure) { failures.push_back(failure); }));
    tls->TraceConnectWithoutContext(
        "Ended",
        Callback<void, const std::string&>(
            [&ends](const std::string& alert) { ends.push_back(alert); }));
    SetClient("Mode", "tls");
    Start();
    Call();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    m_transport->Disconnect();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    m_transport->SetServerName("server-1");
    Call();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    EXPECT_EQ(failures, (std::vector<std::string>{"", "bad certificate"}));
    EXPECT_EQ(ends, std::vector<std::string>{""});
}

} // namespace
} // namespace ns3::nfsrdma
