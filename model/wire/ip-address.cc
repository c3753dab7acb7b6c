/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire/ip-address.h"

#include <algorithm>
#include <arpa/inet.h>
#include <ostream>

namespace ns3::nfsrdma
{

std::optional<IpAddress>
IpAddress::Parse(const std::string& text)
{
    in_addr ipv4{};
    if (inet_pton(AF_INET, text.c_str(), &ipv4) == 1)
    {
        return IpAddress(ntohl(ipv4.s_addr));
    }
    Octets octets{};
    if (inet_pton(AF_INET6, text.c_str(), octets.data()) == 1)
    {
        return IpAddress(octets);
    }
    return std::nullopt;
}

std::string
IpAddress::ToString() const
{
    const Octets octets = GetOctets();
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (IsIpv4())
    {
        inet_ntop(AF_INET,
                  octets.data() + octets.size() - sizeof(in_addr),
                  text.data(),
                  text.size());
    }
    else
    {
        inet_ntop(AF_INET6, octets.data(), text.data(), text.size());
    }
    return text.data();
}

std::ostream&
operator<<(std::ostream& stream, const IpAddress& address)
{
    return stream << address.ToString();
}

} // namespace ns3::nfsrdma
