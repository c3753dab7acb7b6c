/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/command-line.h"

#include "scenarios/simulator/keys/edit-distance.h"
#include "scenarios/simulator/keys/scenario-value.h"

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/variables_map.hpp>
#include <sstream>
#include <thread>

namespace ns3::nfsrdma
{

namespace po = boost::program_options;

namespace
{

constexpr const char* PROGRAM = "nfsrdma-sim";

/// \return \p word as a shell takes it for one word.
std::string
QuoteForShell(const std::string& word)
{
    constexpr const char* PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "_-+=.,:/@%";
    if (!word.empty() && word.find_first_not_of(PLAIN) == std::string::npos)
    {
        return word;
    }
    std::string quoted = "'";
    for (const char c : word)
    {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

po::options_description
MakeVisibleOptions()
{
    po::options_description options("Options");
    auto add = options.add_options();
    add("set",
        po::value<std::vector<std::string>>()->value_name("section.key=value"),
        "set a key above what the file says, and for all runs of a sweep; may be given several "
        "times");
    add("seed", po::value<std::string>()->value_name("N"), "random seed (cluster.seed)");
    add("runs",
        po::value<std::string>()->value_name("N"),
        "run with N seeds, counting up from the seed (sweep.seeds)");
    add("jobs",
        po::value<std::string>()->value_name("N"),
        "runs at a time, when there are several (default: number of cores)");
    add("out",
        po::value<std::string>()->value_name("DIR"),
        "directory of the results (default: results/<scenario>)");
    add("shard",
        po::value<std::string>()->value_name("I/N"),
        "run the I-th of N parts of a sweep, into results/<scenario>-shard-I-of-N; merge puts them "
        "together");
    add("fresh", "begin a sweep anew that was interrupted");
    add("progress",
        po::value<std::string>()->value_name("TIME"),
        "write a line about progress to the standard error each TIME of the wall clock (60s), also "
        "where that is no terminal; in a sweep when a run ends, at most each TIME");
    add("checkpoint-interval",
        po::value<std::string>()->value_name("TIME"),
        "write partial results, of what has ended so far, each TIME of the simulated clock (10ms), "
        "so "
        "that they are there when the run is killed; not in a sweep, which keeps the runs that "
        "have "
        "ended");
    add("status",
        "print as JSON how far the shard in --out has come, and stop; it has to be of this very "
        "scenario and build");
    add("pcap",
        po::value<std::string>()->value_name("NODES"),
        "capture at all, none, or the nodes named: client-0,server-0 (output.pcap)");
    add("print-config", "print the scenario with every key resolved, as INI, and stop");
    add("list-keys",
        "print every key with type, default, unit and meaning, and stop; with run FILE those of "
        "its "
        "plugins, too");
    add("help", "print this and stop");
    add("version", "print the version and stop");
    return options;
}

[[noreturn]] void
RefuseOption(const po::error& error)
{
    if (const auto* unknown = dynamic_cast<const po::unknown_option*>(&error))
    {
        std::vector<std::string> names;
        const auto visible = MakeVisibleOptions();
        for (const auto& option : visible.options())
        {
            names.push_back("--" + option->long_name());
        }
        const auto word = unknown->get_option_name();
        throw ScenarioError(PROGRAM,
                            "",
                            "unknown option " + Quote(word),
                            "an option of --help",
                            FindNearest(word, names));
    }
    throw ScenarioError(PROGRAM, "", Quote(error.what()), "usage as in --help");
}

po::variables_map
ParseOptions(const std::vector<std::string>& arguments)
{
    auto options = MakeVisibleOptions();
    options.add_options()("command", po::value<std::vector<std::string>>());
    po::positional_options_description positions;
    positions.add("command", -1);
    po::variables_map values;
    try
    {
        const auto style = po::command_line_style::unix_style &
                           ~po::command_line_style::allow_guessing &
                           ~po::command_line_style::allow_short;
        po::store(po::command_line_parser(arguments)
                      .options(options)
                      .positional(positions)
                      .style(style)
                      .run(),
                  values);
    }
    catch (const po::error& error)
    {
        RefuseOption(error);
    }
    return values;
}

void
OverrideFrom(const po::variables_map& values,
             const std::string& option,
             const std::string& key,
             std::vector<ScenarioEntry>& overrides)
{
    if (values.count(option) != 0)
    {
        overrides.push_back({key, values[option].as<std::string>(), {"--" + option, 0}});
    }
}

unsigned
ReadJobs(const po::variables_map& values)
{
    if (values.count("jobs") == 0)
    {
        return std::max(1U, std::thread::hardware_concurrency());
    }
    const auto text = values["jobs"].as<std::string>();
    const ScenarioConstraint constraint{ScenarioType::INTEGER, 1, 1024, {}};
    const auto value = ScenarioValue::Parse(constraint, text);
    if (!value)
    {
        throw ScenarioError("--jobs", "", Quote(text), value.error());
    }
    return static_cast<unsigned>(value->AsInteger());
}

SweepShard
ReadShard(const po::variables_map& values)
{
    if (values.count("shard") == 0)
    {
        return {};
    }
    const auto text = values["shard"].as<std::string>();
    const auto shard = SweepShard::Parse(text);
    if (!shard)
    {
        throw ScenarioError("--shard", "", Quote(text), "I/N, I from 1 to N, N up to 100000");
    }
    return *shard;
}

std::chrono::milliseconds
ReadProgressInterval(const po::variables_map& values)
{
    if (values.count("progress") == 0)
    {
        return std::chrono::milliseconds::zero();
    }
    const auto text = values["progress"].as<std::string>();
    const auto value = ScenarioValue::Parse({ScenarioType::TIME, 0, 0, {}}, text);
    if (!value || value->AsTime() < Seconds(1))
    {
        throw ScenarioError("--progress", "", Quote(text), "a time of at least 1s");
    }
    return std::chrono::milliseconds(value->AsTime().GetMilliSeconds());
}

Time
ReadCheckpointInterval(const po::variables_map& values)
{
    if (values.count("checkpoint-interval") == 0)
    {
        return Time(0);
    }
    const auto text = values["checkpoint-interval"].as<std::string>();
    const auto value = ScenarioValue::Parse({ScenarioType::TIME, 0, 0, {}}, text);
    if (!value || !value->AsTime().IsStrictlyPositive())
    {
        throw ScenarioError("--checkpoint-interval", "", Quote(text), "a time of more than 0s");
    }
    return value->AsTime();
}

std::string
ReadOut(const po::variables_map& values)
{
    if (values.count("out") == 0)
    {
        return {};
    }
    auto out = values["out"].as<std::string>();
    if (out.empty())
    {
        throw ScenarioError("--out", "", Quote(out), "a directory");
    }
    return out;
}

/// Throws ScenarioError when an option other than \p allowed is given to \p command.
void
RefuseOptions(const po::variables_map& values,
              const std::string& command,
              const std::string& allowed)
{
    const auto visible = MakeVisibleOptions();
    for (const auto& option : visible.options())
    {
        if (option->long_name() != allowed && values.count(option->long_name()) != 0)
        {
            throw ScenarioError("--" + option->long_name(),
                                "",
                                command,
                                allowed.empty()
                                    ? "no option with that command"
                                    : "no option but --" + allowed + " with that command");
        }
    }
}

void
ReadCommand(const po::variables_map& values, CommandLineRequest& request)
{
    std::vector<std::string> words;
    if (values.count("command") != 0)
    {
        words = values["command"].as<std::vector<std::string>>();
    }
    if (!words.empty() && words.front() == "check-capture")
    {
        if (words.size() == 1)
        {
            throw ScenarioError(PROGRAM, "", Quote(words.front()), "check-capture FILE...");
        }
        RefuseOptions(values, words.front(), "");
        request.action = CommandLineRequest::Action::CHECK_CAPTURE;
        request.captures.assign(words.begin() + 1, words.end());
        return;
    }
    if (!words.empty() && words.front() == "merge")
    {
        if (words.size() == 1)
        {
            throw ScenarioError(PROGRAM, "", Quote(words.front()), "merge DIR...");
        }
        RefuseOptions(values, words.front(), "out");
        request.action = CommandLineRequest::Action::MERGE;
        request.shards.assign(words.begin() + 1, words.end());
        return;
    }
    if (words.size() == 2 && words.front() == "explore" && !words.back().empty())
    {
        for (const auto* option : {"runs",
                                   "shard",
                                   "fresh",
                                   "status",
                                   "progress",
                                   "checkpoint-interval",
                                   "pcap",
                                   "print-config"})
        {
            if (values.count(option) != 0)
            {
                throw ScenarioError(std::string("--") + option,
                                    "",
                                    words.front(),
                                    "only --set, --seed, --jobs and --out with that command");
            }
        }
        request.action = CommandLineRequest::Action::EXPLORE;
        request.file = words.back();
        return;
    }
    const bool printsConfig = values.count("print-config") != 0;
    if (words.empty() && printsConfig)
    {
        request.action = CommandLineRequest::Action::PRINT_CONFIG;
        return;
    }
    if (words.size() != 2 || words.front() != "run")
    {
        std::string said;
        for (const auto& word : words)
        {
            said += (said.empty() ? "" : " ") + word;
        }
        throw ScenarioError(
            PROGRAM,
            "",
            Quote(said),
            "run FILE, explore FILE, merge DIR..., check-capture FILE..., or --help");
    }
    if (words.back().empty())
    {
        throw ScenarioError(PROGRAM, "", Quote(""), "run FILE, a scenario");
    }
    request.file = words.back();
    request.action = CommandLineRequest::Action::RUN;
    if (printsConfig)
    {
        request.action = CommandLineRequest::Action::PRINT_CONFIG;
    }
    else if (values.count("status") != 0)
    {
        request.action = CommandLineRequest::Action::PRINT_STATUS;
    }
}

} // namespace

CommandLineRequest
CommandLineRequest::Parse(const std::vector<std::string>& arguments)
{
    const auto values = ParseOptions(arguments);
    CommandLineRequest request;
    if (values.count("help") != 0)
    {
        return request;
    }
    if (values.count("version") != 0)
    {
        request.action = Action::VERSION;
        return request;
    }
    const bool listsKeys = values.count("list-keys") != 0;
    if (!listsKeys || values.count("command") != 0)
    {
        ReadCommand(values, request);
    }
    if (values.count("set") != 0)
    {
        for (const auto& text : values["set"].as<std::vector<std::string>>())
        {
            request.overrides.push_back(ParseAssignment(text, "--set"));
        }
    }
    if (listsKeys)
    {
        request.action = Action::LIST_KEYS;
        return request;
    }
    OverrideFrom(values, "seed", "cluster.seed", request.overrides);
    OverrideFrom(values, "runs", "sweep.seeds", request.overrides);
    OverrideFrom(values, "pcap", "output.pcap", request.overrides);
    request.out = ReadOut(values);
    request.jobs = ReadJobs(values);
    request.progressInterval = ReadProgressInterval(values);
    request.checkpointInterval = ReadCheckpointInterval(values);
    request.shard = ReadShard(values);
    request.fresh = values.count("fresh") != 0;
    return request;
}

std::string
CommandLineRequest::GetCommand(const std::string& name) const
{
    auto command = std::string(PROGRAM) + " run " + QuoteForShell(name);
    for (const auto& entry : overrides)
    {
        command += " --set " + QuoteForShell(entry.key + "=" + entry.value);
    }
    return command;
}

std::string
CommandLineRequest::GetHelp()
{
    std::ostringstream text;
    text << "NFS over RDMA on iWARP: runs a cluster of clients and servers on ns-3.\n\n"
            "Usage:\n"
            "  nfsrdma-sim run FILE [options]     run the scenario in FILE, or the one of "
            "scenarios/ with "
            "that name\n"
            "  nfsrdma-sim explore FILE [options] try the orders of events that its section "
            "[explore] bounds\n"
            "  nfsrdma-sim merge DIR...           put the shards of a sweep together\n"
            "  nfsrdma-sim check-capture FILE...  decode the MPA connections of captures (.pcap, "
            "also gzip)\n"
            "  nfsrdma-sim --list-keys            what a scenario may say\n\n"
            "check-capture prints, for each direction of each MPA connection, its frames, FPDUs, "
            "messages by\nopcode, CRCs that are right, and how many octets come out the same when "
            "decoded FPDUs are encoded\nagain; then what becomes of a fresh connection object that "
            "is fed each side's octets.\n\n"
         << MakeVisibleOptions()
         << "\nA sweep that was interrupted goes on when it is run again into the same directory.\n"
            "\nExit status: 0 done and verified; 1 a verification failed or something was left "
            "over;\n"
            "2 the scenario or the command line is wrong; 3 the run stopped making progress.\n"
            "check-capture: 0 every startup frame and FPDU comes out the same; 1 one does not, or "
            "octets are\nmissing, or no MPA connection can be decoded; 2 a file cannot be read.\n";
    return text.str();
}

} // namespace ns3::nfsrdma
