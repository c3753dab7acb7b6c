/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/internet-address.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"

namespace ns3::nfsrdma
{

IpAddress
ToIpAddress(const Ipv4Address& address)
{
    return {address.Get()};
}

IpAddress
ToIpAddress(const Ipv6Address& address)
{
    IpAddress::Octets octets{};
    address.GetBytes(octets.data());
    return IpAddress(octets);
}

Ipv6Address
ToIpv6Address(const IpAddress& address)
{
    auto octets = address.GetOctets();
    return {octets.data()};
}

Address
ToHostAddress(const IpAddress& address)
{
    return address.IsIpv4() ? Address(Ipv4Address(address.GetIpv4()))
                            : Address(ToIpv6Address(address));
}

std::optional<InternetEndPoint>
ReadSocketAddress(const Address& address)
{
    if (InetSocketAddress::IsMatchingType(address))
    {
        const auto end = InetSocketAddress::ConvertFrom(address);
        return InternetEndPoint{ToIpAddress(end.GetIpv4()), end.GetPort()};
    }
    if (Inet6SocketAddress::IsMatchingType(address))
    {
        const auto end = Inet6SocketAddress::ConvertFrom(address);
        return InternetEndPoint{ToIpAddress(end.GetIpv6()), end.GetPort()};
    }
    return std::nullopt;
}

Address
MakeSocketAddress(const IpAddress& address, uint16_t port)
{
    if (address.IsIpv4())
    {
        return InetSocketAddress(Ipv4Address(address.GetIpv4()), port);
    }
    return Inet6SocketAddress(ToIpv6Address(address), port);
}

IpAddress
GetHostOf(const Address& address)
{
    const auto end = ReadSocketAddress(address);
    return end ? end->address : IpAddress();
}

uint16_t
GetPortOf(const Address& address)
{
    const auto end = ReadSocketAddress(address);
    return end ? end->port : 0;
}

} // namespace ns3::nfsrdma
