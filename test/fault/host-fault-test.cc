/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/host-action.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

/// A fault with all fields that may be given, by name.
HostFault
Make(std::string_view name, Time duration, uint64_t amount, Time delay, const std::string& peer)
{
    HostFault fault;
    fault.kind = FindHostFaultKind(name).value();
    fault.duration = duration;
    fault.amount = amount;
    fault.delay = delay;
    fault.peer = peer;
    return fault;
}

TEST(HostFault, EveryKindHasAName)
{
    const auto names = GetHostFaultNames();
    EXPECT_EQ(names.size(), 17U);
    for (const auto name : names)
    {
        const auto kind = FindHostFaultKind(name);
        ASSERT_TRUE(kind) << name;
        EXPECT_EQ(ToString(*kind), name);
    }
    EXPECT_EQ(FindHostFaultKind("crash"), HostFaultKind::CRASH);
    EXPECT_EQ(FindHostFaultKind("restart"), HostFaultKind::RESTART);
    EXPECT_EQ(FindHostFaultKind("rnic-remove"), HostFaultKind::RNIC_REMOVE);
    EXPECT_EQ(FindHostFaultKind("slot-shrink"), HostFaultKind::SLOT_SHRINK);
    EXPECT_FALSE(FindHostFaultKind("earthquake"));
}

TEST(HostFault, FieldsAreThoseOfTheKind)
{
    const Time some = MilliSeconds(1);
    const Time none;
    EXPECT_EQ(FindFlaw(Make("rnic-reset", none, 0, none, "")), "");
    EXPECT_EQ(FindFlaw(Make("rnic-reset", some, 0, none, "")), "");
    EXPECT_EQ(FindFlaw(Make("rnic-reset", some, 0, none, "client-1")), "rnic-reset has no peer");
    EXPECT_EQ(FindFlaw(Make("rnic-remove", none, 0, none, "")), "");
    EXPECT_EQ(FindFlaw(Make("rnic-remove", some, 2, none, "")), "rnic-remove has no amount");
    EXPECT_EQ(FindFlaw(Make("slot-shrink", none, 0, none, "")), "");
    EXPECT_EQ(FindFlaw(Make("slot-shrink", none, 8, none, "")), "");
    EXPECT_EQ(FindFlaw(Make("slot-shrink", some, 8, none, "")), "slot-shrink has no duration");
    EXPECT_EQ(FindFlaw(Make("qp-error", none, 0, none, "client-1")), "");
    EXPECT_EQ(FindFlaw(Make("qp-error", some, 0, none, "")), "qp-error has no duration");
    EXPECT_EQ(FindFlaw(Make("cq-overflow", none, 3, none, "")), "cq-overflow has no amount");
    EXPECT_EQ(FindFlaw(Make("registration-failure", none, 0, none, "")),
              "registration-failure needs a duration or an amount");
    EXPECT_EQ(FindFlaw(Make("registration-failure", none, 2, none, "")), "");
    EXPECT_EQ(FindFlaw(Make("region-shortage", some, 0, none, "")), "");
    EXPECT_EQ(FindFlaw(Make("slow-receiver", some, 0, none, "")), "slow-receiver needs a delay");
    EXPECT_EQ(FindFlaw(Make("slow-receiver", some, 0, some, "server-0")), "");
    EXPECT_EQ(FindFlaw(Make("crash", none, 0, none, "")), "crash needs a duration");
    EXPECT_EQ(FindFlaw(Make("restart", none, 0, none, "")), "");
    EXPECT_EQ(FindFlaw(Make("port-down", none, 2, none, "")), "port-down needs a duration");
    EXPECT_EQ(FindFlaw(Make("port-down", some, 2, none, "")), "");
    EXPECT_EQ(FindFlaw(Make("port-deaf", none, 2, none, "")), "port-deaf needs a duration");
    EXPECT_EQ(FindFlaw(Make("port-mute", some, 2, none, "")), "");
    EXPECT_EQ(FindFlaw(Make("thread-stall", some, 2, none, "")), "");
    EXPECT_EQ(FindFlaw(Make("storage-stall", some, 2, none, "")), "storage-stall has no amount");
    EXPECT_EQ(FindFlaw(Make("memory-pressure", some, 0, some, "")), "memory-pressure has no delay");
}

} // namespace

} // namespace ns3::nfsrdma
