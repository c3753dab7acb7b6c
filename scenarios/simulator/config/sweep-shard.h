/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SWEEP_SHARD_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SWEEP_SHARD_H

#include <cstddef>
#include <optional>
#include <string>

namespace ns3::nfsrdma
{

/// A part of a sweep: the first of n has runs 0, n, 2n, ...
struct SweepShard
{
    std::size_t index{1}; ///< From 1 to count.
    std::size_t count{1};

    [[nodiscard]] bool IsWhole() const;
    /// \return whether the run of that place in the plan belongs to the shard.
    [[nodiscard]] bool Has(std::size_t run) const;
    /// \return "index/count".
    [[nodiscard]] std::string ToText() const;
    /// \return the shard that ToText() describes so, or nothing.
    static std::optional<SweepShard> Parse(const std::string& text);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SWEEP_SHARD_H
