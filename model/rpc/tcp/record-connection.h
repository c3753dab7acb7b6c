/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TCP_RECORD_CONNECTION_H
#define NFSRDMA_RPC_TCP_RECORD_CONNECTION_H

#include "rpc/tcp/record-carrier.h"

#include "ns3/socket.h"

#include <functional>
#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief One TCP connection that carries RPC messages as records, RFC 5531 section 11, on a plain
 * ns-3 socket.
 *
 * Whoever owns it may let it go at any time, in its own callbacks too: the connection is closed
 * then (FIN after what the socket has taken).
 */
class RpcTcpConnection : public RpcRecordCarrier,
                         public std::enable_shared_from_this<RpcTcpConnection>
{
  public:
    /// \param socket connected, or whose Connect() is to follow
    /// \param connected which of them
    /// \param settings of records
    /// \param events see there
    /// \return the connection; it listens to \p socket from now on.
    [[nodiscard]] static std::shared_ptr<RpcTcpConnection> Create(Ptr<Socket> socket,
                                                                  bool connected,
                                                                  const RpcTcpSettings& settings,
                                                                  Events events);
    ~RpcTcpConnection() override;

    void Send(ByteSpan message) override;
    void Close() override;
    void Fail(RpcTcpEnd end) override;
    [[nodiscard]] uint16_t GetLocalPort() const override;

  private:
    RpcTcpConnection(Ptr<Socket> socket, const RpcTcpSettings& settings, Events events);

    void Attach();
    void Detach();
    void HandleConnected(Ptr<Socket>);

    void HandleConnectFailed(Ptr<Socket>)
    {
        Fail(RpcTcpEnd::FAILED);
    }

    void HandleReceive(Ptr<Socket>);

    void HandleSpace(Ptr<Socket>, uint32_t)
    {
        Flush();
    }

    void HandleNormalClose(Ptr<Socket>)
    {
        Fail(m_connected ? RpcTcpEnd::PEER_CLOSED : RpcTcpEnd::FAILED);
    }

    void HandleErrorClose(Ptr<Socket>)
    {
        Fail(RpcTcpEnd::RESET);
    }

    void Flush();

    Ptr<Socket> m_socket;
    RpcTcpSettings m_settings;
    Events m_events;
    bool m_connected{false};
    RecordMarkingDecoder m_decoder;
    ByteVector m_unsent;         ///< Octets of records that the socket has not taken,
    std::size_t m_unsentFrom{0}; ///< from here on.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TCP_RECORD_CONNECTION_H
