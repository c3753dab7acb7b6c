/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/xdr-writer.h"

#include "ns3/assert.h"

#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// Octets that there is room for from the first item on.
constexpr std::size_t FIRST_BLOCK = 64;

} // namespace

void
XdrWriter::WriteU32(uint32_t value)
{
    const std::size_t offset = m_octets.size();
    if (m_octets.capacity() == 0)
    {
        m_octets.reserve(FIRST_BLOCK);
    }
    m_octets.resize(offset + sizeof(value));
    boost::endian::store_big_u32(m_octets.data() + offset, value);
}

void
XdrWriter::WriteU64(uint64_t value)
{
    const std::size_t offset = m_octets.size();
    m_octets.resize(offset + sizeof(value));
    boost::endian::store_big_u64(m_octets.data() + offset, value);
}

void
XdrWriter::WriteFixedOpaque(ByteSpan octets)
{
    m_octets.insert(m_octets.end(), octets.data(), octets.data() + octets.size());
    Pad(octets.size());
}

void
XdrWriter::WriteOpaque(ByteSpan octets)
{
    WriteU32(octets.size());
    WriteFixedOpaque(octets);
}

void
XdrWriter::WriteString(std::string_view text)
{
    WriteU32(text.size());
    m_octets.insert(m_octets.end(), text.begin(), text.end());
    Pad(text.size());
}

ByteVector
XdrWriter::Take()
{
    return std::exchange(m_octets, {});
}

void
XdrWriter::PatchU32(std::size_t offset, uint32_t value)
{
    NS_ASSERT_MSG(offset + sizeof(value) <= m_octets.size(), "no word at offset " << offset);
    boost::endian::store_big_u32(m_octets.data() + offset, value);
}

void
XdrWriter::Pad(std::size_t length)
{
    m_octets.insert(m_octets.end(), Pad4(length), uint8_t{0});
}

} // namespace ns3::nfsrdma
