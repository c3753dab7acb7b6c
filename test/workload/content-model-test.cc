/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/content-model.h"
#include "workload/check/content-verifier.h"
#include "workload/replay/export-loader.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace ns3::nfsrdma::test
{

namespace
{

/// A model beside a real file store. Operations begin, are carried out by the store at any moment
/// while they are outstanding, and end, in any order.
class ModelTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_tree = *TreeReader::Parse(
            "t",
            "object,parent,name,type,mode,uid,gid,size,target,nlink,acl,default_acl\n"
            "root,,,DIR,0777,0,0,0,,3,,\n"
            "o1,root,d,DIR,0777,0,0,0,,2,,\n"
            "o2,root,f,REG,0666,0,0,10000,,2,,\n"
            "o2,o1,same,REG,0666,0,0,10000,,2,,\n"
            "o3,root,l,LNK,0777,0,0,2,to,1,,\n"
            "o4,o1,p,FIFO,0600,0,0,,,1,,\n");
        m_store = CreateObject<FileStore>();
        m_export = LoadExport(*m_store, "/e", m_tree, CLIENT);
        m_model.Load(m_tree);
        m_root = m_store->GetHandle(m_export.root);
        m_model.SetRoot(m_root);
        m_file = m_store->GetHandle(m_export.inodes.at("o2"));
        m_dir = m_store->GetHandle(m_export.inodes.at("o1"));
        m_model.Bind(m_root, "f", m_file);
        m_model.Bind(m_root, "d", m_dir);
    }

    ContentCheck Verify() const
    {
        return ContentVerifier(m_model.GetTree(), *m_store).Verify(m_export.root);
    }

    void StoreWrite(const ContentPattern& pattern, uint64_t offset, uint32_t count)
    {
        const auto status =
            m_store->GetData().Write(m_export.inodes.at("o2"),
                                     offset,
                                     count,
                                     [&pattern, offset](uint64_t position, MutableByteSpan out) {
                                         pattern.Fill(offset + position, out);
                                     },
                                     {});
        ASSERT_EQ(status, Nfs3Status::OK);
    }

    void StoreSetSize(uint64_t size)
    {
        Sattr3 changes;
        changes.size = size;
        ASSERT_EQ(m_store->GetAttributes().SetAttributes(m_export.inodes.at("o2"),
                                                         changes,
                                                         std::nullopt,
                                                         {}),
                  Nfs3Status::OK);
    }

    /// Ends a READ with what the store holds now.
    bool EndRead(ContentToken token, uint64_t offset, uint32_t count)
    {
        ByteVector octets(count);
        const auto got = m_store->GetData().ReadContent(m_export.inodes.at("o2"), offset, octets);
        const uint64_t size = m_store->Get(m_export.inodes.at("o2")).content->GetSize();
        return m_model.GetOctets().EndRead(
            token,
            static_cast<uint32_t>(got),
            offset + got >= size,
            [&octets](uint32_t position, MutableByteSpan out) {
                std::copy_n(octets.begin() + position, out.size(), out.begin());
            });
    }

    static constexpr uint32_t CLIENT = 3;

    Tree m_tree;
    Ptr<FileStore> m_store;
    LoadedExport m_export;
    ContentModel m_model{CLIENT};
    NfsFh3 m_root;
    NfsFh3 m_dir;
    NfsFh3 m_file;
};

TEST_F(ModelTest, ALoadedExportIsWhatItShouldBe)
{
    const auto check = Verify();
    EXPECT_EQ(check.mismatches, 0U);
    EXPECT_EQ(check.files, 1U);
    EXPECT_EQ(check.directories, 2U);
    EXPECT_EQ(check.symlinks, 1U);
    EXPECT_EQ(check.octets, 10000U);
}

TEST_F(ModelTest, AnotherClientsExportHasOtherContent)
{
    const auto other = LoadExport(*m_store, "/other", m_tree, CLIENT + 1);
    const auto check = ContentVerifier(m_model.GetTree(), *m_store).Verify(other.root);
    ASSERT_EQ(check.mismatches, 1U);
    EXPECT_EQ(check.described[0].path, "d/same");
}

