/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/file-system-fixture.h"

namespace ns3::nfsrdma::test
{

class ObjectAttributesTest : public FileSystemFixture
{
};

TEST_F(ObjectAttributesTest, SetIdBitsAreDroppedAsOnLinux)
{
    const InodeNumber file = AddFile("f", {06755, 1, 1});
    const FileCredential other{2, 2, {}};
    EXPECT_EQ(Write(file, 0, 1, other), Nfs3Status::ACCES);
    EXPECT_EQ(Write(file, 0, 1, m_superuser), Nfs3Status::OK);
    EXPECT_EQ(m_system.Get(file).attributes.mode, 06755U);
    EXPECT_EQ(Write(file, 0, 1, m_user), Nfs3Status::OK);
    EXPECT_EQ(m_system.Get(file).attributes.mode, 0755U);
    Sattr3 mode;
    mode.mode = 02755;
    EXPECT_EQ(m_attributes.SetAttributes(file, mode, std::nullopt, m_user), Nfs3Status::OK);
    EXPECT_EQ(m_system.Get(file).attributes.mode, 02755U);
    Sattr3 group;
    group.gid = 9;
    EXPECT_EQ(m_attributes.SetAttributes(file, group, std::nullopt, m_superuser), Nfs3Status::OK);
    EXPECT_EQ(m_system.Get(file).attributes.mode, 0755U);
    EXPECT_EQ(m_attributes.SetAttributes(file, mode, std::nullopt, m_user), Nfs3Status::OK);
    EXPECT_EQ(m_system.Get(file).attributes.mode, 0755U) << "the owner is not in the group";
}

TEST_F(ObjectAttributesTest, AccessIsGrantedByMode)
{
    const InodeNumber file = AddFile("f", {0640, 5, 1});
    constexpr uint32_t ALL = ACCESS3_READ | ACCESS3_MODIFY | ACCESS3_EXTEND | ACCESS3_EXECUTE;
    EXPECT_EQ(m_attributes.CheckAccess(file, ALL, m_user), ACCESS3_READ);
    EXPECT_EQ(m_attributes.CheckAccess(file, ACCESS3_MODIFY, m_user), 0U);
    EXPECT_EQ(m_attributes.CheckAccess(m_root, ACCESS3_LOOKUP | ACCESS3_DELETE, m_user),
              ACCESS3_LOOKUP | ACCESS3_DELETE);
}

TEST_F(ObjectAttributesTest, GuardsAndLimitsAreKept)
{
    const InodeNumber file = AddFile("f", {0644, 1, 1});
    Sattr3 size;
    size.size = m_settings.maxFileSize + 1;
    EXPECT_EQ(m_attributes.SetAttributes(file, size, NfsTime3{1, 1}, m_user), Nfs3Status::NOT_SYNC);
    EXPECT_EQ(m_attributes.SetAttributes(file, size, NfsTime3{1000, 0}, m_user), Nfs3Status::FBIG);
    size.size = 7;
    EXPECT_EQ(m_attributes.SetAttributes(m_root, size, std::nullopt, m_user), Nfs3Status::ISDIR);
    EXPECT_EQ(m_attributes.SetAttributes(file, size, std::nullopt, m_user), Nfs3Status::OK);
    EXPECT_EQ(m_attributes.GetWcc(file).size, 7U);
}

TEST_F(ObjectAttributesTest, MinimalListsBecomeTheMode)
{
    const InodeNumber file = AddFile("f", {0600, 1, 1});
    const PosixAcl minimal = MakeMinimalAcl(0640);
    EXPECT_EQ(m_attributes.SetAcls(file, minimal, {}, m_user), Nfs3Status::OK);
    EXPECT_EQ(m_system.Get(file).attributes.mode & 0777, 0640U);
    EXPECT_TRUE(m_system.Get(file).accessAcl.empty());
    EXPECT_EQ(m_attributes.GetAccessAcl(file), minimal);
    EXPECT_EQ(m_attributes.SetAcls(file, {}, minimal, m_user), Nfs3Status::ACCES);
    EXPECT_EQ(m_attributes.SetAcls(file, {}, {}, FileCredential{2, 2, {}}), Nfs3Status::PERM);
}

TEST_F(ObjectAttributesTest, ExtendedAttributesComeAndGo)
{
    const InodeNumber file = AddFile("f", {0644, 1, 1});
    const ByteVector value{1, 2, 3};
    EXPECT_EQ(m_attributes.SetXattr(file, "x", value, true, m_user), Nfs3Status::NOENT);
    EXPECT_EQ(m_attributes.SetXattr(file, "x", value, false, m_user), Nfs3Status::OK);
    EXPECT_EQ(m_attributes.SetXattr(file, "x", value, false, m_user), Nfs3Status::EXIST);
    EXPECT_EQ(m_attributes.SetXattr(file, "y", ByteVector(4097), std::nullopt, m_user),
              Nfs3Status::NOSPC);
    EXPECT_EQ(m_system.Get(file).xattrs.at("x"), value);
    EXPECT_EQ(m_attributes.RemoveXattr(file, "x", m_user), Nfs3Status::OK);
    EXPECT_EQ(m_attributes.RemoveXattr(file, "x", m_user), Nfs3Status::NOENT);
}

} // namespace ns3::nfsrdma::test
