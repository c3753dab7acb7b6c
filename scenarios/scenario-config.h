/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SCENARIO_CONFIG_H
#define NFSRDMA_SCENARIOS_SCENARIO_CONFIG_H

#include "scenario-file.h"
#include "scenario-schema.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Where profiles and traces named in a scenario are looked for, in this order.
struct ScenarioPath
{
    std::vector<std::string> directories;

    /// \return the path of \p name (absolute, or below a directory), empty when there is none.
    [[nodiscard]] std::string Find(const std::string& name) const;
};

/**
 * \brief A scenario with every key resolved.
 *
 * A value is, from weakest to strongest: the schema's default; the profile's (rnic.profile,
 * rpcrdma.profile: profiles/rnic/NAME.ini and profiles/rpcrdma/NAME.ini, keys of that section
 * only); the entries in their order. The default of link.rate is rnic.port_rate, where that is
 * less.
 */
class ScenarioConfig
{
  public:
    /// Resolves \p entries, which hold no sweep lists. Throws ScenarioError.
    ScenarioConfig(const ScenarioSchema& schema,
                   const ScenarioPath& path,
                   const std::vector<ScenarioEntry>& entries);

    /// \return the value of \p fullName, which the schema must have.
    [[nodiscard]] const ScenarioValue& Get(const std::string& fullName) const;
    [[nodiscard]] const ScenarioValue& Get(std::size_t index) const;
    /// \return where the value was written, or "default".
    [[nodiscard]] const ScenarioOrigin& GetOrigin(const std::string& fullName) const;
    [[nodiscard]] const ScenarioSchema& GetSchema() const;
    /// Throws the ScenarioError that says what is wrong with the value of \p fullName.
    [[noreturn]] void Refuse(const std::string& fullName, const std::string& expected) const;

    /// \return the scenario as INI with units and comments; read back, it resolves to the same.
    /// \param path where a trace is looked for; its name is printed as found
    /// \param sweepLists lines to follow the keys of [sweep]
    [[nodiscard]] std::string ToIni(const ScenarioPath& path, const std::string& sweepLists) const;

  private:
    struct Setting
    {
        ScenarioValue value;
        ScenarioOrigin origin;
    };

    void Apply(const ScenarioEntry& entry);
    void ApplyProfile(const ScenarioPath& path, const std::string& section);
    /// A link whose rate nobody wrote is not faster than the device's port.
    void FollowPort();

    const ScenarioSchema& m_schema;
    std::vector<Setting> m_settings;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SCENARIO_CONFIG_H
