/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/program.h"

#include <exception>
#include <iostream>

int
main(int argc, char* argv[])
{
    try
    {
        return ns3::nfsrdma::RunProgram({argv + 1, argv + argc});
    }
    catch (const std::exception& error)
    {
        std::cerr << "nfsrdma-sim: " << error.what() << "\n";
        return 1;
    }
}
