/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/xdr-reader.h"

#include <algorithm>

namespace ns3::nfsrdma
{

XdrReader::XdrReader(ByteSpan octets)
    : m_reader(octets)
{
}

bool
XdrReader::ReadBool()
{
    const uint32_t value = m_reader.ReadU32();
    if (value > 1)
    {
        m_reader.Fail();
        return false;
    }
    return value == 1;
}

ByteSpan
XdrReader::ReadFixedOpaque(uint32_t length)
{
    if (length > m_reader.Remaining())
    {
        m_reader.Fail();
        return {};
    }
    const ByteSpan octets = m_reader.ReadBytes(length);
    const ByteSpan pad = m_reader.ReadBytes(Pad4(length));
    if (std::any_of(pad.begin(), pad.end(), [](uint8_t octet) { return octet != 0; }))
    {
        m_reader.Fail();
    }
    return m_reader.Ok() ? octets : ByteSpan();
}

ByteSpan
XdrReader::ReadOpaque(uint32_t limit)
{
    const uint32_t length = m_reader.ReadU32();
    if (length > limit)
    {
        m_reader.Fail();
        return {};
    }
    return ReadFixedOpaque(length);
}

std::string
XdrReader::ReadString(uint32_t limit)
{
    const ByteSpan octets = ReadOpaque(limit);
    return {octets.begin(), octets.end()};
}

} // namespace ns3::nfsrdma
