/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/flow-fixture.h"

#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

/// Millions of messages a second, least and most.
struct ScaleCase
{
    const char* name;
    bool reads;
    uint32_t pairs;
    double least;
    double most;
};

/**
 * \brief Row R12 of the published measurements: small RDMA Reads over 32, 64, 512 and 4096 queue
 * pairs, 83, 55, 42 and 21 million a second.
 *
 * Fitted: the engine (12 ns) on 32 queue pairs; contexts near it and the time to load one on 64 and
 * 512; on 4096 contexts on the device, and how many are fetched at once, each for the median of
 * P09. How many Reads were outstanding is not published: 256 in all, or one on each queue pair.
 * RDMA Writes with the same parameters are predicted: the requester needs a context once, not again
 * for a response, so that they lose far less.
 */
class ContextScale : public FlowTest, public ::testing::WithParamInterface<ScaleCase>
{
  protected:
    static constexpr uint32_t LENGTH = 8;
    static constexpr uint32_t OUTSTANDING = 256;

    SendWorkRequest MakeWork(Flow& /* flow */) override
    {
        return GetParam().reads ? FlowRead(LENGTH) : FlowWrite(LENGTH);
    }

    void SetUp() override
    {
        Config::SetDefault("ns3::nfsrdma::EthernetNetDevice::DataRate", StringValue("400Gbps"));
        FlowTest::SetUp();
        for (const char* cost : {"PostCost", "PostPerRequest", "PollCost"})
        {
            SetProcessors(cost, TimeValue(Time(0)));
        }
        for (const char* cost : {"TxPerWqe", "TxPerFpdu", "RxPerFpdu"})
        {
            SetDevices(cost, TimeValue(NanoSeconds(6)));
        }
        SetDevices("AckCost", TimeValue(Time(0)));
        SetDevices("ReadRequestTurnaround", TimeValue(Time(0)));
        SetDevices("ContextNearSize", UintegerValue(15));
        SetDevices("ContextLoad", TimeValue(NanoSeconds(12)));
        SetDevices("ContextCacheSize", UintegerValue(1024));
        SetDevices("ContextMiss", TimeValue(NanoSeconds(546)));
        SetDevices("ContextFetches", UintegerValue(11));
    }

    void TearDown() override
    {
        FlowTest::TearDown();
        Config::Reset();
    }

    /// \return messages in a second of \p span from now on.
    double MeasureRate(Time span)
    {
        const auto& counters = (GetParam().reads ? m_client : m_server).device->GetCounters();
        const uint64_t before = counters.payloadReceived;
        RunFor(span);
        return static_cast<double>(counters.payloadReceived - before) / LENGTH / span.GetSeconds();
    }
};

TEST_P(ContextScale, RatesArePublishedOnes)
{
    const uint32_t pairs = GetParam().pairs;
    AddFlows(pairs, std::max(1U, OUTSTANDING / pairs));
    Start();
    const Time span = NanoSeconds(800) * pairs;
    RunFor(span);
    const double rate = MeasureRate(span) / 1e6;
    RecordProperty("rate", std::to_string(rate));
    EXPECT_GE(rate, GetParam().least);
    EXPECT_LE(rate, GetParam().most);
}

INSTANTIATE_TEST_SUITE_P(Slow,
                         ContextScale,
                         ::testing::Values(ScaleCase{"Reads32", true, 32, 83 * 0.9, 83 * 1.1},
                                           ScaleCase{"Reads64", true, 64, 55 * 0.9, 55 * 1.1},
                                           ScaleCase{"Reads512", true, 512, 42 * 0.9, 42 * 1.1},
                                           ScaleCase{"Reads4096", true, 4096, 21 * 0.9, 21 * 1.1},
                                           ScaleCase{"Writes64", false, 64, 83 * 0.9, 83 * 1.1},
                                           ScaleCase{"Writes512", false, 512, 83 * 0.9, 83 * 1.1},
                                           ScaleCase{"Writes4096", false, 4096, 21 * 1.4, 83}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

} // namespace

} // namespace ns3::nfsrdma
