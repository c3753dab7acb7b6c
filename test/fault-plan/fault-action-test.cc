/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-plan/planned-run.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

namespace
{

/// Faults of a small cluster. Three more, which delay by a nanosecond, count events.
class FaultActionTest : public testing::TestWithParam<std::string>
{
  protected:
    /// \param more sections of the scenario.
    void Run(std::vector<std::string> faults, const std::string& more = "")
    {
        faults.emplace_back("every retransmission: delay 1ns");
        faults.emplace_back("every terminate: delay 1ns");
        faults.emplace_back("every mpa-request: delay 1ns");
        m_count = faults.size();
        m_run = RunPlanned(MakeScenario(GetParam(), faults) + more);
    }

    void ExpectVerified() const
    {
        EXPECT_EQ(m_run.report.status, RunStatus::OK);
        EXPECT_EQ(m_run.report.verification.GetMismatches(), 0U);
        EXPECT_EQ(m_run.report.verification.failedOperations, 0U);
        EXPECT_GT(m_run.report.verification.reads.octets, 0U);
        EXPECT_TRUE(m_run.report.leftovers.IsEmpty());
    }

    uint64_t GetFirings(std::size_t fault) const
    {
        return m_run.report.faults.outcomes.at(fault).firings;
    }

    uint64_t GetRetransmissions() const
    {
        return GetFirings(m_count - 3);
    }

    uint64_t GetTerminates() const
    {
        return GetFirings(m_count - 2);
    }

    /// Startups tried: one of each client without faults.
    uint64_t GetConnections() const
    {
        return GetFirings(m_count - 1);
    }

