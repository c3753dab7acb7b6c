/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/options.h"

#include "scenarios/simulator/keys/edit-distance.h"
#include "scenarios/simulator/keys/scenario-error.h"

#include <algorithm>
#include <boost/program_options/parsers.hpp>

namespace ns3::nfsrdma
{

namespace po = boost::program_options;

namespace
{

constexpr uint32_t LARGEST_MESSAGE = 8 << 20;
constexpr uint64_t LARGEST_WINDOW = uint64_t{1} << 30;
constexpr uint32_t LARGEST_UNSIGNALED = 8192;
constexpr uint32_t DEFAULT_SIGNAL_EVERY = 100;

po::options_description
Describe(const TestProgram& program)
{
    const bool bandwidth = program.metric == TestMetric::BANDWIDTH;
    const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
    po::options_description description("Options of " + std::string(program.name));
    auto add = description.add_options();
    add("help,h", "print this and stop");
    add("all,a", "run sizes from 2 to 8388608 (2^23) octets");
    add("size,s",
        text("OCTETS"),
        bandwidth ? "size of a message (65536)" : "size of a message (2)");
    add("iters,n", text("N"), "messages of a size, each queue pair");
    if (program.verb != TestVerb::READ)
    {
        add("inline_size,I", text("OCTETS"), "largest message that goes inline");
        add("window",
            text("OCTETS"),
            "send each message from a random place of so much memory, as pcie-bench's programs");
    }
    if (program.verb == TestVerb::SEND)
    {
        add("rx-depth,r", text("N"), "receives posted (512)");
    }
    if (bandwidth)
    {
        add("tx-depth,t", text("N"), "work requests outstanding (128)");
        add("qp,q", text("N"), "queue pairs (1)");
        add("cq-mod,Q", text("N"), "ask for a completion every N work requests (100)");
        add("post_list,l", text("N"), "work requests a doorbell (1)");
        add("bidirectional,b", "both sides send");
        add("report_gbits", "report Gb/sec instead of MB/sec");
    }
    add("csv", text("FILE"), "write the results as a table too");
    add("stages", text("FILE"), "write the time of each work request in each stage of the RNIC");
    TestbedOptions::Describe(description);
    return description;
}

[[noreturn]] void
Refuse(const std::string& option, const std::string& got, const std::string& expected)
{
    throw UsageError("--" + option + ": got " + Quote(got) + ", expected " + expected);
}

void
CheckTogether(const TestOptions& options)
{
    if (options.postList > options.txDepth)
    {
        Refuse("post_list",
               std::to_string(options.postList),
               "at most tx-depth, which is " + std::to_string(options.txDepth));
    }
    const std::vector<uint32_t> sizes = options.GetSizes();
    const uint32_t largest = *std::max_element(sizes.begin(), sizes.end());
    if (options.window != 0 && options.window < largest)
    {
        Refuse("window",
               std::to_string(options.window),
               "0 or at least the size of a message, which is " + std::to_string(largest));
    }
    const uint32_t longest = options.txDepth - options.postList + 1;
    if (options.signalEvery.value_or(1) > longest)
    {
        Refuse("cq-mod",
               std::to_string(*options.signalEvery),
               "at most " + std::to_string(longest) + ", or the send queue fills up unsignaled");
    }
}

} // namespace

po::variables_map
ParseArguments(const po::options_description& description,
               const std::vector<std::string>& arguments)
{
    po::variables_map values;
    try
    {
        const auto style =
            po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
        const po::positional_options_description none;
        po::store(po::command_line_parser(arguments)
                      .options(description)
                      .positional(none)
                      .style(style)
                      .run(),
                  values);
    }
    catch (const po::unknown_option& error)
    {
        const auto word = error.get_option_name();
        std::vector<std::string> names;
        for (const auto& option : description.options())
        {
            names.push_back("--" + option->long_name());
        }
        throw UsageError(
            "unknown option " + Quote(word) + "; " +
            (word.rfind("--", 0) == 0 ? "nearest: " + FindNearest(word, names) : "see --help"));
    }
    catch (const po::too_many_positional_options_error&)
    {
        throw UsageError("options only: both ends are in the simulation, so no host is named");
    }
    catch (const po::error& error)
    {
        throw UsageError(error.what());
    }
    return values;
}

uint64_t
GetNumber(const po::variables_map& values,
          const std::string& option,
          uint64_t least,
          uint64_t most,
          uint64_t otherwise)
{
    if (values.count(option) == 0)
    {
        return otherwise;
    }
    const auto& text = values[option].as<std::string>();
    const bool digits =
        !text.empty() && text.size() <= 18 &&
        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    const uint64_t number = digits ? std::stoull(text) : 0;
    if (!digits || number < least || number > most)
    {
        Refuse(option,
               text,
               "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return number;
}

std::optional<TestOptions>
TestOptions::Parse(const TestProgram& program,
                   const std::vector<std::string>& arguments,
                   std::ostream& out)
{
    const bool bandwidth = program.metric == TestMetric::BANDWIDTH;
    const auto description = Describe(program);
    const auto values = ParseArguments(description, arguments);
    if (values.count("help") != 0)
    {
        out << "Usage: " << program.name << " [OPTION...]\n" << description;
        return std::nullopt;
    }
    const auto number =
        [&values](const char* option, uint64_t least, uint64_t most, uint64_t value) {
            return static_cast<uint32_t>(GetNumber(values, option, least, most, value));
        };
    TestOptions options;
    options.testbed = TestbedOptions::From(values);
    options.all = values.count("all") != 0;
    if (options.all && values.count("size") != 0)
    {
        throw UsageError("--all and --size: give one of them");
    }
    options.size = number("size", 1, LARGEST_MESSAGE, bandwidth ? 65536 : 2);
    if (values.count("iters") != 0)
    {
        options.iterations = GetNumber(values, "iters", 5, 100000000, 0);
    }
    options.txDepth = number("tx-depth", 1, 16384, bandwidth ? 128 : 1);
    options.rxDepth = number("rx-depth", 1, 16384, 512);
    options.queuePairs = number("qp", 1, 16384, 1);
    options.postList = number("post_list", 1, 16384, 1);
    if (values.count("inline_size") != 0)
    {
        options.inlineSize = number("inline_size", 0, 912, 0);
    }
    if (values.count("cq-mod") != 0)
    {
        options.signalEvery = number("cq-mod", 1, 1024, 1);
    }
    options.window = GetNumber(values, "window", 0, LARGEST_WINDOW, 0);
    options.bidirectional = values.count("bidirectional") != 0;
    options.reportGigabits = values.count("report_gbits") != 0;
    options.csv = values.count("csv") != 0 ? values["csv"].as<std::string>() : "";
    options.stages = values.count("stages") != 0 ? values["stages"].as<std::string>() : "";
    CheckTogether(options);
    return options;
}

std::vector<uint32_t>
TestOptions::GetSizes() const
{
    if (!all)
    {
        return {size};
    }
    std::vector<uint32_t> sizes;
    for (uint32_t octets = 2; octets <= LARGEST_MESSAGE; octets *= 2)
    {
        sizes.push_back(octets);
    }
    return sizes;
}

uint64_t
TestOptions::GetIterations(const TestProgram& program, uint32_t octets) const
{
    if (iterations)
    {
        return *iterations;
    }
    const bool bandwidth = program.metric == TestMetric::BANDWIDTH;
    const uint64_t usual = bandwidth && program.verb == TestVerb::WRITE ? 5000 : 1000;
    if (!all)
    {
        return usual;
    }
    const uint64_t room = bandwidth ? ALL_OCTETS_BANDWIDTH / (uint64_t{octets} * queuePairs)
                                    : ALL_OCTETS_LATENCY / octets;
    return std::clamp(room, bandwidth ? ALL_LEAST_BANDWIDTH : ALL_LEAST_LATENCY, usual);
}

uint32_t
TestOptions::GetSignalEvery(uint32_t octets) const
{
    if (signalEvery)
    {
        return *signalEvery;
    }
    return octets > LARGEST_UNSIGNALED ? 1 : std::min(DEFAULT_SIGNAL_EVERY, txDepth - postList + 1);
}

} // namespace ns3::nfsrdma
