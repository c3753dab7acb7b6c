/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/run-documents.h"

#include "helper/version.h"
#include "scenarios/simulator/report/adversary-documents.h"
#include "scenarios/simulator/report/measure-documents.h"
#include "scenarios/simulator/report/report-time.h"
#include "scenarios/simulator/report/run-resources.h"
#include "scenarios/simulator/report/workload-documents.h"

#include <filesystem>

namespace ns3::nfsrdma
{

namespace
{

using Json = nlohmann::ordered_json;

Json
DescribeDrops(const std::vector<std::pair<std::string, uint64_t>>& drops)
{
    Json document = Json::object();
    for (const auto& [place, count] : drops)
    {
        document[place] = count;
    }
    return document;
}

/// Those with anything to say.
Json
DescribeHostDrops(const RunReport& report)
{
    Json document = Json::object();
    for (const auto& [host, drops] : report.hostDrops)
    {
        document[host] = DescribeDrops(drops);
    }
    return document;
}

constexpr double NS_PER_S = 1e9;

double
ToSeconds(Time time)
{
    return static_cast<double>(time.GetNanoSeconds()) / NS_PER_S;
}

/// A text without the machine's directories.
std::string
WithoutDirectories(const std::string& text)
{
    const std::filesystem::path path(text);
    return path.is_absolute() ? path.filename().string() : text;
}

Json
DescribeCacheStatistics(const FileCacheStatistics& statistics)
{
    Json document = Json::object();
    for (const auto& [name, counter] : FILE_CACHE_COUNTERS)
    {
        document[name] = statistics.*counter;
    }
    return document;
}

/// Of all clients together, and of each.
Json
DescribeClientCaches(const std::vector<ClientCacheReport>& caches)
{
    FileCacheStatistics all;
    Json clients = Json::array();
    for (const auto& one : caches)
    {
        all += one.statistics;
        Json client{{"client", one.client}};
        client.update(DescribeCacheStatistics(one.statistics));
        clients.push_back(client);
    }
    return {{"all", DescribeCacheStatistics(all)}, {"clients", clients}};
}

/// The keys that its kind has.
Json
DescribeWorkloadKeys(const ScenarioConfig& config, const std::string& section)
{
    const auto& schema = config.GetSchema();
    const auto kind = config.Get(section + ".kind").AsText();
    Json keys = Json::object();
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        const std::string key = schema.GetKey(index).name;
        if (schema.GetFullName(index) == "workload." + key && key != "start_spread" &&
            config.IsKeyOfKind(index, kind))
        {
            keys[key] = WithoutDirectories(
                config.Get(std::string(section).append(".").append(key)).ToText());
        }
    }
    return keys;
}

/// What [link NAME], [adversary NAME], ... or its profile says; a file without its directories.
Json
DescribeNamedSection(const ScenarioConfig& config, const std::string& section)
{
    Json keys = Json::object();
    for (const auto index : config.GetKeysOf(section))
    {
        const std::string key = config.GetSchema().GetKey(index).name;
        keys[key] =
            WithoutDirectories(config.Get(std::string(section).append(".").append(key)).ToText());
    }
    return keys;
}

Json
DescribeConfig(const ScenarioConfig& config)
{
    Json sections = Json::object();
    std::size_t index = 0;
    for (const auto& section : config.GetSchema().GetSections())
    {
        Json keys = Json::object();
        for (const auto& key : section.keys)
        {
            // Of plugins the manifest says more.
            if (config.GetSchema().GetFullName(index) != PLUGINS_KEY)
            {
                keys[key.name] = WithoutDirectories(config.Get(index).ToText());
            }
            ++index;
        }
        sections[section.name] = keys;
    }
    for (const auto& line : config.GetFaults())
    {
        sections["faults"][line.name] = line.sentence;
    }
    for (const auto& base : config.GetSchema().GetSections())
    {
        if (base.name == std::string("workload"))
        {
            continue;
        }
        for (const auto& section : config.GetGroupSections(base.name))
        {
            sections[section] = DescribeNamedSection(config, section);
        }
    }
    for (const auto& section : config.GetWorkloadSections())
    {
        if (section != "workload")
        {
            sections[section] = DescribeWorkloadKeys(config, section);
        }
    }
    return sections;
}

Json
DescribeLatency(const OperationStatistics& statistics)
{
    const auto quantile = [&statistics](double fraction) {
        const auto latency = statistics.FindLatencyQuantile(fraction);
        return latency ? Json(ToMicroseconds(*latency)) : Json();
    };
    return {{"mean", statistics.GetMeanLatency() / NS_PER_US},
            {"p50", quantile(0.5)},
            {"p99", quantile(0.99)}};
}

Json
DescribeBytes(const RpcBytes& bytes)
{
    return {{"inline", bytes.inlined},
            {"read_chunk", bytes.readChunk},
            {"write_chunk", bytes.writeChunk},
            {"reply_chunk", bytes.replyChunk},
            {"reply_read_chunk", bytes.replyReadChunk}};
}

/// What errors took.
Json
DescribeFailed(const FailedRpcs& failed)
{
    return {{"reasons", failed.reasons},
            {"registrations", failed.registrations},
            {"bytes", DescribeBytes(failed.bytes)}};
}

Json
DescribeOperation(const std::string& name, const OperationStatistics& statistics)
{
    return {{"operation", name},
            {"count", statistics.GetCount()},
            {"attempts", statistics.GetAttempts()},
            {"errors", statistics.GetErrors()},
            {"latency_us", DescribeLatency(statistics)},
            {"registrations", statistics.GetRegistrations()},
            {"bytes", DescribeBytes(statistics.GetBytes())},
            {"forms", statistics.GetForms()},
            {"failed", DescribeFailed(statistics.GetFailed())}};
}

Json
DescribeCheck(const ContentCheck& check)
{
    Json described = Json::array();
    for (const auto& mismatch : check.described)
    {
        described.push_back(
            {{"path", mismatch.path}, {"offset", mismatch.offset}, {"what", mismatch.what}});
    }
    return {{"files", check.files},
            {"directories", check.directories},
            {"symlinks", check.symlinks},
            {"octets", check.octets},
            {"uncertain_octets", check.uncertainOctets},
            {"uncertain_names", check.uncertainNames},
            {"mismatches", check.mismatches},
            {"described", described}};
}

Json
DescribeVerification(const VerificationTotals& verification)
{
    return {{"reads", DescribeCheck(verification.reads)},
            {"exports", DescribeCheck(verification.exports)},
            {"failed_operations", verification.failedOperations},
            {"replay",
             {{"compared", verification.replayCompared},
              {"mismatches", verification.replayMismatches},
              {"described", verification.replayDescribed}}}};
}

Json
DescribeLeftovers(const LeftoverCensus& census)
{
    Json leftovers = Json::object();
    for (const auto& [name, count] : census.GetCounts())
    {
        leftovers[name] = count;
    }
    return leftovers;
}

/// Those with anything to say.
Json
DescribeHosts(const std::vector<HostReport>& reports)
{
    Json hosts = Json::array();
    for (const auto& host : reports)
    {
        if (host.reassemblyPeak == 0 && host.placedAhead == 0 && host.cpuBusy == 0)
        {
            continue;
        }
        hosts.push_back({{"host", host.name},
                         {"reassembly_peak_octets", host.reassemblyPeak},
                         {"reassembly_mean_octets", host.reassemblyMean},
                         {"fpdus_placed_ahead", host.placedAhead},
                         {"cores", host.cores},
                         {"cpu_busy", host.cpuBusy}});
    }
    return hosts;
}

/// The host that needed the most reassembly memory.
Json
DescribeReassembly(const std::vector<HostReport>& reports)
{
    HostReport most;
    uint64_t placedAhead = 0;
    for (const auto& host : reports)
    {
        placedAhead += host.placedAhead;
        if (most.name.empty() || host.reassemblyPeak > most.reassemblyPeak)
        {
            most = host;
        }
    }
    return {{"host", most.name},
            {"peak_octets", most.reassemblyPeak},
            {"mean_octets", most.reassemblyMean},
            {"fpdus_placed_ahead", placedAhead}};
}

Json
DescribeProcessors(const RunReport& report)
{
    const ProcessorTotals totals = GetProcessorTotals(report);
    const auto rpcs = static_cast<double>(report.statistics.GetTotal().GetCount());
    const auto perRpc = [rpcs](Time time) { return rpcs > 0 ? ToMicroseconds(time) / rpcs : 0.0; };
    return {{"server_busy", totals.serverBusy},
            {"client_busy", totals.clientBusy},
            {"server_core_us_per_rpc", perRpc(totals.serverTime)},
            {"client_core_us_per_rpc", perRpc(totals.clientTime)}};
}

/// Of the server that needed the most.
Json
DescribeServerMemory(const std::vector<HostReport>& reports)
{
    uint64_t receives = 0;
    uint64_t exposed = 0;
    for (const auto& host : reports)
    {
        receives = std::max(receives, host.receivePeak);
        exposed = std::max(exposed, host.exposedPeak);
    }
    return {{"receive_buffers_peak_octets", receives}, {"exposed_peak_octets", exposed}};
}

Json
DescribeRegistration(const RegistrationStatistics& statistics)
{
    return {{"registrations", statistics.registrations},
            {"cache_hits", statistics.hits},
            {"cache_misses", statistics.misses},
            {"cache_evictions", statistics.evictions},
            {"copies", statistics.copies},
            {"copied_octets", statistics.copiedBytes},
            {"left_valid", statistics.leftValid}};
}

/// Those with anything to say.
Json
DescribeEnds(const std::vector<EndReport>& reports)
{
    Json ends = Json::array();
    for (const auto& host : reports)
    {
        if (!host.connections.empty() || !host.drops.empty() || !host.errors.empty())
        {
            ends.push_back({{"host", host.host},
                            {"connections", host.connections},
                            {"messages_dropped", host.drops},
                            {"errors", host.errors}});
        }
    }
    return ends;
}

/// All null when nothing was asked.
Json
DescribeVerdict(const Measurement::Verdict& verdict)
{
    const bool hasEstimate = verdict.estimate.has_value();
    return {{"steady", verdict.asked ? Json(verdict.steady) : Json()},
            {"found", verdict.asked ? Json(verdict.text) : Json()},
            {"transient_us", verdict.transient ? Json(ToMicroseconds(*verdict.transient)) : Json()},
            {"mean", hasEstimate ? Json(verdict.estimate->mean) : Json()},
            {"half_width", hasEstimate ? Json(verdict.estimate->halfWidth) : Json()},
            {"relative_half_width",
             hasEstimate ? Json(verdict.estimate->GetRelativeHalfWidth()) : Json()}};
}

/// Which RPCs the measures of RPCs cover.
Json
DescribeWindow(const RpcWindow& window)
{
    Json phases = Json::array();
    for (const auto& [phase, begins] : window.phases)
    {
        phases.push_back({{"phase", ToString(phase)}, {"begins_s", ToSeconds(begins)}});
    }
    return {{"covers", RpcWindow::COVERS},
            {"begins_s", ToSeconds(window.begins)},
            {"ends_s", ToSeconds(window.ends)},
            {"full_load_ends_s", ToSeconds(window.fullLoadEnds)},
            {"rpcs_of_setup", window.ofSetup},
            {"rpcs_of_warm_up", window.ofWarmUp},
            {"rpcs_of_drain", window.ofDrain},
            {"rpcs_of_unmount", window.ofUnmount},
            {"phases", phases},
            {"steady_state", DescribeVerdict(window.verdict)}};
}

Json
DescribePlugins(const std::vector<Plugin>& plugins)
{
    Json list = Json::array();
    for (const auto& plugin : plugins)
    {
        list.push_back({{"name", plugin.name},
                        {"version", plugin.version},
                        {"file", WithoutDirectories(plugin.path)},
                        {"sha256", plugin.digest}});
    }
    return list;
}

Json
DescribeFaults(const FaultReport& report)
{
    Json plan = Json::array();
    for (const auto& outcome : report.outcomes)
    {
        plan.push_back({{"name", outcome.name},
                        {"sentence", outcome.sentence},
                        {"occurrences", outcome.occurrences},
                        {"firings", outcome.firings}});
    }
    return {{"plan", plan}, {"frames_stopped", report.stopped}};
}

} // namespace

