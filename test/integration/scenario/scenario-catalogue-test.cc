/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/scenario-catalogue.h"
#include "scenarios/simulator/keys/scenario-error.h"
#include "temporary-file.h"

#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(ScenarioCatalogueTest, HasEveryScenarioOnceAndNeitherProfilesNorExperiments)
{
    std::size_t count = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(NFSRDMA_SOURCE_DIR "/scenarios"))
    {
        const auto path = entry.path().string();
        count += entry.path().extension() == ".ini" &&
                         path.find("/profiles/") == std::string::npos &&
                         path.find("/validation/") == std::string::npos
                     ? 1
                     : 0;
    }
    const ScenarioCatalogue catalogue;
    EXPECT_EQ(catalogue.GetFiles().size(), count);
    EXPECT_EQ(catalogue.GetFiles().count("generic-100g"), 0U);
}

TEST(ScenarioCatalogueTest, AScenarioIsFoundByItsBareName)
{
    const ScenarioCatalogue catalogue;
    for (const auto* given : {"loss", "loss.ini", "scenarios/loss.ini", "scenarios/loss"})
    {
        EXPECT_THAT(catalogue.Find(given), EndsWith("/scenarios/losses/loss.ini")) << given;
    }
}

TEST(ScenarioCatalogueTest, AFileOfThatPathComesFirst)
{
    const test::TemporaryFile file;
    EXPECT_EQ(ScenarioCatalogue().Find(file.GetPath()), file.GetPath());
}

TEST(ScenarioCatalogueTest, ADirectoryOfResultsDoesNotHideTheScenario)
{
    namespace fs = std::filesystem;
    std::string name = (fs::temp_directory_path() / "results-XXXXXX").string();
    const fs::path folder = mkdtemp(name.data());
    const auto before = fs::current_path();
    fs::create_directory(folder / "loss");
    fs::current_path(folder);
    EXPECT_THAT(ScenarioCatalogue().Find("loss"), EndsWith("/scenarios/losses/loss.ini"));
    fs::current_path(before);
    fs::remove_all(folder);
}

TEST(ScenarioCatalogueTest, APathIsNotTakenForAName)
{
    EXPECT_EQ(ScenarioCatalogue().Find("elsewhere/loss.ini"), "elsewhere/loss.ini");
}

TEST(ScenarioCatalogueTest, WhatIsNeitherIsRefusedWithTheNearestName)
{
    try
    {
        ScenarioCatalogue().Find("inline-treshold");
        FAIL() << "no error";
    }
    catch (const ScenarioError& error)
    {
        EXPECT_THAT(error.what(), StartsWith("inline-treshold: got "));
        EXPECT_THAT(error.what(), EndsWith("nearest name: inline-threshold"));
        EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    }
}

TEST(ScenarioCatalogueTest, WithoutItsFolderThereAreNoNames)
{
    EXPECT_TRUE(ScenarioCatalogue("/nonexistent/scenarios").GetFiles().empty());
}

} // namespace

} // namespace ns3::nfsrdma
