/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/connect/streaming-mode.h"
#include "rnic/rnic-fixture.h"
#include "wire/ip-address.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string_view>

namespace ns3::nfsrdma
{
namespace
{

/// What frames of one host carry, in the order in which it sends them.
class SaidOctets
{
  public:
    void Watch(const RnicHost& host)
    {
        host.port->TraceConnectWithoutContext("PhyTxBegin", MakeCallback(&SaidOctets::Take, this));
    }

    /// \return places at which \p text has been said.
    [[nodiscard]] std::vector<std::size_t> Find(std::string_view text) const
    {
        std::vector<std::size_t> places;
        for (auto at = m_octets.find(text); at != std::string::npos;
             at = m_octets.find(text, at + 1))
        {
            places.push_back(at);
        }
        return places;
    }

    /// \return connections opened.
    [[nodiscard]] std::size_t CountRequests() const
    {
        return Find("MPA ID Req Frame").size();
    }

  private:
    void Take(Ptr<const Packet> frame)
    {
        std::vector<uint8_t> octets(frame->GetSize());
        frame->CopyData(octets.data(), frame->GetSize());
        m_octets.append(octets.begin(), octets.end());
    }

    std::string m_octets;
};

class StreamingModeTest : public RnicTest
{
  protected:
    void SetUp() override
    {
        RnicTest::SetUp();
        m_clientSaid.Watch(m_client);
        m_serverSaid.Watch(m_server);
    }

    void ConfigureDevice(RnicHost& host) override
    {
        const bool client = &host == &m_client;
        host.device->SetAttribute("StreamingPreamble",
                                  UintegerValue(client ? m_clientPreamble : m_serverPreamble));
        host.device->SetAttribute("RejectedStreamTime", TimeValue(m_rejectedStreamTime));
        host.device->GetMpaSettings()->SetAttribute("RequestTimeout", TimeValue(MilliSeconds(2)));
        host.device->GetMpaSettings()->SetAttribute("ReplyTimeout", TimeValue(MilliSeconds(3)));
    }

    std::optional<ByteVector> GetRejection(const CmEvent& /* request */) override
    {
        return m_rejections-- > 0 ? std::optional(Pattern(12, 5)) : std::nullopt;
    }

    /// Connects, and runs until \p time after that.
    void ConnectUntil(Time time)
    {
        Simulator::Stop(time);
        Connect();
    }

    /// Connects another queue pair of the client, and runs until that is over.
    void ConnectAgain()
    {
        m_client.pair = *m_client.device->CreateQueuePair(m_client.domain,
                                                          m_client.sendCompletions,
                                                          m_client.receiveCompletions,
                                                          {});
        m_client.events.clear();
        m_client.id = CmId::Create(m_client.device);
        m_client.id->SetEventCallback(Callback<void, Ptr<CmId>, const CmEvent&>(
            [this](Ptr<CmId>, const CmEvent& event) { m_client.events.push_back(event); }));
        ASSERT_TRUE(
            m_client.id->Connect(m_client.pair, GetServerAddress(), GetParameters(m_client)));
        Run();
    }

    void ExpectMessagesArrive()
    {
        const HostBuffer message = m_client.Fill(Pattern(20000));
        const HostBuffer room = m_server.Room(20000);
        PostReceive(m_server, 1, room);
        PostSend(m_client, Send(1, message));
        Run();
        EXPECT_EQ(m_server.Octets(room), Pattern(20000));
    }

    [[nodiscard]] uint64_t CountFailures(const RnicHost& host, MpaError error) const
    {
        return host.device->GetCounters().startupFailures.at(static_cast<std::size_t>(error));
    }

