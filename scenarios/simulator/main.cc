/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/program.h"

#include <csignal>
#include <exception>
#include <iostream>

namespace
{

/// \return \p status, or another one than 0 when what was printed could not be written.
int
EndOutput(int status)
{
    std::cout.flush();
    if (std::cout)
    {
        return status;
    }
    std::cerr << "nfsrdma-sim: cannot write to the standard output\n";
    return status == 0 ? 1 : status;
}

} // namespace

int
main(int argc, char* argv[])
{
    // A pipe that nobody reads any more, and a file that may not grow, are outputs that cannot be
    // written.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    // A parent that ignores it passes that on, and then no copy of the process can be waited for.
    std::signal(SIGCHLD, SIG_DFL);
    try
    {
        return EndOutput(ns3::nfsrdma::RunProgram({argv + 1, argv + argc}));
    }
    catch (const std::exception& error)
    {
        std::cerr << "nfsrdma-sim: " << error.what() << "\n";
        return 1;
    }
}
