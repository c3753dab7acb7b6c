/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/lacpdu.h"

#include "wire/byte-reader.h"
#include "wire/byte-writer.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::array<uint8_t, 6> SLOW_PROTOCOLS{0x01, 0x80, 0xc2, 0x00, 0x00, 0x02};
constexpr uint16_t SLOW_PROTOCOLS_TYPE = 0x8809;
constexpr uint8_t LACP_SUBTYPE = 1;
constexpr uint8_t ACTOR_TYPE = 1;
constexpr uint8_t PARTNER_TYPE = 2;
constexpr uint8_t PORT_LENGTH = 20;
constexpr std::size_t PORT_RESERVED = 3;
constexpr uint8_t COLLECTOR_TYPE = 3;
constexpr uint8_t COLLECTOR_LENGTH = 16;
constexpr std::size_t COLLECTOR_RESERVED = 12;
constexpr std::size_t TERMINATOR = 2;

void
WritePort(ByteWriter& writer, uint8_t type, const LacpPortInfo& info)
{
    writer.WriteU8(type);
    writer.WriteU8(PORT_LENGTH);
    writer.WriteU16(info.systemPriority);
    writer.WriteBytes(info.system);
    writer.WriteU16(info.key);
    writer.WriteU16(info.portPriority);
    writer.WriteU16(info.port);
    writer.WriteU8(info.state);
    writer.WriteZeros(PORT_RESERVED);
}

void
Expect(ByteReader& reader, uint8_t octet)
{
    if (reader.ReadU8() != octet)
    {
        reader.Fail();
    }
}

template <std::size_t SIZE>
void
ReadInto(ByteReader& reader, std::array<uint8_t, SIZE>& octets)
{
    const auto read = reader.ReadBytes(SIZE);
    std::copy(read.begin(), read.end(), octets.begin());
}

LacpPortInfo
ReadPort(ByteReader& reader, uint8_t type)
{
    LacpPortInfo info;
    Expect(reader, type);
    Expect(reader, PORT_LENGTH);
    info.systemPriority = reader.ReadU16();
    ReadInto(reader, info.system);
    info.key = reader.ReadU16();
    info.portPriority = reader.ReadU16();
    info.port = reader.ReadU16();
    info.state = reader.ReadU8();
    reader.Skip(PORT_RESERVED);
    return info;
}

} // namespace

bool
LacpPortInfo::IsLike(const LacpPortInfo& other, uint8_t bits) const
{
    return systemPriority == other.systemPriority && system == other.system && key == other.key &&
           portPriority == other.portPriority && port == other.port &&
           (state & bits) == (other.state & bits);
}

void
Lacpdu::Encode(MutableByteSpan frame) const
{
    ByteWriter writer(frame);
    writer.WriteBytes(SLOW_PROTOCOLS);
    writer.WriteBytes(source);
    writer.WriteU16(SLOW_PROTOCOLS_TYPE);
    writer.WriteU8(LACP_SUBTYPE);
    writer.WriteU8(version);
    WritePort(writer, ACTOR_TYPE, actor);
    WritePort(writer, PARTNER_TYPE, partner);
    writer.WriteU8(COLLECTOR_TYPE);
    writer.WriteU8(COLLECTOR_LENGTH);
    writer.WriteU16(collectorDelay);
    writer.WriteZeros(COLLECTOR_RESERVED);
    writer.WriteZeros(writer.Remaining());
}

bool
Lacpdu::IsSlowProtocol(ByteSpan frame)
{
    return frame.size() >= SLOW_PROTOCOLS.size() &&
           std::equal(SLOW_PROTOCOLS.begin(), SLOW_PROTOCOLS.end(), frame.begin());
}

std::optional<Lacpdu>
Lacpdu::Decode(ByteSpan frame)
{
    if (frame.size() < SIZE || !IsSlowProtocol(frame))
    {
        return std::nullopt;
    }
    Lacpdu pdu;
    ByteReader reader(frame);
    reader.Skip(SLOW_PROTOCOLS.size());
    ReadInto(reader, pdu.source);
    if (reader.ReadU16() != SLOW_PROTOCOLS_TYPE)
    {
        reader.Fail();
    }
    Expect(reader, LACP_SUBTYPE);
    pdu.version = reader.ReadU8();
    pdu.actor = ReadPort(reader, ACTOR_TYPE);
    pdu.partner = ReadPort(reader, PARTNER_TYPE);
    Expect(reader, COLLECTOR_TYPE);
    Expect(reader, COLLECTOR_LENGTH);
    pdu.collectorDelay = reader.ReadU16();
    reader.Skip(COLLECTOR_RESERVED);
    for (std::size_t i = 0; pdu.version == VERSION && i < TERMINATOR; ++i)
    {
        Expect(reader, 0);
    }
    return reader.Ok() && pdu.version >= VERSION ? std::make_optional(pdu) : std::nullopt;
}

} // namespace ns3::nfsrdma
