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
                     const Ptr<EthernetNetDevice>& device,
                     HostFaultTarget* inside,
                     LeaveFunction leave)
    : m_name(std::move(name)),
      m_device(device),
      m_inside(inside),
      m_leave(std::move(leave))
{
    m_device->SetCableCallbacks(MakeCallback(&FaultPort::TakeLeaving, this),
                                MakeCallback(&FaultPort::TakeArriving, this));
}

void
FaultPort::Carry(const Ptr<Packet>& frame, Time lastOctet)
{
    if (m_link.IsDown())
    {
        ++m_stopped;
        return;
    }
    m_device->PutOnCable(frame, lastOctet);
}

void
FaultPort::TakeLeaving(Ptr<Packet> frame, Time lastOctet)
{
    if (m_link.IsDown())
    {
        ++m_stopped;
    }
    else if (!Narrow(frame, true))
    {
        m_leave(frame, lastOctet);
    }
}

void
FaultPort::TakeArriving(Ptr<Packet> frame)
{
    if (m_link.IsDown())
    {
        ++m_stopped;
    }
    else if (!Narrow(frame, false))
    {
        m_device->TakeFromCable(frame);
    }
}

bool
FaultPort::Narrow(const Ptr<Packet>& frame, bool leaves)
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
            Send(piece, leaves);
        }
        return true;
    }
    ++m_stopped;
    if (verdict == PathMtu::Verdict::REFUSE && !limit->silently)
    {
        Send(PathMtu::TellTooLarge(octets,
                                   static_cast<uint16_t>(limit->mtu),
                                   Node::ChecksumEnabled()),
             !leaves);
    }
    return true;
}

void
FaultPort::Send(const ByteVector& frame, bool away) const
{
    const auto packet = Create<Packet>(frame.data(), static_cast<uint32_t>(frame.size()));
    if (away)
    {
        m_device->PutOnCable(packet, Time(0));
    }
    else
    {
        Simulator::ScheduleNow(&EthernetNetDevice::TakeFromCable, m_device, packet);
    }
}

} // namespace ns3::nfsrdma
