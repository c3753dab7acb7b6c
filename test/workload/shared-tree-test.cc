/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/shared-tree.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::nfsrdma::test
{

class SharedTreeTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }

    /// Asks as \p member. Notes its number when another one has made all, its negative when it is
    /// to make it.
    void Ask(int member)
    {
        m_tree.AskToMake("w",
                         [this, member](bool made) { m_turns.push_back(made ? member : -member); });
    }

    SharedTree m_tree{0};
    std::vector<int> m_turns;
};

TEST_F(SharedTreeTest, TheFirstMakesAndTheOthersWait)
{
    Ask(1);
    Ask(2);
    Ask(3);
    EXPECT_EQ(m_turns, (std::vector<int>{-1}));
    EXPECT_TRUE(m_tree.IsBeingMade("w"));
    m_tree.EndMaking("w", true);
    Simulator::Run();
    Ask(4);
    EXPECT_EQ(m_turns, (std::vector<int>{-1, 2, 3, 4}));
    EXPECT_FALSE(m_tree.IsBeingMade("w"));
}

TEST_F(SharedTreeTest, AnotherOneMakesWhatTheFirstCouldNot)
{
    Ask(1);
    Ask(2);
    Ask(3);
    m_tree.EndMaking("w", false);
    Simulator::Run();
    EXPECT_EQ(m_turns, (std::vector<int>{-1, -2}));
    m_tree.EndMaking("w", true);
    Simulator::Run();
    EXPECT_EQ(m_turns, (std::vector<int>{-1, -2, 3}));
}

TEST_F(SharedTreeTest, AllThatHaveNotLeftMeet)
{
    for (int i = 0; i < 3; ++i)
    {
        m_tree.Enroll("w");
    }
    uint32_t met = 0;
    m_tree.Meet("w", [&met] { ++met; });
    m_tree.Meet("w", [&met] { ++met; });
    Simulator::Run();
    EXPECT_EQ(met, 0U);
    m_tree.Leave("w");
    Simulator::Run();
    EXPECT_EQ(met, 2U);
}

} // namespace ns3::nfsrdma::test
