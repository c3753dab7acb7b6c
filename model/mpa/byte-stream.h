/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_BYTE_STREAM_H
#define NFSRDMA_MPA_BYTE_STREAM_H

#include "ns3/address.h"
#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"

#include <limits>

namespace ns3::nfsrdma
{

/// Why a byte stream ended.
enum class StreamEnd
{
    GRACEFUL, ///< The peer closed (FIN).
    RESET,    ///< The peer or the network reset the connection.
    FAILED    ///< It could not be established, or timed out.
};

/**
 * \brief The seam between MPA and the transport below it (the LLP of RFC 5044).
 *
 * One object is one connection. Nothing above may assume which implementation is underneath. All
 * callbacks are made from simulator events, never from within a call of this interface that the
 * owner makes.
 */
class ByteStream : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \brief Sends octets that should stay in one segment (an FPDU, or a startup frame).
     * \param unit 1 to GetTxAvailable() octets, which nobody changes from then on
     * \return false when there is no room or the stream cannot send; nothing is sent then
     */
    [[nodiscard]] virtual bool SendUnit(Ptr<Packet> unit) = 0;

    /// \return whether SendUnitAt() can take units ahead of time.
    [[nodiscard]] virtual bool TakesAhead() const
    {
        return false;
    }

    /// As SendUnit(), of a unit that leaves at \p leaves at the earliest: now, or later where
    /// TakesAhead(); not before one sent earlier.
    [[nodiscard]] virtual bool SendUnitAt(Ptr<Packet> unit, Time /* leaves */)
    {
        return SendUnit(unit);
    }

    /// \return octets that the send buffer can take now.
    [[nodiscard]] virtual uint32_t GetTxAvailable() const = 0;
    /// \return EMSS: payload octets of one segment now, TCP options subtracted.
    [[nodiscard]] virtual uint32_t GetEmss() const = 0;
    /// \return octets received in order and not yet taken, at most \p limit (1 or more); null when
    /// there are none. What is not taken fills the receive buffer, and so closes the window.
    [[nodiscard]] virtual Ptr<Packet> ReceiveAtMost(uint32_t limit) = 0;

    /// \return all octets received in order and not yet taken; null when there are none.
    [[nodiscard]] Ptr<Packet> Receive()
    {
        return ReceiveAtMost(std::numeric_limits<uint32_t>::max());
    }

    /// Sends what is buffered, then closes in order (FIN).
    virtual void Close() = 0;
    /// \return octets that Receive() has returned so far: the offset in the stream of the next one.
    [[nodiscard]] virtual uint64_t GetReceivedOctets() const = 0;

    /// \return octets that still fit the segment now being filled, when units are packed into
    /// segments (RFC 5044 appendix A.2); GetEmss() when none is being filled.
    [[nodiscard]] virtual uint32_t GetUnitRoom() const
    {
        return GetEmss();
    }

    /// \return octets that have arrived, behind a gap, and that the stream itself has to hold.
    [[nodiscard]] virtual uint32_t GetOutOfOrderOctets() const
    {
        return 0;
    }

    /// \return octets of the send buffer, sent or not, that are not acknowledged.
    [[nodiscard]] virtual uint64_t GetHeldOctets() const
    {
        return 0;
    }

    /// \return octets of the receive buffer: in order and not yet taken, or behind a gap.
    [[nodiscard]] virtual uint64_t GetWaitingOctets() const
    {
        return 0;
    }

    /// Closes at once (RST).
    virtual void Abort() = 0;
    [[nodiscard]] virtual Address GetPeerAddress() const = 0;
    /// \return this end of the connection; an invalid address when there is none any more.
    [[nodiscard]] virtual Address GetLocalAddress() const = 0;

    /// What its owner is told; what is null is not.
    struct Callbacks
    {
        Callback<void> established;      ///< An actively opened stream is connected.
        Callback<void> receive;          ///< Octets can be taken with Receive().
        Callback<void> space;            ///< The send buffer, too full before, has room again: for
                                         ///< a unit at least, or for several at once.
        Callback<void> emss;             ///< GetEmss() has changed.
        Callback<void, StreamEnd> ended; ///< Called once, and not after Abort().
        /// GetHeldOctets() or GetWaitingOctets() have changed: both. Also from within calls of the
        /// owner.
        Callback<void, uint64_t, uint64_t> buffers;
    };

    [[nodiscard]] Callbacks& GetCallbacks()
    {
        return m_callbacks;
    }

    /// Offset in the stream of the first octet, and the octets.
    /// \return false to have the segment treated as lost
    using SegmentCallback = Callback<bool, uint64_t, Ptr<const Packet>>;

    /**
     * \brief A segment has come from the network: in order, out of order or a duplicate; not yet
     * acknowledged, and before Receive() returns any of it (RFC 5044 appendix A.3).
     */
    virtual void SetSegmentCallback(SegmentCallback callback)
    {
        m_segment = callback;
    }

  protected:
    void DoDispose() override;

    Callbacks m_callbacks;
    SegmentCallback m_segment;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_BYTE_STREAM_H
