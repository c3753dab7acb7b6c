/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_UNIT_QUEUE_H
#define NFSRDMA_TOE_UNIT_QUEUE_H

#include "toe/sequence-space.h"
#include "wire/ring.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief Where the units end that a user has given to send (FPDUs), and so where segments do.
 *
 * Aligned, no segment spans the end of a unit: a unit that is longer than a segment is split, and
 * its last piece travels alone; with packing several whole units may share a segment. Not aligned,
 * segments are as full as they can be. The octets themselves are not here: whoever has them keeps
 * them until they are acknowledged.
 */
class UnitQueue
{
  public:
    UnitQueue(bool aligned, bool packing)
        : m_aligned(aligned),
          m_packing(packing)
    {
    }

    /// Adds a unit of \p size octets, 1 or more.
    void Add(uint32_t size);

    /// \return place behind the last octet.
    [[nodiscard]] Position GetEnd() const
    {
        return m_end;
    }

    /// \param from place of the next octet to be sent, which never goes back
    /// \param most octets that fit a segment
    /// \return octets of the segment that begins there; 0 when there are none
    [[nodiscard]] uint32_t NextSize(Position from, uint32_t most);

    /// \return octets that the segment still takes that the last unit will travel in; \p most when
    /// the next unit begins a segment.
    [[nodiscard]] uint32_t GetUnitRoom(Position from, uint32_t most) const;

  private:
    bool m_aligned;
    bool m_packing;
    Ring<Position> m_ends;             ///< Of units not wholly sent, ascending.
    Position m_unitBegin{FIRST_OCTET}; ///< Of the first of them.
    Position m_end{FIRST_OCTET};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_UNIT_QUEUE_H
