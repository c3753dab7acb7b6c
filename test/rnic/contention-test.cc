/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/transfer-time.h"
#include "mpa/fpdu.h"
#include "mpa/tcp-preset.h"
#include "rnic/flow-fixture.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3::nfsrdma
{

namespace
{

constexpr double LINK = 100e9; ///< bit/s
/// Preamble, header, FCS and gap of an Ethernet frame.
constexpr uint32_t ETHERNET = 38;
constexpr uint32_t IP_TCP =
    DataCenterTcpPreset::IP_AND_TCP_HEADERS + DataCenterTcpPreset::TIMESTAMP_OPTION;

} // namespace

/// Flows between two hosts; how fast, and whose octets.
class Contention : public FlowTest
{
  protected:
    /// \return bit/s of payload that have arrived at \p host within \p time from now.
    double MeasureGoodput(const RnicHost& host, Time time)
    {
        const uint64_t before = host.device->GetCounters().payloadReceived;
        RunFor(time);
        return 8.0 * static_cast<double>(host.device->GetCounters().payloadReceived - before) /
               time.GetSeconds();
    }

    /// \return bit/s of payload of messages of \p length octets on a full link.
    double GetArithmeticGoodput(uint32_t length, uint32_t header, bool markers) const
    {
        const uint32_t most = m_flows[0].client->GetConnection().GetMulpdu() - header;
        double wire = 0;
        for (uint32_t sent = 0; sent < length; sent += most)
        {
            const uint32_t fpdu = Fpdu::WireSize(header + std::min(most, length - sent));
            constexpr double PERIOD = 512;
            constexpr double BETWEEN_MARKERS = PERIOD - 4;
            wire += (markers ? fpdu * PERIOD / BETWEEN_MARKERS : fpdu) + IP_TCP + ETHERNET;
        }
        return LINK * length / wire;
    }

    /// \return Jain's index of what the flows have completed: 1 when all are equal.
    double GetFairness() const
    {
        double sum = 0;
        double squares = 0;
        for (const Flow& flow : m_flows)
        {
            const auto octets = static_cast<double>(flow.octets);
            sum += octets;
            squares += octets * octets;
        }
        return sum * sum / (static_cast<double>(m_flows.size()) * squares);
    }

    void ExpectShares(double least)
    {
        const double fairness = GetFairness();
        RecordProperty("fairness", std::to_string(fairness));
        EXPECT_GE(fairness, least);
        EXPECT_LE(fairness, 1 + 1e-9);
    }
};

/// What a stream of large messages is made of.
struct StreamCase
{
    const char* name;
    uint16_t mtu;
    bool send; ///< Else RDMA Writes.
    bool markers;
    bool crc;
};

class Goodput : public Contention, public ::testing::WithParamInterface<StreamCase>
{
  protected:
    static constexpr uint32_t LENGTH = 1 << 20;

    void ConfigureDevice(RnicHost& host) override
    {
        FlowTest::ConfigureDevice(host);
        MpaSettings& settings = *host.device->GetMpaSettings();
        settings.SetAttribute("Markers", BooleanValue(GetParam().markers));
        settings.SetAttribute("Crc", BooleanValue(GetParam().crc));
    }

    uint16_t GetMtu() override
    {
        return GetParam().mtu;
    }

    SendWorkRequest MakeWork(Flow& /* flow */) override
    {
        return GetParam().send ? FlowSend(LENGTH) : FlowWrite(LENGTH);
    }

    uint32_t GetReceives(const Flow& /* flow */) override
    {
        return GetParam().send ? 32 : 0;
    }
};

TEST_P(Goodput, OfAStreamIsThatOfTheLink)
{
    AddFlows(1, 16);
    ASSERT_EQ(m_flows[0].client->GetConnection().GetAgreement().crc, GetParam().crc);
    Start();
    RunFor(MicroSeconds(500));
    const double goodput = MeasureGoodput(m_server, MilliSeconds(1));
    const uint32_t header = GetParam().send ? DdpUntaggedHeader::SIZE : DdpTaggedHeader::SIZE;
    const double arithmetic = GetArithmeticGoodput(LENGTH, header, GetParam().markers);
    RecordProperty("goodput", std::to_string(goodput / 1e9));
    EXPECT_NEAR(goodput / arithmetic, 1, 0.01) << goodput / 1e9 << " of " << arithmetic / 1e9;
}

INSTANTIATE_TEST_SUITE_P(Streams,
                         Goodput,
                         ::testing::Values(StreamCase{"WriteJumbo", 9000, false, false, false},
                                           StreamCase{"SendJumbo", 9000, true, false, false},
                                           StreamCase{"WriteJumboCrc", 9000, false, false, true},
                                           StreamCase{"WriteJumboMarkers", 9000, false, true, true},
                                           StreamCase{"SendJumboMarkers", 9000, true, true, false},
                                           StreamCase{"Write", 1500, false, false, false},
                                           StreamCase{"SendMarkersCrc", 1500, true, true, true}),
                         [](const auto& parameter) { return parameter.param.name; });

/// Writes of 64 octets, of which every 16th makes a completion.
class SmallMessages : public Contention
{
  protected:
    static constexpr uint32_t LENGTH = 64;
    static constexpr uint32_t SIGNAL_EVERY = 16;

    SendWorkRequest MakeWork(Flow& /* flow */) override
    {
        return FlowWrite(LENGTH);
    }

    /// \return messages a second.
    double MeasureRate()
    {
        Start();
        RunFor(MicroSeconds(200));
        return MeasureGoodput(m_server, MicroSeconds(300)) / (8 * LENGTH);
    }
};

class LargeMessages : public Contention, public ::testing::WithParamInterface<uint32_t>
{
  protected:
    SendWorkRequest MakeWork(Flow& /* flow */) override
    {
        return FlowWrite(65536);
    }
};

TEST_F(SmallMessages, TheEngineIsTheTighterLimit)
{
    AddFlows(4, 128, SIGNAL_EVERY);
    const RnicDevice& device = *m_client.device;
    const double engine =
        1 / (device.GetSettings().txPerWqe + device.GetSettings().txPerFpdu).GetSeconds();
    EXPECT_NEAR(MeasureRate() / engine, 1, 0.01);
}

TEST_F(SmallMessages, TheThreadIsTheTighterLimit)
{
    AddFlows(4, 128, SIGNAL_EVERY);
    const auto thread = Create<HostThread>();
    for (Flow& flow : m_flows)
    {
        flow.client->SetThread(thread);
        flow.clientCompletions->SetThread(thread);
    }
    const HostCpu& cpu = *m_client.device->GetHostCpu();
    const double host =
        1 / (cpu.GetPostCost(1, 0).GetSeconds() + cpu.GetPollCost().GetSeconds() / SIGNAL_EVERY);
    EXPECT_NEAR(MeasureRate() / host, 1, 0.01);
}

TEST_F(SmallMessages, TheCoresOfTheHostAreTheEngines)
{
    SetDevices("EngineOnHost", BooleanValue(true));
    SetDevices("TxPerWqe", TimeValue(NanoSeconds(700)));
    SetDevices("TxPerFpdu", TimeValue(NanoSeconds(300)));
    AddFlows(4, 128, SIGNAL_EVERY);
    m_client.device->GetHostCpu()->SetAttribute("Cores", UintegerValue(1));
    const auto thread = Create<HostThread>();
    for (Flow& flow : m_flows)
    {
        flow.client->SetThread(thread);
        flow.clientCompletions->SetThread(thread);
    }
    HostCpu& cpu = *m_client.device->GetHostCpu();
    const double work = 1e-6 + cpu.GetCopyTime(LENGTH).GetSeconds() +
                        cpu.GetPostCost(1, 0).GetSeconds() +
                        cpu.GetPollCost().GetSeconds() / SIGNAL_EVERY;
    const double rate = MeasureRate();
    EXPECT_NEAR(rate * work, 1, 0.01);
    const Time used = cpu.GetUsed();
    RunFor(MicroSeconds(200));
    EXPECT_NEAR((cpu.GetUsed() - used).GetSeconds(), 200e-6, 5e-6);
}

/// Flow i sends messages of GetLength(i) octets, or, when odd and m_mixed, Sends.
class Shares : public Contention
{
  protected:
    SendWorkRequest MakeWork(Flow& flow) override
    {
        const uint32_t length = GetLength(flow);
        return m_mixed && flow.index % 2 == 1 ? FlowSend(length) : FlowWrite(length);
    }

    uint32_t GetReceives(const Flow& /* flow */) override
    {
        return 32;
    }

    uint16_t GetMtu() override
    {
        return 9000;
    }

    virtual uint32_t GetLength(const Flow& flow)
    {
        constexpr uint32_t SHORT = 16384;
        return m_lengths && flow.index % 2 == 1 ? 4 * SHORT : SHORT;
    }

    /// Runs, and looks that in no window more than the wire can carry has arrived.
    void ExpectWithin(double most)
    {
        constexpr int WINDOWS = 50;
        const Time window = MicroSeconds(20);
        const double slack = 9000 * 8;
        for (int i = 0; i < WINDOWS; i++)
        {
            const double octets = MeasureGoodput(m_server, window) * window.GetSeconds();
            EXPECT_LE(octets, most * window.GetSeconds() + slack);
            m_total += octets;
        }
        m_mean = m_total / (WINDOWS * window.GetSeconds());
    }

    bool m_mixed{false};
    bool m_lengths{false};
    double m_total{0};
    double m_mean{0};
};

TEST_F(Shares, ManyQueuePairsShareTheLink)
{
    m_mixed = true;
    AddFlows(8, 16);
    Start();
    RunFor(MicroSeconds(500));
    const double arithmetic = GetArithmeticGoodput(16384, DdpTaggedHeader::SIZE, false);
    ExpectWithin(arithmetic);
    EXPECT_GE(m_mean / arithmetic, 0.97);
    ExpectShares(0.97);
}

TEST_F(Shares, LongMessagesDoNotTakeMore)
{
    m_lengths = true;
    SetDevices("PcieRate", DataRateValue(DataRate("40Gb/s")));
    AddFlows(8, 16);
    Start();
    RunFor(MilliSeconds(1));
    ExpectShares(0.97);
}

TEST_F(Shares, TheBusIsTheBottleneck)
{
    constexpr double BUS = 40e9;
    SetDevices("PcieRate", DataRateValue(DataRate("40Gb/s")));
    AddFlows(4, 16);
    Start();
    RunFor(MicroSeconds(200));
    ExpectWithin(BUS);
    EXPECT_LE(m_mean, BUS);
    EXPECT_GE(m_mean, 0.97 * BUS) << "work requests and completions take their part";
    const uint64_t before =
        m_client.device->GetClocks().GetBus().GetOctets(PcieBus::Direction::TO_DEVICE);
    RunFor(MilliSeconds(1));
    const uint64_t octets =
        m_client.device->GetClocks().GetBus().GetOctets(PcieBus::Direction::TO_DEVICE) - before;
    EXPECT_NEAR(8.0 * static_cast<double>(octets) / 1e-3 / BUS, 1, 0.01);
    ExpectShares(0.99);
}

/// Even flows read, odd flows write, so that the server's engine serves, and its bus places.
class ReadsAndWrites : public Shares
{
  protected:
    SendWorkRequest MakeWork(Flow& flow) override
    {
        return flow.index % 2 == 0 ? FlowRead(65536) : FlowWrite(65536);
    }
};

TEST_F(ReadsAndWrites, UseBothDirections)
{
    AddFlows(4, 8);
    Start();
    RunFor(MicroSeconds(300));
    const uint64_t before = m_client.device->GetCounters().payloadReceived;
    const double arithmetic = GetArithmeticGoodput(65536, DdpTaggedHeader::SIZE, false);
    const double written = MeasureGoodput(m_server, MilliSeconds(1));
    const double read =
        8e3 * static_cast<double>(m_client.device->GetCounters().payloadReceived - before);
    EXPECT_GE(written / arithmetic, 0.95);
    EXPECT_GE(read / arithmetic, 0.95);
    EXPECT_LE(written / arithmetic, 1.01);
    EXPECT_LE(read / arithmetic, 1.01);
}

/// The server's own Writes to the client, against Reads that it serves to it.
class ReadsAgainstOwnWrites : public Shares
{
  protected:
    SendWorkRequest MakeWork(Flow& /* flow */) override
    {
        return FlowRead(LENGTH);
    }

    static constexpr uint32_t LENGTH = 65536;
};

TEST_F(ReadsAgainstOwnWrites, TakeTurnsAtTheEngine)
{
    SetDevices("PcieRate", DataRateValue(DataRate("40Gb/s")));
    OpenResponder();
    AddFlows(1, 8);
    Start();
    SendWorkRequest write;
    write.opcode = WorkRequestOpcode::RDMA_WRITE;
    write.elements = {{0, LENGTH, m_target->GetStag()}};
    write.remoteStag = m_source->GetStag();
    const uint64_t before = m_flows[0].octets;
    const std::vector<SendWorkRequest> chain(64, write);
    const Time start = Simulator::Now();
    ASSERT_TRUE(m_server.pair->PostSend(chain));
    while (m_server.sent.size() < chain.size())
    {
        RunFor(MicroSeconds(5));
    }
    const double written = static_cast<double>(chain.size()) * LENGTH;
    const auto read = static_cast<double>(m_flows[0].octets - before);
    EXPECT_NEAR(written / (written + read), 0.5, 0.05);
    const double seconds = (Simulator::Now() - start).GetSeconds();
    EXPECT_LE(8 * (written + read) / seconds, 40e9 * 1.02);
    EXPECT_GE(8 * (written + read) / seconds, 40e9 * 0.95);
}

/// Queue pairs that have one message each outstanding, and room for few contexts on the device:
/// what fetches contexts is busy all the time.
TEST_F(SmallMessages, FetchesOfContextsLimitTheRate)
{
    SetDevices("ContextCacheSize", UintegerValue(2));
    SetDevices("ContextReplacement", StringValue("lru"));
    SetDevices("ContextFetches", UintegerValue(2));
    AddFlows(16, 1);
    const RnicDevice& device = *m_client.device;
    const double fetches = 2 / device.GetSettings().contextMiss.GetSeconds();
    EXPECT_NEAR(MeasureRate() / fetches, 1, 0.02);
}

/// Engines serve those whose contexts are there while others are fetched: with enough to do, some
/// more queue pairs than contexts cost nothing.
TEST_F(SmallMessages, FetchesOfContextsAreHiddenByOtherWork)
{
    SetDevices("ContextCacheSize", UintegerValue(8));
    AddFlows(12, 128, SIGNAL_EVERY);
    const RnicDevice& device = *m_client.device;
    const double engine =
        1 / (device.GetSettings().txPerWqe + device.GetSettings().txPerFpdu).GetSeconds();
    EXPECT_NEAR(MeasureRate() / engine, 1, 0.02);
    EXPECT_GT(device.GetCounters().contextMisses, 12U);
}

/// R07 and R08: one queue pair cannot use all that an adapter of 400 Gbit/s has.
TEST_P(LargeMessages, AQueuePairHasALimitOfItsOwn)
{
    SetDevices("QpRate", DataRateValue(DataRate("20Gbps")));
    AddFlows(GetParam(), 16);
    Start();
    RunFor(MicroSeconds(100));
    EXPECT_NEAR(MeasureGoodput(m_server, MicroSeconds(500)) / (GetParam() * 20e9), 1, 0.03);
}

INSTANTIATE_TEST_SUITE_P(QueuePairs, LargeMessages, ::testing::Values(1, 2, 3));

} // namespace ns3::nfsrdma
