/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/cache-reader.h"
#include "nfs/store/cached-files-fixture.h"

namespace ns3::nfsrdma::test
{

class CacheReaderTest : public CachedFilesFixture
{
  protected:
    /// Reads pages. \return how many were there.
    uint64_t Read(uint64_t first, uint64_t last)
    {
        const auto barrier = MakeBarrier();
        const uint64_t found = m_reader.Read(m_file, first, last, barrier);
        barrier->Pass();
        return found;
    }

    CacheReader m_reader{m_files, m_settings, m_statistics};
};

TEST_F(CacheReaderTest, MissingPagesAreReadTogether)
{
    EXPECT_EQ(Read(2, 5), 0U);
    EXPECT_EQ(m_device->GetPending(), 1U);
    EXPECT_EQ(Read(5, 5), 0U) << "joins";
    Simulator::Run();
    EXPECT_EQ(m_passed, 100);
    EXPECT_EQ(m_statistics.pagesRead, 4U);
    EXPECT_EQ(m_statistics.pageJoins, 1U);
    EXPECT_EQ(Read(2, 5), 4U);
    EXPECT_EQ(m_statistics.readHits, 1U);
    EXPECT_EQ(m_statistics.readMisses, 2U);
}

/// Two reads of the device end together; pages of one file go into its index one after the other.
TEST_F(CacheReaderTest, PagesArePutIntoTheIndexOfTheirFileInTurn)
{
    m_settings.pageCost = MicroSeconds(3);
    Read(2, 5);
    Read(8, 8);
    Simulator::Run();
    EXPECT_EQ(m_passed, 100 + 4 * 3 + 3);
    m_passed = -1;
    EXPECT_EQ(Read(2, 5), 4U) << "what is there costs nothing";
    EXPECT_EQ(m_passed, 115);
}

/// Three files are read at the same time, four pages each.
TEST_F(CacheReaderTest, FilesWaitForALane)
{
    const auto exported = m_store->CreateExport("/others");
    const std::vector<InodeNumber> files{m_file,
                                         m_store->AddFile(exported, "g", 100 * PAGE),
                                         m_store->AddFile(exported, "h", 100 * PAGE)};
    const auto read = [&](uint64_t first) {
        const int64_t begin = Simulator::Now().GetMicroSeconds();
        const auto barrier = MakeBarrier();
        for (const InodeNumber file : files)
        {
            m_reader.Read(file, first, first + 3, barrier);
        }
        barrier->Pass();
        Simulator::Run();
        return m_passed - begin;
    };
    m_settings.pageCost = MicroSeconds(3);
    EXPECT_EQ(read(0), 100 + 4 * 3) << "each file by itself";
    m_settings.pageLanes = 1;
    EXPECT_EQ(read(10), 100 + 3 * 4 * 3);
    m_settings.pageLanes = 2;
    EXPECT_EQ(read(20), 100 + 2 * 4 * 3) << "the third waits for one of the others";
    m_settings.pageLanes = 3;
    EXPECT_EQ(read(30), 100 + 4 * 3);
}

TEST_F(CacheReaderTest, HolesAreThere)
{
    m_files.Resize(m_file, 10 * PAGE, 100 * PAGE);
    EXPECT_EQ(Read(9, 12), 3U);
    EXPECT_EQ(m_statistics.pagesRead, 1U);
    EXPECT_EQ(m_statistics.readPartial, 1U);
    Simulator::Run();
}

TEST_F(CacheReaderTest, SequentialReadsAreAhead)
{
    m_settings.readAhead = 16 * PAGE;
    Read(0, 0);
    EXPECT_GT(m_statistics.pagesAhead, 0U);
    Simulator::Run();
    EXPECT_EQ(Read(1, 1), 1U);
    Simulator::Run();
}

TEST_F(CacheReaderTest, APartOfAPageNeedsWhatIsOnTheDevice)
{
    const auto barrier = MakeBarrier();
    m_reader.FillPart(m_file, 1, barrier);
    m_reader.FillPart(m_file, 1, barrier);
    m_files.Resize(m_file, 50 * PAGE, 100 * PAGE);
    m_reader.FillPart(m_file, 60, barrier);
    barrier->Pass();
    EXPECT_EQ(m_statistics.pagesFilled, 1U);
    EXPECT_EQ(m_device->GetPending(), 1U);
    Simulator::Run();
    EXPECT_EQ(m_passed, 100);
}

} // namespace ns3::nfsrdma::test
