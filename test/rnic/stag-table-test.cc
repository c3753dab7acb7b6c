/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory/protection-domain.h"
#include "rnic/memory/stag-table.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace ns3::nfsrdma
{

class StagTableTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_domain->Bind(1);
        m_other->Bind(2);
    }

    void TearDown() override
    {
        m_table.Clear();
    }

    Ptr<MemoryRegion> Add()
    {
        auto region = CreateObject<MemoryRegion>();
        region->SetMaxPages(16);
        EXPECT_TRUE(m_table.Insert(region, m_domain));
        return region;
    }

    StagFault Fault(Stag stag, uint32_t access, uint64_t offset, uint64_t length)
    {
        const auto checked = m_table.Check(stag, {*m_domain, 0}, access, offset, length);
        EXPECT_FALSE(checked);
        return checked.error();
    }

    Ptr<ProtectionDomain> m_domain{CreateObject<ProtectionDomain>()};
    Ptr<ProtectionDomain> m_other{CreateObject<ProtectionDomain>()};
    StagTable m_table;
};

TEST_F(StagTableTest, IndicesAscendFromANonZeroOne)
{
    EXPECT_EQ(Add()->GetIndex(), 1U);
    EXPECT_EQ(Add()->GetIndex(), 2U);
    EXPECT_EQ(m_table.GetRegions().alive, 2U);
}

TEST_F(StagTableTest, AFreedIndexComesBackOnlyAfterManyOthersAndInOrder)
{
    std::set<uint32_t> used;
    for (uint32_t i = 0; i <= StagTable::REUSE_DISTANCE; i++)
    {
        const auto region = Add();
        EXPECT_TRUE(used.insert(region->GetIndex()).second);
        m_table.Remove(*region);
    }
    EXPECT_EQ(Add()->GetIndex(), 1U);
    EXPECT_EQ(m_table.GetRegions().alive, 1U);
}

TEST_F(StagTableTest, ChecksComeInTheirOrder)
{
    const auto region = Add();
    const Stag stag = region->MakeStag(7);
    EXPECT_EQ(Fault(0x99999900, 0, 0, 1), StagFault::UNKNOWN);
    EXPECT_EQ(Fault(0, 0, 0, 1), StagFault::UNKNOWN);
    region->Register({7, 0x100000, 100, 5000, ACCESS_REMOTE_READ});
    EXPECT_EQ(Fault(stag + 1, ACCESS_REMOTE_WRITE, 0, 1), StagFault::UNKNOWN);
    region->Invalidate();
    EXPECT_EQ(Fault(stag, ACCESS_REMOTE_WRITE, 0, 1), StagFault::NOT_VALID);
    region->Register({7, 0x100000, 100, 5000, ACCESS_REMOTE_READ});
    EXPECT_EQ(m_table.Check(stag, {*m_other, 0}, ACCESS_REMOTE_WRITE, 0, 1).error(),
              StagFault::NOT_ASSOCIATED);
    EXPECT_EQ(Fault(stag, ACCESS_REMOTE_WRITE, ~0ULL, 2), StagFault::ACCESS);
    EXPECT_EQ(Fault(stag, ACCESS_REMOTE_READ, ~0ULL, 2), StagFault::WRAP);
    EXPECT_EQ(Fault(stag, ACCESS_REMOTE_READ, 4999, 1), StagFault::BOUNDS);
    EXPECT_EQ(Fault(stag, ACCESS_REMOTE_READ, 5099, 2), StagFault::BOUNDS);
    EXPECT_EQ(Fault(stag, ACCESS_REMOTE_READ, 5101, 0), StagFault::BOUNDS);
    const auto checked = m_table.Check(stag, {*m_domain, 0}, ACCESS_REMOTE_READ, 5099, 1);
    ASSERT_TRUE(checked);
    EXPECT_EQ(checked->buffer, PeekPointer(region));
    EXPECT_EQ(checked->region, PeekPointer(region));
    EXPECT_EQ(checked->offset, 99U);
}

TEST_F(StagTableTest, InvalidationNeedsIndexDomainAndTheKeyOfAValidRegion)
{
    const auto region = Add();
    const Stag stag = region->MakeStag(7);
    EXPECT_TRUE(m_table.CheckInvalidation(stag, {*m_domain, 0})) << "already invalid";
    region->Register({7, 0x100000, 100, 5000, ACCESS_REMOTE_READ});
    EXPECT_TRUE(m_table.CheckInvalidation(stag, {*m_domain, 0}));
    EXPECT_EQ(m_table.CheckInvalidation(stag + 1, {*m_domain, 0}).error(), StagFault::UNKNOWN);
    EXPECT_EQ(m_table.CheckInvalidation(stag, {*m_other, 0}).error(), StagFault::NOT_ASSOCIATED);
    EXPECT_EQ(m_table.GetRegions().valid, 1U);
    m_table.Remove(*region);
    EXPECT_EQ(m_table.CheckInvalidation(stag, {*m_domain, 0}).error(), StagFault::UNKNOWN);
}