    uint32_t m_clientPreamble{40};
    uint32_t m_serverPreamble{40};
    Time m_rejectedStreamTime;
    int m_rejections{0};
    SaidOctets m_clientSaid;
    SaidOctets m_serverSaid;
};

TEST_F(StreamingModeTest, MpaStartsBehindTheLastStreamingMessage)
{
    Connect();
    ASSERT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    ASSERT_THAT(m_server.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    const StreamingMode mode = StreamingMode::OfSize(40);
    const auto hello = m_clientSaid.Find({reinterpret_cast<const char*>(mode.hello.data()), 40});
    const auto last =
        m_serverSaid.Find({reinterpret_cast<const char*>(mode.lastMessage.data()), 40});
    ASSERT_EQ(hello.size(), 1U);
    ASSERT_EQ(last.size(), 1U);
    EXPECT_GT(m_clientSaid.Find("MPA ID Req Frame").at(0), hello[0]);
    EXPECT_GT(m_serverSaid.Find("MPA ID Rep Frame").at(0), last[0]);
    ExpectMessagesArrive();
}

TEST_F(StreamingModeTest, WithoutItMpaStartsAtOnce)
{
    m_client.device->SetAttribute("StreamingPreamble", UintegerValue(0));
    m_server.device->SetAttribute("StreamingPreamble", UintegerValue(0));
    Connect();
    ASSERT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    EXPECT_THAT(m_clientSaid.Find("Hello"), IsEmpty());
    EXPECT_THAT(m_serverSaid.Find("Hello"), IsEmpty());
}

TEST_F(StreamingModeTest, MessagesOfConsumersMayBeLongerThanASegmentAndOfOneSideOnly)
{
    StreamingMode mode;
    mode.hello = Pattern(50000, 9);
    m_listener = CmId::Create(m_server.device);
    m_listener->SetStreamingMode(mode);
    ASSERT_TRUE(m_listener->Listen(PORT));
    std::vector<CmEventType> heard;
    m_listener->SetEventCallback(Callback<void, Ptr<CmId>, const CmEvent&>(
        [&](Ptr<CmId>, const CmEvent& event) { heard.push_back(event.type); }));
    m_client.id = CmId::Create(m_client.device);
    m_client.id->SetStreamingMode(mode);
    ASSERT_TRUE(m_client.id->Connect(m_client.pair, GetServerAddress(), {}));
    Simulator::Stop(MilliSeconds(1));
    Run();
    EXPECT_THAT(heard, ElementsAre(CmEventType::CONNECT_REQUEST));
}

TEST_F(StreamingModeTest, APeerThatSaysSomethingElseIsClosed)
{
    m_client.device->SetAttribute("StreamingPreamble", UintegerValue(0));
    ConnectUntil(MilliSeconds(1));
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::CONNECT_ERROR));
    EXPECT_THAT(m_requests, IsEmpty());
    EXPECT_EQ(CountFailures(m_server, MpaError::INVALID_STARTUP), 1U)
        << "its first octet is not that of a hello";
    EXPECT_EQ(m_server.device->GetCensus().connections, 0U);
}

TEST_F(StreamingModeTest, AHelloIsNoRequest)
{
    m_server.device->SetAttribute("StreamingPreamble", UintegerValue(0));
    Connect();
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::CONNECT_ERROR));
    EXPECT_EQ(m_client.device->GetCensus().connections, 0U);
    EXPECT_EQ(m_server.device->GetCensus().connections, 0U);
}

TEST_F(StreamingModeTest, APeerThatDoesNotSayAllOfItIsClosedInTime)
{
    m_server.device->SetAttribute("StreamingPreamble", UintegerValue(41));
    ConnectUntil(MicroSeconds(1900));
    EXPECT_EQ(CountFailures(m_server, MpaError::INVALID_STARTUP), 0U);
    EXPECT_EQ(m_server.device->GetCensus().connections, 1U);
    Simulator::Stop(MicroSeconds(200));
    Run();
    EXPECT_EQ(CountFailures(m_server, MpaError::INVALID_STARTUP), 1U);
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::CONNECT_ERROR));
    EXPECT_EQ(m_server.device->GetCensus().connections, 0U);
}

