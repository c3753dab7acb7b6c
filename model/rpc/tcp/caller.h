/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TCP_CALLER_H
#define NFSRDMA_RPC_TCP_CALLER_H

#include "rpc/client-transport.h"
#include "rpc/server.h"
#include "rpc/tcp/host-sockets.h"
#include "rpc/tcp/record-carrier.h"
#include "rpc/timeout.h"
#include "settings/setting.h"

#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What an RpcTcpClient counts: the line "xprt: tcp" of mountstats under Linux's names, and more.
struct RpcTcpClientStatistics
{
    uint64_t port{0};      ///< Of this host; 0: not connected.
    uint64_t binds{0};     ///< Of a socket to a port.
    uint64_t connects{0};  ///< Connections made.
    Time connectTime;      ///< Spent connecting.
    Time idleTime;         ///< Since the latest call or reply.
    uint64_t sends{0};     ///< Calls sent, again or not.
    uint64_t receives{0};  ///< Replies matched.
    uint64_t badXids{0};   ///< Replies with an unknown XID.
    uint64_t requests{0};  ///< Sum over sends of the calls sent less the replies matched (req_u).
    uint64_t backlog{0};   ///< Sum over sends of the calls then waiting for a slot (bklog_u).
    uint64_t mostSlots{0}; ///< Slots used at the same time, at most (max_slots).
    uint64_t sending{0};   ///< Sum over sends of the calls then waiting to be sent (sending_u).
    uint64_t pending{0};   ///< Sum over sends of the calls then waiting for replies (pending_u).

    // Not in mountstats.

    uint64_t badReplies{0}; ///< Records that are no reply.
    uint64_t timeouts{0};   ///< Calls that have waited too long.
    uint64_t submitted{0};  ///< Calls that the transport has got.
    uint64_t succeeded{0};  ///< With a reply.
    uint64_t failed{0};     ///< Without.
    uint64_t cancelled{0};
    uint64_t repeated{0};       ///< Of sends: calls that had been sent before.
    uint64_t reverseReplies{0}; ///< Answers to calls of the server.

    /// \return "\txprt:\ttcp " and the 13 values, as Linux prints it, without a line end.
    [[nodiscard]] std::string Format() const;
};

/**
 * \brief RPC calls over TCP with record marking (RFC 5531 section 11): one connection of one client
 * to one server, made when there is a call to send.
 *
 *     idle -- Submit() --> connecting -- connected --> sends all calls that wait --> idle
 *       connection lost, or a call timed out: a new connection, all calls are sent again
 *
 * A call is sent again only on a new connection. A call whose time is over (RpcTimeout) takes its
 * connection down; a soft one ends with TIMED_OUT after its major timeout. When no connection can
 * be made, soft calls end with DISCONNECTED, hard ones wait for RetryDelay and try again.
 *
 * With SetSockets() of a host that asks for TLS (RpcTls), a connection is first secured: a NULL
 * call with AUTH_TLS, the handshake when the answer is STARTTLS, and only then the calls. Where the
 * server does not answer so, mode opportunistic goes on in clear; else, and when a handshake fails,
 * all calls end with DISCONNECTED, hard ones too, as Linux's end with EACCES or EPROTONOSUPPORT
 * (xs_tcp_tls_setup_socket()). The call with AUTH_TLS is sent again on its connection after each
 * minor timeout, and given up after the major one, whatever Soft says (tls_probe()), or where calls
 * have no timeout when a handshake would be; that, and a handshake that does not end in time, is as
 * if no connection could be made (ETIMEDOUT). Whatever else the server sends meanwhile is dropped
 * (RpcTlsSettings::spuriousTraffic: or ends the connection, as if none could be made).
 *
 * With SetSockets() the connection is a socket of the host (HostRecordConnection), and takes calls
 * of the server too, for SetReverseServer(). Calls beyond Slots wait in a backlog.
 *
 * A reply comes whole in the message: no item of it is in the memory of RpcReplyEstimate.
 */
class RpcTcpClient : public RpcClientTransport
{
  public:
    /// What can be set: caller.def has the fields, and those of the parts.
    struct Settings
    {
#define SETTING(type, name, ...) type name{};
#define SETTING_PART(part, name, ...)
#include "rpc/tcp/caller.def"
#include "wire/ring.h"
#undef SETTING_PART
#undef SETTING

        RpcTimeout timeout;
        RpcTcpSettings records;

        [[nodiscard]] static const std::vector<Setting<Settings>>& GetRows();
    };

    static TypeId GetTypeId();

    /// The node with the TCP that is used.
    void SetNode(Ptr<Node> node)
    {
        m_node = node;
    }

    /// \param server InetSocketAddress or Inet6SocketAddress
    void SetServer(const Address& server)
    {
        m_server = server;
    }

    [[nodiscard]] const Address& GetServer() const
    {
        return m_server;
    }

    /// Memory that items of calls are in. Without it calls must not have any.
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

    /// Serves calls that the server makes over the connection. Without, they end it.
    void SetReverseServer(Ptr<RpcServer> server)
    {
        m_reverseServer = server;
    }

