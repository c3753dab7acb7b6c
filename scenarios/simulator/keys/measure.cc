/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

ScenarioSection
MakeMeasureSection()
{
    return {
        "measure",
        "When workloads begin, and what of their work is measured: see analysis/METRICS.md.",
        {
            {"barrier",
             Boolean(),
             "true",
             "all workloads of all clients begin together when all are ready; otherwise each "
             "begins when it is ready"},
            {"spread",
             Duration(),
             "0ns",
             "time over which the clients begin evenly, from the barrier on; 0ns: all at one "
             "instant"},
            {"warm_up",
             Text(),
             "0ns",
             "time at the beginning that is not measured; auto: the transient is determined by "
             "MSER-5 and left out"},
            {"duration",
             Duration(),
             "0ns",
             "length of the measurement, at the end of which arrivals stop; 0ns: until the "
             "foreground work is done"},
            {"until",
             Text(),
             "none",
             "the measurement ends when half the width of the metric's 95% interval falls to this "
             "share of the mean, such as 5%"},
            {"metric",
             Choice({"latency", "operations_per_second"}),
             "latency",
             "metric of that interval: mean latency from arrival to end, or rate"},
            {"longest",
             Duration(1),
             "10s",
             "longest measurement, if the interval does not become narrow enough"},
        }};
}

} // namespace ns3::nfsrdma
