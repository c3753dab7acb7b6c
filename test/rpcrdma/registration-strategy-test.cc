/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{
namespace
{

/// A client and a server whose registration strategies a case chooses before it connects.
class Strategies : public RpcRdmaTest
{
  protected:
    void SetUp() override
    {
        RpcRdmaTest::SetUp();
        m_client->TraceConnectWithoutContext("CallSent",
                                             MakeCallback(&Strategies::HandleSent, this));
    }

    void HandleSent(const RpcRecord& record)
    {
        m_sent.push_back(record.xid);
    }

    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("Reconnect", BooleanValue(true));
    }

    void Use(const std::string& client, const std::string& server = "frwr")
    {
        m_client->SetAttribute("RegistrationStrategy", StringValue(client));
        m_server->SetAttribute("RegistrationStrategy", StringValue(server));
    }

    const RegistrationStatistics& GetCounts() const
    {
        return m_client->GetRegistrationStatistics();
    }

    const RnicCounters& GetDeviceCounters() const
    {
        return m_clientHost.device->GetCounters();
    }

    /// READs and WRITEs of this fixture, beside one another.
    std::vector<const Result*> CallAll()
    {
        return {&Take(65537),
                &Give(65537, 65537),
                &Give(3, 20000),
                &Take(9001, false, 100),
                &Give(9000, 9000, false),
                &Take(10)};
    }

    static void ExpectIntact(const std::vector<const Result*>& results)
    {
        for (const Result* result : results)
        {
            EXPECT_EQ(result->record.outcome, RpcOutcome::SUCCESS);
            EXPECT_TRUE(result->intact);
        }
    }

    std::vector<uint32_t> m_sent; ///< XIDs.
};

class EveryStrategy : public Strategies, public ::testing::WithParamInterface<std::string>
{
  protected:
    void SetUp() override
    {
        Strategies::SetUp();
        Use(GetParam(), GetParam() == "memory-window" ? "frwr" : GetParam());
    }
};

std::string
NameOf(const ::testing::TestParamInfo<std::string>& info)
{
    std::string name = info.param;
    name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
    return name;
}

INSTANTIATE_TEST_SUITE_P(All,
                         EveryStrategy,
                         ::testing::ValuesIn(ChunkRegistrar::GetNames()),
                         NameOf);

TEST_P(EveryStrategy, MovesOctetsBothWaysAndLeavesNothing)
{
    Connect();
    for (uint32_t round = 0; round < 3; ++round)
    {
        const auto results = CallAll();
        Run();
        ExpectIntact(results);
    }
    ExpectCleanEnd();
}

TEST_P(EveryStrategy, HasOneSegmentForEachPageWhereThatIsContiguous)
{
    m_client->SetAttribute("RegionPages", UintegerValue(1));
    m_server->SetAttribute("RegionPages", UintegerValue(1));
    Connect();
    const Result& taken = Take(40000);
    const Result& given = Give(40000, 40000);
    Run();
    ExpectIntact({&taken, &given});
    EXPECT_EQ(taken.record.readSegments, 10U);
    EXPECT_EQ(given.record.writeSegments, 10U);
    ExpectCleanEnd();
}

TEST_P(EveryStrategy, GivesEverythingBackWithALostConnection)
{
    Connect();
    const auto results = CallAll();
    Simulator::Schedule(MicroSeconds(30), [this] { m_client->InjectError(); });
    Run();
    ExpectIntact(results);
    EXPECT_EQ(m_client->GetStatistics().connectCount, 2U);
    ExpectCleanEnd();
}

TEST_P(EveryStrategy, OutlivesRegistrationsThatFail)
{
    Connect();
    for (const RdmaHost* host : {&m_clientHost, &m_serverHost})
    {
        host->device->GetFaults().FailRegistrations(1, Time::Max());
    }
    const auto results = CallAll();
    Run();
    ExpectIntact(results);
    ExpectCleanEnd();
}

TEST_P(EveryStrategy, WaitsForPagesThatMayBePinned)
{
    Connect();
    m_clientHost.memory->SetPressure(0);
    const auto results = CallAll();
    Simulator::Schedule(MilliSeconds(2), [this] { m_clientHost.memory->SetPressure({}); });
    Run();
    ExpectIntact(results);
    ExpectCleanEnd();
}

TEST_P(EveryStrategy, ACancelledCallEndsOnceAndLeavesNothing)
{
    Connect();
    m_program->serviceTime = MilliSeconds(1);
    Give(20000, 20000);
    const Result& other = Take(20000);
    Simulator::Schedule(MicroSeconds(500), [this] { m_rpcClient->Cancel(m_sent.front()); });
    Run();
    EXPECT_EQ(other.record.outcome, RpcOutcome::SUCCESS);
    EXPECT_TRUE(other.intact);
    ExpectCleanEnd();
}

TEST_F(Strategies, FrwrRegistersByWorkRequestAndThePeerTakesItBack)
{
    Use("frwr");
    Connect();
    const Result& result = Give(65536, 65536);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_TRUE(result.record.remotelyInvalidated);
    EXPECT_GT(result.record.registrations, 0U);
    EXPECT_EQ(GetDeviceCounters().regularRegistrations, 0U);
    EXPECT_EQ(GetCounts().leftValid, 0U);
}

TEST_F(Strategies, WindowsAreBoundAndThePeerTakesThemBack)
{
    Use("memory-window");
    Connect();
    EXPECT_EQ(m_clientHost.device->GetCensus().pinnedPages, 0U);
    const Result& result = Give(65536, 65536);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_TRUE(result.record.remotelyInvalidated);
    EXPECT_EQ(result.record.registrations, 1U);
    EXPECT_EQ(m_clientHost.device->GetCensus().memoryRegions, 1U);
    EXPECT_GT(m_clientHost.device->GetCensus().memoryWindows, 0U);
    EXPECT_EQ(GetCounts().leftValid, 0U);
}

TEST_F(Strategies, ServerWithWindowsPullsIntoFastRegisterRegions)
{
    Use("frwr", "memory-window");
    Connect();
    const auto results = CallAll();
    Run();
    ExpectIntact(results);
    EXPECT_GT(m_server->GetRegistrationStatistics().registrations, 0U);
    EXPECT_EQ(m_serverHost.device->GetCensus().memoryWindows, 0U);
    ExpectCleanEnd();
    EXPECT_EQ(ChunkRegistrar::GetSinkStrategy("cache"), "cache");
}

TEST_F(Strategies, RegularRegistrationsCostTheHostForEachChunk)
{
    Use("regular");
    Connect();
    const uint64_t before = GetDeviceCounters().regularRegistrations;
    const Result& result = Give(65536, 65536);
    Run();
    const Time registered = Simulator::Now();
    EXPECT_TRUE(result.intact);
    EXPECT_FALSE(result.record.remotelyInvalidated);
    EXPECT_EQ(result.record.registrations, 1U);
    EXPECT_EQ(GetDeviceCounters().regularRegistrations, before + 1);
    m_clientHost.device->SetAttribute("HostRegisterBase", TimeValue(MilliSeconds(1)));
    const Result& slow = Give(65536, 65536);
    Run();
    EXPECT_GT(slow.record.completed - registered, MilliSeconds(1));
}

TEST_F(Strategies, AllPhysicalRegistersNothingAndTakesNothingBack)
{
    Use("all-physical");
    Connect();
    EXPECT_EQ(m_clientHost.device->GetCensus().memoryRegions, 1U);
    const Result& result = Give(65537, 65537);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_FALSE(result.record.remotelyInvalidated);
    EXPECT_EQ(result.record.registrations, 0U);
    EXPECT_EQ(m_client->GetStatistics().localInvNeeded, 0U);
    EXPECT_EQ(GetCounts().registrations, 1U);
    EXPECT_GT(GetCounts().leftValid, 0U);
    EXPECT_EQ(m_clientHost.device->GetCensus().pinnedPages, 0U);
}

TEST_F(Strategies, AllPhysicalCannotGiveUpACallBeforeItsReply)
{
    Use("all-physical");
    Connect();
    m_program->serviceTime = MilliSeconds(1);
    const Result& result = Give(20000, 20000);
    Simulator::Schedule(MicroSeconds(500),
                        [this, &result] { EXPECT_FALSE(m_rpcClient->Cancel(result.record.xid)); });
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(m_client->GetStatistics().connectCount, 1U);
}

TEST_F(Strategies, ThePoolCopiesWhatIsThere)
{
    Use("preregistered");
    m_client->SetAttribute("WritePadSegment", BooleanValue(false));
    Connect();
    const uint64_t regions = GetDeviceCounters().regularRegistrations;
    EXPECT_EQ(regions, 128U);
    const Result& taken = Take(65536);
    const Result& given = Give(3000, 65536);
    Run();
    ExpectIntact({&taken, &given});
    EXPECT_EQ(taken.record.registrations + given.record.registrations, 0U);
    EXPECT_EQ(GetCounts().copiedBytes, 68536U);
    EXPECT_EQ(GetCounts().copies, 2U);
    EXPECT_EQ(GetDeviceCounters().regularRegistrations, regions);
}

TEST_F(Strategies, ACopyTakesTimeOfTheProcessor)
{
    Use("preregistered");
    Connect();
    const auto measure = [this] {
        const Time began = Simulator::Now();
        const Result& result = Give(65536, 65536);
        Run();
        EXPECT_TRUE(result.intact);
        return result.record.completed - began;
    };
    const Time quick = measure();
    m_clientHost.device->GetHostCpu()->SetAttribute("CopyRate", StringValue("1Gbps"));
    EXPECT_GT(measure(), quick + MicroSeconds(500));
}

TEST_F(Strategies, CallsWaitForBuffersOfThePool)
{
    Use("preregistered");
    m_client->SetAttribute("WritePadSegment", BooleanValue(false));
    m_client->SetAttribute("PoolBuffers", UintegerValue(1));
    Connect();
    std::vector<const Result*> results;
    for (uint32_t i = 0; i < 5; ++i)
    {
        results.push_back(&Take(20000));
    }
    Run();
    ExpectIntact(results);
    EXPECT_GT(m_client->GetStatistics().failedMarshal, 0U);
    ExpectCleanEnd();
}

TEST_F(Strategies, APoolThatIsTooSmallForACallFailsIt)
{
    Use("preregistered");
    m_client->SetAttribute("WritePadSegment", BooleanValue(false));
    m_client->SetAttribute("PoolBuffers", UintegerValue(2));
    m_client->SetAttribute("RegionPages", UintegerValue(4));
    Connect();
    const Result& result = Take(60000);
    Run();
    EXPECT_EQ(result.record.outcome, RpcOutcome::TRANSPORT_ERROR);
    ExpectCleanEnd();
}

TEST_F(Strategies, ABufferOfACancelledCallIsNotUsedBeforeItsReply)
{
    Use("preregistered");
    m_client->SetAttribute("WritePadSegment", BooleanValue(false));
    m_client->SetAttribute("PoolBuffers", UintegerValue(1));
    Connect();
    m_program->serviceTime = MilliSeconds(1);
    const Result& cancelled = Give(20000, 20000);
    const Result* next = nullptr;
    Simulator::Schedule(MicroSeconds(500), [this, &next] {
        EXPECT_TRUE(m_rpcClient->Cancel(m_sent.front()));
        next = &Give(20000, 20000);
    });
    Run();
    EXPECT_EQ(cancelled.record.outcome, RpcOutcome::CANCELLED);
    EXPECT_TRUE(next->intact);
    EXPECT_GT(next->record.sent, cancelled.record.sent + MilliSeconds(1));
    EXPECT_EQ(m_client->GetStatistics().connectCount, 1U);
    ExpectCleanEnd();
}

TEST_F(Strategies, TheServersSinksFollowItsOwn)
{
    Use("frwr", "preregistered");
    Connect();
    const Result& result = Take(65536);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(m_server->GetStatistics().registrations, 0U);
    EXPECT_EQ(m_server->GetRegistrationStatistics().copiedBytes, 65536U);
    EXPECT_GT(result.record.registrations, 0U);
    ExpectCleanEnd();
}

/// A strategy on its own, without a connection.
class Cache : public Strategies
{
  protected:
    void SetUp() override
    {
        Strategies::SetUp();
        m_domain = *m_clientHost.device->AllocateProtectionDomain();
        RegistrationSettings settings;
        settings.strategy = "cache";
        settings.regionPages = 16;
        settings.cacheCapacity = 2;
        settings.statistics = std::make_shared<RegistrationStatistics>();
        m_counts = settings.statistics;
        m_cache = ChunkRegistrar::Create(m_clientHost.device, m_domain, settings);
        for (HostBuffer& buffer : m_buffers)
        {
            buffer = HostBuffer(m_clientHost.memory, 8192);
        }
    }

    void TearDown() override
    {
        m_cache.reset();
        EXPECT_EQ(CountValid(), 0U);
        EXPECT_TRUE(m_clientHost.device->Destroy(m_domain));
        Strategies::TearDown();
    }

    ChunkRegistrar::Registration Register(std::size_t buffer, uint32_t length = 8192)
    {
        const auto registration =
            m_cache->Register({0, m_buffers.at(buffer).GetAddress(), length, ACCESS_REMOTE_READ, 0},
                              m_chain);
        EXPECT_TRUE(registration);
        return registration.value_or(ChunkRegistrar::Registration());
    }

    void Use(std::size_t buffer)
    {
        auto registration = Register(buffer);
        m_cache->Retire(registration, 0, m_chain);
        m_cache->Release(0, registration);
    }

    uint32_t CountValid() const
    {
        return m_clientHost.device->GetCensus().validMemoryRegions;
    }

    Ptr<ProtectionDomain> m_domain;
    std::shared_ptr<RegistrationStatistics> m_counts;
    std::unique_ptr<ChunkRegistrar> m_cache;
    std::array<HostBuffer, 3> m_buffers;
    std::vector<SendWorkRequest> m_chain;
};

TEST_F(Cache, FindsARegionAgainWhichHasStayedValid)
{
    Use(0);
    EXPECT_EQ(CountValid(), 1U);
    const auto again = Register(0, 4096);
    EXPECT_FALSE(again.made);
    EXPECT_EQ(m_counts->hits, 1U);
    EXPECT_EQ(m_counts->misses, 1U);
    EXPECT_EQ(m_counts->leftValid, 1U);
    EXPECT_TRUE(m_chain.empty());
}

TEST_F(Cache, EvictsTheOneUnusedForTheLongestTime)
{
    Use(0);
    Use(1);
    Use(0);
    Use(2);
    EXPECT_EQ(m_counts->evictions, 1U);
    EXPECT_EQ(CountValid(), 2U);
    EXPECT_FALSE(Register(0).made);
    EXPECT_FALSE(Register(2).made);
}

TEST_F(Cache, KeepsWhatIsInUse)
{
    const auto first = Register(0);
    Register(1);
    EXPECT_FALSE(
        m_cache->Register({0, m_buffers[2].GetAddress(), 10, ACCESS_REMOTE_READ, 0}, m_chain));
    EXPECT_EQ(m_cache->GetShortage(), ChunkRegistrar::Shortage::REGIONS);
    m_cache->Release(0, first);
    EXPECT_TRUE(Register(2).made);
}

TEST_F(Cache, FencingTakesARegionAwayWithItsLastUser)
{
    auto first = Register(0);
    const auto second = Register(0);
    m_cache->Fence(first, m_chain);
    EXPECT_EQ(CountValid(), 1U);
    m_cache->Release(0, first);
    EXPECT_EQ(CountValid(), 1U);
    EXPECT_TRUE(Register(0).made);
    EXPECT_EQ(CountValid(), 2U);
    m_cache->Release(0, second);
    EXPECT_EQ(CountValid(), 1U);
    auto last = Register(1);
    m_cache->Fence(last, m_chain);
    EXPECT_EQ(CountValid(), 1U);
    m_cache->Release(0, last);
}

TEST_F(Cache, GivesRegionsBackForPages)
{
    m_clientHost.memory->SetAttribute("MaxPinnedPages", UintegerValue(3));
    Use(0);
    Use(1);
    EXPECT_EQ(m_counts->evictions, 1U);
    Register(1);
    EXPECT_FALSE(
        m_cache->Register({0, m_buffers[2].GetAddress(), 8192, ACCESS_REMOTE_READ, 0}, m_chain)
            .has_value());
    EXPECT_EQ(m_cache->GetShortage(), ChunkRegistrar::Shortage::PINNED);
}

} // namespace
} // namespace ns3::nfsrdma
