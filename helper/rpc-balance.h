/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_RPC_BALANCE_H
#define NFSRDMA_HELPER_RPC_BALANCE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

class Cluster;
struct ConservationLimits;

/// Calls of RPC-over-RDMA of one client, or of all; each is counted where it happens.
struct ClientRpcCounts
{
    uint64_t submitted{0}; ///< Given to the transport.
    uint64_t succeeded{0}; ///< Ended with a reply.
    uint64_t failed{0};    ///< Ended without.
    uint64_t cancelled{0};
    uint64_t outstanding{0}; ///< Queued, or sent and not ended.

    uint64_t sent{0};     ///< Messages posted: calls, repeated ones and probes, and below.
    uint64_t repeated{0}; ///< Of them: calls that had been sent before.
    uint64_t others{0};   ///< Of them: answers to calls of the server, RDMA_DONE.
};

/// Messages of RPC-over-RDMA that came to one server, or to all.
struct ServerRpcCounts
{
    uint64_t received{0};
    uint64_t answered{0};  ///< Replies posted.
    uint64_t refused{0};   ///< RDMA_ERROR posted.
    uint64_t dropped{0};   ///< Without an answer: no call, refused by the program, ...
    uint64_t abandoned{0}; ///< Their connection had ended before the answer.
    uint64_t others{0};    ///< Answers to calls of the server, RDMA_DONE.
    uint64_t inService{0}; ///< No answer yet.
};

/// RPCs of a run: submitted = succeeded + failed + cancelled + outstanding at clients, received =
/// answered + refused + dropped + abandoned + others + in service at servers.
struct RpcBalance
{
    ClientRpcCounts clients;
    ServerRpcCounts servers;
    uint64_t lost{0}; ///< Sent and not received: connections ended meanwhile.
    /// A line for each host where calls have come from nowhere or gone without a trace.
    std::vector<std::string> broken;
};

/// A host by its name.
template <typename Counts>
struct NamedRpcCounts
{
    std::string host;
    Counts counts;
};

/// Holds the counts of each host against each other, and those of clients against those of servers:
/// no more may come than was sent and, unless connections may end, no less.
[[nodiscard]] RpcBalance BalanceRpcs(const std::vector<NamedRpcCounts<ClientRpcCounts>>& clients,
                                     const std::vector<NamedRpcCounts<ServerRpcCounts>>& servers,
                                     const ConservationLimits& limits);

/// \return the balance of all hosts of \p cluster.
[[nodiscard]] RpcBalance BalanceRpcs(const Cluster& cluster, const ConservationLimits& limits);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_RPC_BALANCE_H
