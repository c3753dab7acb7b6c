/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/credit-window.h"
#include "rpcrdma/client/xprt-statistics.h"
#include "rpcrdma/policy/call-form.h"
#include "rpcrdma/policy/credit-grant.h"
#include "rpcrdma/policy/remote-invalidation.h"
#include "rpcrdma/policy/reply-chunk.h"
#include "rpcrdma/policy/reply-mechanism.h"
#include "rpcrdma/registration/strategy.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

template <typename Policy>
void
ExpectEveryNameMakesOne()
{
    for (const std::string& name : Policy::GetNames())
    {
        EXPECT_NE(Policy::Create(name), nullptr) << name;
    }
    EXPECT_EQ(Policy::Create("nonesuch"), nullptr);
}

TEST(Policies, AreFoundByName)
{
    ExpectEveryNameMakesOne<CreditGrantPolicy>();
    ExpectEveryNameMakesOne<RegistrationPolicy>();
    ExpectEveryNameMakesOne<RemoteInvalidationPolicy>();
    ExpectEveryNameMakesOne<CallFormPolicy>();
    ExpectEveryNameMakesOne<ReplyMechanismPolicy>();
    ExpectEveryNameMakesOne<ReplyChunkPolicy>();
}

CreditSituation
MakeSituation(uint32_t requested, uint32_t granted, uint32_t inService)
{
    CreditSituation situation;
    situation.requested = requested;
    situation.maximum = 64;
    situation.granted = granted;
    situation.inService = inService;
    return situation;
}

TEST(CreditGrantPolicy, FixedIgnoresTheRequest)
{
    const auto policy = CreditGrantPolicy::Create("fixed");
    EXPECT_EQ(policy->Grant(MakeSituation(1, 64, 1)), 64U);
    EXPECT_EQ(policy->Grant(MakeSituation(0, 1, 1)), 64U);
    EXPECT_EQ(policy->GrantFirst(MakeSituation(0, 1, 0)), 64U);
}

TEST(CreditGrantPolicy, RequestedStaysWithinBounds)
{
    const auto policy = CreditGrantPolicy::Create("requested");
    EXPECT_EQ(policy->Grant(MakeSituation(0, 64, 1)), 1U);
    EXPECT_EQ(policy->Grant(MakeSituation(17, 64, 1)), 17U);
    EXPECT_EQ(policy->Grant(MakeSituation(128, 1, 1)), 64U);
    EXPECT_EQ(policy->GrantFirst(MakeSituation(128, 1, 0)), 1U);
}

TEST(CreditGrantPolicy, FairShareDividesThePool)
{
    const auto policy = CreditGrantPolicy::Create("fair-share");
    CreditSituation situation = MakeSituation(128, 1, 1);
    situation.pool = 100;
    EXPECT_EQ(policy->Grant(situation), 64U);
    situation.connections = 3;
    EXPECT_EQ(policy->Grant(situation), 33U);
    situation.requested = 8;
    EXPECT_EQ(policy->Grant(situation), 8U);
    situation.connections = 101;
    EXPECT_EQ(policy->Grant(situation), 1U);
}

TEST(CreditGrantPolicy, AdaptiveFollowsUse)
{
    const auto policy = CreditGrantPolicy::Create("adaptive");
    EXPECT_EQ(policy->GrantFirst(MakeSituation(128, 1, 0)), 4U);
    EXPECT_EQ(policy->Grant(MakeSituation(128, 4, 2)), 4U);
    EXPECT_EQ(policy->Grant(MakeSituation(128, 4, 3)), 8U);
    EXPECT_EQ(policy->Grant(MakeSituation(10, 8, 8)), 10U);
    EXPECT_EQ(policy->Grant(MakeSituation(128, 40, 40)), 64U);
    EXPECT_EQ(policy->Grant(MakeSituation(128, 40, 10)), 39U);
    EXPECT_EQ(policy->Grant(MakeSituation(128, 4, 1)), 4U);
    EXPECT_EQ(policy->Grant(MakeSituation(2, 4, 1)), 2U);
    CreditSituation pressed = MakeSituation(128, 40, 40);
    pressed.pressure = true;
    EXPECT_EQ(policy->Grant(pressed), 20U);
    pressed.granted = 1;
    EXPECT_EQ(policy->Grant(pressed), 1U);
}

/// Replies to a client that would have \p demand calls outstanding; \return the grant after each.
std::vector<uint32_t>
Follow(uint32_t granted, uint32_t demand, uint32_t replies)
{
    const auto policy = CreditGrantPolicy::Create("adaptive");
    std::vector<uint32_t> grants;
    for (uint32_t i = 0; i < replies; ++i)
    {
        CreditSituation situation = MakeSituation(1024, granted, std::min(granted, demand));
        situation.maximum = 1024;
        granted = policy->Grant(situation);
        grants.push_back(granted);
    }
    return grants;
}

TEST(CreditGrantPolicy, AdaptiveSettlesBetweenTheBoundsOfItsLaw)
{
    for (uint32_t demand = 3; demand <= 300; ++demand)
    {
        const auto up = Follow(4, demand, 20);
        EXPECT_GT(3 * up.back(), 4 * demand) << demand;
        EXPECT_LE(3 * up.back(), std::max(12U, 8 * demand)) << demand;
        EXPECT_EQ(up[10], up.back()) << demand;
        const auto down = Follow(1024, demand, 1100);
        EXPECT_EQ(down.back(), std::min(1024U, std::max(4 * demand - 1, 4U))) << demand;
        EXPECT_EQ(down[1050], down.back()) << demand;
    }
}

