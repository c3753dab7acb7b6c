/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/workload-input.h"

#include "scenarios/simulator/config/user-file.h"
#include "scenarios/simulator/setup/nfs-check.h"
#include "scenarios/simulator/setup/topology-from-config.h"
#include "workload/replay/trace-reader.h"

#include <cstdlib>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

[[noreturn]] void
RefuseFile(const InputError& error)
{
    const std::string key = error.column.empty() ? "" : "column " + error.column;
    throw ScenarioError(ScenarioOrigin{error.file, error.line}.ToText(),
                        key,
                        error.found.empty() ? "nothing" : Quote(error.found),
                        error.expected);
}

std::string
FindPart(const ScenarioConfig& config,
         const ScenarioPath& path,
         const std::string& section,
         const std::string& suffix)
{
    const auto name = config.Get(section + ".trace").AsText() + suffix;
    auto file = path.Find(name);
    if (file.empty())
    {
        config.Refuse(section + ".trace",
                      "a trace NAME with NAME.trace.csv and NAME.tree.csv (no " + Quote(name) +
                          ")");
    }
    return file;
}

Recording
LoadRecording(const ScenarioConfig& config, const ScenarioPath& path, const std::string& section)
{
    const auto traceFile = FindPart(config, path, section, ".trace.csv");
    const auto treeFile = FindPart(config, path, section, ".tree.csv");
    auto trace = TraceReader::Read(traceFile);
    if (!trace)
    {
        RefuseFile(trace.error());
    }
    auto tree = TreeReader::Read(treeFile);
    if (!tree)
    {
        RefuseFile(tree.error());
    }
    return {std::make_shared<const Trace>(std::move(*trace)),
            std::make_shared<const Tree>(std::move(*tree))};
}

/// Reads a file of ascending times, a line each; lines that begin with # and empty ones are none.
std::vector<Time>
ReadArrivals(const std::string& file)
{
    constexpr const char* EXPECTED = "a time in seconds, not before that of the line before";
    constexpr double LONGEST = 1e6;
    std::istringstream lines(ReadUserFile(file, "a file of times"));
    std::vector<Time> times;
    uint32_t number = 0;
    for (std::string line; std::getline(lines, line);)
    {
        ++number;
        if (line.empty() || line[0] == '#')
        {
            continue;
        }
        char* end = nullptr;
        const double seconds = std::strtod(line.c_str(), &end);
        const bool isTime =
            end != line.c_str() && *end == '\0' && seconds >= 0 && seconds <= LONGEST;
        if (!isTime || (!times.empty() && Seconds(seconds) < times.back()))
        {
            RefuseFile({file, number, "", EXPECTED, line});
        }
        times.push_back(Seconds(seconds));
    }
    return times;
}

std::shared_ptr<const std::vector<Time>>
LoadArrivals(const ScenarioConfig& config, const ScenarioPath& path, const std::string& section)
{
    const auto key = section + ".arrival_trace";
    const auto name = config.Get(key).AsText();
    const auto file = name.empty() ? std::string() : path.Find(name);
    if (file.empty())
    {
        config.Refuse(key, "a file of times (no " + Quote(name) + ")");
    }
    return std::make_shared<const std::vector<Time>>(ReadArrivals(file));
}

/// Recordings are of one version, which is the one the user asked for if any.
void
CheckVersion(const ScenarioConfig& config, const WorkloadInput& input)
{
    constexpr const char* KEY = "nfs.version";
    std::string version = config.GetOrigin(KEY).source == ScenarioOrigin::DEFAULT
                              ? std::string()
                              : config.Get(KEY).AsText();
    for (const auto& [section, recording] : input.recordings)
    {
        const std::string recorded = recording.trace->GetNfsVersion();
        if (!version.empty() && version != recorded)
        {
            std::string expected = recorded;
            expected.append(", which the trace of [").append(section).append("] is of");
            config.Refuse(KEY, expected);
        }
        version = recorded;
    }
    if (version == "2")
    {
        CheckNfs2(config);
    }
}

} // namespace

WorkloadInput
WorkloadInput::Load(const ScenarioConfig& config, const ScenarioPath& path)
{
    WorkloadInput input;
    input.topology = std::make_shared<const Topology>(MakeTopology(config, path));
    for (const auto& section : config.GetWorkloadSections())
    {
        if (config.Get(section + ".kind").AsText() == "replay")
        {
            input.recordings.emplace(section, LoadRecording(config, path, section));
        }
        else if (config.Get(section + ".arrivals").AsText() == "trace")
        {
            input.arrivals.emplace(section, LoadArrivals(config, path, section));
        }
    }
    CheckVersion(config, input);
    return input;
}

std::string
WorkloadInput::ResolveNfsVersion(const ScenarioConfig& config) const
{
    constexpr const char* KEY = "nfs.version";
    const bool isFree = config.GetOrigin(KEY).source == ScenarioOrigin::DEFAULT;
    return isFree && !recordings.empty() ? recordings.begin()->second.trace->GetNfsVersion()
                                         : config.Get(KEY).AsText();
}

} // namespace ns3::nfsrdma
