/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/mount-statistics.h"
#include "helper/rpc-message-size.h"
#include "helper/rpc-operation.h"
#include "helper/rpc-recorder.h"
#include "helper/rpc-statistics.h"
#include "helper/sample-size.h"
#include "nfs/v4/client/procedure.h"
#include "wire/ip-address.h"

#include <array>
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;

constexpr uint32_t READ = 6;
constexpr uint32_t LOOKUP = 3;

RpcRecord
MakeRecord(uint32_t procedure, int64_t latency)
{
    RpcRecord record;
    record.xid = 0xabcdef01;
    record.program = 100003;
    record.version = 3;
    record.procedure = procedure;
    record.arrived = NanoSeconds(1000);
    record.submitted = NanoSeconds(1000);
    record.sent = NanoSeconds(1010);
    record.completed = NanoSeconds(1000 + latency);
    record.replied = record.completed - NanoSeconds(5);
    record.callInlineBytes = 128;
    record.replyInlineBytes = 156;
    return record;
}

/// The golden READ of 5001 octets: Write chunk of two segments for data and pad.
RpcRecord
MakeChunkedRead()
{
    auto record = MakeRecord(READ, 30000);
    record.writeChunks = 1;
    record.writeSegments = 2;
    record.callInlineBytes = 28 + 8 + 2 * 16 + 100;
    record.replyInlineBytes = 28 + 8 + 2 * 16 + 128;
    record.writeChunkBytes = 5001;
    record.registrations = 2;
    return record;
}

TEST(RpcMessageSizeTest, InlineMessagesAreTheSendsWithoutHeader)
{
    EXPECT_EQ(GetCallMessageSize(MakeRecord(READ, 1)), 100U);
    EXPECT_EQ(GetReplyMessageSize(MakeRecord(READ, 1)), 128U);
}

TEST(RpcMessageSizeTest, WriteChunkComesBackWithItsPad)
{
    EXPECT_EQ(GetCallMessageSize(MakeChunkedRead()), 100U);
    EXPECT_EQ(GetReplyMessageSize(MakeChunkedRead()), 128U + 5004U);
}

TEST(RpcMessageSizeTest, ReadChunkIsPartOfTheCall)
{
    auto record = MakeRecord(7, 1);
    record.readSegments = 1;
    record.readChunkBytes = 5001;
    record.callInlineBytes = 28 + 24 + 108;
    EXPECT_EQ(GetCallMessageSize(record), 108U + 5004U);
}

TEST(RpcMessageSizeTest, LongReplyIsInTheReplyChunk)
{
    auto record = MakeRecord(17, 1);
    record.replyType = 1;
    record.replySegments = 3;
    record.callInlineBytes = 28 + 4 + 3 * 16 + 112;
    record.replyInlineBytes = 28 + 4 + 3 * 16;
    record.replyChunkBytes = 26546;
    EXPECT_EQ(GetCallMessageSize(record), 112U);
    EXPECT_EQ(GetReplyMessageSize(record), 26546U);
}

TEST(RpcMessageSizeTest, NoReplyHasNoOctets)
{
    auto record = MakeRecord(READ, 1);
    record.replyInlineBytes = 0;
    EXPECT_EQ(GetReplyMessageSize(record), 0U);
}

TEST(RpcOperationTest, ErrorsHaveTheNamesOfTheirRfc)
{
    auto record = MakeRecord(READ, 1);
    const auto nameOf = [&record](uint32_t program, uint32_t version, uint32_t status) {
        record.program = program;
        record.version = version;
        record.programStatus = status;
        return GetErrorName(record);
    };
    EXPECT_EQ(nameOf(100003, 3, 70), "NFS3ERR_STALE");
    EXPECT_EQ(nameOf(100227, 3, 13), "NFS3ERR_ACCES");
    EXPECT_EQ(nameOf(100003, 2, 70), "NFSERR_STALE");
    EXPECT_EQ(nameOf(100003, 4, 10068), "NFS4ERR_RETRY_UNCACHED_REP");
    EXPECT_EQ(nameOf(100003, 4, 99999), "STATUS 99999");
    EXPECT_EQ(nameOf(100003, 3, 10068), "STATUS 10068");
    EXPECT_EQ(nameOf(100005, 3, 13), "STATUS 13");
}

