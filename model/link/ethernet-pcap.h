/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_ETHERNET_PCAP_H
#define NFSRDMA_LINK_ETHERNET_PCAP_H

#include "link/ethernet-net-device.h"

#include "ns3/pcap-file-wrapper.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Writes what one port, or those of a bond, send and receive to a pcap file (DLT_EN10MB,
 * nanoseconds).
 *
 * Taken from PromiscSniffer: a frame sent bears the time its first octet leaves, a frame received
 * the time its last octet has arrived. Frames have neither FCS nor padding. Bind the GlobalValue
 * ChecksumEnabled to true before the simulation, or IP and TCP checksums are zero in the capture.
 */
class EthernetPcap : public Object
{
  public:
    static TypeId GetTypeId();

    /// Starts to write \p file; \return false when it cannot be written.
    [[nodiscard]] bool Open(const std::string& file, Ptr<EthernetNetDevice> device);
    /// Has the file show what passes \p device, too, a further port of the same host.
    bool Add(Ptr<EthernetNetDevice> device);
    /// Stops and closes the file. \return false when it could not be written whole
    bool Close();

  protected:
    void DoDispose() override;

  private:
    void Write(Ptr<const Packet> frame);

    std::vector<Ptr<EthernetNetDevice>> m_devices;
    Ptr<PcapFileWrapper> m_file;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_ETHERNET_PCAP_H
