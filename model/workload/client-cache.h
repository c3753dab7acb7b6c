/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CLIENT_CACHE_H
#define NFSRDMA_WORKLOAD_CLIENT_CACHE_H

#include "wire/ring.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief What the cached files of a client have in common: how much they may keep dirty (not yet on
 * the server), and the writers that wait for that.
 */
class ClientCache
{
  public:
    struct Settings
    {
        uint32_t readAhead{0};       ///< Octets of a window at most; whole pages.
        uint64_t dirtyLimit{0};      ///< Octets; writers wait above it.
        uint64_t dirtyBackground{0}; ///< Octets; files are written back above it.
        Time requestCost;            ///< Of each read or write of the application.
        DataRate copyRate;           ///< Between its memory and pages; 0: no time.
    };

    static constexpr uint32_t PAGE = 4096;

    explicit ClientCache(const Settings& settings);

    [[nodiscard]] const Settings& GetSettings() const
    {
        return m_settings;
    }

    /// \return how long a read or write of \p octets takes that finds its pages.
    [[nodiscard]] Time GetCost(uint64_t octets) const;

    [[nodiscard]] uint64_t GetDirty() const
    {
        return m_dirty;
    }

    /// \return true when \p octets more may become dirty; always when nothing is.
    [[nodiscard]] bool HasRoom(uint64_t octets) const
    {
        return m_dirty == 0 || m_dirty + octets <= m_settings.dirtyLimit;
    }

    [[nodiscard]] bool IsAboveBackground() const
    {
        return m_dirty > m_settings.dirtyBackground;
    }

    void AddDirty(uint64_t octets);
    /// Writers that wait are tried again, in order, by events of their own.
    void RemoveDirty(uint64_t octets);
    /// \p retry is called when there may be room.
    void Wait(std::function<void()> retry);

  private:
    Settings m_settings;
    uint64_t m_dirty{0};
    Ring<std::function<void()>> m_waiting;
    std::shared_ptr<ClientCache*> m_alive;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CLIENT_CACHE_H
