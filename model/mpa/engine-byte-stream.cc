/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/engine-byte-stream.h"

#include "mpa/tcp-engine.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(EngineByteStream);

namespace
{

constexpr uint32_t FIXED_HEADERS = 40; // IPv4 and TCP without options.

} // namespace

TypeId
EngineByteStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::EngineByteStream").SetParent<ByteStream>().SetGroupName("NfsRdma");
    return tid;
}

bool
EngineByteStream::Endpoints::operator<(const Endpoints& other) const
{
    return std::tie(local, localPort, remote, remotePort) <
           std::tie(other.local, other.localPort, other.remote, other.remotePort);
}

EngineByteStream::EngineByteStream(TcpEngine& engine,
                                   const TcpEngineSettings& settings,
                                   const Endpoints& endpoints,
                                   uint32_t initialSequence)
    : m_engine(&engine),
      m_settings(settings),
      m_endpoints(endpoints),
      m_machine(m_settings,
                *this,
                engine.Count(),
                {endpoints.localPort, endpoints.remotePort},
                initialSequence)
{
}

EngineByteStream::~EngineByteStream()
{
    m_timer.Cancel();
}

void
EngineByteStream::DoDispose()
{
    m_timer.Cancel();
    m_engine = nullptr;
    ByteStream::DoDispose();
}

void
EngineByteStream::Connect()
{
    m_machine.Connect(Simulator::Now());
    Schedule();
}

void
EngineByteStream::Listen()
{
    m_passive = true;
    m_machine.Listen();
}

bool
EngineByteStream::HandleSegment(const ReceivedTcpSegment& header,
                                Ptr<const Packet> segment,
                                bool marked)
{
    const Ptr<EngineByteStream> self(this);
    const uint32_t length = segment->GetSize() - header.headerSize;
    m_inHand = length > 0 ? segment->CreateFragment(header.headerSize, length) : nullptr;
    m_inMachine = true;
    const auto verdict = m_machine.HandleSegment(header.header, length, marked, Simulator::Now());
    m_inMachine = false;
    m_inHand = nullptr;
    Settle();
    return verdict != TcpMachine::Verdict::NEW_CONNECTION;
}

void
EngineByteStream::HandlePathMtu(uint32_t mtu)
{
    const uint32_t now = m_machine.GetSendSide().GetSegmentSize();
    if (m_connected && mtu < now + FIXED_HEADERS + TcpOptions::TIMESTAMP_OCTETS)
    {
        m_machine.SetPathMss(std::max(mtu, TcpEngine::LEAST_MTU) - FIXED_HEADERS, Simulator::Now());
        Settle();
    }
}

void
EngineByteStream::HandleTimers()
{
    const Ptr<EngineByteStream> self(this);
    m_inMachine = true;
    m_machine.HandleTimers(Simulator::Now());
    m_inMachine = false;
    Settle();
}

void
EngineByteStream::Schedule()
{
    const auto deadline = m_machine.GetDeadline();
    if (!deadline)
    {
        m_timer.Cancel();
        return;
    }
    if (m_timer.IsRunning() && m_timerAt <= *deadline)
    {
        return;
    }
    m_timer.Cancel();
    m_timerAt = std::max(*deadline, Simulator::Now());
    m_timer =
        Simulator::Schedule(m_timerAt - Simulator::Now(), &EngineByteStream::HandleTimers, this);
}

/// Tells the owner what has come about, now that the machine is at rest.
void
EngineByteStream::Settle()
{
    const Ptr<EngineByteStream> self(this);
    Schedule();
    if (m_tellsEstablished)
    {
        m_tellsEstablished = false;
        m_emss = GetEmss();
        if (!m_passive)
        {
            Notify(m_callbacks.established);
        }
        else if (!m_engine->Accept(m_endpoints.localPort, self))
        {
            Abort();
        }
    }
    if (m_connected && GetEmss() != m_emss)
    {
        m_emss = GetEmss();
        Notify(m_callbacks.emss);
    }
    if (m_tellsReceive)
    {
        m_tellsReceive = false;
        Notify(m_callbacks.receive);
    }
    if (m_cameShort && IsOpen() &&
        m_machine.GetSendSide().GetRoom() >= std::min(GetEmss(), m_settings.sendBuffer))
    {
        m_cameShort = false;
        Notify(m_callbacks.space);
    }
    if (m_tellsEndOfStream)
    {
        m_tellsEndOfStream = false;
        TellEnd(StreamEnd::GRACEFUL);
    }
    if (m_tellsEnd)
    {
        const TcpEnd end = *m_tellsEnd;
        m_tellsEnd.reset();
        TellEnd(m_connected && end == TcpEnd::RESET ? StreamEnd::RESET : StreamEnd::FAILED);
    }
    const bool isGone = m_machine.GetState() == TcpState::CLOSED ||
                        (m_machine.GetState() == TcpState::LISTEN && !m_connected);
    if (isGone && m_engine != nullptr)
    {
        TcpEngine* const engine = m_engine;
        m_engine = nullptr;
        m_timer.Cancel();
        engine->Forget(m_endpoints, *this);
    }
}

