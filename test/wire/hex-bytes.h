/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_WIRE_HEX_BYTES_H
#define NFSRDMA_TEST_WIRE_HEX_BYTES_H

#include "wire/bytes.h"

#include <random>
#include <stdexcept>
#include <string_view>

namespace ns3::nfsrdma
{

/// \return the octets that \p text shows as pairs of hexadecimal digits; blanks are skipped.
inline ByteVector
HexBytes(std::string_view text)
{
    const auto digit = [](char character) -> int {
        const auto value = std::string_view("0123456789abcdef").find(character);
        if (value == std::string_view::npos)
        {
            throw std::invalid_argument("not a hexadecimal digit");
        }
        return static_cast<int>(value);
    };
    ByteVector octets;
    int high = -1;
    for (const char character : text)
    {
        if (character == ' ')
        {
            continue;
        }
        if (high < 0)
        {
            high = digit(character);
        }
        else
        {
            octets.push_back(static_cast<uint8_t>(high << 4 | digit(character)));
            high = -1;
        }
    }
    if (high >= 0)
    {
        throw std::invalid_argument("odd number of hexadecimal digits");
    }
    return octets;
}

/// \return \p length octets from \p generator.
inline ByteVector
RandomBytes(std::mt19937& generator, std::size_t length)
{
    ByteVector octets(length);
    for (uint8_t& octet : octets)
    {
        octet = static_cast<uint8_t>(generator());
    }
    return octets;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_WIRE_HEX_BYTES_H
