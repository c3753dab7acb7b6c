/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_MPA_TCP_SOCKET_H
#define NFSRDMA_MPA_MPA_TCP_SOCKET_H

#include "ns3/sequence-number.h"
#include "ns3/tcp-socket-base.h"

#include <deque>

namespace ns3::nfsrdma
{

/**
 * \brief TCP whose sender knows where the units of its user end (MPA-aware TCP, RFC 5044 section
 * 5.1 and appendix A).
 *
 * No segment spans the end of a unit, in first transmissions and in retransmissions, so that each
 * unit no longer than a segment travels in a segment of its own. A longer unit is split as plain
 * TCP would split it. When windows or selective acknowledgments leave less room than a unit, it is
 * split too, which RFC 5044 allows.
 *
 * Beyond ns3::TcpSocketBase it also
 *   - measures round trips by the simulator's clock; the base takes them from the timestamp option,
 *     whose unit, 1 ms, is a hundred data-centre round trips;
 *   - closes completely: Close() while lost data is being repaired waits until all is acknowledged
 *     (the base can lose it in LAST_ACK), and a peer that never answers the FIN is given up after
 *     CloseTimeout (the base repeats the FIN for ever).
 */
class MpaTcpSocket : public TcpSocketBase
{
  public:
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;

    /// \return a socket on the TCP of \p node, made as TcpL4Protocol::CreateSocket makes its own:
    /// round-trip estimator, congestion control and recovery by the attributes of TcpL4Protocol.
    static Ptr<MpaTcpSocket> Create(Ptr<Node> node);

    MpaTcpSocket();
    MpaTcpSocket(const MpaTcpSocket& other);
    ~MpaTcpSocket() override;

    /// Buffers \p unit; \return false when there is no room or the state does not allow sending.
    bool SendUnit(Ptr<Packet> unit);
    /// \return payload octets of a full segment.
    uint32_t GetEmss() const;
    TcpStates_t GetState() const;
    /// Ends the sending side in order once all is acknowledged or nothing is missing, discards what
    /// still arrives, and gives up after CloseTimeout.
    void CloseInOrder();
    /// Sends RST and frees the endpoint.
    void Reset();

  protected:
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    Ptr<TcpSocketBase> Fork() override;
    void EstimateRtt(const TcpHeader& tcpHeader) override;
    void NewAck(const SequenceNumber32& seq, bool resetRTO) override;
    void PersistTimeout() override;
    /// ns-3 does not look at the acknowledgment that comes with a FIN, and would send again what it
    /// covers: here it counts first.
    void DoForwardUp(Ptr<Packet> packet,
                     const Address& fromAddress,
                     const Address& toAddress) override;

  private:
    uint32_t OctetsToUnitEnd(SequenceNumber32 seq);
    void SendFin();
    void StateChanged(TcpStates_t before, TcpStates_t now);

    std::deque<SequenceNumber32> m_unitEnds; ///< Of units not wholly acknowledged, ascending.
    Time m_closeTimeout;
    EventId m_closeGuard;
    bool m_finWaitsForAck{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_MPA_TCP_SOCKET_H
