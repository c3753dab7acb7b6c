/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_TCP_ENGINE_H
#define NFSRDMA_MPA_TCP_ENGINE_H

#include "mpa/engine-byte-stream.h"
#include "mpa/held-port.h"
#include "mpa/listening-point.h"
#include "settings/setting.h"
#include "toe/engine-counters.h"
#include "toe/engine-settings.h"

#include "ns3/ip-l4-protocol.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3
{
class Ipv4L3Protocol;
class Ipv6L3Protocol;
class Node;
class TcpL4Protocol;
} // namespace ns3

namespace ns3::nfsrdma
{
class HostTcp;
}

namespace ns3::nfsrdma
{

/// What can be set of a TcpEngine: offload.def has the fields, all parts of \c settings.
struct TcpEngineValues
{
    TcpEngineSettings settings;

    [[nodiscard]] static const std::vector<Setting<TcpEngineValues>>& GetRows();
};

/// Local ports that a connection may have.
struct LocalPorts
{
    uint16_t least{0};
    uint16_t most{0};
};

/**
 * \brief The TCP offload engine of a node's RNIC: connections of its own over IPv4 and IPv6, beside
 * ns-3's TCP.
 *
 * It takes the place of ns-3's TCP at the node's IPv4, and its IPv6 when it has one, and hands on
 * what is for none of its connections and listeners: so applications have ns-3's TCP as before, on
 * the same addresses, and no port is given out twice (HeldPort). Frames are the octets that Linux
 * would send, with the don't-fragment bit unless a connection says otherwise; where ns-3's
 * ChecksumEnabled is set when a connection or listener is made they have checksums, and those that
 * come are looked at. What connections do is counted in the node's HostTcp, by the same names and
 * traces as what ns-3's TCP does.
 *
 * As in hardware, the frames of established connections do not pass the host's IP: they leave by
 * an EnginePath, and EthernetInterface steers those that come to the engine. So the trace sources
 * of Ipv4L3Protocol do not show them; those of the device do. The host's IP has the first SYN,
 * packets with IP options or extension headers, fragments, ICMP, frames with a wrong checksum, and
 * other devices' packets.
 */
class TcpEngine : public IpL4Protocol
{
  public:
    static TypeId GetTypeId();

    static constexpr uint8_t PROTOCOL = 6;
    static constexpr uint32_t LEAST_MTU = 68;        ///< Of a path (RFC 791).
    static constexpr uint32_t LEAST_IPV6_MTU = 1280; ///< RFC 8200 section 5.
    static constexpr uint32_t MOST_MTU = 65535;      ///< Of an IPv4 packet (RFC 791 section 3.1).

    /// \return the engine of \p node, which has IPv4 and TCP; installed when it has none.
    static Ptr<TcpEngine> Install(Ptr<Node> node);

    /// \return what its attributes and the defaults of ns-3's TCP say.
    [[nodiscard]] TcpEngineSettings GetSettings() const;

    using AcceptCallback = Callback<void, Ptr<ByteStream>>;

    /// Listens at \p local, which may be any address; \return false when the port is taken there,
    /// by the engine or by ns-3's TCP. Who listens on all addresses and who listens on one do not
    /// share a port. \param stage of the streams; null: none
    [[nodiscard]] bool Listen(const ListeningPoint& local,
                              const TcpEngineSettings& settings,
                              AcceptCallback accepted,
                              Ptr<TcpSegmentStage> stage = nullptr);
    /// Stops listening at \p local; streams that are accepted stay.
    void StopListening(const ListeningPoint& local);
    /// \param remote an InetSocketAddress or Inet6SocketAddress
    /// \param stage of the stream; null: none
    /// \param ports which local ports it may have, the last first; none: any above 49151
    /// \return a stream that is connecting to it; null when all of \p ports are taken.
    Ptr<ByteStream> Connect(const Address& remote,
                            const TcpEngineSettings& settings,
                            Ptr<TcpSegmentStage> stage = nullptr,
                            const std::optional<LocalPorts>& ports = std::nullopt);

    /// \return connections, those in TIME-WAIT included.
    [[nodiscard]] std::size_t CountConnections() const
    {
        return m_streams.size();
    }

    [[nodiscard]] const TcpEngineCounters& GetCounters() const
    {
        return m_counters;
    }

    // For its connections
    /// \return where the node's connections are counted; null when its TCP is not a HostTcp.
    [[nodiscard]] HostTcp* GetHost() const
    {
        return PeekPointer(m_host);
    }

    [[nodiscard]] TcpEngineCounters& Count()
    {
        return m_counters;
    }

    /// How and when a segment leaves.
    struct Departure
    {
        EnginePath& path;
        bool dontFragment;
        Time leaves; ///< Now or later.
    };

    void Send(const EngineByteStream::Endpoints& endpoints,
              const OutgoingTcpSegment& segment,
              Ptr<Packet> payload,
              const Departure& departure);
    /// Hands \p stream, which is established, to whoever listens at its \p local end now.
    /// \return false when nobody does
    [[nodiscard]] bool Accept(const ListeningPoint& local, Ptr<ByteStream> stream);
    /// \p stream, of \p endpoints, has ended.
    void Forget(const EngineByteStream::Endpoints& endpoints, const EngineByteStream& stream);

