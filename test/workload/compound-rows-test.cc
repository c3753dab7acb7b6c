/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/compound-rows.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

/// Rows of COMPOUNDs by the names of their operations.
class CompoundRowsTest : public ::testing::Test
{
  protected:
    std::size_t FindUnmount(const std::vector<std::string>& operations)
    {
        const auto trace = std::make_shared<Trace>();
        for (const auto& operation : operations)
        {
            TraceRow row;
            row.operation = operation;
            row.object = operation == "GETATTR" ? ROOT_OBJECT : "";
            row.compound = std::make_shared<RecordedCompound>();
            trace->rows.push_back(row);
        }
        return CompoundRows::FindUnmount(ReplaySchedule(trace, 0));
    }
};

TEST_F(CompoundRowsTest, TheUmountIsWhatGivesUpAtTheEnd)
{
    EXPECT_EQ(FindUnmount({"OPEN", "CLOSE"}), 2U);
    EXPECT_EQ(FindUnmount({"OPEN", "DELEGRETURN", "DESTROY_SESSION", "DESTROY_CLIENTID"}), 1U);
    EXPECT_EQ(FindUnmount({"DELEGRETURN", "CLOSE", "DESTROY_SESSION"}), 2U);
    EXPECT_EQ(FindUnmount({"OPEN", "GETATTR", "DESTROY_SESSION"}), 1U) << "umount looks before";
    EXPECT_EQ(FindUnmount({"OPEN", "GETATTR"}), 2U);
}

TEST_F(CompoundRowsTest, NothingIsUnderWayBeforeItsStart)
{
    ReplayReport report;
    const auto owner = CreateObject<Object>();
    CompoundRows rows(*owner, report, {});
    std::vector<std::string> lines;
    rows.Describe(lines);
    EXPECT_TRUE(lines.empty());
    EXPECT_FALSE(rows.IsStarted());
    EXPECT_TRUE(rows.GetIssued().empty());
    EXPECT_EQ(rows.GetFailed(), 0U);
}

} // namespace ns3::nfsrdma::test
