/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_MPA_TRANSPORT_H
#define NFSRDMA_MPA_MPA_TRANSPORT_H

#include "mpa/byte-stream.h"

#include "ns3/inet-socket-address.h"
#include "ns3/node.h"

#include <map>

namespace ns3
{
class Socket;
}

namespace ns3::nfsrdma
{

/**
 * \brief Opens and accepts byte streams for MPA on one node: where the kind of transport is chosen.
 *
 * This one gives streams on ns-3's TCP whose sender cuts segments at FPDU boundaries
 * (MpaTcpSocket). The node must have an InternetStack.
 */
class MpaTransport : public Object
{
  public:
    static TypeId GetTypeId();

    using AcceptCallback = Callback<void, Ptr<ByteStream>>;

    void SetNode(Ptr<Node> node);
    /// Listens on \p port of every address; \return false when the port is taken.
    bool Listen(uint16_t port, AcceptCallback accepted);
    /// Stops listening on \p port; accepted streams stay.
    void StopListening(uint16_t port);
    /// \return a stream that is connecting to \p remote.
    Ptr<ByteStream> Connect(const InetSocketAddress& remote);

  protected:
    void DoDispose() override;

  private:
    struct Listener
    {
        Ptr<Socket> socket;
        AcceptCallback accepted;
    };

    void HandleAccept(Ptr<Socket> socket, const Address& peer);

    Ptr<Node> m_node;
    std::map<uint16_t, Listener> m_listeners;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_MPA_TRANSPORT_H
