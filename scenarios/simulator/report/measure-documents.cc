/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/measure-documents.h"

#include "scenarios/simulator/report/report-time.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

using Json = nlohmann::ordered_json;

double
ToMean(Time sum, uint64_t count)
{
    return count == 0 ? 0 : ToMicroseconds(sum) / static_cast<double>(count);
}

Json
DescribeStack(const LatencyStack& stack)
{
    Json stages = Json::object();
    for (std::size_t stage = 0; stage < LATENCY_STAGES; ++stage)
    {
        stages[ToString(static_cast<LatencyStage>(stage))] =
            ToMean(stack.stages[stage], stack.rpcs);
    }
    return {{"rpcs", stack.rpcs},
            {"mean_us", ToMean(stack.whole, stack.rpcs)},
            {"stages_us", std::move(stages)}};
}

Json
DescribeShares(const Fairness& fairness)
{
    return {{"parties", fairness.parties},
            {"jain", fairness.jain},
            {"least_share", fairness.least},
            {"most_share", fairness.most}};
}

std::string
Format(double value, int digits)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

/// Memory of one kind at the hosts of one side.
struct SideMemory
{
    double mean{0};
    uint64_t peak{0};
};

} // namespace

Json
DescribeStacks(const LatencyStacks& stacks)
{
    Json parts = Json::array();
    for (const auto& [key, stack] : stacks.GetStacks())
    {
        Json part{{"operation", key.first}, {"form", key.second}};
        part.update(DescribeStack(stack));
        parts.push_back(std::move(part));
    }
    return {{"all", DescribeStack(stacks.GetTotal())}, {"operations", std::move(parts)}};
}

std::string
MakeStackCsv(const LatencyStacks& stacks)
{
    std::string csv = "operation,form,rpcs,total_ns";
    for (std::size_t stage = 0; stage < LATENCY_STAGES; ++stage)
    {
        csv += std::string(",") + ToString(static_cast<LatencyStage>(stage)) + "_ns";
    }
    csv += "\n";
    for (const auto& [key, stack] : stacks.GetStacks())
    {
        csv += key.first + "," + key.second + "," + std::to_string(stack.rpcs) + "," +
               std::to_string(stack.whole.GetNanoSeconds());
        for (const auto& stage : stack.stages)
        {
            csv += "," + std::to_string(stage.GetNanoSeconds());
        }
        csv += "\n";
    }
    return csv;
}

Json
DescribeFairness(const FairnessReport& fairness)
{
    return {{"clients",
             {{"rpcs", DescribeShares(fairness.clientRpcs)},
              {"octets", DescribeShares(fairness.clientOctets)}}},
            {"populations",
             {{"operations", DescribeShares(fairness.populations)},
              {"octets", DescribeShares(fairness.populationOctets)}}}};
}

Json
DescribeUtilisation(const std::vector<Utilisation>& all)
{
    struct Kind
    {
        std::string busiest;
        double most{0};
        double sum{0};
        std::size_t count{0};
    };

    std::map<std::string, Kind> kinds;
    for (const auto& one : all)
    {
        const auto share = one.GetShare();
        if (!share)
        {
            continue;
        }
        auto& kind = kinds[std::string(one.resource)];
        if (kind.count == 0 || *share > kind.most)
        {
            kind.busiest = one.place;
            kind.most = *share;
        }
        kind.sum += *share;
        ++kind.count;
    }
    Json document = Json::object();
    for (const auto& [name, kind] : kinds)
    {
        document[name] = {{"busiest", kind.busiest},
                          {"most", kind.most},
                          {"mean", kind.sum / static_cast<double>(kind.count)}};
    }
    return document;
}

std::string
MakeUtilisationCsv(const std::vector<Utilisation>& all)
{
    std::string csv = "host,resource,places,mean_number,utilisation,peak_number\n";
    for (const auto& one : all)
    {
        const auto share = one.GetShare();
        csv += one.place + "," + one.GetName() + "," + std::to_string(one.places) + "," +
               Format(one.mean, 6) + "," + (share ? Format(*share, 6) : "") + "," +
               (one.peak ? std::to_string(*one.peak) : "") + "\n";
    }
    return csv;
}

std::string
MakeLockstatCsv(const std::vector<LockUse>& locks)
{
    std::ostringstream csv;
    csv << "host,class,acquisitions,contentions,waittime_total_ns,waittime_max_ns,"
           "holdtime_total_ns\n";
    for (const auto& [host, name, use] : locks)
    {
        csv << host << "," << name << "," << use.acquisitions << "," << use.contentions << ","
            << use.waitTotal.GetNanoSeconds() << "," << use.waitMax.GetNanoSeconds() << ","
            << use.holdTotal.GetNanoSeconds() << "\n";
    }
    return csv.str();
}

Json
DescribeMemory(const RunReport& report)
{
    std::set<std::string> servers;
    for (std::size_t host = 0; host < report.servers; ++host)
    {
        servers.insert(report.hosts[host].name);
    }
    std::map<std::string, SideMemory> ofServers;
    std::map<std::string, SideMemory> ofClients;
    for (const auto& use : report.memory)
    {
        if (!use.connection.empty())
        {
            continue;
        }
        auto& side = (servers.count(use.host) != 0 ? ofServers : ofClients)[use.kind];
        side.mean += use.mean;
        side.peak = std::max(side.peak, use.peak);
    }
    const auto describe = [](const std::map<std::string, SideMemory>& side) {
        Json kinds = Json::object();
        for (const auto& [kind, memory] : side)
        {
            kinds[kind] = {{"mean_octets", memory.mean}, {"peak_octets_of_a_host", memory.peak}};
        }
        return kinds;
    };
    return {{"servers", describe(ofServers)}, {"clients", describe(ofClients)}};
}

std::string
MakeMemoryCsv(const std::vector<MemoryUse>& memory)
{
    std::string csv = "host,connection,kind,mean_octets,peak_octets\n";
    for (const auto& use : memory)
    {
        csv += use.host + "," + use.connection + "," + use.kind + "," + Format(use.mean, 1) + "," +
               std::to_string(use.peak) + "\n";
    }
    return csv;
}

std::string
MakeCountersCsv(const std::vector<HostCounter>& counters)
{
    std::string csv = "host,source,counter,value\n";
    for (const auto& counter : counters)
    {
        csv += counter.host + "," + counter.source + "," + counter.name + "," +
               std::to_string(counter.value) + "\n";
    }
    return csv;
}

} // namespace ns3::nfsrdma