TEST_F(StreamingModeTest, NobodyListens)
{
    m_client.id = CmId::Create(m_client.device);
    m_client.id->SetEventCallback(Callback<void, Ptr<CmId>, const CmEvent&>(
        [this](Ptr<CmId>, const CmEvent& event) { m_client.events.push_back(event); }));
    ASSERT_TRUE(m_client.id->Connect(m_client.pair, GetServerAddress(), {}));
    Run();
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::UNREACHABLE));
}

TEST_F(StreamingModeTest, ADeviceThatGoesDuringTheExchangeEndsIt)
{
    m_server.device->SetAttribute("StreamingPreamble", UintegerValue(41));
    Simulator::Schedule(MilliSeconds(1), [this] { m_client.device->GetFaults().Fail(); });
    ConnectUntil(MicroSeconds(1100));
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::DEVICE_REMOVAL));
    EXPECT_EQ(m_server.device->GetCensus().connections, 0U) << "TCP was reset";
}

class RejectedStreamTest : public StreamingModeTest, public ::testing::WithParamInterface<uint32_t>
{
  protected:
    RejectedStreamTest()
    {
        m_clientPreamble = GetParam();
        m_serverPreamble = GetParam();
        m_rejectedStreamTime = MilliSeconds(1);
        m_rejections = 1;
    }
};

TEST_P(RejectedStreamTest, CarriesTheNextAttempt)
{
    ConnectUntil(MicroSeconds(500));
    ASSERT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::REJECTED));
    EXPECT_EQ(m_client.events[0].privateData, Pattern(12, 5));
    const Address first = m_requests.at(0).newId->GetPeerAddress();
    ConnectAgain();
    ASSERT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    ASSERT_EQ(m_requests.size(), 2U);
    EXPECT_EQ(m_requests[1].newId->GetPeerAddress(), first) << "with its port";
    EXPECT_EQ(m_clientSaid.CountRequests(), 2U);
    ExpectMessagesArrive();
    m_client.id->Disconnect();
    Run();
    EXPECT_EQ(m_server.device->GetCensus().connections, 0U);
}

TEST_P(RejectedStreamTest, IsClosedWhenNobodyTakesItInTime)
{
    ConnectUntil(MicroSeconds(900));
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::REJECTED));
    EXPECT_EQ(m_server.device->GetCensus().connections, 1U);
    Simulator::Stop(MicroSeconds(300));
    Run();
    EXPECT_EQ(m_server.device->GetCensus().connections, 0U)
        << "before the server's time for a Request";
    const Address first = m_requests.at(0).newId->GetPeerAddress();
    ConnectAgain();
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    EXPECT_NE(m_requests.at(1).newId->GetPeerAddress(), first);
}

TEST_P(RejectedStreamTest, IsClosedByAServerThatKeepsNone)
{
    m_server.device->SetAttribute("RejectedStreamTime", TimeValue(Time(0)));
    ConnectUntil(MicroSeconds(500));
    ConnectAgain();
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    EXPECT_NE(m_requests.at(1).newId->GetPeerAddress(), m_requests.at(0).newId->GetPeerAddress());
}

TEST_P(RejectedStreamTest, IsResetWithTheDevice)
{
    ConnectUntil(MicroSeconds(500));
    EXPECT_EQ(m_server.device->GetCensus().connections, 1U);
    m_client.device->GetFaults().Fail();
    Simulator::Stop(MicroSeconds(100));
    Run();
    EXPECT_EQ(m_server.device->GetCensus().connections, 0U);
}

INSTANTIATE_TEST_SUITE_P(Preambles,
                         RejectedStreamTest,
                         ::testing::Values(0U, 40U),
                         [](const auto& octets) {
                             return octets.param == 0 ? std::string("None") : std::string("Some");
                         });

} // namespace
} // namespace ns3::nfsrdma
