/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/files.h"
#include "nfs/v4/server/namespace.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

namespace
{

/// Two exports, as NFSv4 clients see them.
class Nfs4NamespaceTest : public testing::Test
{
  protected:
    static constexpr InodeNumber PSEUDO_ROOT = Nfs4Namespace::PSEUDO_ROOT;

    void TearDown() override
    {
        m_store = nullptr;
        Simulator::Destroy();
    }

    /// \return the status of LOOKUP, which finds nothing.
    Nfs4Status Fail(InodeNumber dir, const std::string& name, const FileCredential& who = {}) const
    {
        const auto found = m_names.Lookup(dir, name, who);
        EXPECT_FALSE(found) << name;
        return found ? Nfs4Status::OK : found.error();
    }

    Ptr<FileStore> m_store{CreateObject<FileStore>()};
    const InodeNumber m_home{m_store->CreateExport("/home")};
    const InodeNumber m_data{m_store->CreateExport("/srv/data")};
    const Nfs4Namespace m_names{*m_store};
    const FileCredential m_superuser{};
};

TEST_F(Nfs4NamespaceTest, ThePseudoRootHasTheExportsAsEntries)
{
    std::vector<std::string> entries;
    for (const auto& entry : m_names.GetExports())
    {
        entries.push_back(entry.name);
    }
    EXPECT_EQ(entries, (std::vector<std::string>{"home", "srv/data"}));
    EXPECT_EQ(m_names.Lookup(PSEUDO_ROOT, "home", m_superuser), m_home);
    EXPECT_EQ(Fail(PSEUDO_ROOT, "data"), Nfs4Status::NOENT);
    const Fattr3 attributes = m_names.GetRootAttributes();
    EXPECT_EQ(attributes.type, Ftype3::DIR);
    EXPECT_EQ(attributes.nlink, 4U);
    EXPECT_EQ(attributes.mode, 0755U);
}

TEST_F(Nfs4NamespaceTest, HandlesLeadBackToWhatTheyStandFor)
{
    const InodeNumber file = m_store->AddFile(m_home, "f", 10);
    for (const InodeNumber number : {PSEUDO_ROOT, m_home, m_data, file})
    {
        EXPECT_EQ(m_names.Resolve(m_names.GetHandle(number)), number);
    }
    EXPECT_FALSE(m_names.GetHandle(PSEUDO_ROOT) == m_names.GetHandle(m_home));
}

TEST_F(Nfs4NamespaceTest, HandlesThatAreNoneAreBad)
{
    const ByteVector tooLong(NFS3_FHSIZE + 4, 1);
    EXPECT_EQ(m_names.Resolve(Nfs4Fh(tooLong)).error(), Nfs4Status::BADHANDLE);
    const ByteVector senseless(28, 0xff);
    EXPECT_EQ(m_names.Resolve(Nfs4Fh(senseless)).error(), Nfs4Status::BADHANDLE);
}

TEST_F(Nfs4NamespaceTest, TheHandleOfARemovedFileIsStale)
{
    const InodeNumber file = m_store->AddFile(m_home, "f", 10);
    const Nfs4Fh handle = m_names.GetHandle(file);
    ASSERT_EQ(m_store->GetNames().Remove(m_home, "f", m_superuser), Nfs3Status::OK);
    EXPECT_EQ(m_names.Resolve(handle).error(), Nfs4Status::STALE);
}

TEST_F(Nfs4NamespaceTest, NamesThatLookupRefuses)
{
    EXPECT_EQ(Fail(m_home, ""), Nfs4Status::INVAL);
    EXPECT_EQ(Fail(m_home, "."), Nfs4Status::BADNAME);
    EXPECT_EQ(Fail(m_home, ".."), Nfs4Status::BADNAME);
    EXPECT_EQ(Fail(m_home, "a/b"), Nfs4Status::BADNAME);
    EXPECT_EQ(Fail(m_home, std::string("a\0b", 3)), Nfs4Status::BADNAME);
    EXPECT_EQ(Fail(m_home, std::string(256, 'n')), Nfs4Status::NAMETOOLONG);
    EXPECT_EQ(Fail(m_home, std::string(255, 'n')), Nfs4Status::NOENT);
    EXPECT_EQ(Nfs4Namespace::CheckName("..."), Nfs4Status::OK);
}

TEST_F(Nfs4NamespaceTest, LookupTellsWhatIsNoDirectory)
{
    const InodeNumber file = m_store->AddFile(m_home, "f", 10);
    const InodeNumber link = m_store->AddSymlink(m_home, "l", "f");
    EXPECT_EQ(Fail(file, "x"), Nfs4Status::NOTDIR);
    EXPECT_EQ(Fail(link, "x"), Nfs4Status::SYMLINK);
    EXPECT_EQ(m_names.Lookup(m_home, "l", m_superuser), link);
}

TEST_F(Nfs4NamespaceTest, LookupNeedsTheRightToSearch)
{
    const InodeNumber closed = m_store->AddDirectory(m_home, "d", {0700, 3, 4});
    const InodeNumber file = m_store->AddFile(closed, "f", 10);
    FileCredential who;
    who.uid = 3;
    EXPECT_EQ(m_names.Lookup(closed, "f", who), file);
    who.uid = 5;
    EXPECT_EQ(Fail(closed, "f", who), Nfs4Status::ACCESS);
    EXPECT_EQ(m_names.LookupParent(closed, who).error(), Nfs4Status::ACCESS);
}

TEST_F(Nfs4NamespaceTest, TheWayUpEndsAtThePseudoRoot)
{
    const InodeNumber dir = m_store->AddDirectory(m_home, "d");
    EXPECT_EQ(m_names.LookupParent(dir, m_superuser), m_home);
    EXPECT_EQ(m_names.LookupParent(m_home, m_superuser), PSEUDO_ROOT);
    EXPECT_EQ(m_names.LookupParent(m_data, m_superuser), PSEUDO_ROOT);
    EXPECT_EQ(m_names.LookupParent(PSEUDO_ROOT, m_superuser).error(), Nfs4Status::NOENT);
}

TEST_F(Nfs4NamespaceTest, StatusesThatOnlyNfs3Has)
{
    EXPECT_EQ(ToNfs4Status(Nfs3Status::NODEV), Nfs4Status::IO);
    EXPECT_EQ(ToNfs4Status(Nfs3Status::REMOTE), Nfs4Status::IO);
    EXPECT_EQ(ToNfs4Status(Nfs3Status::NOT_SYNC), Nfs4Status::NOT_SAME);
    EXPECT_EQ(ToNfs4Status(Nfs3Status::JUKEBOX), Nfs4Status::DELAY);
    EXPECT_EQ(ToNfs4Status(Nfs3Status::STALE), Nfs4Status::STALE);
}

} // namespace
} // namespace ns3::nfsrdma::test
