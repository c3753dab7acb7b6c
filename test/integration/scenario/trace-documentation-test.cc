/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/type-id.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

namespace fs = std::filesystem;

const std::string PREFIX = "ns3::nfsrdma::";

std::string
ReadText(const fs::path& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// \return the classes of this project that ns-3 knows, in the order of their names.
std::map<std::string, TypeId>
GetClasses()
{
    std::map<std::string, TypeId> classes;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (tid.GetName().rfind(PREFIX, 0) == 0)
        {
            classes.emplace(tid.GetName().substr(PREFIX.size()), tid);
        }
    }
    return classes;
}

/// \return all headers of the project, one after the other, white space made single and old
/// typedefs of callbacks written as new ones.
const std::string&
GetHeaders()
{
    static const std::string HEADERS = [] {
        std::set<fs::path> paths;
        for (const char* folder : {"model", "helper"})
        {
            for (const auto& entry :
                 fs::recursive_directory_iterator(fs::path(NFSRDMA_SOURCE_DIR) / folder))
            {
                if (entry.path().extension() == ".h")
                {
                    paths.insert(entry.path());
                }
            }
        }
        std::string text;
        for (const fs::path& path : paths)
        {
            text += ReadText(path);
        }
        text = std::regex_replace(text, std::regex("\\s+"), " ");
        return std::regex_replace(text,
                                  std::regex("typedef void \\(\\*(\\w+)\\)\\("),
                                  "using $1 = void (*)(");
    }();
    return HEADERS;
}

/// \return the arguments that a callback named \p callback takes, as its typedef has them.
std::string
GetArguments(const std::string& callback)
{
    static const std::map<std::string, std::string> OF_NS3{
        {"ns3::TracedValueCallback::Uint32", "uint32_t before, uint32_t now"},
        {"ns3::TracedValueCallback::Uint64", "uint64_t before, uint64_t now"},
        {"ns3::Packet::TracedCallback", "Ptr<const Packet> packet"},
    };
    const auto known = OF_NS3.find(callback);
    if (known != OF_NS3.end())
    {
        return known->second;
    }
    const std::string& headers = GetHeaders();
    const std::string name = callback.substr(callback.rfind(':') + 1);
    const std::string scope = callback.substr(0, callback.rfind("::"));
    std::size_t from = 0;
    if (scope + "::" != PREFIX)
    {
        const std::string owner = scope.substr(scope.rfind(':') + 1);
        std::smatch found;
        if (!std::regex_search(headers,
                               found,
                               std::regex("class " + owner + "( final)?( :|  ?\\{)")))
        {
            return "";
        }
        from = found.position();
    }
    const std::string start = "using " + name + " = void (*)(";
    const std::size_t begin = headers.find(start, from);
    if (begin == std::string::npos)
    {
        return "";
    }
    const std::size_t end = headers.find(");", begin);
    return headers.substr(begin + start.size(), end - begin - start.size());
}

} // namespace

TEST(TraceSources, HaveASignatureThatAHeaderDefines)
{
    for (const auto& [name, tid] : GetClasses())
    {
        for (std::size_t i = 0; i < tid.GetTraceSourceN(); i++)
        {
            const auto source = tid.GetTraceSource(i);
            EXPECT_NE(GetArguments(source.callback), "")
                << name << "::" << source.name << ": no header has " << source.callback;
            EXPECT_NE(source.help, "") << name << "::" << source.name;
        }
    }
}

/// model/TRACES.md has a row for each trace source, and no other.
TEST(TraceSources, AreTheOnesOfTheTable)
{
    std::string expected;
    std::set<std::string> rows;
    for (const auto& [name, tid] : GetClasses())
    {
        for (std::size_t i = 0; i < tid.GetTraceSourceN(); i++)
        {
            const auto source = tid.GetTraceSource(i);
            const std::string row = "| " + name + " | " + source.name + " | `" +
                                    GetArguments(source.callback) + "` | " + source.help + " |";
            rows.insert(row);
            expected += row + "\n";
        }
    }
    std::istringstream page(ReadText(fs::path(NFSRDMA_SOURCE_DIR) / "model" / "TRACES.md"));
    std::set<std::string> documented;
    for (std::string line; std::getline(page, line);)
    {
        if (line.rfind("| ", 0) == 0 && line.rfind("| object ", 0) != 0)
        {
            documented.insert(line);
        }
    }
    EXPECT_FALSE(rows.empty());
    EXPECT_EQ(documented, rows) << "the table should be\n" << expected;
}

/// Every cost and limit of an RNIC and its host has a unit, and says why it is what it is.
TEST(Attributes, OfTheRnicHaveUnitAndDefault)
{
    std::size_t seen = 0;
    for (const char* name : {"RnicDevice", "HostCpu", "HostMemory", "MpaSettings"})
    {
        const TypeId tid = TypeId::LookupByName(PREFIX + name);
        for (std::size_t i = 0; i < tid.GetAttributeN(); i++, seen++)
        {
            const auto attribute = tid.GetAttribute(i);
            if (attribute.checker->GetValueTypeName() == "ns3::ObjectPtrContainerValue")
            {
                continue; // What there is, and nothing that is set.
            }
            EXPECT_NE(attribute.help.find("Default"), std::string::npos)
                << name << "::" << attribute.name;
            const bool counted = attribute.checker->GetValueTypeName() == "ns3::UintegerValue" ||
                                 attribute.checker->GetValueTypeName() == "ns3::TimeValue" ||
                                 attribute.checker->GetValueTypeName() == "ns3::DataRateValue";
            EXPECT_TRUE(!counted || attribute.help.find('(') != std::string::npos)
                << name << "::" << attribute.name << " has no unit: " << attribute.help;
        }
    }
    EXPECT_GT(seen, 50U);
}

} // namespace ns3::nfsrdma
