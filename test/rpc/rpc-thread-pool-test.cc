/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/thread-pool.h"

#include "ns3/simulator.h"

#include <deque>
#include <gtest/gtest.h>
#include <numeric>

namespace ns3::nfsrdma::test
{
namespace
{

/// Calls that arrive and hold a thread as a test says.
class RpcThreadPoolTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }

    void Call(int64_t arrival, int64_t held)
    {
        Simulator::Schedule(MicroSeconds(arrival), [this, held] {
            m_pool->Arrive();
            m_waiting.push_back({Simulator::Now(), MicroSeconds(held)});
            TakeCalls();
        });
    }

    void TakeCalls()
    {
        while (m_pool->HasFree() && !m_waiting.empty())
        {
            const auto [arrival, held] = m_waiting.front();
            m_waiting.pop_front();
            const std::size_t thread = m_pool->Take(arrival);
            m_threads.push_back(thread);
            Simulator::Schedule(held, [this, thread] {
                m_pool->Release(thread);
                TakeCalls();
            });
        }
    }

    Ptr<RpcThreadPool> m_pool{CreateObject<RpcThreadPool>()};
    std::deque<std::pair<Time, Time>> m_waiting;
    std::vector<std::size_t> m_threads; ///< In the order in which they took calls.
};

TEST_F(RpcThreadPoolTest, KeepsBooksOfWaitsAndThreads)
{
    m_pool->SetSize(2);
    Call(0, 10);
    Call(1, 30);
    Call(2, 10); // Waits until 10.
    Call(3, 5);  // Waits until 20.
    Simulator::Run();
    EXPECT_EQ(m_threads, (std::vector<std::size_t>{0, 1, 0, 0}));
    const auto& statistics = m_pool->GetStatistics();
    EXPECT_EQ(statistics.taken, 4U);
    EXPECT_EQ(statistics.released, 4U);
    EXPECT_EQ(statistics.waited, MicroSeconds(8 + 17));
    EXPECT_EQ(statistics.longestWait, MicroSeconds(17));
    EXPECT_EQ(statistics.held, MicroSeconds(55));
    const auto accounts = m_pool->GetAccounts();
    ASSERT_EQ(accounts.size(), 2U);
    EXPECT_EQ(accounts[0].calls, 3U);
    EXPECT_EQ(accounts[0].held, MicroSeconds(25));
    EXPECT_EQ(accounts[1].held, MicroSeconds(30));
    EXPECT_EQ(m_pool->GetBusyMeter().GetPeak(), 2U);
    EXPECT_EQ(m_pool->GetQueueMeter().GetPeak(), 2U);
    EXPECT_DOUBLE_EQ(m_pool->GetBusyMeter().GetMean(Simulator::Now()), 55.0 / 31);
    EXPECT_DOUBLE_EQ(m_pool->GetQueueMeter().GetMean(Simulator::Now()), 25.0 / 31);
}

TEST_F(RpcThreadPoolTest, TheThreadFreedLastTakesTheNextCall)
{
    m_pool->SetSize(8);
    for (int i = 0; i < 3; ++i)
    {
        Call(0, 10 + i);
    }
    Call(20, 1);
    Call(30, 1);
    Simulator::Run();
    EXPECT_EQ(m_threads, (std::vector<std::size_t>{0, 1, 2, 2, 2}));
    EXPECT_EQ(m_pool->GetAccounts().size(), 3U);
}

TEST_F(RpcThreadPoolTest, SizeMayChange)
{
    m_pool->SetSize(1);
    Call(0, 10);
    Call(0, 10);
    Simulator::Schedule(MicroSeconds(3), [this] {
        m_pool->SetSize(2);
        TakeCalls();
    });
    Simulator::Run();
    EXPECT_EQ(m_pool->GetStatistics().waited, MicroSeconds(3));
    EXPECT_FALSE(m_pool->GetBusy() != 0 || m_pool->GetQueued() != 0);
}

TEST_F(RpcThreadPoolTest, ThreadsThatStandStillTakeNoCalls)
{
    m_pool->SetSize(2);
    m_pool->SetStalled(1);
    Call(0, 10);
    Call(1, 10); // Waits for the one thread there is.
    Call(30, 10);
    Call(31, 10); // Of two threads again.
    Simulator::Schedule(MicroSeconds(25), [this] {
        m_pool->SetStalled(0);
        TakeCalls();
    });
    Simulator::Run();
    EXPECT_EQ(m_pool->GetStatistics().longestWait, MicroSeconds(9));
    EXPECT_EQ(m_pool->GetBusyMeter().GetPeak(), 2U);
}

TEST_F(RpcThreadPoolTest, MoreThreadsThanThereAreCanStandStill)
{
    m_pool->SetSize(2);
    m_pool->SetStalled(5);
    EXPECT_EQ(m_pool->GetStalled(), 5U);
    EXPECT_FALSE(m_pool->HasFree());
    m_pool->SetStalled(0);
    EXPECT_TRUE(m_pool->HasFree());
}

TEST_F(RpcThreadPoolTest, EveryThreadIsReleased)
{
    m_pool->SetSize(3);
    for (int i = 0; i < 3; ++i)
    {
        m_pool->Arrive();
        m_pool->Take(Time(0));
    }
    m_pool->Release(1);
    m_pool->ReleaseAll();
    EXPECT_EQ(m_pool->GetBusy(), 0U);
    EXPECT_EQ(m_pool->GetStatistics().released, 3U);
}

TEST_F(RpcThreadPoolTest, PoolsHaveThreadsOfTheirOwn)
{
    std::vector<uint32_t> made;
    m_pool->SetSize(3);
    m_pool->SetPools(2, [&made](uint32_t pool) {
        made.push_back(pool);
        return HostThread();
    });
    const std::size_t first = m_pool->Wake(0);
    const std::size_t other = m_pool->Wake(1);
    EXPECT_TRUE(m_pool->HasFree(0)) << "two of three threads";
    EXPECT_FALSE(m_pool->HasFree(1)) << "one of three";
    EXPECT_EQ(m_pool->GetPool(other), 1U);
    m_pool->Release(other);
    m_pool->Release(first);
    EXPECT_EQ(m_pool->Wake(1), other) << "not the one freed last, which is of the other pool";
    EXPECT_EQ(made, (std::vector<uint32_t>{0, 1}));
    m_pool->SetStalled(2);
    EXPECT_TRUE(m_pool->HasFree(0)) << "one of each pool stands still";
    EXPECT_FALSE(m_pool->HasFree(1));
}

TEST_F(RpcThreadPoolTest, EveryPoolHasAThread)
{
    m_pool->SetSize(2);
    m_pool->SetPools(4, nullptr);
    EXPECT_EQ(m_pool->GetPools(), 2U);
    m_pool->SetSize(1);
    EXPECT_TRUE(m_pool->HasFree(1));
}

} // namespace
} // namespace ns3::nfsrdma::test
