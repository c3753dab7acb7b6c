/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_ETHERNET_INTERFACE_H
#define NFSRDMA_LINK_ETHERNET_INTERFACE_H

#include "ns3/callback.h"
#include "ns3/net-device.h"
#include "ns3/packet.h"

namespace ns3::nfsrdma
{

/**
 * \brief What a host's IP, and an adapter's protocol engine beside it, send and receive frames by:
 * a port (EthernetNetDevice), or several ports as one (BondNetDevice).
 */
class EthernetInterface : public NetDevice
{
  public:
    static TypeId GetTypeId();

    /// Whether an adapter's own protocol engine takes a frame that is addressed to this interface,
    /// whole and with its Ethernet header; the host's stack gets it otherwise.
    using SteeringCallback = Callback<bool, Ptr<Packet>>;

    /// Steers frames for this host past its stack, after the captures and MacRx; null: none.
    virtual void SetSteeringCallback(SteeringCallback callback) = 0;

    /// Sends \p frame, which already has its Ethernet header; \return false when it was dropped.
    virtual bool SendFrame(Ptr<Packet> frame) = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_ETHERNET_INTERFACE_H
