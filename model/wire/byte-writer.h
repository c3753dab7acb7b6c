/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_BYTE_WRITER_H
#define NFSRDMA_WIRE_BYTE_WRITER_H

#include "wire/bytes.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

/**
 * \brief A cursor that writes network-order fields into a span of fixed size.
 *
 * Failure is sticky: a write that does not fit writes nothing and makes Ok() false for good.
 */
class ByteWriter
{
  public:
    explicit ByteWriter(MutableByteSpan octets)
        : m_octets(octets)
    {
    }

    void WriteU8(uint8_t value)
    {
        if (Take(1))
        {
            *At(1) = value;
        }
    }

    void WriteU16(uint16_t value)
    {
        if (Take(2))
        {
            boost::endian::store_big_u16(At(2), value);
        }
    }

    void WriteU32(uint32_t value)
    {
        if (Take(4))
        {
            boost::endian::store_big_u32(At(4), value);
        }
    }

    void WriteU64(uint64_t value)
    {
        if (Take(8))
        {
            boost::endian::store_big_u64(At(8), value);
        }
    }

    void WriteBytes(ByteSpan octets)
    {
        if (Take(octets.size()))
        {
            std::copy_n(octets.data(), octets.size(), At(octets.size()));
        }
    }

    void WriteZeros(std::size_t length)
    {
        if (Take(length))
        {
            std::fill_n(At(length), length, uint8_t{0});
        }
    }

    /// \return true while every write has fitted.
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

    uint8_t* At(std::size_t length)
    {
        return m_octets.data() + m_position - length;
    }

    MutableByteSpan m_octets;
    std::size_t m_position{0};
    bool m_ok{true};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_BYTE_WRITER_H
