/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/key-use.h"

#include <algorithm>
#include <cctype>

namespace ns3::nfsrdma
{

namespace
{

const std::string CLIENT = "client_";
const std::string SERVER = "server_";

bool
IsGroup(const std::string& base)
{
    return std::find(GROUP_SECTIONS.begin(), GROUP_SECTIONS.end(), base) != GROUP_SECTIONS.end();
}

bool
BeginsWith(const std::string& text, const std::string& begin)
{
    return text.rfind(begin, 0) == 0;
}

/// \return whether one is of clients and the other of servers.
bool
AreOfTwoSides(const std::string& one, const std::string& other)
{
    return (BeginsWith(one, CLIENT) && BeginsWith(other, SERVER)) ||
           (BeginsWith(one, SERVER) && BeginsWith(other, CLIENT));
}

std::string
GetName(const ScenarioConfig& config, const std::string& section, std::size_t index)
{
    return section + "." + config.GetSchema().GetKey(index).name;
}

/// \return section and key of what the user wrote.
std::vector<std::pair<std::string, std::size_t>>
ListWrittenKeys(const ScenarioConfig& config)
{
    std::vector<std::pair<std::string, std::size_t>> keys;
    const auto& schema = config.GetSchema();
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        if (config.IsWritten(index))
        {
            const auto& name = schema.GetFullName(index);
            keys.emplace_back(name.substr(0, name.find('.')), index);
        }
    }
    for (const auto* base : {"kernel", "workload", "link", "rnic", "host", "rpcrdma", "adversary"})
    {
        for (const auto& section : config.GetGroupSections(base))
        {
            for (const auto index : config.GetKeysOf(section))
            {
                if (config.IsWrittenIn(section, index))
                {
                    keys.emplace_back(section, index);
                }
            }
        }
    }
    return keys;
}

/// \return whether a list such as "read:18,write:10" has \p word.
bool
HasWord(const std::string& list, const std::string& word)
{
    const auto isPart = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
    };
    for (auto place = list.find(word); place != std::string::npos;
         place = list.find(word, place + 1))
    {
        const auto end = place + word.size();
        if ((place == 0 || !isPart(list[place - 1])) && (end == list.size() || !isPart(list[end])))
        {
            return true;
        }
    }
    return false;
}

} // namespace

KeyUse::KeyUse(const ScenarioConfig& config, std::string nfsVersion)
    : m_config(config),
      m_nfsVersion(std::move(nfsVersion))
{
}

std::vector<std::string>
KeyUse::ListWorkloads(const std::string& section) const
{
    if (GetBaseSection(section) == "workload")
    {
        return {section};
    }
    auto sections = m_config.GetWorkloadSections();
    if (sections.empty())
    {
        sections.emplace_back("workload");
    }
    return sections;
}

bool
KeyUse::IsUsed(const std::string& section, std::size_t index) const
{
    const auto& schema = m_config.GetSchema();
    const auto& clauses = schema.GetCondition(index).GetClauses();
    const auto workloads = ListWorkloads(section);
    return clauses.empty() ||
           std::any_of(workloads.begin(), workloads.end(), [&](const std::string& workload) {
               const Dependent dependent{section, schema.GetKey(index).name, workload};
               return std::all_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
                   return Holds(clause, dependent);
               });
           });
}

std::string
KeyUse::DescribeLack(const std::string& section, std::size_t index) const
{
    const auto& schema = m_config.GetSchema();
    const Dependent dependent{section, schema.GetKey(index).name, ListWorkloads(section).front()};
    for (const auto& clause : schema.GetCondition(index).GetClauses())
    {
        if (Holds(clause, dependent))
        {
            continue;
        }
        const auto& first = clause.front();
        if (first.relation == KeyCondition::Relation::NEVER)
        {
            return "no such key in a scenario, but in profiles: " + first.values.front();
        }
        const auto name = first.key.substr(first.key.find('.') + 1);
        const auto where = ListSections(first, dependent).front();
        const auto text = GetText(where, name);
        return "this key only with " + KeyCondition::ToText(clause) + "; here " +
               std::string(where).append(".").append(name) + " is " +
               (text.empty() ? "empty" : text);
    }
    return "this key only with " + schema.GetCondition(index).ToText();
}

