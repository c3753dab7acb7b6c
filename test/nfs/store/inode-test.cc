/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/inode.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

namespace
{

TEST(InodeTableTest, NumbersBeginWhereExt4sDo)
{
    InodeTable table;
    EXPECT_EQ(table.Find(InodeTable::FIRST), nullptr);
    Inode& first = table.Allocate();
    EXPECT_EQ(first.attributes.fileid, InodeTable::FIRST);
    EXPECT_EQ(table.Allocate().attributes.fileid, InodeTable::FIRST + 1);
    EXPECT_EQ(table.GetCount(), 2U);
    EXPECT_EQ(table.Find(InodeTable::FIRST), &first);
    EXPECT_EQ(table.Find(0), nullptr);
    EXPECT_EQ(table.Find(InodeTable::FIRST + 2), nullptr);
}

TEST(InodeTableTest, TheLowestFreeNumberIsUsedAgainWithAnotherGeneration)
{
    InodeTable table;
    for (uint32_t i = 0; i < 4; ++i)
    {
        table.Allocate();
    }
    const uint32_t generation = table.Find(3)->generation;
    table.Free(4);
    table.Free(3);
    EXPECT_EQ(table.Find(3), nullptr);
    EXPECT_EQ(table.GetCount(), 2U);
    const Inode& again = table.Allocate();
    EXPECT_EQ(again.attributes.fileid, 3U);
    EXPECT_NE(again.generation, generation);
    EXPECT_EQ(table.Allocate().attributes.fileid, 4U);
    EXPECT_EQ(table.Allocate().attributes.fileid, 6U);
}

TEST(InodeTest, OnlyRegularFilesHaveData)
{
    Inode inode;
    EXPECT_EQ(CheckRegular(inode), Nfs3Status::INVAL) << "as a symbolic link";
    inode.directory = std::make_unique<Directory>(2, 2);
    EXPECT_EQ(CheckRegular(inode), Nfs3Status::ISDIR);
    inode.directory = nullptr;
    inode.content = std::make_unique<SparseFile>();
    EXPECT_EQ(CheckRegular(inode), Nfs3Status::OK);
}

TEST(InodeTest, AChangeClearsSetUserIdAndSetGroupIdOfWhatAGroupMayExecute)
{
    Inode inode;
    inode.attributes.mode = 06755;
    ClearSetIds(inode);
    EXPECT_EQ(inode.attributes.mode, 0755U);
    inode.attributes.mode = 06745;
    ClearSetIds(inode);
    EXPECT_EQ(inode.attributes.mode, 02745U) << "without the group's right it is a mandatory lock";
}

TEST(InodeTest, TheSuperuserAndTheOwnerAreOwners)
{
    Inode inode;
    inode.attributes.uid = 5;
    FileCredential who;
    EXPECT_TRUE(IsOwner(inode, who));
    who.uid = 5;
    EXPECT_TRUE(IsOwner(inode, who));
    who.uid = 6;
    EXPECT_FALSE(IsOwner(inode, who));
}

} // namespace
} // namespace ns3::nfsrdma::test
