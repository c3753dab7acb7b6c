/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/mix-ranges.h"

#include <gtest/gtest.h>
#include <set>

namespace ns3::nfsrdma::test
{

TEST(MixRanges, KindsHaveTheirNames)
{
    EXPECT_EQ(MixRanges::Find("read"), MixRanges::READ);
    EXPECT_EQ(MixRanges::Find("write"), MixRanges::WRITE);
    EXPECT_EQ(MixRanges::Find("read_plus"), MixRanges::READ_PLUS);
    EXPECT_EQ(MixRanges::Find("allocate"), MixRanges::ALLOCATE);
    EXPECT_EQ(MixRanges::Find("deallocate"), MixRanges::DEALLOCATE);
    EXPECT_EQ(MixRanges::Find("copy"), MixRanges::COPY);
    EXPECT_EQ(MixRanges::Find("clone"), MixRanges::CLONE);
    EXPECT_EQ(MixRanges::Find("seek"), std::nullopt) << "it keeps nothing from others";
}

TEST(MixRanges, IndicesAreDrawnBelowTheirCount)
{
    const auto stream = CreateObject<UniformRandomVariable>();
    stream->SetStream(1);
    std::set<uint64_t> drawn;
    for (int i = 0; i < 100; ++i)
    {
        drawn.insert(DrawIndex(*stream, 3));
    }
    EXPECT_EQ(drawn, (std::set<uint64_t>{0, 1, 2}));
}

} // namespace ns3::nfsrdma::test
