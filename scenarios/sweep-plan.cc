/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-plan.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr const char* SWEEP_PREFIX = "sweep.";

/// More runs than that are a slip of the pen.
constexpr std::size_t MAX_RUNS = 100'000;

/// \return true for "sweep.section.key".
bool
IsAxis(const ScenarioEntry& entry)
{
    const std::string prefix = SWEEP_PREFIX;
    return entry.key.rfind(prefix, 0) == 0 &&
           entry.key.find('.', prefix.size()) != std::string::npos;
}

} // namespace

std::string
SweepRun::GetName() const
{
    return std::to_string(point) + "-s" + std::to_string(seed);
}

SweepPlan::SweepPlan(const ScenarioSchema& schema,
                     const ScenarioPath& path,
                     const std::vector<ScenarioEntry>& entries)
{
    for (const auto& entry : entries)
    {
        if (IsAxis(entry))
        {
            AddAxis(schema, entry);
        }
        else
        {
            m_base.push_back(entry);
        }
    }
    const ScenarioConfig base(schema, path, m_base);
    std::size_t runs = base.Get("sweep.seeds").AsInteger();
    for (const auto& axis : m_axes)
    {
        m_keys.push_back(axis.key);
        runs *= axis.values.size();
        if (runs > MAX_RUNS)
        {
            throw ScenarioError(axis.values.front().origin.ToText(),
                                SWEEP_PREFIX + axis.key,
                                "more than " + std::to_string(MAX_RUNS) + " runs",
                                "fewer values or seeds");
        }
    }
    const auto firstSeed = base.Get("cluster.seed").AsInteger();
    for (uint64_t i = 0; i < base.Get("sweep.seeds").AsInteger(); ++i)
    {
        m_seeds.push_back(firstSeed + i);
    }
    MakeRuns();
}

void
SweepPlan::AddAxis(const ScenarioSchema& schema, const ScenarioEntry& entry)
{
    const auto where = entry.origin.ToText();
    const auto key = entry.key.substr(std::string(SWEEP_PREFIX).size());
    const auto index = schema.Require(key, where);
    if (key.rfind(SWEEP_PREFIX, 0) == 0 || key == "cluster.seed" || key.rfind("output.", 0) == 0)
    {
        throw ScenarioError(where, entry.key, Quote(key), "a key that shapes the cluster");
    }
    Axis axis{key, {}};
    std::vector<ScenarioValue> seen;
    for (const auto& item : SplitList(entry.value))
    {
        const auto value = schema.ParseValue(index, item, where);
        if (std::find(seen.begin(), seen.end(), value) != seen.end())
        {
            throw ScenarioError(where, entry.key, Quote(item), "each value once");
        }
        seen.push_back(value);
        axis.values.push_back({key, item, entry.origin});
    }
    if (axis.values.empty())
    {
        throw ScenarioError(where, entry.key, Quote(entry.value), "a list: value, value, ...");
    }
    const auto same = std::find_if(m_axes.begin(), m_axes.end(), [&key](const Axis& other) {
        return other.key == key;
    });
    if (same == m_axes.end())
    {
        m_axes.push_back(std::move(axis));
    }
    else
    {
        *same = std::move(axis);
    }
}

void
SweepPlan::MakeRuns()
{
    std::size_t points = 1;
    for (const auto& axis : m_axes)
    {
        points *= axis.values.size();
    }
    for (std::size_t point = 0; point < points; ++point)
    {
        std::vector<ScenarioEntry> entries = m_base;
        std::size_t stride = points;
        for (const auto& axis : m_axes)
        {
            stride /= axis.values.size();
            entries.push_back(axis.values[point / stride % axis.values.size()]);
        }
        for (const auto seed : m_seeds)
        {
            SweepRun run{point, seed, entries};
            run.entries.push_back({"cluster.seed", std::to_string(seed), {"seed", 0}});
            m_runs.push_back(std::move(run));
        }
    }
}

const std::vector<std::string>&
SweepPlan::GetKeys() const
{
    return m_keys;
}

const std::vector<uint64_t>&
SweepPlan::GetSeeds() const
{
    return m_seeds;
}

const std::vector<SweepRun>&
SweepPlan::GetRuns() const
{
    return m_runs;
}

const std::vector<ScenarioEntry>&
SweepPlan::GetBaseEntries() const
{
    return m_base;
}

std::string
SweepPlan::GetListsAsIni() const
{
    std::string text;
    for (const auto& axis : m_axes)
    {
        text += axis.key + " = ";
        for (const auto& value : axis.values)
        {
            text += (&value == &axis.values.front() ? "" : ", ") + value.value;
        }
        text += '\n';
    }
    return text;
}

bool
SweepPlan::IsSweep() const
{
    return m_runs.size() > 1 || !m_axes.empty();
}

} // namespace ns3::nfsrdma
