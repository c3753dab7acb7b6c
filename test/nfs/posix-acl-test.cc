/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/file-access.h"
#include "nfs/types/posix-acl.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{
namespace
{

const std::string EXTENDED = "user::rw-,user:5:rwx,group::r-x,group:7:-w-,mask::rw-,other::--x";

PosixAcl
Parse(const std::string& text)
{
    const auto acl = ParsePosixAcl(text);
    EXPECT_TRUE(acl) << text;
    return acl.value_or(PosixAcl());
}

FileCredential
Who(uint32_t uid, uint32_t gid, std::vector<uint32_t> gids = {})
{
    FileCredential who;
    who.uid = uid;
    who.gid = gid;
    who.gids = std::move(gids);
    return who;
}

} // namespace

TEST(PosixAcl, TextKeepsEveryEntry)
{
    const PosixAcl acl = Parse(EXTENDED);
    ASSERT_EQ(acl.size(), 6U);
    EXPECT_EQ(acl[1], (PosixAclEntry{PosixAclTag::USER, 5, 7}));
    EXPECT_EQ(acl[3], (PosixAclEntry{PosixAclTag::GROUP, 7, 2}));
    EXPECT_EQ(ToString(acl), EXTENDED);
    EXPECT_TRUE(Parse("").empty());
    EXPECT_EQ(ToString(Parse("other::r--,user:9:---,user::rw-,user:2:r--")),
              "user::rw-,user:2:r--,user:9:---,other::r--");
}

TEST(PosixAcl, OtherTextIsRefused)
{
    for (const char* text : {"user",
                             "user::",
                             "user::rw",
                             "user::rwxx",
                             "user::wr-",
                             "user:x:rw-",
                             "user:4294967296:rw-",
                             "mask:1:rw-",
                             "owner::rw-",
                             "user::rw-,",
                             ",user::rw-"})
    {
        EXPECT_FALSE(ParsePosixAcl(text)) << text;
    }
}

TEST(PosixAcl, ValidListsHaveOneOfEachAndAMaskForNames)
{
    EXPECT_TRUE(IsValidAcl(Parse(EXTENDED)));
    EXPECT_TRUE(IsValidAcl(MakeMinimalAcl(0640)));
    EXPECT_TRUE(IsValidAcl(Parse("user::rw-,group::r--,mask::r--,other::---")));
    for (const char* text : {"",
                             "user::rw-,group::r--",
                             "group::r--,other::r--",
                             "user::rw-,other::r--",
                             "user::rw-,user::rw-,group::r--,other::r--",
                             "user::rw-,user:5:r--,group::r--,other::r--",
                             "user::rw-,group::r--,group:5:r--,other::r--",
                             "user::rw-,group::r--,mask::r--,mask::r--,other::r--"})
    {
        EXPECT_FALSE(IsValidAcl(Parse(text))) << text;
    }
    PosixAcl acl = MakeMinimalAcl(0640);
    std::swap(acl[0], acl[1]);
    EXPECT_FALSE(IsValidAcl(acl));
    acl = MakeMinimalAcl(0640);
    acl[0].permissions = 8;
    EXPECT_FALSE(IsValidAcl(acl));
}

TEST(PosixAcl, ModeSaysWhatItCan)
{
    uint32_t mode = 06000;
    EXPECT_TRUE(ApplyAclToMode(MakeMinimalAcl(0751), mode));
    EXPECT_EQ(mode, 06751U);
    EXPECT_FALSE(ApplyAclToMode(Parse(EXTENDED), mode));
    EXPECT_EQ(mode, 06661U);
}

TEST(PosixAcl, ChmodChangesTheMask)
{
    PosixAcl acl = Parse(EXTENDED);
    ApplyModeToAcl(0710, acl);
    EXPECT_EQ(ToString(acl), "user::rwx,user:5:rwx,group::r-x,group:7:-w-,mask::--x,other::---");
    PosixAcl minimal = MakeMinimalAcl(0);
    ApplyModeToAcl(0752, minimal);
    EXPECT_EQ(minimal, MakeMinimalAcl(0752));
}

TEST(PosixAcl, NewObjectIsBoundByBoth)
{
    PosixAcl acl = Parse(EXTENDED);
    uint32_t mode = 0644;
    EXPECT_FALSE(InheritAcl(acl, mode));
    EXPECT_EQ(ToString(acl), "user::rw-,user:5:rwx,group::r-x,group:7:-w-,mask::r--,other::---");
    EXPECT_EQ(mode, 0640U);
    PosixAcl minimal = MakeMinimalAcl(0750);
    mode = 0666;
    EXPECT_TRUE(InheritAcl(minimal, mode));
    EXPECT_EQ(mode, 0640U);
}

TEST(PosixAcl, Permits)
{
    const PosixAcl acl = Parse(EXTENDED);
    const auto permits = [&acl](const FileCredential& who, uint32_t wanted) {
        return AclPermits(acl, 1, 2, who, wanted);
    };
    EXPECT_TRUE(permits(Who(1, 9), MAY_READ | MAY_WRITE));
    EXPECT_FALSE(permits(Who(1, 9), MAY_EXECUTE));
    EXPECT_TRUE(permits(Who(5, 9), MAY_READ | MAY_WRITE));
    EXPECT_FALSE(permits(Who(5, 9), MAY_EXECUTE)) << "the mask forbids it";
    EXPECT_TRUE(permits(Who(3, 2), MAY_READ));
    EXPECT_FALSE(permits(Who(3, 2), MAY_EXECUTE)) << "the mask forbids it";
    EXPECT_TRUE(permits(Who(3, 9, {7}), MAY_WRITE));
    EXPECT_FALSE(permits(Who(3, 2, {7}), MAY_READ | MAY_WRITE)) << "no entry has both";
    EXPECT_FALSE(permits(Who(3, 7), MAY_EXECUTE)) << "a group's entry keeps OTHER away";
    EXPECT_TRUE(permits(Who(3, 9), MAY_EXECUTE));
    EXPECT_FALSE(permits(Who(3, 9), MAY_READ));
}

} // namespace ns3::nfsrdma::test
