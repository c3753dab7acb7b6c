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

    bool GiveBack(bool /*pages*/) override
    {
        return false;
    }

    std::optional<Registration> Register(const Piece& piece, Chain& chain) override;

    void Retire(Registration& registration, uint32_t /*octets*/, Chain& /*chain*/) override
    {
        Release(0, registration);
    }

    void Release(uint32_t slot, const Registration& registration) override;

  private:
    std::map<uint32_t, Ptr<MemoryRegion>> m_regions; ///< By number.
    uint32_t m_next{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REGISTRATION_REGULAR_H
