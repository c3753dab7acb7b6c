/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/file-system-fixture.h"

namespace ns3::nfsrdma::test
{

class FileDataTest : public FileSystemFixture
{
};

TEST_F(FileDataTest, ReadsAreCutAtTheEnd)
{
    const InodeNumber file = AddFile("f", {0644, 1, 1});
    EXPECT_EQ(Write(file, 0, 10, m_user), Nfs3Status::OK);
    const auto inside = m_data.PrepareRead(file, 2, 4, m_user);
    EXPECT_EQ(inside->count, 4U);
    EXPECT_FALSE(inside->eof);
    const auto across = m_data.PrepareRead(file, 8, 4, m_user);
    EXPECT_EQ(across->count, 2U);
    EXPECT_TRUE(across->eof);
    EXPECT_EQ(m_data.PrepareRead(file, 11, 4, m_user)->count, 0U);
    EXPECT_EQ(m_data.PrepareRead(m_root, 0, 4, m_user).error(), Nfs3Status::ISDIR);
    EXPECT_EQ(m_data.ReadLink(file), tl::make_unexpected(Nfs3Status::INVAL));
}

TEST_F(FileDataTest, WritesAreLimited)
{
    const InodeNumber file = AddFile("f", {0644, 1, 1});
    EXPECT_EQ(Write(file, m_settings.maxFileSize, 1, m_user), Nfs3Status::FBIG);
    EXPECT_EQ(Write(file, 0, 63 * 4096 + 1, m_user), Nfs3Status::NOSPC);
    EXPECT_EQ(Write(file, 0, 63 * 4096, m_user), Nfs3Status::OK);
    EXPECT_EQ(Write(file, 0, 4096, m_user), Nfs3Status::OK) << "in place";
    EXPECT_EQ(m_data.Allocate(file, 63 * 4096, 1, m_user), Nfs3Status::NOSPC);
    EXPECT_EQ(m_data.CheckCommit(file, FileCredential{2, 2, {}}), Nfs3Status::ACCES);
}

TEST_F(FileDataTest, HolesAreFound)
{
    const InodeNumber file = AddFile("f", {0644, 1, 1});
    EXPECT_EQ(m_data.Allocate(file, 0, 4 * 4096, m_user), Nfs3Status::OK);
    EXPECT_EQ(m_data.FindData(file, 0), std::nullopt);
    EXPECT_EQ(Write(file, 4096, 4096, m_user), Nfs3Status::OK);
    EXPECT_EQ(m_data.FindData(file, 0), 4096U);
    EXPECT_EQ(m_data.FindHole(file, 4096), 8192U);
    EXPECT_EQ(m_data.Deallocate(file, 0, 8192, m_user), Nfs3Status::OK);
    EXPECT_EQ(m_data.FindData(file, 0), std::nullopt);
    EXPECT_EQ(m_system.Get(file).attributes.size, 4U * 4096);
    EXPECT_EQ(m_system.Get(file).attributes.used, 0U);
}

TEST_F(FileDataTest, CopiesAndWipes)
{
    const InodeNumber from = AddFile("from", {0644, 1, 1});
    const InodeNumber to = AddFile("to", {0644, 1, 1});
    EXPECT_EQ(Write(from, 0, 8, m_user), Nfs3Status::OK);
    EXPECT_EQ(m_data.CopyRange(from, 0, from, 4, 8, m_user), Nfs3Status::INVAL);
    EXPECT_EQ(m_data.CopyRange(from, 0, to, 2, 8, m_user), Nfs3Status::OK);
    m_data.Wipe(to, 5, 100);
    ByteVector octets(20);
    EXPECT_EQ(m_data.ReadContent(to, 0, octets), 10U);
    octets.resize(10);
    EXPECT_EQ(octets, (ByteVector{0, 0, 1, 1, 1, 0, 0, 0, 0, 0}));
}

} // namespace ns3::nfsrdma::test
