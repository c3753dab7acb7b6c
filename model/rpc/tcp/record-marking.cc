/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/record-marking.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t LAST_FRAGMENT = 0x80000000;

} // namespace

std::array<uint8_t, RpcFragmentHeader::SIZE>
RpcFragmentHeader::Encode() const
{
    std::array<uint8_t, SIZE> octets{};
    boost::endian::store_big_u32(octets.data(), length | (last ? LAST_FRAGMENT : 0));
    return octets;
}

RpcFragmentHeader
RpcFragmentHeader::Decode(ByteSpan octets)
{
    const uint32_t word = boost::endian::load_big_u32(octets.data());
    return {word & MAX_LENGTH, (word & LAST_FRAGMENT) != 0};
}

ByteVector
MarkRecord(ByteSpan message, uint32_t maxFragment)
{
    ByteVector stream;
    const std::size_t fragments = (message.size() + maxFragment - 1) / maxFragment;
    stream.reserve(message.size() + fragments * RpcFragmentHeader::SIZE);
    while (!message.empty())
    {
        const auto length =
            static_cast<uint32_t>(std::min<std::size_t>(message.size(), maxFragment));
        const auto header = RpcFragmentHeader{length, length == message.size()}.Encode();
        stream.insert(stream.end(), header.begin(), header.end());
        stream.insert(stream.end(), message.begin(), message.begin() + length);
        message = message.subspan(length);
    }
    return stream;
}

RecordMarkingDecoder::RecordMarkingDecoder(uint32_t maxRecord)
    : m_maxRecord(maxRecord)
{
}

bool
RecordMarkingDecoder::TakeHeader(ByteSpan& octets)
{
    const auto count = static_cast<uint32_t>(
        std::min<std::size_t>(octets.size(), RpcFragmentHeader::SIZE - m_headerOctets));
    std::copy_n(octets.begin(), count, m_header.begin() + m_headerOctets);
    octets = octets.subspan(count);
    m_headerOctets += count;
    if (m_headerOctets < RpcFragmentHeader::SIZE)
    {
        return false;
    }
    m_fragment = RpcFragmentHeader::Decode(m_header);
    m_left = m_fragment.length;
    m_tooLong = m_left > m_maxRecord - m_record.size();
    return !m_tooLong;
}

Decoded<std::optional<ByteVector>>
RecordMarkingDecoder::Take(ByteSpan& octets)
{
    while (!m_tooLong)
    {
        if (m_headerOctets < RpcFragmentHeader::SIZE && !TakeHeader(octets))
        {
            break;
        }
        const auto count = static_cast<uint32_t>(std::min<std::size_t>(octets.size(), m_left));
        m_record.insert(m_record.end(), octets.begin(), octets.begin() + count);
        octets = octets.subspan(count);
        m_left -= count;
        if (m_left > 0)
        {
            break;
        }
        m_headerOctets = 0;
        if (m_fragment.last)
        {
            ByteVector record;
            record.swap(m_record);
            return record;
        }
    }
    if (m_tooLong)
    {
        return tl::unexpected(WireError::TOO_LONG);
    }
    return std::nullopt;
}

} // namespace ns3::nfsrdma