TEST_F(ModelTest, VerifyFindsEveryKindOfDifference)
{
    const FileCredential root;
    m_store->AddFile(m_export.root, "extra", 0);
    ASSERT_EQ(m_store->GetNames().Remove(m_export.root, "l", root), Nfs3Status::OK);
    ASSERT_TRUE(m_store->GetNames().MakeSymlink(m_export.root, "l", "elsewhere", {}, root));
    ASSERT_EQ(m_store->GetNames().Remove(m_export.inodes.at("o1"), "p", root), Nfs3Status::OK);
    m_store->AddDirectory(m_export.inodes.at("o1"), "p");
    ASSERT_EQ(m_store->GetNames().Remove(m_export.root, "f", root), Nfs3Status::OK);
    m_store->AddFile(m_export.root, "f", 0);
    StoreWrite(ContentPattern(1, 1), 5000, 1);
    StoreSetSize(9000);
    std::map<std::string, uint64_t> found;
    for (const auto& mismatch : Verify().described)
    {
        found[mismatch.path + ": " + mismatch.what] = mismatch.offset;
    }
    EXPECT_EQ(
        found,
        (std::map<std::string, uint64_t>{{"d/p: is a DIR, not a FIFO", 0},
                                         {"d/same: has 9000 octets, not 10000", 9000},
                                         {"d/same: holds other octets than were written", 5000},
                                         {"extra: should not be there", 0},
                                         {"f: is no hard link of d/same", 0},
                                         {"l: is a symbolic link to another path", 0}}));
}

TEST_F(ModelTest, VerifyFindsMissingNames)
{
    ASSERT_EQ(m_store->GetNames().Remove(m_export.root, "l", {}), Nfs3Status::OK);
    const auto check = Verify();
    ASSERT_EQ(check.mismatches, 1U);
    EXPECT_EQ(check.described[0].path, "l");
    EXPECT_EQ(check.described[0].what, "is missing");
}

TEST_F(ModelTest, OverlappingWritesLeaveTheirCommonOctetsOpen)
{
    const auto first = m_model.GetOctets().BeginWrite(m_file, 0, 1000);
    const auto second = m_model.GetOctets().BeginWrite(m_file, 600, 1000);
    StoreWrite(second.pattern, 600, 1000);
    StoreWrite(first.pattern, 0, 1000);
    m_model.GetOctets().EndWrite(first.token, ChangeOutcome::DONE, 1000);
    m_model.GetOctets().EndWrite(second.token, ChangeOutcome::DONE, 1000);
    auto check = Verify();
    EXPECT_EQ(check.mismatches, 0U);
    EXPECT_EQ(check.uncertainOctets, 400U);

    const auto third = m_model.GetOctets().BeginWrite(m_file, 500, 600);
    StoreWrite(third.pattern, 500, 600);
    m_model.GetOctets().EndWrite(third.token, ChangeOutcome::DONE, 600);
    check = Verify();
    EXPECT_EQ(check.mismatches, 0U);
    EXPECT_EQ(check.uncertainOctets, 0U);
    EXPECT_EQ(m_model.GetActiveCount(), 0U);
}

TEST_F(ModelTest, ARefusedWriteChangesNothing)
{
    const auto write = m_model.GetOctets().BeginWrite(m_file, 0, 1000);
    m_model.GetOctets().EndWrite(write.token, ChangeOutcome::REFUSED, 0);
    const auto check = Verify();
    EXPECT_EQ(check.mismatches, 0U);
    EXPECT_EQ(check.uncertainOctets, 0U);
}

TEST_F(ModelTest, AShortWriteChangesWhatTheServerSays)
{
    const auto write = m_model.GetOctets().BeginWrite(m_file, 0, 1000);
    StoreWrite(write.pattern, 0, 10);
    m_model.GetOctets().EndWrite(write.token, ChangeOutcome::DONE, 10);
    EXPECT_EQ(Verify().mismatches, 0U);
}

