/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"
#include "workload/replay/trace-reader.h"

#include <map>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;

struct Nfs2Case
{
    std::string name;
    std::string workload;  ///< Lines of [workload].
    std::string nfs;       ///< Further lines of [nfs].
    std::string operation; ///< One that rpc.csv must have.
};

/// Whole clusters over NFSv2.
class Nfs2RunTest : public SimulatorTest, public ::testing::WithParamInterface<Nfs2Case>
{
  protected:
    [[nodiscard]] std::string MakeScenario() const
    {
        return "[cluster]\nclients = 2\n[nfs]\nversion = 2\n" + GetParam().nfs + "[workload]\n" +
               GetParam().workload;
    }

    /// \return how many rows of rpc.csv have \p operation of program \p program version 2.
    [[nodiscard]] std::size_t CountRows(const std::string& program,
                                        const std::string& operation) const
    {
        std::istringstream table(m_directory.ReadFile("a/rpc.csv"));
        std::size_t rows = 0;
        for (std::string line; std::getline(table, line);)
        {
            rows += line.find("," + program + ",2,") != std::string::npos &&
                            line.find("," + operation + ",") != std::string::npos
                        ? 1
                        : 0;
        }
        return rows;
    }
};

TEST_P(Nfs2RunTest, IsVerified)
{
    m_directory.WriteFile("a.ini", MakeScenario());
    const auto result = Run({"run", "a.ini", "--out", "a"});
    EXPECT_EQ(result.status, 0) << result.output << result.errors;
    const auto summary = m_directory.ReadJson("a/summary.json");
    EXPECT_EQ(summary["verification"]["reads"]["mismatches"], 0);
    EXPECT_EQ(summary["verification"]["exports"]["mismatches"], 0);
    EXPECT_EQ(summary["verification"]["failed_operations"], 0);
    const bool isAcl = GetParam().operation == "SETACL";
    EXPECT_GT(CountRows(isAcl ? "100227" : "100003", GetParam().operation), 0U);
    EXPECT_EQ(CountRows("100003", "COMMIT"), 0U);
    const auto stats = m_directory.ReadFile("a/mountstats.txt");
    EXPECT_THAT(stats, HasSubstr("opts:\trw,vers=2,rsize=8192,wsize=8192,"));
    EXPECT_THAT(stats, HasSubstr(",mountvers=1,"));
    EXPECT_THAT(stats, HasSubstr("p/v: 100003/2 (nfs)"));
    EXPECT_THAT(stats, HasSubstr("\t           3: 0 0 0 0 0 0 0 0 0\n"));
    EXPECT_THAT(stats, HasSubstr("\t      STATFS: "));
}

using Nfs2MountTest = SimulatorTest;

TEST_F(Nfs2MountTest, TakesTheVersionOfMountThatItIsTold)
{
    m_directory.WriteFile("a.ini",
                          "[nfs]\nversion = 2\nmount = linux\n[workload]\nkind = mix\n"
                          "operations = 4\n");
    for (const char* const version : {"2", "3"})
    {
        const auto result = Run({"run",
                                 "a.ini",
                                 "--out",
                                 version,
                                 "--set",
                                 std::string("nfs.mount_version=") + version});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        EXPECT_THAT(m_directory.ReadFile(std::string(version) + "/mountstats.txt"),
                    HasSubstr(std::string(",mountvers=") + version + ","));
    }
    m_directory.WriteFile("third.ini",
                          "[nfs]\nversion = 3\nmount = linux\nmount_version = 1\n[workload]\n"
                          "kind = mix\noperations = 4\n");
    const auto third = Run({"run", "third.ini", "--out", "third"});
    EXPECT_EQ(third.status, 2) << third.output << third.errors;
    EXPECT_THAT(third.errors, HasSubstr("nfs.mount_version"));
}

/// A trace of NFSv2, replayed by several clients.
class Nfs2ReplayTest : public SimulatorTest
{
  protected:
    void SetUp() override
    {
        std::string columns;
        for (const auto& column : TraceReader::GetColumns())
        {
            columns += (columns.empty() ? "" : ",") + column;
        }
        m_trace = "# nfsrdma-trace 1\n# handle_octets root=32 other=32\n"
                  "# client=0 address=10.0.0.1 machine=one uid=0 gid=0 gids=\n" +
                  columns + "\n";
        m_directory.WriteFile("t.tree.csv",
                              "# nfsrdma-trace 1\n"
                              "object,parent,name,type,mode,uid,gid,size,target,nlink,acl,"
                              "default_acl\n"
                              "root,,,DIR,0755,0,0,4096,,,,\n"
                              "o1,root,old,REG,0644,0,0,20000,,1,,\n");
    }

