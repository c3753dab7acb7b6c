/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/private-data.h"

#include "rpcrdma/message/private-data-search.h"
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
RpcRdmaPrivateData::DecodeAt(ByteReader& reader)
{
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

Decoded<RpcRdmaPrivateData>
RpcRdmaPrivateData::Decode(ByteSpan privateData)
{
    return FindInPrivateData<RpcRdmaPrivateData>(privateData);
}

RpcRdmaPrivateData
DecodePrivateDataOrDefault(ByteSpan privateData, PrivateDataPlace place)
{
    const std::size_t searched =
        place == PrivateDataPlace::FRONT
            ? std::min<std::size_t>(RpcRdmaPrivateData::SIZE, privateData.size())
            : privateData.size();
    return RpcRdmaPrivateData::Decode(privateData.first(searched)).value_or(RpcRdmaPrivateData());
}

RpcRdmaPrivateData
RpcRdmaPrivateData::GetAdvertised(std::size_t capacity) const
{
    return DecodePrivateDataOrDefault(EncodeWithin(capacity));
}

} // namespace ns3::nfsrdma
