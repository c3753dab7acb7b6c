/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TCP_LISTENER_H
#define NFSRDMA_RPC_TCP_LISTENER_H

#include "rpc/server.h"
#include "rpc/tcp/record-connection.h"
#include "wire/ip-address.h"

#include "ns3/node.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <map>

namespace ns3::nfsrdma
{

/**
 * \brief Takes calls over TCP with record marking (RFC 5531 section 11) for an RpcServer: one port,
 * any number of connections.
 *
 * A connection whose record is longer than MaxRecordSize or is no RPC call is closed, as
 * svc_tcp_recvfrom() does. Replies go out in the order in which they are done; one whose connection
 * has ended meanwhile is dropped.
 */
class RpcTcpServer : public Object
{
  public:
    static TypeId GetTypeId();

    void SetNode(Ptr<Node> node)
    {
        m_node = node;
    }

    void SetRpcServer(Ptr<RpcServer> server)
    {
        m_rpcServer = server;
    }

    /// Memory that items of replies are in. Without it programs must not have any.
    void SetHostMemory(Ptr<HostMemory> memory)
    {
        m_memory = memory;
    }

    /// Listens on all addresses of the node. \return false when \p port is taken.
    [[nodiscard]] bool Listen(uint16_t port);
    /// \param local InetSocketAddress or Inet6SocketAddress to listen on
    [[nodiscard]] bool ListenOn(const Address& local);
    /// Listens no more, and closes all connections.
    void Stop();

    /// \return the port it listens on; 0 when it does not.
    [[nodiscard]] uint16_t GetPort() const;

    /// \return connections that are open.
    [[nodiscard]] uint32_t GetConnectionCount() const
    {
        return m_connections.size();
    }

    /// Trace source "Accepted": the peer's address.
    typedef void (*AcceptedTracedCallback)(const Address& peer);
    /// Trace source "Closed": why a connection is over.
    typedef void (*ClosedTracedCallback)(RpcTcpEnd end);

  protected:
    void DoDispose() override;

  private:
    void HandleAccept(Ptr<Socket> socket, const Address& peer);
    void HandleRecord(uint64_t connection, const IpAddress& source, ByteVector&& record);
    void HandleEnd(uint64_t connection, RpcTcpEnd end);
    void StartIdleTimer(uint64_t connection);

    struct Open
    {
        std::shared_ptr<RpcTcpConnection> connection;
        EventId idleTimer;
    };

    Ptr<Node> m_node;
    Ptr<RpcServer> m_rpcServer;
    Ptr<HostMemory> m_memory;
    Ptr<Socket> m_listener;
    std::map<uint64_t, Open> m_connections; ///< By number, in order of acceptance.
    uint32_t m_maxRecord{0};
    uint32_t m_maxFragment{0};
    Time m_idleTimeout;
    TracedCallback<const Address&> m_acceptedTrace;
    TracedCallback<RpcTcpEnd> m_closedTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TCP_LISTENER_H
