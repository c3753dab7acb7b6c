/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/tcp-byte-stream.h"

#include "ns3/inet6-socket-address.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(TcpByteStream);

TypeId
TcpByteStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::TcpByteStream").SetParent<ByteStream>().SetGroupName("NfsRdma");
    return tid;
}

TcpByteStream::~TcpByteStream()
{
    Detach();
}

Ptr<TcpByteStream>
TcpByteStream::Connect(Ptr<StreamTcpSocket> socket, const Address& remote)
{
    auto stream = CreateObject<TcpByteStream>();
    stream->m_peer = remote;
    stream->Attach(socket);
    const int bound = Inet6SocketAddress::IsMatchingType(remote) ? stream->m_socket->Bind6()
                                                                 : stream->m_socket->Bind();
    if (bound != 0 || stream->m_socket->Connect(remote) != 0)
    {
        stream->m_socket->Reset();
        Simulator::ScheduleNow(&TcpByteStream::End, stream, StreamEnd::FAILED);
    }
    return stream;
}

Ptr<TcpByteStream>
TcpByteStream::Accept(Ptr<StreamTcpSocket> accepted)
{
    auto stream = CreateObject<TcpByteStream>();
    accepted->GetPeerName(stream->m_peer);
    stream->m_connected = true;
    stream->Attach(accepted);
    return stream;
}

void
TcpByteStream::Attach(Ptr<StreamTcpSocket> socket)
{
    m_socket = socket;
    m_socket->SetConnectCallback(MakeCallback(&TcpByteStream::HandleConnected, this),
                                 MakeCallback(&TcpByteStream::HandleConnectFailed, this));
    m_socket->SetRecvCallback(MakeCallback(&TcpByteStream::HandleReceive, this));
    m_socket->SetSendCallback(MakeCallback(&TcpByteStream::HandleSpace, this));
    m_socket->SetCloseCallbacks(MakeCallback(&TcpByteStream::HandleNormalClose, this),
                                MakeCallback(&TcpByteStream::HandleErrorClose, this));
    m_socket->SetEmssHandler(MakeCallback(&TcpByteStream::HandleEmss, this));
    m_socket->SetBufferHandler(MakeCallback(&TcpByteStream::HandleBuffers, this));
}

void
TcpByteStream::Detach()
{
    m_left = true;
    if (m_socket)
    {
        const auto none = MakeNullCallback<void, Ptr<Socket>>();
        m_socket->SetConnectCallback(none, none);
        m_socket->SetRecvCallback(none);
        m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
        m_socket->SetCloseCallbacks(none, none);
        m_socket->SetEmssHandler(Callback<void>());
        m_socket->SetBufferHandler(Callback<void, uint64_t, uint64_t>());
        m_socket->SetSegmentHandler(StreamTcpSocket::SegmentHandler());
        m_socket = nullptr;
    }
}

void
TcpByteStream::DoDispose()
{
    Detach();
    ByteStream::DoDispose();
}

bool
TcpByteStream::SendUnit(Ptr<Packet> unit)
{
    if (!IsOpen() || !m_socket->SendUnit(unit))
    {
        m_cameShort = true;
        return false;
    }
    return true;
}

uint32_t
TcpByteStream::GetTxAvailable() const
{
    if (!IsOpen())
    {
        return 0;
    }
    const uint32_t available = m_socket->GetTxAvailable();
    m_cameShort = m_cameShort || available < SegmentOrBuffer();
    return available;
}

uint32_t
TcpByteStream::SegmentOrBuffer() const
{
    return std::min(m_socket->GetEmss(), m_socket->GetTxBuffer()->MaxBufferSize());
}

Ptr<Packet>
TcpByteStream::ReceiveAtMost(uint32_t limit)
{
    if (!m_socket)
    {
        return nullptr;
    }
    auto octets = m_socket->Recv(limit, 0);
    if (!octets || octets->GetSize() == 0)
    {
        return nullptr;
    }
    m_receivedOctets += octets->GetSize();
    return octets;
}

