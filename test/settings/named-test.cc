/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "settings/named.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

class Shape : public Named<Shape>
{
  public:
    virtual ~Shape() = default;
    [[nodiscard]] virtual int GetCorners() const = 0;
    [[nodiscard]] static const Registry<Shape>& GetKinds();
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

const Registry<Shape>&
Shape::GetKinds()
{
    static const Registry<Shape> kinds{{"triangle", Make<Polygon<3>>},
                                       {"square", Make<Polygon<4>>}};
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
    EXPECT_THAT(Shape::GetNames(), ::testing::ElementsAre("triangle", "square"));
}

} // namespace

} // namespace ns3::nfsrdma
