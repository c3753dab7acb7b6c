/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/content-model.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

/// A directory of two clients with the files "a" to "d"; client 0 lists it.
class ListingModelTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_model.SetShared();
        m_model.SetRoot(m_root);
        for (const char* name : {"a", "b", "c", "d"})
        {
            Make(name);
        }
    }

    void Make(const std::string& name)
    {
        const ByteVector handle(name.begin(), name.end());
        m_model.GetNames().EndCreate(
            m_model.GetNames().BeginCreate({m_root, name}, CreateMode3::GUARDED, std::nullopt),
            ChangeOutcome::DONE,
            HandleView(handle));
    }

    void Remove(const std::string& name)
    {
        m_model.GetNames().EndRemove(m_model.GetNames().BeginNames({{m_root, name}}),
                                     ChangeOutcome::DONE);
    }

    /// A page from \p cookie on. \return false when it is wrong.
    bool List(uint64_t cookie, const std::vector<std::string>& names, uint64_t next, bool eof)
    {
        auto& listings = m_model.GetListings();
        return listings.EndPage(listings.BeginPage(0, m_root, cookie), names, next, eof);
    }

    ContentModel m_model{0};
    ByteVector m_root{1, 2, 3};
};

TEST_F(ListingModelTest, EachNameIsGivenOnce)
{
    EXPECT_TRUE(List(0, {".", "..", "a", "b"}, 4, false));
    EXPECT_TRUE(List(4, {"c", "d"}, 6, true));
    EXPECT_TRUE(List(0, {"a", "b"}, 4, false));
    EXPECT_FALSE(List(4, {"b", "c", "d"}, 6, true));
    EXPECT_EQ(m_model.GetReadCheck().described.at(0).what, "a listing gave 'b' twice");
}

TEST_F(ListingModelTest, NothingIsLeftOut)
{
    EXPECT_TRUE(List(0, {"a"}, 3, false));
    EXPECT_FALSE(List(3, {"c", "d"}, 6, true));
    EXPECT_EQ(m_model.GetReadCheck().described.at(0).what, "a listing left out 'b' and 0 more");
}

TEST_F(ListingModelTest, NothingIsGivenThatIsNotThere)
{
    EXPECT_FALSE(List(0, {"a", "b", "c", "d", "e"}, 7, true));
    Remove("b");
    EXPECT_FALSE(List(0, {"a", "b", "c", "d"}, 6, true));
    EXPECT_EQ(m_model.GetReadCheck().described.at(1).what,
              "a listing gave 'b', which is not there");
}

TEST_F(ListingModelTest, WhatComesOrGoesMeanwhileMayBeGivenOrNot)
{
    for (const bool given : {false, true})
    {
        EXPECT_TRUE(List(0, {"a", "b"}, 4, false));
        Make("e");
        Remove("c");
        EXPECT_TRUE(given ? List(4, {"c", "d", "e"}, 7, true) : List(4, {"d"}, 6, true));
        Make("c");
        Remove("e");
    }
    const auto outstanding = m_model.GetNames().BeginNames({{m_root, "d"}});
    EXPECT_TRUE(List(0, {"a", "b", "c"}, 5, true));
    EXPECT_TRUE(List(0, {"a", "b", "c", "d"}, 6, true));
    m_model.GetNames().EndRemove(outstanding, ChangeOutcome::REFUSED);
    EXPECT_FALSE(List(0, {"a", "b", "c"}, 5, true)) << "a refused REMOVE leaves the name there";
}

TEST_F(ListingModelTest, ANameIsKnownFromWhenAnotherClientFoundIt)
{
    auto& names = m_model.GetNames();
    const ByteVector handle{9};
    const auto make = names.BeginMake({m_root, "dir"}, Ftype3::DIR, "");
    m_model.Bind(m_root, "dir", HandleView(handle));
    const ByteVector inner{10};
    const auto create = names.BeginCreate({handle, "f"}, CreateMode3::GUARDED, std::nullopt);
    names.EndCreate(create, ChangeOutcome::DONE, HandleView(inner));
    names.EndMake(make, ChangeOutcome::DONE, Ftype3::DIR, HandleView(handle), {});
    const auto& tree = m_model.GetTree();
    EXPECT_EQ(tree.GetPath(tree.FindHandle(inner)), "dir/f");
}

TEST_F(ListingModelTest, OfTwoThatMakeOneNameTheRefusedLeavesItCertain)
{
    auto& names = m_model.GetNames();
    const ByteVector handle{9};
    const auto one = names.BeginMake({m_root, "dir"}, Ftype3::DIR, "");
    const auto other = names.BeginMake({m_root, "dir"}, Ftype3::DIR, "");
    names.EndMake(one, ChangeOutcome::DONE, Ftype3::DIR, HandleView(handle), {});
    names.EndMake(other, ChangeOutcome::REFUSED, Ftype3::DIR, std::nullopt, {});
    const auto& tree = m_model.GetTree();
    EXPECT_TRUE(tree.Find(ReferenceTree::ROOT)->uncertainNames.empty());
    EXPECT_EQ(tree.GetPath(tree.FindHandle(handle)), "dir");
}

} // namespace ns3::nfsrdma::test