bool
KeyUse::Holds(const Clause& clause, const Dependent& dependent) const
{
    return std::any_of(clause.begin(), clause.end(), [&](const Alternative& alternative) {
        return Holds(alternative, dependent);
    });
}

bool
KeyUse::Holds(const Alternative& alternative, const Dependent& dependent) const
{
    using Relation = KeyCondition::Relation;
    if (alternative.relation == Relation::NEVER)
    {
        return false;
    }
    const auto& schema = m_config.GetSchema();
    const auto index = *schema.Find(alternative.key);
    const std::string name = schema.GetKey(index).name;
    const auto sections = ListSections(alternative, dependent);
    return std::any_of(sections.begin(), sections.end(), [&](const std::string& section) {
        const auto text = GetText(section, name);
        const auto& values = alternative.values;
        const auto isOne = [&](const std::string& value) {
            return text == schema.ParseValue(index, value, alternative.key).ToText();
        };
        switch (alternative.relation)
        {
        case Relation::IS:
            return std::any_of(values.begin(), values.end(), isOne);
        case Relation::IS_NOT:
            return std::none_of(values.begin(), values.end(), isOne);
        case Relation::HAS:
            return std::any_of(values.begin(), values.end(), [&text](const std::string& word) {
                return HasWord(text, word);
            });
        case Relation::IS_EMPTY:
            return text.empty();
        case Relation::NEVER:
            break;
        }
        return false;
    });
}

std::vector<std::string>
KeyUse::ListSections(const Alternative& alternative, const Dependent& dependent) const
{
    const auto& key = alternative.key;
    const auto base = key.substr(0, key.find('.'));
    const bool isOwn = base == GetBaseSection(dependent.section);
    if (base == "workload")
    {
        return {dependent.workload};
    }
    if (base == "adversary")
    {
        auto sections = m_config.GetGroupSections(base);
        if (isOwn)
        {
            return {dependent.section};
        }
        sections.push_back(base);
        return sections;
    }
    if (!IsGroup(base))
    {
        return {base};
    }
    if (isOwn && dependent.section != base && !alternative.atEitherEnd &&
        !AreOfTwoSides(key.substr(key.find('.') + 1), dependent.name))
    {
        return {dependent.section};
    }
    auto sections = m_config.GetGroupSections(base);
    sections.insert(sections.begin(), base);
    return sections;
}

std::string
KeyUse::GetText(const std::string& section, const std::string& key) const
{
    const auto name = section + "." + key;
    return name == "nfs.version" ? m_nfsVersion : m_config.Get(name).ToText();
}

void
UnusedKeys::Add(const ScenarioConfig& config, const std::string& nfsVersion)
{
    const KeyUse use(config, nfsVersion);
    for (const auto& [section, index] : ListWrittenKeys(config))
    {
        Add(config, use, section, index);
    }
}

void
UnusedKeys::AddFile(const ScenarioConfig& config, const std::string& nfsVersion)
{
    const KeyUse use(config, nfsVersion);
    for (const auto& [section, index] : ListWrittenKeys(config))
    {
        const auto key = m_keys.find(GetName(config, section, index));
        if (key != m_keys.end() && !key->second.ofCommandLine && use.IsUsed(section, index))
        {
            key->second.error.reset();
        }
    }
}

void
UnusedKeys::Add(const ScenarioConfig& config,
                const KeyUse& use,
                const std::string& section,
                std::size_t index)
{
    const auto name = GetName(config, section, index);
    const auto [entry, isNew] = m_keys.try_emplace(name);
    auto& key = entry->second;
    if (isNew)
    {
        m_order.push_back(name);
        key.ofCommandLine = config.GetOrigin(name).IsCommandLine();
    }
    if (use.IsUsed(section, index))
    {
        key.error.reset();
        key.isUsed = true;
    }
    else if (!key.isUsed && !key.error)
    {
        key.error = ScenarioError(config.GetOrigin(name).ToText(),
                                  name,
                                  Quote(config.Get(name).ToText()),
                                  use.DescribeLack(section, index));
    }
}

void
UnusedKeys::Check() const
{
    for (const auto& name : m_order)
    {
        if (const auto& error = m_keys.at(name).error)
        {
            throw ScenarioError(*error);
        }
    }
}

} // namespace ns3::nfsrdma
