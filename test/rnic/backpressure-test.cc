/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/fpdu.h"
#include "rnic/flow-fixture.h"

#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t FLOW_WRITE = 65536;
constexpr uint32_t RX_BUFFER = 65536;
constexpr uint32_t CREDITS = 8192;

/// A part of the receiving RNIC that alone is slow, and what it lets through.
struct SlowStage
{
    const char* name;
    const char* attribute;
    const char* value;
    uint32_t credits; ///< Octets.
    /// \return nanoseconds for an FPDU with \p payload octets
    double (*time)(double payload);
};

const SlowStage SLOW_STAGES[] = {
    {"Engine", "RxPerFpdu", "1us", CREDITS, [](double) { return 1000.0; }},
    {"Crc", "CrcRate", "10Gbps", CREDITS, [](double payload) { return (payload + 24) * 0.8; }},
    {"Bus", "PcieRate", "10Gbps", CREDITS, [](double payload) { return payload * 0.8; }},
    {"Credits",
     "PcieLatency",
     "1500ns",
     1460,
     [](double payload) { return payload * 8 / 208 + 1500; }},
    {"OrderedWrites",
     "PcieCommit",
     "200ns",
     CREDITS,
     [](double payload) { return std::ceil(payload / 256) * 200; }},
};

/// Which stage is slow, and whether the RNIC's own TCP carries the streams.
using StageSituation = std::tuple<SlowStage, bool>;

std::string
NameOfStage(const testing::TestParamInfo<StageSituation>& info)
{
    return std::string(std::get<0>(info.param).name) +
           (std::get<1>(info.param) ? "UnderOwnTcp" : "UnderNs3Tcp");
}

/// Writes to a server whose RNIC has one slow stage: TCP holds the client up.
class Backpressure : public FlowTest, public testing::WithParamInterface<StageSituation>
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        FlowTest::ConfigureDevice(host);
        const auto& [stage, own] = GetParam();
        host.device->GetTransport()->SetAttribute(
            "Tcp",
            EnumValue(own ? MpaTransport::OFFLOAD : MpaTransport::NS3));
        host.device->SetAttribute("RxBuffer", UintegerValue(RX_BUFFER));
        if (&host == &m_server)
        {
            host.device->SetAttribute("PciePostedWrites", UintegerValue(stage.credits));
            host.device->SetAttribute(stage.attribute, StringValue(stage.value));
        }
    }

    void SetUp() override
    {
        FlowTest::SetUp();
        m_server.port->TraceConnectWithoutContext("PhyTxBegin",
                                                  MakeCallback(&Backpressure::NoteWindow, this));
        m_client.port->TraceConnectWithoutContext("PhyTxBegin",
                                                  MakeCallback(&Backpressure::NoteFrame, this));
    }

    SendWorkRequest MakeWork(Flow& /* flow */) override
    {
        return FlowWrite(FLOW_WRITE);
    }

    /// \return payload octets of a full FPDU of a Write.
    double GetPayload() const
    {
        constexpr uint32_t TAGGED_HEADER = 14;
        return m_flows[0].client->GetConnection().GetMulpdu() - TAGGED_HEADER;
    }

    /// \return nanoseconds that the slow stage takes for each Write.
    double GetWriteTime() const
    {
        const SlowStage& stage = std::get<0>(GetParam());
        double time = 0;
        for (double left = FLOW_WRITE; left > 0; left -= GetPayload())
        {
            time += stage.time(std::min(left, GetPayload()));
        }
        return time;
    }

    void NoteWindow(Ptr<const Packet> frame)
    {
        constexpr uint32_t TCP = 34; // Behind Ethernet and IPv4.
        constexpr uint32_t WINDOW = TCP + 14;
        constexpr uint32_t FLAGS = TCP + 13;
        constexpr uint8_t SYN = 2;
        std::array<uint8_t, TCP + 20> head{};
        if (frame->CopyData(head.data(), head.size()) == head.size() && (head[FLAGS] & SYN) == 0)
        {
            const uint16_t window = boost::endian::load_big_u16(&head[WINDOW]);
            m_leastWindow = std::min(m_leastWindow, window);
            m_largestWindow = std::max(m_largestWindow, window);
        }
    }

    void NoteFrame(Ptr<const Packet> frame)
    {
        constexpr uint32_t AROUND = 24; // Preamble, FCS and gap.
        EXPECT_GE(Simulator::Now(), m_lineFree) << "faster than the line";
        constexpr double NANOSECONDS_PER_OCTET = 0.08;
        m_lineFree =
            Simulator::Now() +
            NanoSeconds(static_cast<int64_t>((frame->GetSize() + AROUND) * NANOSECONDS_PER_OCTET));
    }

    uint16_t m_leastWindow{0xffff};
    uint16_t m_largestWindow{0};
    Time m_lineFree;
};

