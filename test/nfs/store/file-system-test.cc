/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/file-system-fixture.h"

namespace ns3::nfsrdma::test
{

class FileSystemTest : public FileSystemFixture
{
};

TEST_F(FileSystemTest, SpaceIsCountedInBlocks)
{
    EXPECT_EQ(m_system.GetUsedBytes(), 4096U) << "the root";
    const InodeNumber file = AddFile("f");
    m_system.Resize(m_system.Get(file), 100000);
    EXPECT_EQ(m_system.GetUsedBytes(), 4096U) << "a hole";
    m_system.SetTarget(m_system.NewChild(m_root, "l", Ftype3::LNK, {}), std::string(60, 'x'));
    EXPECT_EQ(m_system.GetUsedBytes(), 8192U);
    m_system.SetTarget(m_system.NewChild(m_root, "m", Ftype3::LNK, {}), std::string(59, 'x'));
    EXPECT_EQ(m_system.GetUsedBytes(), 8192U) << "within the inode";
    EXPECT_EQ(m_system.GetStatistics().freeBytes, 62U * 4096);
    EXPECT_EQ(m_system.GetStatistics().freeFiles, 6U);
}

TEST_F(FileSystemTest, SizesAndEndsAreTold)
{
    const InodeNumber file = AddFile("f");
    m_system.Resize(m_system.Get(file), 10);
    m_system.Resize(m_system.Get(file), 10);
    m_system.Resize(m_system.Get(file), 3);
    EXPECT_EQ(
        m_sizes,
        (std::vector<std::tuple<InodeNumber, uint64_t, uint64_t>>{{file, 0, 10}, {file, 10, 3}}));
    m_system.AddEntry(m_root, "g", file);
    ++m_system.Get(file).attributes.nlink;
    m_system.DropName(file);
    EXPECT_TRUE(m_gone.empty());
    m_system.DropName(file);
    EXPECT_EQ(m_gone, (std::vector<InodeNumber>{file}));
    EXPECT_EQ(m_system.Find(file), nullptr);
}

TEST_F(FileSystemTest, AccessTimesAreThoseOfRelatime)
{
    const InodeNumber file = AddFile("f");
    const auto touchAt = [this, file](Time when, uint32_t expected) {
        Simulator::Schedule(when, [this, file, expected] {
            m_system.TouchAccessTime(m_system.Get(file));
            EXPECT_EQ(m_system.Get(file).attributes.atime, (NfsTime3{expected, 0}));
        });
    };
    touchAt(Seconds(2), 1002);
    touchAt(Seconds(3), 1002);
    Simulator::Schedule(Seconds(4), [this, file] {
        m_system.NoteWritten(m_system.Get(file));
        EXPECT_EQ(m_system.Get(file).attributes.mtime, (NfsTime3{1004, 0}));
    });
    touchAt(Seconds(5), 1005);
    touchAt(Seconds(5 + 24 * 3600), 1005 + 24 * 3600);
    Simulator::Run();
}

TEST_F(FileSystemTest, BigDirectoriesGrow)
{
    for (int i = 0; i < 500; ++i)
    {
        m_system.AddEntry(m_root, "entry-number-" + std::to_string(10000 + i), m_root);
    }
    EXPECT_EQ(m_system.Get(m_root).attributes.size, 16384U);
    EXPECT_EQ(m_system.Get(m_root).attributes.used, 16384U);
}

TEST_F(FileSystemTest, NumbersAreUsedAgainLowestFirst)
{
    AddFile("a");
    const InodeNumber b = AddFile("b");
    const InodeNumber c = AddFile("c");
    const uint32_t generation = m_system.Get(b).generation;
    for (const InodeNumber number : {c, b})
    {
        m_system.RemoveEntry(m_root, number == b ? "b" : "c");
        m_system.Free(number);
    }
    EXPECT_EQ(AddFile("x"), b);
    EXPECT_EQ(AddFile("y"), c);
    EXPECT_NE(m_system.Get(b).generation, generation);
}

} // namespace ns3::nfsrdma::test
