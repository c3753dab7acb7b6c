/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SCENARIO_CONFIG_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SCENARIO_CONFIG_H

#include "scenarios/simulator/config/named-sections.h"
#include "scenarios/simulator/config/scenario-file.h"
#include "scenarios/simulator/keys/scenario-schema.h"

#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

class KeyUse;

/// The key that names plugins: files separated by commas, from the scenario's directory or the
/// current one.
constexpr const char* PLUGINS_KEY = "cluster.plugins";

/// What a line of [faults] says that is without a fault, as one value of a sweep.
constexpr const char* NO_FAULT = "none";

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
 * A value is, from weakest to strongest: the schema's default; that of the default of a key profile
 * (rnic.profile, rpcrdma.profile, storage.profile, host.profile, tls.profile:
 * profiles/rnic/NAME.ini and so on, keys of that section only); the kernel's (kernel.profile:
 * profiles/kernel/NAME.ini, keys of [tcp], [rnic], [host], [rpcrdma], [nfs] and [storage]; where it
 * names a profile of one of these, that profile's are weaker than its own); that of a profile that
 * an entry names; the entries in their order. The default of link.rate is rnic.port_rate, where
 * that is less. The default of workload.kind is none where there are sections [workload NAME].
 *
 * Keys of [faults] are names of the user's choice. Of several lines of one name the last holds;
 * with the value none there is no such fault.
 *
 * A key of a section [workload NAME] is called "workload NAME.key"; nobody inherits from
 * [workload]. Sections [link NAME], [rnic NAME], [host NAME] and [rpcrdma NAME] say what is
 * different about the hosts they name; what they do not say is as in [link], [rnic], [host] and
 * [rpcrdma], or in the profile that [rnic NAME], [host NAME] or [rpcrdma NAME] names. [kernel NAME]
 * makes [rnic NAME], [host NAME] and [rpcrdma NAME] of the keys that its profile has of them; what
 * the profile has of other sections is of all hosts, and taken from [kernel] alone. Sections
 * [adversary NAME] give hosts a role; there is no [adversary] to inherit from.
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
    /// \return the schema's default of key \p index.
    [[nodiscard]] const ScenarioValue& GetDefault(std::size_t index) const;
    /// \return where the value was written, or "default".
    [[nodiscard]] const ScenarioOrigin& GetOrigin(const std::string& fullName) const;
    [[nodiscard]] const ScenarioSchema& GetSchema() const;
    /// Throws the ScenarioError that says what is wrong with the value of \p fullName. A default is
    /// refused where a key was written whose full name is in \p expected.
    [[noreturn]] void Refuse(const std::string& fullName, const std::string& expected) const;

    /// \return the sections whose workloads run: "workload" unless its kind is none, then
    /// "workload NAME" in the order of the file.
    [[nodiscard]] std::vector<std::string> GetWorkloadSections() const;
    /// \return the lines of [faults], in the order of the file.
    [[nodiscard]] const std::vector<FaultLine>& GetFaults() const;
    /// \return the sections [BASE NAME] of \p base (see GetNamedSection()), in the order of the
    /// file.
    [[nodiscard]] std::vector<std::string> GetGroupSections(const std::string& base) const;
    /// \return the keys that a section [BASE NAME] or its profile says.
    [[nodiscard]] std::vector<std::size_t> GetKeysOf(const std::string& section) const;
    /// \return true when key \p index, in the section without a name, is the user's word.
    [[nodiscard]] bool IsWritten(std::size_t index) const;
    /// \return true when key \p index is the user's word in \p section, a section [BASE NAME].
    [[nodiscard]] bool IsWrittenIn(const std::string& section, std::size_t index) const;
    /// \return true when key \p index of [adversary] is one that \p role has, or any has.
    [[nodiscard]] bool IsKeyOfRole(std::size_t index, const std::string& role) const;
    /// \return true when key \p index is one that a workload of this kind has, or any has.
    [[nodiscard]] bool IsKeyOfKind(std::size_t index, const std::string& kind) const;

    /// \return the scenario as INI with units and comments; read back, it resolves to the same.
    /// What does nothing in it stands in comments; in a sweep that is not what the user wrote, for
    /// some runs may use it. \param path where a
    /// trace is looked for; its name is printed as found \param sweepLists lines to follow the keys
    /// of [sweep] \param nfsVersion what clients speak, if a recording says it; empty: nfs.version
    [[nodiscard]] std::string ToIni(const ScenarioPath& path,
                                    const std::string& sweepLists,
                                    const std::string& nfsVersion = "") const;

  private:
    void Apply(const ScenarioEntry& entry, bool ofProfile);
    void ApplyFault(const ScenarioEntry& entry);
    /// \return the setting of a key, in its section.
    [[nodiscard]] const ScenarioSetting& Find(const std::string& fullName) const;
    [[nodiscard]] std::string NamedToIni(const ScenarioPath& path,
                                         const KeyUse& use,
                                         bool isSweep,
                                         const std::string& base) const;
    [[nodiscard]] std::string PopulationToIni(const ScenarioPath& path,
                                              const KeyUse& use,
                                              bool isSweep,
                                              const std::string& section) const;
    /// \return whether \p section, [BASE] or [BASE NAME], says or is given a profile.
    [[nodiscard]] bool HasProfile(const std::string& section, bool written) const;
    /// \return the file that key profile of \p section names.
    [[nodiscard]] ScenarioFile LoadProfile(const ScenarioPath& path,
                                           const std::string& section) const;
    void ApplyProfile(const ScenarioPath& path, const std::string& section, bool ofKernel);
    /// What a kernel's profile says of some hosts is weaker than what the user has written of all.
    void ApplyOfProfile(const ScenarioEntry& entry, bool ofKernel);
    /// Applies the profiles that the user names, or all others.
    void ApplyProfiles(const ScenarioPath& path, bool written);
    /// Applies the profile of [kernel], or of [kernel NAME] to sections of that name.
    void ApplyKernel(const ScenarioPath& path, const std::string& section);
    void ApplyKernelEntry(const ScenarioPath& path,
                          const std::string& section,
                          const ScenarioEntry& entry);
    /// A link whose rate nobody wrote is not faster than the device's port.
    void FollowPort();

    const ScenarioSchema& m_schema;
    std::vector<ScenarioSetting> m_settings;
    std::vector<ScenarioSetting> m_defaults; ///< Of every key.
    std::set<std::size_t> m_writtenOfAll;    ///< Keys of sections without a name, by the user.
    NamedSections m_named;
    std::vector<FaultLine> m_faults;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SCENARIO_CONFIG_H
