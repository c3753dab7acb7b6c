/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/port.h"

#include "link/path-mtu.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

FaultPort::FaultPort(std::string name,
                     std::vector<Ptr<EthernetNetDevice>> devices,
                     HostFaultTarget* inside,
                     LeaveFunction leave)
    : m_name(std::move(name)),
      m_devices(std::move(devices)),
      m_inside(inside),
      m_leave(std::move(leave))
{
    for (std::size_t port = 0; port < m_devices.size(); ++port)
    {
        m_devices[port]->SetCableCallbacks(MakeCallback(&FaultPort::TakeLeaving, this, port),
                                           MakeCallback(&FaultPort::TakeArriving, this, port));
    }
}

void
FaultPort::Carry(const Ptr<Packet>& frame, Time lastOctet)
{
    if (m_link.IsDown())
    {
        ++m_stopped;
        return;
    }
    m_devices[m_latest]->PutOnCable(frame, lastOctet);
}

void
FaultPort::TakeLeaving(std::size_t port, Ptr<Packet> frame, Time lastOctet)
{
    m_latest = port;
    if (m_link.IsDown())
    {
        ++m_stopped;
    }
    else if (!Narrow(port, frame, true))
    {
        m_leave(frame, lastOctet);
    }
}

void
FaultPort::TakeArriving(std::size_t port, Ptr<Packet> frame)
{
    if (m_link.IsDown())
    {
        ++m_stopped;
    }
    else if (!Narrow(port, frame, false))
    {
        m_devices[port]->TakeFromCable(frame);
    }
}

bool
FaultPort::Narrow(std::size_t port, const Ptr<Packet>& frame, bool leaves)
{
    const auto* const limit = m_link.GetLimit();
    if (limit == nullptr || frame->GetSize() <= EthernetNetDevice::HEADER_SIZE + limit->mtu)
    {
        return false;
    }
    ByteVector octets(frame->GetSize());
    frame->CopyData(octets.data(), frame->GetSize());
    const auto verdict = PathMtu::Judge(octets, limit->mtu);
    if (verdict == PathMtu::Verdict::FITS)
    {
        return false;
    }
    if (verdict == PathMtu::Verdict::FRAGMENT)
    {
        for (const auto& piece : PathMtu::Fragment(octets, limit->mtu, Node::ChecksumEnabled()))
        {
            Send(port, piece, leaves);
        }
        return true;
    }
    ++m_stopped;
    if (verdict == PathMtu::Verdict::REFUSE && !limit->silently)
    {
        Send(port,
             PathMtu::TellTooLarge(octets,
                                   static_cast<uint16_t>(limit->mtu),
                                   Node::ChecksumEnabled()),
             !leaves);
    }
    return true;
}

void
FaultPort::Send(std::size_t port, const ByteVector& frame, bool away) const
{
    const auto packet = Create<Packet>(frame.data(), static_cast<uint32_t>(frame.size()));
    if (away)
    {
        m_devices[port]->PutOnCable(packet, Time(0));
    }
    else
    {
        Simulator::ScheduleNow(&EthernetNetDevice::TakeFromCable, m_devices[port], packet);
    }
}

} // namespace ns3::nfsrdma
