/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/scenario-schema.h"

#include "nfs/store/storage-model.h"
#include "scenarios/simulator/keys/edit-distance.h"
#include "scenarios/simulator/keys/policy-keys.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "workload/generate/measured-files.h"
#include "workload/life.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

/// \return true for those that may be there several times, with names.
bool
MayHaveName(const std::string& section)
{
    return section == "workload" || section == "adversary" ||
           std::find(GROUP_SECTIONS.begin(), GROUP_SECTIONS.end(), section) != GROUP_SECTIONS.end();
}

/// \return the key's name in the tables: that of [workload] for one of [workload NAME].
std::string
WithoutInstance(const std::string& fullName)
{
    const auto section = GetNamedSection(fullName);
    return section.empty() ? fullName : GetBaseSection(section) + fullName.substr(section.size());
}

/// \return whether \p key sets nothing but what RDMA alone has a use for.
bool
IsOfRdma(const ScenarioKey& key)
{
    static const std::set<std::string> CLASSES{"MpaSettings",
                                               "MpaTransport",
                                               "RnicDevice",
                                               "RpcRdmaClient",
                                               "RpcRdmaServer"};
    return !key.targets.empty() &&
           std::all_of(key.targets.begin(), key.targets.end(), [](const std::string& target) {
               return CLASSES.count(target.substr(0, target.find("::"))) != 0;
           });
}

using WorkloadKinds = std::vector<std::pair<std::string, TypeId>>;

WorkloadKinds
GetWorkloadKinds()
{
    WorkloadKinds kinds;
    for (const auto& kind : Workload::GetKinds())
    {
        kinds.emplace_back(kind, Workload::Create(kind)->GetInstanceTypeId());
    }
    return kinds;
}

/// \return those of \p kinds that have an attribute which \p key sets, separated by commas; empty
/// when it sets none.
std::string
ListKindsOf(const ScenarioKey& key, const WorkloadKinds& kinds)
{
    std::string names;
    for (const auto& [name, kind] : kinds)
    {
        names += key.Sets(kind) ? (names.empty() ? "" : ", ") + name : "";
    }
    return names;
}

const std::string WITH_NAMESPACE = "ns3::nfsrdma::";

/// Longer defaults push their own row's columns only.
constexpr std::size_t MAX_DEFAULT_WIDTH = 14;

} // namespace

std::string
GetBaseSection(const std::string& section)
{
    return section.substr(0, section.find(' '));
}

std::string
GetNamedSection(const std::string& fullName)
{
    const auto space = fullName.find(' ');
    const auto dot = fullName.find('.');
    if (space == std::string::npos || dot == std::string::npos || dot <= space + 1)
    {
        return {};
    }
    const auto base = fullName.substr(0, space);
    const bool valid =
        MayHaveName(base) &&
        std::all_of(fullName.begin() + static_cast<std::ptrdiff_t>(space + 1),
                    fullName.begin() + static_cast<std::ptrdiff_t>(dot),
                    [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
    return valid ? fullName.substr(0, dot) : std::string();
}

ScenarioSchema::ScenarioSchema(std::vector<ScenarioSection> sections)
    : m_sections(std::move(sections))
{
    for (std::size_t section = 0; section < m_sections.size(); ++section)
    {
        for (std::size_t key = 0; key < m_sections[section].keys.size(); ++key)
        {
            m_slots.push_back({section, key});
            m_names.push_back(std::string(m_sections[section].name) + "." +
                              m_sections[section].keys[key].name);
        }
    }
    m_conditions.resize(m_names.size());
}

ScenarioSchema
ScenarioSchema::Standard()
{
    ScenarioSchema schema({MakeClusterSection(), MakeKernelSection(),    MakeTopologySection(),
                           MakeLinkSection(),    MakeMiddleboxSection(), MakeTcpSection(),
                           MakeRnicSection(),    MakeIpsecSection(),     MakeTlsSection(),
                           MakeHostSection(),    MakeRpcRdmaSection(),   MakeNfsSection(),
                           MakeStorageSection(), MakeWorkloadSection(),  MakeMeasureSection(),
                           MakeFaultsSection(),  MakeAdversarySection(), MakeSweepSection(),
                           MakeExploreSection(), MakeOutputSection()});
    schema.RefuseDoubles();
    const auto kinds = GetWorkloadKinds();
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        const auto having = ListKindsOf(schema.GetKey(index), kinds);
        if (schema.GetFullName(index).rfind("workload.", 0) == 0 && !having.empty())
        {
            schema.m_conditions[index].Add(KeyCondition("workload.kind = " + having));
        }
    }
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        if (IsOfRdma(schema.GetKey(index)))
        {
            schema.m_conditions[index].Add(KeyCondition("cluster.transport = rdma"));
        }
    }
    for (const auto& row : GetKeyConditions())
    {
        for (const auto& key : row.keys)
        {
            schema.Restrict(key, KeyCondition(row.condition));
        }
    }
    schema.RestrictKeysOfKinds();
    schema.AllowAddedWorkloads();
    return schema;
}

void
ScenarioSchema::RefuseDoubles() const
{
    std::set<std::string> names;
    for (const auto& name : m_names)
    {
        if (!names.insert(name).second)
        {
            throw ScenarioError("cluster.plugins",
                                name,
                                "two keys of that name",
                                "plugins whose keys have names of their own");
        }
    }
}

void
ScenarioSchema::RestrictKeysOfKinds()
{
    for (const auto& choice : GetPolicyChoices())
    {
        for (const auto& kind : choice.kinds)
        {
            for (const auto& row : kind.rows)
            {
                const auto key = "rpcrdma." + choice.GetKey(row);
                Restrict(key, KeyCondition("cluster.transport = rdma"));
                Restrict(key, KeyCondition("rpcrdma." + choice.key + " = " + kind.name));
            }
        }
    }
    for (const auto& kind : StorageModel::GetKinds())
    {
        for (const auto& row : kind.rows)
        {
            Restrict("storage." + row.GetKey(),
                     KeyCondition(std::string("storage.model = ") + kind.name));
        }
    }
}

