/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_STREAM_TCP_SOCKET_H
#define NFSRDMA_MPA_STREAM_TCP_SOCKET_H

#include "mpa/sack-tcp-socket.h"

#include "ns3/sequence-number.h"

namespace ns3::nfsrdma
{

class HostTcp;

/**
 * \brief ns-3's TCP as a plain octet stream, corrected where it would harm a connection that MPA
 * runs on.
 *
 * Segments are cut as TCP likes. Beyond ns3::TcpSocketBase and SackTcpSocket it
 *   - measures round trips by the simulator's clock; the base takes them from the timestamp option,
 *     whose unit, 1 ms, is a hundred data-centre round trips;
 *   - closes completely: CloseInOrder() while lost data is being repaired waits until all is
 *     acknowledged (the base can lose it in LAST_ACK), and a peer that never answers the FIN is
 *     given up after CloseTimeout (the base repeats the FIN for ever);
 *   - takes the acknowledgment and the octets that come with a FIN, and the octets that come with
 *     an old acknowledgment; the base drops them;
 *   - ends a connection attempt with the RST that answers its SYN, RFC 9293 section 3.10.7.3; the
 *     base takes no notice and repeats the SYN;
 *   - answers in LISTEN an acknowledgment of a connection that is not known, as after a crash, with
 *     RST, RFC 9293 section 3.10.7.2; the base takes no notice, so that the peer never learns;
 *   - repeats less than a segment at once though Nagle's algorithm is on; the base holds it back,
 * for ever when it was the last that was sent;
 *   - never asks for nothing: the base crashes when the peer's window is full to the octet while
 *     loss is repaired;
 *   - never waits for more window than there can be: the base sends nothing to a peer whose whole
 *     window is less than a segment. As Linux does, a segment is at most half the largest window
 *     seen (the whole, when that is 536 octets or less);
 *   - tells the peer of a window that has opened again when its user takes octets: at twice what
 * the peer still has, as Linux does (tcp_cleanup_rbuf); the base waits for the peer's probe. A peer
 *     whose window is less than a segment is probed as one whose window is closed (RFC 9293
 *     section 3.8.6.1), in case that word is lost;
 *   - cuts segments for the MTU of the device that leads to the peer, and offers as much in the
 *     SYN (SegmentSizeOffer); takes what the peer offers (RFC 6691), or SegmentSize, if it offers
 *     nothing. The base knows no such option;
 *   - follows the path MTU (RFC 1191): see SetPathMtu();
 *   - shows segments as they come: see SetSegmentHandler();
 *   - counts what it does in the TcpCounters of its host (HostTcp).
 */
class StreamTcpSocket : public SackTcpSocket
{
  public:
    static TypeId GetTypeId();

    /// \return a socket on the TCP of \p node for the version of IP of \p end.
    static Ptr<StreamTcpSocket> Create(Ptr<Node> node, const Address& end);
    /// Makes segments smaller by what the header of IPv6 is longer; before it binds.
    void LeaveRoomForIpv6();
    /// Adds this, newly made, to the TCP of \p node, as TcpL4Protocol::CreateSocket adds its own:
    /// round-trip estimator, congestion control and recovery by the attributes of TcpL4Protocol.
    /// Nagle's algorithm is off.
    void Install(Ptr<Node> node);

    StreamTcpSocket() = default;
    StreamTcpSocket(const StreamTcpSocket& other);
    ~StreamTcpSocket() override;

    /// Buffers \p unit; \return false when there is no room or the state does not allow sending.
    virtual bool SendUnit(Ptr<Packet> unit);
    /// \return payload octets of a full segment.
    uint32_t GetEmss() const;

    /// \return octets left in the segment now being filled; GetEmss() when none is.
    virtual uint32_t GetUnitRoom() const
    {
        return GetEmss();
    }

    /// \return octets that have come behind a gap.
    uint32_t GetOutOfOrderOctets() const;

    int Send(Ptr<Packet> packet, uint32_t flags) override;
    Ptr<Packet> Recv(uint32_t maxSize, uint32_t flags) override;
    using SackTcpSocket::Recv;

    /// \return octets of the send buffer that are not acknowledged; 0 without a HostTcp.
    uint64_t GetHeldOctets() const
    {
        return m_held;
    }

    /// \return octets of the receive buffer; 0 without a HostTcp.
    uint64_t GetWaitingOctets() const
    {
        return m_waiting;
    }

    /// Called with GetHeldOctets() and GetWaitingOctets() when one has changed.
    void SetBufferHandler(Callback<void, uint64_t, uint64_t> handler)
    {
        m_bufferHandler = handler;
    }

    TcpStates_t GetState() const
    {
        return m_state;
    }

    /// Ends the sending side in order once all is acknowledged or nothing is missing, discards what
    /// still arrives, and gives up after CloseTimeout.
    void CloseInOrder();
    /// Sends RST and frees the endpoint.
    void Reset();

    /**
     * \brief Octets from the next one expected in order to the first of the segment, negative when
     * the segment begins before it; and the segment's octets.
     * \return false to have the segment, acknowledgment and all, treated as lost
     */
    using SegmentHandler = Callback<bool, int32_t, Ptr<const Packet>>;