nlohmann::ordered_json
MakeManifest(const ScenarioIdentity& identity,
             const ScenarioConfig& config,
             const SweepPlan* plan,
             const std::map<std::string, uint64_t>& unsupported,
             const std::string& digest,
             const std::vector<std::string>& outputs)
{
    Json sweep;
    if (plan != nullptr)
    {
        sweep = {{"keys", plan->GetKeys()}, {"seeds", plan->GetSeeds()}};
    }
    const auto figure = config.Get("output.figure").AsText();
    const std::string usual = plan != nullptr ? "sweep" : "replay";
    Json manifest{{"name", identity.name},
                  {"version", NFSRDMA_VERSION},
                  {"ns3_version", NFSRDMA_NS3_VERSION},
                  {"scenario_file", identity.file},
                  {"command", identity.command},
                  {"seed", config.Get("cluster.seed").AsInteger()}};
    if (!identity.plugins.empty())
    {
        manifest["plugins"] = DescribePlugins(identity.plugins);
    }
    manifest["config"] = DescribeConfig(config);
    manifest["figures"] = Json::array({figure == "auto" ? usual : figure});
    manifest["sweep"] = sweep;
    manifest["unsupported"] = unsupported;
    manifest["digest"] = digest;
    manifest["outputs"] = outputs;
    return manifest;
}

