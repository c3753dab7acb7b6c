/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/listener.h"

#include "mpa/internet-address.h"
#include "mpa/stream-tcp-socket.h"
#include "rpc/flatten.h"
#include "rpc/message.h"
#include "rpc/tcp/local-port.h"
#include "rpc/xdr-reader.h"
#include "wire/ns3-version.h"

#include "ns3/abort.h"
#include "ns3/ipv6.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

bool
IsTlsProbe(const ByteVector& record)
{
    XdrReader reader(record);
    const auto header = RpcCallHeader::Decode(reader);
    return header && header->flavor == RpcAuthFlavor::TLS;
}

} // namespace

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
            .AddAttribute("AgePeriod",
                          "With SetSockets(): a connection on which nothing was received for a "
                          "whole period (Time) is closed at its end; 0: never. Default: Linux's "
                          "svc_conn_age_period, 6 minutes.",
                          TimeValue(Seconds(360)),
                          MakeTimeAccessor(&RpcTcpServer::m_agePeriod),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Accepted",
                            "A connection is established: the peer's address.",
                            MakeTraceSourceAccessor(&RpcTcpServer::m_acceptedTrace),
                            "ns3::nfsrdma::RpcTcpServer::AcceptedTracedCallback")
            .AddTraceSource("Replied",
                            "A reply was handed to its connection.",
                            MakeTraceSourceAccessor(&RpcTcpServer::m_repliedTrace),
                            "ns3::nfsrdma::RpcTcpServer::RepliedTracedCallback")
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
    m_sockets = nullptr;
    for (const auto& [client, reverse] : m_reverse)
    {
        reverse->Dispose();
    }
    m_reverse.clear();
    Object::DoDispose();
}

std::vector<ListeningPoint>
RpcTcpServer::ListPoints(uint16_t port) const
{
    std::vector<ListeningPoint> points;
    for (const auto& address : m_addresses)
    {
        points.emplace_back(port, address);
    }
    if (points.empty())
    {
        points.emplace_back(port);
    }
    return points;
}

