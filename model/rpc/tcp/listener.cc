/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/listener.h"

#include "mpa/internet-address.h"
#include "mpa/stream-tcp-socket.h"
#include "rpc/flatten.h"
#include "rpc/tcp/local-port.h"

#include "ns3/abort.h"
#include "ns3/ipv6.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcTcpServer);

TypeId
RpcTcpServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RpcTcpServer")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<RpcTcpServer>()
            .AddAttribute("MaxRecordSize",
                          "Largest call taken (octets). Default: Linux's RPCSVC_MAXPAYLOAD_TCP and "
                          "a page for all else.",
                          UintegerValue(1024 * 1024 + 4096),
                          MakeUintegerAccessor(&RpcTcpServer::m_maxRecord),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("FragmentSize",
                          "Largest fragment sent (octets). Default: a record is one fragment, as "
                          "Linux's.",
                          UintegerValue(RpcFragmentHeader::MAX_LENGTH),
                          MakeUintegerAccessor(&RpcTcpServer::m_maxFragment),
                          MakeUintegerChecker<uint32_t>(1, RpcFragmentHeader::MAX_LENGTH))
            .AddAttribute(
                "IdleTimeout",
                "Time without a call after which a connection is closed; 0: never. "
                "Linux closes after 6 to 12 minutes (svc_conn_age_period); default: never, "
                "so that a simulation ends with its work.",
                TimeValue(Time(0)),
                MakeTimeAccessor(&RpcTcpServer::m_idleTimeout),
                MakeTimeChecker(Time(0)))
            .AddTraceSource("Accepted",
                            "A connection is established: the peer's address.",
                            MakeTraceSourceAccessor(&RpcTcpServer::m_acceptedTrace),
                            "ns3::nfsrdma::RpcTcpServer::AcceptedTracedCallback")
            .AddTraceSource("Closed",
                            "A connection has ended.",
                            MakeTraceSourceAccessor(&RpcTcpServer::m_closedTrace),
                            "ns3::nfsrdma::RpcTcpServer::ClosedTracedCallback");
    return tid;
}

void
RpcTcpServer::DoDispose()
{
    Stop();
    m_node = nullptr;
    m_rpcServer = nullptr;
    m_memory = nullptr;
    Object::DoDispose();
}

bool
RpcTcpServer::Listen(uint16_t port)
{
    const bool hasIpv6 = m_node && m_node->GetObject<Ipv6>();
    return ListenOn(MakeSocketAddress(hasIpv6 ? IpAddress::GetAnyIpv6() : IpAddress(), port));
}

bool
RpcTcpServer::ListenOn(const Address& local)
{
    NS_ABORT_MSG_UNLESS(m_node && m_rpcServer, "RpcTcpServer has no node, or no RpcServer");
    const Ptr<Socket> socket = StreamTcpSocket::Create(m_node, local);
    if (socket->Bind(local) != 0 || socket->Listen() != 0)
    {
        return false;
    }
    socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                              MakeCallback(&RpcTcpServer::HandleAccept, this));
    m_listener = socket;
    return true;
}

void
RpcTcpServer::Stop()
{
    if (m_listener)
    {
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
        m_listener->Close();
        m_listener = nullptr;
    }
    while (!m_connections.empty())
    {
        const auto first = m_connections.begin();
        first->second.connection->Close();
        HandleEnd(first->first, RpcTcpEnd::LOCAL);
    }
}

uint16_t
RpcTcpServer::GetPort() const
{
    return GetLocalPort(m_listener);
}

void
RpcTcpServer::HandleAccept(Ptr<Socket> socket, const Address& peer)
{
    const uint64_t number = m_rpcServer->OpenConnection();
    RpcTcpConnection::Events events;
    events.record = [this, number, source = GetHostOf(peer)](ByteVector&& record) {
        HandleRecord(number, source, std::move(record));
    };
    events.ended = [this, number](RpcTcpEnd end) { HandleEnd(number, end); };
    m_connections[number].connection =
        RpcTcpConnection::Create(socket, true, {m_maxRecord, m_maxFragment}, std::move(events));
    m_acceptedTrace(peer);
    StartIdleTimer(number);
}

void
RpcTcpServer::HandleRecord(uint64_t connection, const IpAddress& source, ByteVector&& record)
{
    StartIdleTimer(connection);
    RpcReceivedMessage message;
    message.octets = std::move(record);
    const bool isCall = m_rpcServer->Receive(
        std::move(message),
        [self = Ptr<RpcTcpServer>(this), connection](RpcPayload&& reply) {
            const auto found = self->m_connections.find(connection);
            if (found == self->m_connections.end() || reply.octets.empty())
            {
                return;
            }
            found->second.connection->Send(reply.items.empty() ? reply.octets
                                                               : Flatten(reply, self->m_memory));
        },
        source,
        connection);
    if (!isCall)
    {
        m_connections.at(connection).connection->Fail(RpcTcpEnd::NO_RPC);
    }
}

void
RpcTcpServer::HandleEnd(uint64_t connection, RpcTcpEnd end)
{
    const auto found = m_connections.find(connection);
    found->second.idleTimer.Cancel();
    m_connections.erase(found);
    m_rpcServer->EndConnection(connection);
    m_closedTrace(end);
}

void
RpcTcpServer::StartIdleTimer(uint64_t connection)
{
    if (!m_idleTimeout.IsZero())
    {
        Open& open = m_connections.at(connection);
        open.idleTimer.Cancel();
        open.idleTimer =
            Simulator::Schedule(m_idleTimeout, [held = std::weak_ptr(open.connection)] {
                if (const auto idle = held.lock())
                {
                    idle->Fail(RpcTcpEnd::LOCAL);
                }
            });
    }
}

} // namespace ns3::nfsrdma
