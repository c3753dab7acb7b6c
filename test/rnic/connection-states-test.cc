/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Type = CmEventType;

/// The server's consumer decides when the case says so; ids beyond the fixture's own are free.
class ConnectionStates : public RnicTest
{
  protected:
    using Log = std::vector<Type>;

    void ListenOn(uint32_t backlog)
    {
        m_listener = CmId::Create(m_server.device);
        m_listener->SetEventCallback(Callback<void, Ptr<CmId>, const CmEvent&>(
            [this](Ptr<CmId>, const CmEvent& event) { m_requests.push_back(event); }));
        ASSERT_TRUE(m_listener->Listen(PORT, backlog));
    }

    static void Watch(Ptr<CmId> id, Log& log)
    {
        id->SetEventCallback(Callback<void, Ptr<CmId>, const CmEvent&>(
            [&log](Ptr<CmId>, const CmEvent& event) { log.push_back(event.type); }));
    }

    /// Connects a queue pair of the client and runs until the request is reported, or refused.
    Ptr<CmId> Request(Log& log, Ptr<QueuePair> pair)
    {
        const auto id = CmId::Create(m_client.device);
        Watch(id, log);
        EXPECT_TRUE(id->Connect(pair, MakeSocketAddress(m_server.address, PORT), {{}, 4, 4}));
        RunFor(MicroSeconds(100));
        return id;
    }

    /// As above, with the fixture's queue pair; m_server.id is the request.
    void Request()
    {
        m_client.id = Request(m_clientLog, m_client.pair);
        ASSERT_EQ(m_requests.size(), 1U);
        m_server.id = m_requests[0].newId;
        Watch(m_server.id, m_serverLog);
    }

    void Establish()
    {
        ListenOn(0);
        Request();
        ASSERT_TRUE(m_server.id->Accept(m_server.pair, {{}, 4, 4}));
        Run();
        ASSERT_THAT(m_clientLog, ElementsAre(Type::ESTABLISHED));
    }

    static void RunFor(Time time)
    {
        Simulator::Stop(time);
        Simulator::Run();
    }

    static Ptr<QueuePair> MakePair(const RnicHost& host)
    {
        return host.device
            ->CreateQueuePair(host.domain, host.sendCompletions, host.receiveCompletions, {})
            .value();
    }

    void ExpectNoConnections()
    {
        EXPECT_EQ(m_client.device->GetCensus().connections, 0U);
        EXPECT_EQ(m_server.device->GetCensus().connections, 0U);
    }

    Log m_clientLog;
    Log m_serverLog;
};

TEST_F(ConnectionStates, OneMoreThanTheBacklogIsRefused)
{
    ListenOn(2);
    Log logs[4];
    std::vector<Ptr<CmId>> ids;
    for (int i = 0; i < 3; i++)
    {
        ids.push_back(Request(logs[i], MakePair(m_client)));
    }
    EXPECT_EQ(m_requests.size(), 2U);
    EXPECT_THAT(logs[0], IsEmpty());
    EXPECT_THAT(logs[1], IsEmpty());
    EXPECT_THAT(logs[2], ElementsAre(Type::CONNECT_ERROR));
    EXPECT_EQ(m_server.device->GetCounters().connectionsRefused, 1U);
    ASSERT_TRUE(m_requests[0].newId->Reject({}));
    ids.push_back(Request(logs[3], MakePair(m_client)));
    EXPECT_THAT(logs[0], ElementsAre(Type::REJECTED));
    EXPECT_EQ(m_requests.size(), 3U) << "a decision makes room";
    ASSERT_TRUE(m_requests[1].newId->Accept(m_server.pair, {}));
    RunFor(MicroSeconds(100));
    EXPECT_THAT(logs[1], ElementsAre(Type::ESTABLISHED));
    m_requests[2].newId->Disconnect();
    Run();
    EXPECT_THAT(logs[3], ElementsAre(Type::REJECTED)) << "to disconnect a request refuses it";
}

