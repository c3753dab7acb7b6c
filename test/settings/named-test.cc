/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "settings/named.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

class Shape : public Named<Shape>
{
  public:
    virtual ~Shape() = default;
    [[nodiscard]] virtual int GetCorners() const = 0;
    [[nodiscard]] static Registry<Shape>& GetKinds();
};

template <int CORNERS>
class Polygon : public Shape
{
  public:
    [[nodiscard]] int GetCorners() const override
    {
        return CORNERS;
    }
};

Registry<Shape>&
Shape::GetKinds()
{
    static Registry<Shape> kinds{{"triangle", Make<Polygon<3>>}, {"square", Make<Polygon<4>>}};
    return kinds;
}

TEST(Registry, MakesWhatHasTheName)
{
    EXPECT_EQ(Shape::Create("square")->GetCorners(), 4);
    EXPECT_EQ(Shape::Create("triangle")->GetCorners(), 3);
    EXPECT_EQ(Shape::Create("circle"), nullptr);
}

TEST(Registry, ListsTheNamesAsTheyStand)
{
    auto names = Shape::GetNames();
    names.resize(2); // Others may have been added.
    EXPECT_THAT(names, ::testing::ElementsAre("triangle", "square"));
}

struct StarSettings
{
    uint32_t points{};
    bool filled{};

    static const std::vector<Setting<StarSettings>>& GetRows()
    {
        static const std::vector<Setting<StarSettings>> rows{
            NFSRDMA_SETTING_ROW(StarSettings, points, "5", Count(3, 12), "points"),
            NFSRDMA_SETTING_ROW(StarSettings, filled, "false", TrueOrFalse(), "filled")};
        return rows;
    }
};

class Star : public Shape
{
  public:
    StarSettings settings;

    [[nodiscard]] int GetCorners() const override
    {
        return static_cast<int>(settings.points) * (settings.filled ? 1 : 2);
    }
};

class RegistryAddTest : public ::testing::Test
{
  protected:
    static void SetUpTestSuite()
    {
        Shape::Add<Polygon<6>>("hexagon");
        Shape::Add<Star>("star");
    }
};

TEST_F(RegistryAddTest, WhatIsAddedIsFoundBehindTheOthers)
{
    EXPECT_THAT(Shape::GetNames(), ::testing::ElementsAre("triangle", "square", "hexagon", "star"));
    EXPECT_EQ(Shape::Create("hexagon")->GetCorners(), 6);
}

TEST_F(RegistryAddTest, ANameIsTakenOnce)
{
    EXPECT_THROW(Shape::Add<Polygon<5>>("star"), std::invalid_argument);
    EXPECT_EQ(Shape::GetNames().size(), 4U);
}

TEST_F(RegistryAddTest, SettingsHaveTheirDefaultsOrWhatIsSaid)
{
    EXPECT_EQ(Shape::Create("star")->GetCorners(), 10);
    EXPECT_EQ(Shape::Create("star[Points=7]")->GetCorners(), 14);
    EXPECT_EQ(Shape::Create("star[Points=7|Filled=true]")->GetCorners(), 7);
    EXPECT_EQ(Shape::Create("star[]")->GetCorners(), 10);
}

TEST_F(RegistryAddTest, SettingsThatAreNotThereOrOutOfRangeMakeNothing)
{
    for (const auto* text : {"star[Edges=7]",
                             "star[Points=13]",
                             "star[Points]",
                             "star[Points=7",
                             "square[Points=7]",
                             "[Points=7]"})
    {
        EXPECT_EQ(Shape::Create(text), nullptr) << text;
    }
}

TEST_F(RegistryAddTest, WordsAreWrittenAsTheyAreRead)
{
    for (const std::string text : {"star", "star[Points=7]", "star[Points=7|Filled=true]"})
    {
        EXPECT_EQ(SettingWords::Parse(text)->ToText(), text);
    }
}

} // namespace

} // namespace ns3::nfsrdma
