/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_REGION_H
#define NFSRDMA_RNIC_MEMORY_REGION_H

#include "host/memory.h"
#include "host/pinned-pages.h"
#include "rnic/memory/tagged-buffer.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/// What makes a region valid: a range of host memory inside one allocation, or a list of pages.
/// The tagged offset of the first octet + length must not wrap.
struct MemoryRegistration
{
    uint8_t key{0};      ///< Low octet of the STag from now on.
    uint64_t address{0}; ///< Host address of the first octet; not looked at with a page list.
    uint64_t length{0};  ///< Octets; pages spanned are bounded by the region's page limit.
    uint64_t iova{0};    ///< Tagged offset that names the first octet.
    uint32_t access{0};  ///< MemoryAccess flags.
    /// Host addresses of the pages spanned, page aligned, in the order of the octets; empty for a
    /// contiguous range.
    std::vector<uint64_t> pages{};
    uint32_t firstByteOffset{0}; ///< With a page list: of the first octet in the first page.

    /// \return the tagged offset of the first octet: iova, or 0 when zero-based.
    [[nodiscard]] uint64_t GetFirstOffset() const;
    /// \return pages that the octets span.
    [[nodiscard]] uint64_t CountPages() const;
    /// \return whether the rights are known ones, and those to change octets come with
    /// ACCESS_LOCAL_WRITE.
    [[nodiscard]] bool HasLegalAccess() const;
    /// \return whether there are octets, their offsets do not wrap, and all of them are allocated
    /// in \p memory; a page list must name as many aligned pages as are spanned.
    [[nodiscard]] bool IsBacked(const HostMemory& memory) const;
};

/**
 * \brief A memory region (protocol: RDMAC verbs, Linux ib_alloc_mr, ib_reg_user_mr).
 *
 * A fast-register region is allocated once, then registered and invalidated by work requests. A
 * regular one is valid from its creation (RnicDevice::RegisterMemory()) to its destruction and is
 * never invalidated. An element with the region's lkey and a remote peer name octets alike: by
 * tagged offsets from GetFirstOffset(). The pages of a valid region are pinned.
 *
 * While memory windows are bound over a region it can be neither invalidated nor destroyed.
 */
class MemoryRegion : public TaggedBuffer
{
  public:
    static TypeId GetTypeId();

    /// \return true for a regular region.
    [[nodiscard]] bool IsRegular() const
    {
        return m_maxPages == 0;
    }

    /// \return pages of a registration at most; 0 for a regular region.
    [[nodiscard]] uint32_t GetMaxPages() const
    {
        return m_maxPages;
    }

    /// \return the latest registration.
    [[nodiscard]] const MemoryRegistration& GetRegistration() const
    {
        return m_registration;
    }

    /// \return windows bound over the region.
    [[nodiscard]] uint32_t GetWindows() const
    {
        return m_windows;
    }

    /// \return pages pinned for the region.
    [[nodiscard]] uint64_t GetPinnedPages() const
    {
        return m_pins.GetCount();
    }

    // For the device only.

    void SetMaxPages(uint32_t pages)
    {
        m_maxPages = pages;
    }

    /// Makes the region valid; \p pins are released when it becomes invalid.
    void Register(const MemoryRegistration& registration, PinnedPages pins = {});

    void AddWindow()
    {
        m_windows++;
    }

    void RemoveWindow()
    {
        m_windows--;
    }

    /// Calls \p function(host address, octets) for each piece of \p length octets from octet \p
    /// offset of the region that lies together, in order, until one returns false; \return whether
    /// all returned true.
    template <typename Function>
    bool ForEachPiece(uint64_t offset, uint64_t length, Function function) const;
    /// Copies octets from \p offset of the region on; \return false when memory is gone.
    [[nodiscard]] bool Read(const HostMemory& memory, uint64_t offset, MutableByteSpan out) const;

    [[nodiscard]] TaggedLocation Locate(uint64_t offset) const override
    {
        return {this, offset - GetFirstOffset()};
    }

    [[nodiscard]] tl::expected<void, StagFault> CheckInvalidation() const override;

  protected:
    void Closed() override
    {
        m_pins.Release();
    }

  private:
    MemoryRegistration m_registration;
    PinnedPages m_pins;
    uint32_t m_maxPages{0};
    uint32_t m_windows{0};
    TracedCallback<Stag> m_registerTrace;
};

template <typename Function>
bool
MemoryRegion::ForEachPiece(uint64_t offset, uint64_t length, Function function) const
{
    constexpr uint64_t PAGE = HostMemory::PAGE_SIZE;
    if (m_registration.pages.empty())
    {
        return function(m_registration.address + offset, length);
    }
    offset += m_registration.firstByteOffset;
    while (length != 0)
    {
        const uint64_t within = offset % PAGE;
        const uint64_t piece = std::min(length, PAGE - within);
        if (!function(m_registration.pages[offset / PAGE] + within, piece))
        {
            return false;
        }
        offset += piece;
        length -= piece;
    }
    return true;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_REGION_H
