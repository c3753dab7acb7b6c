/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/line-rate-watch.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t PREAMBLE_FCS_GAP = 8 + 4 + 12;
constexpr uint32_t LEAST_FRAME = 14 + 46;
constexpr uint64_t BITS_PER_OCTET_NANO = 8'000'000'000;

} // namespace

LineRateWatch::LineRateWatch(const Ptr<EthernetNetDevice>& port)
    : m_rate(port->GetDataRate().GetBitRate())
{
    port->TraceConnectWithoutContext("PhyTxBegin", MakeCallback(&LineRateWatch::NoteFrame, this));
}

void
LineRateWatch::NoteFrame(Ptr<const Packet> frame)
{
    Note(Simulator::Now(), frame->GetSize());
}

void
LineRateWatch::Note(Time start, uint32_t octets)
{
    const Time free =
        m_runBegan + NanoSeconds(static_cast<int64_t>(m_runOctets * BITS_PER_OCTET_NANO / m_rate));
    if (start < free && !m_fault)
    {
        m_fault = start;
    }
    if (start > free)
    {
        m_runBegan = start;
        m_runOctets = 0;
    }
    m_runOctets += std::max(octets, LEAST_FRAME) + PREAMBLE_FCS_GAP;
    ++m_frames;
}

} // namespace ns3::nfsrdma
