/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_REGISTRATION_ALL_PHYSICAL_H
#define NFSRDMA_RPCRDMA_REGISTRATION_ALL_PHYSICAL_H

#include "rpcrdma/registration/chunk-registrar.h"

namespace ns3::nfsrdma
{

/**
 * \brief "all-physical": every piece is named by the STag of all memory, with its host address as
 * tagged offset. A peer that knows the STag, which each chunk shows, can read and write whatever is
 * allocated as long as the connection lasts, and the memory of calls it has not answered cannot be
 * fenced.
 */
class AllPhysicalRegistrar : public ChunkRegistrar
{
  public:
    AllPhysicalRegistrar(Ptr<RnicDevice> device,
                         Ptr<ProtectionDomain> domain,
                         const RegistrationSettings& settings);
    ~AllPhysicalRegistrar() override;

    uint32_t Grow(uint32_t count) override;
    bool GiveBack(bool pages) override;
    [[nodiscard]] uint32_t CountUsed(RegionUse use) const override;
    [[nodiscard]] bool NeedsRegion() const override;

    std::optional<Registration> Register(const Piece& piece, Chain& chain) override;
    void Retire(Registration& registration, uint32_t octets, Chain& chain) override;

    void Release(uint32_t /*slot*/, const Registration& /*registration*/) override
    {
    }

    [[nodiscard]] Fencing GetFencing() const override;

  private:
    Ptr<MemoryRegion> m_all; ///< Null until the first Grow().
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REGISTRATION_ALL_PHYSICAL_H
