/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/ping-program.h"

#include "perftest/options.h"
#include "perftest/ping-session.h"

#include "ns3/simulator.h"

#include <optional>

namespace ns3::nfsrdma
{

namespace po = boost::program_options;

namespace
{

struct CommandLine
{
    TestbedOptions testbed;
    PingOptions ping;
};

std::optional<CommandLine>
Parse(const std::vector<std::string>& arguments, std::ostream& out)
{
    // Room for the longest beginning of the data, as rping asks for, and its largest buffer.
    constexpr uint32_t LEAST = 25;
    constexpr uint32_t MOST = 64 * 1024 - 1;
    constexpr uint32_t LARGEST_PORT = 65535;
    const auto number = [] { return po::value<std::string>()->value_name("N"); };
    po::options_description description("Options of rping");
    auto add = description.add_options();
    add("help,h", "print this and stop");
    add("count,C", number(), "pings (4)");
    add("size,S", number(), "octets of ping data (64)");
    add("verbose,v", "print the ping data");
    add("validate,V", "compare what comes back with what was sent");
    add("port,p", number(), "TCP port (7174)");
    TestbedOptions::Describe(description);
    const auto values = ParseArguments(description, arguments);
    if (values.count("help") != 0)
    {
        out << "Usage: rping [OPTION...]\n" << description;
        return std::nullopt;
    }
    CommandLine line;
    line.testbed = TestbedOptions::From(values);
    line.ping.count = static_cast<uint32_t>(GetNumber(values, "count", 1, 1000000, 4));
    line.ping.size = static_cast<uint32_t>(GetNumber(values, "size", LEAST, MOST, 64));
    line.ping.port = static_cast<uint16_t>(GetNumber(values, "port", 1, LARGEST_PORT, 7174));
    line.ping.verbose = values.count("verbose") != 0;
    line.ping.validate = values.count("validate") != 0;
    return line;
}

/// \return the exit status.
int
Run(const CommandLine& line, std::ostream& out, std::ostream& errors)
{
    Testbed testbed(line.testbed);
    PingSession server(testbed, Testbed::SERVER, line.ping, out);
    PingSession client(testbed, Testbed::CLIENT, line.ping, out);
    testbed.StartCaptures();
    std::string failure;
    for (PingSession* side : {&server, &client})
    {
        side->SetFailedCallback([&failure](const std::string& what) {
            failure = failure.empty() ? what : failure;
            Simulator::Stop();
        });
    }
    Simulator::ScheduleWithContext(Testbed::SERVER, Time(0), &PingSession::Start, &server);
    Simulator::ScheduleWithContext(Testbed::CLIENT, Time(0), &PingSession::Start, &client);
    Simulator::Run();
    if (failure.empty() && client.GetPings() != line.ping.count)
    {
        failure = "only " + std::to_string(client.GetPings()) + " pings came back";
    }
    if (!failure.empty())
    {
        errors << "rping: " << failure << "\n";
        return 1;
    }
    return 0;
}

} // namespace

int
RunPingProgram(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors)
{
    try
    {
        const auto line = Parse(arguments, out);
        return line ? Run(*line, out, errors) : 0;
    }
    catch (const std::runtime_error& error)
    {
        errors << "rping: " << error.what() << "\n";
        return 2;
    }
}

} // namespace ns3::nfsrdma
