/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/adversary-check.h"

#include "fault/word-list.h"
#include "scenarios/simulator/setup/client-list.h"
#include "scenarios/simulator/setup/host-settings.h"

#include "ns3/string.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

void
CheckSides(const ScenarioConfig& config, const AdversarySection& section)
{
    const auto cluster = GetClusterHosts(config);
    for (const uint32_t host : section.hosts)
    {
        const auto side = host < cluster.servers ? AdversarySide::SERVER : AdversarySide::CLIENT;
        if (side != section.entry->side)
        {
            config.Refuse(section.section + ".role",
                          std::string("a role of ") +
                              (side == AdversarySide::SERVER ? "servers" : "clients") + " for " +
                              cluster.GetNames()[host] + ": " +
                              JoinWords(AdversaryRegistry::GetNames(side)));
        }
    }
}

void
CheckVictim(const ScenarioConfig& config, const AdversarySection& section)
{
    const auto victim = config.Get(section.section + ".victim").AsText();
    const auto names = GetClusterHosts(config).GetNames();
    if (victim != "all" && std::find(names.begin(), names.end(), victim) == names.end())
    {
        config.Refuse(section.section + ".victim", "all, or a host of the cluster");
    }
}

/// Each workload needs a client that none of \p rogues is.
void
CheckWorkersAreLeft(const ScenarioConfig& config,
                    const AdversarySection& section,
                    const std::set<uint32_t>& rogues)
{
    for (const auto& workload : config.GetWorkloadSections())
    {
        const auto clients = ResolveClients(config, workload);
        if (std::includes(rogues.begin(), rogues.end(), clients.begin(), clients.end()))
        {
            config.Refuse(section.section + ".hosts",
                          "a client that is left to run [" + workload + "]");
        }
    }
}

} // namespace

Ptr<AdversaryRole>
MakeAdversaryRole(const ScenarioConfig& config, const AdversarySection& section)
{
    const auto role = AdversaryRegistry::Create(section.entry->name);
    const auto& schema = config.GetSchema();
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        for (const auto& target : schema.GetKey(index).targets)
        {
            const auto colons = target.find("::");
            TypeId type;
            const bool isOf =
                schema.GetFullName(index).rfind("adversary.", 0) == 0 &&
                TypeId::LookupByNameFailSafe("ns3::nfsrdma::" + target.substr(0, colons), &type) &&
                (role->GetInstanceTypeId() == type || role->GetInstanceTypeId().IsChildOf(type));
            const auto key = section.section + "." + schema.GetKey(index).name;
            if (isOf && !role->SetAttributeFailSafe(target.substr(colons + 2),
                                                    StringValue(config.Get(key).ToAttributeText())))
            {
                config.Refuse(key, schema.GetKey(index).meaning);
            }
        }
    }
    return role;
}

std::vector<AdversarySection>
ResolveAdversaries(const ScenarioConfig& config)
{
    std::vector<AdversarySection> sections;
    for (const auto& name : config.GetGroupSections("adversary"))
    {
        AdversarySection section;
        section.section = name;
        section.name = name.substr(name.find(' ') + 1);
        section.entry = AdversaryRegistry::Find(config.Get(name + ".role").AsText());
        if (section.entry == nullptr)
        {
            continue;
        }
        section.hosts = ResolveHosts(config, name);
        CheckSides(config, section);
        CheckVictim(config, section);
        MakeAdversaryRole(config, section)->Dispose();
        sections.push_back(std::move(section));
    }
    const auto servers = static_cast<uint32_t>(config.Get("cluster.servers").AsInteger());
    std::set<uint32_t> rogues;
    for (const auto& section : sections)
    {
        for (const uint32_t host : section.hosts)
        {
            if (!section.entry->ridesOnStack)
            {
                rogues.insert(host - servers);
            }
        }
        CheckWorkersAreLeft(config, section, rogues);
    }
    return sections;
}

std::set<uint32_t>
ListRogueClients(const ScenarioConfig& config)
{
    const auto servers = static_cast<uint32_t>(config.Get("cluster.servers").AsInteger());
    std::set<uint32_t> clients;
    for (const auto& section : ResolveAdversaries(config))
    {
        for (const uint32_t host : section.hosts)
        {
            if (!section.entry->ridesOnStack)
            {
                clients.insert(host - servers);
            }
        }
    }
    return clients;
}

} // namespace ns3::nfsrdma
