/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/posted-sends.h"

#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

using Chain = std::vector<SendWorkRequest>;

/// \return work requests that are unsignaled, as the requester makes them.
Chain
MakeChain(std::size_t count)
{
    Chain chain(count);
    for (SendWorkRequest& request : chain)
    {
        request.signaled = false;
    }
    return chain;
}

TEST(RpcRdmaPostedSendsTest, TheLastOfABatchIsSignaled)
{
    RpcRdmaPostedSends sends(16); // batches of 2
    std::vector<bool> signaled;
    std::vector<RpcRdmaRequest> requests(6);
    for (RpcRdmaRequest& request : requests)
    {
        Chain chain = MakeChain(1);
        sends.Add(request, chain);
        EXPECT_TRUE(request.sendPending);
        EXPECT_FALSE(request.sendMapped);
        signaled.push_back(chain.back().signaled);
    }
    EXPECT_EQ(signaled, (std::vector<bool>{false, false, true, false, true, false}));
}

TEST(RpcRdmaPostedSendsTest, ASendOfTheProgramsMemoryIsSignaled)
{
    RpcRdmaPostedSends sends(128);
    RpcRdmaRequest request;
    Chain chain = MakeChain(3);
    chain.back().signaled = true;
    sends.Add(request, chain);
    EXPECT_TRUE(request.sendMapped);
    EXPECT_TRUE(chain.back().signaled);
    EXPECT_FALSE(chain.front().signaled);
}

/// Four Sends, of which the second and the fourth are signaled.
class FourSends : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        for (std::size_t i = 0; i < m_requests.size(); ++i)
        {
            Chain chain = MakeChain(1);
            chain.back().signaled = i % 2 == 1;
            m_sends.Add(m_requests[i], chain);
        }
    }

    RpcRdmaPostedSends m_sends{128};
    std::vector<RpcRdmaRequest> m_requests{4};
    std::vector<RpcRdmaRequest*> m_ended;
    std::function<void(RpcRdmaRequest&)> m_note{
        [this](RpcRdmaRequest& request) { m_ended.push_back(&request); }};
};

TEST_F(FourSends, ACompletionTellsOfAllBefore)
{
    m_sends.EndNext(m_note);
    EXPECT_EQ(m_ended, (std::vector<RpcRdmaRequest*>{&m_requests[0], &m_requests[1]}));
    EXPECT_TRUE(m_requests[2].sendPending);
    m_sends.EndAll(m_note);
    EXPECT_EQ(m_ended.size(), 4U);
    EXPECT_FALSE(m_requests[2].sendPending || m_requests[3].sendPending);
}

TEST_F(FourSends, WhatIsForgottenIsNotToldOf)
{
    m_sends.Forget(m_requests[0]);
    m_sends.Forget(m_requests[1]);
    EXPECT_FALSE(m_requests[0].sendPending);
    Chain chain = MakeChain(1);
    m_sends.Add(m_requests[1], chain); // It is used again while its first Send is on its way.
    m_sends.EndNext(m_note);
    EXPECT_TRUE(m_ended.empty());
    EXPECT_TRUE(m_requests[1].sendPending);
    m_sends.EndNext(m_note);
    EXPECT_EQ(m_ended, (std::vector<RpcRdmaRequest*>{&m_requests[2], &m_requests[3]}));
    m_sends.EndAll(m_note);
    EXPECT_EQ(m_ended.back(), &m_requests[1]);
}

} // namespace
} // namespace ns3::nfsrdma
