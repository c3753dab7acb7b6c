/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_FLOW_ETHERNET_FLOW_PROBE_H
#define NFSRDMA_HELPER_FLOW_ETHERNET_FLOW_PROBE_H

#include "link/ethernet-net-device.h"

#include "ns3/flow-probe.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/ipv6-flow-classifier.h"

namespace ns3::nfsrdma
{

/**
 * \brief Tells a FlowMonitor of the TCP and UDP packets that an EthernetNetDevice of a host sends
 * and receives and that no probe of the host's IP sees: those of connections of the RNIC's TCP.
 *
 * A packet begins where it is handed to the device (trace source MacTx) and ends where the device
 * of its destination has received it (MacRx), so that its delay has the transmit queue and the
 * path. Its size is that of the IP packet. Each segment that is sent again is another packet, as
 * with ns-3's TCP. Packets in ESP, and fragments of IP, belong to no flow; of a packet that a
 * middlebox on the path cuts or merges, only the sending is seen.
 */
class EthernetFlowProbe : public FlowProbe
{
  public:
    /// Why a packet was dropped: reasonCode of FlowMonitor.
    enum DropReason
    {
        DROP_DEVICE ///< The device has not sent it: its queue is full, or its link is down.
    };

    static TypeId GetTypeId();

    EthernetFlowProbe(Ptr<FlowMonitor> monitor,
                      Ptr<Ipv4FlowClassifier> ipv4,
                      Ptr<Ipv6FlowClassifier> ipv6,
                      Ptr<EthernetNetDevice> device);

  protected:
    void DoDispose() override;

  private:
    void NoteSent(Ptr<const Packet> frame);
    void NoteReceived(Ptr<const Packet> frame);
    void NoteDropped(Ptr<const Packet> frame);

    Ptr<Ipv4FlowClassifier> m_ipv4;
    Ptr<Ipv6FlowClassifier> m_ipv6;
    Ptr<EthernetNetDevice> m_device;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_FLOW_ETHERNET_FLOW_PROBE_H
