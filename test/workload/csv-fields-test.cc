/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/csv-fields.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

namespace
{

const std::vector<std::string> COLUMNS{"name", "count", "mode"};

/// The fields of line 12 of trace.csv.
class CsvFieldsTest : public testing::Test
{
  protected:
    CsvFields& Read(std::vector<std::string> fields)
    {
        m_record = {12, std::move(fields)};
        return m_fields.emplace(m_file, COLUMNS, m_record);
    }

    const std::string m_file{"trace.csv"};
    CsvRecord m_record;
    std::optional<CsvFields> m_fields;
};

TEST_F(CsvFieldsTest, FieldsAreReadByColumn)
{
    CsvFields& fields = Read({"a", "4294967295", "0640"});
    EXPECT_EQ(fields.Required(0, "a name"), "a");
    EXPECT_EQ(fields.Number32(1), 4294967295U);
    EXPECT_EQ(fields.Mode(2), 0640U);
    EXPECT_TRUE(fields.Ok());
}

TEST_F(CsvFieldsTest, WhatIsEmptyIsNothingUnlessItMustBeThere)
{
    CsvFields& fields = Read({"", "", ""});
    EXPECT_TRUE(fields.IsEmpty(0));
    EXPECT_FALSE(fields.Number(1));
    EXPECT_FALSE(fields.Mode(2));
    EXPECT_TRUE(fields.Ok());
    fields.Required(0, "a name");
    ASSERT_FALSE(fields.Ok());
    EXPECT_EQ(fields.GetError().Describe(),
              "trace.csv:12: column 'name': expected a name, found nothing");
}

TEST_F(CsvFieldsTest, TheFirstErrorIsKept)
{
    CsvFields& fields = Read({"a", "4294967296", "0888"});
    EXPECT_FALSE(fields.Number32(1));
    EXPECT_FALSE(fields.Mode(2));
    EXPECT_EQ(fields.GetError().column, "count");
    EXPECT_EQ(fields.GetError().line, 12U);
    EXPECT_EQ(fields.GetError().found, "4294967296");
    EXPECT_EQ(fields.GetError().expected, "an unsigned number not above 4294967295");
}

TEST_F(CsvFieldsTest, ANumberIsAllDigitsWithinItsBound)
{
    for (const std::string text : {"-1", "1 ", "0x1", "1.0", "11"})
    {
        CsvFields& fields = Read({"a", text, ""});
        EXPECT_EQ(fields.RequiredNumber(1, 10), 0U) << text;
        EXPECT_FALSE(fields.Ok()) << text;
    }
    EXPECT_EQ(Read({"a", "10", ""}).RequiredNumber(1, 10), 10U);
}

TEST_F(CsvFieldsTest, AModeIsOctalWithinItsTwelveBits)
{
    EXPECT_EQ(Read({"a", "", "7777"}).Mode(2), 07777U);
    for (const std::string text : {"10000", "8", "rwx"})
    {
        CsvFields& fields = Read({"a", "", text});
        EXPECT_FALSE(fields.Mode(2)) << text;
        EXPECT_FALSE(fields.Ok()) << text;
    }
}

TEST(CsvFieldTexts, SecondsHaveNineDecimalsAtMost)
{
    EXPECT_EQ(ParseSeconds("0"), 0);
    EXPECT_EQ(ParseSeconds("12.5"), 12500000000);
    EXPECT_EQ(ParseSeconds("0.000000001"), 1);
    EXPECT_FALSE(ParseSeconds("0.0000000001"));
    EXPECT_FALSE(ParseSeconds("1."));
    EXPECT_FALSE(ParseSeconds(".5"));
    EXPECT_FALSE(ParseSeconds("-1"));
    EXPECT_FALSE(ParseSeconds("9223372036854775807")) << "more than a Time holds";
}

TEST(CsvFieldTexts, PartsBetweenSeparators)
{
    using Parts = std::vector<std::string_view>;
    EXPECT_EQ(Split("", ';'), Parts());
    EXPECT_EQ(Split("a", ';'), Parts{"a"});
    EXPECT_EQ(Split("a;b;", ';'), (Parts{"a", "b", ""}));
    EXPECT_EQ(Split(";b", ';'), (Parts{"", "b"}));
}

} // namespace
} // namespace ns3::nfsrdma::test
