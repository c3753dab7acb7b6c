/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/given-up-calls.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

using Fencing = ChunkRegistrar::Fencing;

class GivenUpCallsTest : public testing::Test
{
  protected:
    GivenUpCallsTest()
    {
        m_request.call = std::make_unique<RpcTransportCall>();
        m_request.call->record.xid = 7;
        m_request.call->record.sent = Seconds(3);
    }

    RpcRdmaRequest m_request;
    RpcRdmaGivenUpCalls m_calls{"linux"};
};

TEST_F(GivenUpCallsTest, WhatThePeerCanReachHasToBeFenced)
{
    RpcRdmaGivenUpCalls calls("linux");
    EXPECT_EQ(calls.Choose(m_request, Fencing::NONE), RpcCancellation::FENCING);
    m_request.registrations.emplace_back();
    EXPECT_EQ(calls.Choose(m_request, Fencing::INVALIDATES), RpcCancellation::FENCING);
    EXPECT_EQ(calls.Choose(m_request, Fencing::NONE), RpcCancellation::NONE);
    EXPECT_EQ(calls.Choose(m_request, Fencing::DETACHED), RpcCancellation::SET_ASIDE);
}

TEST_F(GivenUpCallsTest, ACallKeepsItsCreditWhereTheConnectionSaysSo)
{
    m_calls.Add(m_request, RpcCancellation::FENCING, true);
    EXPECT_TRUE(m_request.creditKept);
    EXPECT_TRUE(m_calls.Contains(7));
    EXPECT_EQ(m_calls.GetOldestOwed(), Seconds(3));
    EXPECT_EQ(m_calls.GetFencing(), std::vector<RpcRdmaRequest*>{&m_request});
    m_calls.Remove(m_request);
    EXPECT_EQ(m_request.cancellation, RpcCancellation::NONE);
    EXPECT_TRUE(m_calls.GetFencing().empty());
    EXPECT_EQ(m_calls.TakeLate(7), Seconds(3));
    EXPECT_FALSE(m_calls.Contains(7));
    EXPECT_EQ(m_calls.GetOldestOwed(), Time::Max());
}

TEST_F(GivenUpCallsTest, ACallSetAsideKeepsItsCredit)
{
    m_calls.Add(m_request, RpcCancellation::SET_ASIDE, false);
    EXPECT_TRUE(m_request.creditKept);
    EXPECT_EQ(m_calls.GetSetAside(), 1U);
    m_calls.Remove(m_request);
    EXPECT_EQ(m_calls.GetSetAside(), 0U);
}

TEST_F(GivenUpCallsTest, TheEndOfTheConnectionForgetsAll)
{
    m_calls.Add(m_request, RpcCancellation::FENCING, true);
    m_calls.Clear();
    EXPECT_FALSE(m_calls.Contains(7));
    EXPECT_FALSE(m_calls.TakeLate(7));
    EXPECT_TRUE(m_calls.GetFencing().empty());
}

} // namespace
} // namespace ns3::nfsrdma
