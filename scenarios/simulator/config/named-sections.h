/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_NAMED_SECTIONS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_NAMED_SECTIONS_H

#include "scenarios/simulator/keys/scenario-error.h"
#include "scenarios/simulator/keys/scenario-value.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What a key is set to, and where that was written.
struct ScenarioSetting
{
    ScenarioValue value;
    ScenarioOrigin origin;
    bool ofProfile{false}; ///< A profile says it, not the user.
};

/**
 * \brief The sections with names, [workload NAME], [kernel NAME], [link NAME], [rnic NAME], [host
 * NAME], [rpcrdma NAME] and [adversary NAME], in the order of the file: what each says, by the
 * index of the key in the schema. What a section does not say is not here.
 */
class NamedSections
{
  public:
    /// Sets key \p index in \p section, "link NAME"; a section not known yet is added.
    void Set(const std::string& section, std::size_t index, ScenarioSetting setting);
    /// \return what \p section says about key \p index, null when it says nothing.
    [[nodiscard]] const ScenarioSetting* Find(const std::string& section, std::size_t index) const;
    /// \return the sections [BASE NAME] of \p base.
    [[nodiscard]] std::vector<std::string> List(const std::string& base) const;
    /// \return the keys that \p section says, ascending.
    [[nodiscard]] std::vector<std::size_t> GetKeysOf(const std::string& section) const;

  private:
    struct Section
    {
        std::string name;
        std::map<std::size_t, ScenarioSetting> settings;
    };

    [[nodiscard]] const Section* FindSection(const std::string& name) const;

    std::vector<Section> m_sections;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_NAMED_SECTIONS_H