TEST_P(Backpressure, TheSlowStageSetsTheRateAndTcpHoldsThePeerUp)
{
    const Time measured = MilliSeconds(5);
    constexpr uint32_t WINDOW = 24; // More than the buffers of both TCPs hold.
    AddFlows(1, WINDOW);
    Start();
    RunFor(MilliSeconds(3));
    ReceiveBuffer& buffer = m_server.device->GetReceiveBuffer();
    const uint64_t before = buffer.GetLeft();
    const uint64_t writes = m_server.device->GetCounters().payloadReceived;
    RunFor(measured);
    const double received = m_server.device->GetCounters().payloadReceived - writes;
    const double expected = measured.GetNanoSeconds() / GetWriteTime() * FLOW_WRITE;
    EXPECT_NEAR(received / expected, 1, 0.03);
    EXPECT_GT(buffer.GetLeft(), before);
    EXPECT_LT(m_leastWindow, m_largestWindow / 8) << "the window has closed";
    Finish();
    EXPECT_LE(buffer.GetMeter().GetPeak(), RX_BUFFER);
    EXPECT_GT(buffer.GetMeter().GetPeak(), RX_BUFFER / 2);
    EXPECT_GT(buffer.GetStalls(), 10U);
    EXPECT_EQ(buffer.GetMeter().GetCurrent(), 0U);
    EXPECT_EQ(buffer.GetLeft(), buffer.GetTaken());
    EXPECT_LE(m_server.device->GetClocks().GetPostedWrites().GetPeak(),
              std::get<0>(GetParam()).credits);
    EXPECT_EQ(m_server.memory->GetPostedOctets(), 0U);
    EXPECT_EQ(m_flows[0].completed, m_flows[0].posted);
    EXPECT_EQ(m_server.device->GetCounters().payloadReceived, m_flows[0].posted * FLOW_WRITE)
        << "nothing is lost, and nothing comes twice";
}

TEST_P(Backpressure, QueuePairsShareTheSlowStage)
{
    constexpr uint32_t FLOWS = 4;
    AddFlows(FLOWS, 12);
    Start();
    const auto count = [this] {
        std::vector<uint64_t> octets;
        for (const Flow& flow : m_flows)
        {
            octets.push_back(flow.server->GetConnection().GetCounters().rxOctets);
        }
        return octets;
    };
    RunFor(MilliSeconds(6));
    const auto before = count();
    RunFor(MilliSeconds(6));
    auto octets = count();
    std::transform(octets.begin(), octets.end(), before.begin(), octets.begin(), std::minus<>());
    const auto [least, most] = std::minmax_element(octets.begin(), octets.end());
    EXPECT_GT(*least, *most * 8 / 10);
    EXPECT_LE(m_server.device->GetReceiveBuffer().GetMeter().GetPeak(), RX_BUFFER);
    Finish();
    EXPECT_EQ(m_server.device->GetReceiveBuffer().GetMeter().GetCurrent(), 0U);
}

