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
    m_begin += std::min(octets, m_end - m_begin);
}

ByteSpan
FpduReceiver::TakeFpdu()
{
    const ByteSpan rest = Rest();
    const auto size = Fpdu::PeekWireSize(rest);
    if (!size || rest.size() < *size)
    {
        return {};
    }
    Skip(*size);
    return rest.first(*size);
}

} // namespace ns3::nfsrdma
