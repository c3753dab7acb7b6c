/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SCENARIO_CONFIG_H
#define NFSRDMA_SCENARIOS_SCENARIO_CONFIG_H

#include "scenario-file.h"
#include "scenario-schema.h"

#include <map>
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

/// A line of section [faults], as written.
struct FaultLine
{
    std::string name;
    std::string sentence;
    ScenarioOrigin origin;
};

/**
 * \brief A scenario with every key resolved.
 *
 * A value is, from weakest to strongest: the schema's default; the profile's (rnic.profile,
 * rpcrdma.profile: profiles/rnic/NAME.ini and profiles/rpcrdma/NAME.ini, keys of that section
 * only); the entries in their order. The default of link.rate is rnic.port_rate, where that is
 * less. The default of workload.kind is none where there are sections [workload NAME].
 *
 * Keys of [faults] are names of the user's choice. Of several lines of one name the last holds;
 * with the value none there is no such fault.
 *
 * A key of a section [workload NAME] is called "workload NAME.key"; nobody inherits from
 * [workload]. Sections [link NAME], [rnic NAME] and [host NAME] say what is different about the
 * hosts they name; what they do not say is as in [link], [rnic] and [host], or in the profile that
 * [rnic NAME] names. Sections [adversary NAME] give hosts a role; there is no [adversary] to
 * inherit from.
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

    /// \return the sections whose workloads run: "workload" unless its kind is none, then
    /// "workload NAME" in the order of the file.
    [[nodiscard]] std::vector<std::string> GetWorkloadSections() const;
    /// \return the lines of [faults], in the order of the file.
    [[nodiscard]] const std::vector<FaultLine>& GetFaults() const;
    /// \return the sections [BASE NAME] of \p base, link, rnic, host or adversary, in the order of
    /// the file.
    [[nodiscard]] std::vector<std::string> GetGroupSections(const std::string& base) const;
    /// \return the keys that a section [BASE NAME] or its profile says.
    [[nodiscard]] std::vector<std::size_t> GetKeysOf(const std::string& section) const;
    /// \return true when key \p index of [adversary] is one that \p role has, or any has.
    [[nodiscard]] bool IsKeyOfRole(std::size_t index, const std::string& role) const;
    /// \return true when key \p index is one that a workload of this kind has, or any has.
    [[nodiscard]] bool IsKeyOfKind(std::size_t index, const std::string& kind) const;

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

    /// A section [workload NAME], [link NAME], ...: what it says, by index.
    struct Instance
    {
        std::string section;
        std::map<std::size_t, Setting> settings;
    };

    void Apply(const ScenarioEntry& entry);
    void ApplyFault(const ScenarioEntry& entry);
    /// \return the setting of a key, in its section.
    [[nodiscard]] const Setting& Find(const std::string& fullName) const;
    /// Refuses what a section [workload NAME], [link NAME], ... may not say.
    void CheckInstances() const;
    void CheckPopulation(const Instance& instance) const;
    void CheckGroup(const Instance& instance) const;
    /// Refuses a section [adversary NAME] without role or hosts, and keys that its role has not.
    void CheckAdversary(const Instance& instance) const;
    /// Refuses keys of [adversary] outside sections [adversary NAME].
    void CheckNoAdversary() const;
    [[nodiscard]] std::string ListKeysOfRole(const std::string& role) const;
    [[nodiscard]] std::string InstancesToIni(const ScenarioPath& path,
                                             const std::string& base) const;
    [[nodiscard]] std::string PopulationToIni(const ScenarioPath& path,
                                              const std::string& section) const;
    void ApplyProfile(const ScenarioPath& path, const std::string& section);
    /// A link whose rate nobody wrote is not faster than the device's port.
    void FollowPort();

    const ScenarioSchema& m_schema;
    std::vector<Setting> m_settings;
    std::vector<Setting> m_defaults; ///< Of every key.
    std::vector<Instance> m_instances;
    std::vector<FaultLine> m_faults;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SCENARIO_CONFIG_H
