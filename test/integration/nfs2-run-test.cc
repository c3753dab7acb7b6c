/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

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