    PlannedRun m_run;
    std::size_t m_count{0};
};

TEST_P(FaultActionTest, NothingHappensWithoutFaults)
{
    Run({});
    ExpectVerified();
    EXPECT_EQ(GetRetransmissions(), 0U);
    EXPECT_EQ(GetTerminates(), 0U);
    EXPECT_EQ(GetConnections(), 2U);
}

TEST_P(FaultActionTest, ADroppedSegmentIsSentAgain)
{
    Run({"3rd rdma-write: drop"});
    ExpectVerified();
    EXPECT_EQ(GetFirings(0), 1U);
    EXPECT_GE(GetRetransmissions(), 1U);
    EXPECT_EQ(GetConnections(), 2U);
}

TEST_P(FaultActionTest, ASegmentIsDroppedAsOftenAsSaid)
{
    Run({"3rd rdma-write from server-0 to client-0: drop 3 times"});
    ExpectVerified();
    EXPECT_GE(GetRetransmissions(), 3U);
}

TEST_P(FaultActionTest, BitsChangedBehindTheCrcEndTheConnection)
{
    Run({"5th rdma-write from server-0 to client-1: corrupt 2 bits"});
    ExpectVerified();
    EXPECT_EQ(GetFirings(0), 1U);
    EXPECT_EQ(GetTerminates(), 1U);
    EXPECT_EQ(GetConnections(), 3U);
}

TEST_P(FaultActionTest, BitsChangedBeforeTheCrcAreSeenByTheContentAlone)
{
    Run({"every 5th rdma-write from server-0 3 times: corrupt 8 bits before crc field data"});
    EXPECT_EQ(m_run.report.status, RunStatus::FAILED);
    EXPECT_GE(m_run.report.verification.reads.mismatches, 1U);
    EXPECT_EQ(GetTerminates(), 0U);
    EXPECT_EQ(GetConnections(), 2U);
}

TEST_P(FaultActionTest, AChangedStagIsRefusedByTheReceiver)
{
    Run({"5th rdma-write from server-0 to client-1: corrupt 8 bits before crc field stag"});
    ExpectVerified();
    EXPECT_EQ(GetTerminates(), 1U);
    EXPECT_EQ(GetConnections(), 3U);
}

TEST_P(FaultActionTest, DoubledSegmentsAreTakenOnce)
{
    Run({"every 5th fpdu: duplicate 2 times"});
    ExpectVerified();
    EXPECT_GT(GetFirings(0), 20U);
    EXPECT_EQ(GetConnections(), 2U);
}

TEST_P(FaultActionTest, ADelayedSegmentTakesThatLong)
{
    // TCP would make up for it with a copy.
    const std::string patient = "[tcp]\nmin_rto = 10ms\ntail_loss_probe = false\n";
    Run({}, patient);
    const auto before = m_run.report.simulated;
    Run({"1st mpa-reply: delay 4ms"}, patient);
    ExpectVerified();
    EXPECT_EQ(GetFirings(0), 1U);
    EXPECT_GT(m_run.report.simulated, before + MilliSeconds(2));
}

TEST_P(FaultActionTest, ReorderedSegmentsArriveInTheEnd)
{
    Run({"every 7th data: reorder behind 2 segments"});
    ExpectVerified();
    EXPECT_GT(GetFirings(0), 10U);
    EXPECT_EQ(GetConnections(), 2U);
}

TEST_P(FaultActionTest, SegmentsCutAnewAreUnderstood)
{
    Run({"every data: resegment 100 octets"});
    ExpectVerified();
    EXPECT_GT(GetFirings(0), 100U);
    EXPECT_EQ(GetConnections(), 2U);
}

TEST_P(FaultActionTest, ALinkThatWasDownWorksOn)
{
    Run({"5th rdma-write from server-0 to client-1: link-down for 3ms on client-1"});
    ExpectVerified();
    EXPECT_GE(GetRetransmissions(), 1U);
    EXPECT_GE(m_run.report.faults.stopped, 1U);
    EXPECT_EQ(GetConnections(), 2U);
}

TEST_P(FaultActionTest, AFlapStopsFramesEachTime)
{
    Run({"5th rdma-write: flap 3 times down 1ms up 1ms on server-0"});
    ExpectVerified();
    EXPECT_EQ(GetFirings(0), 1U);
    EXPECT_GE(m_run.report.faults.stopped, 2U);
}

TEST_P(FaultActionTest, APartitionHeals)
{
    Run({"3rd send from client-0: partition client-0 | server-0 for 4ms",
         "3rd send from client-1: partition clients | servers for 4ms"});
    ExpectVerified();
    EXPECT_GE(m_run.report.faults.stopped, 2U);
}

TEST_P(FaultActionTest, ANarrowPathThatSaysSoMakesSegmentsSmaller)
{
    Run({"3rd rdma-write: mtu 600 for 10s on server-0"});
    ExpectVerified();
    EXPECT_GE(m_run.report.faults.stopped, 1U);
    EXPECT_LT(m_run.report.simulated, Seconds(5));
}

TEST_P(FaultActionTest, ABlackHoleStopsLargeSegmentsWhileItLasts)
{
    Run({"3rd rdma-write: mtu 600 for 100ms silently on server-0"});
    ExpectVerified();
    EXPECT_GE(m_run.report.faults.stopped, 1U);
    EXPECT_GT(m_run.report.simulated, MilliSeconds(100));
}

TEST_P(FaultActionTest, FaultsInsideHostsHappenWithTheirEvent)
{
    Run({"10th send from client-1: qp-error on client-1",
         "20th send from client-0: rnic-reset for 1ms on client-0",
         "15th send from client-0: thread-stall for 1ms on server-0"});
    ExpectVerified();
    EXPECT_EQ(GetFirings(0) + GetFirings(1) + GetFirings(2), 3U);
    EXPECT_GE(GetConnections(), 4U);
    EXPECT_NE(m_run.faultsCsv.find(",f2,server-0,send,thread-stall for 1ms on server-0,"),
              std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Nfs, FaultActionTest, testing::Values("3", "4.1"), [](const auto& test) {
    return test.param == "3" ? "v3" : "v41";
});

} // namespace

} // namespace ns3::nfsrdma::test
