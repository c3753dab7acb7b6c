/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/acl.h"
#include "workload/check/content-model.h"

#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma::test
{

namespace
{

/// As Nfs4FileClient::MapAcls().
std::optional<PosixAclPair>
MapOverNfs4(const PosixAclPair& acls, bool isDirectory)
{
    return MakePosixAcls(MakeNfs4Acl(acls, true), isDirectory);
}

/// What the model of an export expects of access lists that NFSv4 carries.
class AclMappingTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_model.SetRoot(m_root);
        const auto token =
            m_model.GetNames().BeginCreate({m_root, "file"}, CreateMode3::GUARDED, {});
        m_model.GetNames().EndCreate(token, ChangeOutcome::DONE, OptionalHandle(m_file));
        const auto dir = m_model.GetNames().BeginNames({{m_root, "dir"}});
        m_model.GetNames().EndMake(dir,
                                   ChangeOutcome::DONE,
                                   Ftype3::DIR,
                                   OptionalHandle(m_dir),
                                   {});
    }

    void Set(const FileRef& object, const PosixAclPair& acls)
    {
        const auto kept = MapOverNfs4(acls, m_model.GetAcls().IsDirectory(object));
        ASSERT_TRUE(kept);
        const auto token = m_model.GetAcls().BeginSetAcls(object, kept->access, kept->defaultAcl);
        m_model.GetAcls().EndAclChange(token, ChangeOutcome::DONE);
    }

    /// \return whether it is right that a GETATTR gives these lists.
    bool IsRight(const FileRef& object, const PosixAclPair& acls)
    {
        return m_model.GetAcls().CheckAcls(object,
                                           m_model.GetAcls().GetAclVersion(object),
                                           {true, acls.access},
                                           {true, acls.defaultAcl},
                                           MapOverNfs4);
    }

    PosixAcl DrawAcl(uint32_t users, uint32_t groups)
    {
        const auto permissions = [this] { return static_cast<uint32_t>(m_random() % 8); };
        PosixAcl acl;
        acl.push_back({PosixAclTag::USER_OBJ, 0, permissions()});
        for (uint32_t i = 0; i < users; ++i)
        {
            acl.push_back({PosixAclTag::USER, 1000 + i, permissions()});
        }
        acl.push_back({PosixAclTag::GROUP_OBJ, 0, permissions()});
        for (uint32_t i = 0; i < groups; ++i)
        {
            acl.push_back({PosixAclTag::GROUP, 2000 + i, permissions()});
        }
        if (users + groups != 0)
        {
            acl.push_back({PosixAclTag::MASK, 0, permissions()});
        }
        acl.push_back({PosixAclTag::OTHER, 0, permissions()});
        return acl;
    }

    FileRef m_root{{1}};
    FileRef m_file{{2}};
    FileRef m_dir{{3}};
    ContentModel m_model{0};
    std::mt19937_64 m_random{7};
};

TEST_F(AclMappingTest, TypesAreKnown)
{
    EXPECT_TRUE(m_model.GetAcls().IsDirectory(m_root));
    EXPECT_TRUE(m_model.GetAcls().IsDirectory(m_dir));
    EXPECT_FALSE(m_model.GetAcls().IsDirectory(m_file));
    EXPECT_FALSE(m_model.GetAcls().IsDirectory(FileRef{{9}}));
}

TEST_F(AclMappingTest, AMaskIsLostAndThatIsRight)
{
    PosixAcl acl = MakeMinimalAcl(0640);
    acl.insert(acl.begin() + 1, {PosixAclTag::USER, 1000, 4});
    acl.insert(acl.end() - 1, {PosixAclTag::MASK, 0, 7});
    ASSERT_TRUE(IsValidAcl(acl));
    Set(m_file, {acl, {}});
    EXPECT_FALSE(IsRight(m_file, {acl, {}})) << "what was set is not what is kept";
    PosixAcl kept = acl;
    kept[3].permissions = 4;
    EXPECT_TRUE(IsRight(m_file, {kept, {}}));
    kept[1].permissions = 5;
    EXPECT_FALSE(IsRight(m_file, {kept, {}}));
}

TEST_F(AclMappingTest, AListThatAModeSaysIsGivenAsOne)
{
    Set(m_file, {MakeMinimalAcl(0751), {}});
    EXPECT_TRUE(IsRight(m_file, {MakeMinimalAcl(0751), {}}));
    EXPECT_FALSE(IsRight(m_file, {DrawAcl(1, 0), {}}));
}

TEST_F(AclMappingTest, WhatIsKeptIsGivenAsTheMappingOfIt)
{
    for (uint32_t i = 0; i < 2000; ++i)
    {
        const bool isDirectory = i % 2 == 1;
        const FileRef& object = isDirectory ? m_dir : m_file;
        PosixAclPair acls;
        acls.access = DrawAcl(m_random() % 4, m_random() % 4);
        if (isDirectory && m_random() % 2 == 0)
        {
            acls.defaultAcl = DrawAcl(m_random() % 3, m_random() % 3);
        }
        Set(object, acls);
        const auto kept = MapOverNfs4(acls, isDirectory);
        ASSERT_TRUE(kept);
        EXPECT_TRUE(IsValidAcl(kept->access)) << ToString(acls.access);
        const auto given = MapOverNfs4(*kept, isDirectory);
        ASSERT_TRUE(given);
        EXPECT_TRUE(IsRight(object, *given))
            << ToString(acls.access) << " kept as " << ToString(kept->access) << " given as "
            << ToString(given->access);
    }
}

TEST_F(AclMappingTest, FilesHaveNoDefaultList)
{
    EXPECT_FALSE(MapOverNfs4({DrawAcl(0, 0), DrawAcl(0, 0)}, false));
    EXPECT_TRUE(MapOverNfs4({DrawAcl(0, 0), DrawAcl(0, 0)}, true));
}

} // namespace

} // namespace ns3::nfsrdma::test
