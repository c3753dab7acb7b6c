/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/charts/message-selection.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

TEST(MessageSelectionTest, TakesXidsNamesAndNumbers)
{
    auto selection = MessageSelection::Parse("0x1F, READ, first 2 GETACL").value();
    EXPECT_FALSE(selection.IsEmpty());
    EXPECT_TRUE(selection.Take(0x1f, "WRITE"));
    EXPECT_FALSE(selection.Take(0x1e, "WRITE"));
    EXPECT_TRUE(selection.Take(1, "READ"));
    EXPECT_TRUE(selection.Take(2, "READ"));
    EXPECT_FALSE(selection.Take(2, "SPREAD"));
    EXPECT_TRUE(selection.Take(3, "NFSACL3 GETACL"));
    EXPECT_TRUE(selection.Take(4, "GETACL"));
    EXPECT_FALSE(selection.Take(5, "GETACL"));
}

TEST(MessageSelectionTest, CountsTheFirst)
{
    auto selection = MessageSelection::Parse("first 2").value();
    EXPECT_TRUE(selection.Take(1, "A"));
    EXPECT_TRUE(selection.Take(2, ""));
    EXPECT_FALSE(selection.Take(3, "A"));
}

TEST(MessageSelectionTest, TakesAllOrNone)
{
    EXPECT_TRUE(MessageSelection::Parse("none").value().IsEmpty());
    auto all = MessageSelection::Parse("all").value();
    EXPECT_FALSE(all.IsEmpty());
    for (uint32_t xid = 0; xid < 100; ++xid)
    {
        EXPECT_TRUE(all.Take(xid, ""));
    }
}

TEST(MessageSelectionTest, RefusesTheRest)
{
    for (const auto* text : {"",
                             ",",
                             "read",
                             "0x",
                             "0x123456789",
                             "0xz",
                             "first",
                             "first x",
                             "first 0",
                             "first 3 read",
                             "READ,,WRITE",
                             "none, READ",
                             "first 99999999999999999999"})
    {
        EXPECT_FALSE(MessageSelection::Parse(text)) << text;
    }
}

} // namespace

} // namespace ns3::nfsrdma
