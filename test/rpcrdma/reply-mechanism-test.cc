/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/reply-header-size.h"
#include "rpcrdma/policy/reply-mechanism.h"
#include "rpcrdma/policy/running-size-estimate.h"

#include <gtest/gtest.h>
#include <optional>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t THRESHOLD = 4096;
/// What Linux's client leaves of it with 4 segments, and with 3.
constexpr uint32_t MAX_INLINE = 3996;
constexpr uint32_t MAX_INLINE_3 = 4012;

using Items = std::vector<std::size_t>;

ReplyChoice
MakeChoice(const RpcReplyEstimate& reply)
{
    ReplyChoice choice{reply};
    choice.maxInline = MAX_INLINE;
    choice.threshold = THRESHOLD;
    choice.maxSegments = 4;
    choice.maxWriteChunks = 8;
    choice.countSegments = [](const RpcReplyItem& item) { return item.maximum % 4 == 0 ? 1 : 2; };
    return choice;
}

void
ExpectOffer(const ReplyOffer& offer, const Items& reduced, bool replyChunk)
{
    EXPECT_EQ(offer.reduced, reduced);
    EXPECT_EQ(offer.replyChunk, replyChunk);
}

TEST(ReplyMechanismPolicy, LinuxTestsInOrder)
{
    const auto policy = ReplyMechanismPolicy::Create("linux");
    RpcReplyEstimate reply;
    reply.head = 128;
    reply.items = {{3868, 0, true}};
    ReplyChoice choice = MakeChoice(reply);
    ExpectOffer(policy->Choose(choice), {}, false);
    reply.items.front().maximum = 3869;
    ExpectOffer(policy->Choose(choice), {0}, false);
    choice.reduction = false;
    ExpectOffer(policy->Choose(choice), {}, true);
    choice.reduction = true;
    reply.tail = 3996 - reply.head;
    ExpectOffer(policy->Choose(choice), {}, true);
    reply.tail = 0;
    reply.items.front().ddpEligible = false;
    ExpectOffer(policy->Choose(choice), {}, true);
}

/// A reply with items, and what each policy offers for it.
struct OfferCase
{
    const char* what;
    RpcReplyEstimate reply;
    bool readChunks;
    const char* policy;
    Items reduced;
    bool replyChunk;
};

class ReplyOffers : public ::testing::TestWithParam<OfferCase>
{
};

TEST_P(ReplyOffers, AreThoseOfThePolicy)
{
    const OfferCase& it = GetParam();
    ReplyChoice choice = MakeChoice(it.reply);
    choice.peerGivesReadChunks = it.readChunks;
    ExpectOffer(ReplyMechanismPolicy::Create(it.policy)->Choose(choice), it.reduced, it.replyChunk);
}

const RpcReplyEstimate SMALL{100, {}, 0, 40};
const RpcReplyEstimate SMALL_ITEM{100, {{100, 0, true}}, 4, 40};
/// Fits with its own header, not with the largest one.
const RpcReplyEstimate NARROW{100, {{3960, 0, true}}, 4, 40};
const RpcReplyEstimate NARROW_TEXT{100, {{3960, 0, false}}, 4, 40};
const RpcReplyEstimate READ{128, {{65536, 0, true}}, 4, 128};
const RpcReplyEstimate TEXT{128, {{65536, 0, false}}, 4, 128};
const RpcReplyEstimate LARGE_TEXT{128, {{65536, 0, false}}, 4, 9000};
const RpcReplyEstimate TWO{128, {{2000, 0, true}, {3000, 0, true}}, 8, 128};
const RpcReplyEstimate BOTH{128, {{65536, 0, true}, {65536, 0, false}}, 8, 128};
const RpcReplyEstimate BOTH_LARGE{128, {{65536, 0, true}, {65536, 0, false}}, 8, 70000};

