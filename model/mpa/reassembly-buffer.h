/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_REASSEMBLY_BUFFER_H
#define NFSRDMA_MPA_REASSEMBLY_BUFFER_H

#include "wire/bytes.h"

#include <cstdint>
#include <map>
#include <optional>

namespace ns3::nfsrdma
{

/// Positions from begin up to, not including, end.
struct PositionRange
{
    uint64_t begin{0};
    uint64_t end{0};

    [[nodiscard]] bool Contains(const PositionRange& other) const
    {
        return begin <= other.begin && other.end <= end;
    }
};

/// Octets of a stream that have arrived in any order, as extents without gaps.
class ReassemblyBuffer
{
  public:
    /// Adds octets none of which is held.
    void Add(uint64_t position, ByteSpan octets);
    /// Lets go of what is held between \p begin and \p end.
    void Erase(uint64_t begin, uint64_t end);

    /// \return the octets from \p position to the next gap, empty when that one is not held; valid
    /// until a change.
    [[nodiscard]] ByteSpan From(uint64_t position) const;
    /// \return the extent that holds \p position, if any.
    [[nodiscard]] std::optional<PositionRange> ExtentAt(uint64_t position) const;
    /// \return the first position held that is not before \p position; none is the highest number.
    [[nodiscard]] uint64_t NextHeld(uint64_t position) const;

    /// \return octets held.
    [[nodiscard]] uint64_t GetOctets() const
    {
        return m_octets;
    }

  private:
    using Extents = std::map<uint64_t, ByteVector>;

    Extents::const_iterator Find(uint64_t position) const;

    Extents m_extents; ///< By the position of the first octet; no two touch.
    uint64_t m_octets{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_REASSEMBLY_BUFFER_H
