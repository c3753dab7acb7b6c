/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/frame-text.h"

#include "ns3/arp-header.h"
#include "ns3/arp-l3-protocol.h"
#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/udp-header.h"
#include "ns3/udp-l4-protocol.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

/// Takes headers off a copy of a frame and prints them.
class FramePrinter
{
  public:
    explicit FramePrinter(const Packet& frame)
    {
        std::vector<uint8_t> octets(frame.GetSize());
        frame.CopyData(octets.data(), octets.size());
        m_rest = Create<Packet>(octets.data(), octets.size());
    }

    [[nodiscard]] std::string Print()
    {
        EthernetHeader ethernet(false);
        if (Take(ethernet, ethernet.GetSerializedSize()))
        {
            PrintNetwork(ethernet.GetLengthType());
        }
        if (m_rest->GetSize() != 0)
        {
            m_text << "Payload (size=" << m_rest->GetSize() << ")";
        }
        return m_text.str();
    }

  private:
    /// \param least octets that the header has
    template <typename Header>
    bool Take(Header& header, uint32_t least)
    {
        if (m_rest->GetSize() < least || m_rest->PeekHeader(header) == 0)
        {
            return false;
        }
        m_rest->RemoveHeader(header);
        m_text << header.GetInstanceTypeId().GetName() << " (";
        header.Print(m_text);
        m_text << ") ";
        return true;
    }

    void PrintNetwork(uint16_t type)
    {
        if (type == Ipv4L3Protocol::PROT_NUMBER)
        {
            Ipv4Header header;
            if (Take(header, header.GetSerializedSize()))
            {
                PrintTransport(header.GetProtocol(), header.GetPayloadSize());
            }
        }
        else if (type == Ipv6L3Protocol::PROT_NUMBER)
        {
            Ipv6Header header;
            if (Take(header, header.GetSerializedSize()))
            {
                PrintTransport(header.GetNextHeader(), header.GetPayloadLength());
            }
        }
        else if (type == ArpL3Protocol::PROT_NUMBER)
        {
            constexpr uint32_t ARP_SIZE = 28;
            ArpHeader header;
            Take(header, ARP_SIZE);
        }
    }

    /// \return whether all 32-bit words of the TCP header, as many as its data offset says, are
    /// there.
    [[nodiscard]] bool HasTcpHeader() const
    {
        constexpr uint32_t WORD = 4;
        std::array<uint8_t, 13> head{};
        return m_rest->CopyData(head.data(), head.size()) == head.size() &&
               m_rest->GetSize() >= (head.back() >> 4U) * WORD;
    }

    /// \param length octets of IP's payload; what follows pads the frame
    void PrintTransport(uint8_t protocol, uint32_t length)
    {
        m_rest->RemoveAtEnd(m_rest->GetSize() - std::min(m_rest->GetSize(), length));
        if (protocol == TcpL4Protocol::PROT_NUMBER)
        {
            TcpHeader header;
            if (HasTcpHeader())
            {
                Take(header, header.GetSerializedSize());
            }
        }
        else if (protocol == UdpL4Protocol::PROT_NUMBER)
        {
            UdpHeader header;
            Take(header, header.GetSerializedSize());
        }
    }

    Ptr<Packet> m_rest;
    std::ostringstream m_text;
};

} // namespace

std::string
DescribeFrame(const Packet& frame)
{
    return FramePrinter(frame).Print();
}

} // namespace ns3::nfsrdma
