/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Data and messages per second of RDMA Reads, as perftest's ib_read_bw.

#include "perftest/test-program.h"

using namespace ns3::nfsrdma;

int
main(int argc, char* argv[])
{
    return TestMain({"read-bw", TestVerb::READ, TestMetric::BANDWIDTH}, argc, argv);
}
