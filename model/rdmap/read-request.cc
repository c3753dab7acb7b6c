/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/read-request.h"

namespace ns3::nfsrdma
{

void
RdmaReadRequest::Encode(ByteWriter& writer) const
{
    writer.WriteU32(sinkStag);
    writer.WriteU64(sinkOffset);
    writer.WriteU32(length);
    writer.WriteU32(sourceStag);
    writer.WriteU64(sourceOffset);
}

Decoded<RdmaReadRequest>
RdmaReadRequest::Decode(ByteReader& reader)
{
    RdmaReadRequest request;
    request.sinkStag = reader.ReadU32();
    request.sinkOffset = reader.ReadU64();
    request.length = reader.ReadU32();
    request.sourceStag = reader.ReadU32();
    request.sourceOffset = reader.ReadU64();
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    return request;
}

} // namespace ns3::nfsrdma
