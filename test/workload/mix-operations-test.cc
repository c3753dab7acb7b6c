/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/mix-operations.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

TEST(MixOperations, AreFoundByTheirNames)
{
    for (const char* name : {"getattr",
                             "setattr",
                             "access",
                             "lookup",
                             "readlink",
                             "commit",
                             "create",
                             "symlink",
                             "remove",
                             "readdir",
                             "fsstat",
                             "seek",
                             "readdirplus",
                             "read",
                             "clone"})
    {
        EXPECT_TRUE(MixOperations::Find(name)) << name;
    }
    EXPECT_FALSE(MixOperations::Find("mkdir"));
    EXPECT_FALSE(MixOperations::Find(""));
}

} // namespace ns3::nfsrdma::test
