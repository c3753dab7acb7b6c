/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "integration/scenario/checked-scenario.h"
#include "scenarios/simulator/setup/nfs-check.h"

#include <gmock/gmock.h>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;

using NfsCheckTest = CheckedScenarioTest;

TEST_F(NfsCheckTest, Version2RefusesWhatItCannotDo)
{
    const std::string two = "[workload]\nkind = fio\n[nfs]\nversion = 2\n";
    EXPECT_EQ(GetError(two), "no error");
    EXPECT_EQ(GetError(two + "handle = 32\ntransfer_size = 8KiB\n"), "no error");
    EXPECT_THAT(GetError(two + "handle = 36\n"),
                HasSubstr("a.ini:5: nfs.handle: got '36B', expected 32B at most"));
    EXPECT_THAT(GetError(two + "root_handle = 64\n"),
                HasSubstr("a.ini:5: nfs.root_handle: got '64B', expected 32B at most"));
    EXPECT_THAT(GetError(two + "transfer_size = 16KiB\n"),
                HasSubstr("a.ini:5: nfs.transfer_size: got '16384B', expected 8KiB at most"));
    EXPECT_THAT(
        GetError("[nfs]\nversion = 2\n[workload]\nkind = fio\nsize = 2GiB\n"),
        HasSubstr("a.ini:5: workload.size: got '2147483648B', expected 2147483647B at most"));
}

TEST_F(NfsCheckTest, Version2HasAccessListsWhenAsked)
{
    const std::string acl = "[workload]\nkind = acl\n[nfs]\nversion = 2\n";
    EXPECT_THAT(GetError(acl), HasSubstr("nfs.version: got '2', expected 3 or 4.x, or 2 with"));
    EXPECT_EQ(GetError(acl + "nfsacl2 = true\n"), "no error");
}

TEST_F(NfsCheckTest, LocksGoToTheServerWithVersions2And3)
{
    EXPECT_FALSE(HasLockManagers(Resolve("[nfs]\nversion = 3\n")));
    for (const char* const local : {"none", "flock", "posix"})
    {
        EXPECT_TRUE(HasLockManagers(Resolve(std::string("[nfs]\nlocal_lock = ") + local + "\n")));
    }
    EXPECT_FALSE(HasLockManagers(Resolve("[nfs]\nversion = 2\nlocal_lock = all\n")));
    EXPECT_THAT(GetError("[workload]\nkind = lock\n[nfs]\nversion = 4.1\nlocal_lock = none\n"),
                HasSubstr("a.ini:5: nfs.local_lock: got 'none', expected no such key with NFSv4"));
}

TEST_F(NfsCheckTest, PortsOfDaemonsDiffer)
{
    const std::string locks = "[nfs]\nlocal_lock = none\n";
    EXPECT_EQ(GetError(locks), "no error");
    EXPECT_THAT(GetError(locks + "lockd_port = 662\n"), HasSubstr("nfs.lockd_port"));
    EXPECT_THAT(GetError(locks + "statd_port = 111\n"), HasSubstr("nfs.statd_port"));
    EXPECT_THAT(GetError(locks + "port = 662\n"), HasSubstr("nfs.port"));
    EXPECT_THAT(GetError(locks + "mountd_port = 32803\n"), HasSubstr("nfs.mountd_port"));
    EXPECT_EQ(GetError("[nfs]\nlockd_port = 662\n"), "no error");
}

} // namespace

} // namespace ns3::nfsrdma
