/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"
#include "wire/ip-address.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Connections : public RnicTest
{
  protected:
    CmConnectionParameters GetParameters(const RnicHost& host) override
    {
        const bool client = &host == &m_client;
        return client ? CmConnectionParameters{Pattern(20, 1), 3, 40}
                      : CmConnectionParameters{Pattern(30, 2), 16, 16};
    }
};

TEST_F(Connections, BothSidesHearOfPrivateDataAndReadDepths)
{
    Connect();
    ASSERT_EQ(m_requests.size(), 1U);
    EXPECT_EQ(m_requests[0].type, CmEventType::CONNECT_REQUEST);
    EXPECT_EQ(m_requests[0].privateData, Pattern(20, 1));
    EXPECT_EQ(m_requests[0].ird, 40U);
    EXPECT_EQ(m_requests[0].ord, 3U);
    ASSERT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    EXPECT_EQ(m_client.events[0].privateData, Pattern(30, 2));
    ASSERT_THAT(m_server.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    EXPECT_EQ(m_client.pair->GetIrd(), 3U);
    EXPECT_EQ(m_server.pair->GetOrd(), 3U);
    EXPECT_EQ(m_client.pair->GetOrd(), m_server.pair->GetIrd());
    EXPECT_EQ(m_client.events[0].ord, m_client.pair->GetOrd());
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::RTS);
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::RTS);
    EXPECT_EQ(m_client.device->GetCensus().connections, 1U);
    EXPECT_EQ(m_server.device->GetCensus().connections, 1U);
    EXPECT_EQ(GetHostOf(m_server.id->GetPeerAddress()), m_client.address);
    EXPECT_EQ(m_client.id->GetQueuePair(), m_client.pair);
}

TEST_F(Connections, OrderlyDisconnectDrainsAndTellsBothSides)
{
    Connect();
    const HostBuffer message = m_client.Fill(Pattern(60000));
    const HostBuffer room = m_server.Room(60000);
    PostReceive(m_server, 1, room);
    PostReceive(m_server, 2, room);
    PostReceive(m_client, 3, Keep(m_client.Room(1)));
    PostSend(m_client, Send(1, message));
    while (m_client.pair->GetOutstandingSends() != 0)
    {
        Simulator::Stop(NanoSeconds(100));
        Simulator::Run();
    }
    m_client.id->Disconnect();
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::CLOSING);
    EXPECT_EQ(m_client.pair->PostSend(SendWorkRequest()).error(), VerbsError::NOT_CONNECTED);
    Run();
    EXPECT_EQ(m_server.Octets(room), Pattern(60000));
    EXPECT_THAT(m_server.ReceivedIds(), ElementsAre(1, 2));
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::SUCCESS, Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_client.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_client.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
    EXPECT_THAT(m_server.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
    EXPECT_THAT(m_client.states,
                ElementsAre(QueuePairState::RTS, QueuePairState::CLOSING, QueuePairState::ERROR));
    EXPECT_THAT(m_server.states, ElementsAre(QueuePairState::RTS, QueuePairState::ERROR));
    EXPECT_EQ(m_client.device->GetCensus().connections, 0U);
    EXPECT_EQ(m_server.device->GetCensus().connections, 0U);
}

TEST_F(Connections, DisconnectWithWorkFlushesIt)
{
    Connect();
    SendWorkRequest send;
    send.id = 5;
    PostSend(m_client, send);
    m_client.id->Disconnect();
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_client.states, ElementsAre(QueuePairState::RTS, QueuePairState::ERROR));
    EXPECT_THAT(m_server.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
}

TEST_F(Connections, BothSidesMayDisconnectAtOnce)
{
    Connect();
    m_client.id->Disconnect();
    m_server.id->Disconnect();
    Run();
    EXPECT_THAT(m_client.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
    EXPECT_THAT(m_server.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
}

class Rejection : public Connections
{
  protected:
    std::optional<ByteVector> GetRejection(const CmEvent& /* request */) override
    {
        return Pattern(12, 5);
    }
};

TEST_F(Rejection, CarriesPrivateDataAndFlushes)
{
    ASSERT_TRUE(m_client.pair->PostReceive({}));
    Connect();
    ASSERT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::REJECTED));
    EXPECT_EQ(m_client.events[0].privateData, Pattern(12, 5));
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    EXPECT_THAT(m_client.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_server.events, IsEmpty());
    EXPECT_EQ(m_client.device->GetCensus().connections, 0U);
    EXPECT_EQ(m_server.device->GetCensus().connections, 0U);
}

