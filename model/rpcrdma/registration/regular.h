/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_REGISTRATION_REGULAR_H
#define NFSRDMA_RPCRDMA_REGISTRATION_REGULAR_H

#include "rpcrdma/registration/chunk-registrar.h"

#include <map>

namespace ns3::nfsrdma
{

/**
 * \brief "regular": a region is made for each piece by a verb, and destroyed when it is retired or
 * fenced. Both take time of the control thread (host_register_*), for which the caller waits.
 */
class RegularRegistrar : public ChunkRegistrar
{
  public:
    RegularRegistrar(Ptr<RnicDevice> device,
                     Ptr<ProtectionDomain> domain,
                     const RegistrationSettings& settings);
    ~RegularRegistrar() override;

    uint32_t Grow(uint32_t count) override;
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

  private:
    std::map<uint32_t, Ptr<MemoryRegion>> m_regions; ///< By number.
    uint32_t m_next{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REGISTRATION_REGULAR_H
