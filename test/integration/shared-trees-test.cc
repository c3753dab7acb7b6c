/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <map>
#include <ostream>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

/// What several clients do in one tree, and the items of results that it must have.
struct SharedCase
{
    const char* name;
    const char* workload;
    std::vector<const char*> items;
    const char* versions; ///< Those it is run with.
};

void
PrintTo(const SharedCase& one, std::ostream* stream)
{
    *stream << one.name;
}

class SharedTreeRunTest : public SimulatorTest, public ::testing::WithParamInterface<SharedCase>
{
  protected:
    static std::string MakeScenario(const std::string& version,
                                    const std::string& exports,
                                    const std::string& caches = "")
    {
        std::string text = "[cluster]\nclients = 4\n[nfs]\nversion = " + version + "\n" + caches;
        if (std::string(GetParam().workload).find("lock") != std::string::npos &&
            version.size() == 1)
        {
            text += "local_lock = none\n";
        }
        return text + "[workload]\nexports = " + exports + "\n" + GetParam().workload;
    }

    /// Runs it and expects all right. \return operations of each item, of all clients.
    std::map<std::string, uint64_t> RunAndCheck(const std::string& text)
    {
        m_directory.WriteFile("a.ini", text);
        const auto result = Run({"run", "a.ini", "--out", "out"});
        EXPECT_EQ(result.status, 0) << text << result.output << result.errors;
        const auto summary = m_directory.ReadJson("out/summary.json");
        EXPECT_EQ(summary["verification"]["reads"]["mismatches"], 0);
        EXPECT_EQ(summary["verification"]["exports"]["mismatches"], 0);
        EXPECT_EQ(summary["verification"]["failed_operations"], 0);
        std::map<std::string, uint64_t> operations;
        for (const auto& workload : summary["workloads"])
        {
            for (const auto& item : workload["items"])
            {
                EXPECT_EQ(item["errors"], 0) << workload["workload"] << " " << item["item"];
                operations[item["item"]] += item["operations"].get<uint64_t>();
            }
        }
        for (const char* item : GetParam().items)
        {
            EXPECT_GT(operations[item], 0U) << item;
        }
        return operations;
    }
};

TEST_P(SharedTreeRunTest, AllThatIsReadAndLeftIsWhatTheProtocolAllows)
{
    std::istringstream versions(GetParam().versions);
    std::string version;
    while (versions >> version)
    {
        SCOPED_TRACE(version);
        RunAndCheck(MakeScenario(version, "shared"));
    }
}

TEST_P(SharedTreeRunTest, GroupsHaveATreeEach)
{
    const std::string versions = GetParam().versions;
    RunAndCheck(MakeScenario(versions.substr(versions.rfind(' ') + 1), "shared by 3"));
}

const std::vector<SharedCase> SHARED_CASES{
    {"Mix",
     "kind = mix\noperations = 300\nfiles = 4\nfile_size = 32KiB\nqueue_depth = 4\n"
     "operation_mix = read:30,write:20,create:10,remove:10,symlink:3,readlink:3,readdir:8,"
     "readdirplus:8,lookup:5,getattr:5,setattr:3\n",
     {"read", "write", "create", "remove", "readdir"},
     "2 3 4.0 4.1 4.2"},
    {"Ranges",
     "kind = mix\noperations = 200\nfiles = 4\nfile_size = 32KiB\nqueue_depth = 2\n"
     "operation_mix = read:20,write:20,allocate:5,deallocate:5,copy:5,seek:5\n",
     {"read", "write", "copy", "deallocate"},
     "4.2"},
    {"DirectIo",
     "kind = fio\nreadwrite = randrw\ndirect = true\nsize = 64KiB\niodepth = 4\nrequests = 200\n",
     {"read", "write"},
     "2 3 4.0 4.1 4.2"},
    {"CachedIo",
     "kind = fio\nreadwrite = randrw\nsize = 64KiB\niodepth = 4\nrequests = 200\nreopen = 8\n",
     {"read", "write", "open_dropped"},
     "2 3 4.0 4.1 4.2"},
    {"Mdtest",
     "kind = mdtest\ndepth = 2\nitems = 4\ntasks = 2\nwrite_bytes = 4KiB\n",
     {"mkdir", "create", "stat", "read", "remove", "rmdir"},
     "2 3 4.0 4.1 4.2"},
    {"MdtestTrees",
     "kind = mdtest\ndepth = 1\nitems = 4\ntasks = 2\nunique_directories = true\n",
     {"mkdir", "create", "stat", "remove", "rmdir"},
     "3 4.1"},
    {"Listing",
     "kind = listing\nrequests = 10\nlist_entries = 200\nlist_directories = 2\n",
     {"listing", "page"},
     "2 3 4.0 4.1 4.2"},
    {"Acl", "kind = acl\nrequests = 60\nacl_files = 5\n", {"getacl", "setacl"}, "3 4.1 4.2"},
    {"Lock",
     "kind = lock\nrequests = 20\niodepth = 2\nlock_records = 2\nlock_shared_fraction = 0.3\n",
     {"lock", "exclusive", "shared"},
     "2 3 4.0 4.1 4.2"},
};

