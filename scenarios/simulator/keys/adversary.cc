/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/registry.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/key-units.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

namespace
{

/// Keys of one role alone, or of a few.
std::vector<ScenarioKey>
MakeRoleKeys()
{
    return {
        {"copies",
         Integer(1, 1024),
         "1",
         "replayed-reply: times that a reply is sent again",
         {"ReplyReplay::Copies"}},
        {"tag",
         Choice({"stale", "random"}),
         "stale",
         "stale-invalidation: an STag of an earlier call, or any",
         {"ReplyStaleInvalidation::Tag"}},
        {"credits",
         Integer(0, UINT32_MAX),
         "0",
         "false-credits: granted",
         {"ReplyFalseCredits::Credits"}},
        {"overrun",
         Size(1, 65536),
         "64B",
         "reply-overrun: octets written behind the end of a chunk",
         {"ReplyOverrun::Octets"}},
        {"burst",
         Integer(1, 1024),
         "256",
         "credit-overrun: calls sent at once",
         {"CreditOverrun::Burst"}},
        {"excess",
         Size(1, 65536),
         "4B",
         "oversize-sends: octets beyond what the server takes",
         {"OversizeSends::Octets"}},
        {"reply_size",
         Size(1, 1048576),
         "64KiB",
         "never-done, reply-drain: data asked for with each call",
         {"NeverDone::Octets"}},
        {"read_size",
         Size(1, 65536),
         "1B",
         "reply-drain: pulled with each RDMA Read",
         {"ReplyDrain::ReadSize"}},
        {"read_pause",
         Duration(1, HOUR),
         "100us",
         "reply-drain: between RDMA Reads",
         {"ReplyDrain::ReadPause"}},
        {"calls", Integer(1, 1024), "1", "abort-storm: calls of a round", {"AbortStorm::Burst"}},
        {"patience",
         Duration(1, HOUR),
         "10us",
         "abort-storm: from a call to its cancellation",
         {"AbortStorm::Patience"}},
        {"operation",
         Choice({"readdirplus", "read"}),
         "readdirplus",
         "abort-storm: what is called: with a Reply chunk, or a Write chunk",
         {"AbortStorm::Operation"}},
        {"largest_reply",
         Size(1, 1048576),
         "32KiB",
         "abort-storm: asked for with each call",
         {"AbortStorm::Octets"}},
    };
}

} // namespace

ScenarioSection
MakeAdversarySection()
{
    auto roles = GetAdversaryRoles().GetNames();
    roles.emplace_back("none");
    ScenarioSection section{
        "adversary",
        "[adversary NAME]: hosts that break rules on purpose; see model/ADVERSARIES.md.",
        {
            {"role", Choice(roles), "none", "what the hosts do; none: nothing"},
            {"hosts", Text(), "none", "which hosts: clients, servers, client-0..3, server-1"},
            {"start",
             Duration(0, HOUR),
             "0ns",
             "when the role begins to break rules",
             {"AdversaryRole::Start"}},
            {"stop",
             Duration(0, HOUR),
             "0ns",
             "when it stops; 0: with the work of all clients",
             {"AdversaryRole::Stop"}},
            {"probability",
             Real(0, 1),
             "0.01",
             "of a reply to be tampered with",
             {"RogueResponder::Probability"}},
            {"victim",
             Text(),
             "all",
             "host whose replies are tampered with, or all",
             {"RogueResponder::Victim"}},
            {"count",
             Integer(0),
             "0",
             "rules broken at most; 0: any number",
             {"RogueResponder::Count",
              "RogueRequester::Count",
              "AbortStorm::Count",
              "ConnectionAttackRole::Attempts"}},
            {"every",
             Duration(1, HOUR),
             "1ms",
             "between acts on a connection, or new connections",
             {"RogueRequester::Every", "AbortStorm::Every", "ConnectionAttackRole::Interval"}},
            {"connections",
             Integer(1, 4096),
             "1",
             "that the role has at a time",
             {"RogueRequester::Connections", "ConnectionAttackRole::Connections"}},
            {"reconnect_delay",
             Duration(1, HOUR),
             "1ms",
             "from the end of a connection of the role to the next",
             {"RogueRequester::ReconnectDelay"}},
        }};
    for (const auto& keys : {MakeRoleKeys(), MakeConnectionAttackKeys()})
    {
        section.keys.insert(section.keys.end(), keys.begin(), keys.end());
    }
    return section;
}

} // namespace ns3::nfsrdma