TEST_F(ModelTest, AWriteThatWasNotDoneIsFound)
{
    const auto write = m_model.GetOctets().BeginWrite(m_file, 2000, 1000);
    m_model.GetOctets().EndWrite(write.token, ChangeOutcome::DONE, 1000);
    const auto check = Verify();
    ASSERT_EQ(check.mismatches, 1U);
    EXPECT_GE(check.described[0].offset, 2000U);
    EXPECT_LT(check.described[0].offset, 2010U);
}

TEST_F(ModelTest, AReadBesideAWriteComparesTheRest)
{
    const auto read = m_model.GetOctets().BeginRead(m_file, 0, 1000);
    const auto write = m_model.GetOctets().BeginWrite(m_file, 900, 1000);
    StoreWrite(write.pattern, 900, 1000);
    m_model.GetOctets().EndWrite(write.token, ChangeOutcome::DONE, 1000);
    EXPECT_TRUE(EndRead(read, 0, 1000));
    EXPECT_EQ(m_model.GetReadCheck().octets, 900U);
    EXPECT_EQ(m_model.GetReadCheck().uncertainOctets, 100U);
}

TEST_F(ModelTest, AWrongCountOrEofIsFound)
{
    const auto nothing = [](uint32_t, MutableByteSpan) {};
    EXPECT_FALSE(m_model.GetOctets().EndRead(m_model.GetOctets().BeginRead(m_file, 20000, 10),
                                             0,
                                             false,
                                             nothing));
    EXPECT_TRUE(m_model.GetOctets().EndRead(m_model.GetOctets().BeginRead(m_file, 20000, 10),
                                            0,
                                            true,
                                            nothing));
    EXPECT_FALSE(EndRead(m_model.GetOctets().BeginRead(m_file, 0, 10), 9995, 10));
    EXPECT_FALSE(m_model.GetOctets().EndRead(m_model.GetOctets().BeginRead(m_file, 0, 10),
                                             0,
                                             true,
                                             nothing));
    ASSERT_EQ(m_model.GetReadCheck().described.size(), 4U);
    EXPECT_EQ(m_model.GetReadCheck().described[0].what,
              "READ gave 0 octets with eof 0 of a file of 10000");
}

TEST_F(ModelTest, NamesChangedTogetherAreLeftOpen)
{
    const auto create = m_model.GetNames().BeginCreate({m_root, "n"}, CreateMode3::UNCHECKED, {});
    const auto remove = m_model.GetNames().BeginNames({{m_root, "n"}});
    m_model.GetNames().EndRemove(remove, ChangeOutcome::DONE);
    m_model.GetNames().EndCreate(create, ChangeOutcome::DONE, {});
    const auto check = Verify();
    EXPECT_EQ(check.mismatches, 0U);
    EXPECT_EQ(check.uncertainNames, 1U);
}

TEST_F(ModelTest, CreateCutsAnExistingFile)
{
    const auto create = m_model.GetNames().BeginCreate({m_root, "f"}, CreateMode3::UNCHECKED, 0);
    StoreSetSize(0);
    m_model.GetNames().EndCreate(create, ChangeOutcome::DONE, m_file);
    const auto check = Verify();
    EXPECT_EQ(check.mismatches, 0U);
    EXPECT_EQ(check.octets, 0U);
    EXPECT_EQ(check.files, 1U);
}

TEST_F(ModelTest, CreateWithoutSizeLeavesAnExistingFile)
{
    m_model.GetNames().EndCreate(
        m_model.GetNames().BeginCreate({m_root, "f"}, CreateMode3::UNCHECKED, {}),
        ChangeOutcome::DONE,
        m_file);
    EXPECT_EQ(Verify().mismatches, 0U);
}

