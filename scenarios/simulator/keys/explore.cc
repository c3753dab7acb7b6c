/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

ScenarioSection
MakeExploreSection()
{
    return {
        "explore",
        "Which orders of events the command explore tries. A run takes the order of times, or the "
        "one that order says.",
        {
            {"order",
             Text(),
             "none",
             "moves that a run makes, by step (events that have run before): hold at 120 for 3 "
             "(the frame that would arrive next arrives after three events of its host); lose at "
             "130 (it does not arrive); double at 140 (it arrives twice); delay at 145 for 2 (the "
             "completion that would appear next appears after two events of its host); advance "
             "FaultInjector 0 to 150 (the first event of that class happens then)"},
            {"moves", Integer(0, 8), "1", "largest number of moves in an order"},
            {"reach",
             Integer(1, 1000),
             "8",
             "largest number of events of its host for which a frame is held or a completion is "
             "delayed"},
            {"patience",
             Duration(1),
             "10ms",
             "how much later than a held frame or a delayed completion an event may be that "
             "happens before it"},
            {"runs",
             Integer(0, 1e9),
             "0",
             "number of orders to try at most; 0: all within the "
             "bounds"},
            {"advance",
             Text(),
             "FaultInjector, AbortStorm",
             "classes whose events may happen before their time; none: no event may"},
            {"hold", Boolean(), "true", "hold frames back"},
            {"losses", Integer(0, 8), "0", "number of frames that an order loses at most"},
            {"duplicates", Integer(0, 8), "0", "number of frames that an order duplicates at most"},
            {"completions",
             Boolean(),
             "false",
             "delay completions, so that those of different completion queues of a host change "
             "places"},
            {"setup",
             Boolean(),
             "false",
             "also move events of the setup: connections, mounts, files of workloads"},
        }};
}

} // namespace ns3::nfsrdma