    // IpL4Protocol
    [[nodiscard]] int GetProtocolNumber() const override;
    RxStatus Receive(Ptr<Packet> segment,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> interface) override;
    RxStatus Receive(Ptr<Packet> segment,
                     const Ipv6Header& header,
                     Ptr<Ipv6Interface> interface) override;
    void ReceiveIcmp(Ipv4Address icmpSource,
                     uint8_t icmpTtl,
                     uint8_t icmpType,
                     uint8_t icmpCode,
                     uint32_t icmpInfo,
                     Ipv4Address payloadSource,
                     Ipv4Address payloadDestination,
                     const uint8_t payload[8]) override;
    void ReceiveIcmp(Ipv6Address icmpSource,
                     uint8_t icmpTtl,
                     uint8_t icmpType,
                     uint8_t icmpCode,
                     uint32_t icmpInfo,
                     Ipv6Address payloadSource,
                     Ipv6Address payloadDestination,
                     const uint8_t payload[8]) override;
    void SetDownTarget(DownTargetCallback callback) override;
    void SetDownTarget6(DownTargetCallback6 callback) override;
    [[nodiscard]] DownTargetCallback GetDownTarget() const override;
    [[nodiscard]] DownTargetCallback6 GetDownTarget6() const override;

  protected:
    void DoDispose() override;

  private:
    struct Listener
    {
        TcpEngineSettings settings;
        AcceptCallback accepted;
        HeldPort port;
        Ptr<TcpSegmentStage> stage;
    };

    struct Connection
    {
        Ptr<EngineByteStream> stream;
        HeldPort port; ///< Of one that the node began; the others have the listener's.
    };

    [[nodiscard]] uint32_t MakeInitialSequence(const EngineByteStream::Endpoints& endpoints) const;
    /// Chooses the local port of \p endpoints, one of 16384. \return what holds it
    [[nodiscard]] HeldPort ChoosePort(EngineByteStream::Endpoints& endpoints);
    /// Chooses it of \p ports. \return what holds it; nothing when all are taken
    [[nodiscard]] HeldPort ChoosePortOf(const LocalPorts& ports,
                                        EngineByteStream::Endpoints& endpoints);
    /// \return what holds the local port of \p endpoints; nothing when it is taken.
    [[nodiscard]] HeldPort TryPort(const EngineByteStream::Endpoints& endpoints);
    /// \return who listens at \p local, or on all addresses there; null: nobody.
    [[nodiscard]] const Listener* FindListener(const ListeningPoint& local) const;
    /// Has \p stream handle a segment once it is through the adapter. \return false, at once, when
    /// it is for whoever listens
    [[nodiscard]] bool Deliver(const Ptr<EngineByteStream>& stream,
                               const TcpWireHeader& header,
                               const Ptr<Packet>& payload,
                               bool marked);
    void DeliverLate(const Ptr<EngineByteStream>& stream,
                     const TcpWireHeader& header,
                     const Ptr<Packet>& payload,
                     bool marked);
    void DeliverToListener(const EngineByteStream::Endpoints& endpoints,
                           const TcpWireHeader& header,
                           const Ptr<Packet>& payload,
                           bool marked);
    [[nodiscard]] bool Dispatch(const EngineByteStream::Endpoints& endpoints,
                                const TcpWireHeader& header,
                                const Ptr<Packet>& payload,
                                bool marked);
    void Steer(const Ptr<EthernetInterface>& device);
    /// \return false when \p frame is for the host's stack
    [[nodiscard]] bool TakeFrame(Ptr<Packet> frame);

    /// A packet of IP, as far as its segment.
    struct Arrival
    {
        IpAddress source;
        IpAddress destination;
        std::size_t begin{0};  ///< Of the segment, in the frame.
        std::size_t length{0}; ///< Of the segment.
        uint8_t ecn{0};
    };

    [[nodiscard]] std::optional<Arrival> ReadHead(ByteSpan front, std::size_t frameSize) const;
    [[nodiscard]] static ByteSpan LookAt(const Packet& packet);
    /// \return nothing when the segment is for ns-3's TCP
    [[nodiscard]] std::optional<RxStatus> Take(const Ptr<Packet>& segment,
                                               const IpAddress& source,
                                               const IpAddress& destination,
                                               bool marked);
    void SendIpv4(const EngineByteStream::Endpoints& endpoints,
                  bool capable,
                  ByteSpan header,
                  const Ptr<Packet>& payload,
                  const Departure& departure);
    void SendIpv6(const EngineByteStream::Endpoints& endpoints,
                  bool capable,
                  ByteSpan header,
                  const Ptr<Packet>& payload,
                  const Departure& departure);

    /// What leads to a peer.
    struct Way
    {
        IpAddress source;
        uint32_t mtu{MOST_MTU}; ///< Of the device, octets.
    };

    [[nodiscard]] Way FindWay(const IpAddress& remote) const;
    /// \return the stream whose segment begins with \p payload; null when it is none of the
    /// engine's
    [[nodiscard]] Ptr<EngineByteStream> FindSender(const IpAddress& source,
                                                   const IpAddress& destination,
                                                   const uint8_t* payload) const;

    Ptr<Node> m_node;
    Ptr<Ipv4L3Protocol> m_ipv4;
    Ptr<Ipv6L3Protocol> m_ipv6; ///< Null when the node has none.
    Ptr<TcpL4Protocol> m_other; ///< ns-3's TCP.
    Ptr<HostTcp> m_host;        ///< The same, if it is one.
    TcpEngineValues m_values;
    TcpEngineCounters m_counters;
    std::unordered_map<EngineByteStream::Endpoints, Connection, EngineByteStream::Endpoints::Hash>
        m_streams;
    std::map<ListeningPoint, Listener> m_listeners;
    std::vector<Ptr<EthernetInterface>> m_steered;
    bool m_hasChecksums{false};
    bool m_throughHostStack{false};
    uint16_t m_nextPort;
    uint16_t m_identification{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_TCP_ENGINE_H
