/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/trace-text.h"

namespace ns3::nfsrdma::test
{

TEST(TraceReaderErrors, MissingFile)
{
    const auto trace = TraceReader::Read("no/such/file.csv");
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().Describe(),
              "no/such/file.csv: expected a readable file, found 'No such file or directory'");
}

TEST(TraceReaderErrors, ADirectoryIsNoFile)
{
    const auto trace = TraceReader::Read(NFSRDMA_SOURCE_DIR);
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().expected, "a readable file");
}

TEST(TraceReaderErrors, EmptyFile)
{
    EXPECT_EQ(TraceErrorOf("").substr(0, 40), "t.csv:1: expected a header line time,rep");
}

TEST(TraceReaderErrors, WrongMagic)
{
    EXPECT_EQ(TraceErrorOf("# nfsrdma-trace 2\n" + TraceColumnLine()),
              "t.csv:1: expected the line '# nfsrdma-trace 1', found '# nfsrdma-trace 2'");
    EXPECT_EQ(TraceErrorOf(TraceColumnLine()),
              "t.csv:1: expected the line '# nfsrdma-trace 1', found nothing");
}

TEST(TraceReaderErrors, IsOneLineWhateverTheFileSays)
{
    EXPECT_EQ(TraceErrorOf("\"ti\nme\"\n").substr(0, 37), "t.csv:1: column 'ti?me': expected one");
}

TEST(TraceReaderErrors, NoClient)
{
    EXPECT_EQ(TraceErrorOf("# nfsrdma-trace 1\n" + TraceColumnLine()),
              "t.csv: expected a line '# client=0 address=... machine=...', found nothing");
}

TEST(TraceReaderErrors, ClientsOutOfOrder)
{
    EXPECT_EQ(TraceErrorOf("# nfsrdma-trace 1\n# client=1 address=a machine=m uid=0 gid=0 gids=\n" +
                           TraceColumnLine()),
              "t.csv:2: column 'client': expected client=0, found '1'");
}

TEST(TraceReaderErrors, ClientWithoutMachine)
{
    EXPECT_EQ(TraceErrorOf("# nfsrdma-trace 1\n# client=0 address=a uid=0 gid=0 gids=\n" +
                           TraceColumnLine()),
              "t.csv:2: column 'machine': expected 'machine=' in this line, found nothing");
}

TEST(TraceReaderErrors, BadGroup)
{
    EXPECT_EQ(
        TraceErrorOf("# nfsrdma-trace 1\n# client=0 address=a machine=m uid=0 gid=0 gids=4,x\n" +
                     TraceColumnLine()),
        "t.csv:2: column 'gids': expected an unsigned number not above 4294967295, found 'x'");
}

TEST(TraceReaderErrors, BadHandleOctets)
{
    EXPECT_EQ(
        TraceErrorOf("# nfsrdma-trace 1\n# handle_octets root=65 other=16\n" + TraceColumnLine()),
        "t.csv:2: column 'root': expected an unsigned number not above 64, found '65'");
    EXPECT_EQ(
        TraceErrorOf("# nfsrdma-trace 1\n# handle_octets root=7 other=16\n" + TraceColumnLine()),
        "t.csv:2: column 'root': expected 0, when it is not known, or 8 at least, found '7'");
    EXPECT_EQ(
        TraceErrorOf("# nfsrdma-trace 1\n# handle_octets root=0 other=15\n" + TraceColumnLine()),
        "t.csv:2: column 'other': expected 0, when it is not known, or 16 at least, found '15'");
}

TEST(TraceReaderErrors, MissingColumn)
{
    std::string columns = TraceColumnLine();
    columns.erase(columns.find("guard,"), 6);
    EXPECT_EQ(TraceErrorOf(TRACE_HEADER + columns),
              "t.csv:6: column 'guard': expected this column in the header, found nothing");
}

TEST(TraceReaderErrors, UnknownColumn)
{
    std::string columns = TraceColumnLine();
    columns.insert(0, "colour,");
    const auto error = TraceErrorOf(TRACE_HEADER + columns);
    EXPECT_EQ(error.substr(0, 50), "t.csv:6: column 'colour': expected one of time,rep");
    EXPECT_EQ(error.substr(error.size() - 16), ", found 'colour'");
}

TEST(TraceReaderErrors, ColumnTwice)
{
    EXPECT_EQ(TraceErrorOf(TRACE_HEADER + "time,time\n"),
              "t.csv:6: column 'time': expected each column once, found 'time'");
}

