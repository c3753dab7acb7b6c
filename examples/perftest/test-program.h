/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_TEST_PROGRAM_H
#define NFSRDMA_EXAMPLES_TEST_PROGRAM_H

#include "perftest/options.h"

#include <ostream>

namespace ns3::nfsrdma
{

/// Runs a test from its command line. \return the exit status: 0 done, 1 the test failed, 2 the
/// command line, the profile or a file is not usable: one line says why and nothing is written
int RunTestProgram(const TestProgram& program,
                   const std::vector<std::string>& arguments,
                   std::ostream& out,
                   std::ostream& errors);

/// The main() of a test program.
int TestMain(const TestProgram& program, int argc, char* argv[]);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_TEST_PROGRAM_H
