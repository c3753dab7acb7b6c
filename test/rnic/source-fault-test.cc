/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// The octets of a message cannot be had when its last segment is due: nobody gets others instead.
class SourceFault : public RnicTest
{
  protected:
    static constexpr uint32_t LENGTH = 4000;

    /// The engine looks after each segment, so that a message may lose its source on its way.
    void ConfigureDevice(RnicHost& host) override
    {
        RnicTest::ConfigureDevice(host);
        host.device->SetAttribute("TxBurst", TimeValue(Time(0)));
    }

    void SetUp() override
    {
        RnicTest::SetUp();
        Connect();
        OpenResponder();
    }

    static void RunUntilSent(const RnicHost& host, uint64_t octets)
    {
        while (host.device->GetCounters().payloadSent < octets)
        {
            Simulator::Stop(NanoSeconds(10));
            Run();
        }
    }
};

TEST_F(SourceFault, OfAReadResponse)
{
    HostBuffer source = m_server.Fill(Pattern(100));
    const auto remote = RegisterNow(m_server, source, ACCESS_REMOTE_READ);
    const uint64_t address = source.GetAddress();
    source = HostBuffer();
    const HostBuffer sink = m_client.Fill(Pattern(100, 77));
    const auto local = RegisterNow(m_client, sink, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    PostSend(m_client, Read(1, *local, 100, remote->GetStag(), address));
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith("0/0/00")));
    EXPECT_EQ(m_client.Octets(sink), Pattern(100, 77));
    EXPECT_EQ(m_server.device->GetCounters().payloadSent, 0U);
}

TEST_F(SourceFault, OfTheLastSegmentOfASend)
{
    HostBuffer message = m_client.Fill(Pattern(LENGTH));
    const HostBuffer room = m_server.Fill(Pattern(LENGTH, 77));
    PostReceive(m_server, 9, room);
    PostSend(m_client, Send(1, message));
    RunUntilSent(m_client, LENGTH / 2);
    const uint64_t sent = m_client.device->GetCounters().payloadSent;
    ASSERT_LT(sent, LENGTH);
    message = HostBuffer();
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::LOC_PROT_ERR));
    EXPECT_THAT(m_server.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_server.terminatesReceived, ElementsAre(StartsWith("0/0/00")));
    const ByteVector got = m_server.Octets(room);
    const ByteVector before = Pattern(LENGTH, 77);
    EXPECT_TRUE(std::equal(got.begin() + sent, got.end(), before.begin() + sent));
}

} // namespace ns3::nfsrdma
