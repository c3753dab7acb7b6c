/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/bulk-data.h"

namespace ns3::nfsrdma
{

Nfs3Data::Nfs3Data(ByteSpan inlineOctets)
    : length(inlineOctets.size()),
      octets(inlineOctets)
{
}

Nfs3Data
Nfs3Data::Reduced(uint32_t itemLength)
{
    Nfs3Data data;
    data.length = itemLength;
    data.reduced = true;
    return data;
}

void
Nfs3Data::Encode(XdrWriter& writer) const
{
    if (reduced)
    {
        writer.WriteU32(length);
    }
    else
    {
        writer.WriteOpaque(octets);
    }
}

Nfs3Data
Nfs3Data::Decode(XdrReader& reader, uint32_t limit, bool isReduced)
{
    if (!isReduced)
    {
        return Nfs3Data(reader.ReadOpaque(limit));
    }
    const uint32_t length = reader.ReadU32();
    if (length > limit)
    {
        reader.Fail();
    }
    return Reduced(length);
}

} // namespace ns3::nfsrdma
