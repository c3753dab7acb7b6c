/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/directory.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace ns3::nfsrdma::test
{

namespace
{

constexpr InodeNumber SELF = 7;
constexpr InodeNumber PARENT = 2;

using Listed = std::vector<std::pair<uint64_t, std::string>>;

/// \return cookies and names after \p cookie.
Listed
ListAfter(const Directory& directory, uint64_t cookie)
{
    Listed listed;
    for (auto it = directory.After(cookie); it != directory.GetEntries().end(); ++it)
    {
        listed.emplace_back(it->first, it->second.name);
    }
    return listed;
}

TEST(DirectoryTest, ANewOneHasItselfAndItsParent)
{
    const Directory directory(SELF, PARENT);
    EXPECT_TRUE(directory.IsEmpty());
    EXPECT_EQ(directory.GetCount(), 2U);
    EXPECT_EQ(directory.Find("."), SELF);
    EXPECT_EQ(directory.Find(".."), PARENT);
    EXPECT_EQ(ListAfter(directory, 0), (Listed{{1, "."}, {2, ".."}}));
    EXPECT_EQ(directory.GetStoredOctets(), 24U);
}

TEST(DirectoryTest, CookiesStayTheirEntriesOwn)
{
    Directory directory(SELF, PARENT);
    directory.Insert("b", 10);
    directory.Insert("a", 11);
    directory.Insert("c", 12);
    EXPECT_EQ(ListAfter(directory, 2), (Listed{{3, "b"}, {4, "a"}, {5, "c"}}));
    directory.Remove("a");
    EXPECT_EQ(ListAfter(directory, 4), (Listed{{5, "c"}})) << "a listing goes on behind it";
    directory.Insert("a", 13);
    EXPECT_EQ(ListAfter(directory, 2), (Listed{{3, "b"}, {5, "c"}, {6, "a"}}));
    EXPECT_EQ(directory.Find("a"), 13U);
    EXPECT_FALSE(directory.IsEmpty());
}

TEST(DirectoryTest, TheLastEntrysCookieIsNotGivenAgain)
{
    Directory directory(SELF, PARENT);
    directory.Insert("a", 10);
    directory.Remove("a");
    EXPECT_TRUE(directory.IsEmpty());
    directory.Insert("b", 11);
    EXPECT_EQ(ListAfter(directory, 2), (Listed{{4, "b"}}));
}

TEST(DirectoryTest, AnEntryThatNamesAnotherInodeKeepsItsPlace)
{
    Directory directory(SELF, PARENT);
    directory.Insert("a", 10);
    directory.Insert("b", 11);
    directory.Replace("a", 12);
    EXPECT_EQ(directory.Find("a"), 12U);
    EXPECT_EQ(ListAfter(directory, 2), (Listed{{3, "a"}, {4, "b"}}));
    directory.SetParent(99);
    EXPECT_EQ(directory.GetParent(), 99U);
    EXPECT_EQ(directory.Find(".."), 99U);
}

TEST(DirectoryTest, StoredOctetsGoWithTheEntries)
{
    Directory directory(SELF, PARENT);
    const uint64_t empty = directory.GetStoredOctets();
    directory.Insert("four", 10);
    EXPECT_EQ(directory.GetStoredOctets(), empty + 12);
    directory.Insert("fives", 11);
    EXPECT_EQ(directory.GetStoredOctets(), empty + 12 + 16);
    directory.Remove("four");
    EXPECT_EQ(directory.GetStoredOctets(), empty + 16);
}

} // namespace
} // namespace ns3::nfsrdma::test
