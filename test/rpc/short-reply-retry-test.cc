/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/short-reply-retry.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

const RpcReplyEstimate UNBOUNDED{100, {}, 900, 40, false};

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
    EXPECT_EQ(retry.Next(GetParam().outcome, GetParam().refusal), GetParam().again)
        << GetParam().what;
    EXPECT_EQ(retry.GetAttempts(), GetParam().again ? 2U : 1U);
    EXPECT_EQ(retry.GetReply().GetTotal(), GetParam().again ? 4000U : 1000U);
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
        EXPECT_TRUE(retry.Next(RpcOutcome::TRANSPORT_ERROR, std::nullopt));
        EXPECT_EQ(retry.GetAttempts(), attempt);
        size *= 3;
        EXPECT_EQ(retry.GetReply().GetTotal(), size);
        EXPECT_FALSE(retry.GetReply().bounded);
    }
    EXPECT_FALSE(retry.Next(RpcOutcome::TRANSPORT_ERROR, std::nullopt));
    ShortReplyRetry large({}, UNBOUNDED, 16, 1024);
    EXPECT_TRUE(large.Next(RpcOutcome::TRANSPORT_ERROR, std::nullopt));
    EXPECT_TRUE(large.Next(RpcOutcome::TRANSPORT_ERROR, std::nullopt));
    EXPECT_FALSE(large.Next(RpcOutcome::TRANSPORT_ERROR, std::nullopt));
}

TEST(ShortReplyRetry, NeverForBoundedReplies)
{
    RpcReplyEstimate reply = UNBOUNDED;
    reply.bounded = true;
    EXPECT_FALSE(ShortReplyRetry::IsEligible(reply));
    ShortReplyRetry retry({}, reply, 4, 3);
    EXPECT_FALSE(retry.Next(RpcOutcome::TRANSPORT_ERROR, std::nullopt));
}

} // namespace
} // namespace ns3::nfsrdma
