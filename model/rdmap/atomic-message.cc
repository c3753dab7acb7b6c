/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/atomic-message.h"

#include "wire/fields.h"

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
    WriteFields(writer,
                uint32_t{static_cast<uint8_t>(operation)},
                identifier,
                remoteStag,
                remoteOffset,
                data,
                mask,
                compareData,
                compareMask);
}

Decoded<AtomicRequest>
AtomicRequest::Decode(ByteReader& reader)
{
    using Self = AtomicRequest;
    const auto operation = static_cast<AtomicOpcode>(reader.ReadU32() & OPERATION_MASK);
    auto request = ReadFields(reader,
                              &Self::identifier,
                              &Self::remoteStag,
                              &Self::remoteOffset,
                              &Self::data,
                              &Self::mask,
                              &Self::compareData,
                              &Self::compareMask);
    if (!request)
    {
        return request;
    }
    if (operation != AtomicOpcode::FETCH_ADD && operation != AtomicOpcode::CMP_SWAP)
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    request->operation = operation;
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
    WriteFields(writer, identifier, value);
}

Decoded<AtomicResponse>
AtomicResponse::Decode(ByteReader& reader)
{
    return ReadFields(reader, &AtomicResponse::identifier, &AtomicResponse::value);
}

Decoded<ImmediateData>
ImmediateData::Decode(ByteReader& reader)
{
    return ReadFields(reader, &ImmediateData::value);
}

} // namespace ns3::nfsrdma
