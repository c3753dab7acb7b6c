/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-matrix/matrix-cases.h"
#include "fault-plan/planned-run.h"
#include "fault/action.h"
#include "scenarios/simulator/keys/scenario-error.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace ns3::nfsrdma::test
{

namespace
{

std::string
MakePlan(const MatrixMessage& message, const MatrixFault& fault)
{
    std::string ini = message.workload + "[faults]\n";
    if (!message.provocation.empty())
    {
        ini += "provocation = " + message.provocation + "\n";
    }
    return ini + "fault = 1st " + message.event + " from " + message.sender + "s: " + fault.what +
           "\n";
}

std::vector<MatrixMessage>
SelectMessages(bool occurring)
{
    auto messages = GetMatrixMessages();
    messages.erase(std::remove_if(messages.begin(),
                                  messages.end(),
                                  [occurring](const MatrixMessage& message) {
                                      return message.never.empty() != occurring;
                                  }),
                   messages.end());
    return messages;
}

/// Whatever happens with a message: it happens there and once, the run ends, every RPC has, the
/// files hold what completed operations imply, nothing is left over, and it is so again.
class FaultMatrix : public ::testing::TestWithParam<MatrixMessage>
{
  protected:
    static void Check(const MatrixFault& fault)
    {
        const MatrixMessage& message = GetParam();
        const std::string plan = MakePlan(message, fault);
        SCOPED_TRACE(plan);
        if (!WhyRefused(message, fault).empty())
        {
            EXPECT_THROW(RunPlanned(plan), ScenarioError);
            return;
        }
        const auto run = RunPlanned(plan);
        const RunReport& report = run.report;
        EXPECT_EQ(FindFault(report, "fault").firings, 1U);
        if (!message.provocation.empty())
        {
            EXPECT_EQ(FindFault(report, "provocation").firings, 1U);
        }
        EXPECT_NE(run.faultsCsv.find(",fault,"), std::string::npos);
        if (fault.undetected)
        {
            EXPECT_NE(report.status, RunStatus::STALLED);
        }
        else
        {
            EXPECT_EQ(report.status, RunStatus::OK);
            EXPECT_EQ(report.verification.GetMismatches(), 0U);
            EXPECT_TRUE(report.verification.failedOperations == 0 || MayFail(fault));
        }
        EXPECT_TRUE(report.waiting.empty());
        EXPECT_TRUE(report.leftovers.IsEmpty());
        const auto again = RunPlanned(plan);
        EXPECT_EQ(report.digest, again.report.digest);
        EXPECT_EQ(run.faultsCsv, again.faultsCsv);
    }
};

/// One fault in eight, each of them with some message.
TEST_P(FaultMatrix, SomeFaultsEndWell)
{
    const auto faults = GetMatrixFaults();
    const auto messages = SelectMessages(true);
    const auto row = std::find_if(messages.begin(),
                                  messages.end(),
                                  [](const MatrixMessage& message) {
                                      return GetName(message) == GetName(GetParam());
                                  }) -
                     messages.begin();
    for (std::size_t i = static_cast<std::size_t>(row) % 8; i < faults.size(); i += 8)
    {
        Check(faults[i]);
    }
}

class WholeFaultMatrix : public FaultMatrix
{
};

TEST_P(WholeFaultMatrix, EveryFaultEndsWell)
{
    for (const MatrixFault& fault : GetMatrixFaults())
    {
        Check(fault);
    }
}

/// A message that the table takes for impossible: a plan for it is refused, or waits in vain.
class AbsentMessage : public ::testing::TestWithParam<MatrixMessage>
{
};

TEST_P(AbsentMessage, DoesNotOccur)
{
    const MatrixMessage& message = GetParam();
    SCOPED_TRACE(message.never);
    const std::string plan = MakePlan(message, {"", "delay 1ns"});
    try
    {
        const auto run = RunPlanned(plan);
        EXPECT_EQ(run.report.status, RunStatus::OK);
        EXPECT_EQ(FindFault(run.report, "fault").firings, 0U);
    }
    catch (const ScenarioError& error)
    {
        EXPECT_NE(std::string(error.what()).find("faults.fault"), std::string::npos);
    }
}

/// Every event that a plan can name, but "segment", and every kind of action has its place.
TEST(FaultMatrixTable, IsComplete)
{
    std::set<std::string> events;
    std::set<std::string> names;
    for (const MatrixMessage& message : GetMatrixMessages())
    {
        events.insert(message.version + message.sender + message.event);
        EXPECT_TRUE(names.insert(GetName(message)).second) << GetName(message);
    }
    for (const std::string_view event : GetFaultEventNames())
    {
        if (event == "segment" || event == "rpc-call" || event == "rpc-reply")
        {
            continue;
        }
        for (const char* version : {"3", "4.1"})
        {
            for (const char* sender : {"client", "server"})
            {
                EXPECT_EQ(events.count(version + (sender + std::string(event))), 1U) << event;
            }
        }
    }
    const auto faults = GetMatrixFaults();
    for (const std::string_view action : GetFaultActionNames())
    {
        EXPECT_TRUE(std::any_of(faults.begin(), faults.end(), [action](const MatrixFault& fault) {
            return fault.what.rfind(action, 0) == 0;
        })) << action;
    }
}

std::string
NameTest(const ::testing::TestParamInfo<MatrixMessage>& test)
{
    return GetName(test.param);
}

INSTANTIATE_TEST_SUITE_P(Every, FaultMatrix, ::testing::ValuesIn(SelectMessages(true)), NameTest);
INSTANTIATE_TEST_SUITE_P(Nightly,
                         WholeFaultMatrix,
                         ::testing::ValuesIn(SelectMessages(true)),
                         NameTest);
INSTANTIATE_TEST_SUITE_P(Every,
                         AbsentMessage,
                         ::testing::ValuesIn(SelectMessages(false)),
                         NameTest);

} // namespace

} // namespace ns3::nfsrdma::test
