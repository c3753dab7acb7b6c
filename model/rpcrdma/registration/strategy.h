/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_REGISTRATION_STRATEGY_H
#define NFSRDMA_RPCRDMA_REGISTRATION_STRATEGY_H

#include "settings/named.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Which invalid memory region a request registers next.
 *
 * Regions are numbers of a ChunkRegistrar, requests are numbers of slots. Policies, by name:
 * - "linux": a region stays with the slot that used it (rl_free_mrs); slots without one take the
 *   latest of a common list (rb_mrs);
 * - "shared-fifo": one common list; the region that was invalidated longest ago comes first.
 */
class RegistrationPolicy : public Named<RegistrationPolicy>
{
  public:
    virtual ~RegistrationPolicy() = default;

    /// A region was allocated.
    virtual void Add(uint32_t region) = 0;
    /// \return a region for \p slot, taken out; nothing when there is none for it.
    virtual std::optional<uint32_t> Take(uint32_t slot) = 0;
    /// \p slot has invalidated \p region.
    virtual void Return(uint32_t slot, uint32_t region) = 0;
    /// Makes every region that is not taken free for all slots. \return whether that changed
    /// anything.
    virtual bool Reclaim() = 0;

    [[nodiscard]] static Registry<RegistrationPolicy>& GetKinds();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REGISTRATION_STRATEGY_H
