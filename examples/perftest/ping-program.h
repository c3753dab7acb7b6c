/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_PING_PROGRAM_H
#define NFSRDMA_EXAMPLES_PING_PROGRAM_H

#include <ostream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Runs rping from its command line. \return the exit status, as RunTestProgram()
int RunPingProgram(const std::vector<std::string>& arguments,
                   std::ostream& out,
                   std::ostream& errors);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_PING_PROGRAM_H
