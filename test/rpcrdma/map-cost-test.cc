/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-fixture.h"

namespace ns3::nfsrdma
{
namespace
{

const Time CLIENT_COST = MicroSeconds(3);
const Time SERVER_COST = MicroSeconds(5);

/// Processors that have nothing to do but to map memory.
class MapCost : public RpcRdmaTest
{
  protected:
    void SetUp() override
    {
        RpcRdmaTest::SetUp();
        for (const RdmaHost* host : {&m_clientHost, &m_serverHost})
        {
            for (const char* cost :
                 {"PostCost", "PostPerRequest", "PollCost", "InterruptCost", "WakeUp"})
            {
                host->device->GetHostCpu()->SetAttribute(cost, TimeValue(Time(0)));
            }
            host->device->GetHostCpu()->SetAttribute("CopyRate", DataRateValue(DataRate(0)));
        }
    }

    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("MapCost", TimeValue(CLIENT_COST));
    }

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("MapCost", TimeValue(SERVER_COST));
    }

    static Time GetUsed(const RdmaHost& host)
    {
        return host.device->GetHostCpu()->GetUsed();
    }
};

TEST_F(MapCost, IsChargedToBothForEachPieceOfAReadChunk)
{
    Connect();
    const Time before = GetUsed(m_clientHost);
    const Result& result = Take(65537, false);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(GetUsed(m_clientHost) - before, CLIENT_COST * int64_t{result.record.registrations});
    EXPECT_GT(result.record.registrations, 1U);
    EXPECT_EQ(GetUsed(m_serverHost),
              SERVER_COST * static_cast<int64_t>(m_server->GetStatistics().registrations));
    EXPECT_GT(m_server->GetStatistics().registrations, 0U);
}

TEST_F(MapCost, IsChargedToTheClientForAWriteChunk)
{
    Connect();
    const Time before = GetUsed(m_clientHost);
    const Result& result = Give(65537, 65537);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_GT(result.record.registrations, 0U);
    EXPECT_EQ(GetUsed(m_clientHost) - before, CLIENT_COST * int64_t{result.record.registrations});
    EXPECT_EQ(GetUsed(m_serverHost), Time(0));
}

TEST_F(MapCost, IsChargedToTheServerForAPageThatIsSentFromWhereItIs)
{
    Connect();
    const Result& result = Give(1000, 1000);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(result.record.registrations, 0U);
    EXPECT_EQ(GetUsed(m_serverHost), SERVER_COST);
}

TEST_F(MapCost, IsNotChargedForWhatGoesInline)
{
    Connect();
    const Time before = GetUsed(m_clientHost);
    Take(1000);
    Run();
    EXPECT_EQ(GetUsed(m_clientHost), before);
}

} // namespace
} // namespace ns3::nfsrdma