TEST(RpcOperationTest, NamesProceduresAndErrors)
{
    auto record = MakeRecord(READ, 1);
    EXPECT_EQ(GetOperationName(record), "READ");
    EXPECT_FALSE(IsError(record));
    record.programStatus = 2;
    EXPECT_TRUE(IsError(record));
    record.programStatus = 0;
    record.outcome = RpcOutcome::DISCONNECTED;
    EXPECT_TRUE(IsError(record));
    EXPECT_EQ(GetErrorName(record), ToString(RpcOutcome::DISCONNECTED));
    record.program = 100227;
    EXPECT_EQ(GetOperationName(record), "100227.3.6");
    record.program = 100003;
    record.procedure = 22;
    EXPECT_EQ(GetOperationName(record), "100003.3.22");
}

TEST(RpcStatisticsTest, QuantilesAreNearestRanks)
{
    OperationStatistics statistics;
    EXPECT_EQ(statistics.GetLatencyQuantile(0.5), Time(0));
    for (int64_t latency = 100; latency >= 1; --latency)
    {
        statistics.Add(MakeRecord(READ, latency));
    }
    EXPECT_EQ(statistics.GetLatencyQuantile(0.5), NanoSeconds(50));
    EXPECT_EQ(statistics.GetLatencyQuantile(0.99), NanoSeconds(99));
    EXPECT_EQ(statistics.GetLatencyQuantile(1), NanoSeconds(100));
    EXPECT_EQ(statistics.GetLatencyQuantile(0), NanoSeconds(1));
    EXPECT_DOUBLE_EQ(statistics.GetMeanLatency(), 50.5);
    statistics.Add(MakeRecord(READ, 1000));
    EXPECT_EQ(statistics.GetLatencyQuantile(1), NanoSeconds(1000));
}

/// What arrived in the measurement and ended after it has a latency, and is none of the RPCs done.
TEST(RpcStatisticsTest, QuantilesAreExactThoughSomeEndLater)
{
    OperationStatistics statistics;
    for (int64_t latency = 1; latency <= 1000; ++latency)
    {
        statistics.Add(MakeRecord(READ, 1000 * latency), latency <= 900, true);
    }
    EXPECT_EQ(statistics.GetCount(), 900U);
    EXPECT_EQ(statistics.GetLatencyQuantile(0.95), NanoSeconds(950000));
    EXPECT_EQ(statistics.FindLatencyQuantile(0.99), NanoSeconds(990000)) << "1000 carry it";
}

TEST(RpcStatisticsTest, SumsByOperationAndForAll)
{
    RpcStatistics statistics;
    statistics.Add(MakeChunkedRead());
    auto lookup = MakeRecord(LOOKUP, 500);
    lookup.programStatus = 2;
    statistics.Add(lookup);
    const auto operations = statistics.GetOperations();
    ASSERT_EQ(operations.size(), 2U);
    EXPECT_EQ(operations[0].first, "LOOKUP");
    EXPECT_EQ(operations[0].second->GetErrors(), 1U);
    EXPECT_EQ(operations[1].second->GetBytes().writeChunk, 5001U);
    const auto total = statistics.GetTotal();
    EXPECT_EQ(total.GetCount(), 1U);
    EXPECT_EQ(total.GetAttempts(), 2U);
    EXPECT_EQ(total.GetErrors(), 1U);
    EXPECT_EQ(total.GetRegistrations(), 2U);
    EXPECT_EQ(total.GetForms().size(), 1U);
    EXPECT_EQ(statistics.GetDuration(), NanoSeconds(30000));
}

