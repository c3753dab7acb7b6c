/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/file-system-fixture.h"

namespace ns3::nfsrdma::test
{

class FileNamesTest : public FileSystemFixture
{
  protected:
    FileResult<InodeNumber> Create(const std::string& name, CreateMode3 mode, uint8_t verifier = 0)
    {
        Nfs3Verifier octets{};
        octets[0] = verifier;
        return m_names.Create(m_root, name, mode, {}, octets, m_user);
    }
};

TEST_F(FileNamesTest, ExclusiveCreatesSucceedAgain)
{
    const auto made = Create("f", CreateMode3::EXCLUSIVE, 7);
    EXPECT_EQ(Create("f", CreateMode3::EXCLUSIVE, 7), made);
    EXPECT_EQ(Create("f", CreateMode3::EXCLUSIVE, 8), tl::make_unexpected(Nfs3Status::EXIST));
    EXPECT_EQ(Create("f", CreateMode3::GUARDED), tl::make_unexpected(Nfs3Status::EXIST));
    EXPECT_EQ(Create("f", CreateMode3::UNCHECKED), made);
    const auto other = Create("g", CreateMode3::GUARDED);
    m_names.KeepVerifier(*other, {9});
    EXPECT_EQ(Create("g", CreateMode3::EXCLUSIVE, 9), other);
}

TEST_F(FileNamesTest, NewObjectsInheritTheGroupOfADirectory)
{
    m_system.Get(m_root).attributes.mode = 02777;
    m_system.Get(m_root).attributes.gid = 9;
    const auto dir = m_names.MakeDirectory(m_root, "d", {}, m_user);
    EXPECT_EQ(m_system.Get(*dir).attributes.gid, 9U);
    EXPECT_NE(m_system.Get(*dir).attributes.mode & MODE_SET_GID, 0U);
    EXPECT_EQ(m_names.MakeNode(m_root, "c", Ftype3::CHR, {}, {}, m_user).error(), Nfs3Status::PERM);
    EXPECT_EQ(m_names.MakeSymlink(m_root, "l", "", {}, m_user).error(), Nfs3Status::INVAL);
}

TEST_F(FileNamesTest, StickyDirectoriesKeepTheNamesOfOthers)
{
    ASSERT_TRUE(Create("f", CreateMode3::GUARDED));
    m_system.Get(m_root).attributes.mode = 01777;
    const FileCredential other{2, 2, {}};
    EXPECT_EQ(m_names.Remove(m_root, "f", other), Nfs3Status::ACCES);
    EXPECT_EQ(m_names.Rename(m_root, "f", m_root, "g", other), Nfs3Status::ACCES);
    EXPECT_EQ(m_names.Rename(m_root, "f", m_root, "g", m_user), Nfs3Status::OK);
    EXPECT_EQ(m_names.Remove(m_root, "g", m_user), Nfs3Status::OK);
    EXPECT_EQ(m_gone.size(), 1U);
}

TEST_F(FileNamesTest, DirectoriesMoveWithTheirParents)
{
    const InodeNumber a = *m_names.MakeDirectory(m_root, "a", {}, m_superuser);
    const InodeNumber b = *m_names.MakeDirectory(a, "b", {}, m_superuser);
    EXPECT_EQ(m_system.Get(a).attributes.nlink, 3U);
    EXPECT_EQ(m_names.Rename(m_root, "a", b, "a", m_superuser), Nfs3Status::INVAL);
    EXPECT_EQ(m_names.RemoveDirectory(m_root, "a", m_superuser), Nfs3Status::NOTEMPTY);
    EXPECT_EQ(m_names.Rename(a, "b", m_root, "c", m_superuser), Nfs3Status::OK);
    EXPECT_EQ(m_system.Get(a).attributes.nlink, 2U);
    EXPECT_EQ(m_system.Get(m_root).attributes.nlink, 4U);
    EXPECT_EQ(m_names.Lookup(b, "..", m_superuser), m_root);
    EXPECT_EQ(m_names.RemoveDirectory(m_root, ".", m_superuser), Nfs3Status::INVAL);
    EXPECT_EQ(m_names.RemoveDirectory(m_root, "a", m_superuser), Nfs3Status::OK);
}

TEST_F(FileNamesTest, LinksAreLimited)
{
    const InodeNumber file = *Create("f", CreateMode3::GUARDED);
    for (uint32_t i = 1; i < m_settings.maxLinks; ++i)
    {
        EXPECT_EQ(m_names.Link(file, m_root, "l" + std::to_string(i), m_user), Nfs3Status::OK);
    }
    EXPECT_EQ(m_names.Link(file, m_root, "x", m_user), Nfs3Status::MLINK);
    EXPECT_EQ(m_names.Link(file, m_root, "f", m_user), Nfs3Status::EXIST);
    EXPECT_EQ(m_names.Link(m_root, m_root, "x", m_user), Nfs3Status::ISDIR);
    EXPECT_EQ(m_names.OpenDirectory(file, m_user).error(), Nfs3Status::NOTDIR);
}

} // namespace ns3::nfsrdma::test
