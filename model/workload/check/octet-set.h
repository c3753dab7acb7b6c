/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_OCTET_SET_H
#define NFSRDMA_WORKLOAD_CHECK_OCTET_SET_H

#include "workload/check/octet-ranges.h"

#include <cstdint>
#include <map>

namespace ns3::nfsrdma
{

/// A set of octets of a file, kept as disjoint ranges that do not touch.
class OctetSet
{
  public:
    void Add(const OctetRange& range);
    void Remove(const OctetRange& range);

    [[nodiscard]] bool Contains(const OctetRange& range) const
    {
        return FindGap(range).IsEmpty();
    }

    [[nodiscard]] bool IsEmpty() const
    {
        return m_ranges.empty();
    }

    /// \return octets in it.
    [[nodiscard]] uint64_t GetSize() const
    {
        return m_size;
    }

    /// \return the first range, or an empty one.
    [[nodiscard]] OctetRange GetFirst() const;
    /// \return the first octets of \p range that are not in the set; empty when all are.
    [[nodiscard]] OctetRange FindGap(const OctetRange& range) const;
    /// \return the part of the set that is in \p range.
    [[nodiscard]] OctetRanges Intersect(const OctetRange& range) const;

  private:
    std::map<uint64_t, uint64_t> m_ranges; ///< End by begin.
    uint64_t m_size{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_OCTET_SET_H
