/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/workload-check.h"

#include "scenarios/simulator/setup/client-list.h"
#include "scenarios/simulator/setup/shared-trees.h"
#include "workload/generate/measured-files.h"

#include "ns3/string.h"

#include <cctype>
#include <map>

namespace ns3::nfsrdma
{

namespace
{

std::string
GetAttributeHelp(const Ptr<Workload>& workload, const std::string& attribute)
{
    TypeId::AttributeInformation information;
    workload->GetInstanceTypeId().LookupAttributeByName(attribute, &information);
    return information.help;
}

tl::expected<void, std::string>
Validate(const Ptr<Workload>& workload)
{
    if (const auto file = DynamicCast<FileWorkload>(workload))
    {
        return file->Validate();
    }
    return {};
}

bool
IsWordAt(const std::string& text, std::size_t place, std::size_t size)
{
    const auto isLetter = [&text](std::size_t at) {
        return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
    };
    return (place == 0 || !isLetter(place - 1)) && !isLetter(place + size);
}

/// Names keys of \p section in the place of the attributes that \p text names: a user knows those.
/// \param key gets the last of them that the user wrote, if any
std::string
NameKeys(const ScenarioConfig& config,
         const std::string& section,
         const Ptr<Workload>& workload,
         std::string text,
         std::string& key)
{
    const auto& schema = config.GetSchema();
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        for (const auto& target : schema.GetKey(index).targets)
        {
            const auto attribute = target.substr(target.find("::") + 2);
            const auto place = text.find(attribute);
            if (place == std::string::npos || !IsTargetOf(target, workload->GetInstanceTypeId()) ||
                !IsWordAt(text, place, attribute.size()))
            {
                continue;
            }
            const auto name = section + "." + schema.GetKey(index).name;
            text.replace(place, attribute.size(), name);
            if (config.GetOrigin(name).source != ScenarioOrigin::DEFAULT)
            {
                key = name;
            }
        }
    }
    return text;
}

/// Refuses keys of \p section that do not fit together, at the one of them that the user wrote.
/// \param expected by the workload, in terms of its attributes
[[noreturn]] void
RefuseTogether(const ScenarioConfig& config,
               const std::string& section,
               const Ptr<Workload>& workload,
               std::string expected)
{
    std::string key = section + ".kind";
    expected = NameKeys(config, section, workload, std::move(expected), key);
    config.Refuse(key, expected);
}

void
CheckSection(const ScenarioConfig& config, const std::string& section)
{
    const auto workload = Workload::Create(config.Get(section + ".kind").AsText());
    const auto& schema = config.GetSchema();
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        for (const auto& target : schema.GetKey(index).targets)
        {
            if (!IsTargetOf(target, workload->GetInstanceTypeId()))
            {
                continue;
            }
            const auto key = section + "." + schema.GetKey(index).name;
            const auto attribute = target.substr(target.find("::") + 2);
            if (!workload->SetAttributeFailSafe(attribute,
                                                StringValue(config.Get(key).ToAttributeText())))
            {
                std::string other;
                config.Refuse(key,
                              NameKeys(config,
                                       section,
                                       workload,
                                       GetAttributeHelp(workload, attribute),
                                       other));
            }
        }
    }
    constexpr std::size_t LONGEST_NAME = 200;
    const auto directory = config.Get(section + ".directory").AsText();
    if (directory.size() > LONGEST_NAME || directory.find('/') != std::string::npos ||
        directory == "." || directory == "..")
    {
        config.Refuse(section + ".directory", "a name of at most 200 octets without \"/\"");
    }
    if (const auto valid = Validate(workload); !valid)
    {
        RefuseTogether(config, section, workload, valid.error());
    }
    workload->Dispose();
}

} // namespace

std::vector<AttributeText>
ListWorkloadAttributes(const ScenarioConfig& config, const std::string& section)
{
    const auto workload = Workload::Create(config.Get(section + ".kind").AsText());
    const auto& schema = config.GetSchema();
    std::vector<AttributeText> attributes;
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        for (const auto& target : schema.GetKey(index).targets)
        {
            if (IsTargetOf(target, workload->GetInstanceTypeId()))
            {
                const auto key = section + "." + schema.GetKey(index).name;
                attributes.push_back({target, config.Get(key).ToAttributeText()});
            }
        }
    }
    workload->Dispose();
    return attributes;
}

void
CheckWorkload(const ScenarioConfig& config)
{
    std::map<uint32_t, std::string> replays;
    const auto sections = config.GetWorkloadSections();
    if (sections.empty())
    {
        config.Refuse("workload.kind", "another kind, or sections [workload NAME]");
    }
    for (const auto& section : sections)
    {
        CheckSection(config, section);
        for (const auto client : ResolveClients(config, section))
        {
            if (config.Get(section + ".kind").AsText() == "replay" &&
                !replays.emplace(client, section).second)
            {
                config.Refuse(section + ".clients",
                              "one replay of a client, whose export it fills: client " +
                                  std::to_string(client) + " has that of [" + replays[client] +
                                  "]");
            }
        }
    }
    static_cast<void>(ResolveSharedTrees(config));
}

} // namespace ns3::nfsrdma
