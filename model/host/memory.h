/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_MEMORY_H
#define NFSRDMA_HOST_MEMORY_H

#include "host/memory-accounts.h"
#include "host/memory-page.h"
#include "wire/bytes.h"
#include "wire/planned-event.h"
#include "wire/ring.h"
#include "wire/simulation-clock.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/simulator.h"
#include "ns3/traced-value.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The memory of one host: a sparse store of 4 KiB pages under virtual addresses.
 *
 * A page never written costs nothing and reads as zeros. Addresses are handed out in a fixed order,
 * page aligned, so they are the same in every run. Aggregated to the node.
 *
 * A device posts its writes (Post()): the octets are there from the time on at which the bus has
 * written them, and not before. Nothing happens at that time; whoever looks later finds them.
 *
 * Pages that devices work on are pinned. A page pinned twice counts twice (as Linux counts
 * pinned_vm), and stays pinned when its allocation is freed.
 */
class HostMemory : public Object
{
  public:
    static constexpr uint64_t PAGE_SIZE = MemoryPage::SIZE;

    /// \return pages of \p octets that begin with a page.
    [[nodiscard]] static constexpr int64_t CountPages(uint64_t octets)
    {
        return static_cast<int64_t>((octets + PAGE_SIZE - 1) / PAGE_SIZE);
    }

    static TypeId GetTypeId();
    HostMemory();

    /// \return the page-aligned address of \p length octets (at least 1) that read as zeros.
    uint64_t Allocate(uint64_t length, HostMemoryPurpose purpose = HostMemoryUse::OTHER);
    /// What Allocate() returned at \p address is for \p purpose from now on.
    void SetPurpose(uint64_t address, HostMemoryPurpose purpose);
    /// Gives back what Allocate() returned at \p address; its pages are dropped.
    void Free(uint64_t address);

    /// Writes \p octets at \p address. Address ranges outside an allocation are a program error.
    void Write(uint64_t address, ByteSpan octets);
    /// \return room for what is written at \p address: for \p length octets (at least 1), or for
    /// those of them that lie in the first page. To be filled at once. The range lies in one
    /// allocation.
    [[nodiscard]] MutableByteSpan GetRoom(uint64_t address, uint64_t length);
    /// Fills \p out from \p address.
    void Read(uint64_t address, MutableByteSpan out) const;

    /// As Write() and Read(), for addresses that may be wrong: \return false, and nothing is done,
    /// when a part of the range is outside one allocation. An empty range is always right.
    [[nodiscard]] bool TryWrite(uint64_t address, ByteSpan octets);
    [[nodiscard]] bool TryRead(uint64_t address, MutableByteSpan out) const;

    /// A device writes \p octets at \p address: they are there from \p due on, now or later. Of two
    /// writes that are due at once the one posted later prevails. What has been freed by then is
    /// not written. The range lies in one allocation.
    /// \param poster number of the queue pair whose payload it is
    void Post(Time due, uint64_t address, ByteSpan octets, uint32_t poster);
    /// What \p poster has posted is there now: the device lets nothing of it come later any more.
    void HastenPosts(uint32_t poster);
    /// As TryRead(), as the bus sees a device that reads behind the writes it has posted: all of
    /// them are there.
    [[nodiscard]] bool TryReadBehindPosts(uint64_t address, MutableByteSpan out) const;

    /// \return octets of writes that have been posted and are not there yet.
    [[nodiscard]] uint64_t GetPostedOctets() const;

    /// What has become of the octets of posted writes so far.
    struct PostCounters
    {
        uint64_t posted{0};
        uint64_t written{0}; ///< In memory.
        uint64_t lost{0};    ///< To memory that had been freed.
    };

    [[nodiscard]] const PostCounters& GetPostCounters() const
    {
        Settle();
        return m_posts;
    }

    /// \return true when the whole range lies in one allocation.
    [[nodiscard]] bool Contains(uint64_t address, uint64_t length) const
    {
        return Find(address, length) != nullptr;
    }

    /// \return octets allocated and not freed.
    [[nodiscard]] uint64_t GetAllocatedBytes() const
    {
        return m_allocatedBytes;
    }

    /// \return octets allocated for \p use.
    [[nodiscard]] uint64_t GetAllocatedBytes(HostMemoryUse use) const
    {
        return m_bytesOfUse[static_cast<std::size_t>(use)];
    }

    /// Trace source "Allocated": octets allocated for a use have changed: before, now.
    typedef void (*AllocatedTracedCallback)(HostMemoryUse use, uint64_t before, uint64_t now);

    /// \return the account of a new connection to \p peer, which memory can be charged to.
    HostMemoryAccount OpenAccount(IpAddress peer)
    {
        return m_accounts.Open(peer);
    }

    /// The connection of \p account has ended. 0: nothing.
    void CloseAccount(HostMemoryAccount account)
    {
        m_accounts.Close(account);
    }

    /// \p account holds \p more octets more, \p less octets less. 0: nothing.
    void Charge(HostMemoryAccount account, HostMemoryCharge charge, uint64_t more, uint64_t less);

    [[nodiscard]] const HostMemoryAccounts& GetAccounts() const
    {
        return m_accounts;
    }

    /// Trace source "Charged": octets that an account holds have changed: before, now.
    typedef void (*ChargedTracedCallback)(HostMemoryAccount account,
                                          HostMemoryCharge charge,
                                          uint64_t before,
                                          uint64_t now);

    /// \return live allocations.
    [[nodiscard]] uint64_t GetAllocationCount() const
    {
        return m_allocations.size() - m_freed;
    }

    /// \return octets of pages that hold data.
    [[nodiscard]] uint64_t GetResidentBytes() const
    {
        Settle();
        return m_residentPages * PAGE_SIZE;
    }

