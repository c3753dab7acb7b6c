/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Data and messages per second of Sends, as perftest's ib_send_bw.

#include "perftest/test-program.h"

using namespace ns3::nfsrdma;

int
main(int argc, char* argv[])
{
    return TestMain({"send-bw", TestVerb::SEND, TestMetric::BANDWIDTH}, argc, argv);
}