TEST_P(Backpressure, MemoryChangesWhenTheBusHasWrittenItAndNotBefore)
{
    constexpr uint32_t PROBE = FLOW_WRITE - 1;
    AddFlows(1, 1);
    const ByteVector pattern(FLOW_WRITE, 0x5a);
    m_client.memory->Write(m_source->GetRegistration().address, pattern);
    const uint64_t address = m_target->GetRegistration().address + PROBE;
    const auto look = [&] {
        uint8_t octet = 0;
        m_server.memory->Read(address, {&octet, 1});
        return octet == pattern.back();
    };
    Time placed;
    m_server.device->GetPlacementWatch().Add(address, [&] {
        placed = Simulator::Now();
        EXPECT_TRUE(look());
    });
    Time seen;
    constexpr int64_t STEP = 100;
    for (int64_t at = 0; at < MilliSeconds(1).GetNanoSeconds(); at += STEP)
    {
        Simulator::Schedule(NanoSeconds(at), [&] {
            if (seen.IsZero() && look())
            {
                seen = Simulator::Now();
            }
        });
    }
    const Time began = Simulator::Now();
    ASSERT_TRUE(m_flows[0].client->PostSend(FlowWrite(FLOW_WRITE)));
    Run();
    ASSERT_FALSE(placed.IsZero());
    EXPECT_GE(seen, placed);
    EXPECT_LT(seen, placed + NanoSeconds(2 * STEP));
    EXPECT_GT((placed - began).GetNanoSeconds(), GetWriteTime());
}

INSTANTIATE_TEST_SUITE_P(Stages,
                         Backpressure,
                         testing::Combine(testing::ValuesIn(SLOW_STAGES), testing::Bool()),
                         NameOfStage);

/// Two queue pairs whose payload is long on the bus of the server.
class FailureBesidePayload : public FlowTest
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        FlowTest::ConfigureDevice(host);
        host.device->SetAttribute("PcieLatency", StringValue("20us"));
        host.device->SetAttribute("PciePostedWrites", UintegerValue(0));
    }

    /// What completes is left in \p queue.
    static void LeaveThere(Ptr<CompletionQueue> /* queue */)
    {
    }

    SendWorkRequest MakeWork(Flow& flow) override
    {
        SendWorkRequest work = FlowWrite(FLOW_WRITE);
        work.remoteOffset += uint64_t{flow.index} * FLOW_WRITE;
        return work;
    }
};

TEST_F(FailureBesidePayload, HastensThatOfTheFailedQueuePairAlone)
{
    AddFlows(2, 1);
    m_client.memory->Write(m_source->GetRegistration().address, ByteVector(FLOW_WRITE, 0x5a));
    const auto look = [this](uint32_t flow) {
        uint8_t octet = 0;
        m_server.memory->Read(m_target->GetRegistration().address + uint64_t{flow} * FLOW_WRITE,
                              {&octet, 1});
        return octet != 0;
    };
    const auto& counters = m_server.device->GetCounters();
    Start();
    while (counters.payloadReceived < 3 * FLOW_WRITE / 2)
    {
        RunFor(MicroSeconds(1));
    }
    ASSERT_FALSE(look(0) || look(1)) << "all of it is on the bus";
    const uint64_t onTheBus = m_server.memory->GetPostedOctets();
    for (const auto& queue : {m_flows[0].clientCompletions, m_flows[0].serverCompletions})
    {
        queue->SetNotifyCallback(MakeCallback(&LeaveThere));
    }
    m_flows[0].server->Abort();
    EXPECT_TRUE(look(0));
    EXPECT_FALSE(look(1));
    EXPECT_LT(m_server.memory->GetPostedOctets(), onTheBus);
    EXPECT_GT(m_server.memory->GetPostedOctets(), onTheBus / 4);
    RunFor(MicroSeconds(40));
    EXPECT_TRUE(look(1)) << "at its time";
    Finish();
    EXPECT_EQ(counters.payloadReceived, m_server.memory->GetPostCounters().written);
}

} // namespace
} // namespace ns3::nfsrdma