void
ScenarioSchema::AllowAddedWorkloads()
{
    // What a workload of a plugin does with the mount nobody knows, but that files are in a
    // directory.
    std::vector<std::string> all;
    std::vector<std::string> ofFiles;
    for (const auto& added : Workload::GetAddedKinds())
    {
        all.push_back(added.kind);
        if (TypeId::LookupByName(WITH_NAMESPACE + added.type).IsChildOf(FileWorkload::GetTypeId()))
        {
            ofFiles.push_back(added.kind);
        }
    }
    for (std::size_t index = 0; index < GetKeyCount(); ++index)
    {
        const auto& name = m_names[index];
        if (name.rfind("workload.", 0) != 0)
        {
            m_conditions[index].Allow("workload.kind", all);
        }
        else if (name == "workload.directory" || name == "workload.system_calls")
        {
            m_conditions[index].Allow("workload.kind", ofFiles);
        }
    }
}

void
ScenarioSchema::Restrict(const std::string& fullName, const KeyCondition& condition)
{
    const auto index = Find(fullName);
    NS_ABORT_MSG_UNLESS(index, "no key " << fullName << " to restrict");
    m_conditions.at(*index).Add(condition);
}

const KeyCondition&
ScenarioSchema::GetCondition(std::size_t index) const
{
    return m_conditions.at(index);
}

const std::vector<ScenarioSection>&
ScenarioSchema::GetSections() const
{
    return m_sections;
}

std::size_t
ScenarioSchema::GetKeyCount() const
{
    return m_slots.size();
}

const ScenarioKey&
ScenarioSchema::GetKey(std::size_t index) const
{
    const auto& slot = m_slots.at(index);
    return m_sections[slot.section].keys[slot.key];
}

const std::string&
ScenarioSchema::GetFullName(std::size_t index) const
{
    return m_names.at(index);
}

std::optional<std::size_t>
ScenarioSchema::Find(const std::string& fullName) const
{
    const auto found = std::find(m_names.begin(), m_names.end(), WithoutInstance(fullName));
    if (found == m_names.end())
    {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - m_names.begin());
}

bool
ScenarioSchema::HasSection(const std::string& name) const
{
    return std::any_of(m_sections.begin(), m_sections.end(), [&name](const auto& section) {
        return section.name == name;
    });
}

std::string
ScenarioSchema::JoinSectionNames() const
{
    std::string text;
    for (const auto& section : m_sections)
    {
        text += (text.empty() ? "" : ", ") + std::string(section.name);
    }
    return text;
}

std::size_t
ScenarioSchema::Require(const std::string& fullName, const std::string& where) const
{
    if (const auto index = Find(fullName))
    {
        return *index;
    }
    const auto plain = WithoutInstance(fullName);
    const auto section = plain.substr(0, plain.find('.'));
    const auto nearest = FindNearest(plain, m_names);
    if (fullName.find('.') == std::string::npos)
    {
        throw ScenarioError(where,
                            fullName,
                            "a key outside the sections",
                            "section.key with a section of " + JoinSectionNames(),
                            nearest);
    }
    if (!HasSection(section))
    {
        throw ScenarioError(where,
                            fullName,
                            "unknown section " + Quote(section),
                            "one of " + JoinSectionNames(),
                            nearest);
    }
    throw ScenarioError(where,
                        fullName,
                        "unknown key " + Quote(plain.substr(section.size() + 1)),
                        "a key of section " + section + " (see --list-keys)",
                        nearest);
}

ScenarioValue
ScenarioSchema::ParseValue(std::size_t index,
                           const std::string& text,
                           const std::string& where) const
{
    const auto value = ScenarioValue::Parse(GetKey(index).constraint, text);
    if (!value)
    {
        throw ScenarioError(where, GetFullName(index), Quote(text), value.error());
    }
    return *value;
}

std::string
ScenarioSchema::DescribeKeys() const
{
    std::size_t nameWidth = 0;
    std::size_t defaultWidth = 0;
    for (std::size_t index = 0; index < GetKeyCount(); ++index)
    {
        nameWidth = std::max(nameWidth, GetFullName(index).size());
        defaultWidth =
            std::max(defaultWidth,
                     std::min(MAX_DEFAULT_WIDTH, std::string(GetKey(index).defaultText).size()));
    }
    const auto pad = [](std::string text, std::size_t width) {
        text.resize(std::max(text.size(), width), ' ');
        return text;
    };
    std::string table = pad("key", nameWidth) + "  " + pad("type", 7) + "  " +
                        pad("default", defaultWidth) + "  " + pad("unit", 27) + "  meaning\n";
    for (std::size_t index = 0; index < GetKeyCount(); ++index)
    {
        const auto& key = GetKey(index);
        table += pad(GetFullName(index), nameWidth) + "  " + pad(ToString(key.constraint.type), 7) +
                 "  " + pad(key.defaultText.empty() ? "-" : key.defaultText, defaultWidth) + "  " +
                 pad(key.GetUnit(), 27) + "  " + key.meaning;
        if (key.constraint.type == ScenarioType::CHOICE)
        {
            table += " (" + key.constraint.Describe() + ")";
        }
        if (const auto& condition = GetCondition(index); !condition.IsEmpty())
        {
            table += " [only with " + condition.ToText() + "]";
        }
        table += '\n';
    }
    return table;
}

} // namespace ns3::nfsrdma
