/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/local-file-locks.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

const ByteVector FILE_A{1};
const ByteVector FILE_B{2};

FileLock
MakeLock(uint32_t process, bool exclusive, uint64_t offset, uint64_t length)
{
    return {process, exclusive, offset, length, false};
}

TEST(LocalFileLocks, OthersAreInTheWayWhereRangesMeet)
{
    LocalFileLocks locks;
    locks.Set(FILE_A, MakeLock(0, true, 10, 10));
    EXPECT_TRUE(locks.IsFree(FILE_A, MakeLock(0, true, 0, 0)));
    EXPECT_TRUE(locks.IsFree(FILE_B, MakeLock(1, true, 10, 10)));
    EXPECT_TRUE(locks.IsFree(FILE_A, MakeLock(1, true, 0, 10)));
    EXPECT_TRUE(locks.IsFree(FILE_A, MakeLock(1, true, 20, 0)));
    EXPECT_FALSE(locks.IsFree(FILE_A, MakeLock(1, false, 19, 1)));
    EXPECT_FALSE(locks.IsFree(FILE_A, MakeLock(1, false, 0, 0)));
    FileLock whole = MakeLock(1, false, 100, 1);
    whole.flock = true;
    EXPECT_FALSE(locks.IsFree(FILE_A, whole));
    locks.Clear(FILE_A, MakeLock(0, true, 10, 10));
    EXPECT_EQ(locks.GetLockCount(), 0U);
    EXPECT_TRUE(locks.IsFree(FILE_A, whole));
}

TEST(LocalFileLocks, SharedLocksStandTogether)
{
    LocalFileLocks locks;
    locks.Set(FILE_A, MakeLock(1, false, 0, 0));
    EXPECT_TRUE(locks.IsFree(FILE_A, MakeLock(2, false, 5, 1)));
    locks.Set(FILE_A, MakeLock(2, false, 5, 1));
    EXPECT_FALSE(locks.IsFree(FILE_A, MakeLock(3, true, 5, 1)));
    EXPECT_EQ(locks.GetLockCount(), 2U);
}

TEST(LocalFileLocks, ARangePastTheLastOctetEndsThere)
{
    LocalFileLocks locks;
    locks.Set(FILE_A, MakeLock(1, true, UINT64_MAX - 1, 100));
    EXPECT_FALSE(locks.IsFree(FILE_A, MakeLock(2, true, UINT64_MAX, 1)));
    EXPECT_TRUE(locks.IsFree(FILE_A, MakeLock(2, true, 0, 1)));
}

TEST(LocalFileLocks, WaitersAreToldInOrderWhenTheyAreFree)
{
    LocalFileLocks locks;
    std::vector<int> told;
    const auto wait = [&](int who, const FileLock& lock) {
        locks.Wait(FILE_A, lock, [&locks, &told, who, lock] {
            told.push_back(who);
            locks.Set(FILE_A, lock);
        });
    };
    locks.Set(FILE_A, MakeLock(1, true, 0, 10));
    locks.Set(FILE_A, MakeLock(1, true, 20, 10));
    wait(2, MakeLock(2, true, 0, 5));
    wait(3, MakeLock(3, true, 4, 2));
    wait(4, MakeLock(4, true, 25, 1));
    locks.Clear(FILE_A, MakeLock(1, true, 0, 10));
    EXPECT_EQ(told, (std::vector<int>{2}));
    EXPECT_EQ(locks.GetWaiterCount(), 2U);
    locks.Clear(FILE_A, MakeLock(1, true, 20, 10));
    EXPECT_EQ(told, (std::vector<int>{2, 4}));
    locks.Clear(FILE_A, MakeLock(2, true, 0, 5));
    EXPECT_EQ(told, (std::vector<int>{2, 4, 3}));
    EXPECT_EQ(locks.GetWaiterCount(), 0U);
}

} // namespace

} // namespace ns3::nfsrdma
