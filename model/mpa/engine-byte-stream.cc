/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/engine-byte-stream.h"

#include "mpa/host-tcp.h"
#include "mpa/internet-address.h"
#include "mpa/mtu-plateaus.h"
#include "mpa/tcp-engine.h"
#include "wire/ns3-version.h"
#include "wire/simulation-clock.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(EngineByteStream);

namespace
{

constexpr uint32_t HEADERS_OVER_IPV4 = 40; // IP and TCP without options.
constexpr uint32_t HEADERS_OVER_IPV6 = 60;

/// \return \p settings, which are for IPv4, with the segments of the family of \p endpoints and
/// of a device whose MTU is \p mtu.
TcpEngineSettings
ForPath(const EngineByteStream::Endpoints& endpoints, uint32_t mtu, TcpEngineSettings settings)
{
    settings.mss = std::min(settings.mss, mtu - HEADERS_OVER_IPV4);
    if (!endpoints.local.IsIpv4())
    {
        settings.mss -= HEADERS_OVER_IPV6 - HEADERS_OVER_IPV4;
        settings.assumedPeerMss = std::min(settings.assumedPeerMss, settings.mss);
    }
    return settings;
}

} // namespace

TypeId
EngineByteStream::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::EngineByteStream")
            .SetParent<ByteStream>()
            .SetGroupName("NfsRdma")
            .AddTraceSource("State",
                            "The connection has gone from one state to another.",
                            MakeTraceSourceAccessor(&EngineByteStream::m_stateTrace),
                            "ns3::nfsrdma::EngineByteStream::StateTracedCallback")
            .AddTraceSource("CongestionWindow",
                            "Octets of the congestion window have changed: before, now.",
                            MakeTraceSourceAccessor(&EngineByteStream::m_windowTrace),
                            "ns3::nfsrdma::EngineByteStream::WindowTracedCallback");
    return tid;
}

bool
EngineByteStream::Endpoints::operator==(const Endpoints& other) const
{
    return local == other.local && remote == other.remote && localPort == other.localPort &&
           remotePort == other.remotePort;
}

uint64_t
EngineByteStream::Endpoints::MixAddresses() const
{
    constexpr uint64_t MIXER = 0x9e3779b97f4a7c15U;
    const uint64_t mixed = uint64_t{static_cast<uint32_t>(local.GetLow())} << 32 |
                           static_cast<uint32_t>(remote.GetLow());
    if (local.IsIpv4())
    {
        return mixed;
    }
    const uint64_t networks = (local.GetHigh() ^ local.GetLow() >> 32) * MIXER ^
                              (remote.GetHigh() ^ remote.GetLow() >> 32);
    return mixed ^ networks * MIXER;
}

std::size_t
EngineByteStream::Endpoints::Hash::operator()(const Endpoints& endpoints) const
{
    constexpr uint64_t MIXER = 0x9e3779b97f4a7c15U;
    uint64_t mixed = endpoints.MixAddresses() * MIXER;
    mixed ^= mixed >> 32;
    mixed ^= uint64_t{endpoints.localPort} << 16 | endpoints.remotePort;
    mixed *= MIXER;
    return mixed ^ mixed >> 32;
}

EngineByteStream::EngineByteStream(TcpEngine& engine,
                                   TcpEngineSettings settings,
                                   uint32_t mtu,
                                   const Endpoints& endpoints,
                                   uint32_t initialSequence,
                                   const Ptr<TcpSegmentStage>& stage)
    : m_engine(&engine),
      m_settings(ForPath(endpoints, mtu, std::move(settings))),
      m_endpoints(endpoints),
      m_stage(stage),
      m_machine(m_settings,
                *this,
                engine.Count(),
                {endpoints.localPort, endpoints.remotePort},
                initialSequence),
      m_host(engine.GetHost())
{
}

