/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/async-copies.h"

#include <gtest/gtest.h>
#include <memory>

namespace ns3::nfsrdma::test
{

namespace
{

constexpr uint32_t BOOT = 0x5f000000;

Nfs4AsyncCopy
MakeCopyOf(Nfs4ClientId client)
{
    Nfs4AsyncCopy copy;
    copy.client = client;
    copy.count = 100;
    return copy;
}

TEST(Nfs4AsyncCopiesTest, EachHasAStateidOfItsOwnWithTheBootTime)
{
    Nfs4AsyncCopies copies(BOOT);
    const auto first = copies.Add(MakeCopyOf(1));
    const auto second = copies.Add(MakeCopyOf(1));
    EXPECT_EQ(first->id.seqid, 1U);
    EXPECT_EQ(first->id.other.at(0), 0x5f);
    EXPECT_FALSE(first->id == second->id);
    EXPECT_EQ(copies.Find(1, first->id), first);
    EXPECT_EQ(copies.Find(1, second->id), second);
    EXPECT_EQ(copies.Find(2, first->id), nullptr) << "it is another client's";
    Nfs4AsyncCopies later(BOOT + 1);
    EXPECT_FALSE(later.Add(MakeCopyOf(1))->id == first->id);
}

TEST(Nfs4AsyncCopiesTest, OneThatHasEndedIsKnownUntilItIsGivenBack)
{
    Nfs4AsyncCopies copies(BOOT);
    const auto copy = copies.Add(MakeCopyOf(1));
    EXPECT_TRUE(copies.HasAny(1));
    EXPECT_EQ(copies.GetCount(), 1U);
    copy->ended = Nfs4Status::OK;
    EXPECT_FALSE(copies.HasAny(1)) << "it is not under way";
    EXPECT_EQ(copies.GetCount(), 0U);
    EXPECT_EQ(copies.Find(1, copy->id), copy);
    EXPECT_FALSE(copy->stopped);
    copies.Remove(copy);
    EXPECT_EQ(copies.Find(1, copy->id), nullptr);
    EXPECT_TRUE(copy->stopped);
}

TEST(Nfs4AsyncCopiesTest, ThoseOfAClientEndWithIt)
{
    Nfs4AsyncCopies copies(BOOT);
    const auto first = copies.Add(MakeCopyOf(1));
    const auto other = copies.Add(MakeCopyOf(2));
    const auto second = copies.Add(MakeCopyOf(1));
    copies.RemoveOf(1);
    EXPECT_TRUE(first->stopped);
    EXPECT_TRUE(second->stopped);
    EXPECT_FALSE(other->stopped);
    EXPECT_EQ(copies.GetCount(), 1U);
    EXPECT_EQ(copies.Find(2, other->id), other);
}

TEST(Nfs4AsyncCopiesTest, AllEndWithTheServer)
{
    auto copies = std::make_unique<Nfs4AsyncCopies>(BOOT);
    const auto first = copies->Add(MakeCopyOf(1));
    const auto second = copies->Add(MakeCopyOf(2));
    copies.reset();
    EXPECT_TRUE(first->stopped);
    EXPECT_TRUE(second->stopped);
}

} // namespace
} // namespace ns3::nfsrdma::test
