/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SCENARIOS_DIRECTORY_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SCENARIOS_DIRECTORY_H

#include <string>

namespace ns3::nfsrdma
{

/**
 * \return the directory of the scenarios and profiles that come with the simulator: the installed
 * one, which is found from where the running program is, so that an installed tree can be moved; of
 * a program that is not installed that of the source tree.
 */
const std::string& GetScenariosDirectory();

/**
 * \param program the path of a program
 * \param fallback what is returned where there is no such directory
 * \return share/nfsrdma/scenarios, as an installed \p program in bin finds it.
 */
std::string FindScenariosDirectory(const std::string& program, const std::string& fallback);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SCENARIOS_DIRECTORY_H
