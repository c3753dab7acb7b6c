/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/request-stream.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::nfsrdma::test
{

namespace
{

/// A stream whose requests each take the same time.
class RequestStreamTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }

    /// Runs a stream to its end.
    void Run(const RequestStream::Settings& settings, Time service)
    {
        RequestStream stream(settings);
        stream.AssignStreams(1);
        stream.Start(
            [&](Time arrived) {
                m_starts.push_back(Simulator::Now());
                m_latencies.push_back(Simulator::Now() + service - arrived);
                m_most = std::max(m_most, stream.GetOutstanding());
                Simulator::Schedule(service, [&stream] { stream.End(); });
                return uint64_t{1000};
            },
            [this] {
                ++m_finished;
                m_end = Simulator::Now();
            });
        Simulator::Run();
        EXPECT_EQ(m_finished, 1U);
        EXPECT_EQ(stream.GetOutstanding(), 0U);
        EXPECT_EQ(stream.GetQueued(), 0U);
        EXPECT_EQ(stream.GetStarted(), m_starts.size());
    }

    std::vector<Time> m_starts;
    std::vector<Time> m_latencies;
    uint32_t m_most{0};
    uint32_t m_finished{0};
    Time m_end;
};

TEST_F(RequestStreamTest, ClosedLoopKeepsItsDepth)
{
    RequestStream::Settings settings;
    settings.depth = 4;
    settings.requests = 100;
    Run(settings, MicroSeconds(10));
    EXPECT_EQ(m_starts.size(), 100U);
    EXPECT_EQ(m_most, 4U);
    EXPECT_EQ(m_end, MicroSeconds(250));
}

TEST_F(RequestStreamTest, ThinksBetweenRequests)
{
    RequestStream::Settings settings;
    settings.requests = 10;
    settings.thinkTime = MicroSeconds(5);
    Run(settings, MicroSeconds(10));
    EXPECT_EQ(m_starts.back(), MicroSeconds(9 * 15));
}

TEST_F(RequestStreamTest, EndsWithItsOctetsOrItsTime)
{
    RequestStream::Settings settings;
    settings.octets = 4500;
    Run(settings, MicroSeconds(10));
    EXPECT_EQ(m_starts.size(), 5U);
    settings.octets = 0;
    settings.runtime = MicroSeconds(95);
    m_starts.clear();
    m_finished = 0;
    Run(settings, MicroSeconds(10));
    EXPECT_EQ(m_starts.size(), 10U);
}

TEST_F(RequestStreamTest, StaysBelowItsRates)
{
    RequestStream::Settings settings;
    settings.depth = 8;
    settings.requests = 101;
    settings.rateRequests = 1000;
    Run(settings, MicroSeconds(10));
    EXPECT_EQ(m_starts.back(), MilliSeconds(100));
    settings.rateRequests = 0;
    settings.rateOctets = 2e6;
    m_starts.clear();
    m_finished = 0;
    const Time begin = Simulator::Now();
    Run(settings, MicroSeconds(10));
    EXPECT_EQ(m_starts.back() - begin, MilliSeconds(50));
}

TEST_F(RequestStreamTest, OpenLoopCountsLatencyFromTheArrival)
{
    RequestStream::Settings settings;
    settings.arrivals = {ArrivalProcess::BURSTS, 100, 4, {}};
    settings.requests = 4;
    Run(settings, MicroSeconds(10));
    std::sort(m_latencies.begin(), m_latencies.end());
    const std::vector<Time> expected{MicroSeconds(10),
                                     MicroSeconds(20),
                                     MicroSeconds(30),
                                     MicroSeconds(40)};
    EXPECT_EQ(m_latencies, expected);
}

TEST_F(RequestStreamTest, PoissonArrivalsAtOneServerWaitAsTheorySays)
{
    RequestStream::Settings settings;
    settings.arrivals = {ArrivalProcess::POISSON, 50000, 1, {}};
    settings.requests = 100'000;
    Run(settings, MicroSeconds(10));
    double sum = 0;
    for (const Time& latency : m_latencies)
    {
        sum += latency.GetSeconds();
    }
    // M/D/1 at a load of 0.5: service * (1 + load / (2 (1 - load))).
    EXPECT_NEAR(sum / 1e5, 15e-6, 0.5e-6);
}

TEST_F(RequestStreamTest, NothingArrivesAfterTheRuntime)
{
    RequestStream::Settings settings;
    settings.arrivals = {ArrivalProcess::CONSTANT, 10000, 1, {}};
    settings.runtime = MilliSeconds(1);
    settings.depth = 100;
    Run(settings, MilliSeconds(5));
    EXPECT_EQ(m_starts.size(), 9U);
    EXPECT_EQ(m_end, MicroSeconds(5900));
}

} // namespace

} // namespace ns3::nfsrdma::test
