/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ddp/segment-header.h"
#include "rnic/flow-fixture.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t TRANSMIT_WRITE = 65536;
constexpr uint32_t MRRS = 512;
constexpr double READ_NS = 2000;

/// A part of the sending RNIC that alone is slow, and what it lets through.
struct SlowTransmitStage
{
    const char* name;
    std::vector<std::pair<const char*, const char*>> attributes;
    /// \return nanoseconds for an FPDU with \p payload octets
    double (*time)(double payload);
};

const SlowTransmitStage SLOW_TRANSMIT_STAGES[] = {
    {"Engine", {{"TxPerFpdu", "1us"}}, [](double) { return 1000.0; }},
    {"Bus", {{"PcieRate", "10Gbps"}}, [](double payload) { return payload * 0.8; }},
    {"BusOfPackets",
     {{"PcieRate", "10Gbps"}, {"PcieHeader", "24"}, {"PcieRcb", "128"}},
     [](double payload) { return (payload + 20 * std::ceil(payload / 128)) * 0.8; }},
    {"Store", {{"DmaRate", "10Gbps"}}, [](double payload) { return payload * 0.8; }},
    {"Tags",
     {{"PcieTags", "4"}, {"PcieLatency", "2us"}},
     [](double payload) { return std::ceil(payload / MRRS) * READ_NS / 4; }},
    {"RoomForCompletions",
     {{"PcieReadBuffer", "512"}, {"PcieLatency", "2us"}},
     [](double payload) { return std::ceil(payload / MRRS) * READ_NS; }},
    {"QueuePair", {{"QpRate", "10Gbps"}}, [](double payload) { return payload * 0.8; }},
};

/// Writes from a client whose RNIC has one slow stage on the way out.
class TransmitStages : public FlowTest, public testing::WithParamInterface<SlowTransmitStage>
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        FlowTest::ConfigureDevice(host);
        host.device->SetAttribute("PcieMrrs", UintegerValue(MRRS));
        if (&host == &m_client)
        {
            for (const auto& [name, value] : GetParam().attributes)
            {
                host.device->SetAttribute(name, StringValue(value));
            }
        }
    }

    SendWorkRequest MakeWork(Flow& /* flow */) override
    {
        return FlowWrite(TRANSMIT_WRITE);
    }
};

TEST_P(TransmitStages, TheSlowOneSetsTheRate)
{
    const Time measured = MilliSeconds(3);
    AddFlows(1, 8);
    const double most = m_flows[0].client->GetConnection().GetMulpdu() - DdpTaggedHeader::SIZE;
    double expected = 0;
    for (double left = TRANSMIT_WRITE; left > 0; left -= most)
    {
        expected += GetParam().time(std::min(left, most));
    }
    Start();
    RunFor(MilliSeconds(1));
    const uint64_t before = m_client.device->GetCounters().payloadSent;
    RunFor(measured);
    const double sent = m_client.device->GetCounters().payloadSent - before;
    EXPECT_NEAR(sent / (measured.GetNanoSeconds() / expected * TRANSMIT_WRITE), 1, 0.03);
    Finish();
    EXPECT_EQ(m_flows[0].completed, m_flows[0].posted);
    PcieTransactions& bus = m_client.device->GetClocks().GetPcie();
    const RnicSettings& settings = m_client.device->GetSettings();
    if (settings.pcieTags != 0)
    {
        EXPECT_LE(bus.GetTags().GetPeak(), settings.pcieTags);
    }
    if (settings.pcieReadBuffer != 0)
    {
        EXPECT_LE(bus.GetCompletions().GetPeak(), settings.pcieReadBuffer);
    }
    EXPECT_EQ(bus.GetCompletions().GetReturned(Simulator::Now()), bus.GetCompletions().GetGiven());
    EXPECT_EQ(m_server.device->GetCounters().payloadReceived,
              m_flows[0].posted * uint64_t{TRANSMIT_WRITE});
}

INSTANTIATE_TEST_SUITE_P(Stages,
                         TransmitStages,
                         testing::ValuesIn(SLOW_TRANSMIT_STAGES),
                         [](const auto& tested) { return std::string(tested.param.name); });

} // namespace

class WorkPush : public RnicTest
{
  protected:
    /// \return from the post of a Send of 8 octets to its arrival.
    Time Measure(uint32_t push)
    {
        m_client.device->SetAttribute("WqePush", UintegerValue(push));
        PostReceive(m_server, 1, Keep(m_server.Room(8)));
        Run();
        const Time start = Simulator::Now();
        PostSend(m_client, Send(1, Keep(m_client.Fill(Pattern(8)))));
        Run();
        return m_arrived - start;
    }

    void Completed(RnicHost& host, const WorkCompletion& completion) override
    {
        EXPECT_EQ(completion.status, WorkCompletionStatus::SUCCESS);
        m_arrived = &host == &m_server ? Simulator::Now() : m_arrived;
    }

