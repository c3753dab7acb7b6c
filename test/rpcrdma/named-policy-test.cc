/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/call-form.h"
#include "rpcrdma/policy/named-policy.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

TEST(NamedPolicyTest, ThePolicyStaysAsLongAsItsName)
{
    NamedPolicy<CallFormPolicy> policy;
    policy.Renew("linux", "call form policy");
    const CallFormPolicy* first = &policy.Get();
    policy.Renew("linux", "call form policy");
    EXPECT_EQ(&policy.Get(), first);
}

TEST(NamedPolicyTest, APolicyThatWasSetStandsForTheName)
{
    NamedPolicy<CallFormPolicy> policy;
    auto own = CallFormPolicy::Create("linux");
    const CallFormPolicy* mine = own.get();
    policy.Set(std::move(own), "reduce-as-needed");
    policy.Renew("reduce-as-needed", "call form policy");
    EXPECT_EQ(&policy.Get(), mine);
    policy.Renew("linux", "call form policy");
    EXPECT_NE(&policy.Get(), mine);
}

TEST(NamedPolicyDeathTest, AnUnknownNameEndsTheProgram)
{
    EXPECT_DEATH((void)CreateNamed<CallFormPolicy>("none", "call form policy"),
                 "no call form policy none");
}

} // namespace
} // namespace ns3::nfsrdma
