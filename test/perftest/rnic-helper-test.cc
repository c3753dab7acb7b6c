/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/rnic-helper.h"

#include "ns3/internet-stack-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

class RnicHelperTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_nodes.Create(3);
        InternetStackHelper().Install(m_nodes);
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    NodeContainer m_nodes;
};

TEST_F(RnicHelperTest, EachNodeHasADeviceOfItsOwnWithMemoryAndProcessor)
{
    const auto devices = RnicHelper().Install(m_nodes);
    ASSERT_EQ(devices.size(), 3U);
    for (uint32_t i = 0; i < 3; i++)
    {
        EXPECT_EQ(m_nodes.Get(i)->GetObject<RnicDevice>(), devices[i]);
        EXPECT_EQ(devices[i]->GetNode(), m_nodes.Get(i));
        EXPECT_EQ(devices[i]->GetHostMemory(), m_nodes.Get(i)->GetObject<HostMemory>());
        EXPECT_EQ(devices[i]->GetHostCpu(), m_nodes.Get(i)->GetObject<HostCpu>());
    }
}

TEST_F(RnicHelperTest, StagsOfDifferentNodesDiffer)
{
    std::set<Stag> stags;
    for (const auto& device : RnicHelper().Install(m_nodes))
    {
        const auto domain = device->AllocateProtectionDomain().value();
        stags.insert(device->AllocateMemoryRegion(domain, 1).value()->MakeStag(0));
    }
    EXPECT_EQ(stags.size(), 3U);
}

TEST_F(RnicHelperTest, AttributesGoToTheirClasses)
{
    RnicHelper helper;
    helper.SetAttribute("MaxQps", UintegerValue(7));
    helper.SetAttribute("HostCpu::Cores", UintegerValue(3));
    const auto device = helper.Install(m_nodes.Get(1));
    EXPECT_EQ(device->GetSettings().maxQps, 7U);
    EXPECT_EQ(device->GetHostCpu()->GetCores(), 3U);
}

TEST_F(RnicHelperTest, MemoryThatIsThereIsUsed)
{
    const auto memory = CreateObject<HostMemory>();
    m_nodes.Get(0)->AggregateObject(memory);
    EXPECT_EQ(RnicHelper().Install(m_nodes.Get(0))->GetHostMemory(), memory);
}

} // namespace

} // namespace ns3::nfsrdma
