/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/fpdu-receiver.h"

#include "wire/spare-octets.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3::nfsrdma
{

void
FpduReceiver::Append(const Packet& packet)
{
    if (m_buffer.empty())
    {
        m_buffer = SpareOctets::Take();
    }
    std::copy(m_buffer.begin() + m_begin, m_buffer.begin() + m_end, m_buffer.begin());
    m_end -= m_begin;
    m_begin = 0;
    const uint32_t size = packet.GetSize();
    if (m_end == 0 && m_buffer.size() < size)
    {
        m_buffer = ByteVector(size);
    }
    else if (m_buffer.size() < m_end + size)
    {
        m_buffer.resize(std::max(m_end + size, 2 * m_buffer.size()));
    }
    packet.CopyData(m_buffer.data() + m_end, size);
    m_end += size;
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

void
FpduReceiver::LookAhead(FpduAssembler::Options options, FpduAssembler::PlaceFunction place)
{
    options.framing = m_framing;
    options.position = m_position;
    m_assembler = std::make_unique<FpduAssembler>(options, std::move(place));
    std::ignore = m_assembler->Receive(m_position, Rest());
}

std::optional<uint32_t>
FpduReceiver::PeekWireSize() const
{
    if (m_assembler && m_assembler->FindPlaced(m_position) != nullptr)
    {
        return 0;
    }
    return m_framing.PeekWireSize(Rest(), m_position);
}

tl::expected<std::optional<FpduReceiver::Received>, MpaError>
FpduReceiver::TakeFpdu()
{
    if (!m_assembler)
    {
        return TakeFpduAtFront();
    }
    m_assembler->Advance(m_position, m_position + Rest().size());
    if (const auto* placed = m_assembler->FindPlaced(m_position))
    {
        if (Rest().size() < placed->wireSize)
        {
            return std::nullopt;
        }
        Skip(placed->wireSize);
        return Received{placed->ulpdu, placed->wireSize, true};
    }
    const uint64_t position = m_position;
    const auto fpdu = TakeFpduAtFront();
    if (m_assembler->HasPlacedBetween(position, m_position))
    {
        return tl::make_unexpected(MpaError::MARKER_MISMATCH);
    }
    return fpdu;
}

tl::expected<std::optional<FpduReceiver::Received>, MpaError>
FpduReceiver::TakeFpduAtFront()
{
    if (m_begin == m_end)
    {
        SpareOctets::Give(std::move(m_buffer));
        m_begin = 0;
        m_end = 0;
        return std::nullopt;
    }
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
    return Received{*ulpdu, *size, false};
}

} // namespace ns3::nfsrdma
