/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-plan/planned-run.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace ns3::nfsrdma::test
{

namespace
{

/// Draws faults of every kind that frames and links can have, mild enough for the work to end, and
/// visible to MPA, so that nothing wrong is taken for right.
class PlanGenerator
{
  public:
    explicit PlanGenerator(uint64_t seed)
        : m_random(seed)
    {
    }

    std::vector<std::string> Generate()
    {
        std::vector<std::string> faults;
        const auto count = Draw(1, 5);
        for (uint64_t i = 0; i < count; ++i)
        {
            faults.push_back(Draw(0, 3) == 0 ? MakeTimed() : MakeOfEvent());
        }
        return faults;
    }

  private:
    uint64_t Draw(uint64_t least, uint64_t most)
    {
        return least + m_random() % (most - least + 1);
    }

    std::string Number(uint64_t least, uint64_t most)
    {
        return std::to_string(Draw(least, most));
    }

    std::string Choose(const std::vector<std::string>& words)
    {
        return words[Draw(0, words.size() - 1)];
    }

    static std::string Ordinal(uint64_t number)
    {
        const bool teens = number % 100 / 10 == 1;
        const char* const endings[]{"th", "st", "nd", "rd"};
        const bool usual = teens || number % 10 > 3;
        return std::to_string(number) + (usual ? "th" : endings[number % 10]);
    }

    std::string MakeTimed()
    {
        const auto at = "at " + Number(0, 3000) + "us";
        return Draw(0, 3) == 0 ? at + ": " + MakePartition()
                               : at + " on " + MakeHost() + ": " + MakeLinkAction();
    }

    std::string MakeOfEvent()
    {
        const bool payload = Draw(0, 3) != 0;
        const auto event = payload ? Choose({"data",
                                             "fpdu",
                                             "rdma-write",
                                             "read-request",
                                             "read-response",
                                             "send",
                                             "send-invalidate",
                                             "rdma-msg",
                                             "rpc-call",
                                             "rpc-reply",
                                             "mpa-request",
                                             "mpa-reply",
                                             "nfs READ call",
                                             "nfs WRITE reply",
                                             "nfs call",
                                             "terminate",
                                             "retransmission"})
                                   : Choose({"segment", "syn", "ack", "fin", "rst"});
        const auto where = MakeWhere();
        switch (Draw(0, 3))
        {
        case 0:
            return Ordinal(Draw(1, 30)) + " " + event + where + ": " + MakeAction(payload);
        case 1:
            return "every " + Ordinal(Draw(4, 40)) + " " + event + where + " " + Number(1, 6) +
                   " times: " + MakeAction(payload);
        case 2:
            return event + where + " with probability 0.0" + Number(1, 9) + " " + Number(1, 6) +
                   " times: " + MakeAction(payload);
        default:
            return Ordinal(Draw(1, 9)) + " " + event + where + " after " + Number(0, 2000) +
                   "us: " + MakeAction(payload);
        }
    }

    std::string MakeHost()
    {
        return Choose({"client-0", "client-1", "server-0"});
    }

    std::string MakeWhere()
    {
        return Choose({"",
                       " from " + MakeHost(),
                       " to " + MakeHost(),
                       " on clients",
                       " from server-0 to client-1",
                       " between client-0 and server-0",
                       " between clients and servers connection " + Number(1, 2)});
    }

    std::string MakeAction(bool payload)
    {
        switch (Draw(0, payload ? 7 : 6))
        {
        case 0:
            return "drop";
        case 1:
            return "drop " + Number(2, 4) + " times";
        case 2:
            return "duplicate " + Number(1, 3) + " times";
        case 3:
            return "delay " + Number(1, 3000) + "us";
        case 4:
            return "reorder behind " + Number(1, 5) + " segments";
        case 5:
            return "resegment " + Number(1, 700) + " octets";
        case 6:
            return Draw(0, 3) == 0 ? MakePartition() : MakeLinkAction() + " on " + MakeHost();
        default:
            return "corrupt " + Number(1, 9) + " bits after crc";
        }
    }

    std::string MakeLinkAction()
    {
        switch (Draw(0, 2))
        {
        case 0:
            return "link-down for " + Number(1, 4000) + "us";
        case 1:
            return "flap " + Number(1, 4) + " times down " + Number(1, 900) + "us up " +
                   Number(1, 900) + "us";
        default:
            return "mtu " + Number(576, 1400) + " for " + Number(1, 9) + "ms" +
                   (Draw(0, 1) == 0 ? " silently" : "");
        }
    }

    std::string MakePartition()
    {
        return "partition " + Choose({"client-0", "client-1", "clients"}) + " | server-0 for " +
               Number(1, 5000) + "us";
    }

    std::mt19937_64 m_random;
};

std::string
Describe(const std::vector<std::string>& faults)
{
    std::string text;
    for (const auto& fault : faults)
    {
        text += "\n    " + fault;
    }
    return text;
}

/// Runs \p scenario twice. \return whether it ends as it should.
bool
Check(const std::string& scenario, const std::string& what)
{
    const auto first = RunPlanned(scenario);
    const auto& report = first.report;
    EXPECT_EQ(report.status, RunStatus::OK) << what;
    EXPECT_EQ(report.verification.GetMismatches(), 0U) << what;
    EXPECT_TRUE(report.leftovers.IsEmpty()) << what;
    const auto second = RunPlanned(scenario);
    EXPECT_EQ(report.digest, second.report.digest) << what;
    EXPECT_EQ(first.faultsCsv, second.faultsCsv) << what;
    return report.status == RunStatus::OK && report.verification.GetMismatches() == 0 &&
           report.leftovers.IsEmpty() && report.digest == second.report.digest &&
           first.faultsCsv == second.faultsCsv;
}

/// Writes a plan that failed into the folder that the environment names, to be kept in
/// test/data/failing-plans.
void
Keep(const std::string& name, const std::string& scenario)
{
    if (const char* const folder = std::getenv("NFSRDMA_FAILING_PLANS"))
    {
        std::filesystem::create_directories(folder);
        std::ofstream(std::filesystem::path(folder) / (name + ".ini"))
            << "# " << name << ": what went wrong belongs here.\n"
            << scenario;
    }
}

/// \return what comes before the seeds of nightly runs.
uint64_t
GetBaseSeed()
{
    const char* const text = std::getenv("NFSRDMA_PLAN_SEED");
    return text == nullptr ? 1000 : std::strtoull(text, nullptr, 10);
}

constexpr uint64_t GROUP = 10;

/// Parameter: NFS version, number of the first seed of the group less what comes before.
class RandomPlanTest : public testing::TestWithParam<std::tuple<std::string, uint64_t>>
{
  protected:
    static void CheckGroup(uint64_t before)
    {
        const auto& [version, first] = GetParam();
        for (uint64_t seed = before + first; seed < before + first + GROUP; ++seed)
        {
            const auto faults = PlanGenerator(seed).Generate();
            const auto scenario = MakeScenario(version, faults);
            const auto what =
                "NFS " + version + ", seed " + std::to_string(seed) + Describe(faults);
            if (!Check(scenario, what))
            {
                Keep((version == "3" ? "v3-" : "v41-") + std::to_string(seed), scenario);
            }
        }
    }
};

class NightlyPlanTest : public RandomPlanTest
{
};

std::string
NameGroup(const testing::TestParamInfo<RandomPlanTest::ParamType>& test)
{
    return std::string(std::get<0>(test.param) == "3" ? "v3" : "v41") + "_from_" +
           std::to_string(std::get<1>(test.param));
}

std::vector<std::string>
FindKeptPlans()
{
    std::vector<std::string> names;
    const std::filesystem::path folder(NFSRDMA_SOURCE_DIR "/test/data/failing-plans");
    for (const auto& file : std::filesystem::directory_iterator(folder))
    {
        names.push_back(file.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// Plans that failed once. Parameter: the name of a file in test/data/failing-plans.
class KeptPlanTest : public testing::TestWithParam<std::string>
{
};

TEST_P(RandomPlanTest, RunEndsAsItShouldAndAgain)
{
    CheckGroup(0);
}

TEST_P(NightlyPlanTest, RunEndsAsItShouldAndAgain)
{
    CheckGroup(GetBaseSeed());
}

TEST_P(KeptPlanTest, RunEndsAsItShouldAndAgain)
{
    std::ostringstream scenario;
    scenario << std::ifstream(NFSRDMA_SOURCE_DIR "/test/data/failing-plans/" + GetParam() + ".ini")
                    .rdbuf();
    Check(scenario.str(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Plans,
                         RandomPlanTest,
                         testing::Combine(testing::Values("3", "4.1"),
                                          testing::Range<uint64_t>(1, 51, GROUP)),
                         NameGroup);

INSTANTIATE_TEST_SUITE_P(Nightly,
                         NightlyPlanTest,
                         testing::Combine(testing::Values("3", "4.1"),
                                          testing::Range<uint64_t>(1, 501, GROUP)),
                         NameGroup);

INSTANTIATE_TEST_SUITE_P(Plans,
                         KeptPlanTest,
                         testing::ValuesIn(FindKeptPlans()),
                         [](const auto& test) {
                             std::string name = test.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

} // namespace

} // namespace ns3::nfsrdma::test
