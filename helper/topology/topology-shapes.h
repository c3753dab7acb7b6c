/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_TOPOLOGY_TOPOLOGY_SHAPES_H
#define NFSRDMA_HELPER_TOPOLOGY_TOPOLOGY_SHAPES_H

#include "helper/topology/topology.h"

namespace ns3::nfsrdma
{

/// The hosts of a cluster, numbered servers first.
struct ClusterHosts
{
    uint32_t clients{0};
    uint32_t servers{0};

    /// \return "server-0", ..., "client-0", ...
    [[nodiscard]] std::vector<std::string> GetNames() const;
};

/// Which leaf of a leaf-spine network the servers are at.
enum class ServerPlacement
{
    SPREAD, ///< Server i and client i at leaf i mod leaves.
    APART,  ///< Servers at the last leaf alone, clients spread over the others.
};

/// \return all hosts around one switch, "switch".
[[nodiscard]] Topology MakeStar(const ClusterHosts& hosts);

/**
 * \brief A network of two tiers (Clos): hosts at leaves "leaf-0", ..., and every leaf connected to
 * every spine "spine-0", ....
 * \param leaves 1 or more; APART: 2 or more
 * \param spines 1 or more
 * \param trunk what the links between leaves and spines are
 */
[[nodiscard]] Topology MakeLeafSpine(const ClusterHosts& hosts,
                                     uint32_t leaves,
                                     uint32_t spines,
                                     ServerPlacement placement,
                                     const LinkTraits& trunk = {});

/// \return clients around a switch "left", servers around "right", and one link between the two.
/// \param trunk what that link is
[[nodiscard]] Topology MakeDumbbell(const ClusterHosts& hosts, const LinkTraits& trunk = {});

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_TOPOLOGY_TOPOLOGY_SHAPES_H
