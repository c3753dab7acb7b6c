/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_INLINE_DATA_H
#define NFSRDMA_RNIC_QUEUE_INLINE_DATA_H

#include "wire/bytes.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief The octets that the inline work requests of a send queue carry, in posting order.
 *
 * They share one piece of memory, so that work requests without inline data need none, and those
 * with it no allocation of their own.
 */
class InlineData
{
  public:
    /// \return room for the octets of the work request posted last; valid until the next call.
    [[nodiscard]] MutableByteSpan Append(uint32_t length);
    /// Fills \p out from \p offset on of the oldest work request's octets.
    void Read(uint32_t offset, MutableByteSpan out) const;
    /// Forgets the \p length octets of the oldest work request.
    void Remove(uint32_t length);
    void Clear();

  private:
    ByteVector m_octets;
    std::size_t m_head{0}; ///< Position of the oldest octet.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_INLINE_DATA_H
