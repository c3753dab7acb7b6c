/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/call-queue.h"
#include "rpcrdma/client/request-slots.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

RpcRdmaCallQueue::Call
MakeCall(uint32_t xid)
{
    auto call = std::make_unique<RpcTransportCall>();
    call->record.xid = xid;
    return call;
}

TEST(RpcRdmaCallQueueTest, CallsAreNumberedAndTakenInOrder)
{
    RpcRdmaCallQueue queue;
    EXPECT_TRUE(queue.IsEmpty());
    queue.Add(MakeCall(7));
    queue.Add(MakeCall(8));
    EXPECT_EQ(queue.GetSize(), 2U);
    EXPECT_EQ(queue.GetFront().record.xid, 7U);
    RpcRdmaCallQueue::Call first = queue.TakeFront();
    EXPECT_EQ(first->order, 1U);
    EXPECT_EQ(queue.GetFront().order, 2U);
    queue.PutBack(std::move(first));
    EXPECT_EQ(queue.GetFront().record.xid, 7U);
    EXPECT_EQ(queue.GetFront().order, 1U);
    EXPECT_EQ(queue.Describe("credit"),
              (std::vector<std::string>{"XID 0x00000007: credit", "XID 0x00000008: credit"}));
}

TEST(RpcRdmaCallQueueTest, CallsThatWaitedForASlotSleep)
{
    const Time start = MicroSeconds(7);
    const Time later = MicroSeconds(9);
    const Time delay = MilliSeconds(250);
    RpcRdmaCallQueue queue;
    for (const uint32_t xid : {1, 2})
    {
        auto call = MakeCall(xid);
        call->record.handed = start;
        queue.Add(std::move(call));
    }
    queue.GrantSlots(1, start, delay);
    ASSERT_TRUE(queue.BringReady(start)) << "a slot was free";
    EXPECT_EQ(queue.TakeFront()->record.xid, 1U);

    queue.GrantSlots(1, later, delay);
    EXPECT_FALSE(queue.BringReady(later));
    EXPECT_EQ(queue.GetNextReady(later), later + delay);
    auto young = MakeCall(3);
    young->record.handed = later;
    queue.Add(std::move(young));
    queue.GrantSlots(2, later, delay);
    ASSERT_TRUE(queue.BringReady(later)) << "a call that finds a slot overtakes those that sleep";
    EXPECT_EQ(queue.TakeFront()->record.xid, 3U);

    ASSERT_TRUE(queue.BringReady(later + delay));
    EXPECT_EQ(queue.TakeFront()->record.xid, 2U);
    EXPECT_EQ(queue.GetNextReady(later + delay), Time::Max());
}

TEST(RpcRdmaCallQueueTest, ACallIsTakenByItsXid)
{
    RpcRdmaCallQueue queue;
    queue.Add(MakeCall(7));
    queue.Add(MakeCall(8));
    EXPECT_EQ(queue.Take(9), nullptr);
    EXPECT_EQ(queue.Take(8)->order, 2U);
    EXPECT_EQ(queue.GetSize(), 1U);
}

TEST(RpcRdmaCallQueueTest, SoftCallsAreOverAtTheirMajorTimeout)
{
    const RpcTimeout soft{Seconds(10), 1, true};
    RpcRdmaCallQueue queue;
    for (const uint32_t xid : {1, 2, 3})
    {
        auto call = MakeCall(xid);
        soft.Start(call->times, xid == 2 ? Seconds(5) : Seconds(0));
        queue.Add(std::move(call));
    }
    Time next = Seconds(100);
    const auto over = queue.TakeOver(soft, Seconds(20), next);
    ASSERT_EQ(over.size(), 2U);
    EXPECT_EQ(over[0]->record.xid, 3U);
    EXPECT_EQ(over[1]->record.xid, 1U);
    EXPECT_EQ(queue.GetFront().record.xid, 2U);
    EXPECT_EQ(next, Seconds(25));
}

TEST(RpcRdmaCallQueueTest, HardCallsBeginAnew)
{
    const RpcTimeout hard{Seconds(10), 1, false};
    RpcRdmaCallQueue queue;
    auto call = MakeCall(1);
    hard.Start(call->times, Seconds(0));
    queue.Add(std::move(call));
    Time next = Seconds(100);
    EXPECT_TRUE(queue.TakeOver(hard, Seconds(20), next).empty());
    EXPECT_EQ(queue.GetFront().times.major, Seconds(40));
    EXPECT_EQ(next, Seconds(100));
}

TEST(RpcRdmaRequestSlotsTest, TheSlotGivenBackLastIsTakenFirst)
{
    RpcRdmaRequestSlots slots;
    RpcRdmaRequest& first = slots.Take();
    RpcRdmaRequest& second = slots.Take();
    EXPECT_EQ(first.slot, 0U);
    EXPECT_EQ(second.slot, 1U);
    slots.Release(second);
    slots.Release(first);
    EXPECT_EQ(&slots.Take(), &first);
    EXPECT_EQ(&slots.Take(), &second);
    EXPECT_EQ(slots.Take().slot, 2U);
}

} // namespace
} // namespace ns3::nfsrdma