EngineByteStream::~EngineByteStream()
{
    m_push.Cancel();
    m_timer.Cancel();
    if (m_host)
    {
        m_host->Count().abandoned += m_held;
    }
    SetBuffers(0, 0);
}

void
EngineByteStream::DoDispose()
{
    m_push.Cancel();
    m_timer.Cancel();
    m_engine = nullptr;
    ByteStream::DoDispose();
}

void
EngineByteStream::Connect()
{
    m_machine.Connect(SimulationClock::Now());
    Schedule();
}

void
EngineByteStream::Listen()
{
    m_passive = true;
    m_machine.Listen();
}

bool
EngineByteStream::HandleSegment(const TcpWireHeader& header,
                                const Ptr<Packet>& payload,
                                bool marked)
{
    const Ptr<EngineByteStream> self(this);
    m_inHand = payload;
    m_inMachine = true;
    const auto verdict = m_machine.HandleSegment(header,
                                                 payload ? payload->GetSize() : 0,
                                                 marked,
                                                 SimulationClock::Now());
    m_inMachine = false;
    m_inHand = nullptr;
    CountArrival(payload ? payload->GetSize() : 0, marked);
    Settle();
    return verdict != TcpMachine::Verdict::NEW_CONNECTION;
}

uint32_t
EngineByteStream::GetFixedHeaders() const
{
    return m_endpoints.local.IsIpv4() ? HEADERS_OVER_IPV4 : HEADERS_OVER_IPV6;
}

void
EngineByteStream::HandlePathMtu(uint32_t mtu)
{
    const uint32_t headers = GetFixedHeaders();
    const uint32_t before = m_machine.GetSendSide().GetSegmentSize() + headers +
                            (m_settings.timestamps ? TcpOptions::TIMESTAMP_OCTETS : 0);
    const uint32_t least =
        m_endpoints.local.IsIpv4() ? TcpEngine::LEAST_MTU : TcpEngine::LEAST_IPV6_MTU;
    const uint32_t now = std::max(mtu == 0 ? GetNextLowerPlateau(before) : mtu, least);
    if (!m_connected || now >= before ||
        (mtu == 0 && SimulationClock::Now() < m_believesPlateausFrom))
    {
        return;
    }
    m_believesPlateausFrom =
        SimulationClock::Now() + m_machine.GetSendSide().GetRoundTrip().GetTimeout();
    m_machine.SetPathMss(now - headers, SimulationClock::Now());
    Settle();
}

void
EngineByteStream::HandleTimers()
{
    const Ptr<EngineByteStream> self(this);
    m_inMachine = true;
    m_machine.HandleTimers(SimulationClock::Now());
    m_inMachine = false;
    Settle();
}

void
EngineByteStream::Schedule()
{
    const auto deadline = m_machine.GetDeadline();
    if (!deadline)
    {
        if (m_timer.IsRunning() &&
            m_timer.GetDue() > SimulationClock::Now() + m_settings.delayedAck)
        {
            m_timer.Cancel();
        }
        return;
    }
    if (m_timer.IsRunning() && m_timer.GetDue() <= *deadline)
    {
        return;
    }
    const Time now = SimulationClock::Now();
    m_timer.Plan(now, std::max(*deadline, now), &EngineByteStream::HandleTimers, this);
}