class NoListener : public Connections
{
  protected:
    void ConnectTo(const IpAddress& address, uint16_t port)
    {
        m_client.id = CmId::Create(m_client.device);
        m_client.id->SetEventCallback(Callback<void, Ptr<CmId>, const CmEvent&>(
            [this](Ptr<CmId>, const CmEvent& event) { m_client.events.push_back(event); }));
        m_client.id->Connect(m_client.pair, MakeSocketAddress(address, port), {});
        Run();
    }
};

TEST_F(NoListener, RefusedPortIsUnreachable)
{
    ConnectTo(m_server.address, PORT);
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::UNREACHABLE));
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    EXPECT_EQ(m_client.device->GetCensus().connections, 0U);
}

TEST_F(NoListener, SilentAddressIsUnreachable)
{
    ConnectTo(*IpAddress::Parse("10.77.0.99"), PORT);
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::UNREACHABLE));
}

TEST_F(Connections, AListenerThatStoppedRefuses)
{
    Connect();
    EXPECT_FALSE(CmId::Create(m_server.device)->Listen(PORT)) << "the port is taken";
    m_listener->Disconnect();
    Run();
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::RTS) << "connections stay";
    const auto another = CmId::Create(m_server.device);
    EXPECT_TRUE(another->Listen(PORT));
    another->Disconnect();
}

TEST_F(Connections, AUsedQueuePairCannotConnectAgain)
{
    Connect();
    const auto second = CmId::Create(m_client.device);
    std::vector<CmEventType> events;
    second->SetEventCallback(Callback<void, Ptr<CmId>, const CmEvent&>(
        [&events](Ptr<CmId>, const CmEvent& event) { events.push_back(event.type); }));
    m_client.pair->MoveToError();
    Run();
    second->Connect(m_client.pair, MakeSocketAddress(m_server.address, PORT), {});
    EXPECT_THAT(events, IsEmpty()) << "events come from the simulator only";
    Run();
    EXPECT_THAT(events, ElementsAre(CmEventType::CONNECT_ERROR));
}

TEST_F(Connections, AQueuePairThatAnotherIdConnectsIsBusy)
{
    Connect();
    const auto pair = *m_client.device->CreateQueuePair(m_client.domain,
                                                        m_client.sendCompletions,
                                                        m_client.receiveCompletions,
                                                        {});
    const Address server = MakeSocketAddress(m_server.address, PORT);
    const auto first = CmId::Create(m_client.device);
    const auto second = CmId::Create(m_client.device);
    EXPECT_TRUE(first->Connect(pair, server, {}));
    EXPECT_EQ(second->Connect(pair, server, {}).error(), VerbsError::BUSY);
    EXPECT_EQ(pair->GetState(), QueuePairState::IDLE);
    EXPECT_FALSE(second->IsActive());
    first->Disconnect();
    Run();
    EXPECT_EQ(pair->GetState(), QueuePairState::ERROR);
}

