/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_CONTEXT_CACHE_H
#define NFSRDMA_RNIC_HARDWARE_CONTEXT_CACHE_H

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>

namespace ns3::nfsrdma
{

/// Which contexts (of queue pairs, or of STags) are on the device: those used last.
class ContextCache
{
  public:
    /// Uses the context \p number of a cache of \p capacity contexts (0: it never misses), where it
    /// is from now on. \return whether it was there
    bool Use(uint32_t number, uint32_t capacity);
    /// The context is no more.
    void Remove(uint32_t number);

    [[nodiscard]] std::size_t GetCount() const
    {
        return m_order.size();
    }

  private:
    std::list<uint32_t> m_order; ///< The one used last first.
    std::map<uint32_t, std::list<uint32_t>::iterator> m_places;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_CONTEXT_CACHE_H
