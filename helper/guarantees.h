/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_GUARANTEES_H
#define NFSRDMA_HELPER_GUARANTEES_H

#include "helper/cluster.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What a policy of RPC-over-RDMA, or a setting that bounds one, promises at every moment.
struct Guarantee
{
    std::string policy;  ///< Its name, or the key that is the bound.
    std::string formula; ///< As the policy's header and RPC-OVER-RDMA.md have it.
    std::string checked; ///< What it is checked by.
    std::string header;  ///< That states it, from the root of the tree.
};

/// A guarantee and what a run has made of it at one host.
struct GuaranteeUse
{
    std::string host;
    std::string policy;
    std::string what;  ///< That was measured, with its unit.
    uint64_t used{0};  ///< The most there was.
    uint64_t bound{0}; ///< The most that the policy allows.
    std::string limit; ///< Where the bound is from.
};

/**
 * \brief Holds what a cluster over RDMA has done against the guarantees of its policies.
 *
 * Servers count peaks, and replies that break a rule, at every change of what is bounded
 * (SvcRdmaStatistics); clients are watched by trace sources. There are no events. A policy that is
 * not in force, or a bound that is not set, is not looked at.
 */
class Guarantees
{
  public:
    /// \param cluster outlives this
    explicit Guarantees(const Cluster& cluster);
    ~Guarantees();
    Guarantees(const Guarantees&) = delete;
    Guarantees& operator=(const Guarantees&) = delete;

    /// \return what is guaranteed in this cluster, and what was used so far: servers first.
    [[nodiscard]] std::vector<GuaranteeUse> List() const;

    /// \return all guarantees there are, those of servers first.
    [[nodiscard]] static std::vector<Guarantee> GetRows();

  private:
    class Client;

    const Cluster& m_cluster;
    std::vector<std::unique_ptr<Client>> m_clients; ///< One a transport.
};

/// \return a line for each of \p uses that passes its bound: "server-0: fair-share: receive buffers
/// 231, at most 64 (server_shared_receives)".
[[nodiscard]] std::vector<std::string> FindBroken(const std::vector<GuaranteeUse>& uses);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_GUARANTEES_H
