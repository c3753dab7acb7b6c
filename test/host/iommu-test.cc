/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/iommu.h"

#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint64_t PAGE = 4096;
const Time CALL = NanoSeconds(100);
const Time PAGE_COST = NanoSeconds(10);
const Time INVALIDATION = MicroSeconds(2);
const Time WALK = NanoSeconds(280);

class HostIommuTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        Set("Cores", UintegerValue(4));
        Set("IommuMapCost", TimeValue(CALL));
        Set("IommuMapPageCost", TimeValue(PAGE_COST));
        Set("IommuUnmapCost", TimeValue(CALL));
        Set("IommuUnmapPageCost", TimeValue(PAGE_COST));
        Set("IommuInvalidation", TimeValue(INVALIDATION));
        Set("IommuWalk", TimeValue(WALK));
        SetMode(IommuSettings::STRICT);
    }

    void TearDown() override
    {
        m_cpu->Dispose();
        Simulator::Destroy();
    }

    void Set(const std::string& attribute, const AttributeValue& value)
    {
        m_cpu->SetAttribute(attribute, value);
    }

    void SetMode(IommuSettings::Mode mode)
    {
        Set("Iommu", EnumValue(mode));
    }

    HostIommu& Get()
    {
        return *m_cpu->GetIommu();
    }

    static MemoryPiece Pages(uint64_t first, uint64_t count)
    {
        return {first * PAGE, count * PAGE};
    }

    const Ptr<HostCpu> m_cpu = CreateObject<HostCpu>();
    HostThread m_thread;
    HostThread m_other;
};

TEST_F(HostIommuTest, ThereIsNoneThatPassesAddressesThrough)
{
    SetMode(IommuSettings::PASSTHROUGH);
    EXPECT_EQ(m_cpu->GetIommu(), nullptr);
}

TEST_F(HostIommuTest, MappingCostsACallAndItsPages)
{
    EXPECT_EQ(Get().Map(m_thread, Pages(3, 30)), CALL + 30 * PAGE_COST);
    EXPECT_EQ(Get().Map(m_other, {PAGE - 1, 2}), CALL + 2 * PAGE_COST) << "two pages of an octet";
    EXPECT_EQ(Get().GetCounters().mappedPages, 32U);
}

TEST_F(HostIommuTest, LargePagesAreFewer)
{
    Set("IommuPage", UintegerValue(2 << 20));
    EXPECT_EQ(Get().Map(m_thread, Pages(0, 512)), CALL + PAGE_COST);
}

TEST_F(HostIommuTest, InvalidationsOfAStrictOneAloneSetTheRateOfManyCores)
{
    Set("IommuUnmapCost", TimeValue(Time(0)));
    Set("IommuUnmapPageCost", TimeValue(Time(0)));
    constexpr int64_t EACH = 50;
    HostThread third;
    Time end;
    for (int64_t i = 0; i < EACH; ++i)
    {
        for (HostThread* thread : {&m_thread, &m_other, &third})
        {
            end = std::max(end, Get().Unmap(*thread, Pages(0, 1)));
        }
    }
    EXPECT_EQ(end, 3 * EACH * INVALIDATION) << "one core at a time";
    EXPECT_EQ(Get().GetCounters().invalidations, static_cast<uint64_t>(3 * EACH));
}

TEST_F(HostIommuTest, ALazyOneInvalidatesABatchWhenItIsFull)
{
    SetMode(IommuSettings::LAZY);
    Set("IommuFlushEntries", UintegerValue(4));
    Time end;
    for (int i = 0; i < 8; ++i)
    {
        end = Get().Unmap(m_thread, Pages(0, 1));
    }
    EXPECT_EQ(Get().GetCounters().invalidations, 2U);
    EXPECT_EQ(end, 8 * (CALL + PAGE_COST) + 2 * INVALIDATION);
}

TEST_F(HostIommuTest, ALazyOneInvalidatesABatchWhenItsTimeIsOver)
{
    SetMode(IommuSettings::LAZY);
    Set("IommuFlushTimeout", TimeValue(MilliSeconds(10)));
    Get().Unmap(m_thread, Pages(0, 1));
    Simulator::Schedule(MilliSeconds(9), [this] { Get().Unmap(m_thread, Pages(0, 1)); });
    Simulator::Schedule(MilliSeconds(10),
                        [this] { EXPECT_EQ(Get().GetCounters().invalidations, 0U); });
    Simulator::Schedule(MilliSeconds(11), [this] { Get().Unmap(m_thread, Pages(0, 1)); });
    Simulator::Run();
    EXPECT_EQ(Get().GetCounters().invalidations, 1U);
    EXPECT_EQ(m_cpu->GetUsed(HostContext::SOFT_INTERRUPT), INVALIDATION);
}

TEST_F(HostIommuTest, WhatIsKeptIsNotLookedUp)
{
    Set("IotlbSize", UintegerValue(64));
    for (uint64_t page = 0; page < 64; ++page)
    {
        EXPECT_EQ(Get().GetWalkTime({Pages(page, 1)}), WALK);
        EXPECT_EQ(Get().TranslateRead({Pages(page, 1)}, MicroSeconds(page)),
                  MicroSeconds(page) + WALK);
    }
    for (uint64_t page = 0; page < 64; ++page)
    {
        EXPECT_EQ(Get().TranslateRead({Pages(page, 1)}, MilliSeconds(1)), MilliSeconds(1));
    }
    EXPECT_EQ(Get().GetCounters().misses, 64U);
}

TEST_F(HostIommuTest, PagesBeyondItsEntriesAreLookedUpEachTime)
{
    Set("IotlbSize", UintegerValue(64));
    for (int round = 0; round < 3; ++round)
    {
        for (uint64_t page = 0; page < 65; ++page)
        {
            (void)Get().TranslateRead({Pages(page, 1)}, MilliSeconds(1));
        }
    }
    EXPECT_EQ(Get().GetCounters().misses, 3U * 65U) << "the one used longest ago leaves";
}

TEST_F(HostIommuTest, WhatWasUnmappedIsLookedUpAgain)
{
    for (const auto mode : {IommuSettings::STRICT, IommuSettings::LAZY})
    {
        SetMode(mode);
        (void)Get().TranslateRead({Pages(7, 1)}, Time(0));
        Get().Unmap(m_thread, Pages(7, 1));
        EXPECT_EQ(Get().TranslateRead({Pages(7, 1)}, MilliSeconds(1)), MilliSeconds(1) + WALK);
    }
}

TEST_F(HostIommuTest, LookUpsOfReadsAreBoundedInNumber)
{
    Set("IommuWalks", UintegerValue(2));
    for (int64_t page = 0; page < 6; ++page)
    {
        EXPECT_EQ(Get().TranslateRead({Pages(page, 1)}, Time(0)), (page / 2 + 1) * WALK);
    }
}

TEST_F(HostIommuTest, WritesAreTranslatedInTheirOrder)
{
    EXPECT_EQ(Get().TranslateWrite({Pages(0, 1)}, Time(0)), WALK);
    EXPECT_EQ(Get().TranslateWrite({Pages(1, 1)}, Time(0)), 2 * WALK);
    EXPECT_EQ(Get().TranslateWrite({Pages(0, 1)}, NanoSeconds(1)), 2 * WALK)
        << "it has its translation, and passes none before it";
}

} // namespace
} // namespace ns3::nfsrdma
