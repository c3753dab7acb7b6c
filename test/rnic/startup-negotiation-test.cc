/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// What the two devices are set to decides how startup ends, and what their consumers hear.
class StartupNegotiation : public RnicTest
{
  protected:
    bool IsClient(const RnicHost& host) const
    {
        return &host == &m_client;
    }

    static uint64_t Failures(const RnicHost& host, MpaError error)
    {
        return host.device->GetCounters().startupFailures.at(static_cast<std::size_t>(error));
    }

    /// A message each way, the server's first when \p serverFirst, and a Write and a Read.
    void ExchangeMessages(bool serverFirst)
    {
        const HostBuffer toServer = m_client.Fill(Pattern(3000, 3));
        const HostBuffer toClient = m_server.Fill(Pattern(2000, 4));
        const HostBuffer serverRoom = m_server.Room(3000);
        const HostBuffer clientRoom = m_client.Room(2000);
        PostReceive(m_server, 1, serverRoom);
        PostReceive(m_client, 2, clientRoom);
        if (serverFirst)
        {
            PostSend(m_server, Send(3, toClient));
            Run();
            EXPECT_EQ(m_client.Octets(clientRoom), Pattern(2000, 4));
            PostSend(m_client, Send(4, toServer));
        }
        else
        {
            PostSend(m_client, Send(4, toServer));
            Run();
            PostSend(m_server, Send(3, toClient));
        }
        Run();
        EXPECT_EQ(m_server.Octets(serverRoom), Pattern(3000, 3));
        EXPECT_EQ(m_client.Octets(clientRoom), Pattern(2000, 4));
        EXPECT_THAT(m_client.ReceivedStatuses(), ElementsAre(Status::SUCCESS));
        EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::SUCCESS));
        EXPECT_THAT(m_client.terminatesSent, IsEmpty());
        EXPECT_THAT(m_server.terminatesSent, IsEmpty());
    }

    void ReadFromServer()
    {
        const HostBuffer source = m_server.Fill(Pattern(5000, 9));
        const HostBuffer sink = m_client.Room(5000);
        const auto remote = RegisterNow(m_server, source, ACCESS_REMOTE_READ);
        const auto local = RegisterNow(m_client, sink, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
        PostSend(m_client, Read(9, *local, 5000, remote->GetStag(), source.GetAddress()));
        Run();
        EXPECT_EQ(m_client.Octets(sink), Pattern(5000, 9));
    }
};

/// Kind of RTR, markers, CRCs.
class PeerToPeerStartup : public StartupNegotiation,
                          public ::testing::WithParamInterface<std::tuple<const char*, bool>>
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        const auto [kind, framing] = GetParam();
        host.device->GetMpaSettings()->SetAttribute("PeerToPeer", BooleanValue(IsClient(host)));
        host.device->GetMpaSettings()->SetAttribute("ReadyToReceive", StringValue(kind));
        host.device->GetMpaSettings()->SetAttribute("Markers", BooleanValue(framing));
        host.device->GetMpaSettings()->SetAttribute("Crc", BooleanValue(framing));
    }
};

TEST_P(PeerToPeerStartup, TheServerMaySpeakFirst)
{
    Connect();
    ASSERT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    EXPECT_THAT(m_client.sent, IsEmpty()) << "nobody hears of the ready-to-receive operation";
    EXPECT_THAT(m_server.received, IsEmpty());
    ExchangeMessages(true);
    ReadFromServer();
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::RTS);
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::RTS);
}

INSTANTIATE_TEST_SUITE_P(Kinds,
                         PeerToPeerStartup,
                         ::testing::Combine(::testing::Values("Send", "Write", "Read"),
                                            ::testing::Bool()));

class NoCommonReadyToReceive : public StartupNegotiation, public ::testing::WithParamInterface<bool>
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->GetMpaSettings()->SetAttribute("PeerToPeer", BooleanValue(IsClient(host)));
        host.device->GetMpaSettings()->SetAttribute("ReadyToReceive",
                                                    StringValue(IsClient(host) ? "Send" : "Write"));
        host.device->GetMpaSettings()->SetAttribute("Markers", BooleanValue(GetParam()));
        host.device->GetMpaSettings()->SetAttribute("Crc", BooleanValue(GetParam()));
    }
};

TEST_P(NoCommonReadyToReceive, EndsInATerminate)
{
    Connect();
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::CONNECT_ERROR));
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    EXPECT_EQ(Failures(m_client, MpaError::NO_MATCHING_RTR), 1U);
    EXPECT_EQ(m_client.device->GetCounters().terminatesSent, 1U);
    EXPECT_THAT(m_server.terminatesReceived, ElementsAre(StartsWith("2/0/07")));
    EXPECT_THAT(m_server.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
    EXPECT_EQ(m_client.device->GetCensus().connections, 0U);
    EXPECT_EQ(m_server.device->GetCensus().connections, 0U);
}

INSTANTIATE_TEST_SUITE_P(Framing, NoCommonReadyToReceive, ::testing::Bool());

