/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/server-storage.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{
namespace
{

constexpr uint64_t PAGE = 4096;

/// One file behind a cache; the device takes 1 us for memory, 100 us for a READ, 50 us for a WRITE,
/// 200 us to sync, and nothing for octets.
class ServerStorageTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_device = CreateObject<StorageModel>();
        m_device->SetAttribute("MetadataCost", TimeValue(MicroSeconds(1)));
        m_device->SetAttribute("ReadLatency", TimeValue(MicroSeconds(100)));
        m_device->SetAttribute("WriteLatency", TimeValue(MicroSeconds(50)));
        m_device->SetAttribute("SyncLatency", TimeValue(MicroSeconds(200)));
        m_device->SetAttribute("Bandwidth", StringValue("0bps"));
        m_device->TraceConnectWithoutContext("Served",
                                             Callback<void, StorageWork, uint64_t, Time>(
                                                 [this](StorageWork work, uint64_t octets, Time) {
                                                     m_reads += work == StorageWork::READ ? 1 : 0;
                                                     m_readOctets +=
                                                         work == StorageWork::READ ? octets : 0;
                                                     m_writes += work == StorageWork::WRITE ? 1 : 0;
                                                     m_writeOctets +=
                                                         work == StorageWork::WRITE ? octets : 0;
                                                 }));
        m_store = CreateObject<FileStore>();
        m_root = m_store->CreateExport("/export");
        m_file = m_store->AddFile(m_root, "f", 100 * PAGE, {}, [](uint64_t, MutableByteSpan out) {
            std::fill(out.begin(), out.end(), uint8_t{1});
        });
        m_storage = CreateObject<ServerStorage>();
        m_storage->SetDevice(m_device);
        m_storage->SetFileStore(m_store);
        m_storage->SetAttribute("CacheSize", UintegerValue(1000 * PAGE));
        m_storage->SetAttribute("ReadAhead", UintegerValue(0));
        m_storage->SetAttribute("CopyRate", StringValue("0bps"));
    }

    void TearDown() override
    {
        EXPECT_EQ(m_storage->GetPending(), 0U);
        m_storage->Dispose();
        Simulator::Destroy();
    }

    ServerStorage::Done Note()
    {
        const std::size_t index = m_ended.size();
        m_ended.emplace_back(-1);
        return [this, index] {
            EXPECT_EQ(m_ended[index], -1);
            m_ended[index] = Simulator::Now().GetMicroSeconds();
        };
    }

    void Read(uint64_t page, uint64_t pages)
    {
        m_storage->Read(m_file, page * PAGE, pages * PAGE, Note());
    }

    /// Carries a WRITE out and stores it.
    void Write(uint64_t offset, uint64_t count, StableHow stable = StableHow::UNSTABLE)
    {
        const auto fill = [](uint64_t, MutableByteSpan out) {
            std::fill(out.begin(), out.end(), uint8_t{9});
        };
        ASSERT_EQ(m_store->GetData().Write(m_file, offset, count, fill, FileCredential()),
                  Nfs3Status::OK);
        m_storage->Write(m_file, offset, count, stable, Note());
    }

    void Commit(uint64_t offset = 0, uint64_t count = 0)
    {
        m_storage->Commit(m_file, offset, count, Note());
    }

    /// Runs what is outstanding. \return how long the latest request took, us.
    int64_t Run(Time longest = Seconds(1))
    {
        const int64_t began = Simulator::Now().GetMicroSeconds();
        Simulator::Stop(longest);
        Simulator::Run();
        return m_ended.back() - began;
    }

    std::vector<Extent> GetLost()
    {
        std::vector<Extent> extents;
        for (const auto& part : m_storage->GetAtRisk())
        {
            EXPECT_EQ(part.file, m_file);
            extents.push_back(part.extent);
        }
        return extents;
    }

    uint8_t OctetAt(uint64_t offset)
    {
        ByteVector octet(1);
        m_store->GetData().ReadContent(m_file, offset, octet);
        return octet[0];
    }

    Ptr<StorageModel> m_device;
    Ptr<FileStore> m_store;
    Ptr<ServerStorage> m_storage;
    InodeNumber m_root{0};
    InodeNumber m_file{0};
    std::vector<int64_t> m_ended; ///< Microseconds, in order of the calls.
    uint32_t m_reads{0};
    uint64_t m_readOctets{0};
    uint32_t m_writes{0};
    uint64_t m_writeOctets{0};
};

