/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_REGISTRATION_VERBS_H
#define NFSRDMA_RNIC_MEMORY_REGISTRATION_VERBS_H

#include "rnic/memory/stag-table.h"
#include "rnic/queue/work-request.h"

#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

class RnicDevice;

/**
 * \brief The verbs of a device that make and destroy memory regions and windows.
 *
 * Protection domains given are alive. Verbs that cost time of the host take it from the control
 * thread of the device.
 */
class MemoryVerbs
{
  public:
    explicit MemoryVerbs(RnicDevice& device);
    MemoryVerbs(const MemoryVerbs&) = delete;
    MemoryVerbs& operator=(const MemoryVerbs&) = delete;

    /// Makes an invalid fast-register region.
    [[nodiscard]] tl::expected<Ptr<MemoryRegion>, VerbsError> AllocateRegion(
        Ptr<ProtectionDomain> domain,
        uint32_t maxPages);
    /// Makes a regular region, with a key of the device's choice.
    [[nodiscard]] tl::expected<Ptr<MemoryRegion>, VerbsError> RegisterRegion(
        Ptr<ProtectionDomain> domain,
        MemoryRegistration registration);
    [[nodiscard]] tl::expected<void, VerbsError> Destroy(Ptr<MemoryRegion> region);

    [[nodiscard]] tl::expected<Ptr<MemoryWindow>, VerbsError> AllocateWindow(
        Ptr<ProtectionDomain> domain);
    [[nodiscard]] tl::expected<void, VerbsError> Destroy(Ptr<MemoryWindow> window);

    [[nodiscard]] StagTable& GetTable()
    {
        return m_table;
    }

    [[nodiscard]] const StagTable& GetTable() const
    {
        return m_table;
    }

  private:
    RnicDevice& m_device;
    StagTable m_table;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_REGISTRATION_VERBS_H
