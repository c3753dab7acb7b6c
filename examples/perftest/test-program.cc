/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/test-program.h"

#include "perftest/test-report.h"
#include "perftest/test-side.h"

#include "ns3/simulator.h"

#include <fstream>
#include <iostream>
#include <optional>

namespace ns3::nfsrdma
{

namespace
{

/// The two sides of a test, and what they have found.
class TestRun
{
  public:
    TestRun(const TestProgram& program,
            const TestOptions& options,
            const Testbed& testbed,
            std::ostream& out)
        : m_program(program),
          m_server(testbed, Testbed::SERVER, program, options),
          m_client(testbed, Testbed::CLIENT, program, options),
          m_report(program, options, testbed, out)
    {
        for (TestSide* side : {&m_server, &m_client})
        {
            side->SetFailedCallback([this](const std::string& what) {
                m_failure = m_failure.empty() ? what : m_failure;
                Simulator::Stop();
            });
            const bool client = side == &m_client;
            side->SetRunCallback(
                [this, client](uint32_t size, uint64_t messages, const Traffic& traffic) {
                    Take(traffic, size, client);
                    RunFinished(size, messages);
                });
        }
        m_client.SetReadyCallback([this] { m_report.WriteDestinations(m_client, m_server); });
    }

    void WriteStages(std::ostream& out)
    {
        StageTable& table = m_stages.emplace(out);
        m_server.WatchStages(table);
        m_client.WatchStages(table);
    }

    /// \return what went wrong, empty when nothing did.
    std::string Execute(std::ostream* csv)
    {
        m_csv = csv;
        if (m_csv != nullptr)
        {
            *m_csv << m_report.GetCsvHead();
        }
        m_report.WriteHeader(m_client);
        Simulator::ScheduleWithContext(Testbed::SERVER, Time(0), &TestSide::Start, &m_server);
        Simulator::ScheduleWithContext(Testbed::CLIENT, Time(0), &TestSide::Start, &m_client);
        Simulator::Run();
        if (m_failure.empty() && !(m_client.IsFinished() && m_server.IsFinished()))
        {
            m_failure = "nothing is left to happen, but the test is not over";
        }
        if (m_failure.empty())
        {
            m_report.WriteEnd();
        }
        return m_failure;
    }

  private:
    void Take(const Traffic& traffic, uint32_t size, bool client)
    {
        if (const auto* stream = dynamic_cast<const StreamTraffic*>(&traffic))
        {
            if (!stream->GetTimes().posts.empty())
            {
                m_result.bandwidth += BandwidthStatistics::Of(stream->GetTimes(), size);
            }
        }
        else if (const auto* pingPong = dynamic_cast<const PingPong*>(&traffic); client && pingPong)
        {
            const double share = m_program.verb == TestVerb::READ ? 1 : 0.5;
            m_result.latency = LatencyStatistics::Of(pingPong->GetIntervals(), share);
        }
    }

    void RunFinished(uint32_t size, uint64_t messages)
    {
        if (++m_sidesFinished < 2)
        {
            return;
        }
        m_sidesFinished = 0;
        m_result.size = size;
        m_result.iterations = messages;
        m_report.WriteRow(m_result);
        if (m_csv != nullptr)
        {
            *m_csv << m_report.GetCsvRow(m_result);
        }
        m_result = {};
    }

    const TestProgram& m_program;
    TestSide m_server;
    TestSide m_client;
    TestReport m_report;
    TestResult m_result;
    uint32_t m_sidesFinished{0};
    std::ostream* m_csv{nullptr};
    std::optional<StageTable> m_stages;
    std::string m_failure;
};

} // namespace

int
RunTestProgram(const TestProgram& program,
               const std::vector<std::string>& arguments,
               std::ostream& out,
               std::ostream& errors)
{
    try
    {
        const auto options = TestOptions::Parse(program, arguments, out);
        if (!options)
        {
            return 0;
        }
        if (!options->csv.empty())
        {
            RequireWritable(options->csv, "--csv");
        }
        if (!options->stages.empty())
        {
            RequireWritable(options->stages, "--stages");
        }
        Testbed testbed(options->testbed);
        TestRun run(program, *options, testbed, out);
        testbed.StartCaptures();
        std::ofstream csv;
        if (!options->csv.empty())
        {
            csv.open(options->csv);
        }
        std::ofstream stages;
        if (!options->stages.empty())
        {
            stages.open(options->stages);
            run.WriteStages(stages);
        }
        auto failure = run.Execute(csv.is_open() ? &csv : nullptr);
        if (failure.empty())
        {
            failure = testbed.GetLineFault();
        }
        if (!failure.empty())
        {
            errors << program.name << ": " << failure << "\n";
            return 1;
        }
        return 0;
    }
    catch (const std::runtime_error& error)
    {
        errors << program.name << ": " << error.what() << "\n";
        return 2;
    }
}

int
TestMain(const TestProgram& program, int argc, char* argv[])
{
    return RunTestProgram(program, {argv + 1, argv + argc}, std::cout, std::cerr);
}

} // namespace ns3::nfsrdma
