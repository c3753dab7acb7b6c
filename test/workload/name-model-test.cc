/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/name-model.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

class NameModelTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_state.tree.Bind(ReferenceTree::ROOT, m_root);
    }

    ContentToken Begin(const std::string& name)
    {
        return m_names.BeginNames({{m_root, name}});
    }

    void Make(const std::string& name, Ftype3 type, const ByteVector& handle)
    {
        m_names.EndMake(Begin(name), ChangeOutcome::DONE, type, OptionalHandle(handle), {});
    }

    ReferenceId Find(const std::string& name) const
    {
        return m_state.tree.Lookup(ReferenceTree::ROOT, name);
    }

    bool IsOpen(const std::string& name) const
    {
        return m_state.tree.Find(ReferenceTree::ROOT)->uncertainNames.count(name) != 0;
    }

    ContentState m_state{1};
    OctetModel m_octets{m_state};
    ListingModel m_listings{m_state};
    NameModel m_names{m_state, m_octets, m_listings};
    ByteVector m_root{1};
    ByteVector m_file{2};
    ByteVector m_dir{3};
};

TEST_F(NameModelTest, NamesComeAndGo)
{
    Make("d", Ftype3::DIR, m_dir);
    m_names.EndCreate(m_names.BeginCreate({m_root, "f"}, CreateMode3::GUARDED, 5),
                      ChangeOutcome::DONE,
                      OptionalHandle(m_file));
    const ReferenceId file = Find("f");
    EXPECT_EQ(m_state.tree.Find(file)->content->GetSize(), 5U);
    m_names.EndLink(Begin("g"), ChangeOutcome::DONE, m_file);
    EXPECT_EQ(Find("g"), file);
    m_names.EndRemove(Begin("g"), ChangeOutcome::REFUSED);
    EXPECT_EQ(Find("g"), file);
    m_names.EndRemove(Begin("g"), ChangeOutcome::DONE);
    EXPECT_EQ(Find("g"), ReferenceTree::NONE);
    m_names.EndRename(m_names.BeginNames({{m_root, "f"}, {m_dir, "h"}}), ChangeOutcome::DONE);
    EXPECT_EQ(m_state.tree.GetPath(file), "d/h");
    EXPECT_EQ(m_names.GetActiveCount(), 0U);
}

TEST_F(NameModelTest, WhatIsChangedTogetherIsLeftOpen)
{
    Make("d", Ftype3::DIR, m_dir);
    const ContentToken one = Begin("d");
    const ContentToken other = Begin("d");
    m_names.EndRemove(one, ChangeOutcome::DONE);
    EXPECT_TRUE(IsOpen("d"));
    m_names.EndRemove(other, ChangeOutcome::REFUSED);
    EXPECT_FALSE(IsOpen("d")) << "the other one has changed nothing";
    const ContentToken third = Begin("d");
    const ContentToken fourth = Begin("d");
    m_names.EndRemove(third, ChangeOutcome::DONE);
    m_names.EndRemove(fourth, ChangeOutcome::DONE);
    EXPECT_TRUE(IsOpen("d"));
    m_names.EndRemove(Begin("x"), ChangeOutcome::UNKNOWN);
    EXPECT_TRUE(IsOpen("x"));
}

TEST_F(NameModelTest, ACreateMayCutAFile)
{
    m_names.EndCreate(m_names.BeginCreate({m_root, "f"}, CreateMode3::GUARDED, 5),
                      ChangeOutcome::DONE,
                      OptionalHandle(m_file));
    const auto token = m_names.BeginCreate({m_root, "f"}, CreateMode3::UNCHECKED, 2);
    EXPECT_EQ(m_octets.GetActiveCount(), 1U);
    m_names.EndCreate(token, ChangeOutcome::DONE, OptionalHandle(m_file));
    EXPECT_EQ(m_octets.GetActiveCount(), 0U);
    EXPECT_EQ(m_state.tree.Find(Find("f"))->content->GetSize(), 2U);
}

} // namespace ns3::nfsrdma::test