    void AddRow(std::map<std::string, std::string> fields)
    {
        const auto tenths = std::to_string(m_rows++);
        fields.insert({{"time", "0.00" + tenths},
                       {"reply_time", "0.00" + tenths + "5"},
                       {"client", "0"},
                       {"program", "NFS2"},
                       {"status", "NFS3_OK"}});
        std::string line;
        for (const auto& column : TraceReader::GetColumns())
        {
            line += (column == "time" ? "" : ",") + fields[column];
        }
        m_trace += line + "\n";
    }

    std::string m_trace;
    uint32_t m_rows{0};
};

TEST_F(Nfs2ReplayTest, EachClientMakesTheCalls)
{
    AddRow({{"operation", "NULL"}});
    AddRow({{"operation", "LOOKUP"}, {"object", "root"}, {"name", "old"}, {"result_object", "o1"}});
    AddRow({{"operation", "READ"},
            {"object", "o1"},
            {"offset", "8192"},
            {"count", "8192"},
            {"result_count", "8192"}});
    AddRow({{"operation", "CREATE"},
            {"object", "root"},
            {"name", "new"},
            {"mode", "0600"},
            {"result_object", "o2"}});
    AddRow({{"operation", "WRITE"}, {"object", "o2"}, {"offset", "77"}, {"count", "8192"}});
    AddRow({{"operation", "STATFS"}, {"object", "root"}});
    m_directory.WriteFile("t.trace.csv", m_trace);
    m_directory.WriteFile("a.ini",
                          "[cluster]\nclients = 3\n[workload]\nkind = replay\ntrace = t\n");
    const auto result = Run({"run", "a.ini", "--out", "a"});
    EXPECT_EQ(result.status, 0) << result.output << result.errors;
    EXPECT_THAT(result.output, HasSubstr("recording; 0 differences"));
    EXPECT_THAT(result.output, HasSubstr("unsupported     none"));
    const auto summary = m_directory.ReadJson("a/summary.json");
    EXPECT_EQ(summary["verification"]["exports"]["mismatches"], 0);
    const auto table = m_directory.ReadFile("a/rpc.csv");
    std::size_t rows = 0;
    for (auto at = table.find(",100003,2,"); at != std::string::npos;
         at = table.find(",100003,2,", at + 1))
    {
        ++rows;
    }
    EXPECT_EQ(rows, 3U * m_rows);
}

TEST_F(Nfs2ReplayTest, AnotherVersionIsRefused)
{
    AddRow({{"operation", "NULL"}});
    m_directory.WriteFile("t.trace.csv", m_trace);
    m_directory.WriteFile("a.ini", "[nfs]\nversion = 3\n[workload]\nkind = replay\ntrace = t\n");
    const auto result = Run({"run", "a.ini", "--out", "a"});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.errors,
                HasSubstr("a.ini:2: nfs.version: got '3', expected 2, which the trace of"));
    m_directory.WriteFile("b.ini", "[nfs]\nhandle = 40B\n[workload]\nkind = replay\ntrace = t\n");
    const auto handles = Run({"run", "b.ini", "--out", "a"});
    EXPECT_EQ(handles.status, 2);
    EXPECT_THAT(handles.errors, HasSubstr("32B at most with NFSv2"));
}

INSTANTIATE_TEST_SUITE_P(
    Workloads,
    Nfs2RunTest,
    ::testing::Values(
        Nfs2Case{"Mdtest", "kind = mdtest\nitems = 5\nwrite_bytes = 3901B\n", "", "CREATE"},
        Nfs2Case{"Mount", "kind = mdtest\nitems = 2\n", "mount = linux\n", "LOOKUP"},
        Nfs2Case{"FioDirect",
                 "kind = fio\nreadwrite = randrw\nbs = 64KiB\nsize = 1MiB\n"
                 "iodepth = 4\ndirect = true\n",
                 "",
                 "WRITE"},
        Nfs2Case{"FioCached",
                 "kind = fio\nreadwrite = rw\nbs = 5000B\nsize = 256KiB\n"
                 "direct = false\n",
                 "",
                 "READ"},
        Nfs2Case{"Listing", "kind = listing\nrequests = 6\nlist_entries = 300\n", "", "READDIR"},
        Nfs2Case{"Acl",
                 "kind = acl\nrequests = 40\nacl_files = 5\n",
                 "nfsacl2 = true\n",
                 "SETACL"}),
    [](const auto& test) { return test.param.name; });

} // namespace

} // namespace ns3::nfsrdma
