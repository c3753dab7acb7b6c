/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Type = CmEventType;
using Verdict = AdmissionVerdict;

/// A listener that limits what a peer may do; every request is accepted.
class ConnectionLimits : public RnicTest
{
  protected:
    using Log = std::vector<Type>;

    void ListenWith(const std::map<std::string, uint64_t>& limits)
    {
        for (const auto& [name, value] : limits)
        {
            m_server.device->SetAttribute(name, UintegerValue(value));
        }
        m_server.device->SetAttribute("IgnoreTime", TimeValue(MilliSeconds(10)));
        m_listener = CmId::Create(m_server.device);
        m_listener->SetEventCallback(
            Callback<void, Ptr<CmId>, const CmEvent&>([this](Ptr<CmId> id, const CmEvent& event) {
                if (event.type == Type::CONNECT_REQUEST)
                {
                    m_accepted.push_back(event.newId);
                    ASSERT_TRUE(event.newId->Accept(MakePair(m_server), {{}, 4, 4}));
                }
                (void)id;
            }));
        ASSERT_TRUE(m_listener->Listen(PORT));
    }

    static Ptr<QueuePair> MakePair(const RnicHost& host)
    {
        return host.device
            ->CreateQueuePair(host.domain, host.sendCompletions, host.receiveCompletions, {})
            .value();
    }

    static void RunFor(Time time)
    {
        Simulator::Stop(time);
        Simulator::Run();
    }

    /// \return what a client was told within a millisecond.
    Log Request()
    {
        auto log = std::make_shared<Log>();
        const auto id = CmId::Create(m_client.device);
        id->SetEventCallback(Callback<void, Ptr<CmId>, const CmEvent&>(
            [log](Ptr<CmId>, const CmEvent& event) { log->push_back(event.type); }));
        EXPECT_TRUE(id->Connect(MakePair(m_client), MakeSocketAddress(m_server.address, PORT), {}));
        m_ids.push_back(id);
        RunFor(MilliSeconds(1));
        return *log;
    }

    Ptr<ByteStream> OpenSilently()
    {
        const auto stream =
            m_client.device->GetTransport()->Connect(MakeSocketAddress(m_server.address, PORT));
        RunFor(MilliSeconds(1));
        return stream;
    }

    [[nodiscard]] uint64_t Count(Verdict verdict) const
    {
        return m_server.device->GetCounters().admissions.at(static_cast<std::size_t>(verdict));
    }

    std::vector<Ptr<CmId>> m_accepted;
    std::vector<Ptr<CmId>> m_ids;
};

TEST_F(ConnectionLimits, AreNotCountedUnlessSet)
{
    ListenWith({});
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
    EXPECT_EQ(Count(Verdict::ADMIT), 0U);
}

TEST_F(ConnectionLimits, StartupsOfAPeer)
{
    ListenWith({{"StartupsPerPeer", 2}});
    const auto first = OpenSilently();
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED)) << "which are not in startup any more";
    const auto second = OpenSilently();
    EXPECT_THAT(Request(), ElementsAre(Type::CONNECT_ERROR));
    EXPECT_EQ(Count(Verdict::TOO_MANY_STARTUPS), 1U);
    second->Abort();
    RunFor(MilliSeconds(1));
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
    RunFor(Seconds(6));
    EXPECT_EQ(m_server.device->GetCounters().startupFailures.at(
                  static_cast<std::size_t>(MpaError::INVALID_STARTUP)),
              1U)
        << "the first has timed out";
}

TEST_F(ConnectionLimits, ConnectionsOfAPeer)
{
    ListenWith({{"ConnectionsPerPeer", 2}});
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
    EXPECT_THAT(Request(), ElementsAre(Type::CONNECT_ERROR));
    EXPECT_EQ(Count(Verdict::TOO_MANY_CONNECTIONS), 1U);
    m_ids[0]->Disconnect();
    RunFor(MilliSeconds(1));
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
    EXPECT_EQ(Count(Verdict::ADMIT), 3U);
}

TEST_F(ConnectionLimits, RateOfNewConnections)
{
    ListenWith({{"ConnectionRate", 100}, {"ConnectionBurst", 2}});
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
    EXPECT_THAT(Request(), ElementsAre(Type::CONNECT_ERROR));
    EXPECT_EQ(Count(Verdict::TOO_OFTEN), 1U);
    RunFor(MilliSeconds(10));
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
}

TEST_F(ConnectionLimits, APeerWithTooManyFaultsIsIgnored)
{
    m_server.device->GetMpaSettings()->SetAttribute("RequestTimeout", TimeValue(MilliSeconds(2)));
    ListenWith({{"FaultLimit", 2}});
    OpenSilently();
    OpenSilently();
    RunFor(MilliSeconds(2));
    EXPECT_THAT(Request(), ElementsAre(Type::CONNECT_ERROR));
    EXPECT_EQ(Count(Verdict::IGNORED), 1U);
    RunFor(MilliSeconds(10));
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
}

TEST_F(ConnectionLimits, TerminatesSentAreFaults)
{
    ListenWith({{"FaultLimit", 1}});
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
    const auto buffer = m_client.Fill(Pattern(16));
    ASSERT_TRUE(m_ids[0]->GetQueuePair()->PostSend(Write(1, buffer, 0x7700, 0)));
    RunFor(MilliSeconds(1));
    EXPECT_EQ(m_server.device->GetCounters().terminatesSent, 1U);
    EXPECT_THAT(Request(), ElementsAre(Type::CONNECT_ERROR));
}

TEST_F(ConnectionLimits, APeerThatIsSilentAfterStartupIsClosedInTime)
{
    m_server.device->SetAttribute("MpaFirstFpduTimeout", TimeValue(MilliSeconds(2)));
    ListenWith({{"FaultLimit", 1}});
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
    EXPECT_TRUE(m_ids[0]->IsConnected());
    RunFor(MilliSeconds(2));
    EXPECT_FALSE(m_ids[0]->IsConnected());
    EXPECT_FALSE(m_accepted[0]->IsConnected());
    EXPECT_EQ(m_server.device->GetCounters().silentPeers, 1U);
    EXPECT_THAT(Request(), ElementsAre(Type::CONNECT_ERROR)) << "silence is a fault";
}

TEST_F(ConnectionLimits, APeerThatHasSpokenMayBeSilent)
{
    m_server.device->SetAttribute("MpaFirstFpduTimeout", TimeValue(MilliSeconds(2)));
    ListenWith({});
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
    ReceiveWorkRequest receive;
    receive.elements = {Element(Keep(m_server.Room(16)))};
    ASSERT_TRUE(m_accepted[0]->GetQueuePair()->PostReceive(receive));
    ASSERT_TRUE(m_ids[0]->GetQueuePair()->PostSend(Send(1, Keep(m_client.Fill(Pattern(16))))));
    RunFor(Seconds(10));
    EXPECT_TRUE(m_ids[0]->IsConnected());
    EXPECT_EQ(m_server.device->GetCounters().silentPeers, 0U);
}

TEST_F(ConnectionLimits, WithoutATimerARequestIsAwaitedForEver)
{
    m_server.device->GetMpaSettings()->SetAttribute("RequestTimeout", TimeValue(Time(0)));
    ListenWith({{"StartupsPerPeer", 1}});
    const auto silent = OpenSilently();
    RunFor(Seconds(1000));
    EXPECT_THAT(Request(), ElementsAre(Type::CONNECT_ERROR));
    silent->Abort();
    RunFor(MilliSeconds(1));
    EXPECT_THAT(Request(), ElementsAre(Type::ESTABLISHED));
}

} // namespace ns3::nfsrdma
