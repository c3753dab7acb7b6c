/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/acl-storm.h"
#include "workload/generate/fio.h"
#include "workload/generate/listing-storm.h"
#include "workload/generate/mdtest.h"
#include "workload/workload-loop.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>

namespace ns3::nfsrdma::test
{

namespace
{

/// CachedCost, and 4096 octets at CopyRate.
const Time CACHED = NanoSeconds(500 + 410);

class FileWorkloadTest : public WorkloadLoop
{
  protected:
    /// Runs it, expects all right, and gives its results by item.
    std::map<std::string, WorkloadResult> Measure(const Ptr<FileWorkload>& workload)
    {
        EXPECT_TRUE(workload->Validate());
        workload->AssignStreams(1);
        Install(workload);
        RunWorkload(workload);
        ExpectAllVerified(workload);
        std::map<std::string, WorkloadResult> results;
        for (const auto& result : workload->GetResults())
        {
            EXPECT_EQ(result.errors, 0U) << result.item;
            EXPECT_EQ(result.latency.GetCount(), result.operations) << result.item;
            EXPECT_TRUE(result.duration.IsStrictlyPositive()) << result.item;
            results[result.item] = result;
        }
        return results;
    }
};

/// A pattern of fio and what its results must be.
struct FioCase
{
    const char* name;
    const char* readWrite;
    uint32_t blockSize;
    const char* split;
    bool reads;
    bool writes;
};

class FioTest : public FileWorkloadTest, public ::testing::WithParamInterface<FioCase>
{
  protected:
    static Ptr<FioWorkload> MakeFio()
    {
        const auto fio = CreateObject<FioWorkload>();
        fio->SetAttribute("ReadWrite", StringValue(GetParam().readWrite));
        fio->SetAttribute("BlockSize", UintegerValue(GetParam().blockSize));
        fio->SetAttribute("BlockSizeSplit", StringValue(GetParam().split));
        fio->SetAttribute("Size", UintegerValue(300000));
        fio->SetAttribute("NrFiles", UintegerValue(2));
        fio->SetAttribute("NumJobs", UintegerValue(2));
        fio->SetAttribute("IoDepth", UintegerValue(6));
        fio->SetAttribute("EndFsync", BooleanValue(true));
        return fio;
    }

