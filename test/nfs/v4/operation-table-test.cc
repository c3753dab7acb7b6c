/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/compound.h"

#include <gtest/gtest.h>
#include <string>

namespace ns3::nfsrdma::test
{
namespace
{

/// One row of operations.def, and what its types say of it.
struct OperationRow
{
    uint32_t number;
    std::string name;
    Nfs4ArgOp args;
    Nfs4ResOp results;
    bool takesItem;
    bool givesItem;
};

std::vector<OperationRow>
MakeRows()
{
    return {
#define NFS4_OPERATION(number, NAME, Type, ...)                                                    \
    {number,                                                                                       \
     #NAME,                                                                                        \
     Type##Args4(),                                                                                \
     Type##Res4(),                                                                                 \
     Nfs4HasItem<Type##Args4>::value,                                                              \
     Nfs4HasItem<Type##Res4>::value},
#include "nfs/v4/protocol/operations.def"
    };
}

TEST(Nfs4OperationTable, NumbersAndNamesArePairs)
{
    const auto rows = MakeRows();
    EXPECT_EQ(rows.size(), NFS4_OPS);
    for (const auto& row : rows)
    {
        const auto op = static_cast<Nfs4Op>(row.number);
        EXPECT_EQ(ToString(op), row.name);
        EXPECT_EQ(ParseNfs4Op(row.name), op);
        EXPECT_EQ(GetOp(row.args), op) << row.name;
        EXPECT_EQ(GetOp(row.results), op) << row.name;
        EXPECT_EQ(GetOp(MakeResult(op, Nfs4Status::IO)), op) << row.name;
    }
}

TEST(Nfs4OperationTable, RulesOfItemsAreThoseOfTheTypes)
{
    for (const auto& row : MakeRows())
    {
        const auto op = static_cast<Nfs4Op>(row.number);
        EXPECT_EQ(TakesItem(op), row.takesItem) << row.name;
        EXPECT_EQ(GivesItem(op), row.givesItem) << row.name;
    }
}

TEST(Nfs4OperationTable, MinorVersionsBeginWhereTheRfcsSay)
{
    for (uint32_t op = NFS4_FIRST_OP; op <= NFS4_LAST_OP; ++op)
    {
        EXPECT_EQ(IsLegal(op, 0), op <= static_cast<uint32_t>(Nfs4Op::RELEASE_LOCKOWNER)) << op;
        EXPECT_EQ(IsLegal(op, 1), op <= static_cast<uint32_t>(Nfs4Op::RECLAIM_COMPLETE)) << op;
        EXPECT_TRUE(IsLegal(op, 2)) << op;
        EXPECT_FALSE(IsLegal(op, 3)) << op;
    }
    EXPECT_FALSE(IsLegal(static_cast<uint32_t>(Nfs4Op::ILLEGAL), 2));
}

TEST(Nfs4OperationTable, NothingIsSaidOfNumbersThatAreNoOperation)
{
    for (const uint32_t number : {0U, NFS4_FIRST_OP - 1, NFS4_LAST_OP + 1, 10043U, 10045U, ~0U})
    {
        const auto op = static_cast<Nfs4Op>(number);
        EXPECT_FALSE(IsLegal(number, 2)) << number;
        EXPECT_FALSE(MayBeFirst(op) || MayLackHandle(op) || NeedsSavedHandle(op)) << number;
        EXPECT_FALSE(ModifiesSomething(op) || ChangesFiles(op) || IsCachedNfs40(op)) << number;
        EXPECT_FALSE(TakesItem(op) || GivesItem(op)) << number;
        EXPECT_EQ(GetOp(MakeResult(op, Nfs4Status::IO)), Nfs4Op::ILLEGAL) << number;
    }
}

TEST(Nfs4OperationTable, WhatChangesFilesIsNotCarriedOutWithoutRoomForItsResult)
{
    for (uint32_t number = NFS4_FIRST_OP; number <= NFS4_LAST_OP; ++number)
    {
        const auto op = static_cast<Nfs4Op>(number);
        EXPECT_TRUE(ModifiesSomething(op) || !ChangesFiles(op)) << ToString(op);
        EXPECT_TRUE(ModifiesSomething(op) || !IsCachedNfs40(op)) << ToString(op);
    }
}

} // namespace
} // namespace ns3::nfsrdma::test