TEST_F(ServerStorageTest, WithoutACacheRequestsGoToTheDevice)
{
    m_storage->SetAttribute("CacheSize", UintegerValue(0));
    Read(0, 2);
    EXPECT_EQ(Run(), 101);
    Read(0, 2);
    EXPECT_EQ(Run(), 101);
    Write(0, 10);
    EXPECT_EQ(Run(), 51);
    Write(0, 10, StableHow::FILE_SYNC);
    EXPECT_EQ(Run(), 251);
    Commit();
    EXPECT_EQ(Run(), 201);
    m_storage->MetadataChange(Note());
    EXPECT_EQ(Run(), 201);
    m_storage->Metadata(Note());
    EXPECT_EQ(Run(), 1);
    EXPECT_TRUE(m_storage->GetAtRisk().empty());
    EXPECT_EQ(m_storage->GetCachedPages(), 0U);
}

TEST_F(ServerStorageTest, TasksAreDoneOneAfterAnother)
{
    m_storage->SetAttribute("CacheSize", UintegerValue(0));
    m_storage->DoAll({{StorageWork::READ, m_file, 0, PAGE},
                      {StorageWork::SYNC, m_file, 0, 0},
                      {StorageWork::METADATA, 0, 0, 0}},
                     Note());
    EXPECT_EQ(Run(), 101 + 201 + 1);
    m_storage->DoAll({}, Note());
    EXPECT_EQ(m_ended.back(), Simulator::Now().GetMicroSeconds()) << "nothing to wait for";
}

TEST_F(ServerStorageTest, SecondReadIsAHit)
{
    Read(3, 4);
    EXPECT_EQ(Run(), 101);
    Read(3, 4);
    EXPECT_EQ(Run(), 1);
    const auto& statistics = m_storage->GetStatistics();
    EXPECT_EQ(statistics.readMisses, 1U);
    EXPECT_EQ(statistics.readHits, 1U);
    EXPECT_EQ(statistics.pageHits, 4U);
    EXPECT_EQ(statistics.pageMisses, 4U);
    EXPECT_EQ(m_reads, 1U);
    EXPECT_EQ(m_readOctets, 4 * PAGE);
    EXPECT_EQ(m_storage->GetCachedPages(), 4U);
}

TEST_F(ServerStorageTest, PartialHitReadsWhatIsMissing)
{
    Read(4, 2);
    Run();
    Read(2, 6);
    EXPECT_EQ(Run(), 101);
    EXPECT_EQ(m_reads, 3U); // Pages 2 and 3, and 6 and 7, at once.
    EXPECT_EQ(m_readOctets, 6 * PAGE);
    EXPECT_EQ(m_storage->GetStatistics().readPartial, 1U);
    EXPECT_EQ(m_storage->GetStatistics().pageHits, 2U);
}

TEST_F(ServerStorageTest, ConcurrentMissesShareOneDeviceRead)
{
    Read(0, 4);
    Simulator::Schedule(MicroSeconds(40), [this] { Read(2, 4); });
    Run();
    EXPECT_EQ(m_ended, (std::vector<int64_t>{101, 141}));
    EXPECT_EQ(m_readOctets, 6 * PAGE);
    EXPECT_EQ(m_storage->GetStatistics().pageJoins, 2U);
    Read(10, 1);
    Simulator::Schedule(MicroSeconds(40), [this] { Read(10, 1); });
    Run();
    EXPECT_EQ(m_ended[2], m_ended[3]);
    EXPECT_EQ(m_readOctets, 7 * PAGE);
}

TEST_F(ServerStorageTest, ReadAheadTurnsSequentialReadsIntoHits)
{
    m_storage->SetAttribute("ReadAhead", UintegerValue(32 * PAGE));
    for (uint64_t page = 0; page < 100; ++page)
    {
        Read(page, 1);
        Run();
    }
    const auto& statistics = m_storage->GetStatistics();
    EXPECT_EQ(statistics.readMisses, 1U);
    EXPECT_EQ(statistics.readHits, 99U);
    EXPECT_EQ(statistics.pagesRead, 100U); // Not behind the file's end.
    EXPECT_EQ(statistics.pagesAhead, 99U);
    EXPECT_LE(m_reads, 6U);
}