TEST(CreditGrantPolicy, AdaptiveUnderPressureTakesFromThoseWhoHaveMost)
{
    const auto policy = CreditGrantPolicy::Create("adaptive");
    std::vector<uint32_t> grants{4, 48, 64};
    for (uint32_t i = 0; i < 3; ++i)
    {
        CreditSituation situation = MakeSituation(128, grants[i], grants[i]);
        situation.pressure = true;
        situation.mean = 38;
        grants[i] = policy->Grant(situation);
    }
    EXPECT_EQ(grants, (std::vector<uint32_t>{4, 24, 32}));
}

TEST(CreditWindow, StartsWithOneAndClampsGrants)
{
    CreditWindow window(8);
    EXPECT_TRUE(window.MaySend());
    window.OnSent();
    EXPECT_FALSE(window.MaySend());
    window.OnGrant(64);
    EXPECT_EQ(window.GetGranted(), 8U);
    window.OnGrant(0);
    EXPECT_EQ(window.GetGranted(), 1U);
    EXPECT_FALSE(window.MaySend());
    window.OnEnded();
    EXPECT_TRUE(window.MaySend());
}

TEST(RegistrationPolicy, LinuxKeepsRegionsWithTheirSlot)
{
    const auto policy = RegistrationPolicy::Create("linux");
    policy->Add(0);
    policy->Add(1);
    EXPECT_EQ(policy->Take(5), 1U);
    policy->Return(5, 1);
    EXPECT_EQ(policy->Take(7), 0U);
    EXPECT_EQ(policy->Take(7), std::nullopt);
    EXPECT_TRUE(policy->Reclaim());
    EXPECT_FALSE(policy->Reclaim());
    EXPECT_EQ(policy->Take(7), 1U);
}

TEST(RegistrationPolicy, SharedFifoTakesTheLongestUnused)
{
    const auto policy = RegistrationPolicy::Create("shared-fifo");
    policy->Add(0);
    policy->Add(1);
    EXPECT_EQ(policy->Take(5), 0U);
    policy->Return(5, 0);
    EXPECT_EQ(policy->Take(5), 1U);
    EXPECT_EQ(policy->Take(6), 0U);
    EXPECT_EQ(policy->Take(6), std::nullopt);
}

RpcRdmaChunkLists
MakeLists(const std::vector<Stag>& reads, const std::vector<Stag>& writes)
{
    RpcRdmaChunkLists lists;
    for (const Stag handle : reads)
    {
        lists.readList.push_back({0, {handle, 4, 0}});
    }
    lists.writeList.emplace_back();
    for (const Stag handle : writes)
    {
        lists.writeList.back().push_back({handle, 4, 0});
    }
    return lists;
}

TEST(RemoteInvalidationPolicy, LinuxWantsOneDistinctTag)
{
    const auto policy = RemoteInvalidationPolicy::Create("linux");
    EXPECT_EQ(policy->Choose(true, false, MakeLists({7}, {})), 7U);
    EXPECT_EQ(policy->Choose(true, false, MakeLists({7, 7}, {7})), 7U);
    EXPECT_EQ(policy->Choose(true, false, MakeLists({7}, {8})), std::nullopt);
    EXPECT_EQ(policy->Choose(false, true, MakeLists({7}, {})), std::nullopt);
    EXPECT_EQ(policy->Choose(true, true, MakeLists({}, {})), std::nullopt);
}

TEST(RemoteInvalidationPolicy, Rfc8797NeedsBothFlags)
{
    const auto policy = RemoteInvalidationPolicy::Create("rfc8797");
    EXPECT_EQ(policy->Choose(true, false, MakeLists({7}, {8})), std::nullopt);
    EXPECT_EQ(policy->Choose(true, true, MakeLists({7}, {8})), 7U);
    EXPECT_EQ(RemoteInvalidationPolicy::Create("never")->Choose(true, true, MakeLists({7}, {})),
              std::nullopt);
}

TEST(RemoteInvalidationPolicy, LargestTakesTheTagOfMostOctets)
{
    const auto policy = RemoteInvalidationPolicy::Create("largest");
    RpcRdmaChunkLists lists;
    EXPECT_EQ(policy->Choose(true, true, lists), std::nullopt);
    lists.readList = {{0, {7, 100, 0}}, {100, {8, 300, 0}}};
    lists.writeList = {{{9, 200, 0}, {9, 200, 200}}};
    EXPECT_EQ(policy->Choose(true, true, lists), 9U);
    lists.replyChunk = RpcRdmaWriteChunk{{10, 400, 0}};
    EXPECT_EQ(policy->Choose(true, true, lists), 9U);
    EXPECT_EQ(policy->Choose(true, false, lists), std::nullopt);
    EXPECT_EQ(policy->Choose(false, true, lists), std::nullopt);
}

TEST(XprtRdmaStatistics, FormatsLinuxLine)
{
    XprtRdmaStatistics statistics;
    statistics.connectCount = 1;
    statistics.sends = 636;
    statistics.recvs = 636;
    statistics.reqU = 636;
    statistics.readChunk = 9;
    statistics.writeChunk = 8;
    statistics.replyChunk = 45;
    statistics.totalRdmaRequest = 785568;
    statistics.totalRdmaReply = 301578;
    statistics.pullupCopy = 212;
    statistics.fixupCopy = 3172;
    statistics.failedMarshal = 2;
    statistics.nomsgCall = 1;
    statistics.mrsAllocated = 12;
    statistics.localInvNeeded = 47;
    EXPECT_EQ(statistics.Format(),
              "\txprt:\trdma 0 0 1 0 0 636 636 0 636 0 9 8 45 785568 301578 212 3172 0 2 0 1 0 0 "
              "12 47 0 0");
}

} // namespace
} // namespace ns3::nfsrdma
