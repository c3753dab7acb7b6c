/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CHUNK_REGISTRAR_H
#define NFSRDMA_RPCRDMA_CHUNK_REGISTRAR_H

#include "rnic/rnic-device.h"
#include "rpcrdma/registration-policy.h"
#include "rpcrdma/rpcrdma-header.h"

#include <memory>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The fast-register memory regions of one connection: registers pieces of host memory for
 * chunks, and invalidates them.
 *
 * The key of a region changes at each registration (RnicDevice::ChooseStagKey()); after 256
 * registrations the region is replaced by a new one, so that an STag value whose keys are counted
 * never names two pieces of memory. Regions with a fixed key stay.
 */
class ChunkRegistrar
{
  public:
    /// A piece of memory that is registered, or about to be by a work request not posted yet.
    struct Registration
    {
        uint32_t region{0};
        RpcRdmaSegment segment;
    };

    /// \param maxPages pages of a region; bounded by the device
    ChunkRegistrar(Ptr<RnicDevice> device,
                   Ptr<ProtectionDomain> domain,
                   uint32_t maxPages,
                   std::unique_ptr<RegistrationPolicy> policy);
    /// Gives every region back, valid or not.
    ~ChunkRegistrar();
    ChunkRegistrar(const ChunkRegistrar&) = delete;
    ChunkRegistrar& operator=(const ChunkRegistrar&) = delete;

    /// Has each registration cost \p thread of the host \p mapCost, to map the memory for DMA. The
    /// work requests that \p thread then posts wait for it.
    void SetMapCost(Ptr<HostThread> thread, Time mapCost);
    /// Has \p count pieces of memory cost what SetMapCost() says.
    void ChargeMapping(uint32_t count);
    /// Allocates up to \p count regions. \return how many the device gave.
    uint32_t Grow(uint32_t count);
    /// Makes regions that other slots keep free for all. \return whether there were any.
    bool Reclaim();
    /// \return octets at \p address that one region can hold, at most \p length.
    [[nodiscard]] uint32_t GetExtent(uint64_t address, uint32_t length) const;

    /**
     * \brief Appends a REGISTER_MR to \p chain.
     * \param slot whose region it is, for the policy
     * \param iova upper 32 bits of the tagged offset; the lower are those of the address
     * \return nothing when no region is free, or the host's limit of pinned pages is reached: see
     * GetShortage()
     */
    std::optional<Registration> Register(uint32_t slot,
                                         uint64_t address,
                                         uint32_t length,
                                         uint32_t access,
                                         uint32_t iova,
                                         std::vector<SendWorkRequest>& chain);
    /// Appends a LOCAL_INVALIDATE, not signaled, to \p chain.
    void Invalidate(const Registration& registration, std::vector<SendWorkRequest>& chain) const;
    /// The region is invalid again, or was never registered.
    void Release(uint32_t slot, const Registration& registration);

    /// Why Register() or Grow() has given less than was asked for, the last time.
    enum class Shortage
    {
        NONE,
        REGIONS, ///< All are in use, or the device has no more.
        REFUSED, ///< The device has none for the moment.
        PINNED,  ///< Pages would pass the host's limit.
        PRESSURE ///< As PINNED, while memory is short for the moment.
    };

    [[nodiscard]] Shortage GetShortage() const;
    /// \return regions ever allocated.
    [[nodiscard]] uint64_t GetAllocated() const;

  private:
    struct Region
    {
        Ptr<MemoryRegion> region;
        uint32_t registrations{0};
    };

    [[nodiscard]] bool CanPin(const std::vector<SendWorkRequest>& chain,
                              uint64_t address,
                              uint32_t length) const;
    void Replace(uint32_t index);
    Ptr<MemoryRegion> Allocate();

    Ptr<RnicDevice> m_device;
    Ptr<ProtectionDomain> m_domain;
    uint32_t m_maxPages;
    std::unique_ptr<RegistrationPolicy> m_policy;
    Ptr<HostThread> m_thread;
    Time m_mapCost;
    std::vector<Region> m_regions;
    uint64_t m_allocated{0};
    Shortage m_shortage{Shortage::NONE};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CHUNK_REGISTRAR_H
