/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SWEEP_PLAN_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SWEEP_PLAN_H

#include "scenarios/simulator/config/scenario-config.h"

#include <cstdint>
#include <functional>
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
 * \brief The runs that a scenario asks for, each point with sweep.seeds seeds from cluster.seed on.
 *
 * With sweep.mode = grid the points are every combination of the values listed in [sweep]; with
 * list the first has the first value of every list, the second the second, and so on: lists are of
 * one length. Values are separated by commas, or by semicolons where there is one: values of some
 * keys hold commas. Keys are those of the schema, of named sections ("link fast.rate"), and of
 * [faults], whose value none stands for no such fault.
 *
 * In a grid a list may go with another one: "workload.queue_depth = workload.io_sizes: 8, 128"
 * takes its first value where workload.io_sizes has its first, and so on. It needs as many values,
 * and makes no further points.
 *
 * A value that the command line gives to a swept key after its list is the only one that is left of
 * the list; the key goes with no other then, and with sweep.mode = list it is swept no more.
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
    /// \return lists of [sweep] as INI lines, to follow the section's own keys; as comments those
    /// of keys that \p isUsed is false of; null: all are used.
    [[nodiscard]] std::string GetListsAsIni(
        const std::function<bool(const std::string& key)>& isUsed = nullptr) const;
    /// \return the value of swept \p key of a run whose entries \p config has, in base units; the
    /// sentence of a fault.
    static std::string GetValue(const ScenarioConfig& config, const std::string& key);
    /// \return the same as the user would write it.
    static std::string GetText(const ScenarioConfig& config, const std::string& key);
    /// \return whether there is more than one run.
    [[nodiscard]] bool IsSweep() const;

  private:
    struct Axis
    {
        std::string key;
        std::vector<ScenarioEntry> values;
        std::string leader;  ///< The key that it goes with, as written; empty: none.
        std::string follows; ///< The key that it goes with; empty: none.
        bool fixed{false};   ///< The command line gives its value.
    };

    void AddAxis(const ScenarioSchema& schema, const ScenarioEntry& entry);
    /// Leaves of the list of its key nothing but \p entry, if there is such a list.
    void FixAxis(const ScenarioEntry& entry);
    /// \return the axis of \p key; null when there is none.
    [[nodiscard]] const Axis* FindAxis(const std::string& key) const;
    /// \return the key before ": " that the list of \p entry goes with; empty when it goes alone.
    static std::string FindLeader(const ScenarioSchema& schema, const ScenarioEntry& entry);
    /// Has every list go with the first one; what the command line fixes is no list.
    void JoinLists();
    void CheckLeader(const Axis& axis) const;
    /// A list that goes with no other has each value once.
    void RefuseRepeatedValues(const ScenarioSchema& schema) const;
    void MakeRuns();

    std::vector<ScenarioEntry> m_base;
    std::vector<Axis> m_axes;
    std::vector<std::string> m_keys;
    std::vector<uint64_t> m_seeds;
    std::vector<SweepRun> m_runs;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SWEEP_PLAN_H
