/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/storage-model.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

/// An array of devices that do one thing at a time.
class RaidStorageTest : public ::testing::Test
{
  protected:
    RaidStorageTest()
    {
        m_storage->SetAttribute("MetadataCost", TimeValue(Time(0)));
        m_storage->SetAttribute("ReadLatency", TimeValue(READ_TIME));
        m_storage->SetAttribute("WriteLatency", TimeValue(WRITE_TIME));
        m_storage->SetAttribute("SyncLatency", TimeValue(SYNC_TIME));
        m_storage->SetAttribute("Bandwidth", StringValue("0bps"));
        m_storage->SetAttribute("QueueDepth", UintegerValue(1));
        m_storage->SetAttribute("RaidChunk", UintegerValue(CHUNK));
    }

    ~RaidStorageTest() override
    {
        EXPECT_EQ(m_storage->GetPending(), 0U);
        EXPECT_EQ(m_storage->GetInService() + m_storage->GetQueued(), 0U);
        m_storage->Dispose();
        Simulator::Destroy();
    }

    void Make(const std::string& raid, uint32_t devices)
    {
        m_storage->SetAttribute("Raid", StringValue(raid));
        m_storage->SetAttribute("RaidDevices", UintegerValue(devices));
    }

    void Submit(StorageWork work, uint64_t position, uint64_t octets)
    {
        m_storage->Submit(
            work,
            octets,
            [this] { ++m_done; },
            position);
    }

    /// Keeps so many requests of \p octets under way, each at another place. \return how many are
    /// done a second
    double GetRate(StorageWork work, uint64_t octets, uint32_t depth)
    {
        for (uint32_t i = 0; i < depth; ++i)
        {
            Continue(work, octets);
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        const auto rate = static_cast<double>(m_done);
        m_stopped = true;
        Simulator::Run();
        return rate;
    }

    static constexpr uint64_t PAGE = 4096;
    static constexpr uint64_t CHUNK = 64 * 1024;
    static inline const Time READ_TIME = MicroSeconds(100);
    static inline const Time WRITE_TIME = MicroSeconds(40);
    static inline const Time SYNC_TIME = MicroSeconds(10);

    Ptr<StorageModel> m_storage{CreateObject<StorageModel>()};
    uint64_t m_done{0};

  private:
    void Continue(StorageWork work, uint64_t octets)
    {
        m_place = (m_place * 1103515245 + 12345) % (1 << 20);
        m_storage->Submit(
            work,
            octets,
            [this, work, octets] {
                if (!m_stopped)
                {
                    ++m_done;
                    Continue(work, octets);
                }
            },
            m_place * octets);
    }

    uint64_t m_place{1};
    bool m_stopped{false};
};

TEST_F(RaidStorageTest, ASmallWriteReadsThenWrites)
{
    Make("raid5", 5);
    Submit(StorageWork::WRITE, 0, PAGE);
    Simulator::Run();
    EXPECT_EQ(Simulator::Now(), READ_TIME + WRITE_TIME);
    EXPECT_EQ(m_storage->GetServiceTime(), 2 * (READ_TIME + WRITE_TIME));
    EXPECT_EQ(m_done, 1U);
}

TEST_F(RaidStorageTest, AFullStripeIsWrittenAtOnce)
{
    Make("raid5", 5);
    Submit(StorageWork::WRITE_SYNC, 0, 4 * CHUNK);
    Simulator::Run();
    EXPECT_EQ(Simulator::Now(), WRITE_TIME + SYNC_TIME);
    EXPECT_EQ(m_storage->GetTransferred(), 5 * CHUNK);
}

TEST_F(RaidStorageTest, ASyncGoesToAllDevices)
{
    Make("raid0", 3);
    Submit(StorageWork::SYNC, 0, 0);
    Simulator::Run();
    EXPECT_EQ(Simulator::Now(), SYNC_TIME);
    EXPECT_EQ(m_storage->GetServiceTime(), 3 * SYNC_TIME);
    EXPECT_EQ(m_done, 1U);
}

TEST_F(RaidStorageTest, MirrorsShareReads)
{
    Make("raid1", 2);
    for (int i = 0; i < 4; ++i)
    {
        Submit(StorageWork::READ, 0, PAGE);
    }
    Simulator::Run();
    EXPECT_EQ(Simulator::Now(), 2 * READ_TIME);
    Submit(StorageWork::WRITE, 0, PAGE);
    Simulator::Run();
    EXPECT_EQ(Simulator::Now(), 2 * READ_TIME + WRITE_TIME);
}

struct RaidFormula
{
    const char* raid;
    uint32_t devices;
    uint32_t reads;  ///< Of a small write.
    uint32_t writes; ///< The same.
};

class RaidFormulaTest : public RaidStorageTest, public ::testing::WithParamInterface<RaidFormula>
{
};

/// A busy array does as many small writes as its devices have time for the parts of.
TEST_P(RaidFormulaTest, SmallWritesTakeTheirPartsOfAllDevices)
{
    const RaidFormula& formula = GetParam();
    Make(formula.raid, formula.devices);
    const double each =
        formula.reads * READ_TIME.GetSeconds() + formula.writes * WRITE_TIME.GetSeconds();
    const double rate = GetRate(StorageWork::WRITE, PAGE, 64 * formula.devices);
    EXPECT_NEAR(rate * each / formula.devices, 1, 0.03);
}

INSTANTIATE_TEST_SUITE_P(Levels,
                         RaidFormulaTest,
                         ::testing::Values(RaidFormula{"raid0", 4, 0, 1},
                                           RaidFormula{"raid1", 2, 0, 2},
                                           RaidFormula{"raid5", 4, 2, 2},
                                           RaidFormula{"raid5", 8, 2, 2},
                                           RaidFormula{"raid6", 8, 3, 3}),
                         [](const auto& test) {
                             return test.param.raid + std::to_string(test.param.devices);
                         });

TEST_F(RaidStorageTest, ReadsHaveAllDevices)
{
    Make("raid5", 5);
    EXPECT_NEAR(GetRate(StorageWork::READ, PAGE, 320) * READ_TIME.GetSeconds() / 5, 1, 0.03);
}

} // namespace
} // namespace ns3::nfsrdma
