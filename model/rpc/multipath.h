/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_MULTIPATH_H
#define NFSRDMA_RPC_MULTIPATH_H

#include "rpc/client-transport.h"

#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Several connections to one server as one transport: Linux's mount option nconnect.
 *
 * A call goes to the connection after that of the call before it, of those that carry no more calls
 * than the average (net/sunrpc/xprtmultipath.c, rpc_xprt_iter_roundrobin); one that names its
 * connection (RpcTransportCall::path) goes to that. It stays there, also when that connection is
 * lost: then it waits until it is made anew, while calls on the others go on.
 *
 * Each connection has its own credits. XIDs are those of the first one for all, so that none is
 * used twice; in Linux each connection counts from a random XID of its own.
 */
class RpcMultipath : public RpcClientTransport
{
  public:
    static TypeId GetTypeId();

    /// \return connections that it is to be made of; \p otherwise where attribute Connections does
    /// not say.
    [[nodiscard]] uint32_t CountConnections(uint32_t otherwise) const
    {
        return m_connections > 0 ? m_connections : otherwise;
    }

    /// Adds a connection; the first one added is the main one.
    void AddTransport(Ptr<RpcClientTransport> transport);

    [[nodiscard]] const std::vector<Ptr<RpcClientTransport>>& GetTransports() const
    {
        return m_transports;
    }

    void Submit(std::unique_ptr<RpcTransportCall> call) override;

    [[nodiscard]] uint32_t GetPathCount() const override
    {
        return static_cast<uint32_t>(m_transports.size());
    }

    /// \return the least of all connections, as any may carry the call.
    [[nodiscard]] uint64_t GetLargestRoom(const RpcReplyEstimate& reply) const override;
    void NoteRefusal(const RpcRecord& record, const std::string& reason) override;

    /// \return those of the main connection.
    [[nodiscard]] RpcReverseLimits GetReverseLimits() const override
    {
        return m_transports.empty() ? RpcReverseLimits() : m_transports.front()->GetReverseLimits();
    }

    bool Cancel(uint32_t xid) override;
    [[nodiscard]] uint32_t GetPending() const override;
    /// \return the lines of every connection, each beginning with its number.
    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;

  protected:
    void DoDispose() override;

  private:
    /// \return the connection for the next call, which becomes the latest one.
    [[nodiscard]] const Ptr<RpcClientTransport>& TakeNext();

    std::vector<Ptr<RpcClientTransport>> m_transports;
    uint32_t m_connections{0}; ///< Wanted.
    std::size_t m_latest{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_MULTIPATH_H
