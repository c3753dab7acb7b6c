/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_RECENT_MAP_H
#define NFSRDMA_NFS_TYPES_RECENT_MAP_H

#include <cstddef>
#include <list>
#include <map>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief A map that holds so many entries at most: a further one takes the place of the one whose
 * use is longest ago.
 */
template <typename Key, typename Value>
class RecentMap
{
  public:
    /// \param most entries, at least 1
    explicit RecentMap(std::size_t most)
        : m_most(most)
    {
    }

    /// \return the value of \p key, which is used with that, or null.
    [[nodiscard]] Value* Find(const Key& key)
    {
        const auto found = m_places.find(key);
        if (found == m_places.end())
        {
            return nullptr;
        }
        m_order.splice(m_order.begin(), m_order, found->second);
        return &found->second->second;
    }

    /// \return the value of \p key, which is used with that and made when it is not there.
    Value& Get(const Key& key)
    {
        if (Value* const value = Find(key))
        {
            return *value;
        }
        if (m_order.size() == m_most)
        {
            m_places.erase(m_order.back().first);
            m_order.pop_back();
        }
        m_order.emplace_front(key, Value());
        m_places.emplace(key, m_order.begin());
        return m_order.front().second;
    }

    void Erase(const Key& key)
    {
        const auto found = m_places.find(key);
        if (found != m_places.end())
        {
            m_order.erase(found->second);
            m_places.erase(found);
        }
    }

    void Clear()
    {
        m_order.clear();
        m_places.clear();
    }

    [[nodiscard]] std::size_t GetSize() const
    {
        return m_order.size();
    }

  private:
    using Order = std::list<std::pair<Key, Value>>;

    std::size_t m_most;
    Order m_order; ///< The latest used first.
    std::map<Key, typename Order::iterator> m_places;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_RECENT_MAP_H
