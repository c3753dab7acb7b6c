/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CLUSTER_ADVERSARIES_H
#define NFSRDMA_HELPER_CLUSTER_ADVERSARIES_H

#include "fault/adversary/host.h"
#include "helper/cluster.h"
#include "rpc/record.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// \return what a role of host \p host of \p cluster, or of its link, has. For a client, its server
/// gets a further export, with a file of zeros and a directory of many names, that no workload
/// uses.
[[nodiscard]] AdversaryHost MakeAdversaryHost(const Cluster& cluster,
                                              uint32_t host,
                                              AdversarySide side);

/// What an honest client or a server noticed.
struct VictimReport
{
    std::string host;
    uint64_t connectionsLost{0};   ///< Clients: lost, or closed for want of a reply, and made anew.
    uint64_t callsFailed{0};       ///< Clients: RPCs that did not succeed.
    uint64_t callsSentAgain{0};    ///< Clients: transmissions beyond the first.
    uint64_t errorsReceived{0};    ///< Clients: RDMA_ERRORs and other replies that are no good.
    uint64_t unknownXids{0};       ///< Clients: replies that no call waits for.
    uint64_t errorsSent{0};        ///< Servers: RDMA_ERRORs.
    uint64_t messagesDropped{0};   ///< Servers: without an answer.
    uint64_t overruns{0};          ///< Servers: connections that ended for want of a receive.
    uint64_t creditOverruns{0};    ///< Servers: connections closed by EnforceCredits.
    uint64_t badMessagesClosed{0}; ///< Servers: connections closed by BadMessageLimit.
    uint64_t exposedPeak{0};       ///< Servers: most octets exposed as Read chunks at a time.
    uint64_t exposedExpired{0};    ///< Servers: Read chunks reclaimed by their timer.
    uint64_t exposureRefused{0};   ///< Servers: replies beyond a connection's share of exposure.
    uint64_t silentPeers{0};       ///< Servers: connections closed on which no FPDU came in time.
    uint64_t startupsFailed{0};    ///< Servers: MPA startups that failed, or took too long.
    uint64_t backlogFull{0};       ///< Servers: connections reset for want of a place.
    uint64_t connectionsLimited{0}; ///< Servers: connections reset by AdmissionLimits.
    uint64_t terminatesSent{0};     ///< By its RNIC.
    uint64_t terminatesReceived{0}; ///< By its RNIC.
};

/// Counts what honest hosts notice.
class VictimWatch
{
  public:
    /// \param cluster outlives this
    explicit VictimWatch(const Cluster& cluster);

    /// An RPC of a workload's host \p client (index) has ended.
    void TakeRpc(uint32_t client, const RpcRecord& record);
    /// \return a report for each server, and each client that has joined; while connections are
    /// still there.
    [[nodiscard]] std::vector<VictimReport> TakeReports() const;

  private:
    const Cluster& m_cluster;
    std::vector<VictimReport> m_clients;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CLUSTER_ADVERSARIES_H
