/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_BYTE_READER_H
#define NFSRDMA_WIRE_BYTE_READER_H

#include "wire/bytes.h"

#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

/**
 * \brief A cursor that reads network-order fields from a span.
 *
 * Failure is sticky: reading past the end returns zero (or an empty span), moves nothing, and makes
 * Ok() false for good, so that a decoder reads all its fields and checks once.
 */
class ByteReader
{
  public:
    explicit ByteReader(ByteSpan octets)
        : m_octets(octets)
    {
    }

    uint8_t ReadU8()
    {
        return Take(1) ? m_octets[m_position - 1] : 0;
    }

    uint16_t ReadU16()
    {
        return Take(2) ? boost::endian::load_big_u16(At(2)) : 0;
    }

    uint32_t ReadU32()
    {
        return Take(4) ? boost::endian::load_big_u32(At(4)) : 0;
    }

    uint64_t ReadU64()
    {
        return Take(8) ? boost::endian::load_big_u64(At(8)) : 0;
    }

    /// \return the next \p length octets, uncopied; empty on failure.
    ByteSpan ReadBytes(std::size_t length)
    {
        return Take(length) ? m_octets.subspan(m_position - length, length) : ByteSpan();
    }

    void Skip(std::size_t length)
    {
        Take(length);
    }

    /// Marks the input as bad from the decoder's side.
    void Fail()
    {
        m_ok = false;
    }

    /// \return true while no read has passed the end.
    [[nodiscard]] bool Ok() const
    {
        return m_ok;
    }

    [[nodiscard]] std::size_t Position() const
    {
        return m_position;
    }

    [[nodiscard]] std::size_t Remaining() const
    {
        return m_octets.size() - m_position;
    }

    /// \return everything not yet read, without moving.
    [[nodiscard]] ByteSpan Rest() const
    {
        return m_octets.subspan(m_position);
    }

  private:
    bool Take(std::size_t length)
    {
        if (!m_ok || length > Remaining())
        {
            m_ok = false;
            return false;
        }
        m_position += length;
        return true;
    }

    const uint8_t* At(std::size_t length) const
    {
        return m_octets.data() + m_position - length;
    }

    ByteSpan m_octets;
    std::size_t m_position{0};
    bool m_ok{true};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_BYTE_READER_H