TEST_F(ConnectionStates, TheDefaultBacklogIsTheDevices)
{
    m_server.device->SetAttribute("ListenBacklog", UintegerValue(1));
    ListenOn(0);
    Log logs[2];
    const auto first = Request(logs[0], MakePair(m_client));
    const auto second = Request(logs[1], MakePair(m_client));
    EXPECT_EQ(m_requests.size(), 1U);
    EXPECT_THAT(logs[1], ElementsAre(Type::CONNECT_ERROR));
}

TEST_F(ConnectionStates, ARequestThatTimesOutLeavesTheBacklog)
{
    ListenOn(1);
    Request();
    Run();
    EXPECT_THAT(m_clientLog, ElementsAre(Type::CONNECT_ERROR)) << "no Reply in time";
    EXPECT_THAT(m_serverLog, ElementsAre(Type::CONNECT_ERROR));
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    EXPECT_EQ(m_server.id->Accept(m_server.pair, {}).error(), VerbsError::INVALID_ARGUMENT)
        << "too late";
    Log log;
    const auto another = Request(log, MakePair(m_client));
    EXPECT_EQ(m_requests.size(), 2U);
}

TEST_F(ConnectionStates, AStreamWithoutARequestLeavesTheBacklog)
{
    ListenOn(1);
    const auto silent =
        m_client.device->GetTransport()->Connect(MakeSocketAddress(m_server.address, PORT));
    RunFor(MilliSeconds(1));
    Log refused;
    const auto first = Request(refused, MakePair(m_client));
    EXPECT_THAT(refused, ElementsAre(Type::CONNECT_ERROR));
    RunFor(Seconds(20));
    Log log;
    const auto second = Request(log, MakePair(m_client));
    EXPECT_EQ(m_requests.size(), 1U) << "the silent one has timed out";
}

TEST_F(ConnectionStates, PrivateDataThatDoNotFitAreRefusedAtTheCall)
{
    ListenOn(0);
    const auto remote = MakeSocketAddress(m_server.address, PORT);
    const auto id = CmId::Create(m_client.device);
    EXPECT_EQ(id->Connect(m_client.pair, remote, {ByteVector(509), 1, 1}).error(),
              VerbsError::INVALID_ARGUMENT);
    EXPECT_TRUE(id->Connect(m_client.pair, remote, {ByteVector(508, 7), 1, 1}));
    RunFor(MicroSeconds(100));
    ASSERT_EQ(m_requests.size(), 1U);
    EXPECT_EQ(m_requests[0].privateData, ByteVector(508, 7));
    const auto& request = m_requests[0].newId;
    EXPECT_EQ(request->Accept(m_server.pair, {ByteVector(509), 1, 1}).error(),
              VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(request->Reject(ByteVector(509)).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_TRUE(request->Accept(m_server.pair, {ByteVector(508, 8), 1, 1}));
    Run();
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::RTS);
}

/// MPA revision 1 has room for four octets more.
class FirstRevision : public ConnectionStates
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        if (&host == &m_client)
        {
            host.device->GetMpaSettings()->SetAttribute("Revision", UintegerValue(1));
        }
    }
};

