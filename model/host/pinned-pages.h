/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_PINNED_PAGES_H
#define NFSRDMA_HOST_PINNED_PAGES_H

#include "host/memory-accounts.h"

#include "ns3/ptr.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

class HostMemory;

/**
 * \brief Pages of a host that are pinned for a registration, and unpinned with this object.
 * Movable, not copyable.
 */
class PinnedPages
{
  public:
    PinnedPages() = default;
    ~PinnedPages();
    PinnedPages(PinnedPages&& other) noexcept;
    PinnedPages& operator=(PinnedPages&& other) noexcept;
    PinnedPages(const PinnedPages&) = delete;
    PinnedPages& operator=(const PinnedPages&) = delete;

    /// Pins \p pages more pages of \p memory; \return nothing when that passes the host's limit.
    /// No pages are never refused. \param account charged for them
    [[nodiscard]] static std::optional<PinnedPages> Pin(Ptr<HostMemory> memory,
                                                        uint64_t pages,
                                                        HostMemoryAccount account = 0);

    /// \return a part of \p pages, which this object holds no more.
    [[nodiscard]] PinnedPages Split(uint64_t pages);

    [[nodiscard]] uint64_t GetCount() const
    {
        return m_pages;
    }

    /// Unpins them.
    void Release();

  private:
    PinnedPages(Ptr<HostMemory> memory, uint64_t pages, HostMemoryAccount account);

    Ptr<HostMemory> m_memory;
    uint64_t m_pages{0};
    HostMemoryAccount m_account{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_PINNED_PAGES_H
