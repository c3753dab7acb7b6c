/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/console-summary.h"

#include "scenarios/simulator/report/adversary-documents.h"
#include "scenarios/simulator/report/line-groups.h"
#include "scenarios/simulator/report/text-table.h"
#include "scenarios/simulator/report/workload-documents.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

std::string
FormatMicroseconds(double nanoseconds)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << nanoseconds / 1e3;
    return text.str();
}

std::string
FormatSeconds(Time time)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(6) << static_cast<double>(time.GetNanoSeconds()) / 1e9
         << " s";
    return text.str();
}

std::vector<std::string>
MakeRow(const std::string& name, const OperationStatistics& statistics)
{
    const auto quantile = [&statistics](double fraction) {
        const auto latency = statistics.FindLatencyQuantile(fraction);
        return latency ? FormatMicroseconds(static_cast<double>(latency->GetNanoSeconds()))
                       : "n=" + std::to_string(statistics.GetLatencies().GetCount());
    };
    const auto& bytes = statistics.GetBytes();
    return {name,
            std::to_string(statistics.GetAttempts()),
            std::to_string(statistics.GetErrors()),
            std::to_string(statistics.GetCount()),
            FormatMicroseconds(statistics.GetMeanLatency()),
            quantile(0.5),
            quantile(0.99),
            std::to_string(bytes.inlined),
            std::to_string(bytes.readChunk),
            std::to_string(bytes.writeChunk),
            std::to_string(bytes.replyChunk)};
}

void
PrintOperations(std::ostream& stream, const RpcStatistics& statistics)
{
    TextTable table({"operation",
                     "attempts",
                     "errors",
                     "done",
                     "mean us",
                     "p50 us",
                     "p99 us",
                     "inline B",
                     "read chunk B",
                     "write chunk B",
                     "reply chunk B"});
    for (const auto& [name, operation] : statistics.GetOperations())
    {
        table.AddRow(MakeRow(name, *operation));
    }
    table.AddRule();
    table.AddRow(MakeRow("all", statistics.GetTotal()));
    stream << table.ToText();
}

/// When was measured, and what the table leaves out.
void
PrintMeasurement(std::ostream& stream, const RpcWindow& window)
{
    constexpr double MOST_OF_TAIL = 0.1;
    const Time length = window.ends - window.begins;
    if (!length.IsStrictlyPositive())
    {
        stream << "measured        nothing: the work was over at " << FormatSeconds(window.ends)
               << ", the warm-up lasts until " << FormatSeconds(window.begins) << "\n";
    }
    else
    {
        stream << "measured        from " << FormatSeconds(window.begins) << " to "
               << FormatSeconds(window.ends) << "\n";
        const Time tail = window.ends - window.fullLoadEnds;
        if (tail.GetDouble() > MOST_OF_TAIL * length.GetDouble())
        {
            stream << "uneven load     in the last " << FormatSeconds(tail)
                   << " of it some workloads had no more to do (measure.duration ends all at "
                      "once)\n";
        }
    }
    if (window.verdict.asked)
    {
        stream << "steady state    " << window.verdict.text << "\n";
    }
    std::string separator = "not in the table  ";
    for (const auto& [count, what] : {std::pair{window.ofSetup, " RPCs of setups"},
                                      std::pair{window.ofWarmUp, " of the warm-up"},
                                      std::pair{window.ofDrain, " after the measurement"},
                                      std::pair{window.ofUnmount, " after the work was done"}})
    {
        if (count != 0)
        {
            stream << separator << count << what;
            separator = ", ";
        }
    }
    stream << (separator == ", " ? "\n" : "");
}

/// What errors there were, and what the table leaves out.
void
PrintWindow(std::ostream& stream, const RunReport& report)
{
    const auto total = report.statistics.GetTotal();
    bool first = true;
    for (const auto& [reason, count] : total.GetFailed().reasons)
    {
        stream << (first ? "errors          " : ", ") << count << " x " << reason;
        first = false;
    }
    stream << (first ? "" : "\n");
    PrintMeasurement(stream, report.window);
}

void
PrintForms(std::ostream& stream, const RpcStatistics& statistics)
{
    stream << "transfer forms  ";
    const auto total = statistics.GetTotal();
    bool first = true;
    for (const auto& [form, count] : total.GetForms())
    {
        stream << (first ? "" : ", ") << form << " " << count;
        first = false;
    }
    stream << "\n";
}

void
PrintProcessors(std::ostream& stream, const RunReport& report)
{
    const ProcessorTotals totals = GetProcessorTotals(report);
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << "servers " << totals.serverBusy * 100
         << "% busy, clients " << totals.clientBusy * 100 << "%";
    stream << "processors      " << text.str() << "\n";
}

