/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CLUSTER_FORM_COSTS_H
#define NFSRDMA_HELPER_CLUSTER_FORM_COSTS_H

#include "helper/form-cost-model.h"
#include "helper/topology/topology-routes.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>

namespace ns3::nfsrdma
{

class Cluster;

/// What the forms of RPCs cost the clients of a cluster: a FormCostModel for each, from what its
/// host, its server and the way between them are set to.
class ClusterFormCosts
{
  public:
    /// \param cluster and \param topology outlive this
    /// \param oneWay delay of the cables between a client and a server
    ClusterFormCosts(const Cluster& cluster, const Topology& topology, Time oneWay);

    /// \param client index
    [[nodiscard]] FormCosts Get(uint32_t client, const RpcRecord& record);

  private:
    [[nodiscard]] FormCostModel Make(uint32_t client) const;
    [[nodiscard]] FormCostPath GetPath(uint32_t client) const;

    const Cluster& m_cluster;
    const Topology& m_topology;
    TopologyRoutes m_routes;
    Time m_oneWay;
    std::map<uint32_t, FormCostModel> m_models;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CLUSTER_FORM_COSTS_H