INSTANTIATE_TEST_SUITE_P(Kinds,
                         SharedTreeRunTest,
                         ::testing::ValuesIn(SHARED_CASES),
                         [](const auto& test) { return test.param.name; });

const std::vector<SharedCase> CACHED_CASES{
    {"Mix",
     "kind = mix\noperations = 400\nfiles = 4\nfile_size = 32KiB\nqueue_depth = 4\n"
     "thinktime = 50us\nsystem_calls = true\n"
     "operation_mix = read:10,write:10,create:10,remove:10,readdirplus:5,lookup:20,getattr:20,"
     "setattr:5,access:10\n",
     {"lookup", "getattr", "access", "create", "remove"},
     "2 3 4.0 4.1 4.2"},
    {"Ranges",
     "kind = mix\noperations = 200\nfiles = 4\nfile_size = 32KiB\nqueue_depth = 2\n"
     "system_calls = true\n"
     "operation_mix = read:20,write:20,allocate:5,deallocate:5,copy:5,seek:5,getattr:30\n",
     {"getattr", "copy", "deallocate"},
     "4.2"},
    {"Mdtest",
     "kind = mdtest\ndepth = 2\nitems = 4\ntasks = 2\nwrite_bytes = 4KiB\n"
     "system_calls = true\n",
     {"mkdir", "create", "stat", "read", "remove", "rmdir"},
     "2 3 4.0 4.1 4.2"},
    {"CachedIo",
     "kind = fio\nreadwrite = randrw\nsize = 64KiB\niodepth = 4\nrequests = 200\nreopen = 8\n"
     "system_calls = true\n",
     {"read", "write", "open_dropped"},
     "2 3 4.0 4.1 4.2"},
};

/// The same where clients cache attributes, names and rights.
class CachedTreeRunTest : public SharedTreeRunTest
{
  protected:
    /// Times of caches that end within a run, those of Linux, and none.
    static constexpr const char* TIMES[] = {"acregmin = 200us\nacregmax = 1ms\nacdirmin = 200us\n"
                                            "acdirmax = 2ms\n",
                                            "",
                                            "noac = true\n"};
};

TEST_P(CachedTreeRunTest, NothingThatIsToldIsOlderThanItMayBe)
{
    std::istringstream versions(GetParam().versions);
    std::string version;
    while (versions >> version)
    {
        for (const std::string times : TIMES)
        {
            SCOPED_TRACE(version);
            SCOPED_TRACE(times);
            RunAndCheck(MakeScenario(version, "shared", times));
            const auto caches = m_directory.ReadJson("out/summary.json")["client_caches"];
            EXPECT_EQ(caches["clients"].size(), 4U);
            if (times.empty() && GetParam().name == std::string("Mix"))
            {
                EXPECT_GT(caches["all"]["attribute_hits"], 100);
                EXPECT_GT(caches["all"]["access_hits"], 20);
            }
        }
    }
}

