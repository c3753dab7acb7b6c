/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/adversary-check.h"

#include "fault/word-list.h"
#include "scenarios/simulator/setup/client-list.h"
#include "scenarios/simulator/setup/host-settings.h"

#include "ns3/string.h"

#include <algorithm>
#include <set>

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
        if (section.entry->side != AdversarySide::LINK && side != section.entry->side)
        {
            config.Refuse(
                section.section + ".role",
                std::string("a role of ") +
                    (side == AdversarySide::SERVER ? "servers" : "clients") + " for " +
                    cluster.GetNames()[host] + ": " +
                    JoinWords(GetAdversaryRoles().GetNames([side](const AdversaryEntry& role) {
                        return role.side == side || role.side == AdversarySide::LINK;
                    })));
        }
    }
}

/// A link has one adversary at most, and an end in the network; over TCP there is no memory to
/// write to.
void
CheckLinks(const ScenarioConfig& config,
           const AdversarySection& section,
           std::set<uint32_t>& tapped)
{
    if (section.entry->side != AdversarySide::LINK)
    {
        if (config.Get("cluster.transport").AsText() == "tcp")
        {
            config.Refuse(section.section + ".role",
                          "cluster.transport = rdma, whose rules it breaks; over TCP a role of a "
                          "link");
        }
        return;
    }
    if (config.Get("topology.shape").AsText() == "pair")
    {
        config.Refuse(section.section + ".role",
                      "a topology with a switch: between two hosts back to back there is nobody");
    }
    for (const uint32_t host : section.hosts)
    {
        if (!tapped.insert(host).second)
        {
            config.Refuse(section.section + ".hosts",
                          "hosts in whose link no other role is: " +
                              GetClusterHosts(config).GetNames()[host] + " has one");
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

/// \return what keys of \p section stand for.
std::vector<AttributeText>
ListAttributes(const ScenarioConfig& config, const AdversarySection& section)
{
    const auto role = section.entry->Create();
    const auto& schema = config.GetSchema();
    std::vector<AttributeText> attributes;
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        for (const auto& target : schema.GetKey(index).targets)
        {
            const auto key = section.section + "." + schema.GetKey(index).name;
            const bool isOf = schema.GetFullName(index).rfind("adversary.", 0) == 0 &&
                              IsTargetOf(target, section.entry->GetType());
            if (!isOf)
            {
                continue;
            }
            attributes.push_back({target, config.Get(key).ToAttributeText()});
            if (!role->SetAttributeFailSafe(attributes.back().GetName(),
                                            StringValue(attributes.back().value)))
            {
                config.Refuse(key, schema.GetKey(index).meaning);
            }
        }
    }
    role->Dispose();
    return attributes;
}

} // namespace

Ptr<AdversaryRole>
AdversarySection::MakeRole() const
{
    const auto role = entry->Create();
    for (const auto& attribute : attributes)
    {
        role->SetAttribute(attribute.GetName(), StringValue(attribute.value));
    }
    return role;
}

std::vector<AdversarySection>
ResolveAdversaries(const ScenarioConfig& config)
{
    std::vector<AdversarySection> sections;
    std::set<uint32_t> tapped;
    for (const auto& name : config.GetGroupSections("adversary"))
    {
        AdversarySection section;
        section.section = name;
        section.name = name.substr(name.find(' ') + 1);
        section.entry = GetAdversaryRoles().Find(config.Get(name + ".role").AsText());
        if (section.entry == nullptr)
        {
            continue;
        }
        section.hosts = ResolveHosts(config, name);
        CheckSides(config, section);
        CheckLinks(config, section, tapped);
        CheckVictim(config, section);
        section.attributes = ListAttributes(config, section);
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

} // namespace ns3::nfsrdma
