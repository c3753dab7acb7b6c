/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;

/// Mixes of NFSv4.2's operations on ranges, whose files are compared with the reference model.
class RangeOperationsTest : public SimulatorTest
{
  protected:
    static constexpr const char* MIX =
        "[cluster]\nclients = 2\n[nfs]\nversion = 4.2\nreflinks = true\ntransfer_size = 8KiB\n"
        "[workload]\nkind = mix\noperations = 400\nfiles = 6\nfile_size = 96KiB\nsymlinks = 0\n"
        "copy_size = 40KiB\n"
        "operation_mix = "
        "read:4,write:4,read_plus:4,seek:4,allocate:2,deallocate:4,copy:4,clone:3\n";

    /// Runs \p scenario, which must succeed.
    nlohmann::json RunVerified(const std::vector<std::string>& settings = {})
    {
        m_directory.WriteFile("a.ini", MIX);
        std::vector<std::string> arguments{"run", "a.ini", "--out", "a"};
        for (const auto& setting : settings)
        {
            arguments.insert(arguments.end(), {"--set", setting});
        }
        const auto result = Run(arguments);
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        auto summary = m_directory.ReadJson("a/summary.json");
        EXPECT_EQ(summary["verification"]["reads"]["mismatches"], 0);
        EXPECT_EQ(summary["verification"]["exports"]["mismatches"], 0);
        EXPECT_EQ(summary["verification"]["exports"]["uncertain_octets"], 0);
        EXPECT_EQ(summary["verification"]["failed_operations"], 0);
        for (const auto& workload : summary["workloads"])
        {
            for (const auto& item : workload["items"])
            {
                EXPECT_EQ(item["errors"], 0) << item["item"];
            }
        }
        return summary;
    }

    [[nodiscard]] std::set<std::string> ListOperations() const
    {
        std::set<std::string> names;
        std::istringstream table(m_directory.ReadFile("a/rpc.csv"));
        std::size_t operation = 0;
        for (std::string line; std::getline(table, line);)
        {
            std::vector<std::string> fields;
            std::istringstream row(line);
            for (std::string field; std::getline(row, field, ',');)
            {
                fields.push_back(field);
            }
            if (operation == 0)
            {
                operation = static_cast<std::size_t>(
                    std::find(fields.begin(), fields.end(), "operation") - fields.begin());
            }
            names.insert(fields.at(operation));
        }
        return names;
    }
};

TEST_F(RangeOperationsTest, AMixOfThemIsVerified)
{
    RunVerified();
    const auto names = ListOperations();
    for (const char* const name : {"READ_PLUS", "SEEK", "ALLOCATE", "DEALLOCATE", "COPY", "CLONE"})
    {
        EXPECT_EQ(names.count(name), 1U) << name;
    }
    // All copies are asynchronous, and stable when they end.
    EXPECT_EQ(names.count("OFFLOAD_STATUS"), 0U);
    const auto stats = m_directory.ReadFile("a/mountstats.txt");
    EXPECT_THAT(stats, HasSubstr("opts:\trw,vers=4.2,rsize=8192,wsize=8192,"));
    EXPECT_EQ(stats.find("\t        COPY: 0 0"), std::string::npos);
}

TEST_F(RangeOperationsTest, HolesOfReadPlusAreVerified)
{
    RunVerified({"nfs.read_plus_holes=true"});
}

TEST_F(RangeOperationsTest, CopiesOutliveARestartOfTheServer)
{
    RunVerified({"nfs.grace_time=1s",
                 "storage.profile=nvme",
                 "faults.reboot=9th nfs COPY call: restart for 5ms on server-0"});
}

TEST_F(RangeOperationsTest, CopiesOutliveALostConnection)
{
    RunVerified({"storage.profile=nvme", "faults.lost=9th nfs COPY reply: qp-error on client-0"});
}

TEST_F(RangeOperationsTest, OtherVersionsRefuseThem)
{
    m_directory.WriteFile("a.ini",
                          "[nfs]\nversion = 4.1\n[workload]\nkind = mix\n"
                          "operation_mix = read:1,seek:1\n");
    const auto older = Run({"run", "a.ini", "--out", "a"});
    EXPECT_EQ(older.status, 2);
    EXPECT_THAT(older.errors, HasSubstr("a.ini:5: workload.operation_mix"));
    EXPECT_THAT(older.errors, HasSubstr("nfs.version = 4.2"));
    m_directory.WriteFile("b.ini",
                          "[nfs]\nversion = 4.2\n[workload]\nkind = mix\n"
                          "operation_mix = read:1,clone:1\n");
    const auto plain = Run({"run", "b.ini", "--out", "b"});
    EXPECT_EQ(plain.status, 2);
    EXPECT_THAT(plain.errors, HasSubstr("nfs.reflinks = true"));
}

} // namespace

} // namespace ns3::nfsrdma
