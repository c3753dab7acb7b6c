/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_RECORD_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_RECORD_H

#include "scenarios/simulator/config/sweep-shard.h"
#include "scenarios/simulator/report/run-report.h"
#include "scenarios/simulator/sweep/loaded-scenario.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// One run of a sweep and what became of it.
struct SweepResult
{
    SweepResult();

    std::string name; ///< SweepRun::GetName().
    std::size_t point{0};
    uint64_t seed{0};
    std::vector<std::string> values; ///< Of the swept keys, in base units.
    std::vector<std::string> texts;  ///< Of the swept keys, with units.
    RunStatus status{RunStatus::FAILED};
    nlohmann::ordered_json summary; ///< summary.json of the run; null: it ended without one.
};

/**
 * \brief What a sweep is, without its results: everything that they depend on, so that results of
 * two sweeps are never mixed, and all that tables are made of beside them.
 *
 * It is kept as JSON in the directory of the sweep: UNFINISHED until all runs are done, SHARD in
 * that of a shard, for good. It names no file of the machine.
 */
class SweepRecord
{
  public:
    static constexpr const char* UNFINISHED = "unfinished.json";
    static constexpr const char* SHARD = "shard.json";
    /// What a run that ended without results leaves in its directory.
    static constexpr const char* FAILURE = "failure.json";

    /// Of \p scenario, as this program runs it.
    SweepRecord(const LoadedScenario& scenario, const SweepShard& shard);
    /// Reads \p file. Throws ScenarioError.
    static SweepRecord Load(const std::string& file);
    /// As Load(), with the text at hand; \p file stands for it in messages.
    static SweepRecord Parse(const std::string& file, const std::string& text);

    [[nodiscard]] const SweepShard& GetShard() const;
    /// \return the swept keys.
    [[nodiscard]] std::vector<std::string> GetKeys() const;
    [[nodiscard]] std::size_t GetSeedCount() const;
    [[nodiscard]] std::string GetName() const;
    /// \return every run of the sweep, of all shards, in order, without what became of it.
    [[nodiscard]] std::vector<SweepResult> ListRuns() const;
    /// \return what \p file has to be for Load().
    [[nodiscard]] std::string ToText() const;
    /// Throws the ScenarioError that says where this differs from \p other, of \p where; the
    /// shard's index may.
    void RequireSame(const SweepRecord& other,
                     const std::string& where,
                     const std::string& remedy) const;
    /// \return manifest.json of the whole sweep.
    [[nodiscard]] nlohmann::ordered_json MakeManifest(
        const std::vector<SweepResult>& results,
        const std::string& digest,
        const std::vector<std::string>& outputs) const;

  private:
    SweepRecord();

    SweepShard m_shard;
    nlohmann::ordered_json m_document;
};

/// \return the directory of run \p name of the sweep in \p sweep.
std::string GetRunDirectory(const std::string& sweep, const std::string& name);
/// \return whether the run has left all its results there.
bool IsRunComplete(const std::string& directory);
/// \return the histograms that a complete run has left in \p directory. Throws ScenarioError when
/// there are none.
[[nodiscard]] LatencyDistributions ReadRunHistograms(const std::string& directory);
/// Adds to \p result what the run has left in \p directory. Throws ScenarioError when that is no
/// summary of a run.
void ReadRunResult(const std::string& directory, SweepResult& result);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_RECORD_H
