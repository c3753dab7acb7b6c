/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/universal-address.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t MAX_DIGITS = 3;
constexpr uint32_t MAX_OCTET = 255;

std::optional<uint32_t>
ParseOctet(const std::string& text)
{
    if (text.empty() || text.size() > MAX_DIGITS ||
        !std::all_of(text.begin(), text.end(), [](unsigned char c) {
            return std::isdigit(c) != 0;
        }))
    {
        return std::nullopt;
    }
    const auto value = static_cast<uint32_t>(std::stoul(text));
    return value <= MAX_OCTET ? std::optional(value) : std::nullopt;
}

/// Cuts the last part, behind a dot, off \p text.
std::optional<uint32_t>
CutOctet(std::string& text)
{
    const std::size_t dot = text.rfind('.');
    if (dot == std::string::npos)
    {
        return std::nullopt;
    }
    const auto octet = ParseOctet(text.substr(dot + 1));
    text.resize(dot);
    return octet;
}

} // namespace

std::string
ToUniversalAddress(const Address& address)
{
    std::ostringstream text;
    if (Inet6SocketAddress::IsMatchingType(address))
    {
        std::array<uint8_t, 16> octets{};
        Inet6SocketAddress::ConvertFrom(address).GetIpv6().GetBytes(octets.data());
        std::array<char, INET6_ADDRSTRLEN> printed{};
        text << inet_ntop(AF_INET6, octets.data(), printed.data(), printed.size());
    }
    else
    {
        text << InetSocketAddress::ConvertFrom(address).GetIpv4();
    }
    const uint16_t port = GetPortOf(address);
    text << '.' << (port >> 8) << '.' << (port & MAX_OCTET);
    return text.str();
}

std::optional<Address>
ParseUniversalAddress(const std::string& text)
{
    std::string host = text;
    const auto low = CutOctet(host);
    const auto high = low ? CutOctet(host) : std::nullopt;
    if (!high)
    {
        return std::nullopt;
    }
    const auto port = static_cast<uint16_t>(*high << 8 | *low);
    std::array<uint8_t, 16> octets{};
    if (inet_pton(AF_INET6, host.c_str(), octets.data()) == 1)
    {
        return Inet6SocketAddress(Ipv6Address(octets.data()), port);
    }
    if (inet_pton(AF_INET, host.c_str(), octets.data()) == 1)
    {
        return InetSocketAddress(Ipv4Address(host.c_str()), port);
    }
    return std::nullopt;
}

uint16_t
GetPortOf(const Address& address)
{
    if (Inet6SocketAddress::IsMatchingType(address))
    {
        return Inet6SocketAddress::ConvertFrom(address).GetPort();
    }
    return InetSocketAddress::IsMatchingType(address)
               ? InetSocketAddress::ConvertFrom(address).GetPort()
               : 0;
}

} // namespace ns3::nfsrdma