TEST_F(FirstRevision, Carries512Octets)
{
    ListenOn(0);
    const auto remote = MakeSocketAddress(m_server.address, PORT);
    const auto id = CmId::Create(m_client.device);
    Watch(id, m_clientLog);
    EXPECT_EQ(id->Connect(m_client.pair, remote, {ByteVector(513), 1, 1}).error(),
              VerbsError::INVALID_ARGUMENT);
    EXPECT_TRUE(id->Connect(m_client.pair, remote, {ByteVector(512, 7), 1, 1}));
    RunFor(MicroSeconds(100));
    ASSERT_EQ(m_requests.size(), 1U);
    EXPECT_EQ(m_requests[0].privateData, ByteVector(512, 7));
    EXPECT_EQ(m_requests[0].newId->Reject(ByteVector(513)).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_TRUE(m_requests[0].newId->Reject(ByteVector(512)));
    Run();
    EXPECT_THAT(m_clientLog, ElementsAre(Type::REJECTED));
}

TEST_F(ConnectionStates, VerbsInAnotherStateAreRefused)
{
    const auto invalid = VerbsError::INVALID_ARGUMENT;
    const auto remote = MakeSocketAddress(m_server.address, PORT);
    const auto idle = CmId::Create(m_client.device);
    EXPECT_EQ(idle->Accept(m_client.pair, {}).error(), invalid);
    EXPECT_EQ(idle->Reject({}).error(), invalid);
    EXPECT_EQ(idle->Connect(nullptr, remote, {}).error(), invalid);
    EXPECT_EQ(idle->Connect(m_server.pair, remote, {}).error(), invalid) << "of another device";
    idle->Disconnect();
    Establish();
    EXPECT_EQ(m_client.id->Connect(MakePair(m_client), remote, {}).error(), invalid);
    EXPECT_FALSE(m_client.id->Listen(PORT + 1));
    EXPECT_EQ(m_server.id->Accept(MakePair(m_server), {}).error(), invalid);
    EXPECT_EQ(m_server.id->Reject({}).error(), invalid);
    EXPECT_EQ(m_listener->Connect(MakePair(m_server), remote, {}).error(), invalid);
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::RTS);
}

TEST_F(ConnectionStates, TheServerMayDisconnect)
{
    Establish();
    m_server.id->Disconnect();
    Run();
    EXPECT_THAT(m_clientLog, ElementsAre(Type::ESTABLISHED, Type::DISCONNECTED));
    EXPECT_THAT(m_serverLog, ElementsAre(Type::ESTABLISHED, Type::DISCONNECTED));
    EXPECT_THAT(m_client.states, ElementsAre(QueuePairState::RTS, QueuePairState::ERROR));
    EXPECT_THAT(m_server.states,
                ElementsAre(QueuePairState::RTS, QueuePairState::CLOSING, QueuePairState::ERROR));
    ExpectNoConnections();
}

TEST_F(ConnectionStates, AnInitiatorMayGiveUp)
{
    ListenOn(0);
    Request();
    m_client.id->Disconnect();
    Run();
    EXPECT_THAT(m_clientLog, ElementsAre(Type::CONNECT_ERROR));
    EXPECT_THAT(m_serverLog, ElementsAre(Type::CONNECT_ERROR));
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::IDLE) << "it was not used";
    ExpectNoConnections();
}

TEST_F(ConnectionStates, DestroyedWhileIdle)
{
    const auto id = CmId::Create(m_client.device);
    id->Destroy();
    EXPECT_FALSE(id->Listen(PORT));
    EXPECT_EQ(id->GetReferenceCount(), 1U);
}

TEST_F(ConnectionStates, AListenerDestroyedRefusesWhatItHasNotReported)
{
    ListenOn(0);
    const auto id = CmId::Create(m_client.device);
    Watch(id, m_clientLog);
    EXPECT_TRUE(id->Connect(m_client.pair, MakeSocketAddress(m_server.address, PORT), {}));
    while (m_server.device->GetCensus().connections == 0)
    {
        RunFor(NanoSeconds(100));
    }
    m_listener->Destroy();
    Run();
    EXPECT_THAT(m_requests, IsEmpty());
    EXPECT_THAT(m_clientLog, ElementsAre(Type::REJECTED));
    EXPECT_EQ(m_listener->GetReferenceCount(), 1U);
    ExpectNoConnections();
    EXPECT_TRUE(CmId::Create(m_server.device)->Listen(PORT)) << "the port is free";
}

