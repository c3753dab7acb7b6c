/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_CONTEXT_CACHE_H
#define NFSRDMA_HOST_CONTEXT_CACHE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::nfsrdma
{

/// Which context of a set leaves for another one.
enum class CacheReplacement
{
    RANDOM, ///< Any, by a shift register as in hardware: the same sequence in every run.
    LRU     ///< The one used longest ago.
};

/// What a cache is built like.
struct CacheGeometry
{
    uint32_t entries{0}; ///< Contexts that it has room for; 0: for all that there are.
    uint32_t ways{0}; ///< Places where one context may be; 0, or no divisor of entries: anywhere.
    CacheReplacement replacement{CacheReplacement::RANDOM};
};

/**
 * \brief Which contexts of one kind are in a cache of the device.
 *
 * With random replacement the share of misses of n contexts that take turns, in a cache of C that
 * may have them anywhere, is the m that solves m = 1 - exp(-m n / C): it rises by degrees from
 * n = C on. With LRU it is 0 up to C and 1 beyond.
 */
class ContextCache
{
  public:
    /// Uses the context \p number, which is in the cache from now on. All of it is forgotten when
    /// \p geometry is another one than before. \return whether it was there
    bool Use(uint64_t number, const CacheGeometry& geometry);

    /// \return whether the context \p number is in the cache.
    [[nodiscard]] bool Contains(uint64_t number) const
    {
        return m_places.count(number) != 0;
    }

    /// The context is no more.
    void Remove(uint64_t number);

    [[nodiscard]] std::size_t GetCount() const
    {
        return m_places.size();
    }

  private:
    struct Entry
    {
        uint64_t number;
        uint64_t used; ///< The count of uses then.
    };

    struct Place
    {
        std::size_t set;
        std::size_t way;
    };

    [[nodiscard]] std::size_t ChooseVictim(const std::vector<Entry>& set);
    void Build(const CacheGeometry& geometry);

    CacheGeometry m_geometry;
    std::size_t m_ways{0};
    std::vector<std::vector<Entry>> m_sets;
    std::map<uint64_t, Place> m_places;
    uint64_t m_uses{0};
    uint32_t m_shiftRegister{1};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_CONTEXT_CACHE_H
