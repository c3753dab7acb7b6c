/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <filesystem>
#include <ostream>
#include <regex>
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
                                {"completions"},
                                {"forms"},
                                {"lost-frames-startup", true},
                                {"lost-frames-v3"},
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
    const auto alone = Explore(GetParam().name,
                               {"explore.hold=false",
                                "explore.losses=0",
                                "explore.duplicates=0",
                                "explore.completions=false",
                                "explore.runs=2",
                                "explore.setup=true"});
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

/// A frame that is lost or doubled, or a completion that is delayed, in every model.
class FramesAndCompletionsTest : public ExploredModelTest
{
};

TEST_P(FramesAndCompletionsTest, HoldInEveryOrderWithOneMove)
{
    const auto result = Explore(GetParam().name,
                                {"explore.hold=false",
                                 "explore.advance=none",
                                 "explore.losses=1",
                                 "explore.duplicates=1",
                                 "explore.completions=true"});
    EXPECT_EQ(result.status, 0) << result.output << result.errors;
    const auto orders = ReadResult().at("orders");
    EXPECT_GT(orders.back().at("runs"), 0);
    EXPECT_EQ(orders.back().at("not_tried"), 0);
}

INSTANTIATE_TEST_SUITE_P(Nightly, FramesAndCompletionsTest, ::testing::ValuesIn(MODELS));

/// A model that is small enough for every order with two moves, and what it takes besides.
struct TwoMoves
{
    const char* name;
    std::vector<std::string> settings;
};

void
PrintTo(const TwoMoves& model, std::ostream* stream)
{
    *stream << model.name;
}

class TwoMovesTest : public ExploreTest, public ::testing::WithParamInterface<TwoMoves>
{
};

TEST_P(TwoMovesTest, HoldInEveryOrder)
{
    auto settings = GetParam().settings;
    settings.emplace_back("explore.moves=2");
    const auto result = Explore(GetParam().name, settings);
    EXPECT_EQ(result.status, 0) << result.output << result.errors;
    const auto orders = ReadResult().at("orders");
    ASSERT_EQ(orders.size(), 3U);
    EXPECT_GT(orders.at(2).at("runs"), orders.at(1).at("runs"));
    EXPECT_EQ(orders.back().at("not_tried"), 0);
}

INSTANTIATE_TEST_SUITE_P(Nightly,
                         TwoMovesTest,
                         ::testing::Values(TwoMoves{"short-reply", {}},
                                           TwoMoves{"lost-frames-v3",
                                                    {"explore.losses=2", "explore.duplicates=2"}}));

/// \return the frames that all hosts have received, of a counters.csv.
uint64_t
CountPackets(const std::string& counters)
{
    const std::string name = "rx_packets,";
    uint64_t sum = 0;
    for (auto place = counters.find(name); place != std::string::npos;
         place = counters.find(name, place + 1))
    {
        sum += std::stoull(counters.substr(place + name.size()));
    }
    return sum;
}

/// A frame that is lost makes TCP send again, unless it says what a later one says too, and one
/// that comes twice changes nothing.
TEST_F(ExploreTest, LosesAndDoublesFramesAsItsOrderSays)
{
    constexpr int FIRST = 295;
    constexpr int STEPS = 12;
    const std::regex repeated("TcpRetransSegs,[1-9]");
    const auto plain = Run({"run",
                            NFSRDMA_SOURCE_DIR "/scenarios/explore/lost-frames-v3.ini",
                            "--out",
                            "plain",
                            "--set",
                            "explore.order=lose at 900000000"});
    ASSERT_EQ(plain.status, 0) << plain.errors;
    const auto asItIs = CountPackets(m_directory.ReadFile("plain/counters.csv"));
    for (const std::string kind : {"lose", "double"})
    {
        int frames = 0;
        bool isRepeated = false;
        bool isAnswered = false;
        for (int step = FIRST; step < FIRST + STEPS; ++step)
        {
            const auto result = Run({"run",
                                     NFSRDMA_SOURCE_DIR "/scenarios/explore/lost-frames-v3.ini",
                                     "--out",
                                     kind,
                                     "--set",
                                     "explore.order=" + kind + " at " + std::to_string(step)});
            ASSERT_EQ(result.status, 0) << result.output << result.errors;
            frames += result.errors.empty() ? 1 : 0;
            const auto counters = m_directory.ReadFile(kind + "/counters.csv");
            isRepeated = isRepeated || std::regex_search(counters, repeated);
            isAnswered = isAnswered || CountPackets(counters) > asItIs;
        }
        EXPECT_GE(frames, 3) << kind;
        EXPECT_EQ(isRepeated, kind == "lose");
        EXPECT_TRUE(isAnswered) << "nothing is sent but what the order of times has";
    }
}

/// Each kind of move is tried when the scenario asks for it.
TEST_F(ExploreTest, MovesAreThoseThatTheScenarioAllows)
{
    const std::vector<std::string> none{"explore.hold=false", "explore.runs=20"};
    const auto with = [&none](const std::string& setting) {
        auto settings = none;
        settings.push_back(setting);
        return settings;
    };
    EXPECT_EQ(CountWithOneMove("forms", none), 0U);
    EXPECT_EQ(CountWithOneMove("forms", with("explore.losses=1")), 19U);
    EXPECT_EQ(CountWithOneMove("forms", with("explore.duplicates=1")), 19U);
    EXPECT_EQ(CountWithOneMove("forms", with("explore.completions=true")), 19U);
}

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