INSTANTIATE_TEST_SUITE_P(
    Table,
    ReplyOffers,
    ::testing::Values(
        OfferCase{"small", SMALL, true, "linux", {}, false},
        OfferCase{"small", SMALL, true, "write-chunk-first", {}, false},
        OfferCase{"small", SMALL, true, "write-and-reply-chunk", {}, true},
        OfferCase{"small", SMALL, true, "reply-chunk-always", {}, true},
        OfferCase{"small", SMALL, false, "solved", {}, false},
        OfferCase{"small", SMALL, false, "reply-chunk-when-surely-large", {}, false},
        OfferCase{"small", SMALL, false, "running-estimate", {}, false},
        OfferCase{"small item", SMALL_ITEM, false, "linux", {}, false},
        OfferCase{"small item", SMALL_ITEM, false, "write-chunk-first", {0}, false},
        OfferCase{"small item", SMALL_ITEM, false, "write-and-reply-chunk", {0}, true},
        OfferCase{"narrow", NARROW, false, "linux", {0}, false},
        OfferCase{"narrow", NARROW, false, "solved", {}, false},
        OfferCase{"narrow", NARROW_TEXT, false, "linux", {}, true},
        OfferCase{"narrow", NARROW_TEXT, false, "solved", {}, false},
        OfferCase{"narrow", NARROW_TEXT, true, "reply-chunk-never", {}, false},
        OfferCase{"read", READ, false, "linux", {0}, false},
        OfferCase{"read", READ, false, "solved", {0}, false},
        OfferCase{"read", READ, false, "reply-chunk-always", {}, true},
        OfferCase{"read", READ, true, "reply-chunk-when-surely-large", {0}, false},
        OfferCase{"read", READ, true, "reply-chunk-never", {0}, false},
        OfferCase{"text", TEXT, false, "linux", {}, true},
        OfferCase{"text", TEXT, false, "solved", {}, true},
        OfferCase{"text", TEXT, true, "solved", {}, true},
        OfferCase{"text", TEXT, true, "reply-chunk-always", {}, true},
        OfferCase{"text", TEXT, true, "reply-chunk-when-surely-large", {}, false},
        OfferCase{"text", TEXT, false, "reply-chunk-when-surely-large", {}, true},
        OfferCase{"text", TEXT, true, "reply-chunk-never", {}, false},
        OfferCase{"text", TEXT, false, "reply-chunk-never", {}, false},
        OfferCase{"text", TEXT, true, "running-estimate", {}, false},
        OfferCase{"text", TEXT, false, "running-estimate", {}, true},
        OfferCase{"large text", LARGE_TEXT, true, "reply-chunk-when-surely-large", {}, true},
        OfferCase{"large text", LARGE_TEXT, true, "running-estimate", {}, true},
        OfferCase{"large text", LARGE_TEXT, true, "reply-chunk-never", {}, false},
        OfferCase{"two", TWO, false, "linux", {0, 1}, false},
        OfferCase{"two", TWO, false, "solved", {0}, false},
        OfferCase{"two", TWO, false, "write-and-reply-chunk", {0, 1}, true},
        OfferCase{"both", BOTH, false, "linux", {}, true},
        OfferCase{"both", BOTH, false, "solved", {0}, true},
        OfferCase{"both", BOTH, true, "reply-chunk-when-surely-large", {0}, false},
        OfferCase{"both", BOTH_LARGE, true, "reply-chunk-when-surely-large", {0}, true},
        OfferCase{"both", BOTH_LARGE, true, "reply-chunk-never", {0}, false},
        OfferCase{"both", BOTH, true, "write-and-reply-chunk", {0}, true}),
    [](const ::testing::TestParamInfo<OfferCase>& offer) {
        std::string name = std::to_string(offer.index) + "_" + offer.param.what + "_" +
                           offer.param.policy + (offer.param.readChunks ? "_with" : "_without");
        for (char& letter : name)
        {
            letter = std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
        }
        return name;
    });

TEST(ReplyMechanismPolicy, WriteChunksStayWithinTheirNumber)
{
    RpcReplyEstimate reply{128, {{5000, 0, true}, {9000, 0, true}}, 8, 0};
    ReplyChoice choice = MakeChoice(reply);
    choice.maxWriteChunks = 1;
    ExpectOffer(ReplyMechanismPolicy::Create("linux")->Choose(choice), {}, true);
    ExpectOffer(ReplyMechanismPolicy::Create("solved")->Choose(choice), {0}, true);
    ExpectOffer(ReplyMechanismPolicy::Create("write-and-reply-chunk")->Choose(choice), {0}, true);
    choice.maxWriteChunks = 0;
    ExpectOffer(ReplyMechanismPolicy::Create("write-and-reply-chunk")->Choose(choice), {}, true);
}

TEST(ReplyMechanismPolicy, ContinuationNeedsNoReplyChunkAsFarAsItsSendsReach)
{
    const auto policy = ReplyMechanismPolicy::Create("continuation");
    RpcReplyEstimate reply{128, {{65536, 0, false}}, 4, 9000};
    ReplyChoice choice = MakeChoice(reply);
    const uint32_t first = THRESHOLD - 28 - 8;
    const uint32_t each = THRESHOLD - 16 - 8;
    choice.messages = 8;
    reply.items.front().maximum = first + 7 * each - 132;
    ExpectOffer(policy->Choose(choice), {}, false);
    ++reply.items.front().maximum;
    ExpectOffer(policy->Choose(choice), {}, true);
    choice.peerGivesReadChunks = true;
    ExpectOffer(policy->Choose(choice), {}, true); // It is surely too large for a Send.
    reply.minimum = 0;
    ExpectOffer(policy->Choose(choice), {}, false);
    choice.peerGivesReadChunks = false;
    choice.messages = 1;
    reply.items.front().maximum = 5000;
    ExpectOffer(policy->Choose(choice), {}, true);
    reply.items.front().ddpEligible = true;
    ExpectOffer(policy->Choose(choice), {0}, false);
}

