/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <filesystem>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;

/// What runs leave when their output cannot be written.
class OutputRunTest : public SimulatorTest
{
  protected:
    void SetUp() override
    {
        m_directory.WriteFile("mix.ini", SMALL_MIX);
    }

    /// Runs \p script by a shell, in which SIM is the program.
    [[nodiscard]] ProcessResult RunShell(const std::string& script) const
    {
        return RunProcess("/bin/sh",
                          {"-c", "SIM=" NFSRDMA_SIM "; " + script},
                          m_directory.GetPath());
    }

    [[nodiscard]] bool Has(const std::string& name) const
    {
        return std::filesystem::exists(m_directory.GetPath() + "/" + name);
    }
};

TEST_F(OutputRunTest, AStandardOutputThatIsFullIsAnError)
{
    for (const auto* arguments : {"run mix.ini --out out", "--list-keys", "--help"})
    {
        const auto result = RunShell(std::string("exec $SIM ") + arguments + " > /dev/full");
        EXPECT_EQ(result.status, 1) << arguments;
        EXPECT_EQ(result.errors, "nfsrdma-sim: cannot write to the standard output\n") << arguments;
    }
}

TEST_F(OutputRunTest, APipeThatNobodyReadsIsAnError)
{
    const auto result =
        RunShell("{ $SIM run mix.ini --out out; echo status $? >&2; } | exec sleep 0");
    EXPECT_EQ(result.errors, "nfsrdma-sim: cannot write to the standard output\nstatus 1\n");
    EXPECT_TRUE(Has("out/manifest.json"));
}

/// As on a full disk, a file cannot become longer.
TEST_F(OutputRunTest, AFileThatCannotBeWrittenIsAnErrorAndNothingIsLeft)
{
    for (const auto* more : {"", " --pcap all", " --set output.rpc_csv=false"})
    {
        const auto result =
            RunShell(std::string("ulimit -f 8; exec $SIM run mix.ini --out out") + more);
        EXPECT_EQ(result.status, 1) << more;
        EXPECT_EQ(result.CountErrorLines(), 1U) << result.errors;
        EXPECT_THAT(result.errors, HasSubstr("nfsrdma-sim: cannot write ")) << more;
        EXPECT_FALSE(Has("out")) << more;
        EXPECT_FALSE(Has("out.writing")) << more;
    }
    ASSERT_EQ(Run({"run", "mix.ini", "--out", "out"}).status, 0);
    const auto before = m_directory.ReadAll("out");
    EXPECT_EQ(RunShell("ulimit -f 8; exec $SIM run mix.ini --out out --set cluster.seed=2").status,
              1);
    EXPECT_EQ(m_directory.ReadAll("out"), before);
}

TEST_F(OutputRunTest, ResultsAreWholeOrNotThere)
{
    m_directory.WriteFile("long.ini",
                          "[cluster]\nclients = 4\n[workload]\nkind = mix\noperations = 200000\n");
    const auto killed =
        RunShell("$SIM run long.ini --out out & sleep 1; kill -9 $!; wait $!; exit 7");
    EXPECT_EQ(killed.status, 7);
    EXPECT_THAT(m_directory.ReadAll("out"), IsEmpty());
    ASSERT_EQ(Run({"run", "mix.ini", "--out", "out"}).status, 0);
    EXPECT_THAT(m_directory.ReadAll("out"), Contains(Key("manifest.json")));
    EXPECT_FALSE(Has("out.writing"));

    m_directory.WriteFile("out/notes.txt", "mine");
    ASSERT_EQ(Run({"run", "mix.ini", "--out", "out/"}).status, 0);
    EXPECT_THAT(m_directory.ReadAll("out"), Contains(Key("notes.txt")));
    EXPECT_FALSE(Has("out/.writing"));
}

} // namespace

} // namespace ns3::nfsrdma
