/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/string.h"

#include <set>

namespace ns3::nfsrdma
{

/// How a device chooses STags.
class StagChoiceTest : public RnicTest
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->SetAttribute("StagIndices", StringValue(m_indices));
        host.device->SetAttribute("StagKeys", StringValue(m_keys));
    }

    std::set<Stag> Allocate(uint32_t count)
    {
        std::set<Stag> stags;
        for (uint32_t i = 0; i < count; ++i)
        {
            const auto region = m_server.device->AllocateMemoryRegion(m_server.domain, 1).value();
            EXPECT_TRUE(m_server.device->GetStagTable().Holds(*region));
            stags.insert(region->GetStag());
            m_regions.push_back(region);
        }
        return stags;
    }

    std::string m_indices{"sequential"};
    std::string m_keys{"counter"};
    std::vector<Ptr<MemoryRegion>> m_regions;
};

TEST_F(StagChoiceTest, CountersStepKeys)
{
    EXPECT_EQ(m_server.device->ChooseStagKey(7), 8);
    EXPECT_EQ(m_server.device->ChooseStagKey(255), 0);
    const auto stags = Allocate(100);
    EXPECT_EQ((*stags.rbegin() - *stags.begin()) >> 8, 99U);
}

class ScatteredStags : public StagChoiceTest
{
  protected:
    ScatteredStags()
    {
        m_indices = "scattered";
        m_keys = "random";
    }
};

TEST_F(ScatteredStags, AreSpreadAndFound)
{
    const auto stags = Allocate(500);
    EXPECT_EQ(stags.size(), 500U);
    uint32_t near = 0;
    for (auto stag = std::next(stags.begin()); stag != stags.end(); ++stag)
    {
        near += (*stag - *std::prev(stag)) >> 8 < 100 ? 1 : 0;
    }
    EXPECT_LT(near, 20U);
    for (const auto& region : m_regions)
    {
        EXPECT_EQ(m_server.device->GetStagTable().Find(region->GetStag()), PeekPointer(region));
        EXPECT_TRUE(m_server.device->Destroy(region));
    }
    EXPECT_EQ(m_server.device->GetStagTable().Find(0), nullptr);
    EXPECT_EQ(m_server.device->GetCensus().memoryRegions, 0U);
}

TEST_F(ScatteredStags, KeysAreNeverTheSameAgain)
{
    std::set<uint8_t> keys;
    for (int i = 0; i < 5000; ++i)
    {
        keys.insert(m_server.device->ChooseStagKey(7));
    }
    EXPECT_EQ(keys.size(), 255U);
    EXPECT_EQ(keys.count(7), 0U);
}

TEST_F(ScatteredStags, ComeFromTheStreamAssigned)
{
    m_server.device->AssignStreams(11);
    m_client.device->AssignStreams(11);
    const auto mine = m_server.device->AllocateMemoryRegion(m_server.domain, 1).value();
    const auto other = m_client.device->AllocateMemoryRegion(m_client.domain, 1).value();
    EXPECT_EQ(mine->GetStag(), other->GetStag());
}

class FixedStags : public StagChoiceTest
{
  protected:
    FixedStags()
    {
        m_keys = "fixed";
    }
};

TEST_F(FixedStags, KeepTheirKey)
{
    EXPECT_EQ(m_server.device->ChooseStagKey(7), 7);
}

TEST_F(StagChoiceTest, TheCommonDomainIsOne)
{
    const auto before = m_server.device->GetCensus().protectionDomains;
    const auto domain = m_server.device->GetCommonDomain();
    ASSERT_NE(domain, nullptr);
    EXPECT_EQ(m_server.device->GetCommonDomain(), domain);
    EXPECT_EQ(m_server.device->GetCensus().protectionDomains, before)
        << "nobody has to give it back";
}

} // namespace ns3::nfsrdma