TEST(ReplyMechanismPolicy, RunningEstimateFollowsEachProcedure)
{
    const auto policy = ReplyMechanismPolicy::Create("running-estimate");
    ReplyChoice choice = MakeChoice(TEXT);
    choice.peerGivesReadChunks = true;
    choice.program = 100003;
    choice.procedure = 17;
    policy->Observe({100003, 17, 0}, 30000);
    ExpectOffer(policy->Choose(choice), {}, true);
    choice.procedure = 16;
    ExpectOffer(policy->Choose(choice), {}, false);
    choice.procedure = 17;
    for (int i = 0; i < 20; ++i)
    {
        policy->Observe({100003, 17, 0}, 400);
    }
    ExpectOffer(policy->Choose(choice), {}, false);
}

TEST(ReplyMechanismPolicy, RunningEstimateTellsUsesOfAProcedureApart)
{
    const auto policy = ReplyMechanismPolicy::Create("running-estimate");
    RpcReplyEstimate large = TEXT;
    large.kind = 7;
    RpcReplyEstimate small = TEXT;
    small.kind = 8;
    for (int i = 0; i < 20; ++i)
    {
        policy->Observe({100003, 1, 7}, 30000);
        policy->Observe({100003, 1, 8}, 100);
        policy->Observe({100003, 1, 8}, 100);
    }
    for (const RpcReplyEstimate* reply : {&large, &small})
    {
        ReplyChoice choice = MakeChoice(*reply);
        choice.peerGivesReadChunks = true;
        choice.program = 100003;
        choice.procedure = 1;
        ExpectOffer(policy->Choose(choice), {}, reply == &large);
    }
}

TEST(RunningSizeEstimate, MovesByAnEighth)
{
    RunningSizeEstimate estimate;
    EXPECT_EQ(estimate.Get(), 0U);
    estimate.Add(800);
    EXPECT_EQ(estimate.Get(), 800U);
    estimate.Add(1600);
    EXPECT_EQ(estimate.Get(), 900U);
    for (int i = 0; i < 200; ++i)
    {
        estimate.Add(UINT32_MAX);
    }
    EXPECT_GT(estimate.Get(), UINT32_MAX - 100);
}

TEST(ReplyHeaderSize, OfEachMechanism)
{
    EXPECT_EQ(ReplyHeaderSize::Get({}, std::nullopt), 28U);
    EXPECT_EQ(ReplyHeaderSize::Get({1}, std::nullopt), 52U);
    EXPECT_EQ(ReplyHeaderSize::Get({0, 2}, std::nullopt), 76U);
    EXPECT_EQ(ReplyHeaderSize::Get({}, 3), 80U);
    EXPECT_EQ(ReplyHeaderSize::Get({4}, 1), 28U + 72 + 20);
}

TEST(ReplyHeaderSize, FindsTheSmallestThatSuffices)
{
    const ReplyHeaderSize solver(1024);
    EXPECT_EQ(solver.Solve(996, {{500, 1}}), Items());
    EXPECT_EQ(solver.Solve(997, {{500, 1}}), Items({0}));
    EXPECT_EQ(solver.Solve(997, {}), std::nullopt);
    // 24 octets for a chunk of one segment, 8 more for an empty one before it.
    EXPECT_EQ(solver.Solve(1100, {{400, 1}, {500, 1}}), Items({0}));
    EXPECT_EQ(solver.Solve(1100, {{400, 4}, {500, 1}}), Items({1}));
    EXPECT_EQ(solver.Solve(972 + 30, {{30, 1}}), Items({0}));
    EXPECT_EQ(solver.Solve(972 + 31, {{30, 1}}), std::nullopt);
    EXPECT_EQ(solver.Solve(3000, {{1000, 1}, {400, 1}, {1200, 1}}), Items({0, 2}));
    EXPECT_EQ(solver.Solve(5000, {{1000, 1}, {400, 1}, {1200, 1}}), std::nullopt);
}

TEST(ReplyHeaderSize, AFixedReserveWouldHaveWastedAReplyChunk)
{
    const auto fixedReserve = ReplyMechanismPolicy::Create("linux");
    const auto solved = ReplyMechanismPolicy::Create("solved");
    for (const uint32_t reserve : {MAX_INLINE, MAX_INLINE_3})
    {
        uint32_t wasted = 0;
        for (uint32_t total = 3900; total < 4200; total += 4)
        {
            RpcReplyEstimate reply{124, {{total - 128, 0, false}}, 4, 0};
            ReplyChoice choice = MakeChoice(reply);
            choice.maxInline = reserve;
            const bool offered = fixedReserve->Choose(choice).replyChunk;
            const bool needed = solved->Choose(choice).replyChunk;
            EXPECT_EQ(offered, total > reserve);
            EXPECT_EQ(needed, total > THRESHOLD - 28);
            wasted += offered && !needed ? 1 : 0;
        }
        EXPECT_EQ(wasted, (THRESHOLD - 28 - reserve) / 4);
    }
}

} // namespace
} // namespace ns3::nfsrdma
