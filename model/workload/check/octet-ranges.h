/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_OCTET_RANGES_H
#define NFSRDMA_WORKLOAD_CHECK_OCTET_RANGES_H

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::nfsrdma
{

/// The octets from begin up to and without end.
struct OctetRange
{
    static constexpr uint64_t UNBOUNDED = std::numeric_limits<uint64_t>::max();

    uint64_t begin{0};
    uint64_t end{0};

    [[nodiscard]] bool IsEmpty() const
    {
        return begin >= end;
    }

    [[nodiscard]] OctetRange Intersect(const OctetRange& other) const
    {
        return {std::max(begin, other.begin), std::min(end, other.end)};
    }

    /// \return a range of \p length octets at \p offset, cut at the largest offset.
    [[nodiscard]] static OctetRange Of(uint64_t offset, uint64_t length)
    {
        return {offset, length > UNBOUNDED - offset ? UNBOUNDED : offset + length};
    }
};

/// A few ranges, which may overlap.
using OctetRanges = std::vector<OctetRange>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_OCTET_RANGES_H
