/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/short-reply-retry.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

using Verdict = ShortReplyRetry::Verdict;

const RpcReplyEstimate UNBOUNDED{100, {}, 900, 40, false};

/// \return the end of an attempt that had room for \p room octets.
RpcRecord
MakeEnd(uint64_t room, RpcOutcome outcome = RpcOutcome::TRANSPORT_ERROR)
{
    RpcRecord record;
    record.outcome = outcome;
    record.replyRoom = room;
    return record;
}

/// How a call ends, and whether it is made again.
struct EndCase
{
    const char* what;
    RpcOutcome outcome;
    std::optional<RpcAcceptStatus> refusal;
    bool again;
};

class ShortReply : public ::testing::TestWithParam<EndCase>
{
};

TEST_P(ShortReply, IsTriedAgainOnlyAfterWhatMayBeItsFault)
{
    ShortReplyRetry retry({}, UNBOUNDED, 3, 4);
    const auto verdict =
        retry.Next(MakeEnd(1000, GetParam().outcome), GetParam().refusal, UINT64_MAX);
    EXPECT_EQ(verdict, GetParam().again ? Verdict::AGAIN : Verdict::NOT_SHORT) << GetParam().what;
    EXPECT_EQ(retry.GetAttempts(), GetParam().again ? 2U : 1U);
    EXPECT_EQ(retry.GetReply().GetTotal(), GetParam().again ? 4000U : 1000U);
    EXPECT_EQ(retry.GetReply().outgrown, GetParam().again ? 1000U : 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Table,
    ShortReply,
    ::testing::Values(EndCase{"success", RpcOutcome::SUCCESS, std::nullopt, false},
                      EndCase{"ERR_CHUNK", RpcOutcome::TRANSPORT_ERROR, std::nullopt, true},
                      EndCase{"lost", RpcOutcome::DISCONNECTED, std::nullopt, false},
                      EndCase{"bad", RpcOutcome::BAD_REPLY, std::nullopt, false},
                      EndCase{"denied", RpcOutcome::REJECTED, std::nullopt, false},
                      EndCase{"none", RpcOutcome::REJECTED, RpcAcceptStatus::PROC_UNAVAIL, false},
                      EndCase{"garbage", RpcOutcome::REJECTED, RpcAcceptStatus::GARBAGE_ARGS, true},
                      EndCase{"system", RpcOutcome::REJECTED, RpcAcceptStatus::SYSTEM_ERR, true}));

TEST(ShortReplyRetry, AttemptsAndSizesAreBounded)
{
    ShortReplyRetry retry({}, UNBOUNDED, 4, 3);
    uint32_t size = 1000;
    for (uint32_t attempt = 2; attempt <= 4; ++attempt)
    {
        EXPECT_EQ(retry.Next(MakeEnd(size), std::nullopt, UINT64_MAX), Verdict::AGAIN);
        EXPECT_EQ(retry.GetAttempts(), attempt);
        size *= 3;
        EXPECT_EQ(retry.GetReply().GetTotal(), size);
        EXPECT_FALSE(retry.GetReply().bounded);
    }
    EXPECT_EQ(retry.Next(MakeEnd(size), std::nullopt, UINT64_MAX), Verdict::ATTEMPTS);
    ShortReplyRetry large({}, UNBOUNDED, 16, 1024);
    uint64_t room = 1000;
    while (large.Next(MakeEnd(room), std::nullopt, UINT64_MAX) == Verdict::AGAIN)
    {
        EXPECT_GT(large.GetReply().GetTotal(), room);
        room = large.GetReply().GetTotal();
    }
    EXPECT_EQ(room, 1U << 30) << "no client has memory for more";
}

TEST(ShortReplyRetry, EachAttemptHasMoreRoomThanTheOneBefore)
{
    // Less was expected than fits inline, and more.
    for (const uint32_t tail : {0U, 900U, 3999U, 4000U, 28672U})
    {
        const RpcReplyEstimate reply{96, {}, tail, 40, false};
        ShortReplyRetry retry({}, reply, 5, 2);
        uint64_t room = 4068;
        while (retry.Next(MakeEnd(room), std::nullopt, UINT64_MAX) == Verdict::AGAIN)
        {
            EXPECT_EQ(retry.GetReply().outgrown, room);
            EXPECT_GT(retry.GetReply().GetIrreducible(), room) << tail;
            room = retry.GetReply().GetIrreducible();
        }
        EXPECT_EQ(retry.GetAttempts(), 5U);
    }
}

TEST(ShortReplyRetry, WhatAWriteChunkMayCarryIsNoRoom)
{
    RpcReplyEstimate reply{100, {}, 900, 40, false};
    reply.items.push_back({65536, 0, true});
    reply.items.push_back({1000, 0, false});
    ShortReplyRetry retry({}, reply, 5, 4);
    ASSERT_EQ(retry.Next(MakeEnd(4068), std::nullopt, UINT64_MAX), Verdict::AGAIN);
    EXPECT_EQ(retry.GetReply().GetIrreducible(), 4 * 4068U);
    EXPECT_EQ(retry.GetReply().items[0].maximum, 65536U);
}

TEST(ShortReplyRetry, TheLargestRoomIsTriedAndNoneAfterIt)
{
    ShortReplyRetry retry({}, UNBOUNDED, 16, 4);
    ASSERT_EQ(retry.Next(MakeEnd(1000), std::nullopt, 3000), Verdict::AGAIN);
    EXPECT_EQ(retry.GetReply().GetTotal(), 3000U);
    EXPECT_EQ(retry.Next(MakeEnd(3000), std::nullopt, 3000), Verdict::LARGEST);
    EXPECT_EQ(retry.GetAttempts(), 2U);
    ShortReplyRetry none({}, UNBOUNDED, 16, 4);
    EXPECT_EQ(none.Next(MakeEnd(4068), std::nullopt, 0), Verdict::LARGEST);
}

TEST(ShortReplyRetry, NeverForBoundedReplies)
{
    RpcReplyEstimate reply = UNBOUNDED;
    reply.bounded = true;
    EXPECT_FALSE(ShortReplyRetry::IsEligible(reply));
    ShortReplyRetry retry({}, reply, 4, 3);
    EXPECT_EQ(retry.Next(MakeEnd(1000), std::nullopt, UINT64_MAX), Verdict::NOT_SHORT);
}

TEST(ShortReplyRetry, NeverForWhatWasNotSentOrHadRoomForAnything)
{
    ShortReplyRetry retry({}, UNBOUNDED, 4, 3);
    EXPECT_EQ(retry.Next(MakeEnd(0), std::nullopt, UINT64_MAX), Verdict::NOT_SHORT);
}

} // namespace
} // namespace ns3::nfsrdma
