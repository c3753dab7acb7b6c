/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_INTEGRATION_SCENARIO_CHECKED_SCENARIO_H
#define NFSRDMA_TEST_INTEGRATION_SCENARIO_CHECKED_SCENARIO_H

#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/config/scenario-file.h"
#include "scenarios/simulator/setup/scenario-check.h"

#include <gtest/gtest.h>
#include <string>

namespace ns3::nfsrdma
{

/// Texts of scenarios, as the program resolves and checks them.
class CheckedScenarioTest : public ::testing::Test
{
  protected:
    ScenarioConfig Resolve(const std::string& text) const
    {
        return {m_schema, m_path, ScenarioFile::Parse("a.ini", text).GetEntries()};
    }

    /// \return what is said about a scenario.
    std::string GetError(const std::string& text) const
    {
        try
        {
            CheckCombinations(Resolve(text));
        }
        catch (const ScenarioError& error)
        {
            return error.what();
        }
        return "no error";
    }

    ScenarioSchema m_schema{ScenarioSchema::Standard()};
    ScenarioPath m_path{{std::string(NFSRDMA_SOURCE_DIR) + "/scenarios"}};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_INTEGRATION_SCENARIO_CHECKED_SCENARIO_H
