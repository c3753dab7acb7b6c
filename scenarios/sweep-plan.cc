/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-plan.h"

#include <algorithm>
#include <map>

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
        CheckLeader(axis);
        runs *= axis.leader.empty() ? axis.values.size() : 1;
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
    Axis axis{key, {}, FindLeader(schema, entry)};
    const bool isAlone = axis.leader.empty();
    std::vector<ScenarioValue> seen;
    for (const auto& item :
         SplitList(isAlone ? entry.value : entry.value.substr(axis.leader.size() + 1)))
    {
        const auto value = schema.ParseValue(index, item, where);
        if (isAlone && std::find(seen.begin(), seen.end(), value) != seen.end())
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

std::string
SweepPlan::FindLeader(const ScenarioSchema& schema, const ScenarioEntry& entry)
{
    const auto key = entry.value.substr(0, entry.value.find(':'));
    return key != entry.value && schema.Find(key) ? key : std::string();
}

const SweepPlan::Axis*
SweepPlan::FindAxis(const std::string& key) const
{
    const auto found = std::find_if(m_axes.begin(), m_axes.end(), [&key](const Axis& axis) {
        return axis.key == key;
    });
    return found == m_axes.end() ? nullptr : &*found;
}

void
SweepPlan::CheckLeader(const Axis& axis) const
{
    if (axis.leader.empty())
    {
        return;
    }
    const Axis* leader = FindAxis(axis.leader);
    const auto where = axis.values.front().origin.ToText();
    if (leader == nullptr || !leader->leader.empty())
    {
        throw ScenarioError(where,
                            SWEEP_PREFIX + axis.key,
                            Quote(axis.leader + ":"),
                            "a swept key that goes with no other");
    }
    if (leader->values.size() != axis.values.size())
    {
        throw ScenarioError(where,
                            SWEEP_PREFIX + axis.key,
                            std::to_string(axis.values.size()) + " values",
                            "as many as " + axis.leader + " has, " +
                                std::to_string(leader->values.size()));
    }
}

void
SweepPlan::MakeRuns()
{
    std::size_t points = 1;
    for (const auto& axis : m_axes)
    {
        points *= axis.leader.empty() ? axis.values.size() : 1;
    }
    for (std::size_t point = 0; point < points; ++point)
    {
        std::vector<ScenarioEntry> entries = m_base;
        std::size_t stride = points;
        std::map<std::string, std::size_t> chosen;
        for (const auto& axis : m_axes)
        {
            if (axis.leader.empty())
            {
                stride /= axis.values.size();
                chosen[axis.key] = point / stride % axis.values.size();
            }
        }
        for (const auto& axis : m_axes)
        {
            const auto& key = axis.leader.empty() ? axis.key : axis.leader;
            entries.push_back(axis.values[chosen.at(key)]);
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
        text += axis.key + " = " + axis.leader + (axis.leader.empty() ? "" : ": ");
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
