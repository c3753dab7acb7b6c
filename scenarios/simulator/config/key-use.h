/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_KEY_USE_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_KEY_USE_H

#include "scenarios/simulator/config/scenario-config.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Which keys of a scenario do something in it, by the conditions of the schema.
 *
 * A condition on the key's own section is about that section; [link], [rnic], [host] and [rpcrdma]
 * are what [link NAME] and so on have where they say nothing, so that a key of theirs is used where
 * any of these meets its condition. What clients need of servers, and a section of another, any of
 * its sections may have: any workload, for a key of [nfs].
 */
class KeyUse
{
  public:
    /// \param config outlives this
    /// \param nfsVersion what clients speak: that of a recording, if one is replayed
    KeyUse(const ScenarioConfig& config, std::string nfsVersion);

    /// \return whether key \p index of the schema does something in \p section, "rnic" or "rnic
    /// NAME".
    [[nodiscard]] bool IsUsed(const std::string& section, std::size_t index) const;
    /// \return what it needs that is not so: "... only with workload.kind = fio (here: mix)".
    [[nodiscard]] std::string DescribeLack(const std::string& section, std::size_t index) const;

  private:
    using Clause = KeyCondition::Clause;
    using Alternative = KeyCondition::Alternative;

    /// A key that depends on others.
    struct Dependent
    {
        std::string section;
        std::string name;     ///< Without the section.
        std::string workload; ///< The workload that conditions are about.
    };

    /// \return the workloads that conditions of a key of \p section may be about.
    [[nodiscard]] std::vector<std::string> ListWorkloads(const std::string& section) const;
    [[nodiscard]] bool Holds(const Clause& clause, const Dependent& dependent) const;
    [[nodiscard]] bool Holds(const Alternative& alternative, const Dependent& dependent) const;
    /// \return the sections that the key of \p alternative is looked for in.
    [[nodiscard]] std::vector<std::string> ListSections(const Alternative& alternative,
                                                        const Dependent& dependent) const;
    [[nodiscard]] std::string GetText(const std::string& section, const std::string& key) const;

    const ScenarioConfig& m_config;
    std::string m_nfsVersion;
};

/**
 * \brief The keys that a user wrote and that no run of a scenario uses.
 *
 * A key may do something in some of the runs of a sweep only: it is refused when it does in none.
 * Nor is a key of a file refused that the file uses, when it is the command line that turns off
 * what the key is about.
 */
class UnusedKeys
{
  public:
    /// Looks at a run. \param nfsVersion as of KeyUse
    void Add(const ScenarioConfig& config, const std::string& nfsVersion);
    /// Looks at a run of the file alone, without what the command line says.
    void AddFile(const ScenarioConfig& config, const std::string& nfsVersion);
    /// Throws the ScenarioError that names the first key that no run has used.
    void Check() const;

  private:
    struct WrittenKey
    {
        bool ofCommandLine{false};
        bool isUsed{false};
        std::optional<ScenarioError> error; ///< None: it is used.
    };

    void Add(const ScenarioConfig& config,
             const KeyUse& use,
             const std::string& section,
             std::size_t index);

    std::vector<std::string> m_order; ///< Full names.
    std::map<std::string, WrittenKey> m_keys;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_KEY_USE_H
