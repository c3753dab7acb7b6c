/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_RUN_ADVERSARY_RUN_H
#define NFSRDMA_SCENARIOS_SIMULATOR_RUN_ADVERSARY_RUN_H

#include "fault/adversary/role.h"
#include "helper/cluster-adversaries.h"
#include "scenarios/simulator/report/run-report.h"
#include "scenarios/simulator/setup/adversary-check.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Gives hosts the roles of sections [adversary NAME] in a run, and keeps the books.
class AdversaryRun
{
  public:
    /// \param cluster outlives this
    AdversaryRun(const std::vector<AdversarySection>& sections, const Cluster& cluster);
    ~AdversaryRun();
    AdversaryRun(const AdversaryRun&) = delete;
    AdversaryRun& operator=(const AdversaryRun&) = delete;

    void Start();
    void TakeRpc(uint32_t client, const RpcRecord& record);
    /// The work is done: no more rules are broken. \return what was broken, and who noticed.
    AdversaryReport Stop();
    /// \return adversaries.csv: a row for each time that a rule was broken.
    [[nodiscard]] std::string MakeCsv() const;

  private:
    class Actor;

    VictimWatch m_victims;
    std::vector<std::unique_ptr<Actor>> m_actors;
    std::string m_rows;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_RUN_ADVERSARY_RUN_H
