/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_TEXT_TABLE_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_TEXT_TABLE_H

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A table for a terminal: the first column to the left, the others to the right.
class TextTable
{
  public:
    explicit TextTable(std::vector<std::string> head);

    /// \param cells as many as the head has
    void AddRow(std::vector<std::string> cells);
    /// A line across the table.
    void AddRule();
    [[nodiscard]] std::string ToText() const;

  private:
    std::vector<std::vector<std::string>> m_rows; ///< The head first; an empty row is a rule.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_TEXT_TABLE_H
