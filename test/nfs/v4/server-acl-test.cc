/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/acl.h"

#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma::test
{
namespace
{

// ---- access lists ----

TEST(Nfs4Acl, MinimalListAsNfsd)
{
    const auto aces = MakeNfs4Acl({MakeMinimalAcl(0644), {}}, false);
    ASSERT_EQ(aces.size(), 3U);
    EXPECT_EQ(aces[0].who, "OWNER@");
    EXPECT_EQ(aces[0].accessMask, 0x160187U);
    EXPECT_EQ(aces[1].who, "GROUP@");
    EXPECT_EQ(aces[1].accessMask, 0x120081U);
    EXPECT_EQ(aces[2].who, "EVERYONE@");
}

TEST(Nfs4Acl, RandomListsComeBack)
{
    std::mt19937_64 random(3);
    for (int round = 0; round < 2000; ++round)
    {
        PosixAcl acl{{PosixAclTag::USER_OBJ, 0, static_cast<uint32_t>(random() % 8)}};
        uint32_t mask = 0;
        for (uint32_t id = 1000; random() % 3 != 0; ++id)
        {
            acl.push_back({PosixAclTag::USER, id, static_cast<uint32_t>(random() % 8)});
            mask |= acl.back().permissions;
        }
        acl.push_back({PosixAclTag::GROUP_OBJ, 0, static_cast<uint32_t>(random() % 8)});
        mask |= acl.back().permissions;
        for (uint32_t id = 2000; random() % 3 != 0; ++id)
        {
            acl.push_back({PosixAclTag::GROUP, id, static_cast<uint32_t>(random() % 8)});
            mask |= acl.back().permissions;
        }
        if (acl.size() > 2)
        {
            acl.push_back({PosixAclTag::MASK, 0, mask});
        }
        acl.push_back({PosixAclTag::OTHER, 0, static_cast<uint32_t>(random() % 8)});
        const bool isDirectory = random() % 2 == 0;
        const auto back = MakePosixAcls(MakeNfs4Acl({acl, {}}, isDirectory), isDirectory);
        ASSERT_TRUE(back);
        EXPECT_EQ(ToString(back->access), ToString(acl));
        EXPECT_TRUE(back->defaultAcl.empty());
    }
}

TEST(Nfs4Acl, BadEntries)
{
    EXPECT_FALSE(MakePosixAcls({{0, 0, 1, "nobody-knows"}}, false));
    EXPECT_FALSE(MakePosixAcls({{0, ACE4_FILE_INHERIT_ACE, 1, "OWNER@"}}, false));
    EXPECT_FALSE(MakePosixAcls({{0, 0x80, 1, "OWNER@"}}, true));
    EXPECT_EQ(ParseNfs4Identity("1000@example.org"), 1000U);
    EXPECT_EQ(ParseNfs4Identity("root"), 0U);
    EXPECT_FALSE(ParseNfs4Identity("12x"));
}

} // namespace
} // namespace ns3::nfsrdma::test
