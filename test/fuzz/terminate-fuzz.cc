/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "rdmap/terminate-message.h"

namespace ns3::nfsrdma
{

namespace
{

ByteVector
Encode(const TerminateMessage& message)
{
    ByteVector octets(message.EncodedSize());
    ByteWriter writer(octets);
    message.Encode(writer);
    FuzzExpect(writer.Ok() && writer.Remaining() == 0);
    return octets;
}

} // namespace

void
FuzzOne(ByteSpan input)
{
    const auto message = TerminateMessage::Decode(input);
    if (!message)
    {
        return;
    }
    const auto reason = TerminateMessage::DecodeReason(input);
    FuzzExpect(reason && *reason == message->reason);
    FuzzExpect(!reason->ToString().empty());
    const ByteVector octets = Encode(*message);
    FuzzExpect(octets.size() <= input.size());
    const auto again = TerminateMessage::Decode(octets);
    FuzzExpect(again && SameOctets(Encode(*again), octets));
}

} // namespace ns3::nfsrdma
