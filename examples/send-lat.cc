/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Half of the round trip of a Send and its answer, as perftest's ib_send_lat.

#include "perftest/test-program.h"

using namespace ns3::nfsrdma;

int
main(int argc, char* argv[])
{
    return TestMain({"send-lat", TestVerb::SEND, TestMetric::LATENCY}, argc, argv);
}