bool
EngineByteStream::SendUnit(Ptr<Packet> unit)
{
    const uint32_t size = unit->GetSize();
    if (!IsOpen() || m_inMachine || size > m_machine.GetSendSide().GetRoom())
    {
        m_cameShort = true;
        return false;
    }
    m_sent.Add(m_given, unit->Copy());
    m_given += size;
    std::ignore = m_machine.Send(size, Simulator::Now());
    Schedule();
    return true;
}

uint32_t
EngineByteStream::GetTxAvailable() const
{
    if (!IsOpen())
    {
        return 0;
    }
    const uint32_t room = m_machine.GetSendSide().GetRoom();
    m_cameShort = m_cameShort || room < std::min(GetEmss(), m_settings.sendBuffer);
    return room;
}

uint32_t
EngineByteStream::GetEmss() const
{
    return m_machine.GetSendSide().GetSegmentSize();
}

Ptr<Packet>
EngineByteStream::ReceiveAtMost(uint32_t limit)
{
    if (m_inMachine || m_delivered == m_taken)
    {
        return nullptr;
    }
    const auto size = static_cast<uint32_t>(std::min<uint64_t>(m_delivered - m_taken, limit));
    const Ptr<Packet> octets = m_received.Get(m_taken, size);
    m_taken += size;
    m_received.Release(m_taken);
    m_machine.Consume(size, Simulator::Now());
    Schedule();
    return octets;
}

void
EngineByteStream::Close()
{
    Leave(&TcpMachine::Close);
}

void
EngineByteStream::Abort()
{
    Leave(&TcpMachine::Abort);
}

void
EngineByteStream::Leave(void (TcpMachine::*how)(Time))
{
    if (!m_left)
    {
        m_left = true;
        Simulator::ScheduleNow(&EngineByteStream::DoLeave, Ptr<EngineByteStream>(this), how);
    }
}

void
EngineByteStream::DoLeave(void (TcpMachine::*how)(Time))
{
    if (m_engine != nullptr)
    {
        (m_machine.*how)(Simulator::Now());
        Settle();
    }
}

Address
EngineByteStream::GetPeerAddress() const
{
    return InetSocketAddress(m_endpoints.remote, m_endpoints.remotePort);
}

void
EngineByteStream::TellEnd(StreamEnd end)
{
    const bool first = !m_left && !m_ended;
    const auto callback = m_callbacks.ended;
    m_ended = true;
    if (first && !callback.IsNull())
    {
        callback(end);
    }
}

void
EngineByteStream::Notify(Callback<void> callback)
{
    if (!m_left && !m_ended && !callback.IsNull())
    {
        callback();
    }
}

// What the machine does

void
EngineByteStream::Transmit(const OutgoingTcpSegment& segment)
{
    if (m_engine != nullptr)
    {
        m_engine->Send(m_endpoints,
                       segment,
                       segment.length > 0 ? m_sent.Get(segment.offset, segment.length)
                                          : Create<Packet>());
    }
}

bool
EngineByteStream::Offer(uint64_t offset, uint32_t from, uint32_t length)
{
    if (m_left || m_ended || m_segment.IsNull())
    {
        return true;
    }
    const SegmentCallback callback = m_segment;
    return callback(offset, m_inHand->CreateFragment(from, length));
}

void
EngineByteStream::Keep(uint64_t offset, uint32_t from, uint32_t length)
{
    m_received.Add(offset, m_inHand->CreateFragment(from, length));
}

void
EngineByteStream::Deliver(uint64_t end)
{
    m_delivered = end;
    m_tellsReceive = true;
}

void
EngineByteStream::Release(uint64_t end)
{
    m_sent.Release(end);
}

void
EngineByteStream::Establish()
{
    m_connected = true;
    m_tellsEstablished = true;
}

void
EngineByteStream::EndOfStream()
{
    m_tellsEndOfStream = true;
}

void
EngineByteStream::End(TcpEnd end)
{
    m_tellsEnd = end;
}

} // namespace ns3::nfsrdma
