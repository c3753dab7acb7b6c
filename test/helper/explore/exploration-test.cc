/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/explore/exploration.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

/// A model in place of a cluster: \p steps steps, at each of which a frame may be held.
class ModelOfSteps
{
  public:
    uint64_t steps{4};
    uint64_t passes{1000};                       ///< Events of the host that a hold finds at most.
    std::map<std::string, std::string> broken{}; ///< By order, as a text.
    bool sameState{false};                       ///< Every run is in one state after its moves.

    std::vector<std::string> tried{};

    std::vector<ExploredRun> Run(const std::vector<EventOrder>& orders,
                                 const Exploration::States& known)
    {
        std::vector<ExploredRun> runs;
        for (const auto& order : orders)
        {
            const auto text = ToText(order);
            tried.push_back(text);
            ExploredRun run;
            run.steps = steps;
            run.passed = order.empty() ? 0 : std::min(order.back().number, passes);
            if (const auto found = broken.find(text); found != broken.end())
            {
                run.broken.push_back(found->second);
            }
            const uint64_t state = sameState ? 7 : tried.size();
            run.joined = known.count(state) != 0;
            if (!run.joined)
            {
                run.states.push_back(state);
                for (uint64_t step = order.empty() ? 0 : order.back().step + 1; step < steps;
                     ++step)
                {
                    run.moves.push_back({EventMove::Kind::HOLD, step, 1, ""});
                }
            }
            runs.push_back(std::move(run));
        }
        return runs;
    }

    Exploration::RunBatch GetRunner()
    {
        return [this](const auto& orders, const auto& known) { return Run(orders, known); };
    }
};

TEST(ExplorationTest, TriesEveryOrderOnce)
{
    ModelOfSteps model;
    Exploration exploration({2, 1, 0}, model.GetRunner());
    exploration.Execute();
    EXPECT_EQ(exploration.GetRuns(), 1U + 4 + 6) << "4 over 1, 4 over 2";
    EXPECT_EQ(std::set<std::string>(model.tried.begin(), model.tried.end()).size(), 11U);
    EXPECT_EQ(exploration.GetSteps(), 4U);
    EXPECT_EQ(exploration.GetStates(), 11U);
    EXPECT_TRUE(exploration.GetViolations().empty());
}

TEST(ExplorationTest, HoldsLongerAsLongAsThereAreEventsToPass)
{
    ModelOfSteps model;
    model.steps = 1;
    model.passes = 3;
    Exploration exploration({1, 8, 0}, model.GetRunner());
    exploration.Execute();
    EXPECT_EQ(model.tried,
              (std::vector<std::string>{"none",
                                        "hold at 0 for 1",
                                        "hold at 0 for 2",
                                        "hold at 0 for 3",
                                        "hold at 0 for 4"}))
        << "the last let no more pass than the one before";
}

TEST(ExplorationTest, DelaysLongerAndLosesOnce)
{
    std::vector<std::string> tried;
    const auto run = [&tried](const std::vector<EventOrder>& orders, const Exploration::States&) {
        std::vector<ExploredRun> runs;
        for (const auto& order : orders)
        {
            tried.push_back(ToText(order));
            ExploredRun one;
            one.passed = order.empty() ? 0 : order.back().number;
            if (order.empty())
            {
                one.moves = {{EventMove::Kind::DELAY, 1, 1, ""}, {EventMove::Kind::LOSE, 2, 0, ""}};
            }
            runs.push_back(std::move(one));
        }
        return runs;
    };
    Exploration exploration({1, 2, 0}, run);
    exploration.Execute();
    EXPECT_EQ(
        tried,
        (std::vector<std::string>{"none", "delay at 1 for 1", "lose at 2", "delay at 1 for 2"}));
}

TEST(ExplorationTest, HoldsNoLongerThanItsReach)
{
    ModelOfSteps model;
    model.steps = 1;
    Exploration exploration({1, 2, 0}, model.GetRunner());
    exploration.Execute();
    EXPECT_EQ(model.tried.back(), "hold at 0 for 2");
}

TEST(ExplorationTest, FindsWhatTakesTwoMoves)
{
    ModelOfSteps model;
    model.broken["hold at 1 for 1; hold at 3 for 1"] = "lost";
    model.broken["hold at 2 for 1; hold at 3 for 1"] = "lost";
    Exploration one({1, 1, 0}, model.GetRunner());
    one.Execute();
    EXPECT_TRUE(one.GetViolations().empty());
    Exploration two({2, 1, 0}, model.GetRunner());
    two.Execute();
    ASSERT_EQ(two.GetViolations().size(), 1U);
    EXPECT_EQ(two.GetViolations().front().what, "lost");
    EXPECT_EQ(two.GetViolations().front().runs, 2U);
    EXPECT_EQ(ToText(two.GetViolations().front().order), "hold at 1 for 1; hold at 3 for 1");
}

TEST(ExplorationTest, GoesNoFurtherFromAStateThatItHasBeenIn)
{
    ModelOfSteps model;
    model.sameState = true;
    Exploration exploration({2, 1, 0}, model.GetRunner());
    exploration.Execute();
    EXPECT_EQ(exploration.GetRuns(), 1U + 4);
    EXPECT_EQ(exploration.GetLevels().at(1).joined, 4U);
    EXPECT_EQ(exploration.GetStates(), 1U);
}

TEST(ExplorationTest, SaysHowManyOrdersItHasLeftOut)
{
    ModelOfSteps model;
    Exploration exploration({2, 1, 7}, model.GetRunner());
    exploration.Execute();
    EXPECT_EQ(exploration.GetRuns(), 7U);
    EXPECT_EQ(exploration.GetLevels().at(1).left, 0U);
    EXPECT_EQ(exploration.GetLevels().at(2).runs, 2U);
    EXPECT_EQ(exploration.GetLevels().at(2).left, 4U);
}

} // namespace
} // namespace ns3::nfsrdma
