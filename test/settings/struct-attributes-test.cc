/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "settings/struct-attributes.h"

#include "ns3/object.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

enum Colour
{
    COLOUR_RED,
    COLOUR_BLUE
};

struct Settings
{
    struct Inner
    {
        Time delay;
        std::string name;
    };

    uint16_t slots{0};
    bool soft{false};
    double share{0};
    Colour colour{COLOUR_RED};
    Inner inner;
};

class Owner : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = [] {
            TypeId made = TypeId("ns3::nfsrdma::SettingAttributesTestOwner")
                              .SetParent<Object>()
                              .AddConstructor<Owner>();
            SettingAttributes<Settings> settings(made, &Owner::m_settings);
            settings.Add(&Settings::slots, "Slots", "Count.", {128, 1});
            settings.Add(&Settings::soft, "Soft", "Whether.", true);
            settings.Add(&Settings::share, "Share", "Part.", 0.5, 0, 1);
            settings.Add(&Settings::colour,
                         "Colour",
                         "Which.",
                         COLOUR_BLUE,
                         MakeEnumChecker(COLOUR_RED, "red", COLOUR_BLUE, "blue"));
            auto inner = settings.Of(&Settings::inner);
            inner.Add(&Settings::Inner::delay, "Delay", "Time.", Seconds(3), Seconds(1));
            inner.Add(&Settings::Inner::name, "Name", "Text.", "linux");
            return made;
        }();
        return tid;
    }

    Settings m_settings;
};

TEST(SettingAttributesTest, FieldsStartWithTheirInitialValues)
{
    const Settings& settings = CreateObject<Owner>()->m_settings;
    EXPECT_EQ(settings.slots, 128U);
    EXPECT_TRUE(settings.soft);
    EXPECT_EQ(settings.share, 0.5);
    EXPECT_EQ(settings.colour, COLOUR_BLUE);
    EXPECT_EQ(settings.inner.delay, Seconds(3));
    EXPECT_EQ(settings.inner.name, "linux");
}

TEST(SettingAttributesTest, AttributesReachFieldsBothWays)
{
    auto owner = CreateObject<Owner>();
    EXPECT_TRUE(owner->SetAttributeFailSafe("Slots", StringValue("7")));
    EXPECT_TRUE(owner->SetAttributeFailSafe("Colour", StringValue("red")));
    EXPECT_TRUE(owner->SetAttributeFailSafe("Delay", TimeValue(Seconds(2))));
    EXPECT_EQ(owner->m_settings.slots, 7U);
    EXPECT_EQ(owner->m_settings.colour, COLOUR_RED);
    EXPECT_EQ(owner->m_settings.inner.delay, Seconds(2));
    owner->m_settings.inner.name = "other";
    StringValue name;
    owner->GetAttribute("Name", name);
    EXPECT_EQ(name.Get(), "other");
}

TEST(SettingAttributesTest, ValuesBeyondTheirBoundsAreRefused)
{
    auto owner = CreateObject<Owner>();
    EXPECT_FALSE(owner->SetAttributeFailSafe("Slots", UintegerValue(0)));
    EXPECT_FALSE(owner->SetAttributeFailSafe("Slots", UintegerValue(65536)));
    EXPECT_FALSE(owner->SetAttributeFailSafe("Share", DoubleValue(1.5)));
    EXPECT_FALSE(owner->SetAttributeFailSafe("Delay", TimeValue(Time(0))));
    EXPECT_TRUE(owner->SetAttributeFailSafe("Slots", UintegerValue(65535)));
}

} // namespace
} // namespace ns3::nfsrdma
