/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_INTEGRATION_HOST_FAULT_FIXTURE_H
#define NFSRDMA_TEST_INTEGRATION_HOST_FAULT_FIXTURE_H

#include "fault/host-action.h"
#include "helper/cluster.h"
#include "scenarios/simulator/report/run-report.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A fault, when and where.
struct TimedFault
{
    std::string host;
    Time after; ///< Every client has begun its work.
    HostFault fault;
};

/// \return a fault of this kind.
HostFault MakeFault(HostFaultKind kind,
                    Time duration = Time(0),
                    uint64_t amount = 0,
                    Time delay = Time(0),
                    const std::string& peer = "");

/// What a cluster did.
struct FaultedRun
{
    bool finished{false};
    RunReport report; ///< Verification, leftovers, waiting, digest.
    uint64_t connects{0};
    std::vector<RpcOutcome> outcomes; ///< Of RPCs that did not succeed.
    uint64_t rpcs{0};
};

/**
 * \brief Runs clusters, in which hosts have faults, from the text of a scenario to the census.
 */
class HostFaultTest : public ::testing::Test
{
  protected:
    /// The last client begins its work.
    virtual void Begin(const Cluster& cluster);
    /// Looks at the cluster when its work is done.
    virtual void Look(const Cluster& cluster);

    FaultedRun Run(const std::string& scenario, const std::vector<TimedFault>& faults);
    /// Nothing hung, nothing is wrong, nothing is left over.
    static void ExpectSound(const FaultedRun& run);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_INTEGRATION_HOST_FAULT_FIXTURE_H