    Time m_arrived;
};

TEST_F(WorkPush, SparesTheFetchOfOneThatFits)
{
    Connect();
    constexpr uint32_t ONE_ELEMENT = 80;
    const Time fetched = Measure(0);
    EXPECT_EQ(Measure(ONE_ELEMENT - 1), fetched);
    const RnicSettings& settings = m_client.device->GetSettings();
    EXPECT_NEAR((fetched - Measure(ONE_ELEMENT)).GetNanoSeconds(),
                settings.wqeFetch.GetNanoSeconds(),
                5);
}

/// Reads of a list of work requests are ahead of their use: the first starts when the first read is
/// there, and those behind it wait for theirs only as long as these take.
TEST_F(WorkPush, AListIsFetchedInBatches)
{
    Connect();
    constexpr uint32_t COUNT = 32;
    const auto measure = [this](uint32_t batch) {
        m_client.device->SetAttribute("WqeBatch", UintegerValue(batch));
        std::vector<SendWorkRequest> chain;
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            PostReceive(m_server, i, Keep(m_server.Room(8)));
            chain.push_back(Send(i, Keep(m_client.Fill(Pattern(8)))));
        }
        Run();
        const PcieBus& bus = m_client.device->GetClocks().GetBus();
        const uint64_t before = bus.GetOctets(PcieBus::Direction::TO_DEVICE);
        const Time start = Simulator::Now();
        EXPECT_TRUE(m_client.pair->PostSend(chain));
        Run();
        constexpr uint64_t DESCRIPTORS = COUNT * 80;
        EXPECT_EQ(bus.GetOctets(PcieBus::Direction::TO_DEVICE) - before, DESCRIPTORS + COUNT * 8);
        return m_arrived - start;
    };
    m_client.device->SetAttribute("PcieRate", StringValue("10Gbps"));
    const Time whole = measure(0);
    const Time batches = measure(8);
    EXPECT_LT(batches, whole);
    EXPECT_GT(batches, whole - NanoSeconds(COUNT * 64));
}

TEST_F(WorkPush, CommandsForQueuePairsTakeTimeOfACore)
{
    for (const char* verb : {"HostCreateQp", "HostModifyQp", "HostDestroyQp"})
    {
        m_server.device->SetAttribute(verb, StringValue("30us"));
    }
    const HostCpu& cpu = *m_server.device->GetHostCpu();
    const Time before = cpu.GetUsed();
    const auto queue = m_server.device->CreateCompletionQueue(8).value();
    const auto pair =
        m_server.device->CreateQueuePair(m_server.domain, queue, queue, {4, 4}).value();
    Run();
    EXPECT_EQ(cpu.GetUsed() - before, MicroSeconds(30));
    ASSERT_TRUE(m_server.device->Destroy(pair));
    Run();
    EXPECT_EQ(cpu.GetUsed() - before, MicroSeconds(60));
}

class SlowCommands : public RnicTest
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        RnicTest::ConfigureDevice(host);
        if (&host == (m_isInitiatorSlow ? &m_client : &m_server))
        {
            host.device->SetAttribute("HostCreateQp", TimeValue(m_command));
        }
    }

    /// \return how long it takes until the initiator's queue pair can send.
    Time MeasureConnect()
    {
        const Time start = Simulator::Now();
        Time connected;
        m_client.pair->TraceConnectWithoutContext(
            "State",
            Callback<void, QueuePairState, QueuePairState>(
                [&connected](QueuePairState, QueuePairState now) {
                    connected = now == QueuePairState::RTS ? Simulator::Now() : connected;
                }));
        Connect();
        return connected - start;
    }

    bool m_isInitiatorSlow{false};
    Time m_command{MilliSeconds(2)};
};

TEST_F(SlowCommands, AResponderAcceptsWhenItsQueuePairIsMade)
{
    const Time took = MeasureConnect();
    EXPECT_GT(took, m_command);
    EXPECT_LT(took, m_command + MilliSeconds(1));
}

class SlowCommandsOfInitiator : public SlowCommands
{
  protected:
    SlowCommandsOfInitiator()
    {
        m_isInitiatorSlow = true;
    }
};

TEST_F(SlowCommandsOfInitiator, AnInitiatorConnectsWhenItsQueuePairIsMade)
{
    const Time took = MeasureConnect();
    EXPECT_GT(took, m_command);
    EXPECT_LT(took, m_command + MilliSeconds(1));
}

TEST_F(SlowCommandsOfInitiator, AnAttemptCanBeGivenUpBeforeItBegins)
{
    const auto id = CmId::Create(m_client.device);
    ASSERT_TRUE(id->Connect(m_client.pair, GetServerAddress(), GetParameters(m_client)));
    id->Disconnect();
    id->Destroy();
    Run();
    EXPECT_EQ(m_client.port->GetCounters().framesSent, 0U);
}

} // namespace ns3::nfsrdma
