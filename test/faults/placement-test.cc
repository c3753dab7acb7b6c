/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

namespace ns3::nfsrdma
{

namespace
{

/// FPDUs that are placed ahead of order.
class PlacementFault : public FaultTest
{
};

TEST_F(PlacementFault, NothingIsPlacedByAlignmentUnlessToldTo)
{
    const auto placed = [this] {
        uint64_t sum = 0;
        const auto summary = Summary();
        for (const auto& host : summary["hosts"])
        {
            sum += host["fpdus_placed_ahead"].get<uint64_t>();
        }
        return sum;
    };
    ASSERT_EQ(RunFault("placed-ahead").status, 0);
    EXPECT_EQ(placed(), 0U);
    ASSERT_EQ(RunFault("placed-ahead", {"--set", "rnic.mpa_place_by_alignment=true"}).status, 0);
    EXPECT_GT(placed(), 0U);
    ASSERT_EQ(RunFault("placed-ahead", {"--set", "rnic.mpa_markers=true"}).status, 0);
    EXPECT_GT(placed(), 0U);
}

} // namespace

} // namespace ns3::nfsrdma
