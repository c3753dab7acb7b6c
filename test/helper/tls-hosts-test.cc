/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/nfs-rdma-client-helper.h"
#include "helper/nfs-rdma-server-helper.h"
#include "rpc/tcp/tcp-pair.h"

#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <string>

namespace ns3::nfsrdma
{
namespace
{

/// A server and a client of NFSv3 over TCP, made by the helpers.
class TlsHosts : public ::testing::Test
{
  protected:
    static constexpr uint16_t PORT = 2049;

    void TearDown() override
    {
        for (const auto& transport : m_client.tcpTransports)
        {
            transport->Dispose();
        }
        m_server.tcp->Dispose();
        m_client.sockets->Dispose();
        m_server.sockets->Dispose();
        Simulator::Destroy();
    }

    void Make()
    {
        m_serverHelper.SetPorts(0, PORT);
        m_server = m_serverHelper.Install(m_pair.nodes[TcpPair::SERVER]);
        m_clientHelper.SetTcp(true);
        m_client = m_clientHelper.Install(m_pair.nodes[TcpPair::CLIENT],
                                          InetSocketAddress(TcpPair::SERVER_ADDRESS, PORT),
                                          AuthSysCredential{});
    }

    /// Calls NULL. \return how it ends.
    RpcOutcome Call()
    {
        RpcOutcome outcome{};
        m_client.nfs->Call(Null3Args{}, [&outcome](RpcRecord& record, const Null3Res&) {
            outcome = record.outcome;
        });
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        return outcome;
    }

    TcpPair m_pair;
    NfsRdmaServerHelper m_serverHelper;
    NfsRdmaClientHelper m_clientHelper;
    NfsRdmaServer m_server;
    NfsRdmaClient m_client;
};

TEST_F(TlsHosts, AServerHasTlsOnlyWhereItsOwnAttributesSaySo)
{
    m_clientHelper.GetAttributes().Set("RpcTls", "Mode", StringValue("tls"));
    Make();
    EXPECT_EQ(m_server.sockets->GetTls(), nullptr);
    ASSERT_NE(m_client.sockets->GetTls(), nullptr);
    EXPECT_EQ(Call(), RpcOutcome::DISCONNECTED);
    EXPECT_EQ(m_client.sockets->GetTls()->GetStatistics().refused, 1U);
}

class TlsServerAttribute : public TlsHosts,
                           public ::testing::WithParamInterface<std::pair<const char*, const char*>>
{
};

TEST_P(TlsServerAttribute, GivesTheServerTls)
{
    m_clientHelper.GetAttributes().Set("RpcTls", "Mode", StringValue("tls"));
    m_serverHelper.GetAttributes().Set("RpcTls", GetParam().first, StringValue(GetParam().second));
    Make();
    ASSERT_NE(m_server.sockets->GetTls(), nullptr);
    EXPECT_EQ(Call(), RpcOutcome::SUCCESS);
    EXPECT_EQ(m_server.sockets->GetTls()->GetStatistics().handshakes, 1U);
}

INSTANTIATE_TEST_SUITE_P(All,
                         TlsServerAttribute,
                         ::testing::Values(std::pair{"Mode", "tls"},
                                           std::pair{"ServerRequires", "tls"}));

} // namespace
} // namespace ns3::nfsrdma
