/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_SACK_TCP_SOCKET_H
#define NFSRDMA_MPA_SACK_TCP_SOCKET_H

#include "wire/ns3-version.h"

#include "ns3/sequence-number.h"
#include "ns3/tcp-socket-base.h"

#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief ns-3's TCP, kept from repeating with SACK (RFC 6675) what is not known to be missing.
 *
 * ns3::TcpSocketBase 3.37 repeats octets that are on their way or have arrived
 *   - in recovery, when there is nothing new to send: rule (3) of NextSeg() (RFC 6675 section 4)
 *     is for what lies below the highest octet that was SACKed, (1.b), but
 *     TcpTxBuffer::NextSeg() takes any octet that was not, up to the last one sent, so that the
 *     congestion window fills with repetitions of all that is in flight;
 *   - with every acknowledgment of a part in recovery: it repeats the oldest segment, as NewReno
 *     does, though SACK tells what is missing. (A test whether that segment was repeated before
 *     finds none that is shorter than the maximum, as most are that hold one FPDU.)
 * Here neither is sent. What is missing and SACK does not tell, such as the end of what was sent,
 * the retransmission timer repeats.
 *
 * Without SACK it is as ns3::TcpSocketBase.
 */
class SackTcpSocket : public AroundProcessAck<Typed<TcpSocketBase>>
{
  public:
    static TypeId GetTypeId();

  protected:
    Ptr<TcpSocketBase> Fork() override = 0;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    uint32_t AvailableWindow() const override;
    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader) override;
    void BeginAck() override;
    void EndAck() override;

    /// A segment of so many octets has been sent; sentEnd is behind what was sent before it.
    virtual void SegmentSent(SequenceNumber32 /* seq */,
                             uint32_t /* octets */,
                             SequenceNumber32 /* sentEnd */)
    {
    }

  private:
    void NoteSacked(const TcpHeader& tcpHeader);
    /// \return true when what would be sent next was sent before and is not known to be missing.
    bool IsNextInFlight() const;

    std::optional<SequenceNumber32> m_sackedEnd; ///< Behind the highest octet SACKed so far.
    bool m_processesAck{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_SACK_TCP_SOCKET_H
