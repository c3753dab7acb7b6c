/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_PORT_H
#define NFSRDMA_FAULT_PORT_H

#include "fault/host-action.h"
#include "fault/link-state.h"
#include "link/ethernet-net-device.h"
#include "wire/bytes.h"

#include <functional>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief The place in the cable right at the port of a host, behind its captures: what faults make
 * of the host's link holds for what leaves and what arrives there.
 *
 * Frames that are stopped are gone. A limit below a packet's size does what a router does (RFC 791,
 * RFC 1191): it is fragmented, or its sender told, unless the limit is silent.
 */
class FaultPort
{
  public:
    /// Takes a frame that leaves and has passed the link. \param lastOctet see EthernetNetDevice
    using LeaveFunction = std::function<void(const Ptr<Packet>& frame, Time lastOctet)>;

    /// \param inside faults inside the host, or null
    FaultPort(std::string name,
              const Ptr<EthernetNetDevice>& device,
              HostFaultTarget* inside,
              LeaveFunction leave);
    ~FaultPort() = default;
    FaultPort(const FaultPort&) = delete;
    FaultPort& operator=(const FaultPort&) = delete;

    [[nodiscard]] const std::string& GetName() const
    {
        return m_name;
    }

    [[nodiscard]] const Ptr<EthernetNetDevice>& GetDevice() const
    {
        return m_device;
    }

    [[nodiscard]] HostFaultTarget* GetInside() const
    {
        return m_inside;
    }

    [[nodiscard]] LinkState& GetLink()
    {
        return m_link;
    }

    /// \return frames stopped.
    [[nodiscard]] uint64_t GetStopped() const
    {
        return m_stopped;
    }

    /// Puts \p frame on the cable, unless the link is down.
    void Carry(const Ptr<Packet>& frame, Time lastOctet);

    /// A frame has been stopped by somebody else.
    void CountStopped()
    {
        ++m_stopped;
    }

    /// Leaves the cable: frames pass as if this were not there.
    void Leave()
    {
        m_device->SetCableCallbacks({}, {});
    }

  private:
    void TakeLeaving(Ptr<Packet> frame, Time lastOctet);
    void TakeArriving(Ptr<Packet> frame);
    /// \return whether \p frame is too large, and has been dealt with.
    bool Narrow(const Ptr<Packet>& frame, bool leaves);
    void Send(const ByteVector& frame, bool away) const;

    std::string m_name;
    Ptr<EthernetNetDevice> m_device;
    HostFaultTarget* m_inside;
    LeaveFunction m_leave;
    LinkState m_link;
    uint64_t m_stopped{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_PORT_H
