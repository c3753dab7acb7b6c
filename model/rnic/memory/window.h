/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_WINDOW_H
#define NFSRDMA_RNIC_MEMORY_WINDOW_H

#include "rnic/memory/region.h"
#include "rnic/memory/tagged-buffer.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// What a binding (BIND_WINDOW) sets.
struct WindowBinding
{
    uint8_t key{0};           ///< Low octet of the window's STag from now on.
    Ptr<MemoryRegion> region; ///< Valid, of the same protection domain, with ACCESS_WINDOW_BIND.
    uint64_t offset{0};       ///< Tagged offset of the region that names the first octet.
    uint64_t length{0};       ///< Octets, 1 or more, inside the region.
    uint32_t access{0};       ///< ACCESS_REMOTE_* and ACCESS_ZERO_BASED.

    /// \return the tagged offset of the window's first octet: offset, or 0 when zero-based.
    [[nodiscard]] uint64_t GetFirstOffset() const;
    /// \return whether the rights are ones a window can have.
    [[nodiscard]] bool HasLegalAccess() const;
};

/**
 * \brief A memory window (type 2): remote rights on a part of a region, bound by a work request and
 * invalidated by another, or by the peer.
 *
 * The window's rights count, not the remote ones of the region; but a window that lets a peer
 * change octets needs a region with ACCESS_LOCAL_WRITE. Windows are of no local use: no element may
 * name one. Every queue pair of the protection domain may be used to reach or to invalidate a
 * window; with WindowsOfQueuePairs of the device only the one that bound it, until it is
 * invalidated or destroyed.
 */
class MemoryWindow : public TaggedBuffer
{
  public:
    static TypeId GetTypeId();

    /// \return true between a binding and the invalidation.
    [[nodiscard]] bool IsBound() const;

    /// \return the binding; without a region while not bound.
    [[nodiscard]] const WindowBinding& GetBinding() const
    {
        return m_binding;
    }

    // For the device only.

    /// \return whether a work request of a queue pair of \p domain may bind the window so.
    [[nodiscard]] bool CanBind(const WindowBinding& binding, const ProtectionDomain& domain) const;
    /// Binds the window, for queue pair \p queuePair only; 0: for all of its domain.
    void Bind(const WindowBinding& binding, uint32_t queuePair = 0);

    [[nodiscard]] TaggedLocation Locate(uint64_t offset) const override;

    [[nodiscard]] tl::expected<void, StagFault> CheckInvalidation() const override
    {
        return {};
    }

  protected:
    void Closed() override;

  private:
    WindowBinding m_binding;
    uint64_t m_regionOffset{0};     ///< Of the first octet, from the first one of the region.
    uint64_t m_regionGeneration{0}; ///< Of the region when it was bound.
    TracedCallback<Stag> m_bindTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_WINDOW_H