    /**
     * \brief Asks \p handler about each segment with octets that TCP would take at least partly,
     * before TCP takes it: in order, behind a gap, or repeated in part. Octets beyond the receive
     * window are not shown. A null handler (the default) costs nothing.
     */
    void SetSegmentHandler(SegmentHandler handler)
    {
        m_segmentHandler = handler;
    }

    /// Smallest IP MTU (RFC 791).
    static constexpr uint32_t MIN_MTU = 68;
    /// Octets by which the header of IPv6 is longer than that of IPv4.
    static constexpr uint32_t IPV6_EXCESS = 20;

    /**
     * \brief Lets segments fit IP packets of \p mtu octets, MIN_MTU or more. They never get larger
     * than the SegmentSize attribute, the device and the peer said; what is queued is cut to the
     * new size.
     */
    void SetPathMtu(uint32_t mtu);

    /// Called from an event of its own when GetEmss() has changed.
    void SetEmssHandler(Callback<void> handler)
    {
        m_emssHandler = handler;
    }

  protected:
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    void SegmentSent(SequenceNumber32 seq, uint32_t octets, SequenceNumber32 sentEnd) override;
    void SendEmptyPacket(uint8_t flags) override;
    void CompleteFork(Ptr<Packet> packet,
                      const TcpHeader& tcpHeader,
                      const Address& fromAddress,
                      const Address& toAddress) override;
    uint32_t AvailableWindow() const override;
    uint16_t AdvertisedWindowSize(bool scale) const override;
    Ptr<TcpSocketBase> Fork() override;
    void EstimateRtt(const TcpHeader& tcpHeader) override;
    void NewAck(const SequenceNumber32& seq, bool resetRTO) override;
    void PersistTimeout() override;
    void ReTxTimeout() override;
    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader) override;
    void ReceivedData(Ptr<Packet> packet, const TcpHeader& tcpHeader) override;
    void DoForwardUp(Ptr<Packet> packet,
                     const Address& fromAddress,
                     const Address& toAddress) override;

  private:
    /// Where the time goes in which octets wait to be sent.
    enum class Limit
    {
        NONE, ///< Nothing waits, or it can go.
        PEER_WINDOW,
        CONGESTION_WINDOW
    };

    /// \return where to count; null without a HostTcp.
    [[nodiscard]] HostTcp* GetHost();
    /// Counts what buffers have lost and won since the last time.
    void CountBuffers();
    void SetBuffers(HostTcp& host, uint64_t held, uint64_t waiting);
    /// The time since the last time went into the limit that was in force then.
    void CountLimit();
    [[nodiscard]] Limit FindLimit() const;
    void HandleRefusal(uint8_t flags, SequenceNumber32 acknowledgment);
    void ForwardFin(Ptr<Packet> packet, const Address& fromAddress, const Address& toAddress);
    bool Show(SequenceNumber32 sequence, Ptr<const Packet> octets);
    void SetInitialSequence(uint32_t sequence);
    uint32_t GetInitialSequence() const;
    void HandleIcmp(Ipv4Address source, uint8_t ttl, uint8_t type, uint8_t code, uint32_t info);
    void HandleIcmpv6(Ipv6Address source, uint8_t ttl, uint8_t type, uint8_t code, uint32_t info);
    void TakePathMtu(uint32_t mtu);
    uint32_t GetHeaderSize() const;
    /// Takes the segment size that the peer offers in its SYN.
    void TakeOffer(const TcpHeader& syn);
    /// Looks up what the device that leads to the peer takes.
    void BoundByDevice();
    void TakeSegment(Ptr<Packet> packet, const TcpHeader& tcpHeader);
    void AnnounceWindow();
    void ProbeSmallWindow();
    void ApplySegmentSize();
    void TellEmss();
    void RaisePathMtu();
    void RetransmitAll();
    void SendFin();
    void StateChanged(TcpStates_t before, TcpStates_t now);

    Time m_closeTimeout;
    Time m_pathMtuRaiseTimeout;
    EventId m_closeGuard;
    EventId m_pathMtuRaise;
    EventId m_emssEvent;
    SegmentHandler m_segmentHandler;
    Callback<void> m_emssHandler;
    Callback<void, uint64_t, uint64_t> m_bufferHandler;
    Time m_believesPlateausFrom;    ///< Before, "too big" without an MTU is about what was sent
                                    ///< earlier.
    uint32_t m_attributeSegment{0}; ///< SegmentSize as it was; 0 until the size changes.
    uint32_t m_pathMtu{0};          ///< 0: not known to be limited.
    uint32_t m_deviceMtu{0};        ///< 0: not known yet.
    uint32_t m_peerMss{0};          ///< 0: none was offered.
    uint32_t m_largestWindow{0};    ///< Of the peer.
    bool m_finWaitsForAck{false};
    bool m_segmentShown{false}; ///< The one being processed.
    mutable bool m_windowUsedUp{false};
    bool m_takesSegment{false}; ///< Which is acknowledged behind what its user does with it.
    mutable SequenceNumber32 m_offeredEdge; ///< Behind the last octet that the peer may send.

    HostTcp* m_host{nullptr}; ///< Alive as long as m_tcp.
    // As last counted.
    uint64_t m_held{0};
    uint64_t m_waiting{0};
    Limit m_limit{Limit::NONE};
    Time m_limitedSince;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_STREAM_TCP_SOCKET_H