TEST_P(CachedTreeRunTest, NorUnderFaults)
{
    for (const char* fault :
         {"loss = every 40th fpdu: drop\n", "cut = at 3ms: rnic-reset on client-1\n"})
    {
        for (const std::string version : {"3", "4.1"})
        {
            if (std::string(GetParam().versions).find(version) == std::string::npos)
            {
                continue;
            }
            SCOPED_TRACE(version);
            SCOPED_TRACE(fault);
            RunAndCheck(MakeScenario(version, "shared", TIMES[0]) + "[faults]\n" + fault);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds,
                         CachedTreeRunTest,
                         ::testing::ValuesIn(CACHED_CASES),
                         [](const auto& test) { return test.param.name; });

/// One client writes what others read, each through its cache; over each version of NFS.
class WriterAndReadersTest : public SimulatorTest, public ::testing::WithParamInterface<const char*>
{
  protected:
    nlohmann::json RunWith(const std::string& sections)
    {
        const std::string version = GetParam();
        m_directory.WriteFile("a.ini",
                              "[cluster]\nclients = 3\n[nfs]\nversion = " + version + "\n" +
                                  sections +
                                  "[workload]\nkind = none\n"
                                  "[workload writer]\nclients = 0\nkind = fio\nexports = shared\n"
                                  "directory = project\nreadwrite = randwrite\nsize = 64KiB\n"
                                  "nrfiles = 2\nthinktime = 200us\nrequests = 60\nreopen = 2\n"
                                  "[workload readers]\nclients = 1-2\nkind = fio\n"
                                  "exports = shared\ndirectory = project\nreadwrite = randread\n"
                                  "size = 64KiB\nnrfiles = 2\nthinktime = 20us\nrequests = 600\n"
                                  "reopen = 4\n[output]\nrpc_csv = true\n");
        const auto result = Run({"run", "a.ini", "--out", "out"});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return m_directory.ReadJson("out/summary.json");
    }

    static uint64_t Count(const nlohmann::json& summary, const std::string& item)
    {
        uint64_t count = 0;
        for (const auto& workload : summary["workloads"])
        {
            for (const auto& one : workload["items"])
            {
                count += workload["workload"] == "readers" && one["item"] == item
                             ? one["operations"].get<uint64_t>()
                             : 0;
            }
        }
        return count;
    }

    [[nodiscard]] std::size_t CountRpcs(const std::string& name) const
    {
        const std::string table = m_directory.ReadFile("out/rpc.csv");
        std::size_t count = 0;
        for (auto at = table.find(name); at != std::string::npos; at = table.find(name, at + 1))
        {
            ++count;
        }
        return count;
    }
};

TEST_P(WriterAndReadersTest, PagesStayUntilTheFileChanges)
{
    const auto summary = RunWith("");
    EXPECT_EQ(summary["verification"]["reads"]["mismatches"], 0);
    EXPECT_GT(Count(summary, "open_kept"), 0U);
    EXPECT_GT(Count(summary, "open_dropped"), 0U);
    if (std::string(GetParam()).size() > 1)
    {
        EXPECT_GT(CountRpcs("DELEGRETURN"), 0U) << "the writer's OPEN recalls what readers hold";
    }
}

TEST_P(WriterAndReadersTest, PagesStayUntilTheFileChangesAlsoUnderFaults)
{
    for (const char* fault :
         {"loss = every 40th fpdu: drop\n", "cut = at 3ms: rnic-reset on client-1\n"})
    {
        SCOPED_TRACE(fault);
        const auto summary = RunWith(std::string("[faults]\n") + fault);
        EXPECT_EQ(summary["verification"]["reads"]["mismatches"], 0);
        EXPECT_GT(Count(summary, "open_dropped"), 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(Versions,
                         WriterAndReadersTest,
                         ::testing::Values("2", "3", "4.0", "4.1", "4.2"),
                         [](const auto& test) {
                             std::string name = test.param;
                             return "V" + name.substr(0, 1) + name.substr(name.size() - 1);
                         });

} // namespace

} // namespace ns3::nfsrdma
