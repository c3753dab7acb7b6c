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
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The place in the cables right at the ports of a host, behind its captures: what faults
 * make of the host's link holds for what leaves and what arrives at any of them. What leaves later
 * than its time, or in pieces, does so by the port that was the last to send.
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
              std::vector<Ptr<EthernetNetDevice>> devices,
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
        return m_devices.front();
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
        for (const auto& device : m_devices)
        {
            device->SetCableCallbacks({}, {});
        }
    }

  private:
    void TakeLeaving(std::size_t port, Ptr<Packet> frame, Time lastOctet);
    void TakeArriving(std::size_t port, Ptr<Packet> frame);
    /// \return whether \p frame is too large, and has been dealt with.
    bool Narrow(std::size_t port, const Ptr<Packet>& frame, bool leaves);
    void Send(std::size_t port, const ByteVector& frame, bool away) const;

    std::string m_name;
    std::vector<Ptr<EthernetNetDevice>> m_devices;
    std::size_t m_latest{0}; ///< The port that sent last.
    HostFaultTarget* m_inside;
    LeaveFunction m_leave;
    LinkState m_link;
    uint64_t m_stopped{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_PORT_H
