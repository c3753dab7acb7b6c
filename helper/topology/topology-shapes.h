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

/// \return two switches, "switch-0" and "switch-1", a link between them, and all hosts at the
/// first. \param trunk what that link is
[[nodiscard]] Topology MakePair(const ClusterHosts& hosts, const LinkTraits& trunk = {});

/// \return switches "rail-0", ..., as many as the host with the most ports has, that are not
/// connected; port n of each host is at switch n. \param ports that each host has, 1 or more
[[nodiscard]] Topology MakeRails(const ClusterHosts& hosts, const std::vector<uint32_t>& ports);

/**
 * \brief Gives hosts further links, like their first.
 *
 * They lead to the same switch, but in a network of exactly two where all hosts are at the first,
 * to both in turn. \param ports links that each host is to have, 1 or more \param topology of hosts
 * with one link each, of one of the shapes above
 */
void AddPorts(const std::vector<uint32_t>& ports, Topology& topology);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_TOPOLOGY_TOPOLOGY_SHAPES_H