TEST(TraceReaderErrors, WrongNumberOfFields)
{
    EXPECT_EQ(TraceErrorOf(TRACE_HEADER + TraceColumnLine() + "1,2,3\n"),
              "t.csv:7: expected 38 fields, found '3'");
}

TEST(TraceReaderErrors, QuoteNotClosed)
{
    EXPECT_EQ(TraceErrorOf(TRACE_HEADER + TraceColumnLine() + "1,\"2\n3\n"),
              "t.csv:7: expected a closing quote for the quoted field that begins here, found "
              "nothing");
}

TEST(TraceReaderErrors, TextAfterQuote)
{
    EXPECT_EQ(TraceErrorOf(TRACE_HEADER + TraceColumnLine() + "\"1\"x,2\n"),
              "t.csv:7: expected a comma or the end of the line after a closing quote, found 'x'");
}

TEST(TraceReaderErrors, QuoteInsideField)
{
    EXPECT_EQ(TraceErrorOf(TRACE_HEADER + TraceColumnLine() + "1x\"\n"),
              "t.csv:7: expected a field with a quote in it to be quoted as a whole, found '\"'");
}

struct BadRow
{
    const char* name;
    TraceFields fields;
    const char* error;
};

class TraceReaderRowErrors : public ::testing::TestWithParam<BadRow>
{
};

