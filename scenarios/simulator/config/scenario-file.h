/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SCENARIO_FILE_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SCENARIO_FILE_H

#include "scenarios/simulator/keys/scenario-error.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// One "key = value" of a file or of the command line.
struct ScenarioEntry
{
    std::string key; ///< "section.key"; within [sweep]: "sweep.section.key".
    std::string value;
    ScenarioOrigin origin;
};

/**
 * \brief A scenario or profile file as it stands: INI, '#' begins a comment.
 *
 * Boost.Program_options parses it; a scan of the lines beside that says where each entry is.
 */
class ScenarioFile
{
  public:
    /// Reads \p path. Throws ScenarioError: no such file, a line that is neither section nor key, a
    /// key given twice.
    static ScenarioFile Load(const std::string& path);
    /// As Load(), with the text at hand; \p name stands for the file in messages.
    static ScenarioFile Parse(const std::string& name, const std::string& text);

    [[nodiscard]] const std::string& GetName() const;
    [[nodiscard]] const std::vector<ScenarioEntry>& GetEntries() const;
    /// \return the directory of the file, "." when the name has none.
    [[nodiscard]] std::string GetDirectory() const;
    /// \return the file's name without directory and extension.
    [[nodiscard]] std::string GetStem() const;

  private:
    std::string m_name;
    std::vector<ScenarioEntry> m_entries;
};

/// \return the entry that "section.key=value" is. Throws ScenarioError.
ScenarioEntry ParseAssignment(const std::string& text, const std::string& option);

/// \return the items of "a, b, c", spaces trimmed.
std::vector<std::string> SplitList(const std::string& text, char separator = ',');

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SCENARIO_FILE_H