bool
RpcTcpServer::Listen(uint16_t port)
{
    if (m_sockets)
    {
        NS_ABORT_MSG_UNLESS(m_rpcServer, "RpcTcpServer has no RpcServer");
        const auto points = ListPoints(port);
        const auto taken =
            std::find_if_not(points.begin(), points.end(), [this](const auto& point) {
                return m_sockets->Listen(point, MakeCallback(&RpcTcpServer::HandleStream, this));
            });
        const bool isFree = taken == points.end();
        std::for_each(points.begin(), isFree ? points.begin() : taken, [this](const auto& point) {
            m_sockets->StopListening(point);
        });
        m_port = isFree ? port : m_port;
        return isFree;
    }
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
RpcTcpServer::Crash()
{
    for (const auto& [number, open] : m_connections)
    {
        if (open.host)
        {
            open.host->Abort();
        }
    }
    Stop();
}

void
RpcTcpServer::Stop()
{
    if (m_port != 0)
    {
        for (const auto& point : ListPoints(m_port))
        {
            m_sockets->StopListening(point);
        }
        m_port = 0;
    }
    if (m_listener)
    {
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
        m_listener->Close();
        m_listener = nullptr;
    }
    m_aging.Remove();
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
    return m_port != 0 ? m_port : GetLocalPort(m_listener);
}

void
RpcTcpServer::HandleAccept(Ptr<Socket> socket, const Address& peer)
{
    const uint64_t number = m_rpcServer->OpenConnection();
    RpcRecordCarrier::Events events;
    events.record = [this, number, source = GetHostOf(peer)](ByteVector&& record) {
        HandleRecord(number, source, std::move(record));
    };
    events.ended = [this, number](RpcTcpEnd end) { HandleEnd(number, end); };
    ++m_statistics.accepted;
    Open& open = m_connections[number];
    open.peer = GetHostOf(peer);
    open.connection =
        RpcTcpConnection::Create(socket, true, {m_maxRecord, m_maxFragment}, std::move(events));
    m_acceptedTrace(peer);
    StartIdleTimer(number);
}

void
RpcTcpServer::HandleStream(Ptr<ByteStream> stream)
{
    const Address peer = stream->GetPeerAddress();
    const uint64_t number =
        m_rpcServer->OpenConnection([this](uint64_t closed, const std::string& reason) {
            CloseConnection(closed, RpcTcpEnd::LIMITED, reason);
        });
    RpcRecordCarrier::Events events;
    events.record = [this, number](ByteVector&& record) {
        HandleHostRecord(number, std::move(record));
    };
    events.ended = [this, number](RpcTcpEnd end) { HandleEnd(number, end); };
    events.secured = [this, number] { HandleSecured(number); };
    ++m_statistics.accepted;
    Open& open = m_connections[number];
    open.peer = GetHostOf(peer);
    open.host = HostRecordConnection::Create(stream,
                                             m_sockets->GetCpu(),
                                             HostRecordConnection::Side::SERVER,
                                             {m_maxRecord, m_maxFragment},
                                             std::move(events));
    open.connection = open.host;
    if (const auto interrupt = open.host->GetSoftInterrupt())
    {
        m_rpcServer->SetReceivingCore(number, interrupt->GetCore());
    }
    constexpr uint16_t FIRST_UNRESERVED = 1024;
    if (GetPortOf(peer) >= FIRST_UNRESERVED)
    {
        m_rpcServer->SetUnreserved(number);
    }
    m_acceptedTrace(peer);
    StartIdleTimer(number);
    if (!m_agePeriod.IsZero() && !IsPending(m_aging))
    {
        m_aging = Simulator::Schedule(m_agePeriod, &RpcTcpServer::AgeConnections, this);
    }
    if (const auto tls = m_sockets->GetTls())
    {
        m_rpcServer->SetTooWeak(number, !tls->IsEnough(nullptr));
        if (!tls->GetSettings().serverOffers &&
            tls->GetSettings().serverRefusal == RpcTlsSettings::ACCEPTED)
        {
            m_rpcServer->IgnoreTls(number);
        }
    }
    open.mayTurnTls = GetTls() != nullptr;
    if (open.mayTurnTls)
    {
        m_rpcServer->OfferTls(number);
        return;
    }
    AttachReverse(number);
}

void
RpcTcpServer::AttachReverse(uint64_t connection)
{
    Open& open = m_connections.at(connection);
    open.mayTurnTls = false;
    m_rpcServer->WithdrawTls(connection);
    if (const auto reverse = m_reverse.find(open.peer);
        reverse != m_reverse.end() && !reverse->second->IsAttached())
    {
        reverse->second->Attach(connection, open.connection);
    }
}

Ptr<RpcTls>
RpcTcpServer::GetTls() const
{
    const auto tls = m_sockets ? m_sockets->GetTls() : nullptr;
    return tls && tls->GetSettings().serverOffers ? tls : nullptr;
}

void
RpcTcpServer::HandleSecured(uint64_t connection)
{
    const Open& open = m_connections.at(connection);
    m_rpcServer->SetTooWeak(connection, !GetTls()->IsEnough(open.host->GetTlsSession()));
    AttachReverse(connection);
}

void
RpcTcpServer::StartTls(uint64_t connection, const RpcPayload& reply)
{
    const Open& open = m_connections.at(connection);
    const auto tls = GetTls();
    if (!tls || !open.host || !open.mayTurnTls || open.host->GetTlsSession() != nullptr)
    {
        return;
    }
    XdrReader reader(reply.octets);
    const auto header = RpcReplyHeader::Decode(reader);
    if (!header || !header->startTls)
    {
        return;
    }
    const IpAddress peer = open.peer;
    open.host->PrepareTls(tls, "");
    if (m_connections.count(connection) == 0)
    {
        return;
    }
    m_rpcServer->Assign(connection,
                        peer,
                        [self = Ptr<RpcTcpServer>(this), connection](RpcServer::Hold hold) {
                            const auto found = self->m_connections.find(connection);
                            if (found != self->m_connections.end())
                            {
                                found->second.host->ShakeHands(std::move(hold));
                            }
                        });
}

void
RpcTcpServer::CloseConnection(uint64_t connection, RpcTcpEnd end, const std::string& reason)
{
    const auto found = m_connections.find(connection);
    if (found != m_connections.end())
    {
        ++m_statistics.closed[reason];
        const auto carrier = found->second.connection;
        carrier->Fail(end);
    }
}

void
RpcTcpServer::AgeConnections()
{
    std::vector<uint64_t> silent;
    for (auto& [number, open] : m_connections)
    {
        if (open.isOld && open.unanswered == 0)
        {
            silent.push_back(number);
        }
        open.isOld = true;
    }
    for (const uint64_t number : silent)
    {
        CloseConnection(number, RpcTcpEnd::AGED, "nothing was received for tcp_server_age_period");
    }
    if (!m_connections.empty())
    {
        m_aging = Simulator::Schedule(m_agePeriod, &RpcTcpServer::AgeConnections, this);
    }
}

void
RpcTcpServer::HandleHostRecord(uint64_t connection, ByteVector&& record)
{
    m_connections.at(connection).isOld = false;
    if (IsReverseReply(connection, record))
    {
        ++m_statistics.records;
        ++m_statistics.reverseReplies;
        return;
    }
    const Open& open = m_connections.at(connection);
    const auto source = open.peer;
    if (open.mayTurnTls && !IsTlsProbe(record))
    {
        AttachReverse(connection);
    }
    HandleRecord(connection, source, std::move(record));
}

bool
RpcTcpServer::IsReverseReply(uint64_t connection, const ByteVector& record)
{
    XdrReader reader(record);
    const uint32_t xid = reader.ReadU32();
    const uint32_t type = reader.ReadU32();
    if (!reader.Ok() || type != RPC_MSG_REPLY)
    {
        return false;
    }
    const auto reverse = m_reverse.find(m_connections.at(connection).peer);
    if (reverse != m_reverse.end())
    {
        reverse->second->HandleReply(xid, record);
    }
    return reverse != m_reverse.end();
}

void
RpcTcpServer::PrepareReading(uint64_t connection, RpcReceivedMessage& message)
{
    const Open& open = m_connections.at(connection);
    if (!open.host)
    {
        return;
    }
    message.readCost = open.host->GetReadCost(message.octets.size());
    open.host->StopReading();
    message.read = [held = std::weak_ptr(open.host)] {
        if (const auto host = held.lock())
        {
            host->ResumeReading();
        }
    };
    if (const auto interrupt = open.host->GetSoftInterrupt())
    {
        HostWork work;
        work.Under(m_rpcServer->GetQueueLock(connection),
                   m_sockets->GetCpu()->GetCosts().GetPutHold());
        interrupt->Run(work);
    }
}

void
RpcTcpServer::NoteArrival(uint64_t connection, RpcReceivedMessage& message) const
{
    const Open& open = m_connections.at(connection);
    if (!open.host && m_repliedTrace.IsEmpty())
    {
        return;
    }
    XdrReader reader(message.octets);
    message.times = std::make_shared<RpcServiceTimes>();
    message.times->xid = reader.ReadU32();
    message.times->client = open.peer;
    message.times->connection = connection;
    message.times->arrived = open.host ? open.host->GetArrival() : Simulator::Now();
    message.times->received = Simulator::Now();
}

void
RpcTcpServer::HandleRecord(uint64_t connection, const IpAddress& source, ByteVector&& record)
{
    StartIdleTimer(connection);
    ++m_statistics.records;
    RpcReceivedMessage message;
    message.octets = std::move(record);
    PrepareReading(connection, message);
    NoteArrival(connection, message);
    ++m_statistics.unanswered;
    ++m_connections.at(connection).unanswered;
    const auto times = message.times;
    const bool isCall = m_rpcServer->Receive(
        std::move(message),
        [self = Ptr<RpcTcpServer>(this), connection, times](RpcPayload&& reply) {
            self->SendReply(connection, times, reply);
        },
        source,
        connection);
    if (!isCall)
    {
        --m_statistics.unanswered;
        --m_connections.at(connection).unanswered;
        ++m_statistics.noRpc;
        m_connections.at(connection).connection->Fail(RpcTcpEnd::NO_RPC);
    }
}

void
RpcTcpServer::SendReply(uint64_t connection,
                        const std::shared_ptr<RpcServiceTimes>& times,
                        const RpcPayload& reply)
{
    --m_statistics.unanswered;
    const auto found = m_connections.find(connection);
    if (found != m_connections.end())
    {
        --found->second.unanswered;
    }
    if (reply.octets.empty())
    {
        ++m_statistics.dropped;
        return;
    }
    if (found == m_connections.end())
    {
        ++m_statistics.abandoned;
        return;
    }
    ++m_statistics.replies;
    if (times)
    {
        times->posted = Simulator::Now();
        m_repliedTrace(*times);
    }
    found->second.connection->Send(reply.items.empty() ? reply.octets : Flatten(reply, m_memory));
    StartTls(connection, reply);
}

bool
RpcTcpServer::KnowsClient(const IpAddress& client) const
{
    return m_reverse.count(client) != 0 ||
           std::any_of(m_connections.begin(), m_connections.end(), [&client](const auto& one) {
               return one.second.peer == client;
           });
}

Ptr<RpcClientTransport>
RpcTcpServer::GetReverseTransport(const IpAddress& client, uint64_t connection)
{
    const auto chosen = m_connections.find(connection);
    const bool isThere = chosen != m_connections.end() && chosen->second.peer == client;
    auto& reverse = m_reverse[client];
    if (!reverse)
    {
        reverse = CreateObject<RpcTcpReverseCaller>();
        reverse->SetHostMemory(m_memory);
    }
    if (isThere && reverse->GetConnection() != connection)
    {
        reverse->Attach(connection, chosen->second.connection);
    }
    for (auto one = m_connections.rbegin(); !reverse->IsAttached() && one != m_connections.rend();
         ++one)
    {
        if (one->second.peer == client && !one->second.mayTurnTls)
        {
            reverse->Attach(one->first, one->second.connection);
        }
    }
    return reverse;
}

std::vector<std::string>
RpcTcpServer::DescribeWaiting() const
{
    std::vector<std::string> lines;
    for (const auto& [client, reverse] : m_reverse)
    {
        const auto waiting = reverse->DescribeWaiting();
        lines.insert(lines.end(), waiting.begin(), waiting.end());
    }
    return lines;
}

void
RpcTcpServer::HandleEnd(uint64_t connection, RpcTcpEnd end)
{
    const auto found = m_connections.find(connection);
    found->second.idleTimer.Cancel();
    const IpAddress peer = found->second.peer;
    m_connections.erase(found);
    if (const auto reverse = m_reverse.find(peer); reverse != m_reverse.end())
    {
        reverse->second->Detach(connection);
        for (auto one = m_connections.rbegin();
             !reverse->second->IsAttached() && one != m_connections.rend();
             ++one)
        {
            if (one->second.peer == peer && !one->second.mayTurnTls)
            {
                reverse->second->Attach(one->first, one->second.connection);
            }
        }
    }
    if (m_connections.empty())
    {
        m_aging.Remove();
    }
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
