/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_TCP_STREAM_REASSEMBLER_H
#define NFSRDMA_WIRE_TCP_STREAM_REASSEMBLER_H

#include "wire/bytes.h"

#include <map>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief Puts one direction of a TCP connection in order.
 *
 * Offsets are 64 bits wide and count from the octet after the SYN; where the SYN was not captured,
 * from the first segment seen. Sequence numbers may wrap. Of octets that come more than once the
 * first stand.
 */
class TcpStreamReassembler
{
  public:
    /// \param sequence sequence number of the SYN; a repeated one changes nothing
    void Open(uint32_t sequence);
    /// \return the octets that this payload puts in order, itself and what waited behind it.
    [[nodiscard]] ByteVector Add(uint32_t sequence, ByteSpan payload);

    /// \param sequence sequence number of the octet after the last
    void Close(uint32_t sequence);

    /// \return whether Open() was told, or the first segment came.
    [[nodiscard]] bool IsOpen() const
    {
        return m_open;
    }

    /// \return whether the SYN was seen, with \p sequence as its number.
    [[nodiscard]] bool IsOpenAt(uint32_t sequence) const
    {
        return m_synSequence == sequence;
    }

    /// \return whether every octet up to Close() is in order.
    [[nodiscard]] bool IsComplete() const
    {
        return m_endOffset && m_nextOffset >= *m_endOffset;
    }

    /// \return offset of the next octet in order.
    [[nodiscard]] uint64_t GetOffset() const
    {
        return m_nextOffset;
    }

    /// \return octets that wait behind a gap.
    [[nodiscard]] uint64_t GetWaitingOctets() const
    {
        return m_waitingOctets;
    }

    /// \return pieces in which they are kept.
    [[nodiscard]] std::size_t GetWaitingParts() const
    {
        return m_waiting.size();
    }

    /// \return octets that came more than once.
    [[nodiscard]] uint64_t GetRepeatedOctets() const
    {
        return m_repeated;
    }

    /// \return segments that came ahead of their turn.
    [[nodiscard]] uint64_t GetOutOfOrderSegments() const
    {
        return m_outOfOrder;
    }

  private:
    [[nodiscard]] int64_t ToOffset(uint32_t sequence) const;
    void Keep(uint64_t offset, ByteSpan payload);

    std::optional<uint32_t> m_synSequence;
    bool m_open{false};
    uint32_t m_nextSequence{0};
    uint64_t m_nextOffset{0};
    std::optional<uint64_t> m_endOffset;
    std::map<uint64_t, ByteVector> m_waiting; ///< By offset; they do not overlap.
    uint64_t m_waitingOctets{0};
    uint64_t m_repeated{0};
    uint64_t m_outOfOrder{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_TCP_STREAM_REASSEMBLER_H
