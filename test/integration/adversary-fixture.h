/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_INTEGRATION_ADVERSARY_FIXTURE_H
#define NFSRDMA_TEST_INTEGRATION_ADVERSARY_FIXTURE_H

#include "simulator-test.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Runs scenarios with sections [adversary NAME], and looks at who broke what and who noticed.
class AdversaryTest : public SimulatorTest
{
  protected:
    /// \return the exit status of a scenario of the library, with \p settings
    /// ("section.key=value").
    int RunScenario(const std::string& name, const std::vector<std::string>& settings = {})
    {
        return RunFile(name, settings);
    }

    int RunFile(const std::string& file, const std::vector<std::string>& settings = {})
    {
        std::vector<std::string> arguments{"run", file, "--out", "out"};
        for (const auto& setting : settings)
        {
            arguments.insert(arguments.end(), {"--set", setting});
        }
        m_result = Run(arguments);
        m_summary =
            m_result.status == 2 ? nlohmann::json() : m_directory.ReadJson("out/summary.json");
        return m_result.status;
    }

    /// \return what \p host counted; without adversaries nothing is.
    uint64_t Noticed(const std::string& host, const std::string& counter) const
    {
        return m_summary.at("adversaries").at("victims").at(host).at(counter);
    }

    uint64_t GetBroken() const
    {
        uint64_t broken = 0;
        for (const auto& role : m_summary.at("adversaries").at("roles"))
        {
            broken += role.at("rules_broken").get<uint64_t>();
        }
        return broken;
    }

    /// What was read and what files hold is right, and nothing is left over.
    void ExpectSound() const
    {
        EXPECT_EQ(m_summary["verification"]["reads"]["mismatches"], 0);
        EXPECT_EQ(m_summary["verification"]["exports"]["mismatches"], 0);
        for (const auto& [kind, count] : m_summary["leftovers"].items())
        {
            EXPECT_EQ(count, 0) << kind;
        }
    }

    double GetSimulated() const
    {
        return m_summary["simulated_s"];
    }

    ProcessResult m_result;
    nlohmann::json m_summary;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_INTEGRATION_ADVERSARY_FIXTURE_H
