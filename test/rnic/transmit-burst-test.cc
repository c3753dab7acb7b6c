/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/tcp-segment.h"
#include "rnic/flow-fixture.h"

#include "ns3/data-rate.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

constexpr const char* BURST = "2us";
constexpr const char* NO_BURST = "0ns";
constexpr uint32_t LONG_WRITE = 65536;
constexpr uint32_t SHORT_WRITE = 512;

} // namespace

/// Writes over queue pairs of a device whose transmit engine sends in bursts.
class TransmitBurstTest : public FlowTest
{
  protected:
    /// A frame with payload that leaves the client, and when.
    struct Departure
    {
        Time at;
        uint16_t port; ///< The client's.
        ByteVector payload;

        bool operator==(const Departure& other) const
        {
            return at == other.at && port == other.port && payload == other.payload;
        }
    };

    void ConfigureDevice(RnicHost& host) override
    {
        FlowTest::ConfigureDevice(host);
        host.device->SetAttribute("TxBurst", StringValue(m_burst));
        host.device->SetAttribute("TxPerFpdu", StringValue(m_perFpdu));
        host.device->SetAttribute("QpRate", StringValue(m_rate));
    }

    SendWorkRequest MakeWork(Flow& flow) override
    {
        return FlowWrite(flow.index == 0 ? LONG_WRITE : SHORT_WRITE);
    }

    void SetUp() override
    {
        FlowTest::SetUp();
        m_client.port->TraceConnectWithoutContext("PhyTxBegin",
                                                  MakeCallback(&TransmitBurstTest::Leave, this));
    }

    void Leave(Ptr<const Packet> frame)
    {
        ByteVector octets(frame->GetSize());
        frame->CopyData(octets.data(), frame->GetSize());
        const auto segment = TcpSegment::Decode(octets);
        if (segment)
        {
            m_frames.push_back({segment->sequence, static_cast<uint32_t>(segment->payload.size())});
        }
        if (segment && !segment->payload.empty())
        {
            m_departures.push_back({Simulator::Now(), segment->sourcePort, segment->payload});
        }
    }

    /// Everything anew, with bursts of \p burst and the engine and the rate as they are set.
    void Restart(const char* burst)
    {
        FlowTest::TearDown();
        m_flows.clear();
        m_burst = burst;
        SetUp();
        m_departures.clear();
    }

    /// \return what leaves when one queue pair writes alone, \p writes at a time, for \p time.
    std::vector<Departure> WriteAlone(const char* burst, uint32_t writes, Time time)
    {
        Restart(burst);
        AddFlows(1, writes);
        m_departures.clear();
        const uint64_t before = Simulator::GetEventCount();
        Start();
        RunFor(time);
        m_events = Simulator::GetEventCount() - before;
        return m_departures;
    }

    /// Sequence number and octets of a segment that leaves the client.
    struct Sent
    {
        uint32_t sequence;
        uint32_t octets;
    };

    const char* m_burst{BURST};
    const char* m_perFpdu{"20ns"};
    const char* m_rate{"0bps"};
    std::vector<Departure> m_departures;
    std::vector<Sent> m_frames;
    uint64_t m_events{0};
};

TEST_F(TransmitBurstTest, WhatLeavesWhenIsAsWithoutBursts)
{
    const auto burst = WriteAlone(BURST, 1, MicroSeconds(200));
    const uint64_t events = m_events;
    const auto single = WriteAlone(NO_BURST, 1, MicroSeconds(200));
    ASSERT_GT(single.size(), 500U);
    EXPECT_EQ(burst.size(), single.size());
    EXPECT_TRUE(burst == single);
    EXPECT_LT(events + single.size() / 2, m_events) << "an event a burst, not a segment";
}

TEST_F(TransmitBurstTest, NothingLeavesBeforeTheEngineHasMadeIt)
{
    m_perFpdu = "300ns";
    const auto burst = WriteAlone(BURST, 4, MicroSeconds(200));
    for (std::size_t i = 1; i < burst.size(); ++i)
    {
        EXPECT_GE(burst[i].at - burst[i - 1].at, NanoSeconds(300)) << "frame " << i;
    }
    EXPECT_GT(burst.size(), 500U);
}

TEST_F(TransmitBurstTest, ARateThatBoundsAQueuePairPacesWithinABurst)
{
    m_rate = "10Gbps";
    const auto burst = WriteAlone(BURST, 4, MicroSeconds(200));
    ASSERT_GT(burst.size(), 100U);
    const double octets = static_cast<double>(burst.size() - 1) * burst.front().payload.size();
    EXPECT_NEAR(octets * 8 / (burst.back().at - burst.front().at).GetSeconds() / 10e9, 1, 0.03);
}

TEST_F(TransmitBurstTest, WhoAsksMeanwhileWaitsNoLongerThanTheBurst)
{
    m_perFpdu = "500ns";
    Restart(BURST);
    AddFlows(2, 1);
    m_departures.clear();
    Start();
    RunFor(MicroSeconds(400));
    const uint16_t first = m_departures.front().port;
    Time longest;
    Time run;
    for (std::size_t i = 1; i < m_departures.size(); ++i)
    {
        const bool isLong = m_departures[i].port == first && m_departures[i - 1].port == first;
        run = isLong ? run + m_departures[i].at - m_departures[i - 1].at : Time(0);
        longest = std::max(longest, run);
    }
    const auto others = std::count_if(m_departures.begin(), m_departures.end(), [&](const auto& d) {
        return d.port != first;
    });
    EXPECT_GT(others, 20);
    EXPECT_LE(longest, MicroSeconds(2 + 8)) << "a burst, and a round trip";
}

TEST_F(TransmitBurstTest, QueuePairsThatAskTogetherTakeTurnsOfOneSegment)
{
    m_perFpdu = "500ns";
    Restart(BURST);
    AddFlows(2, 8);
    m_flows[1].index = 0;
    m_departures.clear();
    Start();
    RunFor(MicroSeconds(200));
    std::size_t changes = 0;
    for (std::size_t i = 1; i < m_departures.size(); ++i)
    {
        changes += m_departures[i].port != m_departures[i - 1].port ? 1 : 0;
    }
    EXPECT_GT(m_departures.size(), 300U);
    EXPECT_GT(changes, m_departures.size() * 9 / 10);
}

/// A queue pair that writes and reads in turn, so that it acknowledges what comes while its own
/// segments are to leave.
class AcknowledgmentInABurst : public TransmitBurstTest
{
  protected:
    SendWorkRequest MakeWork(Flow& flow) override
    {
        return flow.posted % 2 == 0 ? FlowWrite(LONG_WRITE) : FlowRead(LONG_WRITE);
    }
};

TEST_F(AcknowledgmentInABurst, HasNoSequenceNumberBeyondWhatHasLeft)
{
    m_perFpdu = "100ns";
    Restart(BURST);
    AddFlows(1, 8);
    m_frames.clear();
    Start();
    RunFor(MicroSeconds(200));
    ASSERT_FALSE(m_frames.empty());
    uint32_t next = m_frames.front().sequence;
    uint32_t acknowledgments = 0;
    for (const Sent& sent : m_frames)
    {
        EXPECT_LE(static_cast<int32_t>(sent.sequence - next), 0);
        next += std::max<int32_t>(0, static_cast<int32_t>(sent.sequence + sent.octets - next));
        acknowledgments += sent.octets == 0 ? 1 : 0;
    }
    EXPECT_GT(acknowledgments, 50U);
}

} // namespace ns3::nfsrdma
