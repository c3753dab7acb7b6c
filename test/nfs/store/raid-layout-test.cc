/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/raid-layout.h"

#include <gtest/gtest.h>
#include <set>
#include <tuple>

namespace ns3::nfsrdma::raid
{
namespace
{

constexpr uint64_t PAGE = RaidLayout::PAGE;
constexpr uint64_t CHUNK = 16 * PAGE;

using Parts = std::set<std::tuple<uint32_t, uint64_t, uint64_t>>;

Parts
List(const std::vector<RaidOperation>& operations)
{
    Parts parts;
    for (const RaidOperation& operation : operations)
    {
        parts.emplace(operation.device, operation.position, operation.octets);
    }
    EXPECT_EQ(parts.size(), operations.size());
    return parts;
}

uint64_t
Sum(const std::vector<RaidOperation>& operations)
{
    uint64_t octets = 0;
    for (const RaidOperation& operation : operations)
    {
        octets += operation.octets;
    }
    return octets;
}

TEST(RaidLayout, StripesGoRoundTheDevices)
{
    const RaidLayout layout(RaidLevel::RAID0, 3, CHUNK);
    EXPECT_EQ(List(layout.Read(4 * CHUNK + PAGE, PAGE, 0)), (Parts{{1, CHUNK + PAGE, PAGE}}));
    EXPECT_EQ(List(layout.Read(CHUNK, 5 * CHUNK, 0)),
              (Parts{{1, 0, 2 * CHUNK}, {2, 0, 2 * CHUNK}, {0, CHUNK, CHUNK}}))
        << "what follows on a device is one request";
    EXPECT_EQ(List(layout.Write(2 * CHUNK - 10, 20).writes),
              (Parts{{1, CHUNK - 10, 10}, {2, 0, 10}}));
    EXPECT_TRUE(layout.Write(0, PAGE).reads.empty());
}

TEST(RaidLayout, MirrorsAreAllWrittenAndOneIsRead)
{
    const RaidLayout layout(RaidLevel::RAID1, 3, CHUNK);
    EXPECT_EQ(List(layout.Read(7 * CHUNK, 100, 2)), (Parts{{2, 7 * CHUNK, 100}}));
    EXPECT_EQ(List(layout.Write(5, 100).writes), (Parts{{0, 5, 100}, {1, 5, 100}, {2, 5, 100}}));
}

/// Device of the parity: 3, 2, 1, 0, 3, ...; data follow it.
TEST(RaidLayout, ParityIsLeftSymmetric)
{
    const RaidLayout layout(RaidLevel::RAID5, 4, CHUNK);
    EXPECT_EQ(List(layout.Read(0, 3 * CHUNK, 0)),
              (Parts{{0, 0, CHUNK}, {1, 0, CHUNK}, {2, 0, CHUNK}}));
    EXPECT_EQ(List(layout.Read(3 * CHUNK, CHUNK, 0)), (Parts{{3, CHUNK, CHUNK}}));
    EXPECT_EQ(List(layout.Read(4 * CHUNK, CHUNK, 0)), (Parts{{0, CHUNK, CHUNK}}));
    const RaidLayout two(RaidLevel::RAID6, 5, CHUNK);
    EXPECT_EQ(List(two.Read(0, 3 * CHUNK, 0)), (Parts{{1, 0, CHUNK}, {2, 0, CHUNK}, {3, 0, CHUNK}}))
        << "P on the last device, Q on the first";
}

TEST(RaidLayout, FullStripesAreWrittenWithoutReads)
{
    const RaidWrite five = RaidLayout(RaidLevel::RAID5, 4, CHUNK).Write(3 * CHUNK, 6 * CHUNK);
    EXPECT_TRUE(five.reads.empty());
    EXPECT_EQ(five.writes.size(), 4U);
    EXPECT_EQ(Sum(five.writes), 8 * CHUNK);
    const RaidWrite six = RaidLayout(RaidLevel::RAID6, 6, CHUNK).Write(0, 4 * CHUNK);
    EXPECT_TRUE(six.reads.empty());
    EXPECT_EQ(Sum(six.writes), 6 * CHUNK);
}

struct Small
{
    RaidLevel level;
    uint32_t devices;
    std::size_t reads; ///< Of one page written.
};

/// The fewer of: what is written and the parity; what is not written.
TEST(RaidLayout, SmallWritesReadWhatIsFewer)
{
    for (const Small& small : {Small{RaidLevel::RAID5, 3, 1},
                               Small{RaidLevel::RAID5, 4, 2},
                               Small{RaidLevel::RAID5, 5, 2},
                               Small{RaidLevel::RAID5, 12, 2},
                               Small{RaidLevel::RAID6, 4, 1},
                               Small{RaidLevel::RAID6, 6, 3},
                               Small{RaidLevel::RAID6, 12, 3}})
    {
        SCOPED_TRACE(small.devices);
        const RaidWrite write = RaidLayout(small.level, small.devices, CHUNK).Write(5 * PAGE, PAGE);
        EXPECT_EQ(write.reads.size(), small.reads);
        EXPECT_EQ(write.writes.size(), 1U + RaidLayout::CountParity(small.level));
        EXPECT_EQ(Sum(write.writes), write.writes.size() * PAGE);
    }
}

TEST(RaidLayout, OverwritesWhatItReadsWhenItModifies)
{
    const RaidWrite write = RaidLayout(RaidLevel::RAID5, 5, CHUNK).Write(5 * PAGE, PAGE);
    EXPECT_EQ(List(write.reads), (Parts{{0, 5 * PAGE, PAGE}, {4, 5 * PAGE, PAGE}}));
    EXPECT_EQ(List(write.reads), List(write.writes));
}

TEST(RaidLayout, PartsOfPagesAreReadEvenIfAllChunksAreWritten)
{
    const RaidLayout layout(RaidLevel::RAID5, 3, CHUNK);
    const RaidWrite write = layout.Write(10, 2 * CHUNK - 10);
    EXPECT_EQ(List(write.reads), (Parts{{0, 0, PAGE}}));
    EXPECT_EQ(Sum(write.writes), 3 * CHUNK);
}

/// Half of a stripe: some rows have all data chunks written, others have not.
TEST(RaidLayout, RowsOfAStripeAreTakenEachForItself)
{
    const RaidLayout layout(RaidLevel::RAID5, 3, CHUNK);
    const RaidWrite write = layout.Write(CHUNK / 2, CHUNK);
    EXPECT_EQ(List(write.reads), (Parts{{0, 0, CHUNK / 2}, {1, CHUNK / 2, CHUNK / 2}}));
    EXPECT_EQ(Sum(write.writes), 2 * CHUNK);
}

} // namespace
} // namespace ns3::nfsrdma::raid
