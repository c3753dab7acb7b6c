/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_ALIGNED_TCP_SOCKET_H
#define NFSRDMA_MPA_ALIGNED_TCP_SOCKET_H

#include "mpa/stream-tcp-socket.h"

#include <deque>

namespace ns3::nfsrdma
{

/**
 * \brief TCP whose sender knows where the units of its user end (MPA-aware TCP, RFC 5044 section
 * 5.1 and appendix A).
 *
 * No segment spans the end of a unit, so that each unit no longer than a segment travels in a
 * segment of its own; with Packing several whole ones may share a segment. A longer unit is split
 * as plain TCP would split it, and its last piece travels alone. When windows leave less room than
 * a unit, it is split too, which RFC 5044 allows.
 *
 * A retransmission repeats a segment as it was sent first, unless segments have become smaller
 * since.
 */
class MpaTcpSocket : public StreamTcpSocket
{
  public:
    static TypeId GetTypeId();

    /// \return a socket on the TCP of \p node; see Install().
    static Ptr<MpaTcpSocket> Create(Ptr<Node> node);

    MpaTcpSocket() = default;
    MpaTcpSocket(const MpaTcpSocket& other);

    bool SendUnit(Ptr<Packet> unit) override;
    uint32_t GetUnitRoom() const override;

  protected:
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    Ptr<TcpSocketBase> Fork() override;

  private:
    uint32_t FirstSize(SequenceNumber32 seq, uint32_t maxSize) const;
    uint32_t RepeatedSize(SequenceNumber32 seq, uint32_t maxSize) const;
    void NoteFirst(SequenceNumber32 end);
    void NoteRepeated(SequenceNumber32 end);
    void NoteQueued(SequenceNumber32 begin, SequenceNumber32 end);

    std::deque<SequenceNumber32> m_unitEnds;    ///< Of units not wholly sent, ascending.
    std::deque<SequenceNumber32> m_segmentEnds; ///< Of segments sent, not acknowledged; ascending.
    SequenceNumber32 m_fillStart; ///< First octet of the last segment that the queue will make.
    bool m_packing{false};
    bool m_insideUnit{false}; ///< What is sent next continues a unit.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_ALIGNED_TCP_SOCKET_H
