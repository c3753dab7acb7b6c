/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/lock-use.h"

#include "helper/cluster.h"
#include "host/cpu.h"
#include "rnic/hardware/device.h"

namespace ns3::nfsrdma
{

std::vector<LockUse>
ListLockUses(const Cluster& cluster)
{
    std::vector<LockUse> uses;
    for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
    {
        for (const auto& [name, use] : cluster.GetDevice(host)->GetHostCpu()->GetLockClasses())
        {
            if (use->acquisitions > 0)
            {
                uses.push_back({cluster.GetHostName(host), name, *use});
            }
        }
    }
    return uses;
}

} // namespace ns3::nfsrdma
