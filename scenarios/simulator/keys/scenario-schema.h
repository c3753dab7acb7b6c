/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_SCHEMA_H
#define NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_SCHEMA_H

#include "scenarios/simulator/keys/key-condition.h"
#include "scenarios/simulator/keys/scenario-error.h"
#include "scenarios/simulator/keys/scenario-key.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief All sections and keys that a scenario may have. Keys are numbered in the order of the
 * tables.
 *
 * The section "sweep" holds, besides its own keys, keys of other sections with lists of values
 * ("rpcrdma.inline_threshold = 1024, 4096"); those are not the schema's but ScenarioFile's.
 */
class ScenarioSchema
{
  public:
    explicit ScenarioSchema(std::vector<ScenarioSection> sections);

    /// The schema of nfsrdma-sim, with the keys of plugins that are loaded. Throws ScenarioError
    /// when one of these is there twice.
    static ScenarioSchema Standard();

    [[nodiscard]] const std::vector<ScenarioSection>& GetSections() const;
    [[nodiscard]] std::size_t GetKeyCount() const;
    [[nodiscard]] const ScenarioKey& GetKey(std::size_t index) const;
    /// \return "section.key".
    [[nodiscard]] const std::string& GetFullName(std::size_t index) const;
    /// A key of a section [workload NAME] is that of [workload]; the same for link, rnic, host,
    /// rpcrdma and adversary.
    [[nodiscard]] std::optional<std::size_t> Find(const std::string& fullName) const;
    /// As Find(), for a name the user wrote at \p where. Throws ScenarioError with the nearest key.
    [[nodiscard]] std::size_t Require(const std::string& fullName, const std::string& where) const;
    /// Parses what the user wrote for a key. Throws ScenarioError.
    [[nodiscard]] ScenarioValue ParseValue(std::size_t index,
                                           const std::string& text,
                                           const std::string& where) const;

    /// Has key \p fullName do something under \p condition only, beside those it has already.
    void Restrict(const std::string& fullName, const KeyCondition& condition);
    /// \return when key \p index does something.
    [[nodiscard]] const KeyCondition& GetCondition(std::size_t index) const;

    /// \return the table that --list-keys prints.
    [[nodiscard]] std::string DescribeKeys() const;

  private:
    struct Slot
    {
        std::size_t section;
        std::size_t key;
    };

    void RefuseDoubles() const;
    /// Settings of single policies and models of storage do something where these are chosen.
    void RestrictKeysOfKinds();
    /// Keys that kinds of workloads use may be used by those of plugins.
    void AllowAddedWorkloads();
    [[nodiscard]] bool HasSection(const std::string& name) const;
    [[nodiscard]] std::string JoinSectionNames() const;

    std::vector<ScenarioSection> m_sections;
    std::vector<Slot> m_slots;
    std::vector<std::string> m_names;
    std::vector<KeyCondition> m_conditions; ///< By key.
};

/// Sections [kernel NAME], [link NAME], ...: what is different about some hosts.
constexpr std::array<const char*, 5> GROUP_SECTIONS{"kernel", "link", "rnic", "host", "rpcrdma"};

/// \return "workload NAME" when \p fullName is a key of such a section (NAME of letters, digits,
/// '-' and '_'), or empty. Of sections workload, adversary and GROUP_SECTIONS there may be such
/// ones.
[[nodiscard]] std::string GetNamedSection(const std::string& fullName);
/// \return "workload" of "workload NAME" and of "workload".
[[nodiscard]] std::string GetBaseSection(const std::string& section);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_SCHEMA_H
