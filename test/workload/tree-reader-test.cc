/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/tree-reader.h"

#include <gtest/gtest.h>
#include <string>

namespace ns3::nfsrdma::test
{

namespace
{

const std::string TREE_HEADER =
    "# nfsrdma-trace 1\n"
    "object,parent,name,type,mode,uid,gid,size,target,nlink,acl,default_acl\n"
    "root,,,DIR,0777,0,0,4096,,3,,\n"
    "o1,root,dir,DIR,0755,1,2,4096,,2,,\n";

Parsed<Tree>
ParseTree(const std::string& rows)
{
    return TreeReader::Parse("t.csv", TREE_HEADER + rows);
}

} // namespace

TEST(TreeReader, ReadsEveryType)
{
    const auto tree = ParseTree("o2,o1,f,REG,0644,5,6,100,,1,,\n"
                                "o3,root,l,LNK,0777,0,0,4,\"a,b/\",1,,\n"
                                "o4,root,p,FIFO,0600,0,0,,,1,,\n"
                                "o5,root,s,SOCK,0600,0,0,,,1,,\n"
                                "o6,root,c,CHR,0600,0,0,,,1,,\n"
                                "o7,root,b,BLK,0600,0,0,,,1,,\n"
                                "o2,root,f-again,REG,0644,5,6,100,,2,,\n");
    ASSERT_TRUE(tree) << tree.error().Describe();
    ASSERT_EQ(tree->rows.size(), 9U);
    EXPECT_EQ(tree->rows[0].object, "root");
    EXPECT_EQ(tree->rows[0].mode, 0777U);
    const TreeRow& file = tree->rows[2];
    EXPECT_EQ(file.line, 5U);
    EXPECT_EQ(file.parent, "o1");
    EXPECT_EQ(file.name, "f");
    EXPECT_EQ(file.type, Ftype3::REG);
    EXPECT_EQ(file.mode, 0644U);
    EXPECT_EQ(file.uid, 5U);
    EXPECT_EQ(file.gid, 6U);
    EXPECT_EQ(file.size, 100U);
    EXPECT_EQ(tree->rows[3].target, "a,b/");
    EXPECT_EQ(tree->rows[7].type, Ftype3::BLK);
    EXPECT_EQ(tree->rows[8].object, "o2");
    EXPECT_EQ(tree->rows[8].nlink, 2U);
}

TEST(TreeReader, ReadsRecordedTree)
{
    const auto tree =
        TreeReader::Read(NFSRDMA_SOURCE_DIR "/scenarios/traces/linux-6.1-nfs-v3.tree.csv");
    ASSERT_TRUE(tree) << tree.error().Describe();
    EXPECT_GT(tree->rows.size(), 500U);
}

TEST(TreeReader, NothingKnownIsAnEmptyRoot)
{
    const auto tree = TreeReader::Parse(
        "t.csv",
        "object,parent,name,type,mode,uid,gid,size,target,nlink,acl,default_acl\n");
    ASSERT_TRUE(tree) << tree.error().Describe();
    ASSERT_EQ(tree->rows.size(), 1U);
    EXPECT_EQ(tree->rows[0].object, "root");
    EXPECT_EQ(tree->rows[0].type, Ftype3::DIR);
    EXPECT_EQ(tree->rows[0].mode, 0777U);
}

TEST(TreeReader, FirstRowIsTheRoot)
{
    const std::string header =
        "object,parent,name,type,mode,uid,gid,size,target,nlink,acl,default_acl\n";
    const auto error = [&header](const std::string& row) {
        const auto tree = TreeReader::Parse("t.csv", header + row);
        return tree ? "no error" : tree.error().Describe();
    };
    EXPECT_EQ(error("root,o1,,DIR,0777,0,0,,,1,,\n"),
              "t.csv:2: column 'parent': expected nothing in the first row, which is the root, "
              "found 'o1'");
    EXPECT_EQ(error("root,,x,DIR,0777,0,0,,,1,,\n"),
              "t.csv:2: column 'name': expected nothing in the first row, which is the root, found "
              "'x'");
    EXPECT_EQ(error("root,,,REG,0777,0,0,1,,1,,\n"),
              "t.csv:2: column 'type': expected DIR in the first row, which is the root, found "
              "'REG'");
}

struct BadTreeRow
{
    const char* name;
    const char* row;
    const char* error;
};

class TreeReaderErrors : public ::testing::TestWithParam<BadTreeRow>
{
};

TEST_P(TreeReaderErrors, NameLineAndColumn)
{
    const auto tree = ParseTree(std::string("o2,root,f,REG,0644,0,0,1,,1,,\n") + GetParam().row);
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().Describe(), std::string("t.csv:6: ") + GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    TreeReaderErrors,
    ::testing::Values(
        BadTreeRow{"Object",
                   ",root,a,REG,0644,0,0,1,,1,,\n",
                   "column 'object': expected the name of an object, as o1, found nothing"},
        BadTreeRow{"ParentUnknown",
                   "o3,o9,a,REG,0644,0,0,1,,1,,\n",
                   "column 'parent': expected a directory of a row above, found 'o9'"},
        BadTreeRow{"ParentNoDirectory",
                   "o3,o2,a,REG,0644,0,0,1,,1,,\n",
                   "column 'parent': expected a directory of a row above, found 'o2'"},
        BadTreeRow{"NameEmpty",
                   "o3,root,,REG,0644,0,0,1,,1,,\n",
                   "column 'name': expected a file name of at most 255 octets, not '.' or '..', "
                   "without '/', found nothing"},
        BadTreeRow{"NameSlash",
                   "o3,root,a/b,REG,0644,0,0,1,,1,,\n",
                   "column 'name': expected a file name of at most 255 octets, not '.' or '..', "
                   "without '/', found 'a/b'"},
        BadTreeRow{"NameDots",
                   "o3,root,..,REG,0644,0,0,1,,1,,\n",
                   "column 'name': expected a file name of at most 255 octets, not '.' or '..', "
                   "without '/', found '..'"},
        BadTreeRow{"NameTwice",
                   "o3,root,f,REG,0644,0,0,1,,1,,\n",
                   "column 'name': expected a name that its directory has not yet, found 'f'"},
        BadTreeRow{"Type",
                   "o3,root,a,FILE,0644,0,0,1,,1,,\n",
                   "column 'type': expected DIR, REG, LNK, FIFO, SOCK, CHR or BLK, found 'FILE'"},
        BadTreeRow{"Mode",
                   "o3,root,a,REG,rw,0,0,1,,1,,\n",
                   "column 'mode': expected an octal mode not above 7777, found 'rw'"},
        BadTreeRow{"ModeEmpty",
                   "o3,root,a,REG,,0,0,1,,1,,\n",
                   "column 'mode': expected an octal mode not above 7777, found nothing"},
        BadTreeRow{"Uid",
                   "o3,root,a,REG,0644,x,0,1,,1,,\n",
                   "column 'uid': expected an unsigned number not above 4294967295, found 'x'"},
        BadTreeRow{"Gid",
                   "o3,root,a,REG,0644,0,x,1,,1,,\n",
                   "column 'gid': expected an unsigned number not above 4294967295, found 'x'"},
        BadTreeRow{"Size",
                   "o3,root,a,REG,0644,0,0,,,1,,\n",
                   "column 'size': expected the size of a regular file in octets, found nothing"},
        BadTreeRow{"Target",
                   "o3,root,a,LNK,0777,0,0,1,,1,,\n",
                   "column 'target': expected the path a symbolic link holds, found nothing"},
        BadTreeRow{"Nlink",
                   "o3,root,a,REG,0644,0,0,1,,x,,\n",
                   "column 'nlink': expected an unsigned number not above 4294967295, found 'x'"},
        BadTreeRow{"DirectoryTwice",
                   "o1,root,a,DIR,0755,0,0,,,1,,\n",
                   "column 'object': expected an object of no row above, or a hard link to one of "
                   "the same type, found 'o1'"},
        BadTreeRow{"LinkOfOtherType",
                   "o2,root,a,FIFO,0755,0,0,,,1,,\n",
                   "column 'object': expected an object of no row above, or a hard link to one of "
                   "the same type, found 'o2'"},
        BadTreeRow{"AccessList",
                   "o3,root,a,REG,0644,0,0,1,,1,user::rw-,\n",
                   "column 'acl': expected nothing or an access list as "
                   "user::rw-,group::r--,other::r--, found 'user::rw-'"},
        BadTreeRow{"LinkWithAccessList",
                   "o3,root,a,LNK,0777,0,0,1,t,1,\"user::rw-,group::r--,other::r--\",\n",
                   "column 'acl': expected nothing for a symbolic link, found "
                   "'user::rw-,group::r--,other::r--'"},
        BadTreeRow{"FileWithDefaultList",
                   "o3,root,a,REG,0644,0,0,1,,1,,\"user::rw-,group::r--,other::r--\"\n",
                   "column 'default_acl': expected nothing for what is no directory, found "
                   "'user::rw-,group::r--,other::r--'"},
        BadTreeRow{"Fields", "o3,root\n", "expected 12 fields, found '2'"}),
    [](const auto& bad) { return std::string(bad.param.name); });

} // namespace ns3::nfsrdma::test