/// Tells the owner what has come about, now that the machine is at rest.
void
EngineByteStream::Settle()
{
    const Ptr<EngineByteStream> self(this);
    Schedule();
    TraceChanges();
    if (m_tellsEstablished)
    {
        m_tellsEstablished = false;
        m_emss = GetEmss();
        if (!m_passive)
        {
            Notify(m_callbacks.established);
        }
        else if (!m_engine->Accept({m_endpoints.localPort, m_endpoints.local}, self))
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
    if (m_cameShort && IsOpen() && m_machine.GetSendSide().GetRoom() >= GetRoomToTell())
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
    CountBuffers();
}

void
EngineByteStream::CountArrival(uint32_t length, bool marked)
{
    if (m_host)
    {
        TcpCounters& counters = m_host->Count();
        counters.segmentsReceived += length > 0 ? 1 : 0;
        counters.marked += marked ? 1 : 0;
        const Position end = m_machine.GetReceiveSide().GetOctetsEnd();
        counters.delivered += static_cast<uint64_t>(end - std::exchange(m_inOrder, end));
    }
}

void
EngineByteStream::CountBuffers()
{
    const uint64_t unread = m_left ? 0 : m_delivered - m_taken;
    SetBuffers(m_given - m_acknowledged,
               unread + (m_engine != nullptr ? m_machine.GetReceiveSide().GetOutOfOrder() : 0));
}

void
EngineByteStream::SetBuffers(uint64_t held, uint64_t waiting)
{
    if (held == m_held && waiting == m_waiting)
    {
        return;
    }
    const uint64_t heldBefore = std::exchange(m_held, held);
    const uint64_t waitingBefore = std::exchange(m_waiting, waiting);
    if (m_host && held != heldBefore)
    {
        m_host->ChangeHeld(heldBefore, held);
    }
    if (m_host && waiting != waitingBefore)
    {
        m_host->ChangeWaiting(waitingBefore, waiting);
    }
    if (!m_callbacks.buffers.IsNull())
    {
        m_callbacks.buffers(held, waiting);
    }
}

void
EngineByteStream::TraceChanges()
{
    const TcpState state = m_machine.GetState();
    if (state != m_state)
    {
        m_stateTrace(std::exchange(m_state, state), state);
    }
    const uint64_t window = m_machine.GetSendSide().GetCongestionWindow().window;
    if (window != m_window)
    {
        m_windowTrace(std::exchange(m_window, window), window);
    }
}

bool
EngineByteStream::TakesAhead() const
{
    return !m_settings.packing && m_path.GetDevice();
}

bool
EngineByteStream::SendUnit(Ptr<Packet> unit)
{
    return SendUnitAt(unit, SimulationClock::Now());
}

bool
EngineByteStream::SendUnitAt(Ptr<Packet> unit, Time leaves)
{
    const uint32_t size = unit->GetSize();
    if (!IsOpen() || m_inMachine || size > m_machine.GetSendSide().GetRoom())
    {
        m_cameShort = true;
        return false;
    }
    m_sent.Add(m_given, unit);
    m_given += size;
    if (m_host)
    {
        m_host->Count().given += size;
    }
    const Time now = SimulationClock::Now();
    if (leaves > now)
    {
        m_ahead.push_back({m_given - size, m_given, leaves});
    }
    const bool isAtOnce = leaves > now && m_machine.GetSendSide().SendsAtOnce(size);
    std::ignore = m_machine.Send(size, isAtOnce ? leaves : now, m_settings.packing);
    if (!m_settings.packing)
    {
        Schedule();
    }
    else if (!IsPending(m_push))
    {
        m_push = Simulator::ScheduleNow(&EngineByteStream::Push, this);
    }
    CountBuffers();
    return true;
}

/// \return when \p segment can leave: not before the unit that it ends in is made, and with the FIN
/// not before the last.
Time
EngineByteStream::GetDeparture(const OutgoingTcpSegment& segment) const
{
    const Time now = SimulationClock::Now();
    if (segment.length == 0)
    {
        const bool isLast = segment.header.Has(TcpWireHeader::FIN) && !m_ahead.empty();
        return isLast ? m_ahead.back().made : now;
    }
    const auto isIn = [&segment](const AheadUnit& unit) {
        return unit.end >= segment.offset + segment.length;
    };
    const auto last = std::find_if(m_ahead.begin(), m_ahead.end(), isIn);
    return last == m_ahead.end() ? now : last->made;
}

void
EngineByteStream::Depart(TcpEngine& engine, OutgoingTcpSegment segment, const Ptr<Packet>& payload)
{
    const auto isMade = [now = SimulationClock::Now()](const AheadUnit& unit) {
        return unit.made <= now;
    };
    m_ahead.erase(m_ahead.begin(), std::find_if_not(m_ahead.begin(), m_ahead.end(), isMade));
    const bool isAcknowledgment =
        segment.length == 0 && (segment.header.flags & (TcpWireHeader::SYN | TcpWireHeader::FIN |
                                                        TcpWireHeader::RST)) == 0;
    if (isAcknowledgment && !m_ahead.empty() && segment.offset > m_ahead.front().begin)
    {
        segment.header.sequence -= static_cast<uint32_t>(segment.offset - m_ahead.front().begin);
    }
    engine.Send(m_endpoints,
                segment,
                payload,
                {m_path, m_settings.dontFragment, GetDeparture(segment)});
}

/// Sends what units of one instant have been packed into.
void
EngineByteStream::Push()
{
    const Ptr<EngineByteStream> self(this);
    m_machine.Push(SimulationClock::Now());
    Settle();
}

uint32_t
EngineByteStream::GetRoomToTell() const
{
    constexpr uint32_t PARTS = 4;
    return std::min(std::max(GetEmss(), m_settings.sendBuffer / PARTS), m_settings.sendBuffer);
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
    const Ptr<Packet> octets = m_received.Take(m_taken, size);
    m_taken += size;
    m_machine.Consume(size, SimulationClock::Now());
    Schedule();
    if (m_waiting > 0)
    {
        CountBuffers();
    }
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
        (m_machine.*how)(SimulationClock::Now());
        Settle();
    }
}