TEST_F(StagTableTest, ARegularRegionTakesTheKeyAfterTheLastOneOfItsSlot)
{
    const auto add = [this] {
        auto region = CreateObject<MemoryRegion>();
        EXPECT_TRUE(m_table.Insert(region, m_domain));
        return region;
    };
    const auto first = add();
    EXPECT_EQ(first->GetStag(), first->MakeStag(1));
    const auto fast = Add();
    EXPECT_EQ(fast->GetStag(), fast->MakeStag(0)) << "the consumer chooses keys";
    fast->Register({200, 0x100000, 100, 5000, ACCESS_REMOTE_READ});
    m_table.Remove(*fast);
    for (uint32_t i = 0; i < StagTable::REUSE_DISTANCE; i++)
    {
        m_table.Remove(*Add());
    }
    const auto again = add();
    EXPECT_EQ(again->GetStag(), 2U << 8 | 201);
}

TEST_F(StagTableTest, SlotsDoNotGrowInALoop)
{
    uint32_t highest = 0;
    for (uint32_t i = 0; i < 100000; i++)
    {
        const auto region = Add();
        highest = std::max(highest, region->GetIndex());
        m_table.Remove(*region);
    }
    EXPECT_EQ(highest, StagTable::REUSE_DISTANCE + 1);
}

TEST_F(StagTableTest, IndicesEndAtTheLargestAndComeBackWhenFreed)
{
    StagTable table;
    table.SetFirstIndex(StagTable::MAX_INDEX - 1);
    std::vector<Ptr<MemoryRegion>> regions;
    for (int i = 0; i < 3; i++)
    {
        regions.push_back(CreateObject<MemoryRegion>());
        EXPECT_EQ(table.Insert(regions.back(), m_domain), i < 2);
    }
    EXPECT_EQ(regions[1]->GetIndex(), StagTable::MAX_INDEX);
    table.Remove(*regions[0]);
    EXPECT_TRUE(table.Insert(regions[2], m_domain));
    EXPECT_EQ(regions[2]->GetStag(), (StagTable::MAX_INDEX - 1) << 8 | 2);
    table.Clear();
}

TEST_F(StagTableTest, WindowsShareTheIndicesAndAreCountedApart)
{
    const auto region = Add();
    region->Register({7, 0x100000, 100, 5000, ACCESS_WINDOW_BIND});
    auto window = CreateObject<MemoryWindow>();
    ASSERT_TRUE(m_table.Insert(window, m_domain));
    EXPECT_EQ(window->GetIndex(), 2U);
    EXPECT_EQ(m_table.GetWindows().alive, 1U);
    EXPECT_EQ(m_table.GetWindows().valid, 0U);
    EXPECT_EQ(m_table.GetRegions().alive, 1U);
    window->Bind({9, region, 5010, 20, ACCESS_REMOTE_READ});
    EXPECT_EQ(m_table.GetWindows().valid, 1U);
    EXPECT_EQ(m_table.GetRegions().valid, 1U);
    const auto checked =
        m_table.Check(window->GetStag(), {*m_domain, 0}, ACCESS_REMOTE_READ, 5029, 1);
    ASSERT_TRUE(checked);
    EXPECT_EQ(checked->buffer, PeekPointer(window));
    EXPECT_EQ(checked->region, PeekPointer(region));
    EXPECT_EQ(checked->offset, 29U);
    EXPECT_EQ(Fault(window->GetStag(), ACCESS_REMOTE_READ, 5029, 2), StagFault::BOUNDS);
    EXPECT_EQ(m_table.CheckLocal(window->GetStag(), *m_domain, 0, 5029, 1).error(),
              StagFault::UNKNOWN);
    EXPECT_TRUE(m_table.CheckLocal(region->GetStag(), *m_domain, 0, 5029, 1));
    EXPECT_EQ(m_table.CheckInvalidation(region->GetStag(), {*m_domain, 0}).error(),
              StagFault::WINDOWS_BOUND);
}

TEST_F(StagTableTest, AWindowOverARegionInvalidatedUnderItIsUseless)
{
    const auto region = Add();
    region->Register({7, 0x100000, 100, 5000, ACCESS_WINDOW_BIND});
    auto window = CreateObject<MemoryWindow>();
    ASSERT_TRUE(m_table.Insert(window, m_domain));
    window->Bind({9, region, 5010, 20, ACCESS_REMOTE_READ});
    region->Invalidate();
    EXPECT_EQ(Fault(window->GetStag(), ACCESS_REMOTE_READ, 5010, 1), StagFault::NOT_VALID);
    region->Register({8, 0x100000, 100, 5000, ACCESS_WINDOW_BIND});
    EXPECT_EQ(Fault(window->GetStag(), ACCESS_REMOTE_READ, 5010, 1), StagFault::NOT_VALID)
        << "it was bound to what the region was before";
}

TEST_F(StagTableTest, ObjectsOfAClearedTableAreOut)
{
    const auto region = Add();
    region->Register({7, 0x100000, 100, 5000, ACCESS_WINDOW_BIND});
    auto window = CreateObject<MemoryWindow>();
    ASSERT_TRUE(m_table.Insert(window, m_domain));
    window->Bind({9, region, 5010, 20, ACCESS_REMOTE_READ});
    EXPECT_TRUE(m_domain->IsUsed());
    m_table.Clear();
    EXPECT_EQ(region->GetIndex(), 0U);
    EXPECT_FALSE(region->IsValid());
    EXPECT_FALSE(window->IsBound());
    EXPECT_FALSE(m_domain->IsUsed());
    EXPECT_EQ(m_table.GetRegions().alive, 0U);
    EXPECT_EQ(m_table.GetWindows().valid, 0U);
}

} // namespace ns3::nfsrdma
