/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Half of the round trip of an RDMA Write that the receiver polls for in memory and answers, as
// perftest's ib_write_lat.

#include "perftest/test-program.h"

using namespace ns3::nfsrdma;

int
main(int argc, char* argv[])
{
    return TestMain({"write-lat", TestVerb::WRITE, TestMetric::LATENCY}, argc, argv);
}