TEST(RpcStatisticsTest, WhatFailsIsInNoOtherMeasure)
{
    RpcStatistics statistics;
    statistics.Add(MakeChunkedRead());
    std::map<std::string, uint64_t> reasons;
    for (const auto outcome : {RpcOutcome::SUCCESS,
                               RpcOutcome::REJECTED,
                               RpcOutcome::TRANSPORT_ERROR,
                               RpcOutcome::BAD_REPLY,
                               RpcOutcome::DISCONNECTED,
                               RpcOutcome::TIMED_OUT,
                               RpcOutcome::CANCELLED})
    {
        auto failed = MakeChunkedRead();
        failed.outcome = outcome;
        failed.programStatus = outcome == RpcOutcome::SUCCESS ? 5 : 0;
        failed.completed = MilliSeconds(1);
        statistics.Add(failed);
        ++reasons[outcome == RpcOutcome::SUCCESS ? "NFS3ERR_IO" : ToString(outcome)];
    }
    statistics.SetData(5001);
    const auto total = statistics.GetTotal();
    EXPECT_EQ(total.GetCount(), 1U);
    EXPECT_EQ(total.GetAttempts(), 8U);
    EXPECT_EQ(total.GetErrors(), 7U);
    EXPECT_EQ(total.GetRegistrations(), 2U);
    EXPECT_DOUBLE_EQ(total.GetRegistrationsPerRpc(), 2);
    EXPECT_EQ(total.GetBytes().writeChunk, 5001U);
    EXPECT_EQ(total.GetLatencyQuantile(1), NanoSeconds(30000));
    EXPECT_EQ(total.GetFailed().reasons, reasons);
    EXPECT_EQ(total.GetFailed().registrations, 14U);
    EXPECT_EQ(total.GetFailed().bytes.writeChunk, 7U * 5001);
    const double seconds = (MilliSeconds(1) - NanoSeconds(1000)).GetSeconds();
    EXPECT_NEAR(statistics.GetRate(), 1 / seconds, 1e-6 / seconds);
    EXPECT_NEAR(statistics.GetGoodput(), 8 * 5001 / seconds, 1e-3 / seconds);
}

TEST(RpcRecorderTest, WritesARowForEachRpc)
{
    std::ostringstream stream;
    {
        RpcRecorder recorder(stream);
        auto record = MakeChunkedRead();
        record.remotelyInvalidated = true;
        record.replyReadSegments = 3;
        record.replyReadBytes = 9000;
        record.transmissions = 2;
        record.reconnects = 1;
        record.connection = 4;
        record.callReason = CallReason::FITS_INLINE;
        record.replyReason = ReplyReason::PULLED;
        record.callReducible = 50;
        record.replyMaximum = 6000;
        record.replyReducible = 5500;
        const FormCosts costs{NanoSeconds(41), NanoSeconds(42), std::nullopt, NanoSeconds(44)};
        recorder.Add({3, 1, "files+lists", "measurement", record, nullptr, &costs});
    }
    EXPECT_EQ(
        stream.str(),
        "client,server,connection,workload,phase,xid,program,version,procedure,operation,outcome,"
        "status,form,arrival_ns,ask_ns,submit_ns,attempt_ns,transport_ns,slot_ns,connected_ns,"
        "credit_ns,"
        "first_send_ns,send_ns,server_arrival_ns,server_receive_ns,server_queue_ns,thread_ns,"
        "storage_begin_ns,storage_end_ns,server_reply_ns,reply_ns,end_ns,complete_ns,call_type,"
        "reply_type,call_inline_bytes,reply_inline_bytes,read_segments,write_chunks,"
        "write_segments,reply_segments,read_chunk_bytes,write_chunk_bytes,reply_chunk_bytes,"
        "reply_read_segments,reply_read_bytes,registrations,transmissions,attempts,reconnects,"
        "remote_invalidated,call_reason,reply_reason,call_bytes,call_reducible_bytes,reply_bytes,"
        "reply_maximum_bytes,reply_reducible_bytes,call_inline_cost_ns,call_chunk_cost_ns,"
        "reply_inline_cost_ns,reply_chunk_cost_ns\n"
        "3,1,4,files+lists,measurement,0xabcdef01,100003,3,6,READ,SUCCESS,0,msg+W/"
        "read,1000,0,1000,0,0,0,0,"
        "0,0,1010,,,,,,,,30995,0,31000,0,0,168,196,0,1,2,0,0,5001,0,3,9000,2,2,1,1,1,fits-inline,"
        "pulled,100,50,14060,6000,5500,41,42,,44\n");
}

