/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <cmath>
#include <gmock/gmock.h>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;

/**
 * What a run measures against what queueing theory says. READs of 512 octets meet a device, or
 * server threads, whose service takes 1 ms on average; all else takes some 30 us, which a run with
 * hardly any load tells, and happens side by side.
 */
class QueueingTheoryTest : public SimulatorTest
{
  protected:
    static constexpr double SERVICE = 1e-3; ///< s.

    struct Result
    {
        double mean{0}; ///< s.
        double halfWidth{0};
        double p99{0};
        double rate{0};
        std::string output;
    };

    Result RunQueue(const std::string& storage,
                    const std::string& load,
                    const std::string& measure,
                    const std::string& setting = "cluster.clients=1")
    {
        m_directory.WriteFile("queue.ini",
                              "[cluster]\nclients = 1\n[nfs]\nthreads = 1024\n[storage]\n"
                              "read_latency = 1ms\nrate = 0bps\n" +
                                  storage +
                                  "[workload]\nkind = fio\nreadwrite = randread\ndirect = true\n"
                                  "bs = 512\nsize = 64KiB\niodepth = 4096\n" +
                                  load + "[measure]\n" + measure + "[output]\nrpc_csv = false\n");
        const auto run = Run({"run", "queue.ini", "--out", "out", "--set", setting});
        EXPECT_EQ(run.status, 0) << run.errors;
        const auto summary = m_directory.ReadJson("out/summary.json");
        Result result;
        result.output = run.output;
        const auto& steady = summary["window"]["steady_state"];
        if (steady["mean"].is_number())
        {
            result.mean = steady["mean"];
            result.halfWidth = steady["half_width"];
        }
        const auto& item = summary["workloads"][0]["items"][0];
        const auto& p99 = item["latency_us"]["p99"]; // Null where there are too few for one.
        result.p99 = p99.is_null() ? 0 : p99.get<double>() * 1e-6;
        result.rate = item["per_second"];
        return result;
    }

    static std::string Poisson(double rate)
    {
        return "arrivals = poisson\narrival_rate = " + std::to_string(rate) + "\n";
    }

    /// \return what is not the service, s.
    double MeasureBase()
    {
        const auto idle = RunQueue("",
                                   "arrivals = constant\narrival_rate = 100\n",
                                   "warm_up=auto\nduration=2s\n");
        return idle.mean - SERVICE;
    }

    /// \return the mean stay in an M/M/c queue (Erlang C).
    static double GetErlangStay(double load, uint32_t places)
    {
        const double offered = load * places;
        double term = 1;
        double sum = 0;
        for (uint32_t k = 0; k < places; ++k)
        {
            sum += term;
            term *= offered / (k + 1);
        }
        const double waiting = term / (1 - load);
        const double wait = waiting / (sum + waiting);
        return SERVICE + (wait * SERVICE / (places * (1 - load)));
    }

    static void ExpectMean(const Result& result, double expected)
    {
        EXPECT_LE(result.halfWidth, 0.12 * result.mean);
        EXPECT_NEAR(result.mean, expected, 1.3 * result.halfWidth);
    }
};

const std::string ONE = "queue_depth = 1\n";
const std::string EXPONENTIAL = "latency_distribution = exponential\n";
const std::string LONG = "warm_up = auto\nduration = 30s\n";

TEST_F(QueueingTheoryTest, OneServerOfConstantService)
{
    constexpr double LOAD = 0.7;
    const double base = MeasureBase();
    EXPECT_GT(base, 10e-6);
    EXPECT_LT(base, 100e-6);
    const auto result = RunQueue(ONE, Poisson(LOAD / SERVICE), LONG);
    ExpectMean(result, base + SERVICE + (LOAD * SERVICE / (2 * (1 - LOAD))));
    EXPECT_NEAR(result.rate, LOAD / SERVICE, 0.03 * LOAD / SERVICE);
}

TEST_F(QueueingTheoryTest, OneServerOfExponentialService)
{
    constexpr double LOAD = 0.6;
    const double base = MeasureBase();
    const auto result = RunQueue(ONE + EXPONENTIAL, Poisson(LOAD / SERVICE), LONG);
    ExpectMean(result, base + (SERVICE / (1 - LOAD)));
    // The stay is exponential itself.
    const double p99 = base + (-std::log(0.01) * SERVICE / (1 - LOAD));
    EXPECT_NEAR(result.p99, p99, 0.12 * p99);
}

TEST_F(QueueingTheoryTest, SeveralServers)
{
    constexpr double LOAD = 0.8;
    constexpr uint32_t PLACES = 4;
    const double base = MeasureBase();
    const auto load = Poisson(LOAD * PLACES / SERVICE);
    const std::string time = "warm_up = auto\nduration = 8s\n";
    const auto device = RunQueue("queue_depth = 4\n" + EXPONENTIAL, load, time);
    ExpectMean(device, base + GetErlangStay(LOAD, PLACES));
    const auto threads = RunQueue(EXPONENTIAL, load, time, "nfs.threads=4");
    ExpectMean(threads, base + GetErlangStay(LOAD, PLACES));
}

/// Mean value analysis of N customers, a queue and a time to think: the throughput does not depend
/// on how that is distributed.
TEST_F(QueueingTheoryTest, AClosedLoop)
{
    constexpr double THINK = 4e-3;
    const double base = MeasureBase();
    for (const uint32_t customers : {1U, 4U, 10U})
    {
        double queue = 0;
        double throughput = 0;
        for (uint32_t n = 1; n <= customers; ++n)
        {
            const double stay = SERVICE * (1 + queue);
            throughput = n / (stay + base + THINK);
            queue = throughput * stay;
        }
        const auto result = RunQueue(ONE + EXPONENTIAL,
                                     "thinktime = 4ms\n",
                                     "warm_up = 200ms\nduration = 20s\n",
                                     "workload.iodepth=" + std::to_string(customers));
        EXPECT_NEAR(result.rate, throughput, 0.03 * throughput) << customers;
    }
}

/// The RPC counts from when its request arrived, wherever that waits: in the application, which has
/// one place here, or at the server.
TEST_F(QueueingTheoryTest, RpcsCountFromTheArrivalOfTheirRequest)
{
    double before = 0;
    for (const double load : {0.5, 0.7, 0.9, 1.1})
    {
        const auto result = RunQueue(EXPONENTIAL,
                                     Poisson(load / SERVICE),
                                     "warm_up = 100ms\nduration = 4s\n",
                                     "workload.iodepth=1");
        const auto latency = m_directory.ReadJson("out/summary.json")["latency_us"];
        const double p99 = latency["p99"].get<double>() * 1e-6;
        EXPECT_GT(p99, before) << load;
        EXPECT_NEAR(p99, result.p99, result.p99 / 32) << load;
        before = p99;
    }
    EXPECT_GT(before, 0.1);
}

TEST_F(QueueingTheoryTest, TheTailRisesWithTheLoadAndThereIsNoSteadyStateBeyondCapacity)
{
    double before = 0;
    for (const double load : {0.5, 0.7, 0.9, 1.1})
    {
        const auto result = RunQueue(ONE + EXPONENTIAL,
                                     Poisson(load / SERVICE),
                                     "warm_up = auto\nduration = 10s\n");
        EXPECT_GT(result.p99, before) << load;
        before = result.p99;
        EXPECT_EQ(result.output.find("no steady state") != std::string::npos, load > 1) << load;
    }
}

} // namespace

} // namespace ns3::nfsrdma
