/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

constexpr const char* EVERY_OPERATION =
    "[cluster]\nclients = 2\n"
    "[workload]\nkind = mix\noperations = 300\nfiles = 10\nlarge_directory_entries = 40\n"
    "large_directory_fraction = 0.3\n"
    "operation_mix = getattr:3,setattr:3,access:3,lookup:3,readlink:3,read:8,write:8,commit:2,"
    "create:3,symlink:2,remove:3,readdir:3,readdirplus:3,fsstat:2\n";

constexpr const char* ACLS = "[cluster]\nclients = 2\n"
                             "[workload]\nkind = acl\nrequests = 150\nacl_files = 10\n";

/// Rows of rpc.csv, by what its header calls the columns.
std::vector<std::map<std::string, std::string>>
ParseCsv(const std::string& text)
{
    const auto split = [](const std::string& line) {
        std::vector<std::string> fields;
        std::istringstream stream(line);
        for (std::string field; std::getline(stream, field, ',');)
        {
            fields.push_back(field);
        }
        return fields;
    };
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    const auto names = split(line);
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(lines, line))
    {
        const auto fields = split(line);
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < names.size() && i < fields.size(); ++i)
        {
            row[names[i]] = fields[i];
        }
    }
    return rows;
}

class NfsVersionsTest : public SimulatorTest, public ::testing::WithParamInterface<const char*>
{
  protected:
    nlohmann::json RunVerified(const std::string& scenario,
                               const std::vector<std::string>& more = {})
    {
        m_directory.WriteFile("s.ini", scenario);
        std::vector<std::string> arguments{"run",
                                           "s.ini",
                                           "--out",
                                           "out",
                                           "--set",
                                           std::string("nfs.version=") + GetParam()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto result = Run(arguments);
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        auto summary = m_directory.ReadJson("out/summary.json");
        EXPECT_EQ(summary["verification"]["failed_operations"], 0);
        return summary;
    }

    std::set<std::string> GetOperations() const
    {
        std::set<std::string> names;
        for (const auto& row : ParseCsv(m_directory.ReadFile("out/rpc.csv")))
        {
            names.insert(row.at("operation"));
        }
        return names;
    }

    static bool IsNfs4()
    {
        return GetParam()[0] == '4';
    }
};

TEST_P(NfsVersionsTest, MixDoesAndMeasuresEveryOperation)
{
    const auto summary = RunVerified(EVERY_OPERATION);
    EXPECT_GT(summary["verification"]["exports"]["octets"], 2 * 10 * 65536 - 1);
    const auto& items = summary["workloads"][0]["items"];
    EXPECT_EQ(items.size(), 14U);
    uint64_t operations = 0;
    for (const auto& item : items)
    {
        EXPECT_EQ(item["errors"], 0) << item["item"];
        operations += item["operations"].get<uint64_t>();
    }
    EXPECT_EQ(operations, 600U);
    EXPECT_THAT(GetOperations(), Not(::testing::Contains("COMPOUND")));
    EXPECT_THAT(GetOperations(),
                IsSupersetOf({"GETATTR",
                              "SETATTR",
                              "ACCESS",
                              "LOOKUP",
                              "READLINK",
                              "READ",
                              "WRITE",
                              "COMMIT",
                              "SYMLINK",
                              "REMOVE",
                              "READDIR"}));
    if (IsNfs4())
    {
        EXPECT_THAT(GetOperations(), IsSupersetOf({"OPEN", "CLOSE", "STATFS", "CREATE"}));
    }
    else
    {
        EXPECT_THAT(GetOperations(), IsSupersetOf({"CREATE", "MKDIR", "FSSTAT", "READDIRPLUS"}));
    }
}

TEST_P(NfsVersionsTest, TimeOfTheRunEndsWithItsWork)
{
    const auto summary = RunVerified(EVERY_OPERATION);
    double longest = 0;
    for (const auto& client : summary["workloads"][0]["clients"])
    {
        for (const auto& item : client["items"])
        {
            longest = std::max(longest, item["seconds"].get<double>());
        }
    }
    // Of two clients that start within a millisecond; not with their unmounts.
    EXPECT_GE(summary["duration_s"].get<double>(), longest);
    EXPECT_LE(summary["duration_s"].get<double>(), summary["simulated_s"].get<double>());
}

TEST_P(NfsVersionsTest, AccessListsAreVerifiedAsTheVersionKeepsThem)
{
    const auto summary = RunVerified(ACLS);
    std::set<std::string> items;
    for (const auto& item : summary["workloads"][0]["items"])
    {
        items.insert(item["item"].get<std::string>());
        EXPECT_EQ(item["errors"], 0);
    }
    EXPECT_EQ(items, (std::set<std::string>{"getacl", "setacl"}));
    EXPECT_THAT(summary.dump(), HasSubstr("\"mismatches\":0"));
    EXPECT_THAT(GetOperations(),
                IsNfs4() ? IsSupersetOf({"GETACL", "SETACL"})
                         : IsSupersetOf({"NFSACL3 GETACL", "NFSACL3 SETACL"}));
}

INSTANTIATE_TEST_SUITE_P(Versions,
                         NfsVersionsTest,
                         ::testing::Values("3", "4.0", "4.1", "4.2"),
                         [](const auto& test) {
                             std::string name = test.param;
                             name.erase(std::remove(name.begin(), name.end(), '.'), name.end());
                             return "V" + name;
                         });

/// RFC 8267 section 6.2: a Reply chunk that is too small for an access list.
class LargeAclTest : public SimulatorTest
{
  protected:
    /// \return the exit status of a run whose clients have room for lists of 4096 octets.
    int RunWithLittleRoom(const std::string& version, const std::string& keys = "")
    {
        m_directory.WriteFile("acl.ini",
                              "[nfs]\nversion = " + version + "\nclient_acl_room = 4KiB\n" + keys +
                                  "[workload]\nkind = acl\nrequests = 60\nacl_files = 5\n"
                                  "acl_entries = 5:1,300:1\n");
        return Run({"run", "acl.ini", "--out", "out"}).status;
    }