    /// The name that the certificate of the server must have, with TLS.
    void SetServerName(const std::string& name)
    {
        m_serverName = name;
    }

    /// Makes the connection before there is a call.
    void Connect();

    void Submit(std::unique_ptr<RpcTransportCall> call) override;
    bool Cancel(uint32_t xid) override;
    void Crash() override;
    void Boot() override;

    [[nodiscard]] uint32_t GetPending() const override
    {
        return m_calls.size() + m_backlog.size();
    }

    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;

    /// Closes the connection as soon as no call is pending. A call afterwards makes a new one.
    void Disconnect();

    [[nodiscard]] bool IsConnected() const
    {
        return m_state == State::CONNECTED;
    }

    [[nodiscard]] RpcTcpClientStatistics GetStatistics() const;

    /// Trace source "Connected": the local port.
    typedef void (*ConnectedTracedCallback)(uint16_t localPort);
    /// Trace source "Disconnected".
    typedef void (*DisconnectedTracedCallback)(RpcTcpEnd end);
    /// Trace source "CallSent".
    typedef void (*CallSentTracedCallback)(const RpcRecord& record);
    /// Trace source "TimedOut".
    typedef void (*TimedOutTracedCallback)(const RpcRecord& record);

    /// Trace source "Retry": how long from now until the next attempt to connect.
    typedef void (*RetryTracedCallback)(Time delay);

  protected:
    void DoDispose() override;

  private:
    enum class State
    {
        IDLE,       ///< No connection.
        CONNECTING, ///< Asked for.
        SECURING,   ///< Made; TLS is asked for, or its handshake is under way.
        CONNECTED,
        WAITING ///< For RetryDelay to be over.
    };

    struct Pending
    {
        std::unique_ptr<RpcTransportCall> call;
        bool sent{false}; ///< On the connection that there is.
    };

    void Admit(std::unique_ptr<RpcTransportCall> call);
    void AdmitNext();
    void MakeConnection();
    void OpenSocket();
    void OpenHostSocket();
    [[nodiscard]] RpcRecordCarrier::Events MakeEvents();
    void HandleReverseCall(ByteVector&& record);
    /// \return the local ports that a socket of the host may have; nothing: any.
    [[nodiscard]] std::optional<LocalPorts> GetPorts() const;
    [[nodiscard]] bool Bind(Ptr<Socket> socket) const;
    void HandleConnected();
    /// Calls can be sent.
    void HandleReady();
    /// Asks the server for TLS.
    void MakeTlsProbe();
    void SendTlsProbe();
    void HandleTlsTimer();
    /// What has come is not the answer to the call that asks for TLS.
    void DropSpurious();
    void HandleTlsReply(const ByteVector& record);
    [[nodiscard]] Ptr<RpcTls> GetTls() const;
    void HandleRecord(ByteVector&& record);
    void HandleEnd(RpcTcpEnd end);
    void SendAll();
    void SendCall(Pending& pending);
    void Finish(uint32_t xid, RpcOutcome outcome, RpcReceivedMessage&& message);
    void FinishAll(RpcOutcome outcome);
    void Leave(RpcTcpEnd end);
    void StartTimer();
    void HandleTimer();
    void StartIdleTimer();

    Ptr<Node> m_node;
    Ptr<HostMemory> m_memory;
    Address m_server;
    Settings m_settings;

    State m_state{State::IDLE};
    bool m_down{false};    ///< From Crash() to Boot().
    bool m_leaving{false}; ///< Disconnect() was called, and calls are pending.
    std::shared_ptr<RpcRecordCarrier> m_connection;
    Ring<std::unique_ptr<RpcTransportCall>> m_backlog; ///< That wait for a slot.
    Ptr<HostSockets> m_sockets;                        ///< Null: plain sockets of ns-3.
    std::string m_serverName;
    uint32_t m_tlsXid{0};    ///< Of the call that asks for TLS.
    ByteVector m_tlsProbe;   ///< It.
    RpcCallTimes m_tlsTimes; ///< Its.
    bool m_tlsAsked{false};  ///< It waits for its reply.
    EventId m_tlsTimer;
    Ptr<RpcServer> m_reverseServer;
    uint64_t m_reverseConnection{0}; ///< As m_reverseServer numbers it.
    Time m_lastUsed;
    bool m_eager{false};                  ///< Connects without a call.
    std::map<uint64_t, Pending> m_calls;  ///< By order of submission.
    std::map<uint32_t, uint64_t> m_byXid; ///< Order by XID.
    uint64_t m_nextOrder{0};
    EventId m_connectEvent;
    Time m_connectStart; ///< Of the latest attempt.
    EventId m_timer;
    EventId m_idleTimer;
    RpcTcpClientStatistics m_statistics;
    TracedCallback<uint16_t> m_connectedTrace;
    TracedCallback<RpcTcpEnd> m_disconnectedTrace;
    TracedCallback<const RpcRecord&> m_callSentTrace;
    TracedCallback<const RpcRecord&> m_timedOutTrace;
    TracedCallback<Time> m_retryTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TCP_CALLER_H
