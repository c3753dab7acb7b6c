/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_PAYLOAD_QUEUE_H
#define NFSRDMA_MPA_PAYLOAD_QUEUE_H

#include "wire/ring.h"

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief The octets of one direction of a stream that somebody still needs, as references to
 * packets by offset: those sent and not acknowledged, or those received and not taken.
 */
class PayloadQueue
{
  public:
    /// Remembers \p octets that begin at \p offset and overlap nothing that is here.
    void Add(uint64_t offset, Ptr<Packet> octets);
    /// \return the octets from \p offset on, which are all here.
    [[nodiscard]] Ptr<Packet> Get(uint64_t offset, uint32_t length) const;
    /// \return as Get(), of the first octets that are here, which are forgotten.
    [[nodiscard]] Ptr<Packet> Take(uint64_t offset, uint32_t length);
    /// Forgets packets that end at \p offset or before.
    void Release(uint64_t offset);

    [[nodiscard]] bool IsEmpty() const
    {
        return m_pieces.empty();
    }

  private:
    struct Piece
    {
        uint64_t offset;
        Ptr<Packet> octets;
    };

    [[nodiscard]] Ring<Piece>::const_iterator FindBehind(uint64_t offset) const;

    Ring<Piece> m_pieces; ///< By offset.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_PAYLOAD_QUEUE_H
