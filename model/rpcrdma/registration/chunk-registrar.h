/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_REGISTRATION_CHUNK_REGISTRAR_H
#define NFSRDMA_RPCRDMA_REGISTRATION_CHUNK_REGISTRAR_H

#include "host/memory-piece.h"
#include "rnic/hardware/device.h"
#include "rpcrdma/message/transport-header.h"
#include "rpcrdma/registration/region-broker.h"
#include "rpcrdma/registration/statistics.h"
#include "wire/ring.h"

#include "ns3/event-id.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What the registrations of a connection are made with.
struct RegistrationSettings
{
    std::string strategy{"frwr"}; ///< One of ChunkRegistrar::GetNames().
    std::string choice{"linux"};  ///< Name of a RegistrationPolicy.
    uint32_t regionPages{1};      ///< Pages of a registration; bounded by the device.
    uint32_t poolBuffers{1};      ///< Of "preregistered".
    uint32_t cacheCapacity{1};    ///< Regions of "cache".
    std::shared_ptr<RegistrationStatistics> statistics; ///< Null: nobody looks.
};

/**
 * \brief How the memory of a connection's chunks is made known to the RNIC, and taken back: a
 * registration strategy.
 *
 *     Register() -> posted -> Retire(), Fence(), or the peer's invalidation -> Release()
 *          |                                                                     ^
 *          +-- was not posted ---------------------------------------------------+
 *
 * Strategies, by name:
 * - "frwr": fast registration by work request, invalidated by work request or by the peer, as
 *   Linux's frwr_ops.c;
 * - "memory-window": type 2 windows, bound by work request over a region of all memory, which
 *   itself gives the peer no right;
 * - "regular": a region made and destroyed by verbs for each piece (ibv_reg_mr);
 * - "all-physical": one STag for all host memory, as physical_ops.c of Linux 4.5: nothing is done
 *   for a piece, and nothing is ever taken back;
 * - "preregistered": a pool of buffers registered when the connection is made; octets are copied in
 *   and out by the processor;
 * - "cache": regular regions that stay valid and are found again by their address; the one unused
 *   for the longest time goes when there are too many (pin-down cache).
 *
 * Guaranteed of "frwr", "memory-window" and "regular": STags that a peer can use after their RPC =
 * 0; of "cache": registrations <= pieces of memory not found in the cache.
 *
 * Host memory has no physical addresses here. What an allocation holds counts as contiguous, up to
 * RegistrationSettings::regionPages, with every strategy: 1 page makes a segment of each page, as
 * physical_ops.c did.
 */
class ChunkRegistrar
{
  public:
    /// Work requests that are posted together.
    using Chain = std::vector<SendWorkRequest>;

    /// A piece of memory that a peer is to reach.
    struct Piece
    {
        uint32_t slot{0};    ///< Whose piece it is.
        uint64_t address{0}; ///< Host address.
        uint32_t length{0};
        uint32_t access{
            0};           ///< MemoryAccess flags. ACCESS_REMOTE_READ: its octets are there by now.
        uint32_t iova{0}; ///< Upper 32 bits of the tagged offset, where the strategy can choose;
                          ///< the lower are those of the address.
    };

    /// A piece of memory that a peer may reach, or about to be by a work request not posted yet.
    struct Registration
    {
        uint32_t number{0}; ///< Of the strategy's own.
        RpcRdmaSegment segment;
        uint64_t address{0}; ///< Host address of the piece.
        uint32_t access{0};  ///< MemoryAccess flags.
        bool made{true};     ///< It was registered for this; else it is known by what was there.
        RegionUse use{RegionUse::OFFER};
        bool counted{false}; ///< It was taken with Take().
        MemoryPiece mapped;  ///< What the IOMMU has mapped for it; nothing without one.
    };

    /// What a piece is taken for.
    struct Request
    {
        RegionUse use{RegionUse::OFFER};
        uint32_t slot{0};   ///< Whose piece it is.
        uint32_t access{0}; ///< MemoryAccess flags.
        uint32_t iova{0};   ///< See Piece.
        bool grows{true};   ///< May make more of what registrations need, and have others give up
                            ///< theirs. With the broker's turn that is so in any case.
    };

    /// What a peer can do to the memory of a call that was given up.
    enum class Fencing
    {
        INVALIDATES, ///< Nothing after Fence().
        DETACHED,    ///< It never could reach it; what it can reach must not be used for others.
        NONE         ///< Everything, until it has answered or the connection ends.
    };

    /// Why Register() or Grow() has given less than was asked for, the last time.
    enum class Shortage
    {
        NONE,
        REGIONS, ///< All are in use, or the device has no more.
        REFUSED, ///< The device has none for the moment.
        PINNED,  ///< Pages would pass the host's limit.
        PRESSURE ///< As PINNED, while memory is short for the moment.
    };

