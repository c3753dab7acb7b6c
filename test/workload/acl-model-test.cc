/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/acl-model.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

class AclModelTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_state.tree.Bind(m_state.tree.Create(ReferenceTree::ROOT, "f", Ftype3::REG), m_file);
    }

    /// \return whether it is right that a GETACL which begins now gives this access list.
    bool IsRight(const PosixAcl& access)
    {
        return m_acls.CheckAcls(m_file,
                                m_acls.GetAclVersion(m_file),
                                {true, access},
                                {true, PosixAcl()});
    }

    ContentState m_state{1};
    AclModel m_acls{m_state};
    ByteVector m_file{2};
    PosixAcl m_minimal{MakeMinimalAcl(0640)};
    PosixAcl m_named{{PosixAclTag::USER_OBJ, 0, 6},
                     {PosixAclTag::USER, 1000, 4},
                     {PosixAclTag::GROUP_OBJ, 0, 4},
                     {PosixAclTag::MASK, 0, 6},
                     {PosixAclTag::OTHER, 0, 0}};
};

TEST_F(AclModelTest, ListsAreWhatWasSet)
{
    EXPECT_FALSE(m_acls.IsDirectory(m_file));
    EXPECT_TRUE(IsRight(m_minimal)) << "the mode says it all";
    m_acls.EndAclChange(m_acls.BeginSetAcls(m_file, m_named, PosixAcl()), ChangeOutcome::DONE);
    EXPECT_TRUE(IsRight(m_named));
    EXPECT_FALSE(IsRight(m_minimal));
    m_acls.EndAclChange(m_acls.BeginSetMode(m_file, 0600), ChangeOutcome::DONE);
    EXPECT_FALSE(IsRight(m_named)) << "its mask is another";
    EXPECT_EQ(m_state.reads.mismatches, 2U);
}

TEST_F(AclModelTest, ChangesOutstandingTogetherLeaveThemOpen)
{
    const auto one = m_acls.BeginSetAcls(m_file, m_named, PosixAcl());
    EXPECT_TRUE(IsRight(m_minimal)) << "a change is outstanding";
    const auto other = m_acls.BeginSetAcls(m_file, m_minimal, PosixAcl());
    EXPECT_EQ(m_acls.GetActiveCount(), 2U);
    m_acls.EndAclChange(one, ChangeOutcome::DONE);
    m_acls.EndAclChange(other, ChangeOutcome::DONE);
    EXPECT_TRUE(IsRight(m_named));
    EXPECT_TRUE(IsRight(m_minimal));
    EXPECT_EQ(m_state.reads.accessLists, 0U);
}

TEST_F(AclModelTest, WhatIsNoListCannotBeSet)
{
    m_acls.EndAclChange(m_acls.BeginSetAcls(m_file, std::nullopt, PosixAcl()), ChangeOutcome::DONE);
    EXPECT_EQ(m_state.reads.mismatches, 1U);
    EXPECT_EQ(m_acls.BeginSetMode(ByteVector{9}, 0600), NO_CONTENT_TOKEN);
}

} // namespace ns3::nfsrdma::test
