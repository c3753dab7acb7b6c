/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/adversary-documents.h"

#include <algorithm>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

/// The counters of a victim, by the names of summary.json.
std::vector<std::pair<const char*, uint64_t>>
ListCounters(const VictimReport& victim)
{
    return {{"connections_lost", victim.connectionsLost},
            {"calls_failed", victim.callsFailed},
            {"calls_sent_again", victim.callsSentAgain},
            {"errors_received", victim.errorsReceived},
            {"unknown_xids", victim.unknownXids},
            {"errors_sent", victim.errorsSent},
            {"messages_dropped", victim.messagesDropped},
            {"overruns", victim.overruns},
            {"credit_overruns", victim.creditOverruns},
            {"bad_messages_closed", victim.badMessagesClosed},
            {"exposed_peak_octets", victim.exposedPeak},
            {"exposed_expired", victim.exposedExpired},
            {"exposure_refused", victim.exposureRefused},
            {"startups_failed", victim.startupsFailed},
            {"silent_peers", victim.silentPeers},
            {"backlog_full", victim.backlogFull},
            {"connections_limited", victim.connectionsLimited},
            {"terminates_sent", victim.terminatesSent},
            {"terminates_received", victim.terminatesReceived}};
}

} // namespace

nlohmann::ordered_json
DescribeAdversaries(const AdversaryReport& report)
{
    using Json = nlohmann::ordered_json;
    Json roles = Json::array();
    for (const auto& outcome : report.outcomes)
    {
        roles.push_back({{"name", outcome.name},
                         {"role", outcome.role},
                         {"host", outcome.host},
                         {"rules_broken", outcome.GetBroken()},
                         {"broken", outcome.broken}});
    }
    Json victims = Json::object();
    for (const auto& victim : report.victims)
    {
        Json counters = Json::object();
        for (const auto& [name, count] : ListCounters(victim))
        {
            counters[name] = count;
        }
        victims[victim.host] = counters;
    }
    return {{"roles", roles}, {"victims", victims}};
}

void
PrintAdversaries(std::ostream& stream, const AdversaryReport& report)
{
    for (const auto& outcome : report.outcomes)
    {
        stream << (&outcome == report.outcomes.data() ? "adversaries     " : "                ")
               << outcome.name << " (" << outcome.role << " on " << outcome.host << ") broke "
               << outcome.GetBroken() << (outcome.GetBroken() == 1 ? " rule\n" : " rules\n");
    }
    bool first = true;
    for (const auto& victim : report.victims)
    {
        std::string text;
        for (const auto& [name, count] : ListCounters(victim))
        {
            if (count != 0)
            {
                std::string words = name;
                std::replace(words.begin(), words.end(), '_', ' ');
                text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + words;
            }
        }
        if (!text.empty())
        {
            stream << (first ? "victims         " : "                ") << victim.host << ": "
                   << text << "\n";
            first = false;
        }
    }
}

} // namespace ns3::nfsrdma
