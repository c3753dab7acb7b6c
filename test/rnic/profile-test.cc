/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-device.h"

#include "ns3/string.h"

#include <cctype>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace ns3::nfsrdma
{

class Profile : public ::testing::TestWithParam<const char*>
{
  protected:
    void SetUp() override
    {
        std::ifstream file(std::string(NFSRDMA_SOURCE_DIR "/scenarios/profiles/rnic/") +
                           GetParam() + ".ini");
        ASSERT_TRUE(file);
        std::string line;
        while (std::getline(file, line))
        {
            const auto equals = line.find(" = ");
            if (line.empty() || line[0] == '#' || line[0] == '[')
            {
                m_sections += !line.empty() && line[0] == '[' ? line : "";
                continue;
            }
            ASSERT_NE(equals, std::string::npos) << line;
            const bool added =
                m_values.emplace(CamelCase(line.substr(0, equals)), line.substr(equals + 3)).second;
            EXPECT_TRUE(added) << line;
        }
    }

    static std::string CamelCase(const std::string& key)
    {
        std::string name;
        bool upper = true;
        for (const char letter : key)
        {
            if (letter != '_')
            {
                name += upper ? static_cast<char>(std::toupper(letter)) : letter;
            }
            upper = letter == '_';
        }
        return name;
    }

    /// \return the object of \p device that has what \p name stands for, and its name there.
    static std::pair<Ptr<Object>, std::string> Find(Ptr<RnicDevice> device, const std::string& name)
    {
        const std::string mpa = "Mpa";
        return name.rfind(mpa, 0) == 0
                   ? std::pair<Ptr<Object>, std::string>(device->GetMpaSettings(),
                                                         name.substr(mpa.size()))
                   : std::pair<Ptr<Object>, std::string>(device, name);
    }

    std::string m_sections;
    std::map<std::string, std::string> m_values;
};

TEST_P(Profile, NamesAttributesOfTheDeviceWithGoodValues)
{
    EXPECT_EQ(m_sections, "[rnic]");
    const auto device = CreateObject<RnicDevice>();
    for (const auto& [name, value] : m_values)
    {
        const auto [object, attribute] = Find(device, name);
        EXPECT_TRUE(object->SetAttributeFailSafe(attribute, StringValue(value))) << name;
    }
    for (const char* cost : {"Doorbell", "WqeFetch", "TxPerWqe", "TxPerFpdu", "PcieRate"})
    {
        EXPECT_EQ(m_values.count(cost), 1U) << cost;
    }
}

INSTANTIATE_TEST_SUITE_P(Files,
                         Profile,
                         ::testing::Values("generic-100g", "software-iwarp"),
                         [](const auto& parameter) {
                             std::string name = parameter.param;
                             name.erase(name.find('-'), 1);
                             return name;
                         });

class GenericProfile : public Profile
{
};

TEST_P(GenericProfile, HoldsTheDefaults)
{
    const auto plain = CreateObject<RnicDevice>();
    const auto profiled = CreateObject<RnicDevice>();
    for (const auto& [name, value] : m_values)
    {
        const auto [standard, attribute] = Find(plain, name);
        const auto [object, same] = Find(profiled, name);
        object->SetAttribute(attribute, StringValue(value));
        StringValue expected;
        StringValue got;
        standard->GetAttribute(attribute, expected);
        object->GetAttribute(same, got);
        EXPECT_EQ(got.Get(), expected.Get()) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(File, GenericProfile, ::testing::Values("generic-100g"));

} // namespace ns3::nfsrdma
