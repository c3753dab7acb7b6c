/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_REGISTRATION_POOL_H
#define NFSRDMA_RPCRDMA_REGISTRATION_POOL_H

#include "rpcrdma/registration/chunk-registrar.h"

#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief "preregistered": buffers of regionPages pages, each a regular region for reading and
 * writing, made by the first Grow(). Octets to be read are copied in by Register(), octets written
 * are copied out by Retire(), at the speed of the processor (HostCpu::GetCopyTime()).
 *
 * A call that was given up keeps its buffers until it is answered. With all in use, calls wait as
 * for regions. The pad segment of Write chunks takes a buffer of its own.
 */
class PoolRegistrar : public ChunkRegistrar
{
  public:
    PoolRegistrar(Ptr<RnicDevice> device,
                  Ptr<ProtectionDomain> domain,
                  const RegistrationSettings& settings);
    ~PoolRegistrar() override;

    uint32_t Grow(uint32_t count) override;
    bool GiveBack(bool pages) override;

    [[nodiscard]] uint32_t GetMost() const override
    {
        return m_size;
    }

    [[nodiscard]] uint32_t GetExtent(uint64_t address, uint32_t length) const override;
    std::optional<Registration> Register(const Piece& piece, Chain& chain) override;

    [[nodiscard]] bool HoldsCopies() const override
    {
        return true;
    }

    bool AppendZeros(Registration& registration, uint32_t count) override;
    void Retire(Registration& registration, uint32_t octets, Chain& chain) override;

    void Release(uint32_t /*slot*/, const Registration& registration) override
    {
        m_free.push_back(registration.number);
    }

    [[nodiscard]] Fencing GetFencing() const override;

  private:
    struct Buffer
    {
        HostBuffer memory;
        Ptr<MemoryRegion> region;
    };

    uint32_t m_size; ///< Buffers when all could be made.
    std::vector<Buffer> m_buffers;
    std::vector<uint32_t> m_free;   ///< The one used last is last.
    std::vector<uint32_t> m_vacant; ///< Those given back.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REGISTRATION_POOL_H
