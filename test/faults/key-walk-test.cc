/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "keys-fixture.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <set>
#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

/// The situations as they stand, in parts: some 500 runs in all are too long for every change.
class KeyWalkTest : public KeysTest, public ::testing::WithParamInterface<std::size_t>
{
  protected:
    static constexpr std::size_t PARTS = 8;
};

TEST_P(KeyWalkTest, EveryKeyChangesWhatItsSituationGives)
{
    std::size_t number = 0;
    CopyInputs();
    for (const auto& situation : ReadSituations(m_schema))
    {
        if (situation.IsElsewhere() || number++ % PARTS != GetParam())
        {
            continue;
        }
        const auto before = RunAndRead(situation.text, {});
        EXPECT_NE(before, "") << situation.name << ": " << m_refusal;
        for (const auto& trial : situation.trials)
        {
            m_refusal.clear();
            const auto after = RunAndRead(situation.text, {"--set", trial.key + "=" + trial.value});
            EXPECT_EQ(m_refusal.empty(), !trial.isRefused)
                << situation.name << ": " << trial.key << ": " << m_refusal;
            EXPECT_NE(after, before) << "nothing changes in situation " << situation.name
                                     << " with " << trial.key << " = " << trial.value;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Nightly, KeyWalkTest, ::testing::Values(0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U));

const std::string PROFILES = NFSRDMA_SOURCE_DIR "/scenarios/profiles";

/// What every situation is run with besides, and the keys that are walked: all of number
/// first, first + step, ... in the order of situations.txt.
struct KeyWalk
{
    std::string key;
    std::string value;
    std::size_t first{0};
    std::size_t step{1};
};

void
PrintTo(const KeyWalk& walk, std::ostream* stream)
{
    *stream << walk.key << " = " << walk.value << ", part " << walk.first << " of " << walk.step;
}

/// A key, of a choice a key with a value, and where it is tried.
struct WalkedKey
{
    std::string name;
    std::vector<std::pair<const Situation*, KeyTrial>> trials;
};

/**
 * Each key under a version of NFS, or with a profile. It changes what one of its situations gives,
 * whatever these say about the version; or it is refused in all of them, by its own name or since
 * they are by the name of what it depends on. A key of a choice does so with each word of it.
 */
class KeyUseTest : public KeysTest, public ::testing::WithParamInterface<KeyWalk>
{
  protected:
    /// \return the keys that the profile of this walk says; empty: it is of no profile.
    std::set<std::string> ListProfileKeys() const
    {
        std::set<std::string> keys;
        const auto& key = GetParam().key;
        const auto end = key.find(".profile");
        if (end != std::string::npos)
        {
            const auto file = PROFILES + "/" + key.substr(0, end) + "/" + GetParam().value + ".ini";
            const auto profile = ScenarioFile::Load(file);
            for (const auto& entry : profile.GetEntries())
            {
                keys.insert(entry.key);
            }
        }
        return keys;
    }

    std::vector<WalkedKey> ListKeys() const
    {
        const auto ofProfile = ListProfileKeys();
        std::vector<WalkedKey> keys;
        std::map<std::string, std::size_t> places;
        for (const auto& situation : m_situations)
        {
            for (const auto& trial : situation.trials)
            {
                const auto plain = GetPlainKey(m_schema, trial.key);
                if (situation.IsElsewhere() || plain == GetParam().key ||
                    (!ofProfile.empty() && ofProfile.count(plain) == 0))
                {
                    continue;
                }
                const auto index = m_schema.Find(plain).value();
                const bool isWord =
                    ofProfile.empty() && !m_schema.GetKey(index).constraint.choices.empty();
                const auto name = isWord ? plain + " = " + trial.value : plain;
                const auto [place, isNew] = places.try_emplace(name, keys.size());
                if (isNew)
                {
                    keys.push_back({name, {}});
                }
                auto& trials = keys[place->second].trials;
                trials.emplace_back(&situation, trial);
                if (!ofProfile.empty())
                {
                    const KeyTrial other{trial.key, m_schema.GetKey(index).defaultText};
                    trials.emplace_back(&situation, other);
                }
            }
        }
        return keys;
    }

    /// \return what situation \p text gives, of this walk; empty when it is refused.
    const std::string& GetBefore(const Situation& situation)
    {
        const auto [entry, isNew] = m_before.try_emplace(&situation);
        if (isNew)
        {
            m_refusal.clear();
            entry->second.output = RunAndRead(situation.text, ListOptions());
            entry->second.refusal = m_refusal;
        }
        return entry->second.output;
    }

    std::vector<std::string> ListOptions() const
    {
        return {"--set", GetParam().key + "=" + GetParam().value};
    }

    /// \return whether \p trial changes what \p situation gives; \p fault: what is wrong when it
    /// does not.
    bool Changes(const Situation& situation, const KeyTrial& trial, std::string& fault)
    {
        const auto& before = GetBefore(situation);
        auto options = ListOptions();
        options.emplace_back("--set");
        options.push_back(trial.key + "=" + trial.value);
        m_refusal.clear();
        const auto after = RunAndRead(situation.text, options);
        // What makes a situation possible changes it, too.
        if (after != before && (!after.empty() || trial.isRefused))
        {
            return true;
        }
        if (after.empty() && IsContradiction(trial.key, before.empty()))
        {
            return !before.empty();
        }
        const auto where = situation.name + ", " + trial.key + " = " + trial.value + ": ";
        if (after.empty() && (IsRefusedAsIdle(trial.key) ||
                              (before.empty() && (DependsOn(trial.key, GetRefusedKey(m_refusal)) ||
                                                  IsRefusedForVersion(trial.key, trial.value)))))
        {
            return false;
        }
        fault += where + (m_refusal.empty() ? "nothing changes\n" : m_refusal);
        return false;
    }

    /// \return whether the latest refusal says that \p key does nothing, or nothing of this walk,
    /// rather than that its value is wrong.
    bool IsRefusedAsIdle(const std::string& key) const
    {
        return m_refusal.rfind("--set: " + key + ": got ", 0) == 0 &&
               (m_refusal.find("', expected this key only with ") != std::string::npos ||
                (m_refusal.find("', expected ") != std::string::npos &&
                 DependsOn(key, GetParam().key)));
    }

    /// \return whether the latest refusal says that \p key does not go together with the profile of
    /// this walk, or, where it \p isOfSituation, that the situation does not.
    bool IsContradiction(const std::string& key, bool isOfSituation) const
    {
        return !ListProfileKeys().empty() &&
               (isOfSituation || m_refusal.find(key + " = ") != std::string::npos ||
                m_refusal.find(key + ": got ") != std::string::npos);
    }

    /// \return whether no scenario of this walk may say \p key.
    bool IsRefusedForVersion(const std::string& key, const std::string& value) const
    {
        const auto here = "; here " + GetParam().key + " is " + GetParam().value;
        const ScenarioEntry walked{GetParam().key, GetParam().value, {"scenario.ini", 1}};
        return m_schema.Find(key) && key == GetPlainKey(m_schema, key) &&
               GetRefusal("", {walked, {key, value, {"scenario.ini", 2}}}).find(here) !=
                   std::string::npos;
    }

    static std::string GetRefusedKey(const std::string& refusal)
    {
        const auto begin = refusal.find(": ") + 2;
        return refusal.substr(begin, refusal.find(": got ") - begin);
    }

    /// \return whether a condition of \p key is about \p other.
    bool DependsOn(const std::string& key, const std::string& other) const
    {
        const auto& clauses = m_schema.GetCondition(m_schema.Find(key).value()).GetClauses();
        return std::any_of(clauses.begin(), clauses.end(), [&](const KeyCondition::Clause& clause) {
            return std::any_of(clause.begin(), clause.end(), [&](const auto& alternative) {
                return alternative.key == other;
            });
        });
    }

  private:
    struct Before
    {
        std::string output;
        std::string refusal;
    };

    std::vector<Situation> m_situations{ReadSituations(m_schema)};
    std::map<const Situation*, Before> m_before;
};

TEST_P(KeyUseTest, EveryKeyChangesWhatASituationGivesOrIsRefused)
{
    CopyInputs();
    const auto keys = ListKeys();
    for (auto number = GetParam().first; number < keys.size(); number += GetParam().step)
    {
        std::string faults;
        const auto& trials = keys[number].trials;
        const bool changes = std::any_of(trials.begin(), trials.end(), [&](const auto& trial) {
            return Changes(*trial.first, trial.second, faults);
        });
        EXPECT_TRUE(changes || faults.empty()) << keys[number].name << "\n" << faults;
    }
}

/// \return for every version the parts from \p begin up to \p end of \p step.
std::vector<KeyWalk>
ListVersions(std::size_t begin, std::size_t end, std::size_t step)
{
    std::vector<KeyWalk> walks;
    for (const char* const version : {"2", "3", "4.0", "4.1", "4.2"})
    {
        for (auto first = begin; first < end; ++first)
        {
            walks.push_back({"nfs.version", version, first, step});
        }
    }
    return walks;
}

/// \return every version in parts, and every profile.
std::vector<KeyWalk>
ListAll()
{
    auto walks = ListVersions(0, 4, 4);
    std::vector<KeyWalk> profiles;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(PROFILES))
    {
        const auto& path = entry.path();
        if (entry.is_regular_file())
        {
            profiles.push_back({path.parent_path().filename().string() + ".profile", path.stem()});
        }
    }
    std::sort(profiles.begin(), profiles.end(), [](const KeyWalk& one, const KeyWalk& other) {
        return std::tie(one.key, one.value) < std::tie(other.key, other.value);
    });
    walks.insert(walks.end(), profiles.begin(), profiles.end());
    return walks;
}

INSTANTIATE_TEST_SUITE_P(Nightly, KeyUseTest, ::testing::ValuesIn(ListAll()));
INSTANTIATE_TEST_SUITE_P(Some, KeyUseTest, ::testing::ValuesIn(ListVersions(3, 4, 61)));

} // namespace

} // namespace ns3::nfsrdma
