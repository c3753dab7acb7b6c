/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// RDMA ping: both ends of rping in one simulation. The server Reads the client's ping data and
// Writes them back.

#include "perftest/ping-program.h"

#include <iostream>

using namespace ns3::nfsrdma;

int
main(int argc, char* argv[])
{
    return RunPingProgram({argv + 1, argv + argc}, std::cout, std::cerr);
}
