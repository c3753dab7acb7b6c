/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/transport.h"
#include "rnic/rnic-fixture.h"

#include "ns3/enum.h"
#include "ns3/inet6-socket-address.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::ElementsAre;

/// Connections over IPv6, on either TCP.
class ConnectionOverIpv6 : public RnicTest, public ::testing::WithParamInterface<MpaTransport::Tcp>
{
  protected:
    bool IsOverIpv6() override
    {
        return true;
    }

    void ConfigureDevice(RnicHost& host) override
    {
        RnicTest::ConfigureDevice(host);
        host.device->GetTransport()->SetAttribute("Tcp", EnumValue(GetParam()));
        host.port->TraceConnectWithoutContext("MacTx",
                                              MakeCallback(&ConnectionOverIpv6::Take, this));
    }

    CmConnectionParameters GetParameters(const RnicHost& host) override
    {
        return {Pattern(20, &host == &m_client ? 1 : 2), 16, 16};
    }

    void Take(Ptr<const Packet> frame)
    {
        std::array<uint8_t, 14> head{};
        frame->CopyData(head.data(), head.size());
        overIpv6 += head[12] == 0x86 && head[13] == 0xdd ? 1 : 0;
        others += head[12] == 0x86 ? 0 : 1;
        longest = std::max(longest, frame->GetSize());
    }

    uint32_t overIpv6{0};
    uint32_t others{0};
    uint32_t longest{0};
};

TEST_P(ConnectionOverIpv6, CarriesPrivateDataAndWork)
{
    Connect();
    ASSERT_THAT(m_client.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    ASSERT_THAT(m_server.EventTypes(), ElementsAre(CmEventType::ESTABLISHED));
    EXPECT_EQ(m_requests[0].privateData, Pattern(20, 1));
    EXPECT_EQ(m_client.events[0].privateData, Pattern(20, 2));
    EXPECT_EQ(m_client.id->GetPeerAddress(), GetServerAddress());
    const auto client = Inet6SocketAddress::ConvertFrom(m_server.id->GetPeerAddress()).GetIpv6();
    EXPECT_EQ(client, Ipv6Address("fd00:77::1"));

    const HostBuffer room = m_server.Room(60000);
    PostReceive(m_server, 7, room);
    const HostBuffer message = m_client.Fill(Pattern(60000, 5));
    PostSend(m_client, Send(3, message));
    Run();
    ASSERT_EQ(m_server.received.size(), 1U);
    ByteVector octets(60000);
    room.Read(0, octets);
    EXPECT_EQ(octets, Pattern(60000, 5));

    const HostBuffer target = m_server.Room(60000);
    const auto region = RegisterNow(m_server, target, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    const HostBuffer source = m_client.Fill(Pattern(60000, 9));
    PostSend(m_client, Write(4, source, region->GetStag(), target.GetAddress()));
    Run();
    target.Read(0, octets);
    EXPECT_EQ(octets, Pattern(60000, 9));

    EXPECT_EQ(others, 0U);
    EXPECT_GT(overIpv6, 80U);
    EXPECT_LE(longest, GetMtu() + 14U);
    EXPECT_GE(longest, GetMtu() + 10U) << "full segments";
}

INSTANTIATE_TEST_SUITE_P(Tcp,
                         ConnectionOverIpv6,
                         ::testing::Values(MpaTransport::OFFLOAD, MpaTransport::NS3));

} // namespace ns3::nfsrdma
