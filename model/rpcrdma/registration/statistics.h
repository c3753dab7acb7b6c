/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_REGISTRATION_STATISTICS_H
#define NFSRDMA_RPCRDMA_REGISTRATION_STATISTICS_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// What ChunkRegistrars have done (counts).
struct RegistrationStatistics
{
    uint64_t registrations{0}; ///< Of memory, by work request or verb.
    uint64_t hits{0};          ///< Pieces of memory found registered in a cache.
    uint64_t misses{0};        ///< Pieces that were not.
    uint64_t evictions{0};     ///< Regions given back for others, by a cache.
    uint64_t copies{0};        ///< To and from buffers of a pool.
    uint64_t copiedBytes{0};   ///< Octets of these.
    uint64_t leftValid{0};     ///< Pieces released whose STag the peer can still use.

    RegistrationStatistics& operator+=(const RegistrationStatistics& other)
    {
        registrations += other.registrations;
        hits += other.hits;
        misses += other.misses;
        evictions += other.evictions;
        copies += other.copies;
        copiedBytes += other.copiedBytes;
        leftValid += other.leftValid;
        return *this;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REGISTRATION_STATISTICS_H
