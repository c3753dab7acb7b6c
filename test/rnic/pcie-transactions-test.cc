/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/pcie-transactions.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The card of pcie-bench (Neugebauer et al., SIGCOMM 2018), an NFP-6000 on PCIe 3.0 x8 in a
 * host with a Xeon E5-2630v4: rows P01 to P12 of the published measurements.
 *
 *     fitted      P01 (latency, tail), P09 (store), P11 (rate of the store), P10 (other socket),
 *                 P12 (write before a read)
 *     predicted   P02, P03: rates of reads of 64 octets, from 32 tags, which are all that there are
 *                 without extended tags
 *
 * "By command" a read of 8 octets passes the card's DMA engine by.
 */
class PcieBenchTest : public ::testing::Test
{
  protected:
    static constexpr double P01_NS = 466;
    static constexpr double P01_999_NS = 813;
    static constexpr double P02_BPS = 28.116e9;
    static constexpr double P03_BPS = 25.440e9;
    static constexpr double P09_NS = 546;
    static constexpr double P10_NS = 653;
    static constexpr double P11_NS = 1133;
    static constexpr double P12_NS = 613;
    static constexpr uint32_t LINE = 64;

    void SetUp() override
    {
        m_settings.pcieGeneration = 3;
        m_settings.pcieLanes = 8;
        m_settings.pcieHeader = 24;
        m_settings.pcieMps = 256;
        m_settings.pcieMrrs = 512;
        m_settings.pcieRcb = LINE;
        m_settings.pcieTags = 32;
        m_settings.pcieLatency = NanoSeconds(459);
        m_settings.pcieTail = NanoSeconds(347);
        m_settings.pcieWrite = NanoSeconds(143);
        m_settings.dmaLatency = NanoSeconds(61);
        m_settings.dmaRate = DataRate("72Gbps");
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    /// Without what the DMA engine takes.
    RnicSettings ByCommand() const
    {
        RnicSettings settings = m_settings;
        settings.dmaLatency = Time(0);
        settings.dmaRate = DataRate(0);
        return settings;
    }

    void UseOtherSocket()
    {
        m_settings.pcieLatency += NanoSeconds(107);
    }

    /// \return bits a second of reads of \p octets, of which as many are asked for as there can
    /// be.
    double GetReadRate(uint32_t octets)
    {
        constexpr int64_t READS = 3000;
        PcieTransactions bus(m_settings);
        bus.AssignStreams(1);
        Time end;
        for (int64_t i = 0; i < READS; ++i)
        {
            end = std::max(end, bus.Read(Time(0), Time(0), octets, m_settings.pcieLatency));
        }
        if (m_settings.pcieTags != 0)
        {
            EXPECT_LE(bus.GetTags().GetPeak(), m_settings.pcieTags);
        }
        const double rate = READS * octets * 8 / end.GetSeconds();
        RecordProperty("rate_at_" + std::to_string(m_settings.pcieLatency.GetNanoSeconds()) + "ns",
                       std::to_string(rate));
        return rate;
    }

    RnicSettings m_settings;
};

TEST_F(PcieBenchTest, FittedOnReadsOfSixtyFourAndOfTwoThousandOctets)
{
    const PcieTransactions bus(m_settings);
    EXPECT_NEAR(bus.GetReadTime(LINE, m_settings.pcieLatency).GetNanoSeconds(), P09_NS, 6);
    EXPECT_NEAR(bus.GetReadTime(2048, m_settings.pcieLatency).GetNanoSeconds(), P11_NS, 12);
    UseOtherSocket();
    EXPECT_NEAR(bus.GetReadTime(LINE, m_settings.pcieLatency).GetNanoSeconds(), P10_NS, 6);
}

TEST_F(PcieBenchTest, FittedOnTheMedianAndTheTailOfReadsByCommand)
{
    constexpr std::size_t READS = 30000;
    const RnicSettings settings = ByCommand();
    PcieTransactions bus(settings);
    bus.AssignStreams(1);
    std::vector<int64_t> times;
    Time asked;
    for (std::size_t i = 0; i < READS; ++i)
    {
        asked += MicroSeconds(10);
        times.push_back((bus.Read(asked, asked, 8, settings.pcieLatency) - asked).GetNanoSeconds());
    }
    std::sort(times.begin(), times.end());
    EXPECT_NEAR(times[READS / 2], P01_NS, 5);
    EXPECT_NEAR(times[READS * 999 / 1000], P01_999_NS, P01_999_NS * 0.03);
}

TEST_F(PcieBenchTest, FittedOnAWriteBeforeARead)
{
    RnicSettings settings = ByCommand();
    settings.pcieTail = Time(0);
    PcieTransactions bus(settings);
    bus.Write(Time(0), Time(0), 8);
    EXPECT_NEAR(bus.Read(Time(0), Time(0), 8, settings.pcieLatency).GetNanoSeconds(), P12_NS, 6);
    const Time later = MicroSeconds(10);
    EXPECT_NEAR((bus.Read(later, later, 8, settings.pcieLatency) - later).GetNanoSeconds(),
                P01_NS,
                5)
        << "the write is long in memory";
}

TEST_F(PcieBenchTest, PredictsTheRateOfReadsOfALine)
{
    EXPECT_NEAR(GetReadRate(LINE) / P02_BPS, 1, 0.1);
    UseOtherSocket();
    EXPECT_NEAR(GetReadRate(LINE) / P03_BPS, 1, 0.1);
}

TEST_F(PcieBenchTest, TagsTimesLatencyBoundSmallReadsAndTheLinkLargeOnes)
{
    m_settings.pcieTail = Time(0);
    const double first = GetReadRate(LINE);
    m_settings.pcieTags = 16;
    EXPECT_NEAR(GetReadRate(LINE) / first, 0.5, 0.01);
    m_settings.pcieTags = 0;
    m_settings.pcieReadBuffer = 16 * LINE;
    EXPECT_NEAR(GetReadRate(LINE) / first, 0.5, 0.01);
    m_settings.pcieReadBuffer = 0;
    m_settings.pcieTags = 256;
    const double link = PcieTransactions(m_settings).GetRate().GetBitRate();
    EXPECT_NEAR(GetReadRate(2048) / link, double{LINE} / (LINE + 20), 0.02);
}

TEST(PcieTransactionsTest, RatesOfLinksAreThoseOfGenerationAndLanes)
{
    RnicSettings settings;
    settings.pcieRate = DataRate("10Gbps");
    const PcieTransactions bus(settings);
    EXPECT_EQ(bus.GetRate(), settings.pcieRate);
    settings.pcieLanes = 8;
    settings.pcieGeneration = 3;
    EXPECT_NEAR(bus.GetRate().GetBitRate(), 57.88e9, 0.05e9) << "published for Gen3 x8";
    settings.pcieGeneration = 4;
    EXPECT_NEAR(bus.GetRate().GetBitRate(), 2 * 57.88e9, 0.1e9);
}

TEST(PcieTransactionsTest, PacketsHaveHeadersEachWay)
{
    RnicSettings settings;
    settings.pcieRate = DataRate("8Gbps");
    settings.pcieHeader = 24;
    settings.pcieMps = 256;
    settings.pcieMrrs = 512;
    settings.pcieRcb = 128;
    PcieTransactions bus(settings);
    EXPECT_EQ(bus.Write(Time(0), Time(0), 1000), NanoSeconds(1000 + 4 * 24));
    EXPECT_EQ(bus.GetReadTime(1000, NanoSeconds(300)), NanoSeconds(2 * 24 + 300 + 1000 + 8 * 20));
    const Time now = MicroSeconds(5);
    EXPECT_EQ(bus.Read(now, now, 1000, NanoSeconds(300)) - now,
              bus.GetReadTime(1000, NanoSeconds(300)));
    EXPECT_EQ(bus.GetBus().GetOctets(PcieBus::Direction::TO_HOST), 1000U + 6 * 24);
    EXPECT_EQ(bus.GetBus().GetOctets(PcieBus::Direction::TO_DEVICE), 1000U + 8 * 20);
}

TEST(PcieTransactionsTest, WhatWasAskedForAheadIsThereInTime)
{
    RnicSettings settings;
    settings.pcieRate = DataRate("8Gbps");
    settings.pcieHeader = 24;
    settings.dmaLatency = NanoSeconds(50);
    PcieTransactions bus(settings);
    const Time now = MicroSeconds(5);
    const Time lead = bus.GetLead(100, NanoSeconds(300));
    EXPECT_EQ(bus.Read(now, now - lead, 100, NanoSeconds(300)),
              now + NanoSeconds(100 + 20) + bus.GetStoreTime(100));
}

TEST(PcieTransactionsTest, WhatIsGivenComesBackOrIsOutstanding)
{
    RnicSettings settings;
    settings.pcieTags = 4;
    settings.pcieMrrs = 512;
    PcieTransactions bus(settings);
    for (int64_t at = 0; at < 100; ++at)
    {
        bus.Read(NanoSeconds(at), NanoSeconds(at), 1500, NanoSeconds(300));
    }
    constexpr uint64_t REQUESTS = 300;
    for (const int64_t at : {100, 1000, 5000, 100000})
    {
        const uint64_t back = bus.GetTags().GetReturned(NanoSeconds(at));
        EXPECT_EQ(back + bus.GetTags().GetOutstanding(), REQUESTS);
    }
    EXPECT_EQ(bus.GetTags().GetOutstanding(), 0U);
    EXPECT_EQ(bus.GetCompletions().GetReturned(NanoSeconds(100000)), 150000U);
    EXPECT_EQ(bus.GetTags().GetPeak(), 4U);
}

TEST(PcieTransactionsTest, MemoryTakesOrderedWritesOneAfterTheOther)
{
    RnicSettings settings;
    settings.pcieMps = 256;
    PcieTransactions bus(settings);
    EXPECT_EQ(bus.Commit(NanoSeconds(0), NanoSeconds(10), 1000), NanoSeconds(10));
    settings.pcieCommit = NanoSeconds(14);
    EXPECT_EQ(bus.Commit(NanoSeconds(0), NanoSeconds(10), 1000), NanoSeconds(66));
    EXPECT_EQ(bus.Commit(NanoSeconds(0), NanoSeconds(10), 1), NanoSeconds(80));
    EXPECT_EQ(bus.Commit(NanoSeconds(0), NanoSeconds(200), 256), NanoSeconds(214));
    settings.pcieRelaxed = true;
    EXPECT_EQ(bus.Commit(NanoSeconds(0), NanoSeconds(200), 256), NanoSeconds(200));
}

TEST(PcieTransactionsTest, SwitchesAddTheirTimeEachWay)
{
    RnicSettings settings;
    const PcieTransactions bus(settings);
    const Time direct = bus.GetReadTime(64, NanoSeconds(300));
    settings.pcieSwitch = NanoSeconds(110);
    EXPECT_EQ(bus.GetReadTime(64, NanoSeconds(300)) - direct, NanoSeconds(220));
}

} // namespace ns3::nfsrdma