nlohmann::ordered_json
MakeSummary(const ScenarioIdentity& identity, const RunReport& report)
{
    const auto total = report.statistics.GetTotal();
    Json operations = Json::array();
    for (const auto& [name, statistics] : report.statistics.GetOperations())
    {
        operations.push_back(DescribeOperation(name, *statistics));
    }
    Json summary{
        {"name", identity.name},
        {"seed", report.seed},
        {"exit_status", report.isPartial ? Json(nullptr) : Json(static_cast<int>(report.status))},
        {"simulated_s", ToSeconds(report.simulated)},
        {"duration_s", ToSeconds(report.statistics.GetDuration())},
        {"rpcs", total.GetCount()},
        {"rpc_attempts", total.GetAttempts()},
        {"errors", total.GetErrors()},
        {"window", DescribeWindow(report.window)},
        {"rpcs_per_second", report.statistics.GetRate()},
        {"goodput_bps", report.statistics.GetGoodput()},
        {"latency_us", DescribeLatency(total)},
        {"registrations_per_rpc", total.GetRegistrationsPerRpc()},
        {"bytes", DescribeBytes(total.GetBytes())},
        {"forms", total.GetForms()},
        {"failed", DescribeFailed(total.GetFailed())},
        {"operations", operations},
        {"workloads", DescribeWorkloads(report)},
        {"latency_stack", DescribeStacks(report.stacks)},
        {"fairness", DescribeFairness(report.fairness)},
        {"frames", report.frames},
        {"events", report.events},
        {"network", DescribeNetwork(report.ports)},
        {"loss", DescribeLoss(report.loss)},
        {"conservation", DescribeConservation(report)},
        {"utilisation", DescribeUtilisation(report.utilisation)},
        {"memory", DescribeMemory(report)},
        {"drops", DescribeDrops(report.drops)},
        {"drops_by_host", DescribeHostDrops(report)},
        {"path",
         {{"round_trip_us", static_cast<double>(report.roundTrip.GetNanoSeconds()) / 1e3},
          {"short_timers", report.shortTimers}}},
        {"reassembly", DescribeReassembly(report.hosts)},
        {"processors", DescribeProcessors(report)},
        {"connections_lost", report.connectionsLost},
        {"ends", DescribeEnds(report.ends)},
        {"registration",
         {{"clients", DescribeRegistration(report.registration.clients)},
          {"servers", DescribeRegistration(report.registration.servers)}}},
        {"server_memory", DescribeServerMemory(report.hosts)},
        {"retransmissions", total.GetRetransmissions()},
        {"hosts", DescribeHosts(report.hosts)},
        {"verification", DescribeVerification(report.verification)},
        {"leftovers", DescribeLeftovers(report.leftovers)},
        {"unsupported", report.unsupported},
        {"waiting", report.waiting},
        {"client_caches", DescribeClientCaches(report.clientCaches)},
        {"stall", {{"reason", report.stall.reason}, {"pending", report.stall.pending}}},
        {"digest", report.digest}};
    if (report.isPartial)
    {
        summary["partial"] = true;
    }
    if (!report.brokenGuarantees.empty())
    {
        summary["broken_guarantees"] = report.brokenGuarantees;
    }
    if (!report.refusals.empty())
    {
        summary["never_sent"] = report.refusals;
    }
    if (!report.faults.outcomes.empty())
    {
        summary["faults"] = DescribeFaults(report.faults);
    }
    if (!report.adversaries.outcomes.empty())
    {
        summary["adversaries"] = DescribeAdversaries(report.adversaries);
    }
    if (!report.resources.empty())
    {
        summary["resources"] = DescribeResources(report.resources);
        summary["transport_memory"] = DescribeTransportMemory(report.serverTransports);
        summary["page_caches"] = DescribeCaches(report.caches);
    }
    return summary;
}

std::string
ToFileText(const nlohmann::ordered_json& document)
{
    return document.dump(2) + "\n";
}

} // namespace ns3::nfsrdma
