/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/trace-text.h"

namespace ns3::nfsrdma::test
{

TEST(TraceReader, ReadsMetadata)
{
    const auto trace = ParseTraceRows("");
    ASSERT_TRUE(trace) << trace.error().Describe();
    EXPECT_EQ(trace->source, "some capture.pcap");
    EXPECT_EQ(trace->rootHandleOctets, 8U);
    EXPECT_EQ(trace->otherHandleOctets, 16U);
    ASSERT_EQ(trace->clients.size(), 2U);
    EXPECT_EQ(trace->clients[0].address, "10.77.0.2");
    EXPECT_EQ(trace->clients[0].machine, "client");
    EXPECT_EQ(trace->clients[0].uid, 1000U);
    EXPECT_EQ(trace->clients[0].gid, 100U);
    EXPECT_EQ(trace->clients[0].gids, (std::vector<uint32_t>{4, 24}));
    EXPECT_TRUE(trace->clients[1].gids.empty());
    EXPECT_EQ(trace->GetTraceClient(0), 0U);
    EXPECT_EQ(trace->GetTraceClient(5), 1U);
}

TEST(TraceReader, ReadsTimesClientAndStatus)
{
    const auto row = ParseTraceRow({{"operation", "GETATTR"},
                                    {"object", "o1"},
                                    {"client", "1"},
                                    {"time", "12.000000345"},
                                    {"reply_time", "12.1"},
                                    {"status", "NFS3ERR_STALE"},
                                    {"call_octets", "80"},
                                    {"reply_octets", "112"}});
    EXPECT_EQ(row.line, 7U);
    EXPECT_EQ(row.time, NanoSeconds(12000000345));
    EXPECT_EQ(*row.replyTime, MilliSeconds(12100));
    EXPECT_EQ(row.client, 1U);
    EXPECT_EQ(row.procedure, Nfs3Procedure::GETATTR);
    EXPECT_EQ(row.status, static_cast<uint32_t>(Nfs3Status::STALE));
    EXPECT_EQ(row.callOctets, 80U);
    EXPECT_EQ(row.replyOctets, 112U);
    EXPECT_EQ(row.GetName(), "GETATTR");
}

TEST(TraceReader, ReplyAndStatusMayBeMissing)
{
    const auto row = ParseTraceRow({{"operation", "NULL"}, {"reply_time", ""}, {"status", ""}});
    EXPECT_EQ(row.procedure, Nfs3Procedure::NULLPROC);
    EXPECT_FALSE(row.replyTime);
    EXPECT_FALSE(row.status);
}

TEST(TraceReader, StatusMayBeANumber)
{
    EXPECT_EQ(ParseTraceRow({{"operation", "NULL"}, {"status", "10099"}}).status, 10099U);
}

TEST(TraceReader, ReadsReadAndWrite)
{
    const auto read = ParseTraceRow({{"operation", "READ"},
                                     {"object", "o3"},
                                     {"offset", "4294967296"},
                                     {"count", "65536"},
                                     {"result_count", "100"},
                                     {"result_eof", "1"}});
    EXPECT_EQ(read.offset, 4294967296U);
    EXPECT_EQ(read.count, 65536U);
    EXPECT_EQ(read.resultCount, 100U);
    EXPECT_EQ(read.resultEof, true);
    const auto write = ParseTraceRow({{"operation", "WRITE"},
                                      {"object", "o3"},
                                      {"offset", "7"},
                                      {"count", "9"},
                                      {"stable", "DATA_SYNC"}});
    EXPECT_EQ(write.stable, StableHow::DATA_SYNC);
}

TEST(TraceReader, ReadsSetattr)
{
    const auto row = ParseTraceRow({{"operation", "SETATTR"},
                                    {"object", "o3"},
                                    {"mode", "0640"},
                                    {"uid", "5"},
                                    {"gid", "6"},
                                    {"size", "50"},
                                    {"atime", "server"},
                                    {"mtime", "1700000000.000000009"},
                                    {"guard", "1700000001.5"}});
    EXPECT_EQ(row.attributes.mode, 0640U);
    EXPECT_EQ(row.attributes.uid, 5U);
    EXPECT_EQ(row.attributes.gid, 6U);
    EXPECT_EQ(row.attributes.size, 50U);
    EXPECT_EQ(row.attributes.atime.how, TimeHow::SET_TO_SERVER_TIME);
    EXPECT_EQ(row.attributes.mtime.how, TimeHow::SET_TO_CLIENT_TIME);
    EXPECT_EQ(row.attributes.mtime.time, (NfsTime3{1700000000, 9}));
    EXPECT_EQ(row.guard, (NfsTime3{1700000001, 500000000}));
}

TEST(TraceReader, ReadsAbsentAttributesAsAbsent)
{
    const auto row = ParseTraceRow({{"operation", "MKDIR"}, {"object", "root"}, {"name", "d"}});
    EXPECT_FALSE(row.attributes.mode);
    EXPECT_FALSE(row.attributes.size);
    EXPECT_EQ(row.attributes.atime.how, TimeHow::DONT_CHANGE);
}

TEST(TraceReader, ReadsNamesWithCommasQuotesAndLineEnds)
{
    const auto row = ParseTraceRow({{"operation", "CREATE"},
                                    {"object", "root"},
                                    {"name", "\"a,\"\"b\"\"\nc\""},
                                    {"how", "GUARDED"}});
    EXPECT_EQ(row.name, "a,\"b\"\nc");
    EXPECT_EQ(row.how, CreateMode3::GUARDED);
}

TEST(TraceReader, CountsLinesAcrossQuotedLineEnds)
{
    const auto trace = ParseTraceRows(
        TraceLine({{"operation", "LOOKUP"}, {"object", "root"}, {"name", "\"x\ny\""}}) +
        TraceLine({{"operation", "NULL"}}));
    ASSERT_TRUE(trace) << trace.error().Describe();
    EXPECT_EQ(trace->rows[0].line, 7U);
    EXPECT_EQ(trace->rows[1].line, 9U);
}

TEST(TraceReader, AcceptsCarriageReturns)
{
    std::string content = TRACE_HEADER + TraceColumnLine() + TraceLine({{"operation", "NULL"}});
    for (std::size_t i = content.find('\n'); i != std::string::npos; i = content.find('\n', i + 2))
    {
        content.insert(i, "\r");
    }
    const auto trace = TraceReader::Parse("t.csv", content);
    ASSERT_TRUE(trace) << trace.error().Describe();
    EXPECT_EQ(trace->rows.size(), 1U);
}

TEST(TraceReader, ReadsTwoObjects)
{
    const auto row = ParseTraceRow({{"operation", "RENAME"},
                                    {"object", "o1"},
                                    {"name", "a"},
                                    {"object2", "o2"},
                                    {"name2", "b"}});
    EXPECT_EQ(row.object, "o1");
    EXPECT_EQ(row.name, "a");
    EXPECT_EQ(row.object2, "o2");
    EXPECT_EQ(row.name2, "b");
}

TEST(TraceReader, ReadsDevices)
{
    const TraceFields base{{"operation", "MKNOD"}, {"object", "root"}, {"name", "n"}};
    TraceFields device = base;
    device["spec"] = "BLK:8:17";
    EXPECT_EQ(ParseTraceRow(device).type, Ftype3::BLK);
    EXPECT_EQ(ParseTraceRow(device).spec, (SpecData3{8, 17}));
    TraceFields socket = base;
    socket["spec"] = "SOCK";
    EXPECT_EQ(ParseTraceRow(socket).type, Ftype3::SOCK);
}

TEST(TraceReader, ReadsDirectoryListings)
{
    const auto row = ParseTraceRow({{"operation", "READDIRPLUS"},
                                    {"object", "o1"},
                                    {"cookie", "next"},
                                    {"dircount", "512"},
                                    {"maxcount", "4096"},
                                    {"result_entries", "7"},
                                    {"result_eof", "0"}});
    EXPECT_EQ(row.cookie, TraceCookie::NEXT);
    EXPECT_EQ(row.dircount, 512U);
    EXPECT_EQ(row.maxcount, 4096U);
    EXPECT_EQ(row.resultEntries, 7U);
    EXPECT_EQ(row.resultEof, false);
}

TEST(TraceReader, ReadsAccessMaskWithAndWithoutPrefix)
{
    EXPECT_EQ(ParseTraceRow({{"operation", "ACCESS"}, {"object", "o1"}, {"access", "0x2d"}}).access,
              0x2dU);
    EXPECT_EQ(ParseTraceRow({{"operation", "ACCESS"}, {"object", "o1"}, {"access", "1F"}}).access,
              0x1fU);
}

TEST(TraceReader, KeepsUnsupportedOperations)
{
    const auto trace = ParseTraceRows(
        TraceLine({{"program", "NFSCB1"}, {"operation", "CB_COMPOUND"}, {"object", "o1"}}) +
        TraceLine({{"program", "NFSCB1"}, {"operation", "CB_COMPOUND"}, {"object", "o2"}}) +
        TraceLine({{"operation", "22"}, {"offset", "no number"}}));
    ASSERT_TRUE(trace) << trace.error().Describe();
    ASSERT_EQ(trace->rows.size(), 3U);
    EXPECT_FALSE(trace->rows[0].procedure);
    EXPECT_EQ(trace->CountUnsupported(),
              (std::map<std::string, uint64_t>{{"NFSCB1 CB_COMPOUND", 2}, {"NFS3 22", 1}}));
}

TEST(TraceReader, AccessLists)
{
    const auto get = ParseTraceRow({{"program", "NFSACL3"},
                                    {"operation", "GETACL"},
                                    {"object", "o1"},
                                    {"mask", "0xf"},
                                    {"result_acl", "\"user::rwx,group::r-x,other::--x\""}});
    EXPECT_EQ(get.procedure, NfsAcl3Procedure::GETACL);
    EXPECT_EQ(get.GetName(), "NFSACL3 GETACL");
    EXPECT_EQ(get.mask, 0xfU);
    EXPECT_EQ(get.resultAcl, MakeMinimalAcl(0751));
    EXPECT_FALSE(get.resultDefaultAcl);
    const auto set =
        ParseTraceRow({{"program", "NFSACL3"},
                       {"operation", "SETACL"},
                       {"object", "o1"},
                       {"mask", "1"},
                       {"uid", "7"},
                       {"gid", "8"},
                       {"acl", "\"user::rw-,user:5:r--,group::r--,mask::r--,other::---\""},
                       {"default_acl", "\"user::rwx,group::---,other::---\""}});
    EXPECT_EQ(set.acl.size(), 5U);
    EXPECT_EQ(set.acl[1], (PosixAclEntry{PosixAclTag::USER, 5, 4}));
    EXPECT_EQ(set.defaultAcl, MakeMinimalAcl(0700));
    EXPECT_EQ(set.attributes.uid, 7U);
    EXPECT_EQ(set.attributes.gid, 8U);
    const auto null = ParseTraceRow({{"program", "NFSACL3"}, {"operation", "NULL"}});
    EXPECT_EQ(null.procedure, NfsAcl3Procedure::NULLPROC);
}

TEST(TraceReader, ColumnsMayStandInAnyOrder)
{
    const TraceFields fields{{"time", "3"},
                             {"client", "0"},
                             {"program", "NFS3"},
                             {"operation", "NULL"}};
    std::string header;
    std::string row;
    for (auto column = TraceReader::GetColumns().rbegin();
         column != TraceReader::GetColumns().rend();
         ++column)
    {
        const auto field = fields.find(*column);
        const std::string separator = header.empty() ? "" : ",";
        header += separator + *column;
        row += separator + (field == fields.end() ? "" : field->second);
    }
    const auto trace = TraceReader::Parse("t.csv", TRACE_HEADER + header + "\n" + row + "\n");
    ASSERT_TRUE(trace) << trace.error().Describe();
    EXPECT_EQ(trace->rows.at(0).time, Seconds(3));
}

TEST(TraceReader, ReadsRecordedTrace)
{
    const auto trace =
        TraceReader::Read(NFSRDMA_SOURCE_DIR "/scenarios/traces/linux-6.1-nfs-v3.trace.csv");
    ASSERT_TRUE(trace) << trace.error().Describe();
    EXPECT_GT(trace->rows.size(), 600U);
    EXPECT_EQ(trace->clients.size(), 1U);
    EXPECT_EQ(trace->rootHandleOctets, 8U);
}

TEST(TraceReader, RowsOfVersion2HaveTheProceduresThatStandForThem)
{
    const TraceFields nfs2{{"program", "NFS2"}, {"object", "o1"}};
    const auto with = [&nfs2](TraceFields fields) {
        fields.insert(nfs2.begin(), nfs2.end());
        return TraceLine(std::move(fields));
    };
    const auto trace = ParseTraceRows(
        with({{"operation", "STATFS"}}) +
        with({{"operation", "WRITE"}, {"offset", "8"}, {"count", "9"}}) +
        with({{"operation", "CREATE"}, {"name", "f"}, {"mode", "0644"}}) +
        with({{"operation", "CREATE"}, {"name", "d"}, {"spec", "BLK:8:1"}}) +
        with({{"operation", "READDIR"}, {"cookie", "start"}, {"maxcount", "4096"}}) +
        with({{"operation", "WRITECACHE"}}) + with({{"operation", "COMMIT"}}) +
        TraceLine(
            {{"program", "NFSACL2"}, {"operation", "GETACL"}, {"object", "o1"}, {"mask", "0xf"}}) +
        TraceLine({{"program", "NFSACL3"}, {"operation", "NULL"}}) +
        TraceLine({{"program", "NFS3"}, {"operation", "NULL"}}));
    ASSERT_TRUE(trace) << trace.error().Describe();
    EXPECT_EQ(trace->GetNfsVersion(), "2");
    const std::vector<std::optional<NfsOperation>> expected{Nfs3Procedure::FSSTAT,
                                                            Nfs3Procedure::WRITE,
                                                            Nfs3Procedure::CREATE,
                                                            Nfs3Procedure::MKNOD,
                                                            Nfs3Procedure::READDIR,
                                                            std::nullopt,
                                                            std::nullopt,
                                                            NfsAcl3Procedure::GETACL,
                                                            std::nullopt,
                                                            std::nullopt};
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_EQ(trace->rows.at(i).procedure, expected[i]) << i;
    }
    EXPECT_EQ(trace->rows[1].stable, StableHow::FILE_SYNC);
    EXPECT_EQ(trace->rows[3].type, Ftype3::BLK);
    EXPECT_EQ(trace->rows[3].spec, (SpecData3{8, 1}));
}

TEST(TraceReader, RowsOfVersion2AreUnsupportedBesideVersion3)
{
    const auto trace = ParseTraceRows(TraceLine({{"program", "NFS3"}, {"operation", "NULL"}}) +
                                      TraceLine({{"program", "NFS2"}, {"operation", "NULL"}}));
    ASSERT_TRUE(trace) << trace.error().Describe();
    EXPECT_EQ(trace->GetNfsVersion(), "3");
    EXPECT_EQ(trace->CountUnsupported(), (std::map<std::string, uint64_t>{{"NFS2 NULL", 1}}));
}

} // namespace ns3::nfsrdma::test
