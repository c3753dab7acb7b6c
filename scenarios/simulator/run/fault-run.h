/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_RUN_FAULT_RUN_H
#define NFSRDMA_SCENARIOS_SIMULATOR_RUN_FAULT_RUN_H

#include "fault/injector.h"
#include "fault/outcome.h"
#include "helper/cluster-faults.h"
#include "helper/cluster.h"
#include "scenarios/simulator/report/run-report.h"
#include "scenarios/simulator/setup/cluster-plan.h"

#include "ns3/ptr.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

class FaultInjector;

/// Carries out section [faults] in a run, and keeps the books.
class FaultRun
{
  public:
    /// \param plan and \param cluster outlive this
    FaultRun(const ClusterPlan& plan, const Cluster& cluster);
    ~FaultRun();
    FaultRun(const FaultRun&) = delete;
    FaultRun& operator=(const FaultRun&) = delete;

    void Start();
    /// The work is done: no more faults.
    void Stop();
    /// \return what became of each fault.
    [[nodiscard]] FaultReport GetReport() const;
    /// \return the faults that were planned.
    [[nodiscard]] const std::vector<FaultSpec>& GetPlan() const;
    /// \return each time that a fault happened, in order.
    [[nodiscard]] const std::vector<FaultFiring>& GetFirings() const;
    /// \return faults.csv: a row for each time that a fault happened.
    [[nodiscard]] std::string MakeCsv() const;

  private:
    void TakeFiring(const FaultFiring& firing);

    HostFaultTargets m_targets;
    Ptr<FaultInjector> m_injector;
    const std::vector<FaultSpec>& m_plan;
    std::vector<FaultFiring> m_firings;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_RUN_FAULT_RUN_H
