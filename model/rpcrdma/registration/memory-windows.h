/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_REGISTRATION_MEMORY_WINDOWS_H
#define NFSRDMA_RPCRDMA_REGISTRATION_MEMORY_WINDOWS_H

#include "rpcrdma/registration/chunk-registrar.h"
#include "rpcrdma/registration/rotating-tags.h"

namespace ns3::nfsrdma
{

/**
 * \brief "memory-window": type 2 windows, bound by BIND_WINDOW over a region of all memory, and
 * invalidated as fast-register regions are. Pins no pages: the memory of a kernel stays where it
 * is.
 */
class MemoryWindowRegistrar : public ChunkRegistrar
{
  public:
    MemoryWindowRegistrar(Ptr<RnicDevice> device,
                          Ptr<ProtectionDomain> domain,
                          const RegistrationSettings& settings);
    ~MemoryWindowRegistrar() override;

    uint32_t Grow(uint32_t count) override;

    bool Reclaim() override
    {
        return m_windows->Reclaim();
    }

    bool GiveBack(bool pages) override;
    [[nodiscard]] uint32_t GetMost() const override;
    [[nodiscard]] uint32_t CountUsed(RegionUse use) const override;
    [[nodiscard]] bool NeedsRegion() const override;
    std::optional<Registration> Register(const Piece& piece, Chain& chain) override;
    void Retire(Registration& registration, uint32_t octets, Chain& chain) override;

    void Release(uint32_t slot, const Registration& registration) override
    {
        m_windows->Return(slot, registration.number);
    }

    [[nodiscard]] bool AllowsRemoteInvalidation() const override
    {
        return true;
    }

  private:
    Ptr<MemoryRegion> m_all; ///< Null until the first Grow(), and when it was given back.
    std::optional<RotatingTags> m_windows;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REGISTRATION_MEMORY_WINDOWS_H
