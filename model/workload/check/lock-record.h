/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_LOCK_RECORD_H
#define NFSRDMA_WORKLOAD_CHECK_LOCK_RECORD_H

#include "wire/bytes.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/// Octets of a counter.
constexpr uint32_t LOCK_COUNTER_OCTETS = 8;

/// \return the octets of a record of a lock workload: \p count in network order, again and again.
/// \param octets of the record, a multiple of LOCK_COUNTER_OCTETS
[[nodiscard]] ByteVector MakeLockRecord(uint64_t count, uint32_t octets);

/// \return the count of a record, 0 for one that was never written (no octets); nothing when its
/// octets are not those of one count.
[[nodiscard]] std::optional<uint64_t> ReadLockRecord(ByteSpan octets);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_LOCK_RECORD_H
