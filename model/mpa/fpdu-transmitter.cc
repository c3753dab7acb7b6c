/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/fpdu-transmitter.h"

#include "wire/spare-octets.h"

#include <utility>

namespace ns3::nfsrdma
{

namespace
{

MutableByteSpan
FirstOctets(ByteVector& buffer, std::size_t size)
{
    if (buffer.empty())
    {
        buffer = SpareOctets::Take();
    }
    if (buffer.size() < size)
    {
        buffer.resize(size);
    }
    return MutableByteSpan(buffer).first(size);
}

} // namespace

void
FpduTransmitter::StartFullOperation(FpduFraming framing)
{
    m_framing = framing;
    m_position = 0;
}

MutableByteSpan
FpduTransmitter::Begin(uint32_t length)
{
    m_lentLength = length;
    return FirstOctets(m_buffer, Fpdu::WireSize(length)).subspan(Fpdu::LENGTH_SIZE, length);
}

ByteSpan
FpduTransmitter::Seal()
{
    const MutableByteSpan fpdu = FirstOctets(m_buffer, Fpdu::WireSize(m_lentLength));
    if (!m_framing.markers)
    {
        Fpdu::Seal(fpdu, m_lentLength, m_framing.crc);
        return fpdu;
    }
    const MutableByteSpan marked = FirstOctets(m_marked, WireSize(m_lentLength));
    MarkedFpdu::Seal(fpdu, m_lentLength, m_position, m_framing.crc, marked);
    return marked;
}

void
FpduTransmitter::Advance(std::size_t octets)
{
    m_position += octets;
    SpareOctets::Give(std::move(m_buffer));
    SpareOctets::Give(std::move(m_marked));
}

} // namespace ns3::nfsrdma
