/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_STUBBORN_GUARD_H
#define NFSRDMA_TEST_NFS_STUBBORN_GUARD_H

#include "nfs/types/delegation-guard.h"

#include "ns3/simulator.h"

#include <set>

namespace ns3::nfsrdma::test
{

/// Delegations that are in the way as often as it is told.
class StubbornGuard : public DelegationGuard
{
  public:
    bool HasDelegations() override
    {
        return refusals != 0;
    }

    bool BreakDelegations(InodeNumber number) override
    {
        asked.insert(number);
        if (refusals == 0)
        {
            return false;
        }
        --refusals;
        return true;
    }

    Time GetReturnWait() const override
    {
        return MilliSeconds(30);
    }

    void AwaitReturn(const std::vector<InodeNumber>& /* numbers */,
                     std::function<void()> then) override
    {
        ++waits;
        Simulator::Schedule(GetReturnWait(), std::move(then));
    }

    uint32_t refusals{0};
    uint32_t waits{0};
    std::set<InodeNumber> asked;
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_STUBBORN_GUARD_H
