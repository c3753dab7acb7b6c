/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

std::string
ReadAll(const std::string& path)
{
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// \return \p text as a code block of Markdown.
std::string
Indent(const std::string& text)
{
    std::string block;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        block += (line.empty() ? "" : "    ") + line + "\n";
    }
    return block;
}

TEST(VerbsPage, ShowsTheWholeOfTwoRnics)
{
    const auto source = ReadAll(NFSRDMA_SOURCE_DIR "/examples/two-rnics.cc");
    const auto start = source.find("#include");
    ASSERT_NE(start, std::string::npos);
    const auto page = ReadAll(NFSRDMA_SOURCE_DIR "/examples/VERBS.md");
    EXPECT_NE(page.find("\n\n" + Indent(source.substr(start)) + "\n"), std::string::npos)
        << "examples/VERBS.md and examples/two-rnics.cc differ";
}

} // namespace

} // namespace ns3::nfsrdma