    struct Tries
    {
        uint64_t again{0};  ///< GETACLs made more than once.
        uint64_t failed{0}; ///< GETACLs that failed in the end.
    };

    Tries CountTries() const
    {
        Tries tries;
        for (const auto& row : ParseCsv(m_directory.ReadFile("out/rpc.csv")))
        {
            const bool isGetacl = row.at("operation") == "GETACL";
            tries.again += isGetacl && std::stoul(row.at("attempts")) > 1 ? 1 : 0;
            tries.failed += isGetacl && row.at("outcome") != "SUCCESS" ? 1 : 0;
            if (!isGetacl)
            {
                EXPECT_EQ(row.at("attempts"), "1") << row.at("operation");
            }
        }
        return tries;
    }
};

TEST_F(LargeAclTest, IsAskedForAgainWithMoreRoomInMinorVersion0)
{
    EXPECT_EQ(RunWithLittleRoom("4.0", "client_reply_attempts = 4\n"), 0);
    const Tries tries = CountTries();
    EXPECT_GT(tries.again, 5U);
    EXPECT_EQ(tries.failed, 0U);
}

TEST_F(LargeAclTest, IsNotAskedForAgainWhereASessionBoundsReplies)
{
    for (const auto* version : {"4.1", "4.2"})
    {
        EXPECT_EQ(RunWithLittleRoom(version), 1) << version;
        const Tries tries = CountTries();
        EXPECT_EQ(tries.again, 0U) << version;
        EXPECT_GT(tries.failed, 5U) << version;
    }
}

TEST_F(LargeAclTest, FitsWithTheRoomOfLinux)
{
    m_directory.WriteFile("acl.ini",
                          "[nfs]\nversion = 4.1\n[workload]\nkind = acl\nrequests = 60\n"
                          "acl_files = 5\nacl_entries = 300:1,1024:1\n");
    const auto result = Run({"run", "acl.ini", "--out", "out"});
    EXPECT_EQ(result.status, 0) << result.output << result.errors;
    EXPECT_EQ(CountTries().failed, 0U);
    uint64_t largest = 0;
    for (const auto& row : ParseCsv(m_directory.ReadFile("out/rpc.csv")))
    {
        largest = std::max<uint64_t>(largest, std::stoul(row.at("reply_chunk_bytes")));
    }
    EXPECT_GT(largest, 16384U);
}

} // namespace

} // namespace ns3::nfsrdma