TEST_F(Connections, DestroyingAQueuePairWithWorkOutstandingTellsThePeer)
{
    Connect();
    const HostBuffer message = m_client.Fill(Pattern(300000));
    const HostBuffer room = m_server.Room(300000);
    PostReceive(m_server, 1, room);
    PostReceive(m_client, 2, message);
    PostSend(m_client, Send(1, message));
    Simulator::Stop(MicroSeconds(10));
    Run();
    ASSERT_EQ(m_client.pair->GetOutstandingSends(), 1U);
    EXPECT_TRUE(m_client.device->Destroy(m_client.pair));
    EXPECT_FALSE(m_client.device->Destroy(m_client.pair));
    EXPECT_EQ(m_client.pair->PostReceive({}).error(), VerbsError::INVALID_ARGUMENT);
    Run();
    EXPECT_THAT(m_client.sent, IsEmpty());
    EXPECT_THAT(m_client.received, IsEmpty());
    EXPECT_THAT(m_client.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
    EXPECT_THAT(m_server.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    const RnicCensus census = m_client.device->GetCensus();
    EXPECT_EQ(census.queuePairs, 0U);
    EXPECT_EQ(census.outstandingSends, 0U);
    EXPECT_EQ(census.connections, 0U);
}

TEST_F(Connections, TheSimulationMayEndWithWorkUnderWay)
{
    Connect();
    const HostBuffer message = m_client.Fill(Pattern(300000));
    const HostBuffer room = m_server.Room(300000);
    PostReceive(m_server, 1, room);
    PostSend(m_client, Send(1, message));
    Simulator::Stop(MicroSeconds(10));
    Run();
    EXPECT_EQ(m_client.device->GetCensus().outstandingSends, 1U);
    Simulator::Destroy();
    EXPECT_TRUE(IsZero(m_client.device->GetCensus()));
    EXPECT_EQ(m_client.pair->GetReferenceCount(), 1U);
    EXPECT_EQ(m_client.id->GetReferenceCount(), 1U);
}

TEST_F(Connections, NothingIsLeftAfterEverythingWasGivenBack)
{
    Connect();
    const HostBuffer buffer = m_server.Room(100);
    const auto region = RegisterNow(m_server, buffer, ACCESS_REMOTE_READ);
    EXPECT_EQ(m_server.device->Destroy(m_server.domain).error(), VerbsError::BUSY);
    EXPECT_EQ(m_server.device->Destroy(m_server.sendCompletions).error(), VerbsError::BUSY);
    ASSERT_TRUE(m_server.pair->PostReceive({}));
    EXPECT_EQ(m_server.device->GetCensus().postedReceives, 1U);
    EXPECT_EQ(m_server.device->GetCensus().validMemoryRegions, 1U);
    m_client.id->Disconnect();
    Run();
    DestroyAll(m_client, {});
    DestroyAll(m_server, {region});
    m_listener->Disconnect();
    Run();
    EXPECT_TRUE(IsZero(m_client.device->GetCensus()));
    EXPECT_TRUE(IsZero(m_server.device->GetCensus()));
}

TEST_F(Connections, DeviceLimitsAreEnforced)
{
    const auto& device = m_client.device;
    device->SetAttribute("MaxPds", UintegerValue(2));
    device->SetAttribute("MaxCqs", UintegerValue(3));
    device->SetAttribute("MaxQps", UintegerValue(2));
    device->SetAttribute("MaxMrs", UintegerValue(1));
    EXPECT_TRUE(device->AllocateProtectionDomain());
    EXPECT_EQ(device->AllocateProtectionDomain().error(), VerbsError::NO_MEMORY);
    EXPECT_EQ(device->CreateCompletionQueue(0).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_TRUE(device->CreateCompletionQueue(1));
    EXPECT_EQ(device->CreateCompletionQueue(1).error(), VerbsError::NO_MEMORY);
    const auto make = [&](const QueuePairCapabilities& sizes) {
        return device->CreateQueuePair(m_client.domain,
                                       m_client.sendCompletions,
                                       m_client.receiveCompletions,
                                       sizes);
    };
    EXPECT_EQ(make({0, 1}).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(make({1, 1U << 20}).error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_TRUE(make({1, 1}));
    EXPECT_EQ(make({1, 1}).error(), VerbsError::NO_MEMORY);
    EXPECT_EQ(device
                  ->CreateQueuePair(m_server.domain,
                                    m_client.sendCompletions,
                                    m_client.receiveCompletions,
                                    {})
                  .error(),
              VerbsError::INVALID_ARGUMENT)
        << "a domain of another device";
    EXPECT_EQ(device->AllocateMemoryRegion(m_client.domain, 257).error(),
              VerbsError::INVALID_ARGUMENT);
    EXPECT_TRUE(device->AllocateMemoryRegion(m_client.domain, 256));
    EXPECT_EQ(device->AllocateMemoryRegion(m_client.domain, 1).error(), VerbsError::NO_MEMORY);
}

} // namespace ns3::nfsrdma