    /// \return the strategy that \p settings name, or null.
    static std::unique_ptr<ChunkRegistrar> Create(Ptr<RnicDevice> device,
                                                  Ptr<ProtectionDomain> domain,
                                                  const RegistrationSettings& settings);
    static std::vector<std::string> GetNames();
    /// \return strategies whose STags an element of an RDMA Read can name.
    static std::vector<std::string> GetSinkNames();
    /// \return the strategy for sinks of RDMA Reads beside \p strategy: itself, but "frwr" for
    /// "memory-window", since no element can name a window.
    static std::string GetSinkStrategy(const std::string& strategy);

    /// Gives everything back, valid or not.
    virtual ~ChunkRegistrar();
    ChunkRegistrar(const ChunkRegistrar&) = delete;
    ChunkRegistrar& operator=(const ChunkRegistrar&) = delete;

    /// Has the work of the processor fall to \p thread of the host, and each piece of memory that
    /// is mapped for DMA cost \p mapCost. The work requests that \p thread then posts wait for it.
    void SetThread(Ptr<HostThread> thread, Time mapCost);
    /// \return whether the host has an IOMMU that translates.
    [[nodiscard]] bool Translates() const;
    /// Has the thread map \p pieces for a work request, so that the IOMMU, if there is one,
    /// translates them.
    /// Unmap() when it has completed.
    void Map(const std::vector<MemoryPiece>& pieces);
    /// Has the thread unmap \p pieces, if there is an IOMMU.
    void Unmap(const std::vector<MemoryPiece>& pieces);
    /// Has \p count pieces of memory cost what SetThread() says.
    void ChargeMapping(uint32_t count);
    /// Has the thread be busy with a copy of \p octets (HostCpu::GetCopyTime()).
    void ChargeCopy(uint64_t octets);

    /// Makes up to \p count more of what registrations need. \return how many there are more.
    virtual uint32_t Grow(uint32_t count) = 0;

    /// Makes what other slots keep free for all. \return whether there was anything.
    virtual bool Reclaim()
    {
        return true;
    }

    /// \return octets at \p address that one registration can hold, at most \p length.
    [[nodiscard]] virtual uint32_t GetExtent(uint64_t address, uint32_t length) const;

    /**
     * \brief Register() in turn: nothing while others wait for what the device has (RegionBroker).
     * To be ended with GiveUp().
     */
    std::optional<Registration> Take(const Request& request,
                                     uint64_t address,
                                     uint32_t length,
                                     Chain& chain);
    /// Takes what it can of the first of \p length octets: at most what one registration can hold,
    /// and less while fewer pages can be pinned.
    std::optional<Registration> TakeSome(const Request& request,
                                         uint64_t address,
                                         uint32_t length,
                                         Chain& chain);
    /// Release() of what was taken; tells what waits for it.
    void GiveUp(uint32_t slot, const Registration& registration);
    /// Gives back to the device, of what is not used, one region or window, or, with \p pages, one
    /// region that keeps pages pinned. \return whether there was any.
    virtual bool GiveBack(bool pages) = 0;

    /// \return regions of the device that pieces of this \p use have.
    [[nodiscard]] virtual uint32_t CountUsed(RegionUse use) const
    {
        return CountPieces(use);
    }

    /// \return pieces that can be in use at once as far as the strategy bounds them, which the
    /// device may bound, too.
    [[nodiscard]] virtual uint32_t GetMost() const;

    /// \return whether a further piece takes a region of the device.
    [[nodiscard]] virtual bool NeedsRegion() const
    {
        return true;
    }

    /// \return whether any piece is in use.
    [[nodiscard]] bool IsUsed() const
    {
        return m_pieces.front() + m_pieces.back() > 0;
    }

    [[nodiscard]] const Ptr<RegionBroker>& GetBroker() const
    {
        return m_broker;
    }

    /// \return whether the latest shortage passes with time, not with what others give back.
    [[nodiscard]] bool IsShortForNow() const
    {
        return m_shortage == Shortage::REFUSED || m_shortage == Shortage::PRESSURE;
    }

    /// \return why there is not enough, for people.
    [[nodiscard]] std::string DescribeShortage() const;

    /**
     * \brief Makes a piece of memory known; appends to \p chain the work requests it takes, if any.
     * \return nothing when it is not possible now: see GetShortage()
     */
    virtual std::optional<Registration> Register(const Piece& piece, Chain& chain) = 0;

    /// \return whether pieces are copied to memory of the strategy's own.
    [[nodiscard]] virtual bool HoldsCopies() const
    {
        return false;
    }

    /// Has a piece whose copy is held end with \p count zeros more. \return false, and nothing is
    /// done, when there is no room for them behind it.
    virtual bool AppendZeros(Registration& /*registration*/, uint32_t /*count*/)
    {
        return false;
    }

