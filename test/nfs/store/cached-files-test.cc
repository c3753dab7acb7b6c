/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/cached-files-fixture.h"

namespace ns3::nfsrdma::test
{

class CachedFilesTest : public CachedFilesFixture
{
  protected:
    /// Octets that are written and dirty.
    void MakeDirty(uint64_t begin, uint64_t end)
    {
        m_files.Get(m_file).unstable.Add(begin, end);
        for (uint64_t index = begin / PAGE; index * PAGE < end; ++index)
        {
            m_files.GetCache().SetDirty(m_file, index, true);
        }
    }
};

TEST_F(CachedFilesTest, OctetsAreAtRiskUntilTheirWriteIsDone)
{
    MakeDirty(100, 2 * PAGE);
    MakeDirty(8 * PAGE, 9 * PAGE);
    const uint64_t number = m_files.Add(StorageWork::WRITE, m_file, {0, 2});
    EXPECT_EQ(m_files.GetCache().GetDirty(), 1U);
    auto risk = m_files.GetAtRisk();
    ASSERT_EQ(risk.size(), 2U);
    EXPECT_EQ(risk[0].extent, (Extent{100, 2 * PAGE}));
    EXPECT_EQ(risk[1].extent, (Extent{8 * PAGE, 9 * PAGE}));
    m_files.Submit(number, [this, number] { m_files.End(number); });
    Simulator::Run();
    EXPECT_EQ(Simulator::Now(), MicroSeconds(50));
    EXPECT_EQ(m_files.GetAtRisk().size(), 1U);
    m_files.Restart();
    EXPECT_TRUE(m_files.GetAtRisk().empty());
    EXPECT_EQ(m_files.FindCache()->GetCount(), 0U);
}

TEST_F(CachedFilesTest, AWriteMakesItsPagesStored)
{
    m_files.Resize(m_file, 0, 100 * PAGE);
    EXPECT_TRUE(m_files.IsHole(m_files.Get(m_file), 0));
    MakeDirty(0, 3 * PAGE);
    const auto job = m_files.End(m_files.Add(StorageWork::WRITE, m_file, {0, 3}));
    EXPECT_EQ(job.pages.count, 3U);
    EXPECT_FALSE(m_files.IsHole(m_files.Get(m_file), 2));
    EXPECT_TRUE(m_files.IsHole(m_files.Get(m_file), 3));
}

TEST_F(CachedFilesTest, CutsGoThroughPagesAndRequests)
{
    MakeDirty(0, 4 * PAGE);
    const uint64_t number = m_files.Add(StorageWork::WRITE, m_file, {0, 2});
    m_files.Resize(m_file, 100 * PAGE, PAGE + 10);
    const auto risk = m_files.GetAtRisk();
    ASSERT_EQ(risk.size(), 1U);
    EXPECT_EQ(risk[0].extent, (Extent{0, PAGE + 10}));
    EXPECT_EQ(m_files.GetCache().GetDirty(), 0U);
    EXPECT_EQ(m_files.GetCache().GetCount(), 2U);
    EXPECT_TRUE(m_files.Remove(m_file));
    EXPECT_FALSE(m_files.Remove(m_file));
    EXPECT_TRUE(m_files.End(number).extents.empty());
}

TEST_F(CachedFilesTest, ABarrierWaitsOnceForARequest)
{
    const auto barrier = MakeBarrier();
    const uint64_t number = m_files.Add(StorageWork::READ, m_file, {0, 2});
    m_files.Wait(number, barrier);
    m_files.Wait(number, barrier);
    m_files.Wait(number + 1, barrier);
    EXPECT_TRUE(m_files.IsFirst(number, barrier));
    barrier->Pass();
    EXPECT_EQ(m_passed, -1);
    for (const auto& waiting : m_files.End(number).waiting)
    {
        waiting->Pass();
    }
    EXPECT_EQ(m_passed, 0);
}

TEST_F(CachedFilesTest, PressureMakesTheCacheSmaller)
{
    m_files.SetPressure(3);
    EXPECT_EQ(m_files.FindCache(), nullptr);
    EXPECT_EQ(m_files.GetCache().GetCapacity(), 3U);
    m_files.SetPressure(0);
    EXPECT_EQ(m_files.GetCache().GetCapacity(), 1U);
    m_files.SetPressure(std::nullopt);
    EXPECT_EQ(m_files.GetCache().GetCapacity(), 50U);
}

} // namespace ns3::nfsrdma::test
