/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/iommu.h"
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/enum.h"

namespace ns3::nfsrdma
{
namespace
{

constexpr uint64_t PAGE = 4096;

/// A client and a server whose IOMMUs are strict.
class RpcRdmaIommuTest : public RpcRdmaTest
{
  protected:
    void SetUp() override
    {
        RpcRdmaTest::SetUp();
        for (const RdmaHost* host : {&m_clientHost, &m_serverHost})
        {
            host->device->GetHostCpu()->SetAttribute("Iommu", EnumValue(IommuSettings::STRICT));
        }
    }

    /// Connects. What stays mapped with the connection, as the pads of chunks, is mapped then.
    void Open()
    {
        Connect();
        m_before[0] = Count(m_clientHost);
        m_before[1] = Count(m_serverHost);
    }

    HostIommu::Counters m_before[2]; ///< Of client and server.

    static const HostIommu::Counters& Count(const RdmaHost& host)
    {
        return host.device->GetHostCpu()->GetIommu()->GetCounters();
    }
};

TEST_F(RpcRdmaIommuTest, AWriteChunkIsMappedByBothAndUnmappedAgain)
{
    Open();
    const Result& result = Give(65536, 65536);
    Run();
    EXPECT_TRUE(result.intact);
    for (const RdmaHost* host : {&m_clientHost, &m_serverHost})
    {
        const HostIommu::Counters& counted = Count(*host);
        const HostIommu::Counters& before = m_before[host == &m_clientHost ? 0 : 1];
        EXPECT_EQ(counted.mappedPages - before.mappedPages, 65536 / PAGE);
        EXPECT_GT(counted.maps, before.maps);
        EXPECT_EQ(counted.unmaps - before.unmaps, counted.maps - before.maps);
        EXPECT_EQ(counted.invalidations - before.invalidations, counted.maps - before.maps);
    }
}

TEST_F(RpcRdmaIommuTest, AReadChunkIsMappedByBothAndUnmappedAgain)
{
    Open();
    const Result& result = Take(65536, false);
    Run();
    EXPECT_TRUE(result.intact);
    for (const RdmaHost* host : {&m_clientHost, &m_serverHost})
    {
        const HostIommu::Counters& counted = Count(*host);
        const HostIommu::Counters& before = m_before[host == &m_clientHost ? 0 : 1];
        EXPECT_GE(counted.mappedPages - before.mappedPages, 65536 / PAGE);
        EXPECT_EQ(counted.unmaps - before.unmaps, counted.maps - before.maps);
    }
}

TEST_F(RpcRdmaIommuTest, EachPageThatIsMappedAnewIsLookedUpOnce)
{
    Connect();
    const uint64_t before = Count(m_clientHost).misses;
    for (int i = 0; i < 3; ++i)
    {
        Give(65536, 65536);
        Run();
    }
    EXPECT_GE(Count(m_clientHost).misses - before, 3 * 65536 / PAGE);
}

/// The same, with buffers that are registered when the connection is made.
class RpcRdmaPersistentIommuTest : public RpcRdmaIommuTest
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("RegistrationStrategy", StringValue("preregistered"));
    }
};

TEST_F(RpcRdmaPersistentIommuTest, WhatStaysRegisteredIsMappedOnce)
{
    Connect();
    Give(65536, 65536);
    Run();
    const uint64_t maps = Count(m_clientHost).maps;
    EXPECT_GT(maps, 0U);
    for (int i = 0; i < 3; ++i)
    {
        Give(65536, 65536);
        Run();
    }
    EXPECT_EQ(Count(m_clientHost).maps, maps);
    EXPECT_EQ(Count(m_clientHost).unmaps, 0U);
}

} // namespace
} // namespace ns3::nfsrdma
