/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/private-data.h"

#include "wire/byte-reader.h"
#include "wire/byte-writer.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t UNIT = 1024;

uint8_t
EncodeSize(uint32_t octets)
{
    const uint32_t bounded =
        std::clamp(octets, RpcRdmaPrivateData::MINIMUM_INLINE, RpcRdmaPrivateData::MAXIMUM_INLINE);
    return static_cast<uint8_t>(bounded / UNIT - 1);
}

uint32_t
DecodeSize(uint8_t coded)
{
    return (uint32_t{coded} + 1) * UNIT;
}

std::size_t
FindIdentifier(ByteSpan octets)
{
    const uint32_t size = sizeof(RpcRdmaPrivateData::FORMAT_IDENTIFIER);
    for (std::size_t offset = 0; offset + size <= octets.size(); ++offset)
    {
        if (boost::endian::load_big_u32(octets.data() + offset) ==
            RpcRdmaPrivateData::FORMAT_IDENTIFIER)
        {
            return offset;
        }
    }
    return octets.size();
}

} // namespace

ByteVector
RpcRdmaPrivateData::Encode() const
{
    ByteVector octets(SIZE);
    ByteWriter writer(octets);
    writer.WriteU32(FORMAT_IDENTIFIER);
    writer.WriteU8(VERSION);
    writer.WriteU8(remoteInvalidation ? FLAG_REMOTE_INVALIDATION : 0);
    writer.WriteU8(EncodeSize(sendSize));
    writer.WriteU8(EncodeSize(receiveSize));
    return octets;
}

Decoded<RpcRdmaPrivateData>
RpcRdmaPrivateData::Decode(ByteSpan privateData)
{
    ByteReader reader(privateData.subspan(FindIdentifier(privateData)));
    reader.ReadU32();
    const uint8_t version = reader.ReadU8();
    const uint8_t flags = reader.ReadU8();
    const uint8_t sendSize = reader.ReadU8();
    const uint8_t receiveSize = reader.ReadU8();
    if (!reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    if (version != VERSION)
    {
        return tl::unexpected(WireError::BAD_VERSION);
    }
    RpcRdmaPrivateData data;
    data.remoteInvalidation = (flags & FLAG_REMOTE_INVALIDATION) != 0;
    data.sendSize = DecodeSize(sendSize);
    data.receiveSize = DecodeSize(receiveSize);
    return data;
}

RpcRdmaPrivateData
DecodePrivateDataOrDefault(ByteSpan privateData)
{
    return RpcRdmaPrivateData::Decode(privateData).value_or(RpcRdmaPrivateData());
}

} // namespace ns3::nfsrdma
