/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/masks.h"
#include "nfs/v4/client/procedure.h"
#include "nfs/v4/protocol/linux-call-size.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

namespace
{

std::string
NameOf(std::vector<Nfs4ArgOp> ops, bool sequence = true)
{
    Compound4Args call;
    if (sequence)
    {
        ops.insert(ops.begin(), SequenceArgs4());
    }
    call.ops = std::move(ops);
    return ToString(FindNfs4ClientProcedure(call));
}

} // namespace

TEST(Nfs4ClientProcedure, IsTheOperationThatTheOthersServe)
{
    const PutfhArgs4 put;
    const GetattrArgs4 getattr{MakeObjectMask()};
    EXPECT_EQ(NameOf({put, ReadArgs4()}), "READ");
    EXPECT_EQ(NameOf({put, WriteArgs4(), getattr}), "WRITE");
    EXPECT_EQ(NameOf({put, AccessArgs4(), getattr}), "ACCESS");
    EXPECT_EQ(NameOf({put, LookupArgs4(), GetfhArgs4(), getattr}), "LOOKUP");
    EXPECT_EQ(NameOf({put, SavefhArgs4(), put, LinkArgs4(), RestorefhArgs4(), getattr}), "LINK");
    EXPECT_EQ(NameOf({put, getattr, CloseArgs4()}), "CLOSE");
    EXPECT_EQ(NameOf({put, LayoutreturnArgs4(), CloseArgs4()}), "CLOSE");
    EXPECT_EQ(NameOf({put, getattr, DelegreturnArgs4()}), "DELEGRETURN");
    EXPECT_EQ(NameOf({put, LayoutreturnArgs4()}), "LAYOUTRETURN");
    EXPECT_EQ(NameOf({ExchangeIdArgs4()}, false), "EXCHANGE_ID");
    EXPECT_EQ(NameOf({SetclientidArgs4()}, false), "SETCLIENTID");
}

TEST(Nfs4ClientProcedure, OpensAndCreationsHaveLinuxNames)
{
    const PutfhArgs4 put;
    const GetattrArgs4 getattr{MakeObjectMask()};
    EXPECT_EQ(NameOf({put, OpenArgs4(), GetfhArgs4(), AccessArgs4(), getattr}), "OPEN");
    EXPECT_EQ(NameOf({put, OpenArgs4(), AccessArgs4(), getattr}), "OPEN_NOATTR");
    CreateArgs4 create;
    EXPECT_EQ(NameOf({put, create, GetfhArgs4(), getattr}), "CREATE");
    create.type = Ftype4::LNK;
    EXPECT_EQ(NameOf({put, create, GetfhArgs4(), getattr}), "SYMLINK");
    SetattrArgs4 setattr;
    EXPECT_EQ(NameOf({put, setattr, getattr}), "SETATTR");
    setattr.attributes.acl.emplace();
    EXPECT_EQ(NameOf({put, setattr}), "SETACL");
}

TEST(Nfs4ClientProcedure, AttributesAskedForTellWhatAGetattrIsFor)
{
    const auto name = [](const Nfs4Bitmap& mask) {
        return NameOf({PutfhArgs4(), GetattrArgs4{mask}});
    };
    EXPECT_EQ(name(MakeObjectMask()), "GETATTR");
    EXPECT_EQ(name(MakeConsistencyMask()), "GETATTR");
    EXPECT_EQ(name(MakeStatFsMask()), "STATFS");
    EXPECT_EQ(name(MakePathConfMask()), "PATHCONF");
    EXPECT_EQ(name(MakeCapabilitiesMask(1)), "SERVER_CAPS");
    Nfs4Bitmap all = MakeFsInfoMask(Nfs4Bitmap::FromWords({~0U, ~0U, ~0U}));
    EXPECT_EQ(name(all), "FSINFO");
    Nfs4Bitmap acl;
    acl.Set(static_cast<uint32_t>(Nfs4Attr::ACL));
    EXPECT_EQ(name(acl), "GETACL");
    EXPECT_EQ(NameOf({PutrootfhArgs4(), GetfhArgs4(), GetattrArgs4{MakeObjectMask()}}),
              "LOOKUP_ROOT");
}

TEST(Nfs4ClientProcedure, BuffersForCallsAreLinuxs)
{
    // 320 octets more for the RPC header with AUTH_SYS; slots begin with 2048.
    EXPECT_EQ(GetNfs4LinuxCallSize(Nfs4ClientProcedure::OPEN), 3024U);
    EXPECT_EQ(GetNfs4LinuxCallSize(Nfs4ClientProcedure::OPEN_NOATTR), 3020U);
    EXPECT_EQ(GetNfs4LinuxCallSize(Nfs4ClientProcedure::SETATTR), 2636U);
    EXPECT_EQ(GetNfs4LinuxCallSize(Nfs4ClientProcedure::CREATE), 2896U);
    EXPECT_EQ(GetNfs4LinuxCallSize(Nfs4ClientProcedure::READDIR), 2308U);
    EXPECT_EQ(GetNfs4LinuxCallSize(Nfs4ClientProcedure::WRITE), 240U);
    EXPECT_EQ(GetNfs4LinuxCallSize(Nfs4ClientProcedure::NONE), 0U);
}

TEST(Nfs4ClientProcedure, WhatIsForNothingHasANameToo)
{
    EXPECT_EQ(NameOf({}), "SEQUENCE");
    EXPECT_EQ(NameOf({}, false), "COMPOUND");
    EXPECT_EQ(NameOf({PutfhArgs4(), NverifyArgs4()}), "COMPOUND");
    EXPECT_STREQ(ToString(Nfs4ClientProcedure::NONE), "NULL");
    EXPECT_STREQ(ToString(Nfs4ClientProcedure::READ_PLUS), "READ_PLUS");
    EXPECT_STREQ(ToString(static_cast<Nfs4ClientProcedure>(1000)), "COMPOUND");
}

} // namespace ns3::nfsrdma::test
