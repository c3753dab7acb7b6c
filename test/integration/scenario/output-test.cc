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
#include <sys/stat.h>

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
    OutputDirectory directory(m_path + "/a/b", OutputDirectory::Placement::WHOLE);
    directory.Write("one", "1");
    std::ofstream(directory.Add("two")) << "2";
    EXPECT_THAT(directory.GetNames(), ElementsAre("one", "two"));
    EXPECT_FALSE(std::filesystem::exists(m_path + "/a/b/one"));
    directory.Commit();
    std::ifstream stream(m_path + "/a/b/two");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "2");
    const std::filesystem::directory_iterator all(m_path + "/a/b");
    EXPECT_EQ(std::distance(begin(all), end(all)), 2);
    const std::filesystem::directory_iterator beside(m_path + "/a");
    EXPECT_EQ(std::distance(begin(beside), end(beside)), 1);
}

TEST_F(OutputDirectoryTest, WhatIsNotCommittedLeavesNothing)
{
    for (const auto placement :
         {OutputDirectory::Placement::WHOLE, OutputDirectory::Placement::INTO})
    {
        {
            OutputDirectory directory(m_path + "/a", placement);
            directory.Write("one", "1");
        }
        EXPECT_FALSE(std::filesystem::exists(m_path + "/a/one"));
        EXPECT_FALSE(std::filesystem::exists(m_path + "/a/.writing"));
        EXPECT_FALSE(std::filesystem::exists(m_path + "/a.writing"));
    }
}

/// Somebody who holds the directory, as a lock does, must have it afterwards too.
TEST_F(OutputDirectoryTest, IntoADirectoryLeavesItTheOneItWas)
{
    struct stat before
    {
    };

    struct stat after
    {
    };

    ASSERT_EQ(stat(m_path.c_str(), &before), 0);
    OutputDirectory into(m_path, OutputDirectory::Placement::INTO);
    into.Write("file", "1");
    into.Commit();
    ASSERT_EQ(stat(m_path.c_str(), &after), 0);
    EXPECT_EQ(before.st_ino, after.st_ino);
    EXPECT_TRUE(std::filesystem::exists(m_path + "/file"));
}

TEST_F(OutputDirectoryTest, OldFilesAreReplaced)
{
    for (const auto* text : {"old", "new"})
    {
        OutputDirectory directory(m_path, OutputDirectory::Placement::WHOLE);
        directory.Write("file", text);
        directory.Commit();
    }
    std::ifstream stream(m_path + "/file");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "new");
}

TEST_F(OutputDirectoryTest, SaysWhatItCannotWrite)
{
    OutputDirectory directory(m_path, OutputDirectory::Placement::WHOLE);
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
