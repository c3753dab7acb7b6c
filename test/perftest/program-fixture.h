/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_PROGRAM_FIXTURE_H
#define NFSRDMA_TEST_PROGRAM_FIXTURE_H

#include "integration/simulator-process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace ns3::nfsrdma
{

/// Runs example programs in a directory of their own, as a user does.
class ProgramTest : public ::testing::Test
{
  protected:
    using Words = std::vector<std::string>;

    [[nodiscard]] ProcessResult Run(const std::string& program, const Words& arguments) const
    {
        return RunProcess(std::string(NFSRDMA_BINARY_DIR "/bin/") + program,
                          arguments,
                          m_directory.GetPath());
    }

    /// \return the words of each line of \p text that begins with a space and a digit.
    static std::vector<Words> FindRows(const std::string& text)
    {
        std::vector<Words> rows;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
        {
            if (line.size() > 1 && line[0] == ' ' && line[1] >= '0' && line[1] <= '9')
            {
                std::istringstream words(line);
                rows.emplace_back(std::istream_iterator<std::string>(words),
                                  std::istream_iterator<std::string>());
            }
        }
        return rows;
    }

    TemporaryDirectory m_directory;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_PROGRAM_FIXTURE_H
