/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_FRAME_STAGE_H
#define NFSRDMA_LINK_FRAME_STAGE_H

#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"

namespace ns3::nfsrdma
{

class EthernetInterface;

/**
 * \brief What an adapter does to the frames of its host between the host's protocols, those of the
 * adapter's own engine among them, and the port or the bond of ports.
 *
 * Captures, counters and faults of ports are beneath it.
 */
class FrameStage : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::nfsrdma::FrameStage").SetParent<Object>().SetGroupName("NfsRdma");
        return tid;
    }

    /// \return the largest packet that the stage makes no larger than \p mtu, that of the ports
    /// (octets).
    [[nodiscard]] virtual uint16_t GetInnerMtu(uint16_t mtu) const = 0;
    /// Passes \p frame, with its Ethernet header, on to \p interface by SendBeneath(), as whatever
    /// it becomes, or drops it. \param arrives when the host gives it, now or later, and not before
    /// what was given earlier. \return false when it was dropped
    virtual bool Send(EthernetInterface& interface, const Ptr<Packet>& frame, Time arrives) = 0;
    /// Passes \p frame, which has come for the host, on by DeliverAbove(), now or later, or drops
    /// it.
    virtual void Receive(EthernetInterface& interface,
                         const Ptr<Packet>& frame,
                         NetDevice::PacketType type) = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_FRAME_STAGE_H
