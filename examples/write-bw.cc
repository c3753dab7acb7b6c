/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Data and messages per second of RDMA Writes, as perftest's ib_write_bw.

#include "perftest/test-program.h"

using namespace ns3::nfsrdma;

int
main(int argc, char* argv[])
{
    return TestMain({"write-bw", TestVerb::WRITE, TestMetric::BANDWIDTH}, argc, argv);
}
