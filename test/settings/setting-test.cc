/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "settings/setting.h"

#include "ns3/object.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

struct KettleSettings
{
    enum Material
    {
        STEEL,
        GLASS
    };

    Time boilFor;
    DataRate pourRate;
    uint32_t cupsMax{0};
    uint32_t waterMass{0};
    bool whistle{false};
    double share{0};
    Material material{STEEL};

    static const std::vector<Setting<KettleSettings>>& GetRows()
    {
        static const std::vector<Setting<KettleSettings>> rows{
#define ROW(name, ...) NFSRDMA_SETTING_ROW(KettleSettings, name, __VA_ARGS__)
            ROW(boilFor, "3s", AnyTime(), "how long it boils", "a minute is too much"),
            ROW(pourRate, "8bps", RateFrom(0), "how fast it pours", "1 octet a second"),
            ROW(cupsMax, "4", Count(1, 6), "cups at most", "a pot"),
            ROW(waterMass, "1000", Octets(), "water in it", "a litre"),
            ROW(whistle, "true", TrueOrFalse(), "it says when it boils", "as kettles do"),
            ROW(share, "0.5", Share(), "share that evaporates", "half"),
            ROW(material,
                "glass",
                OneOf(KettleSettings::STEEL, "steel", KettleSettings::GLASS, "glass"),
                "what it is made of",
                "one sees the water"),
#undef ROW
        };
        return rows;
    }
};

class Kettle : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static const TypeId tid = AddAttributes(TypeId("ns3::nfsrdma::Kettle").SetParent<Object>(),
                                                KettleSettings::GetRows(),
                                                &Kettle::m_settings)
                                      .AddConstructor<Kettle>();
        return tid;
    }

    [[nodiscard]] const KettleSettings& GetSettings() const
    {
        return m_settings;
    }

  private:
    KettleSettings m_settings;
};

NS_OBJECT_ENSURE_REGISTERED(Kettle);

TEST(Setting, DefaultsOfAllKindsAreTheAttributes)
{
    const auto& settings = CreateObject<Kettle>()->GetSettings();
    EXPECT_EQ(settings.boilFor, Seconds(3));
    EXPECT_EQ(settings.pourRate, DataRate(8));
    EXPECT_EQ(settings.cupsMax, 4U);
    EXPECT_EQ(settings.waterMass, 1000U);
    EXPECT_TRUE(settings.whistle);
    EXPECT_EQ(settings.share, 0.5);
    EXPECT_EQ(settings.material, KettleSettings::GLASS);
}

TEST(Setting, AttributesSetAndGetTheFields)
{
    const auto kettle = CreateObject<Kettle>();
    kettle->SetAttribute("CupsMax", UintegerValue(6));
    kettle->SetAttribute("Material", StringValue("steel"));
    kettle->SetAttribute("BoilFor", StringValue("2ms"));
    EXPECT_EQ(kettle->GetSettings().cupsMax, 6U);
    EXPECT_EQ(kettle->GetSettings().material, KettleSettings::STEEL);
    EXPECT_EQ(kettle->GetSettings().boilFor, MilliSeconds(2));
    EnumValue material(KettleSettings::GLASS);
    kettle->GetAttribute("Material", material);
    EXPECT_EQ(material.Get(), KettleSettings::STEEL);
    TimeValue time;
    kettle->GetAttribute("BoilFor", time);
    EXPECT_EQ(time.Get(), MilliSeconds(2));
}

TEST(Setting, ValuesOutOfRangeAreRefused)
{
    const auto kettle = CreateObject<Kettle>();
    EXPECT_FALSE(kettle->SetAttributeFailSafe("CupsMax", UintegerValue(0)));
    EXPECT_FALSE(kettle->SetAttributeFailSafe("CupsMax", UintegerValue(7)));
    EXPECT_FALSE(kettle->SetAttributeFailSafe("Share", DoubleValue(1.5)));
    EXPECT_FALSE(kettle->SetAttributeFailSafe("BoilFor", TimeValue(Seconds(-1))));
#ifndef NS3_ASSERT_ENABLE // An assertion of ns-3 ends the program.
    EXPECT_FALSE(kettle->SetAttributeFailSafe("Material", StringValue("clay")));
#endif
    EXPECT_FALSE(kettle->SetAttributeFailSafe("Whistle", StringValue("perhaps")));
}

TEST(Setting, NamesFollowFromTheFields)
{
    const auto& row = KettleSettings::GetRows().front();
    EXPECT_EQ(row.GetAttribute(), "BoilFor");
    EXPECT_EQ(row.GetKey(), "boil_for");
    EXPECT_EQ(row.GetHelp(), "How long it boils (time). Default: a minute is too much.");
    EXPECT_EQ(KettleSettings::GetRows().back().GetHelp(),
              "What it is made of: steel or glass. Default: one sees the water.");
}

} // namespace

} // namespace ns3::nfsrdma
