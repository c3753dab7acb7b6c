/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/registry.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/key-units.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"

namespace ns3::nfsrdma
{

ScenarioSection
MakeAdversarySection()
{
    auto roles = GetAdversaryRoles().GetNames();
    roles.emplace_back("none");
    ScenarioSection section{
        "adversary",
        "[adversary NAME]: hosts, or links, that break rules on purpose; see model/ADVERSARIES.md.",
        {
            {"role", Choice(roles), "none", "what the hosts, or their links, do; none: nothing"},
            {"hosts",
             Text(),
             "none",
             "hosts that play the role: clients, servers, client-0..3, "
             "server-1"},
            {"start",
             Duration(0, HOUR),
             "0ns",
             "time at which the role begins to break rules",
             {"AdversaryRole::Start"}},
            {"stop",
             Duration(0, HOUR),
             "0ns",
             "time at which it stops; 0ns: when the work of all clients is done",
             {"AdversaryRole::Stop"}},
            {"probability",
             Real(0, 1),
             "0.01",
             "probability that a reply, or a message on a link, is tampered with",
             {"RogueResponder::Probability", "OnPathRole::Probability"}},
            {"victim",
             Text(),
             "all",
             "host whose replies are tampered with, or all",
             {"RogueResponder::Victim"}},
            {"count",
             Integer(0),
             "0",
             "number of rules that are broken at most; 0: no limit",
             {"RogueResponder::Count",
              "OnPathRole::Count",
              "RogueRequester::Count",
              "AbortStorm::Count",
              "ConnectionAttackRole::Attempts"}},
            {"every",
             Duration(1, HOUR),
             "1ms",
             "time between actions on a connection, or between new connections",
             {"RogueRequester::Every", "AbortStorm::Every", "ConnectionAttackRole::Interval"}},
            {"connections",
             Integer(1, 4096),
             "1",
             "connections that the role has at a time",
             {"RogueRequester::Connections", "ConnectionAttackRole::Connections"}},
            {"reconnect_delay",
             Duration(1, HOUR),
             "1ms",
             "time from the end of a connection of the role to the next",
             {"RogueRequester::ReconnectDelay"}},
        }};
    for (const auto& setting : GetRoleSettings())
    {
        section.keys.push_back(MakeKey(setting.row, setting.type, ""));
    }
    return section;
}

} // namespace ns3::nfsrdma
