/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-helper.h"
#include "workload/generate/lock-counters.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <optional>

namespace ns3::nfsrdma
{

namespace
{

/// FileClients of two hosts that lock one file; over each version of NFS.
class FileLockTest : public ::testing::TestWithParam<const char*>
{
  protected:
    void SetUp() override
    {
        const std::string version = GetParam();
        ClusterHelper helper;
        helper.SetSize(2, 1);
        helper.SetNfsVersion(version);
        helper.SetSharedExport(true);
        if (version.size() == 1)
        {
            helper.SetLockManagers(true);
            helper.SetAttribute("Nfs" + version + "FileClient::LocalLock", StringValue("flock"));
        }
        // What mounts, and makes the file.
        helper.SetWorkload([](uint32_t) {
            const auto workload = CreateObject<LockWorkload>();
            workload->SetAttribute("Requests", UintegerValue(1));
            return workload;
        });
        m_cluster = helper.Build();
        m_cluster->SetFinishedCallback([] { Simulator::Stop(); });
        m_cluster->Start();
        Simulator::Run();
        ASSERT_TRUE(m_cluster->IsFinished());
        for (uint32_t host = 0; host < 2; ++host)
        {
            FileOpenHow how;
            how.write = true;
            const auto& mount = *m_cluster->GetClients()[host].mount;
            mount.files->Run(FileOpen{{mount.GetShared(), "lock.0"}, how},
                             [this, host](const FileOpenReply& reply) {
                                 ASSERT_TRUE(reply.IsOk()) << reply.status;
                                 m_files[host] = reply.file;
                             });
        }
        Wait(Seconds(10));
        ASSERT_TRUE(m_files[0] && m_files[1]);
    }

    void TearDown() override
    {
        m_cluster.reset();
        Simulator::Destroy();
    }

    static void Wait(Time time)
    {
        Simulator::Stop(time);
        Simulator::Run();
    }

    [[nodiscard]] const Ptr<FileClient>& GetClient(uint32_t host) const
    {
        return m_cluster->GetClients()[host].stack.files;
    }

    /// \return whether a lock was had, or could be; nothing while it is waited for.
    std::optional<bool> Take(const std::shared_ptr<std::optional<bool>>& granted)
    {
        Wait(Seconds(1));
        return *granted;
    }

    std::shared_ptr<std::optional<bool>> Lock(uint32_t host, const FileLock& lock, bool wait)
    {
        auto granted = std::make_shared<std::optional<bool>>();
        GetClient(host)->LockFile(m_files[host], lock, wait, [granted](const FileLockReply& reply) {
            EXPECT_TRUE(reply.IsOk()) << reply.status;
            *granted = reply.granted;
        });
        return granted;
    }

    std::shared_ptr<std::optional<bool>> Test(uint32_t host, const FileLock& lock)
    {
        auto granted = std::make_shared<std::optional<bool>>();
        GetClient(host)->TestFileLock(m_files[host], lock, [granted](const FileLockReply& reply) {
            EXPECT_TRUE(reply.IsOk()) << reply.status;
            *granted = reply.granted;
        });
        return granted;
    }

    void Unlock(uint32_t host, const FileLock& lock)
    {
        GetClient(host)->UnlockFile(m_files[host], lock, [](const FileReply& reply) {
            EXPECT_TRUE(reply.IsOk()) << reply.status;
        });
        Wait(Seconds(1));
    }

    std::unique_ptr<Cluster> m_cluster;
    std::array<std::shared_ptr<OpenFile>, 2> m_files;
};

TEST_P(FileLockTest, LocksOfOtherHostsAreInTheWay)
{
    const FileLock first{7, true, 0, 100, false};
    const FileLock beyond{7, true, 100, 0, false};
    EXPECT_EQ(Take(Lock(0, first, false)), true);
    EXPECT_EQ(Take(Test(1, first)), false);
    EXPECT_EQ(Take(Test(1, beyond)), true);
    EXPECT_EQ(Take(Lock(1, first, false)), false);
    EXPECT_EQ(Take(Lock(1, beyond, false)), true);
    const auto waits = Lock(1, first, true);
    EXPECT_EQ(Take(waits), std::nullopt);
    EXPECT_EQ(GetClient(1)->GetPendingLocks(), 1U);
    Unlock(0, first);
    Wait(Seconds(40)); // As long as a client of NFSv4 may wait until it asks again.
    EXPECT_EQ(*waits, true);
    EXPECT_EQ(GetClient(1)->GetPendingLocks(), 0U);
    EXPECT_EQ(Take(Test(0, first)), false);
    Unlock(1, first);
    Unlock(1, beyond);
    EXPECT_EQ(Take(Test(0, {7, true, 0, 0, false})), true);
    EXPECT_EQ(GetClient(0)->GetLocalLocks().GetLockCount(), 0U);
    EXPECT_EQ(GetClient(1)->GetLocalLocks().GetLockCount(), 0U);
}

TEST_P(FileLockTest, ProcessesOfOneHostWaitForEachOther)
{
    const FileLock first{1, true, 0, 10, false};
    const FileLock second{2, true, 5, 10, false};
    EXPECT_EQ(Take(Lock(0, first, false)), true);
    EXPECT_EQ(Take(Test(0, second)), false);
    EXPECT_EQ(Take(Lock(0, second, false)), false);
    const auto waits = Lock(0, second, true);
    EXPECT_EQ(Take(waits), std::nullopt);
    EXPECT_EQ(GetClient(0)->GetPendingLocks(), 0U);
    Unlock(0, first);
    EXPECT_EQ(*waits, true);
    EXPECT_EQ(Take(Test(1, second)), false);
    Unlock(0, second);
}

TEST_P(FileLockTest, LocalLocksAreUnknownToOtherHosts)
{
    FileLock whole{1, true, 0, 0, true};
    const bool isLocal = std::string(GetParam()).size() == 1; // local_lock = flock
    EXPECT_EQ(Take(Lock(0, whole, false)), true);
    EXPECT_EQ(Take(Test(1, whole)), isLocal);
    whole.process = 2;
    EXPECT_EQ(Take(Test(0, whole)), false);
    whole.process = 1;
    Unlock(0, whole);
}

INSTANTIATE_TEST_SUITE_P(
    Versions,
    FileLockTest,
    ::testing::Values("2", "3", "4.0", "4.2"),
    [](const auto& test) {
        return "V" + std::string(test.param).substr(0, 1) +
               std::string(test.param).substr(std::string(test.param).size() - 1);
    });

} // namespace

} // namespace ns3::nfsrdma
