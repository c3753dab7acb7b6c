/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/flow-fixture.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

namespace
{

/// What is left of the engine's rate; bounds.
struct PairsCase
{
    const char* name;
    bool reads;
    uint32_t pairs;
    double least;
    double most;
};

/// Small Reads or Writes over more and more queue pairs, each with a few outstanding, from threads
/// that cost nothing: what is left is the adapter.
class ManyQueuePairs : public FlowTest, public ::testing::WithParamInterface<PairsCase>
{
  protected:
    static constexpr uint32_t LENGTH = 8;

    SendWorkRequest MakeWork(Flow& /* flow */) override
    {
        return GetParam().reads ? FlowRead(LENGTH) : FlowWrite(LENGTH);
    }

    void SetUp() override
    {
        FlowTest::SetUp();
        for (const char* cost : {"PostCost", "PostPerRequest", "PollCost"})
        {
            SetProcessors(cost, TimeValue(Time(0)));
        }
    }

    /// \return messages a second.
    double MeasureRate()
    {
        RunFor(MicroSeconds(100));
        const auto& counters = (GetParam().reads ? m_client : m_server).device->GetCounters();
        const uint64_t before = counters.payloadReceived;
        RunFor(MicroSeconds(200));
        return static_cast<double>(counters.payloadReceived - before) / LENGTH / 200e-6;
    }
};

/// More queue pairs than the engines have contexts of, and more than the device has, cost by
/// degrees; Reads, whose responses need the context again, cost more than Writes.
TEST_P(ManyQueuePairs, CostByDegrees)
{
    SetDevices("AckCost", TimeValue(Time(0)));
    SetDevices("ContextNearSize", UintegerValue(32));
    SetDevices("ContextLoad", TimeValue(NanoSeconds(75)));
    SetDevices("ContextCacheSize", UintegerValue(128));
    SetDevices("ContextMiss", TimeValue(NanoSeconds(546)));
    AddFlows(GetParam().pairs, 8);
    Start();
    const auto& settings = m_client.device->GetSettings();
    const double engine = 1 / (settings.txPerWqe + settings.txPerFpdu).GetSeconds();
    const double share = MeasureRate() / engine;
    RecordProperty("share", std::to_string(share));
    EXPECT_GE(share, GetParam().least);
    EXPECT_LE(share, GetParam().most);
}

INSTANTIATE_TEST_SUITE_P(QueuePairs,
                         ManyQueuePairs,
                         ::testing::Values(PairsCase{"Reads32", true, 32, 0.99, 1.01},
                                           PairsCase{"Reads33", true, 33, 0.99, 1.01},
                                           PairsCase{"Reads64", true, 64, 0.95, 1.01},
                                           PairsCase{"Reads128", true, 128, 0.85, 1.0},
                                           PairsCase{"Reads129", true, 129, 0.85, 1.0},
                                           PairsCase{"Reads512", true, 512, 0.5, 0.7},
                                           PairsCase{"Writes32", false, 32, 0.99, 1.01},
                                           PairsCase{"Writes128", false, 128, 0.9, 1.01},
                                           PairsCase{"Writes512", false, 512, 0.9, 1.01}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

} // namespace
} // namespace ns3::nfsrdma
