/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A scenario of scenarios/explore.
struct Model
{
    const char* name;
    bool hasFault{false}; ///< Something that may happen at any time.
};

void
PrintTo(const Model& model, std::ostream* stream)
{
    *stream << model.name;
}

const std::vector<Model> MODELS{{"cancel", true},
                                {"forms"},
                                {"pull-few-regions"},
                                {"pull-v3", true},
                                {"pull-v41", true},
                                {"recall"},
                                {"reconnect-v3", true},
                                {"seqids-v40", true},
                                {"sessions-v41", true},
                                {"short-reply"},
                                {"startup", true},
                                {"startup-revision-1", true}};

class ExploreTest : public SimulatorTest
{
  protected:
    ProcessResult Explore(const std::string& model,
                          const std::vector<std::string>& settings,
                          const std::string& out = "out") const
    {
        std::vector<std::string> words{"explore", model, "--out", out};
        for (const auto& setting : settings)
        {
            words.insert(words.end(), {"--set", setting});
        }
        return Run(words);
    }

    [[nodiscard]] nlohmann::json ReadResult(const std::string& out = "out") const
    {
        return m_directory.ReadJson(out + "/explore.json");
    }

    /// \return orders with one move that were tried.
    uint64_t CountWithOneMove(const std::string& model,
                              const std::vector<std::string>& settings) const
    {
        const auto result = Explore(model, settings);
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return ReadResult().at("orders").at(1).at("runs").get<uint64_t>();
    }
};

class ExploredModelTest : public ExploreTest, public ::testing::WithParamInterface<Model>
{
};

TEST(ExploredModelsTest, AreAllOfTheirFolder)
{
    std::vector<std::string> names;
    for (const auto& file :
         std::filesystem::directory_iterator(NFSRDMA_SOURCE_DIR "/scenarios/explore"))
    {
        names.push_back(file.path().stem());
    }
    std::vector<std::string> tested;
    for (const auto& model : MODELS)
    {
        tested.emplace_back(model.name);
    }
    EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(tested));
}

TEST_P(ExploredModelTest, HoldsInItsFirstOrders)
{
    const auto result = Explore(GetParam().name, {"explore.runs=40"});
    EXPECT_EQ(result.status, 0) << result.output << result.errors;
    const auto document = ReadResult();
    EXPECT_EQ(document.at("runs"), 40);
    EXPECT_TRUE(document.at("violations").empty());
}

TEST_P(ExploredModelTest, HasEventsThatAreMovedWhenItHasAFault)
{
    const auto alone =
        Explore(GetParam().name, {"explore.hold=false", "explore.runs=2", "explore.setup=true"});
    EXPECT_EQ(alone.status, 0) << alone.output << alone.errors;
    EXPECT_EQ(ReadResult().at("runs"), GetParam().hasFault ? 2 : 1);
}

INSTANTIATE_TEST_SUITE_P(All, ExploredModelTest, ::testing::ValuesIn(MODELS));

class WholeModelTest : public ExploredModelTest
{
};

TEST_P(WholeModelTest, HoldsInEveryOrder)
{
    const auto result = Explore(GetParam().name, {});
    EXPECT_EQ(result.status, 0) << result.output << result.errors;
    EXPECT_EQ(ReadResult().at("orders").back().at("not_tried"), 0);
}

INSTANTIATE_TEST_SUITE_P(Nightly, WholeModelTest, ::testing::ValuesIn(MODELS));

/// Without a duplicate request cache an operation that is made again fails: the one lost reply that
/// brings it about is found, and its scenario runs into it.
TEST_F(ExploreTest, FindsTheOrderThatACacheOfRepliesIsFor)
{
    const std::vector<std::string> settings{"rpcrdma.server_duplicate_requests=none",
                                            "workload.operation_mix=remove:1,create:1"};
    const auto result = Explore("reconnect-v3", settings);
    EXPECT_EQ(result.status, 1) << result.output << result.errors;
    EXPECT_THAT(result.output, HasSubstr("does not hold in "));
    const auto violations = ReadResult().at("violations");
    ASSERT_EQ(violations.size(), 1U) << result.output;
    EXPECT_EQ(violations.at(0).at("what"),
              "client-0: a call that was sent again finds its own work done");
    EXPECT_THAT(violations.at(0).at("order").get<std::string>(),
                StartsWith("advance FaultInjector 0 to "));

    const auto again = Run({"run", "out/violation-1.ini", "--out", "again"});
    EXPECT_EQ(again.status, 1);
    EXPECT_EQ(again.errors,
              "broken: client-0: a call that was sent again finds its own work done\n");

    EXPECT_EQ(Explore("reconnect-v3", {settings.back()}, "with").status, 0);
}