class ReadWithoutIrd : public StartupNegotiation
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->GetMpaSettings()->SetAttribute("PeerToPeer", BooleanValue(IsClient(host)));
        host.device->GetMpaSettings()->SetAttribute("ReadyToReceive", StringValue("Read"));
        host.device->SetAttribute("MaxIrd", UintegerValue(IsClient(host) ? 16 : 0));
    }
};

TEST_F(ReadWithoutIrd, EndsInATerminate)
{
    Connect();
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::CONNECT_ERROR));
    EXPECT_EQ(Failures(m_client, MpaError::INSUFFICIENT_IRD), 1U);
    EXPECT_THAT(m_server.terminatesReceived, ElementsAre(StartsWith("2/0/06")));
}

TEST_F(StartupNegotiation, AQueuePairThatFailsMeanwhileEndsInATerminate)
{
    Simulator::Schedule(NanoSeconds(1), [this] { m_client.pair->MoveToError(); });
    Connect();
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::CONNECT_ERROR));
    EXPECT_EQ(Failures(m_client, MpaError::LOCAL_CATASTROPHIC), 1U);
    EXPECT_THAT(m_server.terminatesReceived, ElementsAre(StartsWith("2/0/05")));
    EXPECT_THAT(m_server.EventTypes(),
                ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
}

class MarkersOfAClient : public StartupNegotiation
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->GetMpaSettings()->SetAttribute("Markers", BooleanValue(IsClient(host)));
        host.device->GetMpaSettings()->SetAttribute("MarkerSupport", BooleanValue(IsClient(host)));
    }
};

TEST_F(MarkersOfAClient, AreRejectedByLinux)
{
    Connect();
    EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::REJECTED));
    EXPECT_THAT(m_requests, IsEmpty());
    EXPECT_EQ(Failures(m_client, MpaError::INVALID_STARTUP), 0U);
    EXPECT_EQ(Failures(m_server, MpaError::INVALID_STARTUP), 1U);
}

class OneWayMarkers : public StartupNegotiation
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->GetMpaSettings()->SetAttribute("Markers", BooleanValue(IsClient(host)));
    }
};

TEST_F(OneWayMarkers, AreSentByTheServerOnly)
{
    Connect();
    ASSERT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    EXPECT_TRUE(m_client.pair->GetConnection().GetAgreement().receiveMarkers);
    EXPECT_FALSE(m_client.pair->GetConnection().GetAgreement().sendMarkers);
    ExchangeMessages(false);
}

/// The client's device falls back, or not, when the server speaks revision 1 only.
class OlderServer : public StartupNegotiation, public ::testing::WithParamInterface<bool>
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        if (IsClient(host))
        {
            host.device->GetMpaSettings()->SetAttribute("RevisionFallback",
                                                        BooleanValue(GetParam()));
        }
        else
        {
            host.device->GetMpaSettings()->SetAttribute("Revision", UintegerValue(1));
        }
    }
};

TEST_P(OlderServer, IsReachedWithRevision1)
{
    Connect();
    EXPECT_EQ(Failures(m_server, MpaError::INVALID_STARTUP), 1U);
    EXPECT_EQ(Failures(m_client, MpaError::LLP_LOST), 1U);
    if (GetParam())
    {
        EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
        ExchangeMessages(false);
    }
    else
    {
        EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::CONNECT_ERROR));
    }
}

INSTANTIATE_TEST_SUITE_P(Fallback, OlderServer, ::testing::Bool());

/// Appendix C of RFC 5044, with everything above MPA.
class ConsortiumServer : public StartupNegotiation,
                         public ::testing::WithParamInterface<const char*>
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->GetMpaSettings()->SetAttribute(
            "Conformance",
            StringValue(IsClient(host) ? GetParam() : "rdma-consortium"));
    }
};

TEST_P(ConsortiumServer, SpeaksVersion0ToThoseThatCan)
{
    Connect();
    if (std::string(GetParam()) == "non-permissive")
    {
        EXPECT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::CONNECT_ERROR));
        EXPECT_THAT(m_server.EventTypes(),
                    ElementsAre(CmEventType::ESTABLISHED, CmEventType::DISCONNECTED));
        return;
    }
    ASSERT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    EXPECT_EQ(m_client.pair->GetConnection().GetAgreement().headerVersion, 0);
    ExchangeMessages(false);
    ReadFromServer();
}

INSTANTIATE_TEST_SUITE_P(Clients,
                         ConsortiumServer,
                         ::testing::Values("rdma-consortium", "non-permissive", "permissive"));

class CrcOfAServer : public StartupNegotiation, public ::testing::WithParamInterface<bool>
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->GetMpaSettings()->SetAttribute("Crc", BooleanValue(!IsClient(host)));
        host.device->GetMpaSettings()->SetAttribute("ResponderCrc", BooleanValue(GetParam()));
    }
};

TEST_P(CrcOfAServer, IsUsedUnlessItIsLinux)
{
    Connect();
    ASSERT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    EXPECT_EQ(m_client.pair->GetConnection().IsCrcEnabled(), GetParam());
    EXPECT_EQ(m_server.pair->GetConnection().IsCrcEnabled(), GetParam());
    ExchangeMessages(false);
}

INSTANTIATE_TEST_SUITE_P(ResponderCrc, CrcOfAServer, ::testing::Bool());

} // namespace ns3::nfsrdma
