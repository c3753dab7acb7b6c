/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/named-section-check.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

const char* const ADVERSARY = "adversary.";
/// What may be different from host to host.
const std::array<std::string, 6> GROUP_LINK_KEYS{"hosts",
                                                 "rate",
                                                 "delay",
                                                 "mtu",
                                                 "host_queue",
                                                 "switch_queue"};

/// A section with a name and what it says.
class NamedSection
{
  public:
    NamedSection(const ScenarioConfig& config, std::string name)
        : m_config(config),
          m_name(std::move(name)),
          m_keys(config.GetKeysOf(m_name))
    {
    }

    [[nodiscard]] const std::vector<std::size_t>& GetKeys() const
    {
        return m_keys;
    }

    /// \return the whole name of a key, in this section.
    [[nodiscard]] std::string GetFullName(std::size_t index) const
    {
        return m_name + "." + m_config.GetSchema().GetKey(index).name;
    }

    [[nodiscard]] std::string GetText(const char* key) const
    {
        return m_config.Get(m_name + "." + key).AsText();
    }

    [[nodiscard]] bool Says(const char* key) const
    {
        const auto index = m_config.GetSchema().Find(m_name + "." + key);
        return std::find(m_keys.begin(), m_keys.end(), index) != m_keys.end();
    }

    [[noreturn]] void Refuse(std::size_t index, const std::string& expected) const
    {
        m_config.Refuse(GetFullName(index), expected);
    }

    /// Refuses the section as a whole, at its first key.
    [[noreturn]] void RefuseAll(const std::string& got, const std::string& expected) const
    {
        throw ScenarioError(m_config.GetOrigin(GetFullName(m_keys.front())).ToText(),
                            m_name,
                            got,
                            expected);
    }

  private:
    const ScenarioConfig& m_config;
    std::string m_name;
    std::vector<std::size_t> m_keys;
};

void
CheckPopulation(const ScenarioConfig& config, const std::string& name)
{
    const NamedSection section(config, name);
    const auto kind = section.GetText("kind");
    const auto own = name.substr(name.find(' ') + 1);
    if (kind == "none")
    {
        config.Refuse(name + ".kind", "a kind that does something");
    }
    if (own == config.Get("workload.kind").AsText())
    {
        section.RefuseAll(Quote(own),
                          "another name than the kind of [workload], whose directory has it");
    }
    for (const auto index : section.GetKeys())
    {
        if (config.GetSchema().GetFullName(index) == "workload.start_spread")
        {
            section.Refuse(index, "this key in [workload] alone");
        }
        if (!config.IsKeyOfKind(index, kind))
        {
            section.Refuse(index, "keys of kind " + kind);
        }
    }
}

/// \return true when key \p index is the same for the whole cluster.
bool
IsForAll(const ScenarioSchema& schema, std::size_t index)
{
    const auto& name = schema.GetFullName(index);
    return name == "host.server_cores" ||
           (name.rfind("link.", 0) == 0 &&
            std::find(GROUP_LINK_KEYS.begin(), GROUP_LINK_KEYS.end(), schema.GetKey(index).name) ==
                GROUP_LINK_KEYS.end());
}

void
CheckGroup(const ScenarioConfig& config, const std::string& name)
{
    const NamedSection section(config, name);
    if (!section.Says("hosts"))
    {
        section.RefuseAll("no key hosts", "hosts = client-0..3, server-1, clients or servers");
    }
    for (const auto index : section.GetKeys())
    {
        if (IsForAll(config.GetSchema(), index))
        {
            section.Refuse(index, "this key in [" + GetBaseSection(name) + "] alone");
        }
    }
}

std::string
ListKeysOfRole(const ScenarioConfig& config, const std::string& role)
{
    const auto& schema = config.GetSchema();
    std::string keys;
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        if (schema.GetFullName(index).rfind(ADVERSARY, 0) == 0 && config.IsKeyOfRole(index, role))
        {
            keys += (keys.empty() ? "" : ", ") + std::string(schema.GetKey(index).name);
        }
    }
    return keys;
}

void
CheckAdversary(const ScenarioConfig& config, const std::string& name)
{
    const NamedSection section(config, name);
    for (const char* needed : {"role", "hosts"})
    {
        if (!section.Says(needed))
        {
            section.RefuseAll(std::string("no key ") + needed,
                              "role = NAME and hosts = client-0..3, server-1, ...");
        }
    }
    const auto role = section.GetText("role");
    for (const auto index : section.GetKeys())
    {
        if (role != "none" && !config.IsKeyOfRole(index, role))
        {
            section.Refuse(index, "keys of role " + role + ": " + ListKeysOfRole(config, role));
        }
    }
}

void
CheckNoAdversary(const ScenarioConfig& config)
{
    const auto& schema = config.GetSchema();
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        const auto& name = schema.GetFullName(index);
        if (name.rfind(ADVERSARY, 0) == 0 &&
            config.Get(index).ToText() != config.GetDefault(index).ToText())
        {
            config.Refuse(name, "this key in sections [adversary NAME] alone");
        }
    }
}

} // namespace

void
CheckNamedSections(const ScenarioConfig& config)
{
    for (const auto* base : GROUP_SECTIONS)
    {
        const auto key = std::string(base) + ".hosts";
        if (config.Get(key).AsText() != "all")
        {
            config.Refuse(key, "this key in sections [" + std::string(base) + " NAME] alone");
        }
        for (const auto& section : config.GetGroupSections(base))
        {
            CheckGroup(config, section);
        }
    }
    for (const auto& section : config.GetGroupSections("workload"))
    {
        CheckPopulation(config, section);
    }
    for (const auto& section : config.GetGroupSections("adversary"))
    {
        CheckAdversary(config, section);
    }
    CheckNoAdversary(config);
}

} // namespace ns3::nfsrdma