Address
EngineByteStream::GetPeerAddress() const
{
    return MakeSocketAddress(m_endpoints.remote, m_endpoints.remotePort);
}

Address
EngineByteStream::GetLocalAddress() const
{
    return MakeSocketAddress(m_endpoints.local, m_endpoints.localPort);
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

Ptr<Packet>
EngineByteStream::GetInHand(uint32_t from, uint32_t length) const
{
    return length == m_inHand->GetSize() ? m_inHand : m_inHand->CreateFragment(from, length);
}

void
EngineByteStream::Transmit(const OutgoingTcpSegment& segment)
{
    if (m_host && segment.length > 0)
    {
        TcpCounters& counters = m_host->Count();
        ++counters.segmentsSent;
        (segment.repeated ? counters.octetsRepeated : counters.octetsSent) += segment.length;
    }
    if (m_engine == nullptr)
    {
        return;
    }
    const Ptr<Packet> payload =
        segment.length > 0 ? m_sent.Get(segment.offset, segment.length) : Create<Packet>();
    const bool isMade = segment.length > 0 && !segment.repeated;
    if (!m_stage || (m_deferred == 0 && (isMade || m_stage->Admit(segment.length))))
    {
        Depart(*m_engine, segment, payload);
        return;
    }
    ++m_deferred;
    const auto leave = [self = Ptr<EngineByteStream>(this), engine = m_engine, segment, payload] {
        --self->m_deferred;
        self->Depart(*engine, segment, payload);
    };
    m_stage->Defer(segment.length, isMade, leave);
}

bool
EngineByteStream::Offer(uint64_t offset, uint32_t from, uint32_t length)
{
    if (m_left || m_ended || m_segment.IsNull())
    {
        return true;
    }
    const SegmentCallback callback = m_segment;
    const auto octets = GetInHand(from, length);
    const bool isTaken = callback(offset, octets);
    if (!isTaken && m_host)
    {
        m_host->NoteLost(octets, HostTcp::Loss::FPDU);
    }
    return isTaken;
}

void
EngineByteStream::Keep(uint64_t offset, uint32_t from, uint32_t length)
{
    m_received.Add(offset, GetInHand(from, length));
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
    if (m_host)
    {
        m_host->Count().acknowledged += end - m_acknowledged;
    }
    m_acknowledged = end;
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
