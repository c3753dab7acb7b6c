/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SWEEP_PLAN_H
#define NFSRDMA_SCENARIOS_SWEEP_PLAN_H

#include "scenario-config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// One run of a plan.
struct SweepRun
{
    std::size_t point{0}; ///< Counted from 0 in order of the grid, the last axis fastest.
    uint64_t seed{0};
    std::vector<ScenarioEntry> entries; ///< All of the scenario's, the point's and the seed's last.

    /// \return "<point>-s<seed>", the name of the run's directory.
    [[nodiscard]] std::string GetName() const;
};

/**
 * \brief The grid of runs that a scenario asks for: every combination of the values listed in
 * [sweep], each with sweep.seeds seeds from cluster.seed on.
 *
 * A list may go with another one before it: "workload.queue_depth = workload.io_sizes: 8, 128"
 * takes its first value where workload.io_sizes has its first, and so on. It needs as many values,
 * and makes no further points.
 */
class SweepPlan
{
  public:
    /// \param schema what keys there are
    /// \param path where profiles are
    /// \param entries of the file and the command line, in order; throws ScenarioError
    SweepPlan(const ScenarioSchema& schema,
              const ScenarioPath& path,
              const std::vector<ScenarioEntry>& entries);

    /// \return the swept keys, "section.key", in order.
    [[nodiscard]] const std::vector<std::string>& GetKeys() const;
    [[nodiscard]] const std::vector<uint64_t>& GetSeeds() const;
    /// \return every run in order of point and seed.
    [[nodiscard]] const std::vector<SweepRun>& GetRuns() const;
    /// \return entries without the lists of [sweep].
    [[nodiscard]] const std::vector<ScenarioEntry>& GetBaseEntries() const;
    /// \return lists of [sweep] as INI lines, to follow the section's own keys.
    [[nodiscard]] std::string GetListsAsIni() const;
    /// \return whether there is more than one run.
    [[nodiscard]] bool IsSweep() const;

  private:
    struct Axis
    {
        std::string key;
        std::vector<ScenarioEntry> values;
        std::string leader; ///< The key that it goes with; empty: none.
    };

    void AddAxis(const ScenarioSchema& schema, const ScenarioEntry& entry);
    /// \return the axis of \p key; null when there is none.
    [[nodiscard]] const Axis* FindAxis(const std::string& key) const;
    /// \return the key before ": " that the list of \p entry goes with; empty when it goes alone.
    static std::string FindLeader(const ScenarioSchema& schema, const ScenarioEntry& entry);
    void CheckLeader(const Axis& axis) const;
    void MakeRuns();

    std::vector<ScenarioEntry> m_base;
    std::vector<Axis> m_axes;
    std::vector<std::string> m_keys;
    std::vector<uint64_t> m_seeds;
    std::vector<SweepRun> m_runs;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SWEEP_PLAN_H
