/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/cpu.h"
#include "rpcrdma/server/release-queue.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

/// A work queue of releases on a host of four cores, which takes 3 us for each.
class ReleaseQueueTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }

    std::unique_ptr<SvcRdmaReleaseQueue> MakeQueue(uint32_t workers)
    {
        m_cpu->SetAttribute("Cores", UintegerValue(4));
        return std::make_unique<SvcRdmaReleaseQueue>(
            m_cpu,
            MicroSeconds(3),
            workers,
            m_statistics,
            [this](uint32_t before, uint32_t now) { m_changes.emplace_back(before, now); });
    }

    /// Has \p count Sends complete, one each microsecond.
    void Complete(SvcRdmaReleaseQueue& queue, uint32_t count)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            Simulator::Schedule(MicroSeconds(i), [this, i, &queue] {
                queue.Put([this, i] { m_released.emplace_back(i, Simulator::Now()); });
            });
        }
    }

    Ptr<HostCpu> m_cpu{CreateObject<HostCpu>()};
    std::shared_ptr<SvcRdmaStatistics> m_statistics{std::make_shared<SvcRdmaStatistics>()};
    std::vector<std::pair<uint32_t, uint32_t>> m_changes;
    std::vector<std::pair<uint32_t, Time>> m_released;
};

/// One worker releases a third of what completes: two of three wait.
TEST_F(ReleaseQueueTest, FallsBehindWhereWorkersAreTooSlow)
{
    const auto queue = MakeQueue(1);
    Complete(*queue, 30);
    Simulator::Stop(MicroSeconds(30) + NanoSeconds(1));
    Simulator::Run();
    EXPECT_EQ(queue->GetBacklog(), 20U);
    Simulator::Run();
    EXPECT_EQ(queue->GetBacklog(), 0U);
    EXPECT_EQ(m_statistics->released, 30U);
    EXPECT_GE(m_statistics->releasePeak, 20U);
    for (uint32_t i = 0; i < 30; ++i)
    {
        EXPECT_EQ(m_released.at(i).first, i);
        EXPECT_EQ(m_released.at(i).second, MicroSeconds(3 * (i + 1)));
    }
    EXPECT_EQ(m_changes.size(), 60U);
}

TEST_F(ReleaseQueueTest, KeepsUpWithWorkersEnough)
{
    const auto queue = MakeQueue(3);
    Complete(*queue, 30);
    Simulator::Run();
    EXPECT_LE(m_statistics->releasePeak, 4U); // One is put as another ends.
    EXPECT_EQ(m_released.back().second, MicroSeconds(32));
}

/// What waits when the server ends is dropped, and nothing happens later.
TEST_F(ReleaseQueueTest, DropsWhatWaitsAtItsEnd)
{
    auto queue = MakeQueue(1);
    const auto held = std::make_shared<int>(0);
    queue->Put([this, held] { m_released.emplace_back(0, Simulator::Now()); });
    queue->Put([held] {});
    EXPECT_EQ(held.use_count(), 3);
    queue.reset();
    EXPECT_EQ(held.use_count(), 1);
    Simulator::Run();
    EXPECT_TRUE(m_released.empty());
}

} // namespace
} // namespace ns3::nfsrdma
