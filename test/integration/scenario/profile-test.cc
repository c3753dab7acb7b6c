/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/inline-crypto.h"
#include "rnic/hardware/device.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/setup/scenario-check.h"

#include "ns3/string.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

const std::string SCENARIOS = NFSRDMA_SOURCE_DIR "/scenarios";

std::string
GetFile(const std::string& profile)
{
    return SCENARIOS + "/profiles/rnic/" + profile + ".ini";
}

std::vector<std::string>
ListProfiles()
{
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(SCENARIOS + "/profiles/rnic"))
    {
        names.push_back(file.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool
IsMpa(const std::string& name)
{
    return name.rfind("rnic.mpa_", 0) == 0;
}

/// A profile of an RNIC as the program has it.
class RnicProfile : public ::testing::TestWithParam<std::string>
{
  protected:
    [[nodiscard]] ScenarioConfig Resolve(const std::string& text) const
    {
        return {m_schema, {{SCENARIOS}}, ScenarioFile::Parse("a.ini", text).GetEntries()};
    }

    [[nodiscard]] std::vector<ScenarioEntry> Load() const
    {
        return ScenarioFile::Load(GetFile(GetParam())).GetEntries();
    }

    ScenarioSchema m_schema{ScenarioSchema::Standard()};
};

TEST_P(RnicProfile, HasKnownKeysWithValuesThatTheirAttributesTake)
{
    const auto device = CreateObject<RnicDevice>();
    const auto crypto = CreateObject<InlineCrypto>();
    for (const auto& entry : Load())
    {
        ASSERT_EQ(entry.key.rfind("rnic.", 0), 0U) << entry.key;
        const auto index = m_schema.Require(entry.key, "profile");
        const auto value = m_schema.ParseValue(index, entry.value, entry.origin.ToText());
        for (const auto& target : m_schema.GetKey(index).targets)
        {
            const auto colons = target.find("::");
            const auto className = target.substr(0, colons);
            const Ptr<Object> object =
                className == "MpaSettings"    ? Ptr<Object>(device->GetMpaSettings())
                : className == "MpaTransport" ? Ptr<Object>(device->GetTransport())
                : className == "InlineCrypto" ? Ptr<Object>(crypto)
                                              : Ptr<Object>(device);
            EXPECT_TRUE(object->SetAttributeFailSafe(target.substr(colons + 2),
                                                     StringValue(value.ToAttributeText())))
                << entry.origin.ToText() << ": " << entry.key;
        }
    }
}

TEST_P(RnicProfile, HasEveryCost)
{
    std::set<std::string> keys;
    for (const auto& entry : Load())
    {
        keys.insert(entry.key);
    }
    for (std::size_t index = 0; index < m_schema.GetKeyCount(); ++index)
    {
        const auto& name = m_schema.GetFullName(index);
        const auto type = m_schema.GetKey(index).constraint.type;
        const bool isCost = name.rfind("rnic.", 0) == 0 && !IsMpa(name) &&
                            name != "rnic.ignore_time" &&
                            (type == ScenarioType::TIME || type == ScenarioType::RATE);
        EXPECT_TRUE(!isCost || keys.count(name) == 1) << name;
    }
}

TEST_P(RnicProfile, ExplainsEveryBlockOfValues)
{
    std::ifstream file(GetFile(GetParam()));
    ASSERT_TRUE(file);
    std::string line;
    std::string before;
    while (std::getline(file, line))
    {
        const bool isValue = line.find(" = ") != std::string::npos && line[0] != '#';
        EXPECT_FALSE(isValue && (before.empty() || before[0] == '[')) << line;
        before = line;
    }
}

TEST_P(RnicProfile, ContradictsNothingOnALinkOfItsPort)
{
    const auto config = Resolve("[rnic]\nprofile = " + GetParam() + "\n");
    EXPECT_LE(config.Get("link.rate").AsRate(), config.Get("rnic.port_rate").AsRate());
    EXPECT_NO_THROW(CheckCombinations(config));
}

INSTANTIATE_TEST_SUITE_P(Files,
                         RnicProfile,
                         ::testing::ValuesIn(ListProfiles()),
                         [](const auto& parameter) {
                             std::string name = parameter.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(RnicProfiles, AreThere)
{
    EXPECT_THAT(ListProfiles(),
                IsSupersetOf({"chelsio-t5-40g",
                              "chelsio-t6-100g",
                              "generic-25g",
                              "generic-100g",
                              "generic-200g",
                              "generic-400g",
                              "rfc5044",
                              "software-iwarp"}));
}

class GenericProfile : public RnicProfile
{
};

TEST_P(GenericProfile, HoldsTheDefaults)
{
    for (const auto& entry : Load())
    {
        const auto index = m_schema.Require(entry.key, "profile");
        const auto value = m_schema.ParseValue(index, entry.value, "profile");
        const auto standard =
            m_schema.ParseValue(index, m_schema.GetKey(index).defaultText, "default");
        EXPECT_EQ(value.ToBaseUnits(), standard.ToBaseUnits()) << entry.key;
    }
}

INSTANTIATE_TEST_SUITE_P(File, GenericProfile, ::testing::Values("generic-100g"));

/// A profile of a user's own, with something wrong.
class WrongProfile : public ::testing::Test
{
  protected:
    WrongProfile()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "nfsrdma-XXXXXX").string();
        m_directory = mkdtemp(pattern.data());
        std::filesystem::create_directories(m_directory + "/profiles/rnic");
    }

    ~WrongProfile() override
    {
        std::filesystem::remove_all(m_directory);
    }

    std::string GetError(const std::string& profile, const std::string& more = "") const
    {
        std::ofstream(m_directory + "/profiles/rnic/mine.ini") << profile;
        const auto schema = ScenarioSchema::Standard();
        try
        {
            const ScenarioConfig config(
                schema,
                {{m_directory, SCENARIOS}},
                ScenarioFile::Parse("a.ini", "[rnic]\nprofile = mine\n" + more).GetEntries());
            CheckCombinations(config);
        }
        catch (const ScenarioError& error)
        {
            return error.what();
        }
        return "no error";
    }

    std::string m_directory;
};

TEST_F(WrongProfile, UnknownKeyIsRefusedWithLineAndNearest)
{
    EXPECT_THAT(GetError("# Mine.\n[rnic]\ndorbell = 1us\n"),
                HasSubstr("mine.ini:3: rnic.dorbell: got unknown key 'dorbell', expected a key of "
                          "section rnic (see --list-keys); nearest key: rnic.doorbell"));
}

TEST_F(WrongProfile, ValueOfAnotherTypeIsRefusedWithLine)
{
    EXPECT_THAT(GetError("[rnic]\ndoorbell = 8\n"),
                HasSubstr("mine.ini:2: rnic.doorbell: got '8', expected a time such as"));
    EXPECT_THAT(GetError("[rnic]\npolling = often\n"),
                HasSubstr("mine.ini:2: rnic.polling: got 'often', expected true or false"));
}

TEST_F(WrongProfile, ContradictionIsRefusedWithLine)
{
    EXPECT_THAT(GetError("[rnic]\nmoderation_period = 8us\n"),
                HasSubstr("mine.ini:2: rnic.moderation_period: got '8us', expected 0ns"));
    EXPECT_THAT(GetError("[rnic]\nport_rate = 25Gbps\n", "[link]\nrate = 40Gbps\n"),
                HasSubstr("a.ini:4: link.rate: got '40Gbps', expected at most rnic.port_rate of "
                          "the profile mine, 25Gbps"));
}

TEST_F(WrongProfile, KeyOfAnotherSectionIsRefusedWithLine)
{
    EXPECT_THAT(GetError("[host]\ncores = 2\n"),
                HasSubstr("mine.ini:2: host.cores: got '2', expected keys of section rnic"));
}

} // namespace

} // namespace ns3::nfsrdma
