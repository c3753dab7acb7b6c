/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/sweep-plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

constexpr const char* SWEEP_PREFIX = "sweep.";
constexpr const char* FAULT_PREFIX = "faults.";

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

bool
IsFault(const std::string& key)
{
    return key.rfind(FAULT_PREFIX, 0) == 0;
}

/// \return values of a list, separated by semicolons where there is one, else by commas.
std::vector<std::string>
SplitValues(const std::string& text)
{
    if (text.find(';') == std::string::npos)
    {
        return SplitList(text);
    }
    auto values = SplitList(text, ';');
    if (!values.empty() && values.back().empty())
    {
        values.pop_back();
    }
    return values;
}

/// \return one text for all that mean the same value of \p key. Throws ScenarioError.
std::string
ToCanonical(const ScenarioSchema& schema,
            const std::string& key,
            const std::string& item,
            const std::string& where)
{
    return IsFault(key) ? item
                        : schema.ParseValue(schema.Require(key, where), item, where).ToBaseUnits();
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
            if (entry.origin.IsCommandLine())
            {
                FixAxis(entry);
            }
            m_base.push_back(entry);
        }
    }
    const ScenarioConfig base(schema, path, m_base);
    if (base.Get("sweep.mode").AsText() == "list")
    {
        JoinLists();
    }
    std::size_t runs = base.Get("sweep.seeds").AsInteger();
    for (const auto& axis : m_axes)
    {
        m_keys.push_back(axis.key);
        CheckLeader(axis);
        runs *= axis.follows.empty() ? axis.values.size() : 1;
        if (runs > MAX_RUNS)
        {
            throw ScenarioError(axis.values.front().origin.ToText(),
                                SWEEP_PREFIX + axis.key,
                                "more than " + std::to_string(MAX_RUNS) + " runs",
                                "fewer values or seeds");
        }
    }
    RefuseRepeatedValues(schema);
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
    if (!IsFault(key))
    {
        std::ignore = schema.Require(key, where);
    }
    if (key.rfind(SWEEP_PREFIX, 0) == 0 || key == "cluster.seed" || key == PLUGINS_KEY ||
        key.rfind("output.", 0) == 0)
    {
        throw ScenarioError(where, entry.key, Quote(key), "a key that shapes the cluster");
    }
    Axis axis{key, {}, FindLeader(schema, entry), {}, false};
    axis.follows = axis.leader;
    for (const auto& item : SplitValues(
             axis.leader.empty() ? entry.value : entry.value.substr(axis.leader.size() + 1)))
    {
        std::ignore = ToCanonical(schema, key, item, where);
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
SweepPlan::FixAxis(const ScenarioEntry& entry)
{
    const auto axis = std::find_if(m_axes.begin(), m_axes.end(), [&entry](const Axis& one) {
        return one.key == entry.key;
    });
    if (axis != m_axes.end())
    {
        *axis = {entry.key, {entry}, {}, {}, true};
    }
}

std::string
SweepPlan::FindLeader(const ScenarioSchema& schema, const ScenarioEntry& entry)
{
    const auto key = entry.value.substr(0, entry.value.find(':'));
    return key != entry.value && (IsFault(key) || schema.Find(key)) ? key : std::string();
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
SweepPlan::JoinLists()
{
    // A list of another length has no place beside the others; its value stands in its section.
    m_axes.erase(
        std::remove_if(m_axes.begin(), m_axes.end(), [](const Axis& axis) { return axis.fixed; }),
        m_axes.end());
    for (auto& axis : m_axes)
    {
        const auto& first = m_axes.front().key;
        axis.follows = axis.key == first ? std::string() : first;
    }
}

void
SweepPlan::RefuseRepeatedValues(const ScenarioSchema& schema) const
{
    for (const auto& axis : m_axes)
    {
        const bool isAlone = axis.follows.empty() &&
                             std::none_of(m_axes.begin(), m_axes.end(), [&axis](const Axis& other) {
                                 return other.follows == axis.key;
                             });
        if (!isAlone)
        {
            continue;
        }
        std::set<std::string> seen;
        for (const auto& value : axis.values)
        {
            const auto where = value.origin.ToText();
            if (!seen.insert(ToCanonical(schema, axis.key, value.value, where)).second)
            {
                throw ScenarioError(where,
                                    SWEEP_PREFIX + axis.key,
                                    Quote(value.value),
                                    "each value once");
            }
        }
    }
}

void
SweepPlan::CheckLeader(const Axis& axis) const
{
    if (axis.follows.empty())
    {
        return;
    }
    const Axis* leader = FindAxis(axis.follows);
    const auto where = axis.values.front().origin.ToText();
    if (leader == nullptr || !leader->follows.empty())
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
                            "as many as " + axis.follows + " has, " +
                                std::to_string(leader->values.size()));
    }
}

void
SweepPlan::MakeRuns()
{
    std::size_t points = 1;
    for (const auto& axis : m_axes)
    {
        points *= axis.follows.empty() ? axis.values.size() : 1;
    }
    for (std::size_t point = 0; point < points; ++point)
    {
        std::vector<ScenarioEntry> entries = m_base;
        std::size_t stride = points;
        std::map<std::string, std::size_t> chosen;
        for (const auto& axis : m_axes)
        {
            if (axis.follows.empty())
            {
                stride /= axis.values.size();
                chosen[axis.key] = point / stride % axis.values.size();
            }
        }
        for (const auto& axis : m_axes)
        {
            const auto& key = axis.follows.empty() ? axis.key : axis.follows;
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
SweepPlan::GetListsAsIni(const std::function<bool(const std::string& key)>& isUsed) const
{
    std::string text;
    for (const auto& axis : m_axes)
    {
        const bool hasCommas =
            std::any_of(axis.values.begin(), axis.values.end(), [](const ScenarioEntry& value) {
                return value.value.find(',') != std::string::npos;
            });
        text += !isUsed || isUsed(axis.key) ? "" : "# not used: ";
        text += axis.key + " = " + axis.leader + (axis.leader.empty() ? "" : ": ");
        for (const auto& value : axis.values)
        {
            const bool isFirst = &value == &axis.values.front();
            text += (isFirst ? "" : (hasCommas ? "; " : ", ")) + value.value;
        }
        text += hasCommas && axis.values.size() == 1 ? ";\n" : "\n";
    }
    return text;
}

std::string
SweepPlan::GetText(const ScenarioConfig& config, const std::string& key)
{
    if (!IsFault(key))
    {
        return config.Get(key).ToText();
    }
    const auto name = key.substr(std::string(FAULT_PREFIX).size());
    const auto& faults = config.GetFaults();
    const auto line = std::find_if(faults.begin(), faults.end(), [&name](const FaultLine& one) {
        return one.name == name;
    });
    return line == faults.end() ? NO_FAULT : line->sentence;
}

std::string
SweepPlan::GetValue(const ScenarioConfig& config, const std::string& key)
{
    return IsFault(key) ? GetText(config, key) : config.Get(key).ToBaseUnits();
}

bool
SweepPlan::IsSweep() const
{
    return m_runs.size() > 1 || !m_axes.empty();
}

} // namespace ns3::nfsrdma
