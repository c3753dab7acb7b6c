/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/atomic-message.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t OPERATION_MASK = 0x0f;

uint64_t
AddFields(uint64_t value, uint64_t data, uint64_t boundaries)
{
    // Below its top bit no field can carry out, so one addition does for all of them.
    const uint64_t low = ~boundaries;
    return ((value & low) + (data & low)) ^ ((value ^ data) & boundaries);
}

} // namespace

void
AtomicRequest::Encode(ByteWriter& writer) const
{
    writer.WriteU32(static_cast<uint8_t>(operation));
    writer.WriteU32(identifier);
    writer.WriteU32(remoteStag);
    writer.WriteU64(remoteOffset);
    writer.WriteU64(data);
    writer.WriteU64(mask);
    writer.WriteU64(compareData);
    writer.WriteU64(compareMask);
}

Decoded<AtomicRequest>
AtomicRequest::Decode(ByteReader& reader)
{
    AtomicRequest request;
    const uint32_t operation = reader.ReadU32() & OPERATION_MASK;
    request.operation = static_cast<AtomicOpcode>(operation);
    request.identifier = reader.ReadU32();
    request.remoteStag = reader.ReadU32();
    request.remoteOffset = reader.ReadU64();
    request.data = reader.ReadU64();
    request.mask = reader.ReadU64();
    request.compareData = reader.ReadU64();
    request.compareMask = reader.ReadU64();
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    if (request.operation != AtomicOpcode::FETCH_ADD && request.operation != AtomicOpcode::CMP_SWAP)
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    return request;
}

uint64_t
AtomicRequest::Apply(uint64_t value) const
{
    if (operation == AtomicOpcode::FETCH_ADD)
    {
        return AddFields(value, data, mask);
    }
    const bool equal = ((value ^ compareData) & compareMask) == 0;
    return equal ? (value & ~mask) | (data & mask) : value;
}

void
AtomicResponse::Encode(ByteWriter& writer) const
{
    writer.WriteU32(identifier);
    writer.WriteU64(value);
}

Decoded<AtomicResponse>
AtomicResponse::Decode(ByteReader& reader)
{
    AtomicResponse response;
    response.identifier = reader.ReadU32();
    response.value = reader.ReadU64();
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    return response;
}

void
ImmediateData::Encode(ByteWriter& writer) const
{
    writer.WriteU64(value);
}

Decoded<ImmediateData>
ImmediateData::Decode(ByteReader& reader)
{
    ImmediateData data;
    data.value = reader.ReadU64();
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    return data;
}

} // namespace ns3::nfsrdma