void
PrintClientCaches(std::ostream& stream, const RunReport& report)
{
    if (report.clientCaches.empty())
    {
        return;
    }
    FileCacheStatistics all;
    for (const auto& one : report.clientCaches)
    {
        all += one.statistics;
    }
    stream << "client caches   attributes " << all.attributeHits << " hits, "
           << all.attributeRevalidations << " asked for again, " << all.attributeInvalidations
           << " changed by others; names " << all.nameHits + all.negativeNameHits << " hits, "
           << all.nameRevalidations << " looked up again; rights " << all.accessHits << " hits\n";
}

void
PrintMismatches(std::ostream& stream, const ContentCheck& check)
{
    for (const auto& mismatch : check.described)
    {
        stream << "    " << mismatch.path << " at " << mismatch.offset << ": " << mismatch.what
               << "\n";
    }
}

void
PrintVerification(std::ostream& stream, const VerificationTotals& verification)
{
    const auto& reads = verification.reads;
    const auto& exports = verification.exports;
    stream << "verified        " << reads.octets << " octets as read, " << exports.octets
           << " octets in " << exports.files << " files after the run; "
           << verification.GetMismatches() << " mismatches\n";
    PrintMismatches(stream, reads);
    PrintMismatches(stream, exports);
    if (reads.uncertainOctets + exports.uncertainOctets + exports.uncertainNames != 0)
    {
        stream << "not comparable  " << reads.uncertainOctets + exports.uncertainOctets
               << " octets, " << exports.uncertainNames
               << " names (operations on them overlapped)\n";
    }
    if (verification.replayCompared != 0)
    {
        stream << "replayed        " << verification.replayCompared
               << " replies compared with the recording; " << verification.replayMismatches
               << " differences\n";
        for (const auto& line : verification.replayDescribed)
        {
            stream << "    " << line << "\n";
        }
    }
    if (verification.failedOperations != 0)
    {
        stream << "failed          " << verification.failedOperations
               << " operations had no answer\n";
    }
}

/// Says where frames or packets were dropped, if anywhere.
void
PrintDrops(std::ostream& stream, const RunReport& report)
{
    std::string text;
    for (const auto& [place, count] : report.drops)
    {
        if (count > 0)
        {
            text += (text.empty() ? "" : ", ") + place + " " + std::to_string(count);
        }
    }
    if (!text.empty())
    {
        stream << "dropped         " << text << "\n";
    }
}

void
PrintRefusals(std::ostream& stream, const std::map<std::string, uint64_t>& refusals)
{
    for (const auto& [reason, count] : refusals)
    {
        stream << "never sent      " << count << " calls: " << reason << "\n";
    }
}

void
PrintUnsupported(std::ostream& stream, const std::map<std::string, uint64_t>& unsupported)
{
    stream << "unsupported     ";
    if (unsupported.empty())
    {
        stream << "none";
    }
    bool first = true;
    for (const auto& [name, count] : unsupported)
    {
        stream << (first ? "" : ", ") << count << " x " << name;
        first = false;
    }
    stream << "\n";
}

void
PrintFaults(std::ostream& stream, const FaultReport& report, Time over)
{
    for (const auto& outcome : report.outcomes)
    {
        stream << (&outcome == report.outcomes.data() ? "faults          " : "                ")
               << outcome.name;
        if (outcome.firings == 0)
        {
            stream << " never happened (" << outcome.occurrences
                   << " occurrences of what it waited for until the work was over at "
                   << FormatSeconds(over) << "): " << outcome.sentence << "\n";
        }
        else
        {
            stream << " happened " << outcome.firings
                   << (outcome.firings == 1 ? " time\n" : " times\n");
        }
    }
}

void
PrintLeftovers(std::ostream& stream, const LeftoverCensus& census)
{
    stream << "left over       ";
    if (census.IsEmpty())
    {
        stream << "none (";
        bool first = true;
        for (const auto& [name, count] : census.GetCounts())
        {
            std::string words = name;
            std::replace(words.begin(), words.end(), '_', ' ');
            stream << (first ? "" : ", ") << words;
            first = false;
        }
        stream << ": all 0)\n";
        return;
    }
    stream << "\n";
    for (const auto& line : census.GetLines())
    {
        stream << "    " << line << "\n";
    }
}

void
PrintEnds(std::ostream& stream, const RunReport& report)
{
    std::vector<std::string> lines;
    for (const auto& host : report.ends)
    {
        for (const auto& [reason, count] : host.connections)
        {
            lines.push_back(std::string(host.host)
                                .append(": ")
                                .append(std::to_string(count))
                                .append(" connections ended: ")
                                .append(reason));
        }
        for (const auto& [reason, count] : host.drops)
        {
            lines.push_back(std::string(host.host)
                                .append(": ")
                                .append(std::to_string(count))
                                .append(" messages dropped: ")
                                .append(reason));
        }
        for (const auto& [reason, count] : host.errors)
        {
            lines.push_back(std::string(host.host)
                                .append(": ")
                                .append(std::to_string(count))
                                .append(" errors of RPC-over-RDMA ")
                                .append(reason));
        }
    }
    for (const auto& line : GroupLines(lines))
    {
        stream << "  " << line << "\n";
    }
}

