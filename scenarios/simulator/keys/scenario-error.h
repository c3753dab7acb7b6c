/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_ERROR_H
#define NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_ERROR_H

#include <stdexcept>
#include <string>

namespace ns3::nfsrdma
{

/// Where a value came from: a line of a file, an option of the command line, or a default.
struct ScenarioOrigin
{
    /// The source of values that nobody wrote.
    static constexpr const char* DEFAULT = "default";

    std::string source; ///< File name as the user gave it, or an option such as "--set".
    unsigned line{0};   ///< Counted from 1; 0 when source is not a file.

    /// \return "file:line", or the option's name.
    [[nodiscard]] std::string ToText() const;
    /// \return whether an option says it, and no file.
    [[nodiscard]] bool IsCommandLine() const;
};

/**
 * \brief What a user has to put right. what() is one line:
 *
 *     file:line: section.key: got 'x', expected ...; nearest key: ...
 */
class ScenarioError : public std::runtime_error
{
  public:
    /// \param where "file:line" or an option; never empty
    /// \param key "section.key", or empty when the whole file is meant
    /// \param got what was found, quoted by the caller where it is the user's text
    /// \param expected what would be right
    /// \param nearest a valid key like the wrong one, or empty
    ScenarioError(const std::string& where,
                  const std::string& key,
                  const std::string& got,
                  const std::string& expected,
                  const std::string& nearest = "");
};

/// \return \p text in single quotes, on one line, control characters shown as '?'.
std::string Quote(const std::string& text);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_ERROR_H
