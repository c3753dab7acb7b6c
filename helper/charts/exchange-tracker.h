/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CHARTS_EXCHANGE_TRACKER_H
#define NFSRDMA_HELPER_CHARTS_EXCHANGE_TRACKER_H

#include "helper/charts/message-follower.h"
#include "rpcrdma/message/transport-header.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{

/// An RPC: who called whom (numbers of hosts), and its XID.
struct ExchangeKey
{
    uint32_t requester{0};
    uint32_t responder{0};
    uint32_t xid{0};

    bool operator<(const ExchangeKey& other) const
    {
        return std::tie(requester, responder, xid) <
               std::tie(other.requester, other.responder, other.xid);
    }

    bool operator==(const ExchangeKey& other) const
    {
        return requester == other.requester && responder == other.responder && xid == other.xid;
    }
};

/// A message, read.
struct ReadMessage
{
    std::vector<ExchangeKey> exchanges; ///< The RPCs it is about; none: nobody can say.
    std::string name;                   ///< "Send", "RDMA Write", "RDMA_DONE", "Terminate", ...
    /// What it says, in parts separated by "; ": "RDMA_MSG; Call; Write chunk 0x101 65536".
    std::string text;
    std::string procedure; ///< Of a Call that can be named: "READ".
    bool isCall{false};
};

/**
 * \brief Tells which RPC each RDMAP message is about, as somebody at one place of the network can.
 *
 * A Send says it by its XID. An RDMA Write, a Read Request and a Read Response name memory: STags
 * belong to the RPC whose chunk lists have them, those of the sinks of RDMA Reads to the RPC that
 * owns the source. A Terminate is about the RPC that owns the STag of the segment at fault, or else
 * about all that are outstanding. Only the latest owner of an STag is kept.
 */
class ExchangeTracker
{
  public:
    /// \param from,to numbers of the hosts
    [[nodiscard]] ReadMessage Take(const WireMessage& message, uint32_t from, uint32_t to);
    /// \return the RPC that \p stag of \p host belongs to.
    [[nodiscard]] std::optional<ExchangeKey> FindOwner(uint32_t host, Stag stag) const;
    /// \return RPCs called and not replied to between two hosts.
    [[nodiscard]] std::vector<ExchangeKey> ListOutstanding(uint32_t one, uint32_t other) const;
    /// \p stag of \p host is registered anew: it belongs to no RPC.
    void Release(uint32_t host, Stag stag);
    /// An RPC has ended another way.
    void Forget(const ExchangeKey& exchange);

  private:
    void ReadSend(const WireMessage& message, uint32_t from, uint32_t to, ReadMessage& read);
    void ReadLists(const RpcRdmaHeader& header, uint32_t owner, const ReadMessage& read);
    void ReadTerminate(const WireMessage& message, uint32_t from, uint32_t to, ReadMessage& read);
    void AddOwner(const WireMessage& message, uint32_t host, ReadMessage& read);

    std::map<std::pair<uint32_t, Stag>, ExchangeKey> m_owners;
    std::set<ExchangeKey> m_outstanding;
};

/// \return "0x101".
[[nodiscard]] std::string ShortHex(uint32_t number);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CHARTS_EXCHANGE_TRACKER_H
