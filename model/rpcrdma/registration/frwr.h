/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_REGISTRATION_FRWR_H
#define NFSRDMA_RPCRDMA_REGISTRATION_FRWR_H

#include "rpcrdma/registration/chunk-registrar.h"
#include "rpcrdma/registration/rotating-tags.h"

namespace ns3::nfsrdma
{

/**
 * \brief "frwr": fast-register regions, made valid by REGISTER_MR and invalid by LOCAL_INVALIDATE
 * or by the peer. A RegistrationPolicy chooses the next one.
 */
class FrwrRegistrar : public ChunkRegistrar
{
  public:
    FrwrRegistrar(Ptr<RnicDevice> device,
                  Ptr<ProtectionDomain> domain,
                  const RegistrationSettings& settings);

    uint32_t Grow(uint32_t count) override
    {
        return m_regions.Grow(count);
    }

    bool Reclaim() override
    {
        return m_regions.Reclaim();
    }

    bool GiveBack(bool pages) override
    {
        return !pages && m_regions.GiveBack();
    }

    std::optional<Registration> Register(const Piece& piece, Chain& chain) override;
    void Retire(Registration& registration, uint32_t octets, Chain& chain) override;

    void Release(uint32_t slot, const Registration& registration) override
    {
        m_regions.Return(slot, registration.number);
    }

    [[nodiscard]] bool AllowsRemoteInvalidation() const override
    {
        return true;
    }

  private:
    [[nodiscard]] static uint64_t CountPages(const Chain& chain);

    RotatingTags m_regions;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REGISTRATION_FRWR_H
