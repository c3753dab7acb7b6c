/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_READ_REQUEST_H
#define NFSRDMA_RDMAP_READ_REQUEST_H

#include "ddp/segment-header.h"

namespace ns3::nfsrdma
{

/**
 * \brief RDMA Read Request header, RFC 5040 section 4.4: 28 octets after the DDP header.
 *
 *     | sink STag 4 | sink TO 8 | size 4 | source STag 4 | source TO 8 |
 */
struct RdmaReadRequest
{
    static constexpr uint32_t SIZE = 28;

    Stag sinkStag{0};
    uint64_t sinkOffset{0};
    uint32_t length{0};
    Stag sourceStag{0};
    uint64_t sourceOffset{0};

    void Encode(ByteWriter& writer) const;
    [[nodiscard]] static Decoded<RdmaReadRequest> Decode(ByteReader& reader);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_READ_REQUEST_H
