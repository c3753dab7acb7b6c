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
             "all workloads of all clients are ready before any begins; else each begins when it "
             "is "
             "ready"},
            {"spread",
             Duration(),
             "0ns",
             "clients begin evenly over it, from the barrier on; 0ns: at one instant"},
            {"warm_up",
             Text(),
             "0ns",
             "time from the begin in which nothing is measured yet; auto: the transient is found "
             "by MSER-5 and left out"},
            {"duration",
             Duration(),
             "0ns",
             "length of the measurement, after which nothing more arrives; 0ns: until the work in "
             "the foreground is done"},
            {"until",
             Text(),
             "none",
             "the measurement ends when half the width of the metric's 95% interval is such a "
             "share of its mean, as 5%"},
            {"metric",
             Choice({"latency", "operations_per_second"}),
             "latency",
             "what the interval is of: mean latency from arrival to end, or rate"},
            {"longest",
             Duration(1),
             "10s",
             "length of a measurement whose interval does not become so narrow"},
        }};
}

} // namespace ns3::nfsrdma