TEST_F(ServerStorageTest, CapacityIsKept)
{
    m_storage->SetAttribute("CacheSize", UintegerValue(10 * PAGE));
    for (uint64_t page = 0; page < 50; ++page)
    {
        Read(page, 1);
        Run();
    }
    EXPECT_EQ(m_storage->GetCachedPages(), 10U);
    EXPECT_EQ(m_storage->GetEvictedPages(), 40U);
    Read(0, 50);
    EXPECT_EQ(Run(), 101);
    EXPECT_EQ(m_storage->GetCachedPages(), 10U);
}

TEST_F(ServerStorageTest, UnstableWriteIsDoneInMemory)
{
    Write(0, 2 * PAGE);
    EXPECT_EQ(Run(), 1);
    EXPECT_EQ(m_writes, 0U);
    EXPECT_EQ(m_storage->GetDirtyPages(), 2U);
    EXPECT_EQ(GetLost(), (std::vector<Extent>{{0, 2 * PAGE}}));
    Read(0, 2);
    EXPECT_EQ(Run(), 1);
    Commit();
    EXPECT_EQ(Run(), 51 + 201);
    EXPECT_EQ(m_writeOctets, 2 * PAGE);
    EXPECT_EQ(m_storage->GetDirtyPages(), 0U);
    EXPECT_TRUE(m_storage->GetAtRisk().empty());
    Commit();
    EXPECT_EQ(Run(), 201);
    EXPECT_EQ(m_writeOctets, 2 * PAGE);
}

TEST_F(ServerStorageTest, CopyTakesItsTime)
{
    m_storage->SetAttribute("CopyRate", StringValue("8Gbps"));
    Write(0, 2 * PAGE);
    EXPECT_EQ(Run(), 1 + 8);
}

TEST_F(ServerStorageTest, PartOfAPageNeedsTheRest)
{
    Write(100, 200);
    EXPECT_EQ(Run(), 101);
    EXPECT_EQ(m_storage->GetStatistics().pagesFilled, 1U);
    Write(400, 200); // The page is there now.
    EXPECT_EQ(Run(), 1);
    Write(5 * PAGE + 1, 2 * PAGE); // First and last page are cut.
    EXPECT_EQ(Run(), 101);
    EXPECT_EQ(m_storage->GetStatistics().pagesFilled, 3U);
    Write(100 * PAGE, 17); // Behind the old end.
    EXPECT_EQ(Run(), 1);
    EXPECT_EQ(m_storage->GetStatistics().pagesFilled, 3U);
    EXPECT_EQ(GetLost(),
              (std::vector<Extent>{{100, 300},
                                   {400, 600},
                                   {5 * PAGE + 1, 7 * PAGE + 1},
                                   {100 * PAGE, 100 * PAGE + 17}}));
}

TEST_F(ServerStorageTest, SyncWritesGoThrough)
{
    for (const StableHow stable : {StableHow::DATA_SYNC, StableHow::FILE_SYNC})
    {
        m_writeOctets = 0;
        Write(0, 3 * PAGE, stable);
        EXPECT_EQ(Run(), 1 + 51 + 201);
        EXPECT_EQ(m_writeOctets, 3 * PAGE);
        EXPECT_TRUE(m_storage->GetAtRisk().empty());
    }
}

TEST_F(ServerStorageTest, CommitOfARangeLeavesTheRest)
{
    Write(0, 10 * PAGE);
    Run();
    Commit(2 * PAGE, 3 * PAGE);
    Run();
    EXPECT_EQ(m_writeOctets, 3 * PAGE);
    EXPECT_EQ(GetLost(), (std::vector<Extent>{{0, 2 * PAGE}, {5 * PAGE, 10 * PAGE}}));
}

TEST_F(ServerStorageTest, CommitWaitsForWritesUnderWay)
{
    Write(0, PAGE);
    Run();
    Commit();
    Simulator::Schedule(MicroSeconds(20), [this] { Commit(); });
    const int64_t began = Simulator::Now().GetMicroSeconds();
    Run();
    EXPECT_EQ(m_ended[1] - began, 51 + 201);
    EXPECT_EQ(m_ended[2], m_ended[1]);
    EXPECT_EQ(m_writes, 1U);
}

