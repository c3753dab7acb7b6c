/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/compound-reply.h"
#include "rpc/absent-item.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{
namespace
{

constexpr uint32_t HEAD = 12; ///< Status, empty tag, count.

ReadRes4
MakeReduced(uint32_t length)
{
    ReadRes4 read;
    read.data = Nfs3Data::Reduced(length);
    return read;
}

Compound4Res
DecodeWhole(const RpcPayload& payload)
{
    RpcReceivedMessage message;
    message.octets = payload.octets;
    for (const RpcDataItem& item : payload.items)
    {
        message.items.push_back({0, item.address, item.length, item.owner});
    }
    XdrReader reader(message.octets);
    auto items = Nfs4DataItems::OfReply(message);
    auto decoded = Compound4Res::Decode(reader, &items);
    EXPECT_TRUE(decoded);
    return decoded ? *decoded : Compound4Res();
}

TEST(Nfs4CompoundReply, HasWhatWasAdded)
{
    Nfs4CompoundReply reply(1000, false);
    reply.Begin({});
    EXPECT_EQ(reply.GetSize(), HEAD);
    reply.Add(Nfs4Op::PUTROOTFH, PutrootfhRes4());
    GetfhRes4 failed;
    failed.status = Nfs4Status::NOFILEHANDLE;
    reply.Add(Nfs4Op::GETFH, failed);
    EXPECT_EQ(reply.GetOperations(), (std::vector<Nfs4Op>{Nfs4Op::PUTROOTFH, Nfs4Op::GETFH}));
    const auto whole = DecodeWhole(reply.Finish(Nfs4Status::NOFILEHANDLE));
    EXPECT_EQ(whole.status, Nfs4Status::NOFILEHANDLE);
    ASSERT_EQ(whole.ops.size(), 2U);
    EXPECT_EQ(GetStatus(whole.ops[1]), Nfs4Status::NOFILEHANDLE);
}

TEST(Nfs4CompoundReply, ItemsTakeRoomToo)
{
    const auto memory = CreateObject<HostMemory>();
    Nfs4CompoundReply reply(HEAD + 16 + 100, false);
    reply.Begin({});
    EXPECT_EQ(reply.GetRoom(16), 100U);
    ASSERT_NE(reply.HoldItem(memory, 98), nullptr);
    reply.Add(Nfs4Op::READ, MakeReduced(98));
    EXPECT_TRUE(reply.HasRoom(0));
    EXPECT_FALSE(reply.HasRoom(1));
    EXPECT_EQ(reply.GetRoom(0), 0U);
    const RpcPayload whole = reply.Finish(Nfs4Status::OK);
    ASSERT_EQ(whole.items.size(), 1U);
    EXPECT_EQ(whole.items[0].length, 98U);
    EXPECT_EQ(whole.items[0].offset, whole.octets.size());
}

TEST(Nfs4CompoundReply, ReadWithoutDataKeepsItsPlace)
{
    const auto memory = CreateObject<HostMemory>();
    for (const bool absent : {false, true})
    {
        Nfs4CompoundReply reply(1000, absent);
        reply.Begin({});
        EXPECT_EQ(reply.HoldItem(memory, 0), nullptr);
        ReadRes4 failed;
        failed.status = Nfs4Status::ISDIR;
        reply.Add(Nfs4Op::READ, failed);
        const RpcPayload whole = reply.Finish(Nfs4Status::ISDIR);
        ASSERT_EQ(whole.items.size(), 1U);
        EXPECT_EQ(whole.items[0].length, 0U);
        EXPECT_EQ(IsAbsentItem(whole.items[0]), absent);
    }
}

TEST(Nfs4CompoundReply, CutResultLeavesItsStatusAndAnItemOfNoLength)
{
    const auto memory = CreateObject<HostMemory>();
    Nfs4CompoundReply reply(1000, false);
    reply.Begin({});
    reply.Add(Nfs4Op::PUTROOTFH, PutrootfhRes4());
    reply.HoldItem(memory, 40);
    reply.Add(Nfs4Op::READ, MakeReduced(40));
    reply.CutLast(Nfs4Op::READ, Nfs4Status::REP_TOO_BIG);
    EXPECT_EQ(reply.GetSize(), HEAD + 8 + 8);
    const RpcPayload payload = reply.Finish(Nfs4Status::REP_TOO_BIG);
    ASSERT_EQ(payload.items.size(), 1U);
    EXPECT_EQ(payload.items[0].length, 0U);
    const auto whole = DecodeWhole(payload);
    ASSERT_EQ(whole.ops.size(), 2U);
    EXPECT_EQ(GetStatus(whole.ops[1]), Nfs4Status::REP_TOO_BIG);
}

TEST(Nfs4CompoundReply, KeptReplyIsGivenAgain)
{
    const auto memory = CreateObject<HostMemory>();
    Nfs4CompoundReply first(1000, false);
    first.Begin({});
    first.KeepAfter(44);
    first.Add(Nfs4Op::SEQUENCE, SequenceRes4());
    first.HoldItem(memory, 8);
    first.Add(Nfs4Op::READ, MakeReduced(8));
    const RpcPayload whole = first.Finish(Nfs4Status::OK);
    const Nfs4CachedReply kept{Nfs4Status::OK, 2, true, first.MakeKept(whole)};

    Nfs4CompoundReply again(1000, false);
    again.Begin({});
    again.Add(Nfs4Op::SEQUENCE, SequenceRes4());
    again.AddKept(kept);
    const RpcPayload repeated = again.Finish(Nfs4Status::OK);
    EXPECT_EQ(repeated.octets, whole.octets);
    ASSERT_EQ(repeated.items.size(), 1U);
    EXPECT_EQ(repeated.items[0].offset, whole.items[0].offset);
    EXPECT_EQ(repeated.items[0].address, whole.items[0].address);
}

} // namespace
} // namespace ns3::nfsrdma::test
