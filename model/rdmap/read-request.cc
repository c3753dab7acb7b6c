/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/read-request.h"

#include "wire/fields.h"

namespace ns3::nfsrdma
{

void
RdmaReadRequest::Encode(ByteWriter& writer) const
{
    WriteFields(writer, sinkStag, sinkOffset, length, sourceStag, sourceOffset);
}

Decoded<RdmaReadRequest>
RdmaReadRequest::Decode(ByteReader& reader)
{
    using Self = RdmaReadRequest;
    return ReadFields(reader,
                      &Self::sinkStag,
                      &Self::sinkOffset,
                      &Self::length,
                      &Self::sourceStag,
                      &Self::sourceOffset);
}

} // namespace ns3::nfsrdma
