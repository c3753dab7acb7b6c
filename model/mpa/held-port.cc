/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/held-port.h"

#include "mpa/internet-address.h"

#include "ns3/ipv4-end-point.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/tcp-l4-protocol.h"

namespace ns3::nfsrdma
{

HeldPort
HeldPort::ToListen(TcpL4Protocol& tcp, uint16_t port)
{
    HeldPort held;
    held.m_four = tcp.Allocate(nullptr, Ipv4Address::GetAny(), port);
    held.m_six = tcp.Allocate6(nullptr, Ipv6Address::GetAny(), port);
    if (held.m_four == nullptr || held.m_six == nullptr)
    {
        held.Release(tcp);
    }
    return held;
}

HeldPort
HeldPort::ToListenAt(TcpL4Protocol& tcp, const IpAddress& local, uint16_t port)
{
    HeldPort held;
    if (local.IsIpv4())
    {
        held.m_four = tcp.Allocate(nullptr, Ipv4Address(local.GetIpv4()), port);
    }
    else
    {
        held.m_six = tcp.Allocate6(nullptr, ToIpv6Address(local), port);
    }
    return held;
}

HeldPort
HeldPort::ToConnect(TcpL4Protocol& tcp,
                    const IpAddress& local,
                    uint16_t port,
                    const IpAddress& remote,
                    uint16_t remotePort)
{
    HeldPort held;
    if (local.IsIpv4())
    {
        held.m_four = tcp.Allocate(nullptr, Ipv4Address::GetAny(), port);
    }
    else
    {
        held.m_six = tcp.Allocate6(nullptr, Ipv6Address::GetAny(), port);
    }
    if (!held.IsHeld())
    {
        return held;
    }
    held.Release(tcp);
    if (local.IsIpv4())
    {
        held.m_four = tcp.Allocate(nullptr, Ipv4Address(local.GetIpv4()), port);
    }
    else
    {
        held.m_six = tcp.Allocate6(nullptr, ToIpv6Address(local), port);
    }
    if (held.m_four != nullptr)
    {
        held.m_four->SetPeer(Ipv4Address(remote.GetIpv4()), remotePort);
    }
    if (held.m_six != nullptr)
    {
        held.m_six->SetPeer(ToIpv6Address(remote), remotePort);
    }
    return held;
}

void
HeldPort::Release(TcpL4Protocol& tcp)
{
    if (m_four != nullptr)
    {
        tcp.DeAllocate(m_four);
        m_four = nullptr;
    }
    if (m_six != nullptr)
    {
        tcp.DeAllocate(m_six);
        m_six = nullptr;
    }
}

} // namespace ns3::nfsrdma
