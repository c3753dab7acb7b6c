/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/universal-address.h"

#include <algorithm>
#include <cctype>

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
GetTcpNetid(const Address& address)
{
    return GetHostOf(address).IsIpv4() ? NETID_TCP : NETID_TCP6;
}

std::string
GetRdmaNetid(const Address& address)
{
    return GetHostOf(address).IsIpv4() ? NETID_RDMA : NETID_RDMA6;
}

std::string
ToUniversalAddress(const Address& address)
{
    const uint16_t port = GetPortOf(address);
    return GetHostOf(address).ToString() + "." + std::to_string(port >> 8) + "." +
           std::to_string(port & MAX_OCTET);
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
    const auto address = IpAddress::Parse(host);
    return address ? std::make_optional(MakeSocketAddress(*address, port)) : std::nullopt;
}

} // namespace ns3::nfsrdma
