/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/pause-sender.h"

#include "link/ethernet-channel.h"
#include "link/pause-frame.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t GAP = 12;
constexpr uint64_t BIT_NANOSECONDS = 8'000'000'000;

} // namespace

PauseSender::PauseSender(Ptr<EthernetNetDevice> port)
    : m_port(port)
{
}

PauseSender::~PauseSender()
{
    m_refresh.Cancel();
}

void
PauseSender::Stop()
{
    if (!IsHolding())
    {
        Send();
    }
}

void
PauseSender::GoOn()
{
    if (IsHolding())
    {
        m_refresh.Cancel();
        m_port->SendPause(0);
    }
}

void
PauseSender::Send()
{
    m_port->SendPause(PauseFrame::MOST_QUANTA);
    m_refresh = Simulator::Schedule(m_port->GetPauseTime(PauseFrame::MOST_QUANTA / 2),
                                    &PauseSender::Send,
                                    this);
}

uint64_t
PauseSender::ComputeHeadRoom(uint64_t rate, Time delay, uint32_t mtu)
{
    const uint64_t frame =
        EthernetNetDevice::WireOctets(EthernetNetDevice::HEADER_SIZE + mtu) + GAP;
    const uint64_t pause = EthernetNetDevice::WireOctets(PauseFrame::SIZE) + GAP;
    const auto bothWays = static_cast<uint64_t>(2 * delay.GetNanoSeconds());
    return 3 * frame + pause + (bothWays * rate + BIT_NANOSECONDS - 1) / BIT_NANOSECONDS;
}

uint64_t
PauseSender::ComputeHeadRoom(const EthernetNetDevice& port)
{
    const auto channel = DynamicCast<EthernetChannel>(port.GetChannel());
    return ComputeHeadRoom(port.GetDataRate().GetBitRate(), channel->GetDelay(), port.GetMtu());
}

} // namespace ns3::nfsrdma
