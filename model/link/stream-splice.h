/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_STREAM_SPLICE_H
#define NFSRDMA_LINK_STREAM_SPLICE_H

#include "link/tcp-segment.h"
#include "wire/bytes.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Octets that somebody on the path of a TCP connection puts into one of its directions, so
 * that neither end can tell by the numbers of RFC 9293: what its sender numbers is numbered higher
 * for its receiver, and what its receiver acknowledges is numbered lower for its sender.
 *
 *     sender:    | a b c d |           | e f g |        100..107
 *     receiver:  | a b c d | X X X X X | e f g |        100..112
 *
 * The octets put in pass with the segment that begins where they were put, each time that it does,
 * until they are acknowledged: a loss behind this place is repaired by the sender's retransmission.
 * SACK blocks (RFC 2018) are renumbered too.
 */
class StreamSplice
{
  public:
    /// Puts \p octets before the octet that the sender numbers \p sequence. Nothing of the stream
    /// from there on has passed, and nothing was put in further on.
    void Insert(uint32_t sequence, ByteVector octets);

    /// \return whether anything was ever put in.
    [[nodiscard]] bool IsUsed() const
    {
        return m_offset != 0 || !m_insertions.empty();
    }

    /// \return what passes in place of \p segment of this direction: itself, renumbered, cut where
    /// octets were put in, with a segment for each of those.
    [[nodiscard]] std::vector<TcpSegment> Forward(const TcpSegment& segment) const;
    /// Renumbers what \p segment of the other direction acknowledges.
    void Backward(TcpSegment& segment);

  private:
    struct Insertion
    {
        uint32_t sequence; ///< The sender's.
        ByteVector octets;
    };

    /// \return what the receiver numbers \p number, as its sender does.
    [[nodiscard]] uint32_t ToSender(uint32_t number) const;
    void RenumberSelective(TcpSegment& segment) const;

    uint32_t m_offset{0}; ///< Octets put in and acknowledged.
    std::deque<Insertion> m_insertions;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_STREAM_SPLICE_H