void
TcpByteStream::SetSegmentCallback(SegmentCallback callback)
{
    ByteStream::SetSegmentCallback(callback);
    if (m_socket && !m_left)
    {
        m_socket->SetSegmentHandler(callback.IsNull()
                                        ? StreamTcpSocket::SegmentHandler()
                                        : MakeCallback(&TcpByteStream::HandleSegment, this));
    }
}

bool
TcpByteStream::HandleSegment(int32_t distance, Ptr<const Packet> octets)
{
    if (m_left || m_ended || m_segment.IsNull())
    {
        return true;
    }
    const uint64_t next = m_receivedOctets + m_socket->GetRxAvailable();
    if (distance < 0 && static_cast<uint64_t>(-static_cast<int64_t>(distance)) > next)
    {
        const auto before = static_cast<uint32_t>(-static_cast<int64_t>(distance) - next);
        if (before >= octets->GetSize())
        {
            return true;
        }
        octets = octets->CreateFragment(before, octets->GetSize() - before);
        distance += static_cast<int32_t>(before);
    }
    const Ptr<TcpByteStream> self(this);
    const SegmentCallback callback = m_segment;
    return callback(next + static_cast<uint64_t>(static_cast<int64_t>(distance)), octets);
}

void
TcpByteStream::Close()
{
    Leave(&StreamTcpSocket::CloseInOrder);
}

void
TcpByteStream::Abort()
{
    Leave(&StreamTcpSocket::Reset);
}

void
TcpByteStream::Leave(void (StreamTcpSocket::*how)())
{
    if (!m_left)
    {
        m_left = true;
        Simulator::ScheduleNow(&TcpByteStream::DoLeave, Ptr<TcpByteStream>(this), how);
    }
}

void
TcpByteStream::DoLeave(void (StreamTcpSocket::*how)())
{
    if (auto socket = m_socket)
    {
        Detach();
        (PeekPointer(socket)->*how)();
    }
}

void
TcpByteStream::HandleConnected(Ptr<Socket> /* socket */)
{
    m_connected = true;
    Notify(m_callbacks.established);
}

void
TcpByteStream::HandleConnectFailed(Ptr<Socket> /* socket */)
{
    End(StreamEnd::FAILED);
}

Address
TcpByteStream::GetLocalAddress() const
{
    Address local;
    return m_socket && m_socket->GetSockName(local) == 0 ? local : Address();
}

void
TcpByteStream::HandleBuffers(uint64_t held, uint64_t waiting)
{
    if (!m_callbacks.buffers.IsNull())
    {
        m_callbacks.buffers(held, waiting);
    }
}

void
TcpByteStream::HandleSpace(Ptr<Socket> /* socket */, uint32_t available)
{
    if (m_connected && m_cameShort && available >= SegmentOrBuffer())
    {
        m_cameShort = false;
        Notify(m_callbacks.space);
    }
}

void
TcpByteStream::Notify(Callback<void> callback)
{
    Ptr<TcpByteStream> self(this);
    if (!m_left && !m_ended && !callback.IsNull())
    {
        callback();
    }
}

void
TcpByteStream::HandleNormalClose(Ptr<Socket> /* socket */)
{
    if (!m_connected)
    {
        End(StreamEnd::FAILED);
        return;
    }
    End(m_socket->GetState() == TcpSocket::CLOSE_WAIT ? StreamEnd::GRACEFUL : StreamEnd::RESET);
}

void
TcpByteStream::HandleErrorClose(Ptr<Socket> /* socket */)
{
    End(StreamEnd::FAILED);
}

void
TcpByteStream::End(StreamEnd end)
{
    Ptr<TcpByteStream> self(this);
    const bool first = !m_left && !m_ended;
    const auto callback = m_callbacks.ended;
    m_ended = true;
    if (first && !callback.IsNull())
    {
        callback(end);
    }
}

} // namespace ns3::nfsrdma
