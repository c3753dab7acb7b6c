/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/mix.h"
#include "workload/rdma-cluster-fixture.h"
#include "workload/replay/trace-reader.h"
#include "workload/replay/trace-rows.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma::test
{

namespace
{

std::shared_ptr<const Tree>
MakeEmptyTree()
{
    return std::make_shared<const Tree>(*TreeReader::Parse(
        "tree.csv",
        "object,parent,name,type,mode,uid,gid,size,target,nlink,acl,default_acl\n"
        "root,,,DIR,0777,0,0,4096,,2,,\n"));
}

} // namespace

TEST_F(RdmaClusterTest, RecordedLinuxMountAgreesInEveryReply)
{
    const std::string base = NFSRDMA_SOURCE_DIR "/scenarios/traces/linux-6.1-nfs-v3.";
    auto trace = TraceReader::Read(base + "trace.csv");
    ASSERT_TRUE(trace) << trace.error().Describe();
    auto tree = TreeReader::Read(base + "tree.csv");
    ASSERT_TRUE(tree) << tree.error().Describe();
    const auto replay = CreateObject<ReplayWorkload>();
    replay->SetAttribute("Pace", StringValue("closed"));
    replay->SetTrace(std::make_shared<const Trace>(*std::move(trace)));
    Install(replay, std::make_shared<const Tree>(*std::move(tree)));
    RunWorkload(replay);
    ExpectAllVerified(replay);
    for (const auto& mismatch : replay->GetReport().GetDescribed())
    {
        ADD_FAILURE() << mismatch.line << " " << mismatch.operation << ": " << mismatch.what;
    }
    const auto usesChunk = [](const RpcRecord& record) {
        return record.readSegments + record.writeSegments + record.replySegments != 0;
    };
    EXPECT_GT(std::count_if(m_records.begin(), m_records.end(), usesChunk), 10);
}

TEST_F(RdmaClusterTest, MixVerifiesAllContent)
{
    const auto mix = CreateObject<MixWorkload>();
    mix->SetAttribute("Files", UintegerValue(5));
    mix->SetAttribute("Operations", UintegerValue(300));
    mix->SetAttribute("OperationMix",
                      StringValue("getattr:3,setattr:3,access:3,lookup:3,readlink:3,read:9,write:9,"
                                  "commit:2,create:3,symlink:3,remove:3,readdir:3,readdirplus:3,"
                                  "fsstat:2"));
    mix->AssignStreams(1);
    Install(mix, MakeEmptyTree());
    RunWorkload(mix);
    ExpectAllVerified(mix);
    EXPECT_TRUE(mix->GetErrors().empty());
    EXPECT_EQ(mix->GetProgress(), 300U);
}

} // namespace ns3::nfsrdma::test
