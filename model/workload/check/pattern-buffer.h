/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_PATTERN_BUFFER_H
#define NFSRDMA_WORKLOAD_CHECK_PATTERN_BUFFER_H

#include "host/memory.h"
#include "workload/check/content-pattern.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// Fills the first \p count octets of \p buffer with those of \p pattern from \p offset on.
void FillBuffer(HostBuffer& buffer, const ContentPattern& pattern, uint64_t offset, uint32_t count);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_PATTERN_BUFFER_H
