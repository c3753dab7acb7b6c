/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/startup-exchange.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

MpaStartupExchange::MpaStartupExchange(FrameCallback seen, ExpiryCallback expired)
    : m_seen(std::move(seen)),
      m_expired(std::move(expired))
{
}

MpaStartupExchange::~MpaStartupExchange()
{
    m_timer.Remove();
}

void
MpaStartupExchange::StartInitiator(const MpaStartup::Policy& policy,
                                   const MpaStartupParameters& local,
                                   ByteSpan unread)
{
    m_pending = m_handshake.StartInitiator(policy, local);
    m_unread.assign(unread.begin(), unread.end());
}

bool
MpaStartupExchange::SendRequest(ByteStream& stream, Time timeout)
{
    if (m_timed)
    {
        return false;
    }
    SendPending(stream);
    StartTimer(timeout);
    return true;
}

void
MpaStartupExchange::StartResponder(const MpaStartup::Policy& policy, Time timeout, ByteSpan unread)
{
    m_handshake.StartResponder(policy);
    m_unread.assign(unread.begin(), unread.end());
    StartTimer(timeout);
}

MpaHandshake::Outcome
MpaStartupExchange::Receive(ByteStream& stream)
{
    const bool frameKnown = m_handshake.GetPeerFrame().has_value();
    ByteVector octets = std::exchange(m_unread, {});
    if (const auto packet = stream.Receive())
    {
        const std::size_t before = octets.size();
        octets.resize(before + packet->GetSize());
        packet->CopyData(octets.data() + before, packet->GetSize());
    }
    const auto outcome = m_handshake.Receive(octets);
    if (!frameKnown && m_handshake.GetPeerFrame())
    {
        m_seen(*m_handshake.GetPeerFrame(), false);
    }
    return outcome;
}

void
MpaStartupExchange::SendPending(ByteStream& stream)
{
    if (!m_pending)
    {
        return;
    }
    NS_ABORT_MSG_IF(m_pending->privateData.size() > MpaStartupFrame::MAX_PRIVATE_DATA,
                    "private data too long for a startup frame");
    const ByteVector octets = m_pending->Encode();
    if (stream.SendUnit(Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size()))))
    {
        const MpaStartupFrame sent = *std::exchange(m_pending, std::nullopt);
        m_seen(sent, true);
    }
}

ByteVector
MpaStartupExchange::GetRest() const
{
    const ByteSpan rest = m_handshake.GetRest();
    return {rest.begin(), rest.end()};
}

void
MpaStartupExchange::Send(ByteStream& stream, const MpaStartupFrame& frame)
{
    m_pending = frame;
    SendPending(stream);
}

void
MpaStartupExchange::StartTimer(Time timeout)
{
    m_timed = true;
    if (timeout.IsZero())
    {
        return;
    }
    m_timer = Simulator::Schedule(timeout, [this] { m_expired(); });
}

} // namespace ns3::nfsrdma
