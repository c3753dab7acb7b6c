/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CLUSTER_FAULTS_H
#define NFSRDMA_HELPER_CLUSTER_FAULTS_H

#include "fault/host-action.h"
#include "helper/cluster.h"

#include <map>
#include <memory>
#include <string>

namespace ns3::nfsrdma
{

/// What a fault plan can do to hosts, by their names ("server-0", "client-3").
using HostFaultTargets = std::map<std::string, std::unique_ptr<HostFaultTarget>>;

/// \return the hosts of \p cluster, which outlives them.
[[nodiscard]] HostFaultTargets MakeHostFaultTargets(const Cluster& cluster);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CLUSTER_FAULTS_H
