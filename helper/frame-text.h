/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_FRAME_TEXT_H
#define NFSRDMA_HELPER_FRAME_TEXT_H

#include "ns3/packet.h"

#include <string>

namespace ns3::nfsrdma
{

/// \return the headers of an Ethernet frame and what is behind them, as ns-3 prints a packet that
/// knows its headers: "ns3::EthernetHeader ( length/type=0x800, ...) ns3::Ipv4Header (tos 0x0 ...)
/// ns3::TcpHeader (49153 > 2049 [ACK] ...) Payload (size=48)". It reads the octets, so that it
/// needs no Packet::EnablePrinting(). IPv4, IPv6, TCP, UDP and ARP; what else is there is payload.
[[nodiscard]] std::string DescribeFrame(const Packet& frame);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_FRAME_TEXT_H
