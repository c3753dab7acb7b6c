/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/flow-fixture.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t LONG_WRITE = 65536;

} // namespace

/// Writes to a server whose transmit engine is slow at acknowledgments: it sends nothing else.
class SlowAcknowledgments : public FlowTest
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        FlowTest::ConfigureDevice(host);
        if (&host == &m_server)
        {
            host.device->SetAttribute("AckCost", StringValue("1us"));
        }
    }

    SendWorkRequest MakeWork(Flow& /* flow */) override
    {
        return FlowWrite(LONG_WRITE);
    }
};

TEST_F(SlowAcknowledgments, PassTheEngineAndSetTheRate)
{
    constexpr double SEGMENTS_PER_ACKNOWLEDGMENT = 2;
    AddFlows(1, 64);
    Start();
    RunFor(MilliSeconds(5));
    const Time busyBefore = m_server.device->GetCounters().transmitBusy;
    const uint64_t before = m_client.device->GetCounters().payloadSent;
    RunFor(MilliSeconds(5));
    const double sent = m_client.device->GetCounters().payloadSent - before;
    const double busy =
        (m_server.device->GetCounters().transmitBusy - busyBefore).GetSeconds() / 5e-3;
    const double most = m_flows[0].client->GetConnection().GetMulpdu();
    EXPECT_NEAR(busy, 1, 0.01);
    EXPECT_NEAR(sent / (5000 * SEGMENTS_PER_ACKNOWLEDGMENT * most), 1, 0.03);
    Finish();
    EXPECT_EQ(m_flows[0].completed, m_flows[0].posted);
}

/// Writes to a server whose TCP is slower than its port.
class SlowTcp : public FlowTest
{
  protected:
    static constexpr double NANOSECONDS = 500;

    void ConfigureDevice(RnicHost& host) override
    {
        FlowTest::ConfigureDevice(host);
        if (&host == &m_server)
        {
            host.device->SetAttribute("TcpPerSegment", StringValue("500ns"));
        }
    }

    SendWorkRequest MakeWork(Flow& /* flow */) override
    {
        return FlowWrite(LONG_WRITE);
    }

    /// \return segments that came to the server's memory, of those that its TCP could have handled.
    double Measure(uint32_t buffer)
    {
        SetDevices("PacketBuffer", UintegerValue(buffer));
        AddFlows(1, 32);
        Start();
        RunFor(MilliSeconds(3));
        const uint64_t before = m_server.device->GetCounters().payloadReceived;
        RunFor(MilliSeconds(5));
        const double octets = m_server.device->GetCounters().payloadReceived - before;
        Finish();
        EXPECT_EQ(m_flows[0].completed, m_flows[0].posted);
        EXPECT_EQ(m_server.device->GetCounters().payloadReceived,
                  m_flows[0].posted * uint64_t{LONG_WRITE});
        const double most = m_flows[0].client->GetConnection().GetMulpdu() - 14;
        return octets / most / (5e6 / NANOSECONDS);
    }

    [[nodiscard]] uint64_t GetLost() const
    {
        return m_server.device->GetCounters().packetsLost;
    }
};

TEST_F(SlowTcp, SetsTheRateAndLosesNothingWhileThereIsRoom)
{
    EXPECT_NEAR(Measure(16 << 20), 1, 0.03);
    EXPECT_EQ(GetLost(), 0U);
}

TEST_F(SlowTcp, LosesWhatFindsNoRoomAndGetsItAgain)
{
    constexpr uint32_t BUFFER = 16384;
    const double share = Measure(BUFFER);
    EXPECT_GT(share, 0.7);
    EXPECT_LE(share, 1.01);
    EXPECT_GT(GetLost(), 0U);
}

/// As SlowTcp; the ports at both ends have flow control.
class SlowTcpWithPause : public SlowTcp
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        SlowTcp::ConfigureDevice(host);
        host.port->SetAttribute("FlowControl", StringValue("pause"));
    }
};

TEST_F(SlowTcpWithPause, LosesNothingWithASmallBufferAndKeepsTheRate)
{
    constexpr uint32_t BUFFER = 65536;
    EXPECT_NEAR(Measure(BUFFER), 1, 0.03);
    EXPECT_EQ(GetLost(), 0U);
    EXPECT_GT(m_server.port->GetCounters().pauseSent, 10U);
    EXPECT_EQ(m_server.port->GetCounters().pauseSent, m_client.port->GetCounters().pauseReceived);
    EXPECT_TRUE(m_client.port->GetPausedTime().IsStrictlyPositive());
}

TEST_F(SlowTcpWithPause, ObeysThresholds)
{
    SetDevices("PauseXoff", UintegerValue(20000));
    SetDevices("PauseXon", UintegerValue(19000));
    EXPECT_NEAR(Measure(65536), 1, 0.03);
    EXPECT_EQ(GetLost(), 0U);
}

} // namespace ns3::nfsrdma
