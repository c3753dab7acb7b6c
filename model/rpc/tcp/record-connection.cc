/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/record-connection.h"

#include "rpc/tcp/local-port.h"
#include "wire/name-of.h"

#include "ns3/packet.h"

#include <algorithm>
#include <limits>

namespace ns3::nfsrdma
{

const char*
ToString(RpcTcpEnd end)
{
    return NameOf(end,
                  {{RpcTcpEnd::FAILED, "failed"},
                   {RpcTcpEnd::PEER_CLOSED, "peer closed"},
                   {RpcTcpEnd::RESET, "reset"},
                   {RpcTcpEnd::RECORD_TOO_LONG, "record too long"},
                   {RpcTcpEnd::NO_RPC, "no RPC"},
                   {RpcTcpEnd::LOCAL, "closed here"},
                   {RpcTcpEnd::AGED, "aged"},
                   {RpcTcpEnd::LIMITED, "closed for a newcomer"},
                   {RpcTcpEnd::TLS_REFUSED, "no TLS"},
                   {RpcTcpEnd::TLS_FAILED, "TLS handshake failed"},
                   {RpcTcpEnd::TLS_TIMED_OUT, "TLS handshake timed out"},
                   {RpcTcpEnd::TLS_SPURIOUS, "clear text before the TLS handshake"},
                   {RpcTcpEnd::TLS_ALERT, "TLS alert"}});
}

std::shared_ptr<RpcTcpConnection>
RpcTcpConnection::Create(Ptr<Socket> socket,
                         bool connected,
                         const RpcTcpSettings& settings,
                         Events events)
{
    struct Made : RpcTcpConnection
    {
        Made(Ptr<Socket> made, const RpcTcpSettings& madeSettings, Events&& madeEvents)
            : RpcTcpConnection(made, madeSettings, std::move(madeEvents))
        {
        }
    };

    const auto connection = std::make_shared<Made>(socket, settings, std::move(events));
    connection->m_connected = connected;
    connection->Attach();
    return connection;
}

RpcTcpConnection::RpcTcpConnection(Ptr<Socket> socket,
                                   const RpcTcpSettings& settings,
                                   Events events)
    : m_socket(socket),
      m_settings(settings),
      m_events(std::move(events)),
      m_decoder(settings.maxRecord)
{
}

RpcTcpConnection::~RpcTcpConnection()
{
    if (m_socket)
    {
        const Ptr<Socket> socket = m_socket;
        Detach();
        socket->Close();
    }
}

uint16_t
RpcTcpConnection::GetLocalPort() const
{
    return nfsrdma::GetLocalPort(m_socket);
}

void
RpcTcpConnection::Attach()
{
    m_socket->SetConnectCallback(MakeCallback(&RpcTcpConnection::HandleConnected, this),
                                 MakeCallback(&RpcTcpConnection::HandleConnectFailed, this));
    m_socket->SetRecvCallback(MakeCallback(&RpcTcpConnection::HandleReceive, this));
    m_socket->SetSendCallback(MakeCallback(&RpcTcpConnection::HandleSpace, this));
    m_socket->SetCloseCallbacks(MakeCallback(&RpcTcpConnection::HandleNormalClose, this),
                                MakeCallback(&RpcTcpConnection::HandleErrorClose, this));
}

void
RpcTcpConnection::Detach()
{
    const auto none = MakeNullCallback<void, Ptr<Socket>>();
    m_socket->SetConnectCallback(none, none);
    m_socket->SetRecvCallback(none);
    m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    m_socket->SetCloseCallbacks(none, none);
    m_socket = nullptr;
}

void
RpcTcpConnection::Send(ByteSpan message)
{
    if (!m_socket)
    {
        return;
    }
    if (m_unsentFrom == m_unsent.size())
    {
        m_unsent.clear();
        m_unsentFrom = 0;
    }
    const ByteVector record = MarkRecord(message, m_settings.maxFragment);
    m_unsent.insert(m_unsent.end(), record.begin(), record.end());
    Flush();
}

void
RpcTcpConnection::Flush()
{
    while (m_socket && m_unsentFrom < m_unsent.size())
    {
        const auto count = static_cast<uint32_t>(
            std::min<std::size_t>(m_unsent.size() - m_unsentFrom, m_socket->GetTxAvailable()));
        if (count == 0 || m_socket->Send(m_unsent.data() + m_unsentFrom, count, 0) <= 0)
        {
            return;
        }
        m_unsentFrom += count;
    }
}

void
RpcTcpConnection::Close()
{
    if (m_socket)
    {
        const Ptr<Socket> socket = m_socket;
        Detach();
        socket->Close();
    }
}

void
RpcTcpConnection::Fail(RpcTcpEnd end)
{
    if (!m_socket)
    {
        return;
    }
    const auto self = shared_from_this();
    Close();
    m_events.ended(end);
}

void
RpcTcpConnection::HandleConnected(Ptr<Socket>)
{
    const auto self = shared_from_this();
    m_connected = true;
    if (m_events.connected)
    {
        m_events.connected();
    }
}

void
RpcTcpConnection::HandleReceive(Ptr<Socket>)
{
    const auto self = shared_from_this();
    while (m_socket)
    {
        const Ptr<Packet> packet = m_socket->Recv(std::numeric_limits<uint32_t>::max(), 0);
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        ByteVector octets(packet->GetSize());
        packet->CopyData(octets.data(), octets.size());
        ByteSpan rest(octets);
        while (m_socket)
        {
            auto taken = m_decoder.Take(rest);
            if (!taken)
            {
                Fail(RpcTcpEnd::RECORD_TOO_LONG);
                return;
            }
            if (!*taken)
            {
                break;
            }
            m_events.record(std::move(**taken));
        }
    }
}

} // namespace ns3::nfsrdma
