/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "ipsec/esp-packet.h"
#include "ipsec/ip-packet.h"
#include "ipsec/security-association.h"

namespace ns3::nfsrdma
{

namespace
{

void
CheckPacket(ByteSpan input)
{
    const auto packet = EspPacket::Decode(input);
    if (!packet)
    {
        return;
    }
    FuzzExpect(packet->GetSize() == input.size());
    ByteVector encoded(packet->GetSize());
    packet->Encode(encoded);
    FuzzExpect(SameOctets(encoded, input));
}

void
CheckPlaintext(ByteSpan input)
{
    const auto plaintext = EspPlaintext::Decode(input);
    if (!plaintext)
    {
        return;
    }
    FuzzExpect(plaintext->GetSize() == input.size());
    ByteVector encoded(plaintext->GetSize());
    plaintext->Encode(encoded);
    FuzzExpect(SameOctets(encoded, input));
}

/// What a policy reads, and what takes the headers of a tunnel off.
void
CheckIpPacket(ByteSpan input)
{
    const auto packet = IpPacket::Read(input);
    if (!packet)
    {
        return;
    }
    FuzzExpect(packet->headerSize <= packet->length && packet->length <= input.size());
    ByteVector whole(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(packet->length));
    ByteVector outer(packet->GetOuterSize() + whole.size());
    IpPacket::WriteOuter(outer, whole);
    const auto again = IpPacket::Read(outer);
    FuzzExpect(again && again->protocol == IpPacket::ESP && again->length == outer.size());
    FuzzExpect(again->source == packet->source && again->destination == packet->destination);
    FuzzExpect(!IpPacket::LeaveTunnel(outer, whole) || IpPacket::Read(whole).has_value());
}

/// A receiver drops what no sender with its key has made.
void
CheckForgery(ByteSpan input)
{
    EspKey key;
    key.key.resize(GetKeySize(EspSuite::AES_128_GCM));
    SecurityAssociation association(1, key, AssociationTraits(), Time());
    ByteVector forged(input.begin(), input.end());
    FuzzExpect(!association.Open(forged));
}

} // namespace

/// Input: an ESP packet, what one hides, or an IP packet.
void
FuzzOne(ByteSpan input)
{
    CheckPacket(input);
    CheckPlaintext(input);
    CheckIpPacket(input);
    CheckForgery(input);
}

} // namespace ns3::nfsrdma