/// What is written while its page is on the way to the device needs another way.
TEST_F(ServerStorageTest, PageWrittenAgainWhileOnItsWay)
{
    Write(0, 100);
    Run();
    Commit();
    Simulator::Schedule(MicroSeconds(20), [this] { Write(200, 100); });
    Simulator::Schedule(MicroSeconds(60), [this] {
        // The first has arrived.
        EXPECT_EQ(GetLost(), (std::vector<Extent>{{200, 300}}));
    });
    Run();
    EXPECT_EQ(m_writes, 1U);
    EXPECT_EQ(GetLost(), (std::vector<Extent>{{200, 300}}));
    Commit();
    Run();
    EXPECT_EQ(m_writes, 2U);
    EXPECT_TRUE(m_storage->GetAtRisk().empty());
}

TEST_F(ServerStorageTest, WriteBackBeginsAboveTheBackgroundRatio)
{
    m_storage->SetAttribute("CacheSize", UintegerValue(100 * PAGE));
    m_storage->SetAttribute("WriteBackSize", UintegerValue(4 * PAGE));
    for (uint64_t page = 0; page < 10; ++page)
    {
        Write(page * PAGE, PAGE);
        Run(MilliSeconds(1));
    }
    EXPECT_EQ(m_writes, 0U);
    Write(10 * PAGE, PAGE);
    Run(MilliSeconds(1));
    EXPECT_EQ(m_writes, 1U);
    EXPECT_EQ(m_storage->GetDirtyPages(), 7U);
    EXPECT_EQ(m_storage->GetStatistics().writtenBehind, 4U);
}

TEST_F(ServerStorageTest, WritersWaitAtTheDirtyRatio)
{
    m_storage->SetAttribute("CacheSize", UintegerValue(100 * PAGE));
    m_storage->SetAttribute("WriteBackSize", UintegerValue(4 * PAGE));
    m_storage->SetAttribute("WriteBackDepth", UintegerValue(1));
    uint64_t most = 0;
    m_storage->TraceConnectWithoutContext(
        "DirtyPages",
        Callback<void, uint64_t, uint64_t>(
            [&](uint64_t, uint64_t now) { most = std::max(most, now); }));
    for (uint64_t page = 0; page < 100; ++page)
    {
        Simulator::Schedule(MicroSeconds(page), [this, page] { Write(page * PAGE, PAGE); });
    }
    Run();
    const auto& statistics = m_storage->GetStatistics();
    EXPECT_GT(statistics.throttled, 50U);
    EXPECT_GT(statistics.throttledTime, MilliSeconds(1));
    EXPECT_EQ(m_ended[10], 11);
    // One WRITE is let go for each page that leaves: 4 in 51 us.
    EXPECT_NEAR(static_cast<double>(m_ended[99]), 51.0 * (100 - 20) / 4, 200);
    EXPECT_LE(m_storage->GetDirtyPages(), 10U);
}

TEST_F(ServerStorageTest, OldPagesAreWrittenBack)
{
    Write(0, PAGE);
    Run(Seconds(29));
    EXPECT_EQ(m_writes, 0U);
    Run(Seconds(10));
    EXPECT_EQ(m_writes, 1U);
    EXPECT_EQ(m_storage->GetDirtyPages(), 0U);
    Simulator::Run(); // Ends: nothing is dirty, nothing is looked at.
    EXPECT_LT(Simulator::Now(), Seconds(60));
}

TEST_F(ServerStorageTest, RestartLosesWhatWasNotWritten)
{
    Write(0, 1000, StableHow::FILE_SYNC);
    Run();
    Write(500, 1000);
    Write(10 * PAGE, PAGE);
    Run();
    Commit(10 * PAGE, PAGE);
    Run();
    const auto lost = m_storage->Restart();
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0].extent, (Extent{500, 1500}));
    EXPECT_EQ(OctetAt(499), 9);
    EXPECT_EQ(OctetAt(500), 0);
    EXPECT_EQ(OctetAt(1499), 0);
    EXPECT_EQ(OctetAt(1500), 1);
    EXPECT_EQ(OctetAt(10 * PAGE), 9);
    EXPECT_EQ(m_storage->GetCachedPages(), 0U);
    EXPECT_TRUE(m_storage->GetAtRisk().empty());
    Read(10, 1);
    EXPECT_EQ(Run(), 101);
}

