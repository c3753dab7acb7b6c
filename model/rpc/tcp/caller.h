/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TCP_CALLER_H
#define NFSRDMA_RPC_TCP_CALLER_H

#include "rpc/client-transport.h"
#include "rpc/tcp/record-connection.h"
#include "rpc/timeout.h"
#include "settings/setting.h"

#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/traced-callback.h"

#include <map>
#include <vector>

namespace ns3::nfsrdma
{

/// What an RpcTcpClient counts, as far as the xprt: tcp line of mountstats has it.
struct RpcTcpClientStatistics
{
    uint64_t connects{0};   ///< Connections made.
    uint64_t sends{0};      ///< Calls sent, again or not.
    uint64_t receives{0};   ///< Replies matched.
    uint64_t badXids{0};    ///< Replies with an unknown XID.
    uint64_t badReplies{0}; ///< Records that are no reply.
    uint64_t timeouts{0};   ///< Calls that have waited too long.
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

    void Submit(std::unique_ptr<RpcTransportCall> call) override;
    bool Cancel(uint32_t xid) override;

    [[nodiscard]] uint32_t GetPending() const override
    {
        return m_calls.size();
    }

    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;

    /// Closes the connection as soon as no call is pending. A call afterwards makes a new one.
    void Disconnect();

    [[nodiscard]] bool IsConnected() const
    {
        return m_state == State::CONNECTED;
    }

    [[nodiscard]] const RpcTcpClientStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// Trace source "Connected": the local port.
    typedef void (*ConnectedTracedCallback)(uint16_t localPort);
    /// Trace source "Disconnected".
    typedef void (*DisconnectedTracedCallback)(RpcTcpEnd end);
    /// Trace source "CallSent".
    typedef void (*CallSentTracedCallback)(const RpcRecord& record);
    /// Trace source "TimedOut".
    typedef void (*TimedOutTracedCallback)(const RpcRecord& record);

  protected:
    void DoDispose() override;

  private:
    enum class State
    {
        IDLE,       ///< No connection.
        CONNECTING, ///< Asked for.
        CONNECTED,
        WAITING ///< For RetryDelay to be over.
    };

    struct Pending
    {
        std::unique_ptr<RpcTransportCall> call;
        bool sent{false}; ///< On the connection that there is.
    };

    void Connect();
    [[nodiscard]] bool Bind(Ptr<Socket> socket) const;
    void HandleConnected();
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
    bool m_leaving{false}; ///< Disconnect() was called, and calls are pending.
    std::shared_ptr<RpcTcpConnection> m_connection;
    std::map<uint64_t, Pending> m_calls;  ///< By order of submission.
    std::map<uint32_t, uint64_t> m_byXid; ///< Order by XID.
    uint64_t m_nextOrder{0};
    EventId m_connectEvent;
    Time m_connectStart; ///< Of the latest attempt.
    EventId m_timer;
    EventId m_idleTimer;
    Ptr<Socket> m_socket; ///< Of m_connection.
    RpcTcpClientStatistics m_statistics;
    TracedCallback<uint16_t> m_connectedTrace;
    TracedCallback<RpcTcpEnd> m_disconnectedTrace;
    TracedCallback<const RpcRecord&> m_callSentTrace;
    TracedCallback<const RpcRecord&> m_timedOutTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TCP_CALLER_H
