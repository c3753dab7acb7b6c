/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TCP_LISTENER_H
#define NFSRDMA_RPC_TCP_LISTENER_H

#include "rpc/server.h"
#include "rpc/service-times.h"
#include "rpc/tcp/host-record-connection.h"
#include "rpc/tcp/host-sockets.h"
#include "rpc/tcp/record-connection.h"
#include "rpc/tcp/reverse-caller.h"
#include "wire/ip-address.h"

#include "ns3/node.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What an RpcTcpServer counts.
struct RpcTcpServerStatistics
{
    uint64_t accepted{0};       ///< Connections.
    uint64_t records{0};        ///< Received.
    uint64_t replies{0};        ///< Handed to a connection.
    uint64_t dropped{0};        ///< Calls that are not answered.
    uint64_t abandoned{0};      ///< Replies whose connection had ended.
    uint64_t reverseReplies{0}; ///< Records that answer calls of the reverse direction.
    uint64_t noRpc{0};          ///< Records that are no RPC message.
    uint64_t unanswered{0};     ///< Calls under way now.
    /// Connections closed here since they were too many or had aged, by why.
    std::map<std::string, uint64_t> closed{};
};

/**
 * \brief Takes calls over TCP with record marking (RFC 5531 section 11) for an RpcServer: one port,
 * any number of connections.
 *
 * A connection whose record is longer than MaxRecordSize or is no RPC call is closed, as
 * svc_tcp_recvfrom() does. Replies go out in the order in which they are done; one whose connection
 * has ended meanwhile is dropped.
 *
 * With SetSockets() its connections are sockets of the host (HostRecordConnection): a record that
 * is whole makes the connection ready, a thread of the RpcServer reads it, and only then does the
 * next record of the connection get a thread (XPT_BUSY). Calls of the server to a client
 * (GetReverseTransport()) go over a connection of that client. Every AgePeriod the connections are
 * looked at, and those that have received nothing since the last time are closed, unless a call of
 * theirs is being carried out (svc_age_temp_xprts()). They count for the RpcServer's
 * MaxConnections.
 *
 * Where the sockets have TLS (HostSockets::SetTls()) that offers it, a NULL call with AUTH_TLS is
 * answered with STARTTLS, and the handshake follows on its connection; where they have TLS that
 * does not, as RpcTlsSettings::serverRefusal says; where they have none, it is denied. Calls on a
 * connection that has less than RpcTlsSettings::serverRequires are refused
 * (RpcServer::SetTooWeak()).
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

    /// Has connections made of the host's sockets, which cost its cores something. Default: plain
    /// ones of ns-3, which cost nothing.
    void SetSockets(Ptr<HostSockets> sockets)
    {
        m_sockets = sockets;
    }

    /// Has it listen on these addresses of the host alone, as in a network namespace of its own:
    /// with sockets of the host. Default: on all.
    void SetAddresses(std::vector<IpAddress> addresses)
    {
        m_addresses = std::move(addresses);
    }

    /// Listens. \return false when \p port is taken.
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

    /// \return whether \p client has a connection, or calls have gone to it.
    [[nodiscard]] bool KnowsClient(const IpAddress& client) const;

    /// As Stop(), without a word to the peers: the host has crashed.
    void Crash();

    [[nodiscard]] const RpcTcpServerStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// \return calls to a program of \p client, over \p connection, or over its latest one when
    /// that is none of its; null when it has none and never had. The host's sockets alone.
    [[nodiscard]] Ptr<RpcClientTransport> GetReverseTransport(const IpAddress& client,
                                                              uint64_t connection);

    /// \return a line for each call that waits for a client's answer.
    [[nodiscard]] std::vector<std::string> DescribeWaiting() const;

    /// Trace source "Replied": a reply was handed to its connection.
    typedef void (*RepliedTracedCallback)(const RpcServiceTimes& times);
    /// Trace source "Accepted": the peer's address.
    typedef void (*AcceptedTracedCallback)(const Address& peer);
    /// Trace source "Closed": why a connection is over.
    typedef void (*ClosedTracedCallback)(RpcTcpEnd end);

  protected:
    void DoDispose() override;

  private:
    struct Open
    {
        std::shared_ptr<RpcRecordCarrier> connection;
        std::shared_ptr<HostRecordConnection> host; ///< The same; null: a plain one.
        IpAddress peer;
        EventId idleTimer;
        bool isOld{false};      ///< Nothing was received since connections were looked at.
        uint32_t unanswered{0}; ///< Its calls under way.
        bool mayTurnTls{false}; ///< Its first call may ask for TLS: the server makes none before.
    };

    /// \return where it listens on \p port with sockets of the host.
    [[nodiscard]] std::vector<ListeningPoint> ListPoints(uint16_t port) const;
    void HandleAccept(Ptr<Socket> socket, const Address& peer);
    void HandleStream(Ptr<ByteStream> stream);
    void HandleRecord(uint64_t connection, const IpAddress& source, ByteVector&& record);
    void HandleHostRecord(uint64_t connection, ByteVector&& record);
    void PrepareReading(uint64_t connection, RpcReceivedMessage& message);
    /// Gives \p message its times, where the host has its own or somebody is told of replies.
    void NoteArrival(uint64_t connection, RpcReceivedMessage& message) const;
    void SendReply(uint64_t connection,
                   const std::shared_ptr<RpcServiceTimes>& times,
                   const RpcPayload& reply);
    /// Calls of the server to the client of \p connection go over it, unless they have another.
    void AttachReverse(uint64_t connection);
    /// \return the TLS that is offered; null: none is.
    [[nodiscard]] Ptr<RpcTls> GetTls() const;
    void HandleSecured(uint64_t connection);
    /// Has a thread of the server see to the handshake when \p reply has offered it.
    void StartTls(uint64_t connection, const RpcPayload& reply);
    [[nodiscard]] bool IsReverseReply(uint64_t connection, const ByteVector& record);
    void HandleEnd(uint64_t connection, RpcTcpEnd end);
    void StartIdleTimer(uint64_t connection);
    /// \param reason counted among RpcTcpServerStatistics::closed
    void CloseConnection(uint64_t connection, RpcTcpEnd end, const std::string& reason);
    /// Closes the host's connections on which nothing was received for a period.
    void AgeConnections();

    Ptr<Node> m_node;
    Ptr<RpcServer> m_rpcServer;
    Ptr<HostMemory> m_memory;
    Ptr<HostSockets> m_sockets;                              ///< Null: plain sockets of ns-3.
    uint16_t m_port{0};                                      ///< Of m_sockets; 0: none.
    std::vector<IpAddress> m_addresses;                      ///< That it listens on; none: all.
    std::map<IpAddress, Ptr<RpcTcpReverseCaller>> m_reverse; ///< By client.
    RpcTcpServerStatistics m_statistics;
    Ptr<Socket> m_listener;
    std::map<uint64_t, Open> m_connections; ///< By number, in order of acceptance.
    uint32_t m_maxRecord{0};
    uint32_t m_maxFragment{0};
    Time m_idleTimeout;
    Time m_agePeriod;
    EventId m_aging;
    TracedCallback<const Address&> m_acceptedTrace;
    TracedCallback<RpcTcpEnd> m_closedTrace;
    TracedCallback<const RpcServiceTimes&> m_repliedTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TCP_LISTENER_H