    /**
     * \brief The peer is through with a piece that it has not invalidated, and has written the
     * first \p octets. Appends work requests, not signaled, to \p chain, if any: the piece is not
     * the program's before they have completed, nor before Await().
     */
    virtual void Retire(Registration& registration, uint32_t octets, Chain& chain) = 0;

    /// As Retire(), where the peer may not be through. Only with Fencing::INVALIDATES.
    virtual void Fence(Registration& registration, Chain& chain)
    {
        Retire(registration, 0, chain);
    }

    /// The piece is over: it was retired, fenced, invalidated by the peer, or never posted.
    virtual void Release(uint32_t slot, const Registration& registration) = 0;

    [[nodiscard]] virtual Fencing GetFencing() const
    {
        return Fencing::INVALIDATES;
    }

    /// \return whether the peer may invalidate what is registered.
    [[nodiscard]] virtual bool AllowsRemoteInvalidation() const
    {
        return false;
    }

    /// \return whether the host is through with what Retire() and Fence() gave it to do.
    [[nodiscard]] bool IsReady() const;
    /// Calls \p ready when IsReady(): now, or later unless this has gone by then.
    void Await(std::function<void()> ready);

    [[nodiscard]] Shortage GetShortage() const
    {
        return m_shortage;
    }

    /// \return regions and windows ever allocated.
    [[nodiscard]] uint64_t GetAllocated() const
    {
        return m_allocated;
    }

  protected:
    ChunkRegistrar(Ptr<RnicDevice> device,
                   Ptr<ProtectionDomain> domain,
                   const RegistrationSettings& settings);

    [[nodiscard]] const Ptr<RnicDevice>& GetDevice() const
    {
        return m_device;
    }

    [[nodiscard]] const Ptr<ProtectionDomain>& GetDomain() const
    {
        return m_domain;
    }

    [[nodiscard]] uint32_t GetMaxPages() const
    {
        return m_maxPages;
    }

    [[nodiscard]] RegistrationStatistics& Count()
    {
        return *m_statistics;
    }

    /// \return whether Take() is under way: GiveBack() is not to give what it has just made.
    [[nodiscard]] bool IsTaking() const
    {
        return m_takes;
    }

    /// \return pieces of this \p use.
    [[nodiscard]] uint32_t CountPieces(RegionUse use) const
    {
        return m_pieces.at(static_cast<std::size_t>(use));
    }

    /// Has the thread map \p piece for DMA, which \p registration then knows of.
    void MapPiece(const Piece& piece, Registration& registration);

    void SetShortage(Shortage shortage)
    {
        m_shortage = shortage;
    }

    /// \return whether the latest shortage was one of the moment; it is none any more.
    bool MayTryAgain();
    /// \return a LOCAL_INVALIDATE, not signaled.
    [[nodiscard]] static SendWorkRequest MakeInvalidation(const Registration& registration);
    /// \return whether \p pages more can be pinned; else it is the shortage.
    bool CheckPinning(uint64_t pages);

    /// \return whether the latest shortage was one of pages that may be pinned.
    [[nodiscard]] bool IsShortOfPages() const
    {
        return m_shortage == Shortage::PINNED || m_shortage == Shortage::PRESSURE;
    }

    /// Counts a region or window made; else why there is none becomes the shortage.
    template <typename T>
    Ptr<T> Keep(const tl::expected<Ptr<T>, VerbsError>& made);
    /// Makes a regular region, which the thread waits for. \return null: see GetShortage()
    Ptr<MemoryRegion> MakeRegion(uint64_t address, uint64_t length, uint32_t access, uint64_t iova);
    /// Destroys one; Await() waits for it.
    void DestroyRegion(const Ptr<MemoryRegion>& region);
    /// Makes the region of all memory. \return null: see GetShortage()
    Ptr<MemoryRegion> MakeRegionOfAll(uint32_t access);
    /// Copies in host memory; the thread is busy with it, and Await() waits for it.
    void Copy(uint64_t from, uint64_t to, uint32_t length);

  private:
    void NoteRefusal(VerbsError error);
    void WaitForVerb();

    Ptr<RnicDevice> m_device;
    Ptr<ProtectionDomain> m_domain;
    uint32_t m_maxPages;
    std::shared_ptr<RegistrationStatistics> m_statistics;
    Ptr<HostThread> m_thread;
    Time m_mapCost;
    uint64_t m_allocated{0};
    Shortage m_shortage{Shortage::NONE};
    Time m_ready;
    Ring<EventId> m_waiting;
    Ptr<RegionBroker> m_broker;
    bool m_takes{false};
    std::array<uint32_t, 2> m_pieces{}; ///< In use, by RegionUse.
};

template <typename T>
Ptr<T>
ChunkRegistrar::Keep(const tl::expected<Ptr<T>, VerbsError>& made)
{
    if (!made)
    {
        NoteRefusal(made.error());
        return nullptr;
    }
    ++m_allocated;
    return *made;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REGISTRATION_CHUNK_REGISTRAR_H
