/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_INI_TEXT_H
#define NFSRDMA_TEST_INI_TEXT_H

#include <sstream>
#include <string>

namespace ns3::nfsrdma
{

/// \return \p ini without its comments, among which are the values that are not used.
inline std::string
WithoutComments(const std::string& ini)
{
    std::istringstream lines(ini);
    std::string rest;
    for (std::string line; std::getline(lines, line);)
    {
        if (line.rfind('#', 0) != 0)
        {
            rest += line + '\n';
        }
    }
    return rest;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_INI_TEXT_H
