/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_RECEIVE_WINDOW_H
#define NFSRDMA_TOE_RECEIVE_WINDOW_H

#include "toe/sequence-space.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief The window that a receiver offers: the room of its buffer, whose right edge never goes
 * back, and goes forward by a segment or half the buffer at least (RFC 9293 section 3.8.6.2.2).
 */
class ReceiveWindow
{
  public:
    static constexpr uint32_t MOST_UNSCALED = 65535;

    /// \param capacity octets of the buffer
    explicit ReceiveWindow(uint32_t capacity);

    /// \return the shift to offer: the least with which the whole buffer can be said.
    [[nodiscard]] uint8_t GetOfferedScale() const;

    /// \param scale the shift agreed, 0 without
    /// \param segment octets of a full one
    void Start(uint8_t scale, uint32_t segment);

    /// Offers what is free. \param next place of the next octet that is missing
    /// \param waiting octets in order that the user has not taken
    /// \return the field of a header
    [[nodiscard]] uint16_t Offer(Position next, uint64_t waiting);
    /// \return the field of a SYN, which is never scaled.
    [[nodiscard]] uint16_t OfferInSyn();

    /// \return place behind the last octet that may come.
    [[nodiscard]] Position GetEdge() const
    {
        return m_edge;
    }

    /// \return whether the user has taken so much that the peer should learn of it: the window
    /// would be twice what it still has, as Linux has it (tcp_cleanup_rbuf).
    [[nodiscard]] bool IsUpdateDue(Position next, uint64_t waiting) const;

  private:
    [[nodiscard]] Position GetPossibleEdge(Position next, uint64_t waiting) const;

    uint32_t m_capacity;
    uint8_t m_scale{0};
    uint32_t m_segment{0};
    Position m_edge{FIRST_OCTET};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_RECEIVE_WINDOW_H
