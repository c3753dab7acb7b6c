/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "parameter-name.h"
#include "toe/script-runner.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

const std::filesystem::path SCRIPTS =
    std::filesystem::path(NFSRDMA_SOURCE_DIR) / "test" / "toe" / "scripts";

std::vector<std::string>
ScriptNames()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(SCRIPTS))
    {
        if (entry.path().extension() == ".tcp")
        {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

class ScriptTest : public ::testing::TestWithParam<std::string>
{
};

TEST_P(ScriptTest, Holds)
{
    EXPECT_EQ(ScriptRunner(SCRIPTS / (GetParam() + ".tcp")).Run(), "");
}

INSTANTIATE_TEST_SUITE_P(Situations,
                         ScriptTest,
                         ::testing::ValuesIn(ScriptNames()),
                         [](const auto& each) { return test::ToParameterName(each.param); });

TEST(ScriptRunnerTest, HasSituationsToRun)
{
    EXPECT_GE(ScriptNames().size(), 60U);
}

} // namespace
} // namespace ns3::nfsrdma