/// What the server has told stands between; without storage its cells are empty, and so are those
/// of a call that was never sent.
TEST(RpcRecorderTest, StepsThatWereNotPassedAreEmpty)
{
    std::ostringstream stream;
    {
        RpcRecorder recorder(stream);
        auto record = MakeRecord(READ, 30000);
        RpcServiceTimes service;
        service.arrived = NanoSeconds(2001);
        service.received = NanoSeconds(2002);
        service.queued = NanoSeconds(2003);
        service.started = NanoSeconds(2004);
        service.posted = NanoSeconds(2007);
        recorder.Add({0, 0, "", "setup", record, &service});
        service.storageBegan = NanoSeconds(2005);
        service.storageEnded = NanoSeconds(2006);
        recorder.Add({0, 0, "", "setup", record, &service});
    }
    EXPECT_THAT(stream.str(), HasSubstr(",0,1000,0,,,,,,1010,2001,2002,2003,2004,,,2007,30995,"));
    EXPECT_THAT(stream.str(), HasSubstr(",2004,2005,2006,2007,30995,"));
}

/// Ten values must lie beyond a quantile.
TEST(OperationStatisticsTest, QuantilesNeedEnoughValues)
{
    EXPECT_FALSE(CarriesQuantile(19, 0.5));
    EXPECT_TRUE(CarriesQuantile(20, 0.5));
    EXPECT_TRUE(CarriesQuantile(100, 0.9));
    EXPECT_FALSE(CarriesQuantile(999, 0.99));
    EXPECT_TRUE(CarriesQuantile(1000, 0.99));
    EXPECT_TRUE(CarriesQuantile(10000, 0.999));
    EXPECT_FALSE(CarriesQuantile(9999, 0.999));
    OperationStatistics statistics;
    for (int i = 0; i < 115; ++i)
    {
        statistics.Add(MakeRecord(READ, 100 + i));
    }
    EXPECT_EQ(statistics.FindLatencyQuantile(0.5), NanoSeconds(157));
    EXPECT_EQ(statistics.FindLatencyQuantile(0.99), std::nullopt);
}

/// Above the bound of exact values, and however the parts are put together.
TEST(OperationStatisticsTest, ManyValuesKeepTheirBound)
{
    OperationStatistics whole;
    std::array<OperationStatistics, 3> parts;
    const auto count = static_cast<int64_t>(OperationStatistics::MOST_EXACT) + 5000;
    for (int64_t i = 0; i < count; ++i)
    {
        const auto record = MakeRecord(READ, 1000 + i);
        whole.Add(record);
        parts.at(static_cast<std::size_t>(i % 3)).Add(record);
    }
    OperationStatistics sum;
    for (const auto& part : parts)
    {
        sum.Add(part);
    }
    for (const auto* statistics : {&whole, &sum})
    {
        EXPECT_EQ(statistics->GetCount(), static_cast<uint64_t>(count));
        EXPECT_DOUBLE_EQ(statistics->GetMeanLatency(), 1000 + static_cast<double>(count - 1) / 2);
        for (const double fraction : {0.5, 0.99, 0.999})
        {
            const double exact = 999 + std::ceil(fraction * static_cast<double>(count));
            const auto found =
                static_cast<double>(statistics->GetLatencyQuantile(fraction).GetNanoSeconds());
            EXPECT_GE(found, exact);
            EXPECT_LE(found, exact * (1 + 1.0 / 64));
        }
    }
}

