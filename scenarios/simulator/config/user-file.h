/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_USER_FILE_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_USER_FILE_H

#include <string>

namespace ns3::nfsrdma
{

/// \return the whole content of \p path; ScenarioError when it cannot be read, as a directory.
/// \param expected what the file is to be, for the message
[[nodiscard]] std::string ReadUserFile(const std::string& path, const std::string& expected);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_USER_FILE_H
