/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_PLACEMENT_WATCH_H
#define NFSRDMA_RNIC_MEMORY_PLACEMENT_WATCH_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <list>
#include <map>

namespace ns3::nfsrdma
{

/**
 * \brief Stands for a program that polls memory: tells it when a peer's RDMA Write, or the response
 * to its own RDMA Read, has put an octet there.
 *
 * The callback comes from a simulator event, at the time when the octet is in host memory: the
 * receive engine and the bus have done their part. Each placement tells it once, whatever the value
 * is. Without watches a placement costs one comparison.
 */
class PlacementWatch
{
  public:
    using Callback = std::function<void()>;

    PlacementWatch() = default;
    PlacementWatch(const PlacementWatch&) = delete;
    PlacementWatch& operator=(const PlacementWatch&) = delete;
    ~PlacementWatch();

    /// Watches the octet at host address \p address. \return a handle for Remove()
    uint32_t Add(uint64_t address, Callback callback);
    /// Ends a watch; what it would still have told is dropped.
    void Remove(uint32_t handle);
    /// Ends all watches.
    void Clear();

    // For the device only.

    [[nodiscard]] bool IsEmpty() const
    {
        return m_watches.empty();
    }

    /// \p length octets from \p address are in host memory at \p visible.
    void Placed(uint64_t address, uint64_t length, Time visible)
    {
        if (!m_watches.empty())
        {
            Tell(address, length, visible);
        }
    }

  private:
    struct Watch
    {
        uint64_t address{0};
        Callback callback;
        std::list<EventId> pending;
    };

    void Tell(uint64_t address, uint64_t length, Time visible);
    void Fire(uint32_t handle);

    std::map<uint32_t, Watch> m_watches; ///< By handle.
    uint32_t m_nextHandle{1};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_PLACEMENT_WATCH_H