    void CheckResults(const std::map<std::string, WorkloadResult>& results) const
    {
        EXPECT_EQ(results.count("read") != 0, GetParam().reads);
        EXPECT_EQ(results.count("write") != 0, GetParam().writes);
        uint64_t octets = 0;
        for (const auto& [item, result] : results)
        {
            octets += result.octets;
        }
        // Each job stops with the first request that reaches the size of its files.
        EXPECT_GE(octets, 2U * 2U * 300000U);
        EXPECT_LE(octets, 2U * (2U * 300000U + 6U * 600000U));
    }
};

TEST_P(FioTest, DirectIoIsVerified)
{
    const auto fio = MakeFio();
    fio->SetAttribute("Direct", BooleanValue(true));
    CheckResults(Measure(fio));
}

TEST_P(FioTest, CachedIoIsVerified)
{
    const auto fio = MakeFio();
    fio->SetAttribute("Fsync", UintegerValue(20));
    CheckResults(Measure(fio));
}

TEST_P(FioTest, CachedIoWithLittleRoomIsVerified)
{
    const auto fio = MakeFio();
    fio->SetAttribute("DirtyLimit", UintegerValue(100000));
    fio->SetAttribute("DirtyBackground", UintegerValue(20000));
    Measure(fio);
}

INSTANTIATE_TEST_SUITE_P(
    Patterns,
    FioTest,
    ::testing::Values(FioCase{"Read", "read", 4096, "", true, false},
                      FioCase{"Write", "write", 16384, "", false, true},
                      FioCase{"RandRead", "randread", 5000, "", true, false},
                      FioCase{"RandWrite", "randwrite", 4096, "", false, true},
                      FioCase{"Mix", "rw", 65536, "", true, true},
                      FioCase{"RandMix", "randrw", 4096, "512:1,4096:2,70000:1", true, true},
                      FioCase{"Large", "randrw", 300000, "", true, true}),
    [](const auto& test) { return test.param.name; });

TEST_F(FileWorkloadTest, FioKeepsTheShareOfReads)
{
    const auto fio = CreateObject<FioWorkload>();
    fio->SetAttribute("Direct", BooleanValue(true));
    fio->SetAttribute("ReadWrite", StringValue("randrw"));
    fio->SetAttribute("RwMixRead", UintegerValue(70));
    fio->SetAttribute("Requests", UintegerValue(4000));
    auto results = Measure(fio);
    EXPECT_EQ(results["read"].operations + results["write"].operations, 4000U);
    EXPECT_NEAR(static_cast<double>(results["read"].operations), 2800, 90);
}

TEST_F(FileWorkloadTest, FioMeasuresAfterItsRamp)
{
    const auto fio = CreateObject<FioWorkload>();
    fio->SetAttribute("Direct", BooleanValue(true));
    fio->SetAttribute("ReadWrite", StringValue("randread"));
    fio->SetAttribute("Runtime", StringValue("20ms"));
    fio->SetAttribute("RampTime", StringValue("10ms"));
    fio->SetAttribute("Arrivals", StringValue("constant"));
    fio->SetAttribute("ArrivalRate", DoubleValue(10000));
    fio->SetAttribute("IoDepth", UintegerValue(16));
    auto results = Measure(fio);
    EXPECT_NEAR(static_cast<double>(results["read"].operations), 100, 1);
    EXPECT_NEAR(results["read"].GetRate(), 10000, 200);
}

TEST_F(FileWorkloadTest, FioIsTheSameWithTheSameStreams)
{
    std::array<std::vector<Time>, 2> times;
    for (auto& run : times)
    {
        SetUp();
        const auto fio = CreateObject<FioWorkload>();
        fio->SetAttribute("Direct", BooleanValue(true));
        fio->SetAttribute("ReadWrite", StringValue("randrw"));
        fio->SetAttribute("BlockSizeSplit", StringValue("512:1,9000:1"));
        fio->SetAttribute("IoDepth", UintegerValue(5));
        fio->TraceConnectWithoutContext(
            "FileOperation",
            Callback<void, const std::string&, const FileReply&, Time>(
                [&run](const std::string&, const FileReply&, Time started) {
                    run.push_back(started);
                }));
        m_finished = 0;
        Measure(fio);
        TearDown();
    }
    EXPECT_EQ(times[0], times[1]);
    EXPECT_GT(times[0].size(), 200U);
}

TEST_F(FileWorkloadTest, DirectWritesOfOneCallAreStable)
{
    const auto fio = CreateObject<FioWorkload>();
    fio->SetAttribute("Direct", BooleanValue(true));
    fio->SetAttribute("ReadWrite", StringValue("write"));
    fio->SetAttribute("BlockSize", UintegerValue(262144));
    Measure(fio);
    EXPECT_EQ(fio->GetCompleted()["COMMIT"], 0U);
    EXPECT_EQ(fio->GetCompleted()["WRITE"], 4U);
}

TEST_F(FileWorkloadTest, DirectWritesOfSeveralCallsAreCommitted)
{
    const auto fio = CreateObject<FioWorkload>();
    fio->SetAttribute("Direct", BooleanValue(true));
    fio->SetAttribute("ReadWrite", StringValue("write"));
    fio->SetAttribute("BlockSize", UintegerValue(524288));
    Measure(fio);
    EXPECT_EQ(fio->GetCompleted()["WRITE"], 4U);
    EXPECT_EQ(fio->GetCompleted()["COMMIT"], 2U);
}

TEST_F(FileWorkloadTest, SequentialReadsAreReadAheadAndCached)
{
    const auto fio = CreateObject<FioWorkload>();
    fio->SetAttribute("IoSize", UintegerValue(2 * 1048576));
    auto results = Measure(fio);
    EXPECT_EQ(results["read"].operations, 512U);
    // Windows of 16, 32, 64 and then 128 KiB; the second time around all is there.
    EXPECT_EQ(fio->GetCompleted()["READ"], 11U);
    EXPECT_EQ(fio->GetReadCheck().octets, 1048576U);
    EXPECT_EQ(results["read"].latency.GetMinimum(), CACHED);
}

TEST_F(FileWorkloadTest, CachedWritesWaitForTheClose)
{
    const auto fio = CreateObject<FioWorkload>();
    fio->SetAttribute("ReadWrite", StringValue("write"));
    auto results = Measure(fio);
    EXPECT_EQ(results["write"].latency.GetMaximum(), CACHED);
    EXPECT_EQ(fio->GetCompleted()["WRITE"], 4U);
    EXPECT_EQ(fio->GetCompleted()["COMMIT"], 1U);
}

TEST_F(FileWorkloadTest, AnFsyncOfOneWriteNeedsNoCommit)
{
    const auto fio = CreateObject<FioWorkload>();
    fio->SetAttribute("ReadWrite", StringValue("write"));
    fio->SetAttribute("Size", UintegerValue(65536));
    fio->SetAttribute("Fsync", UintegerValue(1));
    Measure(fio);
    EXPECT_EQ(fio->GetCompleted()["WRITE"], 16U);
    EXPECT_EQ(fio->GetCompleted()["COMMIT"], 0U);
}

TEST_F(FileWorkloadTest, WhatARestartMayHaveLostIsWrittenAgain)
{
    const auto fio = CreateObject<FioWorkload>();
    fio->SetAttribute("ReadWrite", StringValue("write"));
    fio->SetAttribute("DirtyBackground", UintegerValue(0));
    fio->SetAttribute("ThinkTime", StringValue("10us"));
    Simulator::Schedule(MilliSeconds(1), [this] { m_nfsServer->Restart(); });
    Measure(fio);
    // All 256 requests are sent; those before the restart once more, in larger WRITEs.
    EXPECT_GT(fio->GetCompleted()["WRITE"], 256U);
    EXPECT_EQ(fio->GetCompleted()["COMMIT"], 2U);
}

TEST_F(FileWorkloadTest, MdtestDoesEachPhaseOfEachTask)
{
    for (const bool unique : {false, true})
    {
        SetUp();
        m_finished = 0;
        const auto mdtest = CreateObject<MdtestWorkload>();
        mdtest->SetAttribute("Depth", UintegerValue(2));
        mdtest->SetAttribute("Branch", UintegerValue(3));
        mdtest->SetAttribute("Items", UintegerValue(4));
        mdtest->SetAttribute("Tasks", UintegerValue(3));
        mdtest->SetAttribute("WriteBytes", UintegerValue(3901));
        mdtest->SetAttribute("UniqueDirectories", BooleanValue(unique));
        auto results = Measure(mdtest);
        const uint64_t trees = unique ? 3 : 1;
        EXPECT_EQ(results["mkdir"].operations, 13U * trees);
        EXPECT_EQ(results["rmdir"].operations, 13U * trees);
        for (const char* phase : {"create", "stat", "read", "remove"})
        {
            EXPECT_EQ(results[phase].operations, 13U * 4U * 3U) << phase;
        }
        EXPECT_EQ(results["read"].octets, 13U * 4U * 3U * 3901U);
        EXPECT_EQ(mdtest->GetPlanned(), mdtest->GetProgress());
        EXPECT_EQ(mdtest->GetReadCheck().octets, 13U * 4U * 3U * 3901U);
        // Nothing but the root and the workload's own directory is left.
        EXPECT_EQ(mdtest->Verify(*m_store, m_export.root).directories, 2U);
        TearDown();
    }
}

TEST_F(FileWorkloadTest, MdtestPhasesDoNotOverlap)
{
    const auto mdtest = CreateObject<MdtestWorkload>();
    mdtest->SetAttribute("Tasks", UintegerValue(4));
    std::map<std::string, std::pair<Time, Time>> spans;
    mdtest->TraceConnectWithoutContext(
        "FileOperation",
        Callback<void, const std::string&, const FileReply&, Time>(
            [&spans](const std::string& name, const FileReply&, Time started) {
                auto& span = spans.emplace(name, std::make_pair(started, started)).first->second;
                span.second = Simulator::Now();
            }));
    Measure(mdtest);
    EXPECT_LE(spans["OPEN"].second, spans["LOOKUP"].first);
    EXPECT_LE(spans["LOOKUP"].second, spans["REMOVE"].first);
    EXPECT_LE(spans["REMOVE"].second, spans["RMDIR"].first);
}

TEST_F(FileWorkloadTest, ListingsGiveEveryName)
{
    for (const bool plus : {false, true})
    {
        SetUp();
        m_finished = 0;
        const auto listing = CreateObject<ListingWorkload>();
        listing->SetAttribute("Directories", UintegerValue(2));
        listing->SetAttribute("Entries", UintegerValue(150));
        listing->SetAttribute("Requests", UintegerValue(20));
        listing->SetAttribute("IoDepth", UintegerValue(3));
        listing->SetAttribute("Plus", BooleanValue(plus));
        auto results = Measure(listing);
        EXPECT_EQ(results["listing"].operations, 20U);
        EXPECT_GE(results["page"].operations, 40U);
        EXPECT_EQ(listing->GetCompleted()["LIST"], results["page"].operations);
        TearDown();
    }
}

TEST_F(FileWorkloadTest, AccessListsOfManyLengthsComeBackAsSet)
{
    const auto acl = CreateObject<AclWorkload>();
    acl->SetAttribute("Files", UintegerValue(10));
    acl->SetAttribute("Requests", UintegerValue(500));
    acl->SetAttribute("IoDepth", UintegerValue(8));
    acl->SetAttribute("SetFraction", DoubleValue(0.4));
    auto results = Measure(acl);
    EXPECT_EQ(results["getacl"].operations + results["setacl"].operations, 500U);
    EXPECT_NEAR(static_cast<double>(results["setacl"].operations), 200, 40);
    EXPECT_GT(acl->GetReadCheck().accessLists, 100U);
}

TEST_F(FileWorkloadTest, BadListsOfWeightsAreRefused)
{
    EXPECT_FALSE(AclWorkload::CheckAclEntries("4:1"));
    EXPECT_FALSE(AclWorkload::CheckAclEntries("1025:1"));
    EXPECT_TRUE(AclWorkload::CheckAclEntries("5:1,1024:2"));
    EXPECT_FALSE(FioWorkload::CheckBlockSizeSplit("0:1"));
    EXPECT_TRUE(FioWorkload::CheckBlockSizeSplit(""));
}

TEST_F(FileWorkloadTest, AWorkloadWithoutAnEndIsRefused)
{
    EXPECT_FALSE(CreateObject<AclWorkload>()->Validate());
    EXPECT_FALSE(CreateObject<ListingWorkload>()->Validate());
    const auto mdtest = CreateObject<MdtestWorkload>();
    mdtest->SetAttribute("Depth", UintegerValue(30));
    EXPECT_FALSE(mdtest->Validate());
}

TEST_F(FileWorkloadTest, ASetupThatFailsIsTold)
{
    const auto fio = CreateObject<FioWorkload>();
    Install(fio);
    // The directory's name is taken by a file.
    m_store->AddFile(m_export.root, "fio", 0, {0600, 0, 0});
    RunWorkload(fio);
    EXPECT_TRUE(fio->IsFinished());
    EXPECT_GT(fio->GetFailed(), 0U);
}

} // namespace

} // namespace ns3::nfsrdma::test
