/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/output-directory.h"
#include "scenarios/simulator/report/text-table.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::ElementsAre;

class OutputDirectoryTest : public ::testing::Test
{
  protected:
    OutputDirectoryTest()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "nfsrdma-XXXXXX").string();
        m_path = mkdtemp(pattern.data());
    }

    ~OutputDirectoryTest() override
    {
        std::filesystem::remove_all(m_path);
    }

    std::string m_path;
};

TEST_F(OutputDirectoryTest, FilesGetTheirNamesTogether)
{
    OutputDirectory directory(m_path + "/a/b");
    directory.Write("one", "1");
    std::ofstream(directory.Add("two")) << "2";
    EXPECT_THAT(directory.GetNames(), ElementsAre("one", "two"));
    EXPECT_FALSE(std::filesystem::exists(m_path + "/a/b/one"));
    directory.Commit();
    std::ifstream stream(m_path + "/a/b/two");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "2");
    const std::filesystem::directory_iterator all(m_path + "/a/b");
    EXPECT_EQ(std::distance(begin(all), end(all)), 2);
}

TEST_F(OutputDirectoryTest, OldFilesAreReplaced)
{
    for (const auto* text : {"old", "new"})
    {
        OutputDirectory directory(m_path);
        directory.Write("file", text);
        directory.Commit();
    }
    std::ifstream stream(m_path + "/file");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "new");
}

TEST_F(OutputDirectoryTest, SaysWhatItCannotWrite)
{
    OutputDirectory directory(m_path);
    EXPECT_THROW(directory.Write("no/such/place", ""), std::runtime_error);
}

TEST(TextTableTest, AlignsColumns)
{
    TextTable table({"name", "n"});
    table.AddRow({"a", "12345"});
    table.AddRule();
    table.AddRow({"longer", "1"});
    EXPECT_EQ(table.ToText(),
              "name        n\n"
              "-------------\n"
              "a       12345\n"
              "-------------\n"
              "longer      1\n");
}

} // namespace

} // namespace ns3::nfsrdma