TEST_F(ExploreTest, HowManyRunAtATimeMakesNoDifference)
{
    for (const auto* jobs : {"1", "3"})
    {
        const auto result = Run({"explore",
                                 "startup",
                                 "--set",
                                 "explore.runs=200",
                                 "--jobs",
                                 jobs,
                                 "--out",
                                 std::string("jobs-") + jobs});
        EXPECT_EQ(result.status, 0) << result.errors;
    }
    EXPECT_EQ(m_directory.ReadFile("jobs-1/explore.json"),
              m_directory.ReadFile("jobs-3/explore.json"));
}

/// The order of times is that of ns-3's own simulator: a run whose only move finds nothing is the
/// run without moves.
TEST_F(ExploreTest, WithoutMovesARunIsAsItIs)
{
    m_directory.WriteFile("mix.ini", SMALL_MIX);
    const auto plain = Run({"run", "mix.ini", "--out", "plain"});
    const auto ordered = Run(
        {"run", "mix.ini", "--out", "ordered", "--set", "explore.order=hold at 900000000 for 1"});
    ASSERT_EQ(plain.status, 0) << plain.errors;
    ASSERT_EQ(ordered.status, 0) << ordered.errors;
    EXPECT_EQ(ordered.errors, "explore.order: nothing to move: hold at 900000000 for 1\n");
    EXPECT_EQ(m_directory.ReadFile("plain/rpc.csv"), m_directory.ReadFile("ordered/rpc.csv"));
}

TEST_F(ExploreTest, BoundsAreThoseOfItsSection)
{
    const auto few = CountWithOneMove("startup", {"explore.reach=1"});
    EXPECT_LT(few, CountWithOneMove("startup", {"explore.reach=2"}));
    EXPECT_LT(CountWithOneMove("startup", {"explore.reach=1", "explore.hold=false"}), few);
    EXPECT_LT(CountWithOneMove("startup", {"explore.reach=1", "explore.advance=none"}), few);
    EXPECT_LT(CountWithOneMove("startup", {"explore.reach=1", "explore.setup=false"}), few);
    EXPECT_LT(CountWithOneMove("startup", {"explore.reach=3", "explore.patience=1ns"}),
              CountWithOneMove("startup", {"explore.reach=3"}));
    EXPECT_EQ(Explore("startup", {"explore.moves=0"}).status, 0);
    EXPECT_EQ(ReadResult().at("runs"), 1);
    EXPECT_EQ(Explore("startup", {"explore.runs=9"}).status, 0);
    EXPECT_EQ(ReadResult().at("orders").at(1).at("runs"), 8);
    EXPECT_GT(ReadResult().at("orders").at(1).at("not_tried"), 0);
}

struct Mistake
{
    std::vector<std::string> words;
    const char* message;
};

class ExploreMistakeTest : public SimulatorTest, public ::testing::WithParamInterface<Mistake>
{
};

TEST_P(ExploreMistakeTest, IsOneLineAndNothingIsWritten)
{
    const auto result = Run(GetParam().words);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.CountErrorLines(), 1U) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr(GetParam().message));
    EXPECT_TRUE(std::filesystem::is_empty(m_directory.GetPath()));
}

INSTANTIATE_TEST_SUITE_P(
    All,
    ExploreMistakeTest,
    ::testing::Values(
        Mistake{{"explore", "startup", "--set", "explore.order=hold 3"},
                "--set: explore.order: got 'hold 3', expected none, or moves by step"},
        Mistake{{"explore", "startup", "--set", "explore.order=hold at 3 for 1"},
                "explore.order: got 'hold at 3 for 1', expected one run, whose order nothing says"},
        Mistake{{"explore", "mtu-black-hole", "--set", "sweep.link.mtu=1500,9000"},
                "sweep: got several runs, expected one run, whose order nothing says"},
        Mistake{{"explore", "startup", "--shard", "1/2"}, "--shard: got explore"},
        Mistake{{"explore", "startup", "--set", "explore.moves=9"}, "explore.moves: got '9'"},
        Mistake{{"explore"}, "expected run FILE, explore FILE"}));

} // namespace
} // namespace ns3::nfsrdma
