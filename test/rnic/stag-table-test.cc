/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/protection-domain.h"
#include "rnic/stag-table.h"

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
        const auto checked = m_table.Check(stag, *m_domain, access, offset, length);
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
    EXPECT_EQ(m_table.Check(stag, *m_other, ACCESS_REMOTE_WRITE, 0, 1).error(),
              StagFault::NOT_ASSOCIATED);
    EXPECT_EQ(Fault(stag, ACCESS_REMOTE_WRITE, ~0ULL, 2), StagFault::ACCESS);
    EXPECT_EQ(Fault(stag, ACCESS_REMOTE_READ, ~0ULL, 2), StagFault::WRAP);
    EXPECT_EQ(Fault(stag, ACCESS_REMOTE_READ, 4999, 1), StagFault::BOUNDS);
    EXPECT_EQ(Fault(stag, ACCESS_REMOTE_READ, 5099, 2), StagFault::BOUNDS);
    EXPECT_EQ(Fault(stag, ACCESS_REMOTE_READ, 5101, 0), StagFault::BOUNDS);
    const auto checked = m_table.Check(stag, *m_domain, ACCESS_REMOTE_READ, 5099, 1);
    ASSERT_TRUE(checked);
    EXPECT_EQ(checked->buffer, PeekPointer(region));
    EXPECT_EQ(checked->region, PeekPointer(region));
    EXPECT_EQ(checked->offset, 99U);
}

TEST_F(StagTableTest, InvalidationNeedsIndexDomainAndTheKeyOfAValidRegion)
{
    const auto region = Add();
    const Stag stag = region->MakeStag(7);
    EXPECT_TRUE(m_table.CheckInvalidation(stag, *m_domain)) << "already invalid";
    region->Register({7, 0x100000, 100, 5000, ACCESS_REMOTE_READ});
    EXPECT_TRUE(m_table.CheckInvalidation(stag, *m_domain));
    EXPECT_EQ(m_table.CheckInvalidation(stag + 1, *m_domain).error(), StagFault::UNKNOWN);
    EXPECT_EQ(m_table.CheckInvalidation(stag, *m_other).error(), StagFault::NOT_ASSOCIATED);
    EXPECT_EQ(m_table.GetRegions().valid, 1U);
    m_table.Remove(*region);
    EXPECT_EQ(m_table.CheckInvalidation(stag, *m_domain).error(), StagFault::UNKNOWN);
}

} // namespace ns3::nfsrdma
