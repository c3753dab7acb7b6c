/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/fpdu-receiver.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
FpduReceiver::Append(const Packet& packet)
{
    std::copy(m_buffer.begin() + m_begin, m_buffer.begin() + m_end, m_buffer.begin());
    m_end -= m_begin;
    m_begin = 0;
    const uint32_t size = packet.GetSize();
    if (m_buffer.size() < m_end + size)
    {
        m_buffer.resize(std::max(m_end + size, 2 * m_buffer.size()));
    }
    packet.CopyData(m_buffer.data() + m_end, size);
    m_end += size;
}

ByteSpan
FpduReceiver::Rest() const
{
    return ByteSpan(m_buffer).subspan(m_begin, m_end - m_begin);
}

void
FpduReceiver::Skip(std::size_t octets)
{
    const std::size_t taken = std::min(octets, m_end - m_begin);
    m_begin += taken;
    m_position += taken;
}

void
FpduReceiver::StartFullOperation(FpduFraming framing)
{
    m_framing = framing;
    m_position = 0;
}

tl::expected<std::optional<FpduReceiver::Received>, MpaError>
FpduReceiver::TakeFpdu()
{
    const MutableByteSpan rest = MutableByteSpan(m_buffer).subspan(m_begin, m_end - m_begin);
    const auto size = m_framing.PeekWireSize(rest, m_position);
    if (!size || rest.size() < *size)
    {
        return std::nullopt;
    }
    const auto ulpdu = m_framing.Open(rest.first(*size), m_position);
    if (!ulpdu)
    {
        return tl::make_unexpected(ulpdu.error());
    }
    Skip(*size);
    return Received{*ulpdu, *size};
}

} // namespace ns3::nfsrdma
