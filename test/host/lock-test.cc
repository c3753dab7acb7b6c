/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/lock.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

const Time HOLD = NanoSeconds(100);
const Time NEAR = NanoSeconds(10);
const Time FAR = NanoSeconds(40);

class HostLockTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }

    std::shared_ptr<HostLockStatistics> m_counted = std::make_shared<HostLockStatistics>();
    HostLock m_lock{m_counted, NEAR, FAR};
};

TEST_F(HostLockTest, IsGivenAtOnceWhenItIsFree)
{
    EXPECT_EQ(m_lock.Acquire(NanoSeconds(5), HOLD, 0, 0), NanoSeconds(5));
    EXPECT_EQ(m_counted->acquisitions, 1);
    EXPECT_EQ(m_counted->contentions, 0);
    EXPECT_EQ(m_counted->holdTotal, HOLD);
}

TEST_F(HostLockTest, GoesToThoseWhoWaitInTheirOrder)
{
    m_lock.Acquire(NanoSeconds(0), HOLD, 0, 0);
    EXPECT_EQ(m_lock.Acquire(NanoSeconds(1), HOLD, 1, 0), HOLD + NEAR);
    EXPECT_EQ(m_lock.Acquire(NanoSeconds(2), HOLD, 2, 0), 2 * (HOLD + NEAR));
    EXPECT_EQ(m_counted->contentions, 2);
    EXPECT_EQ(m_counted->waitMax, 2 * (HOLD + NEAR) - NanoSeconds(2));
    EXPECT_EQ(m_counted->waitTotal, 3 * (HOLD + NEAR) - NanoSeconds(3));
}

TEST_F(HostLockTest, IsNobodysWhileItIsHandedOver)
{
    HostLock slow(m_counted, 4 * HOLD, 4 * HOLD);
    slow.Acquire(NanoSeconds(0), HOLD, 0, 0);
    EXPECT_EQ(slow.Acquire(NanoSeconds(1), HOLD, 1, 0), 5 * HOLD);
    EXPECT_EQ(slow.Acquire(2 * HOLD, HOLD, 2, 0), 10 * HOLD)
        << "who comes then waits for the one before";
}

TEST_F(HostLockTest, TakesLongerToAnotherSocket)
{
    m_lock.Acquire(NanoSeconds(0), HOLD, 0, 0);
    EXPECT_EQ(m_lock.Acquire(NanoSeconds(1), HOLD, 4, 1), HOLD + FAR);
}

TEST_F(HostLockTest, IsLeftToOthersBeforeAHolderOfLater)
{
    m_lock.Acquire(MicroSeconds(10), HOLD, 0, 0);
    EXPECT_EQ(m_lock.Acquire(NanoSeconds(50), HOLD, 1, 0), NanoSeconds(50));
    EXPECT_EQ(m_lock.Acquire(MicroSeconds(10) - HOLD / 2, HOLD, 1, 0),
              MicroSeconds(10) + HOLD + NEAR)
        << "there is no room before that holder";
}

TEST_F(HostLockTest, IsFetchedFromTheCoreThatHeldItLast)
{
    m_lock.Acquire(NanoSeconds(0), HOLD, 0, 0);
    Simulator::Schedule(10 * HOLD, [this] {
        EXPECT_EQ(m_lock.Acquire(10 * HOLD, HOLD, 0, 0), 10 * HOLD) << "that core has it";
        EXPECT_EQ(m_lock.Acquire(20 * HOLD, HOLD, 1, 0), 20 * HOLD + NEAR);
        EXPECT_EQ(m_lock.Acquire(30 * HOLD, HOLD, 4, 1), 30 * HOLD + FAR);
    });
    Simulator::Schedule(40 * HOLD, [this] {
        EXPECT_EQ(m_lock.Acquire(40 * HOLD, HOLD, 1, 0), 40 * HOLD + FAR) << "as of those past";
    });
    Simulator::Run();
    EXPECT_EQ(m_counted->acquisitions, 5);
    EXPECT_EQ(m_counted->contentions, 0) << "nobody found it held";
    EXPECT_EQ(m_counted->waitTotal, Time(0));
}

TEST_F(HostLockTest, IsNobodysWhileItIsFetched)
{
    HostLock slow(m_counted, 4 * HOLD, 4 * HOLD);
    slow.Acquire(NanoSeconds(0), HOLD, 0, 0);
    EXPECT_EQ(slow.Acquire(2 * HOLD, HOLD, 1, 0), 6 * HOLD);
    EXPECT_EQ(slow.Acquire(3 * HOLD, HOLD, 1, 0), 7 * HOLD) << "behind that fetch";
}

} // namespace
} // namespace ns3::nfsrdma
