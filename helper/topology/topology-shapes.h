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

/// Where in a network of several switches the servers are.
enum class ServerPlacement
{
    SPREAD, ///< Over all switches that have hosts, as clients are.
    APART,  ///< At the last leaf, in the last pod or at the last switch; clients are elsewhere.
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

/**
 * \brief A network of three tiers (Al-Fares, Loukissas, Vahdat 2008, section 3): \p arity pods of
 * arity / 2 edge switches "pod-0-edge-0", ... and as many aggregation switches
 * "pod-0-aggregation-0", ..., and (arity / 2)^2 cores "core-0", .... Aggregation switch i of each
 * pod is connected to cores i * arity / 2 and up.
 *
 * Consecutive hosts are in consecutive pods, so that a pod fills up evenly.
 * \param hosts not more than GetFatTreeRoom()
 * \param arity even, 2 or more; APART: 4 or more
 * \param trunk what the links between switches are
 */
[[nodiscard]] Topology MakeFatTree(const ClusterHosts& hosts,
                                   uint32_t arity,
                                   ServerPlacement placement,
                                   const LinkTraits& trunk = {});

/// \return how many servers and clients a fat tree has ports for: arity / 2 an edge switch; APART:
/// servers in the last pod, clients in the others. With SPREAD both have that room together.
[[nodiscard]] ClusterHosts GetFatTreeRoom(uint32_t arity, ServerPlacement placement);

/**
 * \brief Switches in a grid of any number of dimensions whose rows are rings, "switch-0-0", ....
 * \param dimensions switches in each direction, 2 or more; those of 2 have one link, not two
 * \param placement APART: servers at the last switch
 * \param trunk what the links between switches are
 */
[[nodiscard]] Topology MakeTorus(const ClusterHosts& hosts,
                                 const std::vector<uint32_t>& dimensions,
                                 ServerPlacement placement,
                                 const LinkTraits& trunk = {});

/// \return clients around a switch "left", servers around "right", and one link between the two.
/// \param trunk what that link is
[[nodiscard]] Topology MakeDumbbell(const ClusterHosts& hosts, const LinkTraits& trunk = {});

/// \return two switches, "switch-0" and "switch-1", a link between them, and all hosts at the
/// first. \param trunk what that link is
[[nodiscard]] Topology MakePair(const ClusterHosts& hosts, const LinkTraits& trunk = {});

/// Pods of a network of rails, and what connects them.
struct RailPods
{
    uint32_t count{1};
    uint32_t spines{1}; ///< Of each rail; with one pod there are none.
    LinkTraits trunk;   ///< What the links between leaves and spines are.
};

/**
 * \brief As many networks that are not connected as the host with the most ports has ports; port n
 * of each host is in the n-th.
 *
 * With one pod such a network is a switch, "rail-0". With several (a rail-optimised network) it has
 * a leaf in each pod, "rail-0-pod-0", ..., which spines "rail-0-spine-0", ... connect; server i and
 * client i are in pod i mod pods.
 * \param ports that each host has, 1 or more
 */
[[nodiscard]] Topology MakeRails(const ClusterHosts& hosts,
                                 const std::vector<uint32_t>& ports,
                                 const RailPods& pods = {});

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
