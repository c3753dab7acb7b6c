/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_EXPLORE_INVARIANTS_H
#define NFSRDMA_HELPER_EXPLORE_INVARIANTS_H

#include "helper/cluster.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Watches what has to hold in a cluster over RDMA at every moment, whatever the order of
 * events:
 *
 * - a call goes out only with a credit, and only one before the first grant (section 3.3.3 of RFC
 *   8166): counted by the messages of the connection, not by what the client believes;
 * - an RPC ends once;
 * - of NFSv2 and v3, a call that was sent again does not find its own work done: the duplicate
 *   request cache answers as the first time;
 * - a server grants at least one credit;
 *
 * and, once the work is done and nothing is under way:
 *
 * - no connection has ended for want of a Receive;
 * - no reply is exposed any more, and each that was has been released once: by the client's
 *   notice, by the timer, or with its connection (section 4.1 of the Read-chunk draft);
 * - no call holds a credit.
 */
class Invariants
{
  public:
    /// \param cluster outlives this
    explicit Invariants(const Cluster& cluster);
    ~Invariants();
    Invariants(const Invariants&) = delete;
    Invariants& operator=(const Invariants&) = delete;

    /// An RPC of \p client has ended.
    void TakeRpc(uint32_t client, const RpcRecord& record);
    /// The work is done and nothing is under way.
    void CheckAtRest();

    /// \return a line for each that was broken, in the order in which they first were.
    [[nodiscard]] const std::vector<std::string>& GetBroken() const;

  private:
    class Credits;

    [[nodiscard]] std::string GetClientName(uint32_t client) const;
    void Add(const std::string& host, const std::string& what);

    const Cluster& m_cluster;
    std::vector<std::unique_ptr<Credits>> m_credits; ///< One a connection of a client.
    std::set<std::pair<uint32_t, uint32_t>> m_ended; ///< Client, XID.
    std::vector<std::string> m_broken;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_EXPLORE_INVARIANTS_H