TEST_F(ConnectionStates, ARequestDestroyedIsRefused)
{
    ListenOn(0);
    Request();
    m_server.id->Destroy();
    Run();
    EXPECT_THAT(m_clientLog, ElementsAre(Type::REJECTED));
    EXPECT_THAT(m_serverLog, IsEmpty());
    ExpectNoConnections();
}

TEST_F(ConnectionStates, AnInitiatorDestroyedDropsTheConnection)
{
    ListenOn(0);
    Request();
    m_client.id->Destroy();
    Run();
    EXPECT_THAT(m_clientLog, IsEmpty());
    EXPECT_THAT(m_serverLog, ElementsAre(Type::CONNECT_ERROR));
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    ExpectNoConnections();
}

TEST_F(ConnectionStates, AConnectionDestroyedIsHeardOfByThePeerOnly)
{
    Establish();
    ASSERT_TRUE(m_client.pair->PostReceive({}));
    m_client.id->Destroy();
    Run();
    EXPECT_THAT(m_clientLog, ElementsAre(Type::ESTABLISHED));
    EXPECT_THAT(m_serverLog, ElementsAre(Type::ESTABLISHED, Type::DISCONNECTED));
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    EXPECT_EQ(m_client.receiveCompletions->GetCount() + m_client.received.size(), 1U);
    ExpectNoConnections();
}

TEST_F(ConnectionStates, DestroyedAfterTheEnd)
{
    Establish();
    m_server.id->Disconnect();
    Run();
    m_client.id->Destroy();
    m_client.id->Destroy();
    Run();
    EXPECT_EQ(m_client.id->GetReferenceCount(), 1U);
}

TEST_F(ConnectionStates, AHandlerMayDestroyItsId)
{
    ListenOn(0);
    Request();
    ASSERT_TRUE(m_server.id->Accept(m_server.pair, {}));
    int calls = 0;
    m_client.id->SetEventCallback(
        Callback<void, Ptr<CmId>, const CmEvent&>([&](Ptr<CmId> id, const CmEvent&) {
            calls++;
            id->Destroy();
        }));
    m_client.id = nullptr;
    Run();
    EXPECT_EQ(calls, 1);
    EXPECT_THAT(m_serverLog, ElementsAre(Type::ESTABLISHED, Type::DISCONNECTED));
    ExpectNoConnections();
}

TEST_F(ConnectionStates, AServerHearsOfTheConnectionRightAfterItsReply)
{
    Establish();
    EXPECT_THAT(m_serverLog, ElementsAre(Type::ESTABLISHED));
}

class AtFirstFpdu : public ConnectionStates
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->SetAttribute("Established", EnumValue(RnicSettings::FIRST_FPDU));
    }
};

TEST_F(AtFirstFpdu, AServerHearsOfTheConnectionWhenThePeerSpeaks)
{
    Establish();
    EXPECT_THAT(m_serverLog, IsEmpty());
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::RTS);
    ASSERT_TRUE(m_server.pair->PostReceive({}));
    PostSend(m_client, {});
    Run();
    EXPECT_THAT(m_serverLog, ElementsAre(Type::ESTABLISHED));
    m_client.id->Disconnect();
    Run();
    EXPECT_THAT(m_serverLog, ElementsAre(Type::ESTABLISHED, Type::DISCONNECTED));
    EXPECT_THAT(m_clientLog, ElementsAre(Type::ESTABLISHED, Type::DISCONNECTED));
}

TEST_F(AtFirstFpdu, AConnectionThatEndsBeforeHasFailed)
{
    Establish();
    m_client.id->Disconnect();
    Run();
    EXPECT_THAT(m_serverLog, ElementsAre(Type::CONNECT_ERROR));
    EXPECT_THAT(m_clientLog, ElementsAre(Type::ESTABLISHED, Type::DISCONNECTED));
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::ERROR);
    ExpectNoConnections();
}

} // namespace ns3::nfsrdma
