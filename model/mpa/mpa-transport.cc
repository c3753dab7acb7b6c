/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/mpa-transport.h"

#include "mpa/mpa-tcp-socket.h"
#include "mpa/tcp-byte-stream.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MpaTransport);

TypeId
MpaTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::MpaTransport")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<MpaTransport>();
    return tid;
}

void
MpaTransport::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
MpaTransport::Listen(uint16_t port, AcceptCallback accepted)
{
    if (m_listeners.count(port) > 0)
    {
        return false;
    }
    auto socket = MpaTcpSocket::Create(m_node);
    if (socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port)) != 0 || socket->Listen() != 0)
    {
        socket->Reset();
        return false;
    }
    socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                              MakeCallback(&MpaTransport::HandleAccept, this));
    m_listeners[port] = {socket, accepted};
    return true;
}

void
MpaTransport::StopListening(uint16_t port)
{
    const auto listener = m_listeners.find(port);
    if (listener != m_listeners.end())
    {
        listener->second.socket->Close();
        m_listeners.erase(listener);
    }
}

Ptr<ByteStream>
MpaTransport::Connect(const InetSocketAddress& remote)
{
    return TcpByteStream::Connect(m_node, remote);
}

void
MpaTransport::HandleAccept(Ptr<Socket> socket, const Address& /* peer */)
{
    auto accepted = DynamicCast<MpaTcpSocket>(socket);
    Address local;
    accepted->GetSockName(local);
    const auto listener = m_listeners.find(InetSocketAddress::ConvertFrom(local).GetPort());
    if (listener == m_listeners.end() || listener->second.accepted.IsNull())
    {
        Simulator::ScheduleNow(&MpaTcpSocket::Reset, accepted);
        return;
    }
    listener->second.accepted(TcpByteStream::Accept(accepted));
}

void
MpaTransport::DoDispose()
{
    for (auto& [port, listener] : m_listeners)
    {
        listener.socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                           MakeNullCallback<void, Ptr<Socket>, const Address&>());
    }
    m_listeners.clear();
    m_node = nullptr;
    Object::DoDispose();
}

} // namespace ns3::nfsrdma
