/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire/crc32c.h"

#include "wire/crc32c-paths.h"

#include <array>
#include <boost/endian/conversion.hpp>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t REFLECTED_POLYNOMIAL = 0x82f63b78;

using SliceTables = std::array<std::array<uint32_t, 256>, 8>;

constexpr SliceTables
MakeSliceTables()
{
    SliceTables tables{};
    for (uint32_t octet = 0; octet < 256; ++octet)
    {
        uint32_t crc = octet;
        for (int bit = 0; bit < 8; ++bit)
        {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? REFLECTED_POLYNOMIAL : 0);
        }
        tables[0][octet] = crc;
    }
    for (std::size_t slice = 1; slice < 8; ++slice)
    {
        for (std::size_t octet = 0; octet < 256; ++octet)
        {
            const uint32_t previous = tables[slice - 1][octet];
            tables[slice][octet] = (previous >> 8) ^ tables[0][previous & 0xff];
        }
    }
    return tables;
}

constexpr SliceTables SLICES = MakeSliceTables();

#if defined(__x86_64__)

/// \return a times b modulo the polynomial; bit 31 is the coefficient of x to the power 0.
constexpr uint32_t
MultiplyModulo(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (uint32_t bit = 0x80000000; bit != 0; bit >>= 1)
    {
        product ^= (a & bit) != 0 ? b : 0;
        b = (b >> 1) ^ ((b & 1) != 0 ? REFLECTED_POLYNOMIAL : 0);
    }
    return product;
}

/// \return x to the power 8 * octets modulo the polynomial.
constexpr uint32_t
PowerForOctets(std::size_t octets)
{
    uint32_t result = 0x80000000;
    uint32_t square = 0x00800000;
    for (; octets != 0; octets >>= 1)
    {
        if ((octets & 1) != 0)
        {
            result = MultiplyModulo(result, square);
        }
        square = MultiplyModulo(square, square);
    }
    return result;
}

/// Moves a CRC register past a fixed number of zero octets, by lookup.
class ZeroOctetsOperator
{
  public:
    constexpr explicit ZeroOctetsOperator(std::size_t octets)
    {
        const uint32_t power = PowerForOctets(octets);
        for (std::size_t position = 0; position < 4; ++position)
        {
            for (std::size_t bit = 0; bit < 8; ++bit)
            {
                const std::size_t half = std::size_t{1} << bit;
                const uint32_t image = MultiplyModulo(power, uint32_t{1} << (8 * position + bit));
                for (std::size_t lower = 0; lower < half; ++lower)
                {
                    m_images[position][half + lower] = image ^ m_images[position][lower];
                }
            }
        }
    }

    uint32_t operator()(uint32_t crc) const
    {
        return m_images[0][crc & 0xff] ^ m_images[1][(crc >> 8) & 0xff] ^
               m_images[2][(crc >> 16) & 0xff] ^ m_images[3][crc >> 24];
    }

  private:
    std::array<std::array<uint32_t, 256>, 4> m_images{};
};

constexpr std::size_t LONG_STREAM = 1024;
constexpr std::size_t SHORT_STREAM = 128;
constexpr ZeroOctetsOperator PAST_LONG_STREAM(LONG_STREAM);
constexpr ZeroOctetsOperator PAST_SHORT_STREAM(SHORT_STREAM);

inline uint64_t
LoadU64(const uint8_t* from)
{
    uint64_t value = 0;
    std::memcpy(&value, from, sizeof(value));
    return value;
}

__attribute__((target("sse4.2"))) inline uint32_t
AddThreeStreams(const uint8_t* from,
                std::size_t stream,
                const ZeroOctetsOperator& past,
                uint32_t crc)
{
    uint64_t first = crc;
    uint64_t second = 0;
    uint64_t third = 0;
    for (const uint8_t* const end = from + stream; from != end; from += 8)
    {
        first = _mm_crc32_u64(first, LoadU64(from));
        second = _mm_crc32_u64(second, LoadU64(from + stream));
        third = _mm_crc32_u64(third, LoadU64(from + 2 * stream));
    }
    const uint32_t joined = past(static_cast<uint32_t>(first)) ^ static_cast<uint32_t>(second);
    return past(joined) ^ static_cast<uint32_t>(third);
}

#endif // __x86_64__

} // namespace

namespace crc32c
{

uint32_t
Portable(ByteSpan octets, uint32_t crc)
{
    crc = ~crc;
    const uint8_t* from = octets.data();
    std::size_t left = octets.size();
    for (; left >= 8; left -= 8, from += 8)
    {
        const uint32_t low = crc ^ boost::endian::load_little_u32(from);
        const uint32_t high = boost::endian::load_little_u32(from + 4);
        crc = SLICES[7][low & 0xff] ^ SLICES[6][(low >> 8) & 0xff] ^ SLICES[5][(low >> 16) & 0xff] ^
              SLICES[4][low >> 24] ^ SLICES[3][high & 0xff] ^ SLICES[2][(high >> 8) & 0xff] ^
              SLICES[1][(high >> 16) & 0xff] ^ SLICES[0][high >> 24];
    }
    for (; left != 0; --left, ++from)
    {
        crc = (crc >> 8) ^ SLICES[0][(crc ^ *from) & 0xff];
    }
    return ~crc;
}

#if defined(__x86_64__)

bool
HasInstruction()
{
    return static_cast<bool>(__builtin_cpu_supports("sse4.2"));
}

__attribute__((target("sse4.2"))) uint32_t
Instruction(ByteSpan octets, uint32_t crc)
{
    crc = ~crc;
    const uint8_t* from = octets.data();
    std::size_t left = octets.size();
    for (; left >= 3 * LONG_STREAM; left -= 3 * LONG_STREAM, from += 3 * LONG_STREAM)
    {
        crc = AddThreeStreams(from, LONG_STREAM, PAST_LONG_STREAM, crc);
    }
    for (; left >= 3 * SHORT_STREAM; left -= 3 * SHORT_STREAM, from += 3 * SHORT_STREAM)
    {
        crc = AddThreeStreams(from, SHORT_STREAM, PAST_SHORT_STREAM, crc);
    }
    uint64_t wide = crc;
    for (; left >= 8; left -= 8, from += 8)
    {
        wide = _mm_crc32_u64(wide, LoadU64(from));
    }
    crc = static_cast<uint32_t>(wide);
    for (; left != 0; --left, ++from)
    {
        crc = _mm_crc32_u8(crc, *from);
    }
    return ~crc;
}

#else

bool
HasInstruction()
{
    return false;
}

uint32_t
Instruction(ByteSpan octets, uint32_t crc)
{
    return Portable(octets, crc);
}

#endif // __x86_64__

} // namespace crc32c

uint32_t
Crc32c(ByteSpan octets, uint32_t crc)
{
    return crc32c::HasInstruction() ? crc32c::Instruction(octets, crc)
                                    : crc32c::Portable(octets, crc);
}

} // namespace ns3::nfsrdma
