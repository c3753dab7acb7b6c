/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The time of an RDMA Read, as perftest's ib_read_lat.

#include "perftest/test-program.h"

using namespace ns3::nfsrdma;

int
main(int argc, char* argv[])
{
    return TestMain({"read-lat", TestVerb::READ, TestMetric::LATENCY}, argc, argv);
}
