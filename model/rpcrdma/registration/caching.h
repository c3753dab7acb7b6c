/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_REGISTRATION_CACHING_H
#define NFSRDMA_RPCRDMA_REGISTRATION_CACHING_H

#include "rpcrdma/registration/chunk-registrar.h"

#include <list>
#include <map>

namespace ns3::nfsrdma
{

/**
 * \brief "cache": regular regions that stay valid, for reading and writing, until their number
 * passes the capacity or the host's limit of pinned pages, or a call that uses them is given up.
 * Then the one unused for the longest time is destroyed.
 *
 * A piece inside a region that is there costs nothing. A region is not told when its memory is
 * freed: it names what is allocated at that address next. A peer can use its STag all the time.
 */
class CachingRegistrar : public ChunkRegistrar
{
  public:
    CachingRegistrar(Ptr<RnicDevice> device,
                     Ptr<ProtectionDomain> domain,
                     const RegistrationSettings& settings);
    ~CachingRegistrar() override;

    uint32_t Grow(uint32_t count) override;

    bool GiveBack(bool /*pages*/) override
    {
        return Evict();
    }

    [[nodiscard]] uint32_t GetMost() const override
    {
        return m_capacity;
    }

    std::optional<Registration> Register(const Piece& piece, Chain& chain) override;
    void Retire(Registration& registration, uint32_t octets, Chain& chain) override;
    void Release(uint32_t slot, const Registration& registration) override;
    void Fence(Registration& registration, Chain& chain) override;

  private:
    struct Entry
    {
        Ptr<MemoryRegion> region;
        uint64_t address{0};
        uint32_t users{0};
        bool fenced{false};                   ///< Goes with its last user.
        std::list<uint32_t>::iterator unused; ///< Without users.
    };

    [[nodiscard]] std::optional<uint32_t> Find(uint64_t address, uint32_t length) const;
    std::optional<uint32_t> Make(uint64_t address, uint32_t length);
    /// \return whether there was one to evict.
    bool Evict();
    /// It is not found any more.
    void Hide(uint32_t number);
    void Remove(uint32_t number);

    uint32_t m_capacity;
    std::map<uint32_t, Entry> m_entries;           ///< By number.
    std::multimap<uint64_t, uint32_t> m_byAddress; ///< Numbers of those not fenced.
    std::list<uint32_t> m_unused;                  ///< Numbers; the one unused longest is first.
    uint32_t m_next{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REGISTRATION_CACHING_H
