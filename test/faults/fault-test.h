/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_FAULTS_FAULT_TEST_H
#define NFSRDMA_TEST_FAULTS_FAULT_TEST_H

#include "simulator-test.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * Inputs that the simulator once got wrong, each run by the program itself:
 * test/data/faults/NAME.ini. A case asserts what is right, and walks the kind of which the file is
 * one member.
 */
class FaultTest : public SimulatorTest
{
  protected:
    /// Runs test/data/faults/\p name.ini with \p options added; results are in the folder "out".
    [[nodiscard]] ProcessResult RunFault(const std::string& name,
                                         const std::vector<std::string>& options = {}) const;

    /// Runs a scenario with this \p text; results are in the folder "out".
    [[nodiscard]] ProcessResult RunText(const std::string& text,
                                        const std::vector<std::string>& options = {}) const;

    /// \return summary.json of the latest run.
    [[nodiscard]] nlohmann::json Summary() const;

    /// \return the rows of the table \p file of the latest run (CSV without quotes), each by
    /// column.
    [[nodiscard]] std::vector<std::map<std::string, std::string>> Table(
        const std::string& file) const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_FAULTS_FAULT_TEST_H