std::string
CountOf(uint32_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// \return the MTU, from the smallest to the largest where links differ.
std::string
ListMtus(const ClusterPlan& plan)
{
    std::set<uint16_t> mtus;
    for (const auto& host : plan.hosts)
    {
        mtus.insert(host.link.mtu.value_or(plan.network.mtu));
    }
    const auto least = std::to_string(*mtus.begin());
    return mtus.size() == 1 ? least : least + " to " + std::to_string(*mtus.rbegin());
}

} // namespace

void
PrintRunSummary(std::ostream& stream,
                const ScenarioIdentity& identity,
                const ClusterPlan& plan,
                const RunReport& report)
{
    const auto total = report.statistics.GetTotal();
    stream << identity.name << ": " << CountOf(plan.size.clients, "client") << ", "
           << CountOf(plan.size.servers, "server") << ", links of " << plan.network.linkRate
           << ", MTU " << ListMtus(plan) << ", seed " << report.seed << "\n\n";
    PrintOperations(stream, report.statistics);
    if (const auto workloads = MakeWorkloadsTable(report); !workloads.empty())
    {
        stream << "\n" << workloads;
    }
    std::ostringstream rate;
    rate << std::fixed << std::setprecision(0) << report.statistics.GetRate();
    stream << "\nsimulated       " << FormatSeconds(report.simulated) << "; " << total.GetCount()
           << " RPCs in " << FormatSeconds(report.statistics.GetDuration()) << " (" << rate.str()
           << "/s), " << total.GetRegistrations() << " memory registrations, " << report.frames
           << " frames at the hosts\n";
    PrintWindow(stream, report);
    PrintForms(stream, report.statistics);
    PrintProcessors(stream, report);
    PrintClientCaches(stream, report);
    PrintDrops(stream, report);
    stream << PrintLoss(report.loss);
    PrintFaults(stream, report.faults, report.simulated);
    PrintAdversaries(stream, report.adversaries);
    PrintUnsupported(stream, report.unsupported);
    PrintVerification(stream, report.verification);
    PrintRefusals(stream, report.refusals);
    if (report.status != RunStatus::STALLED)
    {
        PrintLeftovers(stream, report.leftovers);
    }
    if (report.espKeys > 0)
    {
        stream << "ESP keys        esp_sa, " << CountOf(report.espKeys, "association")
               << "; in its directory: tshark -r CAPTURE.pcap -o "
                  "esp.enable_encryption_decode:TRUE -o \"uat:esp_sa:$(cat esp_sa)\"\n";
    }
    if (report.tlsSecrets > 0)
    {
        stream << "TLS secrets     sslkeylog.txt, " << CountOf(report.tlsSecrets, "line")
               << "; in its directory: tshark -r CAPTURE.pcap -X lua_script:rpc-with-tls.lua -o "
                  "tls.keylog_file:sslkeylog.txt\n";
    }
    stream << "digest          " << report.digest << "\n";
}

void
PrintNotConserved(std::ostream& stream, const RunReport& report)
{
    for (const auto& balance : report.conservation)
    {
        for (const auto& line : balance.broken)
        {
            stream << "not conserved: " << balance.layer << ": " << line << "\n";
        }
    }
    for (const auto& line : report.rpcBalance.broken)
    {
        stream << "not conserved: rpcs: " << line << "\n";
    }
    for (const auto& line : report.brokenGuarantees)
    {
        stream << "guarantee broken: " << line << "\n";
    }
    for (const auto& line : report.broken)
    {
        stream << "broken: " << line << "\n";
    }
    for (const auto& line : report.missedMoves)
    {
        stream << "explore.order: nothing to move: " << line << "\n";
    }
}

void
PrintStall(std::ostream& stream, const RunReport& report)
{
    stream << "stalled at " << FormatSeconds(report.simulated)
           << " of simulated time: " << report.stall.reason
           << "; no RPC has got anything done since " << FormatSeconds(report.lastProgress)
           << "; what is waited for:\n";
    for (const auto& line : report.waiting)
    {
        stream << "  " << line << "\n";
    }
    PrintEnds(stream, report);
    stream << (report.stall.pending.empty() ? "nothing is pending that could help\n"
                                            : "what would have happened next:\n");
    for (const auto& line : report.stall.pending)
    {
        stream << "  " << line << "\n";
    }
}

void
PrintOutputs(std::ostream& stream,
             const std::string& directory,
             const std::vector<std::string>& names)
{
    stream << "written\n";
    for (const auto& name : names)
    {
        stream << "    " << directory << "/" << name << "\n";
    }
}

} // namespace ns3::nfsrdma