TEST_F(ModelTest, OperationsOnUnknownHandlesAreHarmless)
{
    const ByteVector octets{1, 2, 3};
    const NfsFh3 unknown{ByteSpan(octets)};
    const auto write = m_model.GetOctets().BeginWrite(unknown, 0, 10);
    m_model.GetOctets().EndWrite(write.token, ChangeOutcome::DONE, 10);
    EXPECT_TRUE(EndRead(m_model.GetOctets().BeginRead(unknown, 0, 10), 0, 10));
    EXPECT_EQ(m_model.GetReadCheck().uncertainOctets, 10U);
    m_model.GetOctets().EndSetSize(m_model.GetOctets().BeginSetSize(unknown, 5),
                                   ChangeOutcome::DONE);
    m_model.GetNames().EndRemove(m_model.GetNames().BeginNames({{unknown, "x"}}),
                                 ChangeOutcome::DONE);
    m_model.GetNames().EndMake(m_model.GetNames().BeginNames({{unknown, "x"}}),
                               ChangeOutcome::DONE,
                               Ftype3::DIR,
                               {},
                               {});
    m_model.GetNames().EndLink(m_model.GetNames().BeginNames({{m_root, "x"}}),
                               ChangeOutcome::DONE,
                               unknown);
    m_model.GetNames().EndRename(m_model.GetNames().BeginNames({{m_root, "f"}, {unknown, "x"}}),
                                 ChangeOutcome::DONE);
    EXPECT_EQ(Verify().mismatches, 0U);
}

/// Whatever order operations begin, are carried out and end in, nothing that is right is called
/// wrong; with none outstanding together nothing is left open.
TEST_F(ModelTest, RandomConcurrentOperationsAreNeverCalledWrong)
{
    struct Op
    {
        int kind{0};
        ContentToken token{0};
        std::optional<ContentPattern> pattern;
        uint64_t offset{0};
        uint32_t count{0};
        bool carriedOut{false};
        ByteVector octets;
        uint64_t size{0};
    };

    std::mt19937 random(2024);
    const auto draw = [&random](uint64_t limit) { return random() % limit; };
    std::vector<Op> outstanding;
    const InodeNumber inode = m_export.inodes.at("o2");
    for (int step = 0; step < 6000; ++step)
    {
        const uint64_t action = draw(3);
        if (action == 0 && outstanding.size() < 4)
        {
            Op op;
            op.kind = static_cast<int>(draw(8));
            op.offset = draw(12000);
            op.count = static_cast<uint32_t>(1 + draw(3000));
            if (op.kind < 4)
            {
                const auto begin = m_model.GetOctets().BeginWrite(m_file, op.offset, op.count);
                op.token = begin.token;
                op.pattern = begin.pattern;
            }
            else
            {
                op.token = op.kind < 7 ? m_model.GetOctets().BeginRead(m_file, op.offset, op.count)
                                       : m_model.GetOctets().BeginSetSize(m_file, op.offset);
            }
            outstanding.push_back(std::move(op));
            continue;
        }
        if (outstanding.empty())
        {
            continue;
        }
        const auto chosen = static_cast<std::ptrdiff_t>(draw(outstanding.size()));
        Op& op = outstanding[static_cast<std::size_t>(chosen)];
        if (!op.carriedOut)
        {
            op.carriedOut = true;
            op.size = m_store->Get(inode).content->GetSize();
            if (op.kind < 4)
            {
                StoreWrite(*op.pattern, op.offset, op.count);
            }
            else if (op.kind == 7)
            {
                StoreSetSize(op.offset);
            }
            else
            {
                op.octets.resize(op.count);
                op.octets.resize(m_store->GetData().ReadContent(inode, op.offset, op.octets));
            }
            continue;
        }
        if (op.kind < 4)
        {
            m_model.GetOctets().EndWrite(op.token, ChangeOutcome::DONE, op.count);
        }
        else if (op.kind == 7)
        {
            m_model.GetOctets().EndSetSize(op.token, ChangeOutcome::DONE);
        }
        else
        {
            const bool right = m_model.GetOctets().EndRead(
                op.token,
                static_cast<uint32_t>(op.octets.size()),
                op.offset + op.octets.size() >= op.size,
                [&op](uint32_t position, MutableByteSpan out) {
                    std::copy_n(op.octets.begin() + position, out.size(), out.begin());
                });
            ASSERT_TRUE(right) << step << ": " << m_model.GetReadCheck().described.back().what;
        }
        outstanding.erase(outstanding.begin() + chosen);
        if (outstanding.empty())
        {
            const auto check = Verify();
            ASSERT_EQ(check.mismatches, 0U)
                << step << ": " << check.described[0].what << " at " << check.described[0].offset;
        }
    }
    EXPECT_GT(m_model.GetReadCheck().octets, 100000U);
}

