/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/local-port.h"

#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/object-vector.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"

#include <set>

namespace ns3::nfsrdma
{

namespace
{

std::set<uint16_t>
FindTakenPorts(Ptr<Node> node)
{
    std::set<uint16_t> ports;
    ObjectVectorValue sockets;
    node->GetObject<TcpL4Protocol>()->GetAttribute("SocketList", sockets);
    for (auto it = sockets.Begin(); it != sockets.End(); ++it)
    {
        ports.insert(GetLocalPort(DynamicCast<Socket>(it->second)));
    }
    return ports;
}

} // namespace

uint16_t
GetLocalPort(Ptr<Socket> socket)
{
    Address name;
    if (!socket || socket->GetSockName(name) != 0)
    {
        return 0;
    }
    if (InetSocketAddress::IsMatchingType(name))
    {
        return InetSocketAddress::ConvertFrom(name).GetPort();
    }
    return Inet6SocketAddress::IsMatchingType(name)
               ? Inet6SocketAddress::ConvertFrom(name).GetPort()
               : 0;
}

bool
BindPort(Ptr<Socket> socket, const Address& remote, uint16_t port)
{
    if (Inet6SocketAddress::IsMatchingType(remote))
    {
        return (port == 0 ? socket->Bind6()
                          : socket->Bind(Inet6SocketAddress(Ipv6Address::GetAny(), port))) == 0;
    }
    return (port == 0 ? socket->Bind()
                      : socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port))) == 0;
}

bool
BindReservedPort(Ptr<Node> node, Ptr<Socket> socket, const Address& remote, uint16_t first)
{
    const std::set<uint16_t> taken = FindTakenPorts(node);
    uint16_t port = first;
    do
    {
        if (taken.count(port) == 0 && BindPort(socket, remote, port))
        {
            return true;
        }
        port = port > MIN_RESERVED_PORT ? port - 1 : MAX_RESERVED_PORT;
    } while (port != first);
    return false;
}

} // namespace ns3::nfsrdma
