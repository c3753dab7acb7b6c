/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/cached-files-fixture.h"
#include "nfs/store/write-back.h"

namespace ns3::nfsrdma::test
{

/// The cache has 50 pages: above 10 dirty ones they are written, at 20 writers wait.
class WriteBackTest : public CachedFilesFixture
{
  protected:
    void Write(uint64_t first, uint64_t pages)
    {
        m_writeBack.MarkDirty(m_file, first * PAGE, pages * PAGE);
        m_writeBack.Start();
    }

    TracedValue<uint64_t> m_dirty{0};
    TracedCallback<InodeNumber, uint64_t, uint64_t> m_written;
    TracedCallback<Time> m_throttled;
    WriteBack m_writeBack{m_files, m_settings, m_statistics, {m_dirty, m_written, m_throttled}};
};

TEST_F(WriteBackTest, BeginsAboveTheBackgroundRatio)
{
    Write(0, 10);
    EXPECT_EQ(m_dirty, 10U);
    EXPECT_EQ(m_device->GetPending(), 0U);
    Write(10, 1);
    EXPECT_EQ(m_dirty, 7U);
    EXPECT_EQ(m_writeBack.GetWritingPages(), 4U);
    Simulator::Run();
    EXPECT_EQ(m_statistics.writtenBehind, 4U);
    EXPECT_EQ(m_dirty, 7U);
}

TEST_F(WriteBackTest, AFlushWaitsForAllOfItsRange)
{
    Write(0, 10);
    const auto barrier = MakeBarrier();
    m_writeBack.Flush(m_file, 2, 8, barrier);
    barrier->Pass();
    EXPECT_EQ(m_dirty, 3U);
    EXPECT_EQ(m_device->GetPending(), 2U) << "of four pages at most";
    Simulator::Run();
    EXPECT_GE(m_passed, 50);
    EXPECT_EQ(m_statistics.pagesWritten, 7U);
    EXPECT_EQ(m_statistics.writtenBehind, 0U);
}

TEST_F(WriteBackTest, WritersWaitAtTheDirtyRatio)
{
    int64_t ended = -1;
    Write(0, 20);
    m_writeBack.Throttle([&ended] { ended = Simulator::Now().GetMicroSeconds(); });
    EXPECT_EQ(ended, -1);
    Simulator::Run();
    EXPECT_GE(ended, 50);
    EXPECT_EQ(m_statistics.throttled, 1U);
    EXPECT_EQ(m_statistics.throttledTime, MicroSeconds(ended));
    m_writeBack.Throttle([&ended] { ended = 0; });
    EXPECT_EQ(ended, 0);
}

TEST_F(WriteBackTest, OldPagesAreWritten)
{
    m_settings.writeBackInterval = Seconds(5);
    m_settings.dirtyExpire = Seconds(8);
    Write(0, 2);
    Simulator::Stop(Seconds(9));
    Simulator::Run();
    EXPECT_EQ(m_dirty, 2U);
    Simulator::Stop(Seconds(2));
    Simulator::Run();
    EXPECT_EQ(m_dirty, 0U);
}

TEST_F(WriteBackTest, LostPagesHoldNobody)
{
    bool ended = false;
    m_settings.writeBackDepth = 0;
    Write(0, 20);
    m_writeBack.Throttle([&ended] { ended = true; });
    m_files.Restart();
    m_writeBack.Restart();
    EXPECT_TRUE(ended);
    EXPECT_EQ(m_dirty, 0U);
}

} // namespace ns3::nfsrdma::test
