/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/loss-report.h"

#include "scenarios/simulator/report/report-time.h"
#include "scenarios/simulator/report/run-report.h"

#include <cmath>
#include <iomanip>
#include <sstream>
#include <string_view>

namespace ns3::nfsrdma
{

namespace
{

template <uint64_t LossCounts::*FIELD>
double
Of(const LossCounts& counts)
{
    return static_cast<double>(counts.*FIELD);
}

template <uint64_t TcpCounters::*FIELD>
double
OfTcp(const LossCounts& counts)
{
    return static_cast<double>(counts.tcp.*FIELD);
}

template <Time TcpCounters::*FIELD>
double
OfTcpTime(const LossCounts& counts)
{
    return ToMicroseconds(counts.tcp.*FIELD);
}

bool
EndsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::string
FormatNumber(double value)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(value == std::floor(value) ? 0 : 1) << value;
    return text.str();
}

std::string
ListMeasures(const LossCounts& counts, bool isLoss)
{
    std::string text;
    for (const auto& measure : GetLossMeasures())
    {
        const double value = measure.get(counts);
        if (measure.isLoss == isLoss && value != 0)
        {
            text += (text.empty() ? "" : ", ") + FormatNumber(value) + " " + measure.words;
        }
    }
    return text;
}

} // namespace

const std::vector<LossMeasure>&
GetLossMeasures()
{
    using Counts = LossCounts;
    using Tcp = TcpCounters;
    static const std::vector<LossMeasure> measures{
        {"frames_lost", "frames dropped", true, Of<&Counts::framesLost>},
        {"frames_stopped", "frames stopped by faults", true, Of<&Counts::framesStopped>},
        {"fast_retransmits", "segments repeated fast", true, OfTcp<&Tcp::fastRetransmits>},
        {"timer_retransmits", "segments repeated by timer", true, OfTcp<&Tcp::timerRetransmits>},
        {"tcp_timeouts", "retransmission timeouts", true, OfTcp<&Tcp::timeouts>},
        {"fast_recoveries", "fast recoveries", true, OfTcp<&Tcp::fastRecoveries>},
        {"repeated_octets", "octets that came twice", true, OfTcp<&Tcp::repeatedOctets>},
        {"out_of_order_segments", "segments out of order", true, OfTcp<&Tcp::outOfOrder>},
        {"receive_overruns", "messages without a receive", true, Of<&Counts::receiveOverruns>},
        {"calls_repeated", "calls sent again", true, Of<&Counts::callsRepeated>},
        {"reconnects", "connections made anew", true, Of<&Counts::reconnects>},
        {"ecn_marks", "frames marked", false, Of<&Counts::framesMarked>},
        {"ecn_marked_segments", "marked segments received", false, OfTcp<&Tcp::marked>},
        {"ecn_echoes", "segments with the echo of a mark", false, OfTcp<&Tcp::echoes>},
        {"window_reductions", "windows reduced for marks", false, OfTcp<&Tcp::reductions>},
        {"window_probes", "probes of closed windows", false, OfTcp<&Tcp::probes>},
        {"peer_window_limited_us",
         "us limited by the peer's window",
         false,
         OfTcpTime<&Tcp::peerWindowLimited>},
        {"congestion_window_limited_us",
         "us limited by the congestion window",
         false,
         OfTcpTime<&Tcp::congestionWindowLimited>},
        {"credit_stalls", "RPCs that waited for a credit", false, Of<&Counts::creditStalls>},
        {"credit_stalled_us", "us waited for credits", false, [](const Counts& counts) {
             return ToMicroseconds(counts.creditStalled);
         }}};
    return measures;
}

nlohmann::ordered_json
DescribeLoss(const LossCounts& counts)
{
    auto document = nlohmann::ordered_json::object();
    for (const auto& measure : GetLossMeasures())
    {
        const double value = measure.get(counts);
        if (!EndsWith(measure.name, "_us"))
        {
            document[measure.name] = static_cast<uint64_t>(value);
        }
        else
        {
            document[measure.name] = value;
        }
    }
    return document;
}

std::string
PrintLoss(const LossCounts& counts)
{
    const auto loss = ListMeasures(counts, true);
    const auto congestion = ListMeasures(counts, false);
    return "loss            " + (loss.empty() ? "no loss" : loss) + "\n" +
           (congestion.empty() ? "" : "congestion      " + congestion + "\n");
}

nlohmann::ordered_json
DescribeConservation(const RunReport& report)
{
    auto document = nlohmann::ordered_json::object();
    for (const auto& balance : report.conservation)
    {
        document[balance.layer] = {{"sent_" + balance.unit, balance.sent},
                                   {"delivered_" + balance.unit, balance.delivered},
                                   {"dropped_" + balance.unit, balance.dropped},
                                   {"in_flight_" + balance.unit, balance.inFlight},
                                   {"broken", balance.broken}};
    }
    const auto& balance = report.rpcBalance;
    const auto& clients = balance.clients;
    const auto& servers = balance.servers;
    document["rpcs"] = {{"clients",
                         {{"submitted", clients.submitted},
                          {"succeeded", clients.succeeded},
                          {"failed", clients.failed},
                          {"cancelled", clients.cancelled},
                          {"outstanding", clients.outstanding},
                          {"messages_sent", clients.sent},
                          {"calls_repeated", clients.repeated},
                          {"no_calls", clients.others}}},
                        {"lost", balance.lost},
                        {"servers",
                         {{"messages_received", servers.received},
                          {"answered", servers.answered},
                          {"refused", servers.refused},
                          {"dropped", servers.dropped},
                          {"abandoned", servers.abandoned},
                          {"no_calls", servers.others},
                          {"in_service", servers.inService}}},
                        {"broken", balance.broken}};
    return document;
}

} // namespace ns3::nfsrdma