TEST_P(TraceReaderRowErrors, NamesLineAndColumn)
{
    const std::string good = TraceLine({{"operation", "NULL"}});
    EXPECT_EQ(TraceErrorOf(TRACE_HEADER + TraceColumnLine() + good + TraceLine(GetParam().fields)),
              std::string("t.csv:8: ") + GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    TraceReaderRowErrors,
    ::testing::Values(
        BadRow{"Time",
               {{"operation", "NULL"}, {"time", "soon"}},
               "column 'time': expected seconds as 1.000000000, found 'soon'"},
        BadRow{"TimeTooFine",
               {{"operation", "NULL"}, {"time", "1.0000000001"}},
               "column 'time': expected seconds as 1.000000000, found '1.0000000001'"},
        BadRow{"TimeBackwards",
               {{"operation", "NULL"}, {"time", "1.4"}},
               "column 'time': expected a time not before that of the row above, found '1.4'"},
        BadRow{"ReplyTime",
               {{"operation", "NULL"}, {"reply_time", "1.4"}},
               "column 'reply_time': expected a time not before the call's, found '1.4'"},
        BadRow{"Client",
               {{"operation", "NULL"}, {"client", "2"}},
               "column 'client': expected an unsigned number not above 1, found '2'"},
        BadRow{"Program",
               {{"operation", "NULL"}, {"program", ""}},
               "column 'program': expected the name of a program, as NFS3, found nothing"},
        BadRow{"Operation",
               {{"operation", ""}},
               "column 'operation': expected the name of an operation, as GETATTR, found nothing"},
        BadRow{"Object",
               {{"operation", "GETATTR"}},
               "column 'object': expected an object, which GETATTR needs, found nothing"},
        BadRow{"Name",
               {{"operation", "LOOKUP"}, {"object", "root"}},
               "column 'name': expected a name, which LOOKUP needs, found nothing"},
        BadRow{"Object2",
               {{"operation", "RENAME"}, {"object", "root"}, {"name", "a"}},
               "column 'object2': expected an object, which RENAME needs, found nothing"},
        BadRow{"Name2",
               {{"operation", "LINK"}, {"object", "o1"}, {"object2", "root"}},
               "column 'name2': expected a name, which LINK needs, found nothing"},
        BadRow{"Offset",
               {{"operation", "READ"}, {"object", "o1"}, {"count", "1"}},
               "column 'offset': expected an unsigned number not above 18446744073709551615, "
               "found nothing"},
        BadRow{"Count",
               {{"operation", "READ"}, {"object", "o1"}, {"offset", "0"}, {"count", "4294967296"}},
               "column 'count': expected an unsigned number not above 4294967295, found "
               "'4294967296'"},
        BadRow{"Stable",
               {{"operation", "WRITE"},
                {"object", "o1"},
                {"offset", "0"},
                {"count", "1"},
                {"stable", "MAYBE"}},
               "column 'stable': expected UNSTABLE or DATA_SYNC or FILE_SYNC, found 'MAYBE'"},
        BadRow{"How",
               {{"operation", "CREATE"}, {"object", "root"}, {"name", "a"}},
               "column 'how': expected UNCHECKED or GUARDED or EXCLUSIVE, found nothing"},
        BadRow{"Mode",
               {{"operation", "MKDIR"}, {"object", "root"}, {"name", "a"}, {"mode", "0800"}},
               "column 'mode': expected an octal mode not above 7777, found '0800'"},
        BadRow{"Uid",
               {{"operation", "SETATTR"}, {"object", "o1"}, {"uid", "-1"}},
               "column 'uid': expected an unsigned number not above 4294967295, found '-1'"},
        BadRow{"Gid",
               {{"operation", "SETATTR"}, {"object", "o1"}, {"gid", "x"}},
               "column 'gid': expected an unsigned number not above 4294967295, found 'x'"},
        BadRow{"Size",
               {{"operation", "SETATTR"}, {"object", "o1"}, {"size", "1k"}},
               "column 'size': expected an unsigned number not above 18446744073709551615, found "
               "'1k'"},
        BadRow{"Atime",
               {{"operation", "SETATTR"}, {"object", "o1"}, {"atime", "now"}},
               "column 'atime': expected nothing, 'server' or seconds as 1.000000000, found 'now'"},
        BadRow{"Mtime",
               {{"operation", "SETATTR"}, {"object", "o1"}, {"mtime", "4294967296"}},
               "column 'mtime': expected nothing, 'server' or seconds as 1.000000000, found "
               "'4294967296'"},
        BadRow{"Guard",
               {{"operation", "SETATTR"}, {"object", "o1"}, {"guard", "server"}},
               "column 'guard': expected nothing or seconds as 1.000000000, found 'server'"},
        BadRow{"Access",
               {{"operation", "ACCESS"}, {"object", "o1"}, {"access", "rw"}},
               "column 'access': expected a hexadecimal mask, which ACCESS needs, found 'rw'"},
        BadRow{"Cookie",
               {{"operation", "READDIR"}, {"object", "o1"}, {"cookie", "5"}, {"maxcount", "1"}},
               "column 'cookie': expected start or next, found '5'"},
        BadRow{
            "Maxcount",
            {{"operation", "READDIR"}, {"object", "o1"}, {"cookie", "start"}},
            "column 'maxcount': expected an unsigned number not above 4294967295, found nothing"},
        BadRow{
            "Dircount",
            {{"operation", "READDIRPLUS"},
             {"object", "o1"},
             {"cookie", "start"},
             {"maxcount", "1"}},
            "column 'dircount': expected an unsigned number not above 4294967295, found nothing"},
        BadRow{"Target",
               {{"operation", "SYMLINK"}, {"object", "root"}, {"name", "a"}},
               "column 'target': expected a path, which SYMLINK needs, found nothing"},
        BadRow{"Spec",
               {{"operation", "MKNOD"}, {"object", "root"}, {"name", "a"}, {"spec", "CHR:1"}},
               "column 'spec': expected FIFO, SOCK, CHR:major:minor or BLK:major:minor, found "
               "'CHR:1'"},
        BadRow{"Status",
               {{"operation", "NULL"}, {"status", "FINE"}},
               "column 'status': expected an nfsstat3 by name (NFS3_OK, NFS3ERR_NOENT, ...) or "
               "number, found 'FINE'"},
        BadRow{
            "ResultCount",
            {{"operation", "NULL"}, {"result_count", "x"}},
            "column 'result_count': expected an unsigned number not above 4294967295, found 'x'"},
        BadRow{"ResultEof",
               {{"operation", "NULL"}, {"result_eof", "yes"}},
               "column 'result_eof': expected 0 or 1, found 'yes'"},
        BadRow{"ResultEntries",
               {{"operation", "NULL"}, {"result_entries", "x"}},
               "column 'result_entries': expected an unsigned number not above 4294967295, found "
               "'x'"},
        BadRow{"CallOctets",
               {{"operation", "NULL"}, {"call_octets", "x"}},
               "column 'call_octets': expected an unsigned number not above 18446744073709551615, "
               "found 'x'"},
        BadRow{"ReplyOctets",
               {{"operation", "NULL"}, {"reply_octets", "x"}},
               "column 'reply_octets': expected an unsigned number not above "
               "18446744073709551615, found 'x'"}),
    [](const auto& bad) { return std::string(bad.param.name); });

TEST(TraceReaderError, HandlesOfVersion2HaveRoom)
{
    std::string header = TRACE_HEADER;
    header.replace(header.find("other=16"), 8, "other=36");
    const auto row = TraceLine({{"program", "NFS2"}, {"operation", "NULL"}});
    EXPECT_EQ(TraceErrorOf(header + TraceColumnLine() + row),
              "t.csv: expected handles of 32 octets at most with rows of NFS2, found '36'");
}

} // namespace ns3::nfsrdma::test
