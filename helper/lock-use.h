/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_LOCK_USE_H
#define NFSRDMA_HELPER_LOCK_USE_H

#include "host/lock.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

class Cluster;

/// What the locks of one class of a host have counted.
struct LockUse
{
    std::string host;
    std::string name; ///< Of the class, as lockstat has it.
    HostLockStatistics use;
};

/// \return of each host and class that was ever acquired; hosts in their order, classes by name.
[[nodiscard]] std::vector<LockUse> ListLockUses(const Cluster& cluster);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_LOCK_USE_H