    /// Pins \p pages more pages; \return false, and nothing is done, when that passes
    /// MaxPinnedPages.
    [[nodiscard]] bool Pin(uint64_t pages);
    /// \return whether Pin() would do so.
    [[nodiscard]] bool CanPin(uint64_t pages) const;

    /// Memory is short: no more than \p pages may be pinned for the time being, whatever
    /// MaxPinnedPages; pages that are pinned stay so. Nothing: it is not short any more.
    void SetPressure(std::optional<uint64_t> pages)
    {
        m_pressure = pages;
    }

    [[nodiscard]] bool IsUnderPressure() const
    {
        return m_pressure.has_value();
    }

    /// Unpins \p pages of those pinned.
    void Unpin(uint64_t pages);

    /// \return pages pinned now.
    [[nodiscard]] uint64_t GetPinnedPages() const
    {
        return m_pinnedPages;
    }

    /// \return the most pages that were pinned at once.
    [[nodiscard]] uint64_t GetPeakPinnedPages() const
    {
        return m_peakPinnedPages;
    }

  protected:
    void DoDispose() override;

  private:
    struct Allocation
    {
        uint64_t base{0};
        uint64_t length{0}; ///< 0: it has been freed.
        HostMemoryPurpose purpose{HostMemoryUse::OTHER};
        std::unique_ptr<MemoryPage[]> pages; ///< From the first write on.
    };

    /// A write of a device that has been posted.
    struct Posted
    {
        Time due;
        uint64_t address{0};
        uint32_t poster{0};
        ByteVector octets;
    };

    /// Carries out what is due.
    void Settle() const
    {
        if (!m_posted.empty())
        {
            CarryOut(SimulationClock::Now());
        }
    }

    void CarryOut(Time until) const;
    void CarryOut(Posted& posted) const;
    void HandleTimer();
    /// \return the allocation that holds all of the range, or null. Valid until the next
    /// Allocate() or Free().
    [[nodiscard]] Allocation* Find(uint64_t address, uint64_t length) const;
    /// \return the allocation that begins at \p address; there must be one.
    [[nodiscard]] Allocation& Get(uint64_t address) const;
    /// Drops entries of allocations that have been freed, once they are more than the others.
    void Compact();
    void Enter(uint64_t length, HostMemoryPurpose purpose);
    void TakeOff(uint64_t length, HostMemoryPurpose purpose);
    void ChangeUse(HostMemoryUse use, uint64_t more, uint64_t less);
    /// \return room for the octets from \p offset on, of \p length, that lie in one page.
    MutableByteSpan GetRoom(Allocation& allocation, uint64_t offset, uint64_t length) const;
    void WritePages(Allocation& allocation, uint64_t offset, ByteSpan octets) const;
    static void ReadPages(const Allocation& allocation, uint64_t offset, MutableByteSpan out);

    mutable std::vector<Allocation> m_allocations; ///< By base address.
    uint64_t m_freed{0};                           ///< Entries of them that have been freed.
    mutable std::size_t m_latest{0};               ///< Position of the one found last, if any.
    uint64_t m_nextAddress;
    uint64_t m_allocatedBytes{0};
    std::array<uint64_t, HOST_MEMORY_USES> m_bytesOfUse{};
    TracedCallback<HostMemoryUse, uint64_t, uint64_t> m_allocatedTrace;
    HostMemoryAccounts m_accounts;
    TracedCallback<HostMemoryAccount, HostMemoryCharge, uint64_t, uint64_t> m_chargedTrace;
    mutable uint64_t m_residentPages{0};
    mutable Ring<Posted> m_posted; ///< By time.
    mutable PostCounters m_posts;
    PlannedEvent m_timer; ///< So that the simulation does not end before the last of them.
    uint64_t m_maxPinnedPages{0};
    std::optional<uint64_t> m_pressure;
    uint64_t m_peakPinnedPages{0};
    TracedValue<uint64_t> m_pinnedPages{0};
};

/**
 * \brief An allocation of host memory that frees itself. Movable, not copyable.
 */
class HostBuffer
{
  public:
    HostBuffer() = default;
    HostBuffer(Ptr<HostMemory> memory,
               uint64_t length,
               HostMemoryPurpose purpose = HostMemoryUse::OTHER);
    ~HostBuffer();
    HostBuffer(HostBuffer&& other) noexcept;
    HostBuffer& operator=(HostBuffer&& other) noexcept;
    HostBuffer(const HostBuffer&) = delete;
    HostBuffer& operator=(const HostBuffer&) = delete;

    [[nodiscard]] bool IsNull() const
    {
        return !m_memory;
    }

    [[nodiscard]] uint64_t GetAddress() const
    {
        return m_address;
    }

    [[nodiscard]] uint64_t GetLength() const
    {
        return m_length;
    }

    [[nodiscard]] Ptr<HostMemory> GetMemory() const
    {
        return m_memory;
    }

    void SetPurpose(HostMemoryPurpose purpose)
    {
        m_memory->SetPurpose(m_address, purpose);
    }

    void Write(uint64_t offset, ByteSpan octets)
    {
        m_memory->Write(m_address + offset, octets);
    }

    [[nodiscard]] MutableByteSpan GetRoom(uint64_t offset, uint64_t length)
    {
        return m_memory->GetRoom(m_address + offset, length);
    }

    void Read(uint64_t offset, MutableByteSpan out) const
    {
        m_memory->Read(m_address + offset, out);
    }

  private:
    void Release();

    Ptr<HostMemory> m_memory;
    uint64_t m_address{0};
    uint64_t m_length{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_MEMORY_H
