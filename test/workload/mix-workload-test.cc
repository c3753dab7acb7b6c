/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/mix.h"
#include "workload/workload-loop.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <set>
#include <tuple>

namespace ns3::nfsrdma::test
{

namespace
{

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* EVERY_OPERATION =
    "getattr:3,setattr:3,access:3,lookup:3,readlink:3,read:8,write:8,commit:2,create:3,symlink:2,"
    "remove:3,readdir:3,readdirplus:3,fsstat:2";

class MixTest : public WorkloadLoop
{
  protected:
    Ptr<MixWorkload> MakeMix(int64_t stream = 1)
    {
        const auto mix = CreateObject<MixWorkload>();
        mix->SetAttribute("Files", UintegerValue(6));
        mix->SetAttribute("FileSize", UintegerValue(40000));
        mix->SetAttribute("Symlinks", UintegerValue(2));
        mix->SetAttribute("SetupIoSize", UintegerValue(16384));
        mix->SetAttribute("Operations", UintegerValue(400));
        mix->SetAttribute("OperationMix", StringValue(EVERY_OPERATION));
        EXPECT_EQ(mix->AssignStreams(stream), 6);
        return mix;
    }

    /// \return when the first operation of the run was started.
    Time GetRunBegin() const
    {
        const auto first =
            std::find_if(m_completed.begin(), m_completed.end(), [](const Completed& c) {
                return c.phase == WorkloadPhase::RUN;
            });
        return first == m_completed.end() ? Time() : first->submitted;
    }

