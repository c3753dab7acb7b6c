/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/trace-reader.h"
#include "workload/replay/trace-rows.h"
#include "workload/trace-builder.h"
#include "workload/workload-loop.h"

#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma::test
{

namespace
{

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Proc = Nfs3Procedure;

class ReplayTest : public WorkloadLoop
{
  protected:
    Ptr<ReplayWorkload> MakeReplay(std::shared_ptr<const Trace> trace,
                                   const std::string& pace = "closed")
    {
        const auto replay = CreateObject<ReplayWorkload>();
        replay->SetAttribute("Pace", StringValue(pace));
        replay->SetTrace(std::move(trace));
        return replay;
    }

    Ptr<ReplayWorkload> Replay(const TraceBuilder& builder,
                               std::shared_ptr<const Tree> tree = nullptr)
    {
        const auto replay = MakeReplay(builder.Get());
        Install(replay, std::move(tree));
        RunWorkload(replay);
        return replay;
    }

    static std::vector<std::string> Describe(const ReplayReport& report)
    {
        std::vector<std::string> lines;
        for (const auto& mismatch : report.GetDescribed())
        {
            lines.push_back(std::to_string(mismatch.line) + " " + mismatch.operation + ": " +
                            mismatch.what);
        }
        return lines;
    }
};

TEST_F(ReplayTest, RecordedLinuxMountAgreesInEveryReply)
{
    const std::string base = NFSRDMA_SOURCE_DIR "/scenarios/traces/linux-6.1-nfs-v3.";
    auto trace = TraceReader::Read(base + "trace.csv");
    ASSERT_TRUE(trace) << trace.error().Describe();
    auto tree = TreeReader::Read(base + "tree.csv");
    ASSERT_TRUE(tree) << tree.error().Describe();
    const auto unsupported = trace->CountUnsupported();
    const auto replay = MakeReplay(std::make_shared<const Trace>(*std::move(trace)));
    Install(replay, std::make_shared<const Tree>(*std::move(tree)));
    RunWorkload(replay);
    ExpectAllVerified(replay);
    EXPECT_EQ(replay->GetUnsupported(), unsupported);
    EXPECT_EQ(replay->GetPlanned(), replay->GetProgress());
    EXPECT_THAT(Describe(replay->GetReport()), IsEmpty());
    EXPECT_GT(replay->GetReport().GetCompared(), 600U);
    EXPECT_GT(replay->GetReadCheck().octets, 200000U);
}

TEST_F(ReplayTest, FinishesAtOnceWithoutRows)
{
    const auto replay = Replay(TraceBuilder());
    EXPECT_TRUE(replay->IsFinished());
    EXPECT_THAT(m_phases,
                ElementsAre(WorkloadPhase::READY, WorkloadPhase::RUN, WorkloadPhase::FINISHED));
    EXPECT_EQ(m_finished, 1U);
}

TEST_F(ReplayTest, WritesReadsAndVerifies)
{
    TraceBuilder builder;
    builder.AddCreate("root", "f", "o1");
    builder.AddRange(Proc::WRITE, "o1", 0, 5000).stable = StableHow::FILE_SYNC;
    builder.AddRange(Proc::WRITE, "o1", 9001, 77);
    builder.AddRange(Proc::READ, "o1", 0, 20000).resultCount = 9078;
    builder.Add(Proc::SETATTR, "o1").attributes.size = 4000;
    builder.AddRange(Proc::WRITE, "o1", 6000, 3);
    builder.AddRange(Proc::READ, "o1", 3990, 2020).resultEof = true;
    builder.AddRange(Proc::COMMIT, "o1", 0, 0);
    const auto replay = Replay(builder);
    ExpectAllVerified(replay);
    EXPECT_THAT(Describe(replay->GetReport()), IsEmpty());
    EXPECT_EQ(replay->GetReadCheck().files, 2U);
    EXPECT_EQ(replay->GetReadCheck().octets, 9078U + 2013U);
    EXPECT_EQ(replay->Verify(*m_store, m_export.root).octets, 6003U);
}

TEST_F(ReplayTest, FollowsNamesThroughEveryChange)
{
    TraceBuilder builder;
    builder.Add(Proc::MKDIR, "root", "d").resultObject = "o1";
    builder.AddCreate("o1", "a", "o2");
    builder.AddRange(Proc::WRITE, "o2", 0, 100);
    builder.Add(Proc::LINK, "o2").object2 = "root";
    builder.AddLookup("root", "hard", "o2");
    builder.Add(Proc::RENAME, "o1", "a").object2 = "root";
    builder.AddCreate("root", "b", "o3");
    builder.Add(Proc::SYMLINK, "o1", "s").target = "../hard";
    builder.AddLookup("o1", "s", "o4");
    builder.Add(Proc::READLINK, "o4");
    builder.Add(Proc::MKNOD, "o1", "p").type = Ftype3::FIFO;
    builder.Add(Proc::REMOVE, "root", "b");
    builder.Add(Proc::MKDIR, "root", "e");
    builder.Add(Proc::RMDIR, "root", "e");
    auto trace = std::make_shared<Trace>(*builder.Get());
    trace->rows[3].name2 = "hard";
    trace->rows[5].name2 = "moved";
    const auto replay = MakeReplay(trace);
    Install(replay);
    RunWorkload(replay);
    ExpectAllVerified(replay);
    EXPECT_THAT(Describe(replay->GetReport()), IsEmpty());
    const auto check = replay->Verify(*m_store, m_export.root);
    EXPECT_EQ(check.files, 1U);
    EXPECT_EQ(check.directories, 2U);
    EXPECT_EQ(check.symlinks, 1U);
    EXPECT_EQ(replay->GetReadCheck().symlinks, 1U);
    EXPECT_TRUE(m_store->FindPath(m_export.root, "moved"));
    EXPECT_TRUE(m_store->FindPath(m_export.root, "hard"));
    EXPECT_TRUE(m_store->FindPath(m_export.root, "d/p"));
    EXPECT_FALSE(m_store->FindPath(m_export.root, "d/a"));
    EXPECT_FALSE(m_store->FindPath(m_export.root, "b"));
}

TEST_F(ReplayTest, ConcurrentRowsOverlapAndLaterOnesWait)
{
    TraceBuilder builder;
    builder.At(0, 100).Add(Proc::GETATTR, "root");
    builder.At(1, 50).Add(Proc::ACCESS, "root");
    builder.At(60, 70).Add(Proc::FSSTAT, "root");
    builder.At(110, 120).Add(Proc::FSINFO, "root");
    // The ACCESS, answered first in the recording, is the slowest here.
    m_transport->callDelay = [](uint64_t number, Proc) {
        return number == 1 ? MilliSeconds(5) : MicroSeconds(10);
    };
    const auto replay = Replay(builder);
    EXPECT_THAT(NamesCompleted(), ElementsAre("GETATTR", "ACCESS", "FSSTAT", "FSINFO"));
    EXPECT_EQ(m_completed[0].submitted, m_completed[1].submitted);
    EXPECT_GE(m_completed[2].submitted, m_completed[1].completed);
    EXPECT_GE(m_completed[3].submitted, m_completed[1].completed);
    EXPECT_LT(m_completed[3].submitted, m_completed[2].completed + MicroSeconds(1));
}

TEST_F(ReplayTest, RecordedPaceKeepsTheTimesOfTheRecording)
{
    TraceBuilder builder;
    builder.At(0, 10).Add(Proc::GETATTR, "root");
    builder.At(3000, 3010).Add(Proc::GETATTR, "root");
    builder.At(7000, 7010).Add(Proc::GETATTR, "root");
    const auto replay = MakeReplay(builder.Get(), "recorded");
    replay->SetAttribute("TimeScale", DoubleValue(2));
    Install(replay);
    Simulator::Schedule(MilliSeconds(100), &Workload::Start, replay);
    Simulator::Run();
    ASSERT_EQ(m_completed.size(), 3U);
    EXPECT_EQ(m_completed[0].submitted, MilliSeconds(100));
    EXPECT_EQ(m_completed[1].submitted, MilliSeconds(106));
    EXPECT_EQ(m_completed[2].submitted, MilliSeconds(114));
}

TEST_F(ReplayTest, RecordedPaceWaitsForRepliesThatComeLate)
{
    TraceBuilder builder;
    builder.At(0, 10).Add(Proc::GETATTR, "root");
    builder.At(20, 30).Add(Proc::GETATTR, "root");
    builder.At(5000, 5010).Add(Proc::GETATTR, "root");
    m_transport->replyDelay = MilliSeconds(1);
    const auto replay = MakeReplay(builder.Get(), "recorded");
    Install(replay);
    RunWorkload(replay);
    ASSERT_EQ(m_completed.size(), 3U);
    EXPECT_EQ(m_completed[1].submitted, m_completed[0].completed);
    EXPECT_EQ(m_completed[2].submitted, MilliSeconds(5));
}

TEST_F(ReplayTest, UnsupportedRowsAreCountedAndPassedOver)
{
    TraceBuilder builder;
    builder.AddUnsupported("NFSACL3", "GETACL");
    builder.Add(Proc::GETATTR, "root");
    builder.AddUnsupported("NFSACL3", "GETACL");
    builder.AddUnsupported("NFSACL3", "SETACL");
    const auto replay = Replay(builder);
    ExpectAllVerified(replay);
    EXPECT_EQ(replay->GetUnsupported(),
              (Workload::Counts{{"NFSACL3 GETACL", 2}, {"NFSACL3 SETACL", 1}}));
    EXPECT_EQ(replay->GetIssued(), (Workload::Counts{{"GETATTR", 1}}));
    EXPECT_EQ(replay->GetProgress(), 4U);
}

TEST_F(ReplayTest, HandlesComeFromDirectoryListings)
{
    const auto tree = ParseTree("o1,root,a,REG,0644,0,0,300,,1,,\n"
                                "o2,root,b,LNK,0777,0,0,3,xyz,1,,\n");
    TraceBuilder builder;
    TraceRow& listing = builder.Add(Proc::READDIRPLUS, "root");
    listing.dircount = 4096;
    listing.maxcount = 4096;
    listing.resultEntries = 4;
    builder.AddRange(Proc::READ, "o1", 100, 100);
    builder.Add(Proc::READLINK, "o2");
    const auto replay = Replay(builder, tree);
    ExpectAllVerified(replay);
    EXPECT_THAT(Describe(replay->GetReport()), IsEmpty());
    EXPECT_THAT(replay->GetUnsupported(), IsEmpty());
    EXPECT_EQ(replay->GetReadCheck().octets, 100U);
    EXPECT_EQ(replay->GetReadCheck().symlinks, 1U);
}

TEST_F(ReplayTest, RowsOfUnknownObjectsAreCounted)
{
    TraceBuilder builder;
    builder.AddRange(Proc::READ, "o1", 0, 1);
    builder.Add(Proc::LINK, "root").object2 = "o9";
    const auto replay = Replay(builder);
    EXPECT_TRUE(replay->IsFinished());
    EXPECT_EQ(replay->GetUnsupported(),
              (Workload::Counts{{"READ without handle", 1}, {"LINK without handle", 1}}));
}

TEST_F(ReplayTest, KnownHandlesAreUsed)
{
    const auto tree = ParseTree("o1,root,a,REG,0644,0,0,300,,1,,\n");
    TraceBuilder builder;
    builder.AddRange(Proc::READ, "o1", 0, 300).resultCount = 300;
    const auto replay = MakeReplay(builder.Get());
    Install(replay, tree);
    replay->SetKnownHandle("o1", m_store->GetHandle(m_export.inodes.at("o1")));
    RunWorkload(replay);
    EXPECT_THAT(replay->GetUnsupported(), IsEmpty());
    EXPECT_THAT(Describe(replay->GetReport()), IsEmpty());
}

TEST_F(ReplayTest, DirectoriesGoOnAfterTheLastEntry)
{
    std::string rows;
    for (int i = 0; i < 40; ++i)
    {
        const std::string number = std::to_string(i + 10);
        rows += "o" + number + ",root,entry-" + number + ",REG,0644,0,0,0,,1,,\n";
    }
    TraceBuilder builder;
    for (int i = 0; i < 6; ++i)
    {
        TraceRow& row = builder.Add(Proc::READDIR, "root");
        row.cookie = i == 0 ? TraceCookie::START : TraceCookie::NEXT;
        row.maxcount = 512;
    }
    // 108 octets of head and 32 for each entry: 12 and 13 entries a reply, 42 in all.
    auto trace = std::make_shared<Trace>(*builder.Get());
    trace->rows[0].resultEof = false;
    trace->rows[3].resultEof = true;
    trace->rows[4].resultEntries = 0;
    const auto replay = MakeReplay(trace);
    Install(replay, ParseTree(rows));
    RunWorkload(replay);
    EXPECT_THAT(Describe(replay->GetReport()), IsEmpty());
}

TEST_F(ReplayTest, AccessListsAreFollowedAndVerified)
{
    const std::string few = "user::rw-,user:5:r--,group::r--,mask::rw-,other::---";
    const auto tree = ParseTree("o1,root,d,DIR,0755,0,0,0,,2,,\n"
                                "o2,root,f,REG,0660,0,0,5,,1,\"" +
                                few + "\",\n");
    TraceBuilder builder;
    builder.Add(NfsAcl3Procedure::NULLPROC);
    builder.AddLookup("root", "d", "o1");
    builder.AddLookup("root", "f", "o2");
    const auto addGet = [&builder](const std::string& object, const std::string& access) {
        TraceRow& row = builder.Add(NfsAcl3Procedure::GETACL, object);
        row.mask = NFS_ACL | NFS_ACLCNT | NFS_DFACL | NFS_DFACLCNT;
        row.resultAcl = ParsePosixAcl(access);
        row.resultDefaultAcl = PosixAcl();
    };
    addGet("o2", few);
    builder.Add(Proc::SETATTR, "o2").attributes.mode = 0604;
    addGet("o2", "user::rw-,user:5:r--,group::r--,mask::---,other::r--");
    TraceRow& set = builder.Add(NfsAcl3Procedure::SETACL, "o1");
    set.mask = NFS_ACL | NFS_DFACL;
    set.acl = MakeMinimalAcl(0700);
    set.defaultAcl = *ParsePosixAcl(few);
    builder.AddCreate("o1", "new", "o3");
    TraceRow& get = builder.Add(NfsAcl3Procedure::GETACL, "o3");
    get.mask = NFS_ACL;
    get.resultAcl = ParsePosixAcl("user::rw-,user:5:r--,group::r--,mask::r--,other::---");
    const auto replay = MakeReplay(builder.Get());
    Install(replay, tree);
    RunWorkload(replay);
    EXPECT_THAT(Describe(replay->GetReport()), IsEmpty());
    EXPECT_EQ(replay->GetReadCheck().accessLists, 2U);
    ExpectAllVerified(replay);
    EXPECT_EQ(replay->GetCompleted().at("NFSACL3 GETACL"), 3U);

    ASSERT_EQ(m_store->GetAttributes().SetAcls(m_export.inodes.at("o2"),
                                               MakeMinimalAcl(0644),
                                               {},
                                               FileCredential()),
              Nfs3Status::OK);
    const auto check = replay->Verify(*m_store, m_export.root);
    ASSERT_EQ(check.mismatches, 1U);
    EXPECT_EQ(check.described[0].path, "f");
    EXPECT_EQ(check.described[0].what, "has other access lists than were set");
}

TEST_F(ReplayTest, AccessListsThatDifferAreNamed)
{
    TraceBuilder builder;
    builder.AddLookup("root", "f", "o1");
    TraceRow& row = builder.Add(NfsAcl3Procedure::GETACL, "o1");
    row.mask = NFS_ACL;
    row.resultAcl = MakeMinimalAcl(0600);
    const auto replay = MakeReplay(builder.Get());
    Install(replay, ParseTree("o1,root,f,REG,0644,0,0,5,,1,,\n"));
    RunWorkload(replay);
    EXPECT_THAT(Describe(replay->GetReport()),
                ElementsAre("2 NFSACL3 GETACL: access list 'user::rw-,group::r--,other::r--', "
                            "recorded 'user::rw-,group::---,other::---'"));
}

TEST_F(ReplayTest, DifferencesAreNamed)
{
    const auto tree = ParseTree("o1,root,a,REG,0644,0,0,300,,1,,\n");
    TraceBuilder builder;
    builder.AddLookup("root", "a", "o1").status = static_cast<uint32_t>(Nfs3Status::NOENT);
    builder.AddLookup("root", "missing", "o2");
    TraceRow& read = builder.AddRange(Proc::READ, "o1", 0, 400);
    read.resultCount = 400;
    read.resultEof = false;
    TraceRow& listing = builder.Add(Proc::READDIR, "root");
    listing.maxcount = 4096;
    listing.resultEntries = 2;
    builder.Add(Proc::GETATTR, "root").status = 10099;
    builder.Add(Proc::GETATTR, "root").status.reset();
    const auto replay = Replay(builder, tree);
    const auto& report = replay->GetReport();
    EXPECT_THAT(Describe(report),
                ElementsAre("1 LOOKUP: status NFS3_OK, recorded NFS3ERR_NOENT",
                            "2 LOOKUP: status NFS3ERR_NOENT, recorded NFS3_OK",
                            "3 READ: count 300, recorded 400",
                            "3 READ: eof 1, recorded 0",
                            "4 READDIR: 3 entries, recorded 2",
                            "5 GETATTR: status NFS3_OK, recorded 10099"));
    EXPECT_EQ(report.GetMismatches(), 6U);
    EXPECT_EQ(report.GetCompared(), 5U);
    EXPECT_EQ(report.GetMismatchesByName(),
              (std::map<std::string, uint64_t>{{"LOOKUP", 2},
                                               {"READ", 2},
                                               {"READDIR", 1},
                                               {"GETATTR", 1}}));
}

TEST_F(ReplayTest, AnObjectThatHasBecomeAnotherIsNamed)
{
    TraceBuilder builder;
    builder.AddCreate("root", "a", "o1");
    builder.AddCreate("root", "b", "o2");
    builder.AddLookup("root", "b", "o1");
    const auto replay = Replay(builder);
    EXPECT_THAT(Describe(replay->GetReport()),
                ElementsAre("3 LOOKUP: another file handle than before for o1"));
}

TEST_F(ReplayTest, WrongDataAreFoundAndLocated)
{
    TraceBuilder builder;
    builder.AddCreate("root", "f", "o1");
    builder.AddRange(Proc::WRITE, "o1", 1000, 6000);
    builder.AddRange(Proc::READ, "o1", 500, 6000);
    m_transport->changeData = [](Proc procedure, ByteVector& data) {
        if (procedure == Proc::READ)
        {
            data[4444] ^= 1U;
        }
    };
    const auto replay = Replay(builder);
    const auto& check = replay->GetReadCheck();
    ASSERT_EQ(check.mismatches, 1U);
    EXPECT_EQ(check.described[0].path, "f");
    EXPECT_EQ(check.described[0].offset, 4944U);
    EXPECT_EQ(replay->Verify(*m_store, m_export.root).mismatches, 0U);
}

TEST_F(ReplayTest, WrongPathOfASymlinkIsFound)
{
    const auto tree = ParseTree("o1,root,l,LNK,0777,0,0,3,xyz,1,,\n");
    TraceBuilder builder;
    builder.AddLookup("root", "l", "o1");
    builder.Add(Proc::READLINK, "o1");
    m_transport->changeData = [](Proc, ByteVector& data) { data[0] = 'X'; };
    const auto replay = Replay(builder, tree);
    ASSERT_EQ(replay->GetReadCheck().mismatches, 1U);
    EXPECT_EQ(replay->GetReadCheck().described[0].path, "l");
}

TEST_F(ReplayTest, ALostReplyLeavesItsOctetsOpen)
{
    TraceBuilder builder;
    builder.AddCreate("root", "f", "o1");
    builder.AddRange(Proc::WRITE, "o1", 0, 1000);
    builder.AddRange(Proc::WRITE, "o1", 500, 100);
    builder.AddRange(Proc::READ, "o1", 0, 1000);
    m_transport->loseReply = [](uint64_t number, Proc) { return number == 2; };
    const auto replay = Replay(builder);
    EXPECT_TRUE(replay->IsFinished());
    EXPECT_EQ(replay->GetFailed(), 1U);
    ASSERT_THAT(Describe(replay->GetReport()), ::testing::SizeIs(1));
    EXPECT_THAT(Describe(replay->GetReport())[0], HasSubstr("3 WRITE: RPC "));
    EXPECT_EQ(replay->GetReadCheck().mismatches, 0U);
    EXPECT_EQ(replay->GetReadCheck().octets, 900U);
    EXPECT_EQ(replay->GetReadCheck().uncertainOctets, 100U);
    const auto check = replay->Verify(*m_store, m_export.root);
    EXPECT_EQ(check.mismatches, 0U);
    EXPECT_EQ(check.uncertainOctets, 100U);
    EXPECT_EQ(m_clientMemory->GetAllocationCount(), 0U);
}

TEST_F(ReplayTest, ALostReplyLeavesItsNameOpen)
{
    TraceBuilder builder;
    builder.AddCreate("root", "f", "o1");
    builder.Add(Proc::REMOVE, "root", "f");
    m_transport->loseReply = [](uint64_t number, Proc) { return number == 1; };
    const auto replay = Replay(builder);
    const auto check = replay->Verify(*m_store, m_export.root);
    EXPECT_EQ(check.mismatches, 0U);
    EXPECT_EQ(check.uncertainNames, 1U);
}

TEST_F(ReplayTest, AGuardThatHeldHoldsAgain)
{
    const auto tree = ParseTree("o1,root,a,REG,0644,0,0,300,,1,,\n");
    TraceBuilder builder;
    builder.AddLookup("root", "a", "o1");
    TraceRow& good = builder.Add(Proc::SETATTR, "o1");
    good.guard = NfsTime3{1, 2};
    good.attributes.mode = 0600;
    TraceRow& again = builder.Add(Proc::SETATTR, "o1");
    again.guard = NfsTime3{3, 4};
    again.attributes.size = 10;
    TraceRow& bad = builder.Add(Proc::SETATTR, "o1");
    bad.guard = NfsTime3{5, 6};
    bad.attributes.size = 20;
    bad.status = static_cast<uint32_t>(Nfs3Status::NOT_SYNC);
    const auto replay = Replay(builder, tree);
    EXPECT_THAT(Describe(replay->GetReport()), IsEmpty());
    ExpectAllVerified(replay);
}

TEST_F(ReplayTest, SaysWhatItWaitsFor)
{
    TraceBuilder builder;
    builder.AddCreate("root", "f", "o1");
    builder.At(10, 30).AddRange(Proc::WRITE, "o1", 4096, 100);
    builder.At(20, 40).Add(Proc::LOOKUP, "root", "f").resultObject = "o1";
    builder.At(50, 60).AddRange(Proc::READ, "o1", 0, 100);
    m_transport->callDelay = [](uint64_t number, Proc) {
        return number == 0 ? MicroSeconds(10) : Seconds(10);
    };
    const auto replay = MakeReplay(builder.Get());
    Install(replay);
    Simulator::ScheduleNow(&Workload::Start, replay);
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    EXPECT_FALSE(replay->IsFinished());
    const auto lines = replay->DescribeWaiting();
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_THAT(lines[0], HasSubstr("WRITE xid 0x"));
    EXPECT_THAT(lines[0], HasSubstr(" of 'f' offset 4096 count 100, issued at "));
    EXPECT_THAT(lines[1], HasSubstr("LOOKUP xid 0x"));
    EXPECT_THAT(lines[1], HasSubstr(" of '/f', issued at "));
    EXPECT_EQ(lines[2], "line 4 of the trace, READ, waits for line 2");
    Simulator::Stop(Seconds(100));
    Simulator::Run();
    EXPECT_TRUE(replay->IsFinished());
    ExpectAllVerified(replay);
}

TEST_F(ReplayTest, ReplaysTheRowsOfItsClientOnly)
{
    TraceBuilder builder;
    builder.Add(Proc::GETATTR, "root");
    builder.Add(Proc::FSSTAT, "root").client = 1;
    auto trace = std::make_shared<Trace>(*builder.Get());
    trace->clients.resize(2);
    const auto replay = MakeReplay(trace);
    Install(replay);
    RunWorkload(replay);
    EXPECT_EQ(replay->GetIssued(), (Workload::Counts{{"GETATTR", 1}}));
}

TEST_F(ReplayTest, DisposalWithOperationsOutstandingIsClean)
{
    TraceBuilder builder;
    builder.Add(Proc::GETATTR, "root");
    builder.Add(Proc::GETATTR, "root");
    const auto replay = MakeReplay(builder.Get());
    Install(replay);
    Simulator::ScheduleNow(&Workload::Start, replay);
    Simulator::Schedule(MicroSeconds(5), &Workload::Dispose, replay);
    Simulator::Run();
    EXPECT_EQ(m_finished, 0U);
    EXPECT_TRUE(m_completed.empty());
}

TEST(WorkloadKinds, AreKnownByName)
{
    EXPECT_THAT(Workload::GetKinds(),
                ElementsAre("acl", "fio", "listing", "lock", "mdtest", "mix", "replay"));
    EXPECT_NE(DynamicCast<ReplayWorkload>(Workload::Create("replay")), nullptr);
    EXPECT_EQ(Workload::Create("nothing"), nullptr);
}

} // namespace

} // namespace ns3::nfsrdma::test