TEST_F(ServerStorageTest, RestartMayTellOnly)
{
    m_storage->SetAttribute("LoseOnRestart", BooleanValue(false));
    Write(500, 1000);
    Run();
    EXPECT_EQ(m_storage->Restart().size(), 1U);
    EXPECT_EQ(OctetAt(500), 9);
}

TEST_F(ServerStorageTest, RestartWhileRequestsAreUnderWay)
{
    m_storage->SetAttribute("CacheSize", UintegerValue(20 * PAGE));
    for (uint64_t page = 0; page < 10; ++page)
    {
        Write(page * PAGE, PAGE);
    }
    Read(50, 4);
    Simulator::Schedule(MicroSeconds(30), [this] {
        const auto lost = m_storage->Restart();
        ASSERT_EQ(lost.size(), 1U);
        EXPECT_EQ(lost[0].extent, (Extent{0, 10 * PAGE}));
    });
    Run();
    EXPECT_EQ(std::count(m_ended.begin(), m_ended.end(), -1), 0);
    EXPECT_EQ(m_storage->GetCachedPages(), 0U);
}

TEST_F(ServerStorageTest, CutAndRemovedFilesLeaveTheCache)
{
    Write(0, 10 * PAGE);
    Run();
    Sattr3 changes;
    changes.size = 3 * PAGE;
    ASSERT_EQ(m_store->GetAttributes().SetAttributes(m_file, changes, {}, FileCredential()),
              Nfs3Status::OK);
    EXPECT_EQ(m_storage->GetDirtyPages(), 3U);
    EXPECT_EQ(GetLost(), (std::vector<Extent>{{0, 3 * PAGE}}));
    changes.size = 10 * PAGE;
    ASSERT_EQ(m_store->GetAttributes().SetAttributes(m_file, changes, {}, FileCredential()),
              Nfs3Status::OK);
    Read(3, 7); // A hole.
    EXPECT_EQ(Run(), 1);
    ASSERT_EQ(m_store->GetNames().Remove(m_root, "f", FileCredential()), Nfs3Status::OK);
    EXPECT_EQ(m_storage->GetCachedPages(), 0U);
    EXPECT_TRUE(m_storage->GetAtRisk().empty());
    m_file = m_store->AddFile(m_root, "g", PAGE); // May have the number.
    Read(0, 1);
    EXPECT_EQ(Run(), 101);
}

TEST_F(ServerStorageTest, WritesCostWithACacheAndWithout)
{
    m_storage->SetAttribute("WriteCost", TimeValue(MicroSeconds(5)));
    Write(0, PAGE);
    EXPECT_EQ(m_storage->GetPending(), 1U);
    EXPECT_EQ(Run(), 1 + 5);
    m_storage->SetAttribute("CacheSize", UintegerValue(0));
    Write(0, PAGE);
    EXPECT_EQ(Run(), 5 + 1 + 50);
    Read(0, 1);
    EXPECT_EQ(Run(), 101);
}

TEST_F(ServerStorageTest, ADeviceThatTakesNoTime)
{
    for (const char* cost : {"MetadataCost", "ReadLatency", "WriteLatency", "SyncLatency"})
    {
        m_device->SetAttribute(cost, TimeValue(Time(0)));
    }
    m_storage->SetAttribute("CacheSize", UintegerValue(2 * PAGE));
    m_storage->SetAttribute("ReadAhead", UintegerValue(32 * PAGE));
    Read(0, 10);
    Read(7, 10);
    Write(100, 20000);
    Write(5, 20000, StableHow::FILE_SYNC);
    Commit();
    for (const int64_t ended : m_ended)
    {
        EXPECT_EQ(ended, 0);
    }
    EXPECT_LE(m_storage->GetCachedPages(), 2U);
}

