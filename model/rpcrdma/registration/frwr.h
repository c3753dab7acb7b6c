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
    ~FrwrRegistrar() override;

    uint32_t Grow(uint32_t count) override;
    bool Reclaim() override;
    bool GiveBack(bool pages) override;
    std::optional<Registration> Register(uint32_t slot,
                                         uint64_t address,
                                         uint32_t length,
                                         uint32_t access,
                                         uint32_t iova,
                                         std::vector<SendWorkRequest>& chain) override;
    void Retire(Registration& registration,
                uint32_t octets,
                std::vector<SendWorkRequest>& chain) override;
    void Release(uint32_t slot, const Registration& registration) override;
    [[nodiscard]] bool AllowsRemoteInvalidation() const override;

  private:
    [[nodiscard]] static uint64_t CountPages(const std::vector<SendWorkRequest>& chain);

    RotatingTags m_regions;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REGISTRATION_FRWR_H
