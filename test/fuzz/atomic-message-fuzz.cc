/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "rdmap/atomic-message.h"

namespace ns3::nfsrdma
{

namespace
{

template <typename Message>
void
RoundTrip(ByteSpan input)
{
    ByteReader reader(input);
    const auto message = Message::Decode(reader);
    if (!message)
    {
        return;
    }
    ByteVector octets(Message::SIZE);
    ByteWriter writer(octets);
    message->Encode(writer);
    FuzzExpect(writer.Ok() && writer.Remaining() == 0);
    FuzzExpect(reader.Remaining() == input.size() - Message::SIZE);
    ByteReader againReader(octets);
    const auto again = Message::Decode(againReader);
    FuzzExpect(again.has_value());
    ByteVector octetsAgain(Message::SIZE);
    ByteWriter writerAgain(octetsAgain);
    again->Encode(writerAgain);
    FuzzExpect(SameOctets(octets, octetsAgain));
}

} // namespace

void
FuzzOne(ByteSpan input)
{
    RoundTrip<AtomicRequest>(input);
    RoundTrip<AtomicResponse>(input);
    RoundTrip<ImmediateData>(input);
    ByteReader reader(input);
    const auto request = AtomicRequest::Decode(reader);
    if (request && request->operation == AtomicOpcode::CMP_SWAP)
    {
        const uint64_t before = reader.ReadU64();
        FuzzExpect(((request->Apply(before) ^ before) & ~request->mask) == 0);
    }
}

} // namespace ns3::nfsrdma