/// Behind read-ahead a disk is read at the rate of its surface; at random it seeks each time.
TEST_F(ServerStorageTest, DiskIsFastWhenReadInOrder)
{
    constexpr uint64_t SIZE = 32 << 20;
    m_file = m_store->AddFile(m_root, "large", SIZE);
    m_device->SetAttribute("ReadLatency", TimeValue(Time(0)));
    m_device->SetAttribute("QueueDepth", UintegerValue(1));
    m_device->SetAttribute("Bandwidth", StringValue("1.4Gbps"));
    m_device->SetAttribute("TurnTime", TimeValue(MicroSeconds(8333)));
    m_device->SetAttribute("AverageSeek", TimeValue(MicroSeconds(8200)));
    m_device->SetAttribute("FullStrokeSeek", TimeValue(MicroSeconds(13700)));
    m_device->SetAttribute("Capacity", UintegerValue(SIZE));
    m_storage->SetAttribute("CacheSize", UintegerValue(2 * SIZE));
    const auto readAll = [this](uint64_t stride) {
        const Time began = Simulator::Now();
        for (uint64_t i = 0; i < 1024; ++i)
        {
            Read(i * stride % (SIZE / PAGE), 1);
            Simulator::Run();
        }
        return (Simulator::Now() - began).GetSeconds();
    };
    m_storage->SetAttribute("ReadAhead", UintegerValue(128 * 1024));
    const double inOrder = readAll(1);
    EXPECT_LT(inOrder, 1.1 * 1024 * PAGE * 8 / 1.4e9 + 0.03);
    m_storage->Restart();
    const double jumping = readAll(2049);
    EXPECT_GT(jumping, 50 * inOrder);
}

/// The device answers nothing for a while; what is in memory is there.
TEST_F(ServerStorageTest, StalledDeviceAnswersAfterwards)
{
    std::vector<bool> told;
    m_device->TraceConnectWithoutContext("Stalled", Callback<void, bool>([&told](bool stalled) {
                                             told.push_back(stalled);
                                         }));
    Read(0, 1);
    EXPECT_EQ(Run(), 101);
    m_device->Stall();
    m_device->Stall();
    Read(0, 1);  // A hit.
    Read(10, 1); // From the device.
    Simulator::Schedule(MilliSeconds(2), &StorageModel::Resume, m_device);
    Simulator::Schedule(MilliSeconds(3), [this] {
        EXPECT_TRUE(m_device->IsStalled());
        EXPECT_EQ(m_ended.back(), -1);
        m_device->Resume();
    });
    const Time began = Simulator::Now();
    Simulator::Run();
    EXPECT_EQ(m_ended[1], began.GetMicroSeconds() + 1);
    EXPECT_EQ(m_ended[2], began.GetMicroSeconds() + 3000);
    EXPECT_EQ(told, (std::vector<bool>{true, false}));
    EXPECT_FALSE(m_device->IsStalled());
    m_device->Resume();
    EXPECT_FALSE(m_device->IsStalled());
}

/// Places of a stalled device stay taken.
TEST_F(ServerStorageTest, StalledDeviceHoldsItsPlaces)
{
    m_device->SetAttribute("QueueDepth", UintegerValue(1));
    m_device->Stall();
    Read(0, 1);
    Read(10, 1);
    Simulator::Schedule(MilliSeconds(1), [this] {
        EXPECT_EQ(m_device->GetInService(), 1U);
        EXPECT_EQ(m_device->GetQueued(), 1U);
        m_device->Resume();
    });
    EXPECT_EQ(Run(), 1100);
}

TEST_F(ServerStorageTest, CacheShrinksUnderPressure)
{
    Read(0, 20);
    Run();
    EXPECT_EQ(m_storage->GetCachedPages(), 20U);
    m_storage->SetPressure(5);
    EXPECT_EQ(m_storage->GetCachedPages(), 5U);
    Read(50, 20);
    Run();
    EXPECT_EQ(m_storage->GetCachedPages(), 5U);
    m_storage->SetPressure(std::nullopt);
    Read(50, 20);
    Run();
    EXPECT_EQ(m_storage->GetCachedPages(), 20U);
    EXPECT_GE(m_storage->GetEvictedPages(), 30U);
}

/// Dirty pages stay until they are written, WRITEs wait for that.
TEST_F(ServerStorageTest, PressureWritesDirtyPagesBack)
{
    Write(0, 50 * PAGE);
    Run(MicroSeconds(10));
    EXPECT_EQ(m_storage->GetDirtyPages(), 50U);
    m_storage->SetPressure(0);
    Write(60 * PAGE, PAGE);
    Run();
    EXPECT_EQ(m_storage->GetDirtyPages(), 0U);
    EXPECT_EQ(m_storage->GetCachedPages(), 1U);
    EXPECT_GE(m_storage->GetStatistics().throttled, 1U);
    EXPECT_EQ(OctetAt(0), 9);
    EXPECT_EQ(m_storage->Restart().size(), 0U);
    m_storage->SetPressure(std::nullopt);
}

} // namespace
} // namespace ns3::nfsrdma::test
