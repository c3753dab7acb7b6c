/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_INTEGRATION_SIMULATOR_TEST_H
#define NFSRDMA_TEST_INTEGRATION_SIMULATOR_TEST_H

#include "simulator-process.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A mix of every kind of transfer that takes well under a second.
inline constexpr const char* SMALL_MIX = "[cluster]\n"
                                         "clients = 3\n"
                                         "servers = 2\n"
                                         "[workload]\n"
                                         "kind = mix\n"
                                         "operations = 120\n"
                                         "files = 6\n"
                                         "file_size = 32KiB\n"
                                         "symlinks = 2\n";

/// Cases that run the program nfsrdma-sim itself, in a directory of their own.
class SimulatorTest : public ::testing::Test
{
  protected:
    [[nodiscard]] ProcessResult Run(const std::vector<std::string>& arguments) const
    {
        return RunProcess(NFSRDMA_SIM, arguments, m_directory.GetPath());
    }

    /// \return what counters.csv has, by "host/source/counter".
    [[nodiscard]] std::map<std::string, uint64_t> ReadCounters(const std::string& out = "out") const
    {
        std::istringstream lines(m_directory.ReadFile(out + "/counters.csv"));
        std::map<std::string, uint64_t> counters;
        std::string line;
        std::getline(lines, line);
        while (std::getline(lines, line))
        {
            const auto last = line.rfind(',');
            auto name = line.substr(0, last);
            std::replace(name.begin(), name.end(), ',', '/');
            counters[name] = std::stoull(line.substr(last + 1));
        }
        return counters;
    }

    TemporaryDirectory m_directory;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_INTEGRATION_SIMULATOR_TEST_H
