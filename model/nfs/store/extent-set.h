/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_EXTENT_SET_H
#define NFSRDMA_NFS_STORE_EXTENT_SET_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::nfsrdma
{

/// Octets from begin on, end not included.
struct Extent
{
    uint64_t begin{0};
    uint64_t end{0};

    bool operator==(const Extent& other) const
    {
        return begin == other.begin && end == other.end;
    }
};

/**
 * \brief A set of octets of a file, kept as extents that neither overlap nor touch.
 */
class ExtentSet
{
  public:
    void Add(uint64_t begin, uint64_t end)
    {
        if (begin >= end)
        {
            return;
        }
        auto it = m_extents.upper_bound(begin);
        if (it != m_extents.begin() && std::prev(it)->second >= begin)
        {
            --it;
            begin = it->first;
        }
        while (it != m_extents.end() && it->first <= end)
        {
            end = std::max(end, it->second);
            it = m_extents.erase(it);
        }
        m_extents.emplace_hint(it, begin, end);
    }

    /// Removes what lies in [begin, end). \return it, in order.
    std::vector<Extent> Take(uint64_t begin, uint64_t end)
    {
        std::vector<Extent> taken;
        if (begin >= end)
        {
            return taken;
        }
        auto it = m_extents.upper_bound(begin);
        if (it != m_extents.begin() && std::prev(it)->second > begin)
        {
            --it;
        }
        while (it != m_extents.end() && it->first < end)
        {
            const Extent whole{it->first, it->second};
            it = m_extents.erase(it);
            if (whole.begin < begin)
            {
                m_extents.emplace_hint(it, whole.begin, begin);
            }
            if (whole.end > end)
            {
                it = m_extents.emplace_hint(it, end, whole.end);
            }
            taken.push_back({std::max(whole.begin, begin), std::min(whole.end, end)});
        }
        return taken;
    }

    [[nodiscard]] bool IsEmpty() const
    {
        return m_extents.empty();
    }

    /// \return all extents, in order.
    [[nodiscard]] std::vector<Extent> List() const
    {
        std::vector<Extent> extents;
        extents.reserve(m_extents.size());
        for (const auto& [begin, end] : m_extents)
        {
            extents.push_back({begin, end});
        }
        return extents;
    }

  private:
    std::map<uint64_t, uint64_t> m_extents; ///< Ends by beginnings.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_EXTENT_SET_H
