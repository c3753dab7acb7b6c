/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/lock-record.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

TEST(LockRecord, CountComesBack)
{
    for (const uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{0x0123456789abcdef}})
    {
        const auto record = MakeLockRecord(count, 64);
        EXPECT_EQ(record.size(), 64U);
        EXPECT_EQ(ReadLockRecord(record), count);
    }
    EXPECT_EQ(MakeLockRecord(0x0102, 16),
              (ByteVector{0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 1, 2}));
}

TEST(LockRecord, NoOctetsAreCountZero)
{
    EXPECT_EQ(ReadLockRecord({}), uint64_t{0});
    EXPECT_EQ(ReadLockRecord(ByteVector(4096)), uint64_t{0});
}

TEST(LockRecord, OctetsOfTwoCountsAreNone)
{
    auto record = MakeLockRecord(7, 32);
    record[31] = 8;
    EXPECT_FALSE(ReadLockRecord(record));
    EXPECT_FALSE(ReadLockRecord(ByteSpan(record).first(12)));
}

} // namespace

} // namespace ns3::nfsrdma
