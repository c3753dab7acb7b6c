/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/delegation-waiters.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace ns3::nfsrdma::test
{
namespace
{

class DelegationWaiters : public testing::Test
{
  protected:
    void TearDown() override
    {
        m_waiters.Clear();
        Simulator::Destroy();
    }

    void Add(int number, std::vector<Nfs4FileKey> files)
    {
        m_waiters.Add(std::move(files), Seconds(1), [this, number] {
            m_gone.push_back(number);
            m_last = Simulator::Now();
        });
    }

    void Free(const std::set<Nfs4FileKey>& files)
    {
        m_waiters.Check([&files](const Nfs4FileKey& file) { return files.count(file) != 0; });
    }

    Nfs4DelegationWaiters m_waiters;
    std::vector<int> m_gone;
    Time m_last; ///< When the last one went on.
};

TEST_F(DelegationWaiters, GoesOnWhenAllItsFilesAreFree)
{
    Add(1, {{7, 0}, {8, 0}});
    Free({{7, 0}});
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    EXPECT_TRUE(m_gone.empty());
    Free({{7, 0}, {8, 0}});
    EXPECT_TRUE(m_gone.empty()) << "not inside the call";
    Simulator::Run();
    EXPECT_EQ(m_gone, std::vector<int>{1});
    EXPECT_EQ(m_last, MilliSeconds(1));
}

TEST_F(DelegationWaiters, GoesOnWhenItsTimeIsOver)
{
    Add(1, {{7, 0}});
    Simulator::Run();
    EXPECT_EQ(m_gone, std::vector<int>{1});
    EXPECT_EQ(Simulator::Now(), Seconds(1));
}

TEST_F(DelegationWaiters, InTheOrderOfTheirComing)
{
    Add(1, {{7, 0}});
    Add(2, {{8, 0}});
    Add(3, {{7, 0}});
    Free({{7, 0}, {8, 0}});
    Free({{7, 0}, {8, 0}});
    Simulator::Run();
    EXPECT_EQ(m_gone, (std::vector<int>{1, 2, 3}));
}

TEST_F(DelegationWaiters, AllAtOnceOrNone)
{
    Add(1, {{7, 0}});
    Add(2, {{8, 0}});
    m_waiters.WakeAll();
    EXPECT_EQ(m_gone, (std::vector<int>{1, 2}));
    Add(3, {{9, 0}});
    m_waiters.Clear();
    Simulator::Run();
    EXPECT_EQ(m_gone.size(), 2U);
}

TEST_F(DelegationWaiters, OneThatGoesOnMayWaitAgain)
{
    m_waiters.Add({{7, 0}}, Seconds(1), [this] { Add(2, {{7, 0}}); });
    Free({{7, 0}});
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    EXPECT_TRUE(m_gone.empty());
    Free({{7, 0}});
    Simulator::Run();
    EXPECT_EQ(m_gone, std::vector<int>{2});
}

} // namespace
} // namespace ns3::nfsrdma::test
