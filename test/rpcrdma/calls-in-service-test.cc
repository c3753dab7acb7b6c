/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/calls-in-service.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint64_t CLIENT = 5;

/// \return a Call; \p handle of its Read chunk, 0: it has none.
std::shared_ptr<const SvcRdmaCall>
MakeServiceCall(uint32_t xid, Stag handle = 0)
{
    auto call = std::make_shared<SvcRdmaCall>();
    call->xid = xid;
    call->client = CLIENT;
    if (handle != 0)
    {
        RpcRdmaSegment segment;
        segment.handle = handle;
        call->chunks.readList.push_back({0, segment});
    }
    return call;
}

TEST(SvcRdmaCallsInServiceTest, AnXidInServiceIsADuplicate)
{
    SvcRdmaCallsInService calls(std::make_shared<SvcRdmaFailedCalls>(0), true);
    const auto call = MakeServiceCall(7);
    calls.Add(call);
    EXPECT_EQ(calls.GetCount(), 1U);
    EXPECT_EQ(calls.Check(CLIENT, 7), CallFault::DUPLICATE_XID);
    EXPECT_EQ(calls.Check(CLIENT, 8), CallFault::NONE);
    calls.End(*call);
    EXPECT_EQ(calls.GetCount(), 0U);
    EXPECT_EQ(calls.Check(CLIENT, 7), CallFault::NONE);
}

TEST(SvcRdmaCallsInServiceTest, DuplicatesMayBeServed)
{
    SvcRdmaCallsInService calls(std::make_shared<SvcRdmaFailedCalls>(0), false);
    calls.Add(MakeServiceCall(7));
    calls.Add(MakeServiceCall(7));
    EXPECT_EQ(calls.GetCount(), 2U);
    EXPECT_EQ(calls.Check(CLIENT, 7), CallFault::NONE);
}

TEST(SvcRdmaCallsInServiceTest, ATerminateThatNamesAChunkFailsItsCall)
{
    SvcRdmaCallsInService calls(std::make_shared<SvcRdmaFailedCalls>(4), false);
    calls.Add(MakeServiceCall(7, 0x700));
    calls.Add(MakeServiceCall(8, 0x800));
    TerminateMessage message;
    message.readRequest.emplace().sourceStag = 0x800;
    calls.HandleTerminate(message);
    EXPECT_EQ(calls.Check(CLIENT, 7), CallFault::NONE);
    EXPECT_EQ(calls.Check(CLIENT + 1, 8), CallFault::NONE);
    EXPECT_EQ(calls.Check(CLIENT, 8), CallFault::FAILED_BEFORE);
    EXPECT_EQ(calls.Check(CLIENT, 8), CallFault::NONE);
}

TEST(SvcRdmaCallsInServiceTest, ATerminateWithoutANameFailsTheLastCallsWithChunks)
{
    SvcRdmaCallsInService calls(std::make_shared<SvcRdmaFailedCalls>(2), false);
    calls.Add(MakeServiceCall(6, 0x600));
    calls.Add(MakeServiceCall(7, 0x700));
    calls.Add(MakeServiceCall(8, 0x800));
    calls.Add(MakeServiceCall(9));
    calls.HandleTerminate({});
    EXPECT_EQ(calls.Check(CLIENT, 6), CallFault::NONE);
    EXPECT_EQ(calls.Check(CLIENT, 7), CallFault::FAILED_BEFORE);
    EXPECT_EQ(calls.Check(CLIENT, 8), CallFault::FAILED_BEFORE);
    EXPECT_EQ(calls.Check(CLIENT, 9), CallFault::NONE);
}

} // namespace
} // namespace ns3::nfsrdma
