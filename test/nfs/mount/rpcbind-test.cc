/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/mount-fixture.h"
#include "nfs/mount/universal-address.h"

#include "ns3/config.h"
#include "ns3/inet6-socket-address.h"

namespace ns3::nfsrdma
{
namespace
{

TEST(UniversalAddress, NamesAddressAndPort)
{
    const InetSocketAddress v4("10.77.0.1", 20049);
    EXPECT_EQ(ToUniversalAddress(v4), "10.77.0.1.78.81");
    EXPECT_EQ(ParseUniversalAddress("10.77.0.1.78.81"), std::optional<Address>(v4));
    const Inet6SocketAddress v6("fd00::1", 20049);
    EXPECT_EQ(ToUniversalAddress(v6), "fd00::1.78.81");
    EXPECT_EQ(ParseUniversalAddress("fd00::1.78.81"), std::optional<Address>(v6));
    EXPECT_EQ(GetPortOf(v4), 20049);
    EXPECT_EQ(GetPortOf(v6), 20049);
    EXPECT_EQ(GetTcpNetid(v4), "tcp");
    EXPECT_EQ(GetRdmaNetid(v4), "rdma");
    EXPECT_EQ(GetTcpNetid(v6), "tcp6");
    EXPECT_EQ(GetRdmaNetid(v6), "rdma6");
}

TEST(UniversalAddress, RejectsWhatIsNone)
{
    for (const char* const text : {"",
                                   "1",
                                   "10.0.0.1",
                                   "10.0.0.1.1",
                                   "10.0.0.1.256.1",
                                   "10.0.0.1..1",
                                   "10.0.0.1.-1.1",
                                   "10.0.0.300.1.1",
                                   "fd00::1",
                                   "x.1.1",
                                   "10.0.0.1.1.1.",
                                   "10.0.0.1.0001.1"})
    {
        EXPECT_FALSE(ParseUniversalAddress(text)) << text;
    }
}

TEST(RpcbindTable, FindsOtherVersionsUnlessExact)
{
    RpcbindTable table;
    EXPECT_TRUE(table.Set({100003, 3, "rdma", "10.0.0.1.78.81", "me"}));
    EXPECT_FALSE(table.Set({100003, 3, "rdma", "10.0.0.1.78.82", "me"}));
    EXPECT_FALSE(table.Set({100003, 2, "rdma", "nowhere", "me"}));
    EXPECT_EQ(table.FindPort(100003, 3, "rdma"), 20049);
    EXPECT_EQ(table.FindPort(100003, 3, "tcp"), 0);
    EXPECT_EQ(table.FindAddress(100003, 2, "rdma", false), "10.0.0.1.78.81");
    EXPECT_EQ(table.FindAddress(100003, 2, "rdma", true), "");
    EXPECT_TRUE(table.Set({100003, 3, "rdma6", "fd00::1.78.81", "me"}));
    EXPECT_TRUE(table.Unset(100003, 3, ""));
    EXPECT_FALSE(table.Unset(100003, 3, ""));
    EXPECT_TRUE(table.GetMappings().empty());
}

class RpcbindService : public MountTest
{
};

TEST_F(RpcbindService, PortMapperTellsPortsAndAll)
{
    const auto client = MakeClient(RPCBIND_PORT, RPCBIND_PROGRAM, PORTMAP_V2);
    Ask<PortmapNull>(client, {});
    EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(Ask<PortmapGetport>(client, {MOUNT_PROGRAM, 3, PORTMAP_TCP, 0}).value, MOUNTD_PORT);
    EXPECT_EQ(Ask<PortmapGetport>(client, {MOUNT_PROGRAM, 3, PORTMAP_UDP, 0}).value, 0U);
    EXPECT_EQ(Ask<PortmapGetport>(client, {MOUNT_PROGRAM, 3, 200, 0}).value, 0U);
    EXPECT_EQ(Ask<PortmapGetport>(client, {NFS_PROGRAM, 3, PORTMAP_TCP, 0}).value, 0U);
    EXPECT_EQ(Ask<PortmapDump>(client, {}).mappings.size(), 6U);
    ExpectDissected("portmap", 12);
}

TEST_F(RpcbindService, RemoteHostsMayNotRegisterUnlessTold)
{
    const auto client = MakeClient(RPCBIND_PORT, RPCBIND_PROGRAM, PORTMAP_V2);
    EXPECT_FALSE(Ask<PortmapSet>(client, {400000, 1, PORTMAP_TCP, 999}).value);
    EXPECT_FALSE(Ask<PortmapUnset>(client, {MOUNT_PROGRAM, 3, PORTMAP_TCP, 0}).value);
    EXPECT_EQ(m_daemons->GetRpcbindTable().GetMappings().size(), 6U);
}

/// rpcbind -i.
class InsecureRpcbind : public MountTest
{
  protected:
    void SetUp() override
    {
        Config::SetDefault("ns3::nfsrdma::RpcbindServer::Insecure", BooleanValue(true));
        MountTest::SetUp();
    }
};

TEST_F(InsecureRpcbind, AllVersionsShareATable)
{
    const auto v2 = MakeClient(RPCBIND_PORT, RPCBIND_PROGRAM, PORTMAP_V2);
    const auto v3 = MakeClient(RPCBIND_PORT, RPCBIND_PROGRAM, RPCBIND_V3);
    const auto v4 = MakeClient(RPCBIND_PORT, RPCBIND_PROGRAM, RPCBIND_V4);
    EXPECT_TRUE(Ask<RpcbindSet>(v3, {400000, 1, "rdma", "10.0.0.2.78.81", "me"}).value);
    EXPECT_EQ(Ask<RpcbindGetaddr>(v4, {400000, 1, "rdma", "", ""}).address, "10.0.0.2.78.81");
    EXPECT_EQ(Ask<RpcbindGetaddr>(v3, {400000, 2, "rdma", "", ""}).address, "10.0.0.2.78.81");
    EXPECT_EQ(Ask<RpcbindGetversaddr>(v4, {400000, 2, "rdma", "", ""}).address, "");
    EXPECT_TRUE(Ask<PortmapSet>(v2, {400000, 1, PORTMAP_TCP, 999}).value);
    EXPECT_FALSE(Ask<PortmapSet>(v2, {400000, 1, PORTMAP_TCP, 70000}).value);
    EXPECT_EQ(Ask<RpcbindGetaddr>(v4, {400000, 1, "tcp", "", ""}).address, "10.0.0.2.3.231");
    EXPECT_EQ(Ask<RpcbindDump>(v4, {}).mappings.size(), 8U);
    EXPECT_TRUE(Ask<RpcbindUnset>(v4, {400000, 1, "rdma", "", ""}).value);
    EXPECT_TRUE(Ask<PortmapUnset>(v2, {400000, 1, PORTMAP_TCP, 0}).value);
    EXPECT_EQ(Ask<RpcbindDump>(v3, {}).mappings.size(), 6U);
    Ask<RpcbindGettime>(v3, {});
    Ask<RpcbindNull>(v4, {});
    EXPECT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
    ExpectDissected("portmap", 26);
}

TEST_F(RpcbindService, OnlyVersionFourFindsExactVersions)
{
    const auto v3 = MakeClient(RPCBIND_PORT, RPCBIND_PROGRAM, RPCBIND_V3);
    Ask<RpcbindGetversaddr>(v3, {400000, 2, "rdma", "", ""});
    EXPECT_EQ(m_record.outcome, RpcOutcome::REJECTED);
}

} // namespace
} // namespace ns3::nfsrdma
