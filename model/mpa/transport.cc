/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/transport.h"

#include "mpa/aligned-tcp-socket.h"
#include "mpa/dont-fragment.h"
#include "mpa/internet-address.h"
#include "mpa/tcp-byte-stream.h"
#include "mpa/tcp-engine.h"
#include "wire/ns3-version.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv6.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MpaTransport);

namespace
{

void
CloseAll(const std::vector<Ptr<StreamTcpSocket>>& sockets)
{
    for (const auto& socket : sockets)
    {
        socket->Close();
    }
}

} // namespace

TypeId
MpaTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::MpaTransport")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<MpaTransport>()
            .AddAttribute(
                "Transport",
                "How TCP and MPA work together: layered, aware-sender "
                "or aware (RFC 5044 section 5). Default: aware-sender.",
                EnumValue(AWARE_SENDER),
                MakeEnumFieldAccessor(&MpaTransport::m_kind),
                MakeEnumChecker(LAYERED, "layered", AWARE_SENDER, "aware-sender", AWARE, "aware"))
            .AddAttribute("DontFragment",
                          "Whether all TCP segments of the node have the "
                          "don't-fragment bit of IP set (RFC 5044 appendix A.5.1), "
                          "once set for a node. Default: true, as Linux.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&MpaTransport::m_dontFragment),
                          MakeBooleanChecker())
            .AddAttribute("Packing",
                          "Whether an aware sender may put several whole FPDUs "
                          "into a segment (RFC 5044 appendix A.2). Default: false.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MpaTransport::m_packing),
                          MakeBooleanChecker())
            .AddAttribute("Nagle",
                          "Whether less than a segment waits while anything is "
                          "unacknowledged (RFC 896). Default: false (RFC 5044 "
                          "section 5.1).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MpaTransport::m_nagle),
                          MakeBooleanChecker())
            .AddAttribute("Tcp",
                          "What carries the streams: ns3, or offload, the node's TcpEngine, which "
                          "has no Nagle. Default: offload.",
                          EnumValue(OFFLOAD),
                          MakeEnumFieldAccessor(&MpaTransport::m_tcp),
                          MakeEnumChecker(NS3, "ns3", OFFLOAD, "offload"));
    return tid;
}

MpaTransport::MpaTransport() = default;
MpaTransport::~MpaTransport() = default;

void
MpaTransport::SetNode(Ptr<Node> node)
{
    m_node = node;
    if (m_dontFragment)
    {
        DontFragment::Install(node);
    }
}

Ptr<StreamTcpSocket>
MpaTransport::CreateSocket(bool overIpv6) const
{
    Ptr<StreamTcpSocket> socket;
    if (m_kind == LAYERED)
    {
        socket = CreateObject<StreamTcpSocket>();
    }
    else
    {
        socket = CreateObjectWithAttributes<MpaTcpSocket>("Packing", BooleanValue(m_packing));
    }
    socket->Install(m_node);
    socket->SetAttribute("TcpNoDelay", BooleanValue(!m_nagle));
    if (overIpv6)
    {
        socket->LeaveRoomForIpv6();
    }
    return socket;
}

TcpEngineSettings
MpaTransport::GetEngineSettings(const TcpEngine& engine) const
{
    auto settings = engine.GetSettings();
    settings.aligned = m_kind != LAYERED;
    settings.packing = m_packing;
    settings.dontFragment = m_dontFragment;
    return settings;
}

bool
MpaTransport::Listen(const ListeningPoint& local, AcceptCallback accepted)
{
    if (m_listeners.count(local) > 0)
    {
        return false;
    }
    if (m_tcp == OFFLOAD)
    {
        const auto engine = TcpEngine::Install(m_node);
        const bool free = engine->Listen(local, GetEngineSettings(*engine), accepted, m_stage);
        if (free)
        {
            m_listeners[local] = {{}, accepted};
        }
        return free;
    }
    std::vector<Address> ends;
    if (local.address)
    {
        ends.push_back(MakeSocketAddress(*local.address, local.port));
    }
    else
    {
        ends.emplace_back(InetSocketAddress(Ipv4Address::GetAny(), local.port));
        if (m_node->GetObject<Ipv6>())
        {
            ends.emplace_back(Inet6SocketAddress(Ipv6Address::GetAny(), local.port));
        }
    }
    Listener listener{{}, accepted};
    for (const Address& end : ends)
    {
        const auto socket = CreateListener(end);
        if (!socket)
        {
            CloseAll(listener.sockets);
            return false;
        }
        listener.sockets.push_back(socket);
    }
    m_listeners[local] = listener;
    return true;
}

Ptr<StreamTcpSocket>
MpaTransport::CreateListener(const Address& local)
{
    const auto socket = CreateSocket(Inet6SocketAddress::IsMatchingType(local));
    if (socket->Bind(local) != 0 || socket->Listen() != 0)
    {
        socket->Reset();
        return nullptr;
    }
    socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                              MakeCallback(&MpaTransport::HandleAccept, this));
    return socket;
}

void
MpaTransport::StopListening(const ListeningPoint& local)
{
    const auto listener = m_listeners.find(local);
    if (listener != m_listeners.end())
    {
        if (listener->second.sockets.empty())
        {
            TcpEngine::Install(m_node)->StopListening(local);
        }
        CloseAll(listener->second.sockets);
        m_listeners.erase(listener);
    }
}

Ptr<ByteStream>
MpaTransport::Connect(const Address& remote)
{
    if (m_tcp == OFFLOAD)
    {
        const auto engine = TcpEngine::Install(m_node);
        return engine->Connect(remote, GetEngineSettings(*engine), m_stage);
    }
    return TcpByteStream::Connect(CreateSocket(Inet6SocketAddress::IsMatchingType(remote)), remote);
}

void
MpaTransport::HandleAccept(Ptr<Socket> socket, const Address& /* peer */)
{
    auto accepted = DynamicCast<StreamTcpSocket>(socket);
    Address local;
    accepted->GetSockName(local);
    const auto end = ReadSocketAddress(local);
    auto listener = end ? m_listeners.find({end->port, end->address}) : m_listeners.end();
    if (end && listener == m_listeners.end())
    {
        listener = m_listeners.find({end->port, std::nullopt});
    }
    if (listener == m_listeners.end() || listener->second.accepted.IsNull())
    {
        Simulator::ScheduleNow(&StreamTcpSocket::Reset, accepted);
        return;
    }
    listener->second.accepted(TcpByteStream::Accept(accepted));
}

void
MpaTransport::DoDispose()
{
    for (auto& [local, listener] : m_listeners)
    {
        for (const auto& socket : listener.sockets)
        {
            socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
        }
    }
    m_listeners.clear();
    m_stage = nullptr;
    m_node = nullptr;
    Object::DoDispose();
}

} // namespace ns3::nfsrdma
