/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/local-port.h"

#include "mpa/internet-address.h"

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
    return GetPortOf(name);
}

bool
BindPort(Ptr<Socket> socket, const Address& remote, uint16_t port)
{
    const bool isIpv4 = GetHostOf(remote).IsIpv4();
    if (port == 0)
    {
        return (isIpv4 ? socket->Bind() : socket->Bind6()) == 0;
    }
    return socket->Bind(MakeSocketAddress(isIpv4 ? IpAddress() : IpAddress::GetAnyIpv6(), port)) ==
           0;
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
