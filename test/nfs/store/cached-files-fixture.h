/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_STORE_CACHED_FILES_FIXTURE_H
#define NFSRDMA_TEST_NFS_STORE_CACHED_FILES_FIXTURE_H

#include "nfs/store/cached-files.h"
#include "nfs/store/storage-statistics.h"

#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <memory>

namespace ns3::nfsrdma::test
{

/// A file of 100 pages, all on the device, which takes 100 us for a READ and 50 us for a WRITE.
class CachedFilesFixture : public ::testing::Test
{
  protected:
    static constexpr uint64_t PAGE = 4096;

    CachedFilesFixture()
    {
        m_device->SetAttribute("MetadataCost", TimeValue(Time(0)));
        m_device->SetAttribute("ReadLatency", TimeValue(MicroSeconds(100)));
        m_device->SetAttribute("WriteLatency", TimeValue(MicroSeconds(50)));
        m_device->SetAttribute("Bandwidth", StringValue("0bps"));
        m_settings.cacheSize = 50 * PAGE;
        m_settings.pageSize = PAGE;
        m_settings.dirtyBackgroundRatio = 0.2;
        m_settings.dirtyRatio = 0.4;
        m_settings.writeBackSize = 4 * PAGE;
        m_settings.writeBackDepth = 2;
        m_file = m_store->AddFile(m_store->CreateExport("/export"), "f", 100 * PAGE);
        m_files.SetDevice(m_device);
        m_files.SetFileStore(m_store);
    }

    ~CachedFilesFixture() override
    {
        Simulator::Destroy();
    }

    /// \return a barrier that notes when it is passed, us.
    StorageBarrierPtr MakeBarrier()
    {
        return std::make_shared<StorageBarrier>(
            [this] { m_passed = Simulator::Now().GetMicroSeconds(); });
    }

    Ptr<Object> m_owner{CreateObject<Object>()};
    Ptr<StorageModel> m_device{CreateObject<StorageModel>()};
    Ptr<FileStore> m_store{CreateObject<FileStore>()};
    PageCacheSettings m_settings;
    ServerStorageStatistics m_statistics;
    CachedFiles m_files{*m_owner, m_settings};
    InodeNumber m_file{0};
    int64_t m_passed{-1};
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_STORE_CACHED_FILES_FIXTURE_H
