/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/edit-distance.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

TEST(EditDistanceTest, CountsSingleChanges)
{
    EXPECT_EQ(EditDistance("", ""), 0U);
    EXPECT_EQ(EditDistance("mtu", "mtu"), 0U);
    EXPECT_EQ(EditDistance("", "mtu"), 3U);
    EXPECT_EQ(EditDistance("mtu", ""), 3U);
    EXPECT_EQ(EditDistance("mtu", "mtv"), 1U);
    EXPECT_EQ(EditDistance("mtu", "mu"), 1U);
    EXPECT_EQ(EditDistance("kitten", "sitting"), 3U);
}

TEST(EditDistanceTest, FindsTheNearest)
{
    EXPECT_EQ(FindNearest("link.mtuu", {"link.rate", "link.mtu", "nfs.threads"}), "link.mtu");
    EXPECT_EQ(FindNearest("ab", {"ax", "ay"}), "ax");
    EXPECT_EQ(FindNearest("ab", {}), "");
}

} // namespace

} // namespace ns3::nfsrdma
