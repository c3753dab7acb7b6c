/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_STAG_FAULT_H
#define NFSRDMA_RNIC_MEMORY_STAG_FAULT_H

#include "ddp/buffer-error.h"
#include "rdmap/terminate-message.h"

namespace ns3::nfsrdma
{

/// Why an STag does not give access, in the order of the checks, or cannot be invalidated.
enum class StagFault
{
    UNKNOWN,           ///< No region or window has this index, or its key is another.
    NOT_VALID,         ///< The region is not registered, the window not bound.
    NOT_ASSOCIATED,    ///< It belongs to another protection domain.
    ACCESS,            ///< The registration or binding does not grant the right.
    WRAP,              ///< Offset + length passes 2^64.
    BOUNDS,            ///< Not wholly inside the registration or binding.
    CANNOT_INVALIDATE, ///< A regular region.
    WINDOWS_BOUND,     ///< A region over which windows are bound.
};

/// \return the DDP error for a tagged placement that met \p fault (there is none for rights).
[[nodiscard]] DdpError ToDdpError(StagFault fault);
/// \return the RDMAP error for a Read Request or an invalidation that met \p fault.
[[nodiscard]] RdmapError ToRdmapError(StagFault fault);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_STAG_FAULT_H
