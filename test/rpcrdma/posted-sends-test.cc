/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/posted-sends.h"

#include <gtest/gtest.h>

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

TEST(RpcRdmaPostedSendsTest, ACompletionTellsOfAllBefore)
{
    RpcRdmaPostedSends sends(128);
    std::vector<RpcRdmaRequest> requests(3);
    for (RpcRdmaRequest& request : requests)
    {
        Chain chain = MakeChain(1);
        sends.Add(request, chain);
    }
    std::vector<RpcRdmaRequest*> ended;
    const auto note = [&ended](RpcRdmaRequest& request) { ended.push_back(&request); };
    sends.End(&requests[1], note);
    EXPECT_EQ(ended, (std::vector<RpcRdmaRequest*>{&requests[0], &requests[1]}));
    EXPECT_TRUE(requests[2].sendPending);
    sends.End(nullptr, note);
    EXPECT_EQ(ended.size(), 3U);
    EXPECT_FALSE(requests[2].sendPending);
}

} // namespace
} // namespace ns3::nfsrdma
