/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "rpcrdma/message/private-data.h"
#include "rpcrdma/message/transport-header.h"

namespace ns3::nfsrdma
{

namespace
{

ByteVector
Encode(const RpcRdmaHeader& header)
{
    ByteVector octets(header.GetEncodedSize());
    ByteWriter writer(octets);
    header.Encode(writer);
    FuzzExpect(writer.Ok() && writer.Remaining() == 0);
    return octets;
}

void
CheckHeader(ByteSpan input)
{
    ByteReader reader(input);
    const auto header = RpcRdmaHeader::Decode(reader);
    if (!header)
    {
        return;
    }
    FuzzExpect(SameOctets(Encode(*header), input.first(reader.Position())));
}

void
CheckPrivateData(ByteSpan input)
{
    const auto privateData = RpcRdmaPrivateData::Decode(input);
    const RpcRdmaPrivateData assumed = DecodePrivateDataOrDefault(input);
    FuzzExpect(assumed.sendSize >= RpcRdmaPrivateData::MINIMUM_INLINE);
    FuzzExpect(assumed.receiveSize >= RpcRdmaPrivateData::MINIMUM_INLINE);
    if (privateData)
    {
        const ByteVector octets = privateData->Encode();
        const auto again = RpcRdmaPrivateData::Decode(octets);
        FuzzExpect(again && SameOctets(again->Encode(), octets));
    }
}

} // namespace

void
FuzzOne(ByteSpan input)
{
    CheckHeader(input);
    CheckPrivateData(input);
}

} // namespace ns3::nfsrdma