TEST(MountStatisticsTest, HasLinuxsLayout)
{
    MountStatistics statistics;
    for (int i = 0; i < 3; ++i)
    {
        auto record = MakeRecord(READ, 2'000'000);
        record.sent = record.submitted + NanoSeconds(500'000);
        record.programStatus = i == 0 ? 5 : 0;
        statistics.Add(record);
    }
    auto other = MakeRecord(READ, 1);
    other.program = 100227;
    statistics.Add(other);
    statistics.SetData(300, 5101);
    const MountDescription mount{"server-0:/export-0",
                                 "/mnt/nfs",
                                 *IpAddress::Parse("10.77.0.1"),
                                 20049,
                                 262144,
                                 131072,
                                 65536};
    std::ostringstream stream;
    statistics.Write(stream, mount, Seconds(10.9), {XprtRdmaStatistics().Format()});
    const auto text = stream.str();
    EXPECT_EQ(
        text.rfind("device server-0:/export-0 mounted on /mnt/nfs with fstype nfs statvers=1.1\n"
                   "\topts:\trw,vers=3,rsize=262144,wsize=131072,namlen=255,acregmin=3,acregmax=60,"
                   "acdirmin=30,acdirmax=60,hard,nolock,proto=rdma,port=20049,timeo=600,retrans=2,"
                   "sec=sys,mountaddr=10.77.0.1,mountvers=3,mountport=0,mountproto=tcp,"
                   "local_lock=all\n"
                   "\tage:\t10\n"
                   "\tcaps:\tcaps=0xf,wtmult=4096,dtsize=65536,bsize=0,namlen=255\n"
                   "\tsec:\tflavor=1,pseudoflavor=1\n"
                   "\tevents:\t0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \n"
                   "\tbytes:\t0 0 300 5101 300 5101 0 0 \n"
                   "\tRPC iostats version: 1.1  p/v: 100003/3 (nfs)\n"
                   "\txprt:\trdma 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
                   "\tper-op statistics\n"
                   "\t        NULL: 0 0 0 0 0 0 0 0 0\n",
                   0),
        0U)
        << text;
    EXPECT_THAT(text, HasSubstr("\t        READ: 3 3 0 300 384 1 4 6 1\n"));
    EXPECT_THAT(text, HasSubstr("\t READDIRPLUS: 0 0 0 0 0 0 0 0 0\n"));
    EXPECT_EQ(text.substr(text.size() - 34), "\t      COMMIT: 0 0 0 0 0 0 0 0 0\n\n");
}

TEST(MountStatisticsTest, CompoundsCountAsWhatTheyAreFor)
{
    MountStatistics statistics;
    for (const auto purpose :
         {Nfs4ClientProcedure::OPEN, Nfs4ClientProcedure::OPEN, Nfs4ClientProcedure::LOOKUP_ROOT})
    {
        auto record = MakeRecord(READ, 2'000'000);
        record.version = NFS_V4;
        record.procedure = 1;
        record.operation = static_cast<uint32_t>(purpose);
        statistics.Add(record);
    }
    MountDescription mount;
    mount.version = "4.1";
    mount.client = *IpAddress::Parse("10.77.0.2");
    mount.leaseTime = 90;
    std::ostringstream stream;
    statistics.Write(stream, mount, Seconds(13), {});
    const auto text = stream.str();
    std::ifstream file(NFSRDMA_SOURCE_DIR "/test/data/linux-6.1-nfs-v4.1-mtu1500.mountstats");
    std::vector<std::string> captured;
    for (std::string line; std::getline(file, line);)
    {
        if (!captured.empty() || line.find("per-op statistics") != std::string::npos)
        {
            captured.push_back(line.substr(0, line.find(':')));
        }
    }
    ASSERT_GT(captured.size(), 60U);
    std::istringstream lines(text.substr(text.find("\tper-op statistics")));
    for (const auto& row : captured)
    {
        std::string line;
        std::getline(lines, line);
        EXPECT_EQ(line.substr(0, line.find(':')), row);
    }
    EXPECT_THAT(text, HasSubstr("with fstype nfs4 statvers=1.1\n\topts:\trw,vers=4.1,"));
    EXPECT_THAT(text, HasSubstr(",clientaddr=10.77.0.2,local_lock=none\n"));
    EXPECT_THAT(text, HasSubstr(",sessions,pnfs=not configured,lease_time=90,lease_expired=0\n"));
    EXPECT_THAT(text, HasSubstr("p/v: 100003/4 (nfs)\n"));
    EXPECT_THAT(text, HasSubstr("\t        OPEN: 2 2 0 "));
    EXPECT_THAT(text, HasSubstr("\t LOOKUP_ROOT: 1 1 0 "));
    EXPECT_THAT(text, HasSubstr("\t   READ_PLUS: 0 0 0 0 0 0 0 0 0\n"));
}

} // namespace

} // namespace ns3::nfsrdma
