/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/storage-model.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

class StorageModelTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_storage = CreateObject<StorageModel>();
        m_storage->SetAttribute("MetadataCost", TimeValue(MicroSeconds(1)));
        m_storage->SetAttribute("ReadLatency", TimeValue(MicroSeconds(10)));
        m_storage->SetAttribute("WriteLatency", TimeValue(MicroSeconds(5)));
        m_storage->SetAttribute("SyncLatency", TimeValue(MicroSeconds(20)));
        m_storage->SetAttribute("Bandwidth", DataRateValue(DataRate("8Gbps")));
        m_storage->SetAttribute("QueueDepth", UintegerValue(2));
    }

    void TearDown() override
    {
        EXPECT_EQ(m_storage->GetPending(), 0U);
        EXPECT_EQ(m_storage->GetInService(), 0U);
        EXPECT_EQ(m_storage->GetQueued(), 0U);
        Simulator::Destroy();
    }

    void Submit(StorageWork work, uint64_t octets)
    {
        const std::size_t index = m_ended.size();
        m_ended.emplace_back(-1);
        m_storage->Submit(work, octets, [this, index] {
            m_ended[index] = Simulator::Now().GetNanoSeconds();
        });
    }

    Ptr<StorageModel> m_storage;
    std::vector<int64_t> m_ended; ///< Nanoseconds, in order of submission.
};

TEST_F(StorageModelTest, EachWorkHasItsCost)
{
    m_storage->SetAttribute("QueueDepth", UintegerValue(100));
    Submit(StorageWork::METADATA, 0);
    Submit(StorageWork::METADATA_CHANGE, 0);
    Submit(StorageWork::SYNC, 0);
    Simulator::Run();
    EXPECT_EQ(m_ended, (std::vector<int64_t>{1000, 21000, 21000}));
}

TEST_F(StorageModelTest, TransfersTakeTheirTime)
{
    Submit(StorageWork::READ, 4096);
    Simulator::Run();
    EXPECT_EQ(m_ended[0], 1000 + 10000 + 4096);
    Submit(StorageWork::WRITE, 4096);
    Simulator::Run();
    EXPECT_EQ(m_ended[1] - m_ended[0], 1000 + 5000 + 4096);
    Submit(StorageWork::WRITE_SYNC, 4096);
    Simulator::Run();
    EXPECT_EQ(m_ended[2] - m_ended[1], 1000 + 5000 + 4096 + 20000);
    EXPECT_EQ(m_storage->GetTransferred(), 3 * 4096U);
    EXPECT_EQ(m_storage->GetServiceTime(), NanoSeconds(14096 + 9096 + 29096));
}

TEST_F(StorageModelTest, TransfersShareThePipeAndPlacesAreLimited)
{
    for (int i = 0; i < 4; ++i)
    {
        Submit(StorageWork::READ, 1000);
    }
    Simulator::Schedule(MicroSeconds(2), [this] {
        EXPECT_EQ(m_storage->GetInService(), 2U);
        EXPECT_EQ(m_storage->GetQueued(), 2U);
        EXPECT_EQ(m_storage->GetPending(), 4U);
    });
    Simulator::Run();
    EXPECT_EQ(m_ended, (std::vector<int64_t>{12000, 13000, 23000, 24000}));
}

TEST_F(StorageModelTest, MetadataPassesAFullDevice)
{
    Submit(StorageWork::READ, 1000000);
    Submit(StorageWork::READ, 1000000);
    Submit(StorageWork::METADATA, 0);
    Submit(StorageWork::METADATA_CHANGE, 0);
    Simulator::Run();
    EXPECT_EQ(m_ended[2], 1000);
    EXPECT_EQ(m_ended[3], m_ended[0] + 20000);
}

TEST_F(StorageModelTest, WithoutCostsWorkIsDoneAtOnce)
{
    for (const char* cost : {"MetadataCost", "ReadLatency", "WriteLatency", "SyncLatency"})
    {
        m_storage->SetAttribute(cost, TimeValue(Time(0)));
    }
    m_storage->SetAttribute("Bandwidth", DataRateValue(DataRate(0)));
    Submit(StorageWork::WRITE_SYNC, 1 << 20);
    Submit(StorageWork::READ, 1 << 20);
    Submit(StorageWork::METADATA, 0);
    EXPECT_EQ(m_ended, (std::vector<int64_t>{0, 0, 0}));
}

TEST_F(StorageModelTest, LittlesLawHolds)
{
    constexpr int REQUESTS = 500;
    int64_t sojourn = 0;
    int64_t area = 0;
    int64_t last = 0;
    uint32_t inside = 0;
    const auto account = [&](int change) {
        const int64_t now = Simulator::Now().GetNanoSeconds();
        area += (now - last) * inside;
        last = now;
        inside += change;
    };
    for (int i = 0; i < REQUESTS; ++i)
    {
        Simulator::Schedule(NanoSeconds(i * 6000 + (i * i) % 4999), [&] {
            account(1);
            const int64_t arrived = Simulator::Now().GetNanoSeconds();
            m_storage->Submit(StorageWork::READ, 500 + arrived % 1500, [&, arrived] {
                account(-1);
                sojourn += Simulator::Now().GetNanoSeconds() - arrived;
            });
        });
    }
    Simulator::Run();
    EXPECT_EQ(inside, 0U);
    EXPECT_EQ(area, sojourn);
    EXPECT_GT(sojourn, int64_t{REQUESTS} * 11000);
}

} // namespace ns3::nfsrdma::test
