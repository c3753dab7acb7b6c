/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/codec-check.h"
#include "nfs/golden-acl-messages.h"
#include "nfs/types/xdr-size.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{
namespace
{

/// What Linux made of a list it keeps is what Make() makes of it.
void
ExpectMadeAlike(const NfsAcl& wire, uint32_t typeFlag)
{
    const auto acl = wire.ToPosixAcl();
    ASSERT_TRUE(acl);
    EXPECT_TRUE(acl->empty() || IsValidAcl(*acl));
    EXPECT_EQ(Encoded(NfsAcl::Make(*acl, 0, 0, true, typeFlag)), Encoded(wire));
}

} // namespace

TEST(NfsAcl3Codec, GoldenMessagesKeepTheirOctets)
{
    for (const auto& message : GOLDEN_ACL_MESSAGES)
    {
        SCOPED_TRACE(std::string(ToString(message.procedure)) + " frame " +
                     std::to_string(message.frame));
        const ByteVector octets = FromHex(message.hex);
        if (message.procedure == NfsAcl3Procedure::GETACL && message.isReply)
        {
            const auto results = ExpectSoundCodec<Getacl3Res>(octets);
            ExpectMadeAlike(results.access, 0);
            ExpectMadeAlike(results.defaultAcl, NFS_ACL_DEFAULT);
        }
        else if (message.procedure == NfsAcl3Procedure::GETACL)
        {
            ExpectSoundCodec<Getacl3Args>(octets);
        }
        else if (message.isReply)
        {
            EXPECT_EQ(ExpectSoundCodec<Setacl3Res>(octets).attributes->mode, 0676U);
        }
        else
        {
            const auto args = ExpectSoundCodec<Setacl3Args>(octets);
            EXPECT_EQ(args.mask, NFS_ACL);
            ExpectMadeAlike(args.access, 0);
            ExpectMadeAlike(args.defaultAcl, NFS_ACL_DEFAULT);
        }
    }
}

TEST(NfsAcl3Codec, MinimalListHasAMaskOnTheWireOnly)
{
    const NfsAcl wire = NfsAcl::Make(MakeMinimalAcl(0751), 3, 4, true, NFS_ACL_DEFAULT);
    ASSERT_EQ(wire.entries.size(), 4U);
    EXPECT_EQ(wire.entries[0].type, 0x1001U);
    EXPECT_EQ(wire.entries[0].id, 3U);
    EXPECT_EQ(wire.entries[1].id, 4U);
    EXPECT_EQ(wire.entries[2].type, 0x1010U);
    EXPECT_EQ(wire.entries[2].permissions, 5U);
    EXPECT_EQ(wire.entries[3].id, 0U);
    EXPECT_EQ(wire.ToPosixAcl(), MakeMinimalAcl(0751));

    const NfsAcl counted = NfsAcl::Make(MakeMinimalAcl(0751), 3, 4, false, 0);
    EXPECT_EQ(counted.count, 4U);
    EXPECT_EQ(GetXdrSize(counted), 8U);
    EXPECT_FALSE(counted.ToPosixAcl());

    NfsAcl other = wire;
    other.entries[2].permissions = 7;
    EXPECT_EQ(other.ToPosixAcl()->size(), 4U) << "a mask that says something stays";
}

TEST(NfsAcl3Codec, ListsComeInAnyOrder)
{
    NfsAcl wire;
    wire.count = 5;
    wire.entries = {{0x20, 9, 4}, {0x10, 0, 0777}, {0x02, 8, 1}, {0x04, 0, 5}, {0x01, 0, 6}};
    EXPECT_EQ(ToString(*wire.ToPosixAcl()), "user::rw-,user:8:--x,group::r-x,mask::rwx,other::r--");
}

TEST(NfsAcl3Codec, WhatIsNoListIsRefused)
{
    NfsAcl wire = NfsAcl::Make(MakeMinimalAcl(0751), 3, 4, true, 0);
    wire.entries[0].type = 0x40;
    EXPECT_FALSE(wire.ToPosixAcl());
    wire.entries[0] = {0x01, 0, 010};
    EXPECT_FALSE(wire.ToPosixAcl());
    wire.entries[0] = {0x01, 0, 7};
    EXPECT_TRUE(wire.ToPosixAcl());
    ++wire.count;
    EXPECT_FALSE(wire.ToPosixAcl());

    const auto decode = [](uint32_t count, uint32_t entries) {
        XdrWriter writer;
        writer.WriteU32(count);
        writer.WriteU32(entries);
        const ByteVector room(12 * 1100);
        writer.WriteFixedOpaque(room);
        XdrReader reader(writer.GetOctets());
        const auto acl = DecodeXdr<NfsAcl>(reader);
        return acl && acl->entries.size() == entries;
    };
    EXPECT_TRUE(decode(1024, 1024));
    EXPECT_FALSE(decode(1025, 1025));
    EXPECT_FALSE(decode(5, 6));
    EXPECT_FALSE(decode(1024, UINT32_MAX));

    Setacl3Args args;
    args.mask = 0x10;
    EXPECT_FALSE(DecodeFrom<Setacl3Args>(Encoded(args)));
    args.mask = NFS_ACL_MASK;
    EXPECT_TRUE(DecodeFrom<Setacl3Args>(Encoded(args)));
}

} // namespace ns3::nfsrdma::test
