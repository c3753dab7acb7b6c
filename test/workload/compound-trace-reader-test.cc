/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/compound-trace-reader.h"
#include "workload/replay/recorded-compound.h"
#include "workload/replay/trace-reader.h"

#include <gtest/gtest.h>
#include <map>
#include <string>

namespace ns3::nfsrdma::test
{
namespace
{

const std::string COMPOUND_HEADER =
    "# nfsrdma-compounds 1\n"
    "# handle_octets root=8 other=16\n"
    "# client=0 address=10.77.0.2 machine=client uid=0 gid=0 gids=\n";

/// PUTFH of a handle of 4 octets.
const std::string PUTFH = "00000016000000040a0b0c0d";
/// WRITE of 5 octets that are left out: stateid 1, offset 7, FILE_SYNC.
const std::string WRITE = "00000026" + std::string(6, '0') + "01" + std::string(24, '0') +
                          "0000000000000007" + "00000002" + "00000005";

using Fields = std::map<std::string, std::string>;

Fields
WriteRow()
{
    return {{"time", "0.5"},
            {"reply_time", "0.75"},
            {"client", "0"},
            {"program", "NFS4"},
            {"minor", "1"},
            {"operation", "WRITE"},
            {"operations", "PUTFH WRITE"},
            {"object", "o1"},
            {"compound", PUTFH + WRITE},
            {"items", "5:" + std::to_string((PUTFH.size() + WRITE.size()) / 2)},
            {"results", "2"},
            {"result_compound",
             "0000001600000000"
             "0000002600000000"
             "00000005000000020102030405060708"}};
}

std::string
MakeText(const Fields& changed)
{
    Fields fields = WriteRow();
    for (const auto& [name, value] : changed)
    {
        fields[name] = value;
    }
    std::string columns;
    std::string row;
    for (const auto& column : CompoundTraceReader::GetColumns())
    {
        columns += (columns.empty() ? "" : ",") + column;
        row += (row.empty() ? "" : ",") + fields[column];
    }
    return COMPOUND_HEADER + columns + "\n" + row + "\n";
}

std::string
ErrorOf(const Fields& changed)
{
    const auto trace = TraceReader::Parse("t.csv", MakeText(changed));
    return trace ? "no error" : trace.error().Describe();
}

TEST(CompoundTraceReader, ReadsWhatACallAndItsReplyHold)
{
    const auto trace = TraceReader::Parse("t.csv", MakeText({}));
    ASSERT_TRUE(trace) << trace.error().Describe();
    EXPECT_EQ(trace->GetMinorVersion(), 1U);
    ASSERT_EQ(trace->rows.size(), 1U);
    const TraceRow& row = trace->rows[0];
    EXPECT_EQ(row.line, 5U);
    EXPECT_EQ(row.GetName(), "NFS4 WRITE");
    EXPECT_TRUE(trace->CountUnsupported().empty());
    ASSERT_NE(row.compound, nullptr);
    ASSERT_EQ(row.compound->call.ops.size(), 2U);
    const auto& write = std::get<WriteArgs4>(row.compound->call.ops[1]);
    EXPECT_EQ(write.offset, 7U);
    EXPECT_EQ(write.data.length, 5U);
    EXPECT_TRUE(write.data.reduced);
    ASSERT_TRUE(row.compound->reply);
    EXPECT_EQ(std::get<WriteRes4>(row.compound->reply->ops.at(1)).count, 5U);
}

TEST(CompoundTraceReader, KeepsRowsOfOtherPrograms)
{
    const auto trace = TraceReader::Parse(
        "t.csv",
        MakeText({{"program", "MOUNT3"}, {"operation", "MNT"}, {"compound", "nonsense"}}));
    ASSERT_TRUE(trace) << trace.error().Describe();
    EXPECT_EQ(trace->rows[0].compound, nullptr);
    EXPECT_EQ(trace->CountUnsupported(), (std::map<std::string, uint64_t>{{"MOUNT3 MNT", 1}}));
    EXPECT_FALSE(trace->GetMinorVersion());
}

struct BadField
{
    const char* name;
    const char* column;
    std::string value;
    const char* expected;
};

class CompoundTraceReaderErrors : public testing::TestWithParam<BadField>
{
};

TEST_P(CompoundTraceReaderErrors, AreNamedByLineAndColumn)
{
    const std::string error = ErrorOf({{GetParam().column, GetParam().value}});
    EXPECT_NE(error.find("t.csv:5"), std::string::npos) << error;
    EXPECT_NE(error.find(GetParam().column), std::string::npos) << error;
    EXPECT_NE(error.find(GetParam().expected), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(
    All,
    CompoundTraceReaderErrors,
    testing::Values(BadField{"Digits", "compound", "0g", "two digits"},
                    BadField{"OddDigits", "compound", "000", "two digits"},
                    BadField{"Cut", "compound", PUTFH, "the octets of 2 operations"},
                    BadField{"TooMany", "compound", PUTFH + PUTFH + PUTFH, "of 2 operations"},
                    BadField{"Items", "items", "5", "items as 100:60"},
                    BadField{"Minor", "minor", "3", "not above 2"},
                    BadField{"Results", "results", "many", "number"},
                    BadField{"Client", "client", "1", "not above 0"},
                    BadField{"Time", "time", "soon", "seconds"},
                    BadField{"ReplyTime", "reply_time", "0.25", "not before the call"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(CompoundTraceReader, AnyCutOfTheOctetsIsRefused)
{
    const std::string compound = PUTFH + WRITE;
    for (std::size_t length = 0; length < compound.size(); length += 2)
    {
        const std::string error = ErrorOf({{"compound", compound.substr(0, length)}});
        if (length == 0)
        {
            EXPECT_EQ(error, "no error");
            continue;
        }
        EXPECT_NE(error.find("the octets of 2 operations"), std::string::npos) << length;
    }
}

} // namespace
} // namespace ns3::nfsrdma::test
