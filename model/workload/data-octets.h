/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_DATA_OCTETS_H
#define NFSRDMA_WORKLOAD_DATA_OCTETS_H

#include "nfs/v4/protocol/compound.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// Octets of file data: those that READs (READ_PLUSs: without holes) gave and WRITEs had accepted,
/// as the server's results say.
struct DataOctets
{
    uint64_t read{0};
    uint64_t written{0};

    /// \return those of one COMPOUND.
    [[nodiscard]] static DataOctets Of(const Compound4Res& results);

    [[nodiscard]] uint64_t GetTotal() const
    {
        return read + written;
    }

    DataOctets& operator+=(const DataOctets& other)
    {
        read += other.read;
        written += other.written;
        return *this;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_DATA_OCTETS_H
