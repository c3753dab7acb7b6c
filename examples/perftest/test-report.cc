/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/test-report.h"

#include <array>
#include <cstdio>

namespace ns3::nfsrdma
{

namespace
{

constexpr const char* RULE = "---------------------------------------------------------------------"
                             "------------------\n";
constexpr const char* LATENCY_HEAD =
    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
    "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]\n";
constexpr const char* BANDWIDTH_HEAD =
    " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n";
constexpr const char* GIGABIT_HEAD =
    " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n";

constexpr double MEGA = 1e6;
constexpr double GIGA = 1e9;
constexpr double BITS_OF_MEBI_OCTETS = 8.0 * 1024 * 1024;

template <typename... Values>
std::string
Format(const char* format, Values... values)
{
    std::array<char, 512> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

/// \param format of the minimum, maximum, typical value, average, deviation and two percentiles
std::string
FormatLatency(const char* format, const LatencyStatistics& latency)
{
    return Format(format,
                  latency.minimum,
                  latency.maximum,
                  latency.typical,
                  latency.average,
                  latency.deviation,
                  latency.percentile99,
                  latency.percentile999);
}

const char*
ToTitle(TestVerb verb)
{
    switch (verb)
    {
    case TestVerb::SEND:
        return "Send";
    case TestVerb::WRITE:
        return "RDMA_Write";
    case TestVerb::READ:
        return "RDMA_Read";
    }
    return "?";
}

std::string
ToText(const DataRate& rate)
{
    return Format("%g Gb/sec", rate.GetBitRate() / GIGA);
}

std::string
DescribeDestination(const char* side, const DataPathDestination& destination)
{
    std::string gid;
    for (const uint8_t octet : destination.host.GetOctets())
    {
        gid += Format("%s%02u", gid.empty() ? "" : ":", unsigned{octet});
    }
    return Format(" %s address: LID 0000 QPN 0x%04x PSN 0x000000 RKey 0x%08x VAddr 0x%016llx\n",
                  side,
                  destination.queuePair,
                  destination.key,
                  static_cast<unsigned long long>(destination.address)) +
           " GID: " + gid + "\n";
}

} // namespace

TestReport::TestReport(const TestProgram& program,
                       const TestOptions& options,
                       const Testbed& testbed,
                       std::ostream& out)
    : m_program(program),
      m_options(options),
      m_testbed(testbed),
      m_out(out)
{
}

bool
TestReport::IsLatency() const
{
    return m_program.metric == TestMetric::LATENCY;
}

void
TestReport::WriteHeader(const TestSide& client) const
{
    m_out << RULE << "                    " << ToTitle(m_program.verb) << " "
          << (m_options.bidirectional ? "Bidirectional " : "")
          << (m_options.postList > 1 ? "Post List " : "") << (IsLatency() ? "Latency" : "BW")
          << " Test\n";
    if (m_testbed.UsesEvents())
    {
        m_out << " Test with events.\n";
    }
    m_out << Format(" Dual-port       : OFF\t\tDevice         : %s\n",
                    m_testbed.GetProfile().c_str())
          << Format(" Number of qps   : %u\t\tTransport type : IW\n", m_options.queuePairs)
          << " Connection type : RC\t\tUsing SRQ      : OFF\n"
          << Format(" TX depth        : %u\n", m_options.txDepth);
    if (m_options.postList > 1)
    {
        m_out << Format(" Post List       : %u\n", m_options.postList);
    }
    if (!IsLatency())
    {
        if (m_program.verb == TestVerb::SEND)
        {
            m_out << Format(" RX depth        : %u\n", m_options.rxDepth);
        }
        m_out << Format(" CQ Moderation   : %u%s\n",
                        m_options.GetSignalEvery(1),
                        m_options.signalEvery ? "" : ", 1 above 8192 octets");
    }
    m_out << Format(" Mtu             : %u[B]\n", m_testbed.GetMtu())
          << " Link type       : Ethernet\n";
    if (m_program.verb == TestVerb::READ)
    {
        m_out << Format(" Outstand reads  : %u\n",
                        m_testbed.GetDevice(Testbed::CLIENT)->GetSettings().maxOrd);
    }
    else
    {
        m_out << Format(" Max inline data : %u[B]\n", client.GetInlineSize());
    }
    m_out << " rdma_cm QPs     : ON\n"
          << " Data ex. method : rdma_cm\n"
          << " Simulated link  : " << ToText(m_testbed.GetLinkRate()) << ", "
          << m_testbed.GetDelay().GetNanoSeconds() << " nsec of delay\n";
    if (m_options.all && !m_options.iterations)
    {
        m_out << Format(
            " Iterations      : %llu, fewer where they would move over %llu MiB, "
            "at least %llu\n",
            static_cast<unsigned long long>(m_options.GetIterations(m_program, 2)),
            static_cast<unsigned long long>((IsLatency() ? TestOptions::ALL_OCTETS_LATENCY
                                                         : TestOptions::ALL_OCTETS_BANDWIDTH) >>
                                            20),
            static_cast<unsigned long long>(IsLatency() ? TestOptions::ALL_LEAST_LATENCY
                                                        : TestOptions::ALL_LEAST_BANDWIDTH));
    }
    if (!IsLatency())
    {
        m_out << Format(" Warm-up         : %u MiB or %u messages before each run, not counted\n",
                        StreamTraffic::WARM_UP_OCTETS >> 20,
                        StreamTraffic::WARM_UP_MESSAGES);
    }
    m_out << RULE;
}

void
TestReport::WriteDestinations(const TestSide& client, const TestSide& server) const
{
    for (uint32_t pair = 0; pair < m_options.queuePairs; pair++)
    {
        m_out << DescribeDestination("local", client.GetDestination(pair));
    }
    for (uint32_t pair = 0; pair < m_options.queuePairs; pair++)
    {
        m_out << DescribeDestination("remote", server.GetDestination(pair));
    }
    m_out << RULE;
    WriteTableHead();
}

void
TestReport::WriteTableHead() const
{
    if (IsLatency())
    {
        m_out << LATENCY_HEAD;
    }
    else
    {
        m_out << (m_options.reportGigabits ? GIGABIT_HEAD : BANDWIDTH_HEAD);
    }
    m_out << std::flush;
}

void
TestReport::WriteRow(const TestResult& result) const
{
    const auto iterations = static_cast<unsigned long long>(result.iterations);
    if (IsLatency())
    {
        m_out << Format(" %-7u %-14llu ", result.size, iterations)
              << FormatLatency("%-14.2f %-12.2f %-18.2f %-14.2f %-15.2f %-22.2f %-.2f\n",
                               result.latency);
    }
    else
    {
        const double unit = m_options.reportGigabits ? GIGA : BITS_OF_MEBI_OCTETS;
        m_out << Format(" %-10u %-14llu %-18.2f %-20.2f %-.6f\n",
                        result.size,
                        iterations,
                        result.bandwidth.peak / unit,
                        result.bandwidth.average / unit,
                        result.bandwidth.messageRate / MEGA);
    }
    m_out << std::flush;
}

void
TestReport::WriteEnd() const
{
    m_out << RULE << std::flush;
}

std::string
TestReport::GetCsvHead() const
{
    return std::string("program,profile,link_bps,mtu,queue_pairs,bytes,iterations,") +
           (IsLatency() ? "t_min_us,t_max_us,t_typical_us,t_avg_us,t_stdev_us,t_p99_us,t_p999_us\n"
                        : "peak_bps,average_bps,messages_per_second\n");
}

std::string
TestReport::GetCsvRow(const TestResult& result) const
{
    const auto start = Format("%s,%s,%llu,%u,%u,%u,%llu,",
                              m_program.name,
                              m_testbed.GetProfile().c_str(),
                              static_cast<unsigned long long>(m_testbed.GetLinkRate().GetBitRate()),
                              m_testbed.GetMtu(),
                              m_options.queuePairs,
                              result.size,
                              static_cast<unsigned long long>(result.iterations));
    if (IsLatency())
    {
        return start + FormatLatency("%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f\n", result.latency);
    }
    return start + Format("%.0f,%.0f,%.0f\n",
                          result.bandwidth.peak,
                          result.bandwidth.average,
                          result.bandwidth.messageRate);
}

} // namespace ns3::nfsrdma