    uint64_t CountCompleted(WorkloadPhase phase) const
    {
        return static_cast<uint64_t>(
            std::count_if(m_completed.begin(), m_completed.end(), [phase](const Completed& c) {
                return c.phase == phase;
            }));
    }
};

TEST_F(MixTest, DoesEveryOperationAndVerifiesAllContent)
{
    const auto mix = MakeMix();
    Install(mix);
    RunWorkload(mix);
    ExpectAllVerified(mix);
    EXPECT_THAT(mix->GetErrors(), IsEmpty());
    EXPECT_THAT(m_phases,
                ElementsAre(WorkloadPhase::SETUP,
                            WorkloadPhase::READY,
                            WorkloadPhase::RUN,
                            WorkloadPhase::FINISHED));
    EXPECT_EQ(mix->GetPlanned(), 400U);
    EXPECT_EQ(mix->GetProgress(), 400U);
    EXPECT_EQ(CountCompleted(WorkloadPhase::RUN), 400U);
    // MKDIR; for each file OPEN, three WRITEs, COMMIT; SYMLINKs.
    EXPECT_EQ(CountCompleted(WorkloadPhase::SETUP), 1U + 6U * 5U + 2U);
    for (const char* name : {"GETATTR",
                             "SETATTR",
                             "ACCESS",
                             "LOOKUP",
                             "READLINK",
                             "READ",
                             "WRITE",
                             "COMMIT",
                             "OPEN",
                             "SYMLINK",
                             "REMOVE",
                             "LIST",
                             "FSSTAT",
                             "MKDIR"})
    {
        EXPECT_GT(mix->GetCompleted()[name], 0U) << name;
    }
    EXPECT_EQ(mix->GetCompleted()["CLOSE"], 0U);
    EXPECT_GT(mix->GetReadCheck().octets, 100000U);
    EXPECT_EQ(mix->Verify(*m_store, m_export.root).octets, 6U * 40000U);
}

TEST_F(MixTest, MeasuresEachOperation)
{
    const auto mix = MakeMix();
    Install(mix);
    RunWorkload(mix);
    ExpectAllVerified(mix);
    uint64_t operations = 0;
    std::set<std::string> items;
    for (const auto& result : mix->GetResults())
    {
        items.insert(result.item);
        operations += result.operations;
        EXPECT_EQ(result.errors, 0U) << result.item;
        EXPECT_GE(result.latency.GetMinimum(), m_transport->replyDelay) << result.item;
        const bool isIo = result.item == "read" || result.item == "write";
        EXPECT_EQ(result.octets != 0, isIo) << result.item;
        EXPECT_EQ(result.duration, m_completed.back().completed - GetRunBegin()) << result.item;
    }
    EXPECT_EQ(operations, 400U);
    EXPECT_EQ(items.size(), 14U);
}

TEST_F(MixTest, ListsALargeDirectoryAsOftenAsSaid)
{
    const auto mix = MakeMix();
    mix->SetAttribute("OperationMix", StringValue("readdir:1"));
    mix->SetAttribute("LargeDirectoryEntries", UintegerValue(60));
    mix->SetAttribute("LargeDirectoryFraction", DoubleValue(0.25));
    mix->SetAttribute("DirectoryCount", UintegerValue(16384));
    Install(mix);
    uint64_t large = 0;
    m_rpcClient->TraceConnectWithoutContext(
        "RpcCompleted",
        Callback<void, const RpcRecord&>([&large](const RpcRecord& record) {
            large += record.procedure == static_cast<uint32_t>(Nfs3Procedure::READDIR) &&
                             record.replyInlineBytes > 60 * 24
                         ? 1
                         : 0;
        }));
    RunWorkload(mix);
    ExpectAllVerified(mix);
    EXPECT_THAT(mix->GetErrors(), IsEmpty());
    // Two MKDIRs; for each file OPEN, three WRITEs, COMMIT; SYMLINKs; empty files.
    EXPECT_EQ(CountCompleted(WorkloadPhase::SETUP), 2U + 6U * 5U + 2U + 60U);
    EXPECT_GT(large, 70U);
    EXPECT_LT(large, 130U);
}

TEST_F(MixTest, ALargeDirectoryIsNeededForItsFraction)
{
    const auto mix = MakeMix();
    mix->SetAttribute("LargeDirectoryFraction", DoubleValue(0.5));
    EXPECT_FALSE(mix->Validate());
}

TEST_F(MixTest, StaysWithinItsQueueDepth)
{
    const auto mix = MakeMix();
    mix->SetAttribute("QueueDepth", UintegerValue(5));
    Install(mix);
    uint32_t most = 0;
    m_transport->callDelay = [this, &most](uint64_t, Nfs3Procedure) {
        most = std::max(most, m_transport->GetPending());
        return MicroSeconds(10);
    };
    RunWorkload(mix);
    EXPECT_EQ(most, 5U);
    ExpectAllVerified(mix);
}

TEST_F(MixTest, NeverOverlapsAWriteThatIsOutstanding)
{
    const auto mix = MakeMix();
    mix->SetAttribute("Files", UintegerValue(1));
    mix->SetAttribute("FileSize", UintegerValue(16384));
    mix->SetAttribute("QueueDepth", UintegerValue(16));
    mix->SetAttribute("OperationMix", StringValue("read:1,write:1"));
    mix->SetAttribute("IoSizes", StringValue("4096:1,8192:1"));
    Install(mix);
    RunWorkload(mix);
    ExpectAllVerified(mix);
    EXPECT_EQ(mix->GetProgress(), 400U);
}

TEST_F(MixTest, OverlapWhenAllowedIsCountedNotCalledWrong)
{
    const auto mix = MakeMix();
    mix->SetAttribute("Files", UintegerValue(1));
    mix->SetAttribute("QueueDepth", UintegerValue(16));
    mix->SetAttribute("OperationMix", StringValue("read:1,write:1"));
    mix->SetAttribute("AllowOverlap", BooleanValue(true));
    m_transport->callDelay = [](uint64_t number, Nfs3Procedure) {
        return MicroSeconds(10 + number * 37 % 90);
    };
    Install(mix);
    RunWorkload(mix);
    EXPECT_EQ(mix->GetReadCheck().mismatches, 0U);
    EXPECT_GT(mix->GetReadCheck().uncertainOctets, 0U);
    EXPECT_EQ(mix->Verify(*m_store, m_export.root).mismatches, 0U);
}

TEST_F(MixTest, ThinkTimePassesBetweenOperations)
{
    const auto mix = MakeMix();
    mix->SetAttribute("QueueDepth", UintegerValue(1));
    mix->SetAttribute("ThinkTime", TimeValue(MicroSeconds(300)));
    mix->SetAttribute("Operations", UintegerValue(50));
    Install(mix);
    RunWorkload(mix);
    ASSERT_EQ(CountCompleted(WorkloadPhase::RUN), 50U);
    for (std::size_t i = m_completed.size() - 49; i < m_completed.size(); ++i)
    {
        EXPECT_EQ(m_completed[i].submitted, m_completed[i - 1].completed + MicroSeconds(300));
    }
}

TEST_F(MixTest, ExponentialThinkTimesDiffer)
{
    const auto mix = MakeMix();
    mix->SetAttribute("QueueDepth", UintegerValue(1));
    mix->SetAttribute("ThinkTime", TimeValue(MicroSeconds(300)));
    mix->SetAttribute("ThinkTimeDistribution", StringValue("exponential"));
    Install(mix);
    RunWorkload(mix);
    std::set<Time> thought;
    Time total;
    for (std::size_t i = m_completed.size() - 399; i < m_completed.size(); ++i)
    {
        const Time think = m_completed[i].submitted - m_completed[i - 1].completed;
        thought.insert(think);
        total += think;
    }
    EXPECT_GT(thought.size(), 390U);
    EXPECT_NEAR(total.GetMicroSeconds() / 399.0, 300, 60);
}

TEST_F(MixTest, DurationEndsTheRun)
{
    const auto mix = MakeMix();
    mix->SetAttribute("Operations", UintegerValue(0));
    mix->SetAttribute("Duration", TimeValue(MilliSeconds(4)));
    Install(mix);
    RunWorkload(mix);
    ExpectAllVerified(mix);
    EXPECT_EQ(mix->GetPlanned(), 0U);
    const auto first = std::find_if(m_completed.begin(), m_completed.end(), [](const auto& c) {
        return c.phase == WorkloadPhase::RUN;
    });
    ASSERT_NE(first, m_completed.end());
    const Time began = first->submitted;
    EXPECT_LT(m_completed.back().submitted, began + MilliSeconds(4));
    EXPECT_GT(m_completed.back().submitted, began + MilliSeconds(3));
}

TEST_F(MixTest, SetupErrorsEndTheWorkload)
{
    const auto tree = std::make_shared<Tree>(*ParseTree(""));
    tree->rows[0].mode = 0777;
    const auto mix = MakeMix();
    Install(mix, tree);
    m_transport->loseReply = [](uint64_t number, Nfs3Procedure) { return number == 3; };
    RunWorkload(mix);
    EXPECT_TRUE(mix->IsFinished());
    EXPECT_EQ(mix->GetProgress(), 0U);
    EXPECT_EQ(mix->GetErrors(), (Workload::Counts{{"OPEN", 1}}));
    EXPECT_EQ(m_finished, 1U);
    EXPECT_EQ(mix->Verify(*m_store, m_export.root).mismatches, 0U);
}

TEST_F(MixTest, ADirectoryThatIsThereIsUsed)
{
    const auto mix = MakeMix();
    Install(mix, ParseTree("o1,root,mix,DIR,0777,0,0,0,,2,,\n"));
    RunWorkload(mix);
    ExpectAllVerified(mix);
    EXPECT_THAT(mix->GetErrors(), IsEmpty());
    EXPECT_EQ(mix->GetCompleted()["MKDIR"], 1U);
}

TEST_F(MixTest, ErrorsOfTheRunAreCounted)
{
    const auto mix = MakeMix();
    mix->SetAttribute("OperationMix", StringValue("getattr:1"));
    Install(mix);
    m_transport->loseReply = [](uint64_t, Nfs3Procedure procedure) {
        return procedure == Nfs3Procedure::GETATTR;
    };
    RunWorkload(mix);
    EXPECT_EQ(mix->GetErrors(), (Workload::Counts{{"getattr", 400}}));
    EXPECT_EQ(mix->GetFailed(), 400U);
}

TEST_F(MixTest, AttributesThatDoNotFitTogetherAreNamed)
{
    const auto error = [](const std::string& name, const AttributeValue& value) {
        const auto mix = CreateObject<MixWorkload>();
        mix->SetAttribute(name, value);
        const auto valid = mix->Validate();
        return valid ? "no error" : valid.error();
    };
    EXPECT_EQ(error("Operations", UintegerValue(0)), "Operations or Duration above 0");
    EXPECT_EQ(error("Symlinks", UintegerValue(0)),
              "Symlinks above 0, since OperationMix has readlink");
    EXPECT_EQ(error("FileSize", UintegerValue(0)),
              "FileSize above 0, since OperationMix has read or write");
    EXPECT_EQ(error("Operations", UintegerValue(1)), "no error");
}

TEST_F(MixTest, BadListsAreRefused)
{
    const auto mix = CreateObject<MixWorkload>();
    EXPECT_FALSE(mix->SetAttributeFailSafe("OperationMix", StringValue("dance:1")));
    EXPECT_FALSE(mix->SetAttributeFailSafe("IoSizes", StringValue("0:1")));
    EXPECT_FALSE(mix->SetAttributeFailSafe("IoSizes", StringValue("4k:1")));
    EXPECT_THAT(MixWorkload::CheckOperationMix("dance:1").error(), HasSubstr("found 'dance'"));
    EXPECT_THAT(MixWorkload::CheckIoSizes("4k:1").error(), HasSubstr("found '4k'"));
    StringValue text;
    mix->GetAttribute("IoSizes", text);
    EXPECT_THAT(text.Get(), HasSubstr("4096:30"));
}

class MixRepeatTest : public ::testing::Test
{
  protected:
    using Record = std::tuple<std::string, Time, Time>;

    /// The operations of one run of a fresh loop.
    class Run : public MixTest
    {
      public:
        std::vector<Record> Do(int64_t stream)
        {
            SetUp();
            const auto mix = MakeMix(stream);
            Install(mix);
            RunWorkload(mix);
            std::vector<Record> records;
            for (const auto& c : m_completed)
            {
                records.emplace_back(c.name, c.submitted, c.completed);
            }
            TearDown();
            return records;
        }

        void TestBody() override
        {
        }
    };
};

TEST_F(MixRepeatTest, SameStreamsSameRunOtherStreamsAnother)
{
    const auto first = Run().Do(1);
    EXPECT_GT(first.size(), 400U);
    EXPECT_EQ(first, Run().Do(1));
    EXPECT_NE(first, Run().Do(100));
}

} // namespace

} // namespace ns3::nfsrdma::test
