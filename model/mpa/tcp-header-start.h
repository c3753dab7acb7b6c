/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_TCP_HEADER_START_H
#define NFSRDMA_MPA_TCP_HEADER_START_H

#include "ns3/packet.h"
#include "ns3/sequence-number.h"
#include "ns3/tcp-header.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// A TCP header as far as its flags (RFC 9293 section 3.1), read without its options.
struct TcpHeaderStart
{
    static constexpr uint8_t OTHER_FLAGS =
        TcpHeader::PSH | TcpHeader::URG | TcpHeader::CWR | TcpHeader::ECE;

    /// \param segment begins with a TCP header
    explicit TcpHeaderStart(const Packet& segment);

    SequenceNumber32 sequence;
    SequenceNumber32 acknowledgment;
    uint32_t headerSize{0}; ///< Options included, octets.
    uint32_t payload{0};    ///< Octets behind the header.
    uint8_t flags{0};       ///< SYN, FIN, RST and ACK only.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_TCP_HEADER_START_H
