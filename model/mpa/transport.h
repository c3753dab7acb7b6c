/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_TRANSPORT_H
#define NFSRDMA_MPA_TRANSPORT_H

#include "mpa/byte-stream.h"
#include "mpa/listening-point.h"
#include "mpa/segment-stage.h"
#include "toe/engine-settings.h"

#include "ns3/inet-socket-address.h"
#include "ns3/node.h"

#include <map>
#include <vector>

namespace ns3
{
class Socket;
}

namespace ns3::nfsrdma
{
class StreamTcpSocket;
class TcpEngine;
} // namespace ns3::nfsrdma

namespace ns3::nfsrdma
{

/**
 * \brief Opens and accepts byte streams for MPA on one node: where the kind of transport is chosen.
 *
 * All kinds are on ns-3's TCP or on the node's TcpEngine, and speak with each other.
 * The node must have an InternetStack.
 */
class MpaTransport : public Object
{
  public:
    static TypeId GetTypeId();
    MpaTransport();
    ~MpaTransport() override;

    /// How TCP and MPA work together (RFC 5044 sections 4.5 and 5).
    enum Kind
    {
        LAYERED,      ///< MPA on plain TCP: segments begin anywhere (StreamTcpSocket).
        AWARE_SENDER, ///< TCP cuts segments where FPDUs end (MpaTcpSocket).
        AWARE         ///< That, and the receiver takes FPDUs as they come (ByteStream's segments).
    };

    /// What is beneath.
    enum Tcp
    {
        NS3,    ///< ns-3's, of the host.
        OFFLOAD ///< TcpEngine, of the device; it has no Nagle.
    };

    using AcceptCallback = Callback<void, Ptr<ByteStream>>;

    /// Must be called once before use.
    void SetNode(Ptr<Node> node);

    /// What the node's TcpEngine sends of itself for streams made from now on passes \p stage.
    void SetSegmentStage(Ptr<TcpSegmentStage> stage)
    {
        m_stage = stage;
    }

    /// Listens at \p local, where all addresses are those of IPv4 and IPv6; \return false when the
    /// port is taken there.
    bool Listen(const ListeningPoint& local, AcceptCallback accepted);
    /// Stops listening at \p local; accepted streams stay.
    void StopListening(const ListeningPoint& local);
    /// \param remote an InetSocketAddress or Inet6SocketAddress
    /// \return a stream that is connecting to it.
    Ptr<ByteStream> Connect(const Address& remote);

    /// \return the attribute Transport.
    [[nodiscard]] Kind GetKind() const
    {
        return m_kind;
    }

  protected:
    void DoDispose() override;

  private:
    struct Listener
    {
        /// Of IPv4, and of IPv6 where the node has it; none with OFFLOAD.
        std::vector<Ptr<StreamTcpSocket>> sockets;
        AcceptCallback accepted;
    };

    Ptr<StreamTcpSocket> CreateSocket(bool overIpv6) const;
    /// \return a socket that listens at \p local; null when the port is taken.
    Ptr<StreamTcpSocket> CreateListener(const Address& local);
    TcpEngineSettings GetEngineSettings(const TcpEngine& engine) const;
    void HandleAccept(Ptr<Socket> socket, const Address& peer);

    Ptr<Node> m_node;
    Ptr<TcpSegmentStage> m_stage;
    Kind m_kind{AWARE_SENDER};
    bool m_packing{false};
    bool m_nagle{false};
    Tcp m_tcp{OFFLOAD};
    bool m_dontFragment{true};
    std::map<ListeningPoint, Listener> m_listeners;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_TRANSPORT_H