TEST_F(ModelTest, RangesThatTheStoreChangesAreFollowed)
{
    const auto inode = m_export.inodes.at("o2");
    const auto extend = m_model.GetOctets().BeginExtend(m_file, 20000);
    EXPECT_EQ(m_store->GetData().Allocate(inode, 15000, 5000, {}), Nfs3Status::OK);
    m_model.GetOctets().EndExtend(extend, ChangeOutcome::DONE);
    const auto zero = m_model.GetOctets().BeginZero(m_file, 1000, 3000);
    EXPECT_EQ(m_store->GetData().Deallocate(inode, 1000, 3000, {}), Nfs3Status::OK);
    m_model.GetOctets().EndZero(zero, ChangeOutcome::DONE);
    const auto copy = m_model.GetOctets().BeginCopy(m_file, 500, m_file, 12000, 6000);
    EXPECT_EQ(m_store->GetData().CopyRange(inode, 500, inode, 12000, 6000, {}), Nfs3Status::OK);
    m_model.GetOctets().EndCopy(copy, ChangeOutcome::DONE, 6000);
    const auto check = Verify();
    EXPECT_EQ(check.mismatches, 0U);
    EXPECT_EQ(check.uncertainOctets, 0U);
    EXPECT_EQ(m_store->GetData().Deallocate(inode, 12000, 10, {}), Nfs3Status::OK);
    EXPECT_EQ(Verify().mismatches, 1U);
}

TEST_F(ModelTest, ChangesOfTheSourceLeaveACopyOpen)
{
    const auto copy = m_model.GetOctets().BeginCopy(m_file, 0, m_file, 20000, 1000);
    const auto write = m_model.GetOctets().BeginWrite(m_file, 100, 50);
    StoreWrite(write.pattern, 100, 50);
    m_model.GetOctets().EndWrite(write.token, ChangeOutcome::DONE, 50);
    EXPECT_EQ(
        m_store->GetData()
            .CopyRange(m_export.inodes.at("o2"), 0, m_export.inodes.at("o2"), 20000, 1000, {}),
        Nfs3Status::OK);
    m_model.GetOctets().EndCopy(copy, ChangeOutcome::DONE, 1000);
    const auto check = Verify();
    EXPECT_EQ(check.mismatches, 0U);
    EXPECT_GE(check.uncertainOctets, 50U);
}

TEST_F(ModelTest, SeekMayPassHolesOnly)
{
    m_model.GetOctets().EndZero(m_model.GetOctets().BeginZero(m_file, 0, 5000),
                                ChangeOutcome::DONE);
    EXPECT_TRUE(m_model.GetOctets().EndSeek(m_model.GetOctets().BeginSeek(m_file, 0), false, 5000));
    EXPECT_TRUE(
        m_model.GetOctets().EndSeek(m_model.GetOctets().BeginSeek(m_file, 6000), true, 10000));
    EXPECT_FALSE(
        m_model.GetOctets().EndSeek(m_model.GetOctets().BeginSeek(m_file, 0), false, 6000));
    EXPECT_FALSE(m_model.GetOctets().EndSeek(m_model.GetOctets().BeginSeek(m_file, 0), true, 7000));
    EXPECT_FALSE(
        m_model.GetOctets().EndSeek(m_model.GetOctets().BeginSeek(m_file, 0), false, std::nullopt));
    EXPECT_FALSE(
        m_model.GetOctets().EndSeek(m_model.GetOctets().BeginSeek(m_file, 0), true, std::nullopt));
    EXPECT_EQ(m_model.GetReadCheck().mismatches, 4U);
}

} // namespace

} // namespace ns3::nfsrdma::test
