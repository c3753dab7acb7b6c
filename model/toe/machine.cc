/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/machine.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

/// \return octets of sequence space that a segment takes: SEG.LEN.
uint32_t
SpanOf(const TcpWireHeader& header, uint32_t length)
{
    return length + (header.Has(TcpWireHeader::SYN) ? 1 : 0) +
           (header.Has(TcpWireHeader::FIN) ? 1 : 0);
}

uint64_t
ToOffset(Position position)
{
    return static_cast<uint64_t>(position - FIRST_OCTET);
}

constexpr uint16_t ECN_REQUEST = TcpWireHeader::ECE | TcpWireHeader::CWR;
constexpr uint32_t MOST_SYN_DOUBLINGS = 10;
constexpr uint32_t LEAST_PATH_MSS = 28; // Of a path with the least MTU, 68 (RFC 791).
constexpr uint32_t LEAST_MSS = 48; // tcp_min_snd_mss: whatever a peer says, segments have octets.

} // namespace

const char*
ToString(TcpState state)
{
    switch (state)
    {
    case TcpState::CLOSED:
        return "CLOSED";
    case TcpState::LISTEN:
        return "LISTEN";
    case TcpState::SYN_SENT:
        return "SYN-SENT";
    case TcpState::SYN_RECEIVED:
        return "SYN-RECEIVED";
    case TcpState::ESTABLISHED:
        return "ESTABLISHED";
    case TcpState::FIN_WAIT_1:
        return "FIN-WAIT-1";
    case TcpState::FIN_WAIT_2:
        return "FIN-WAIT-2";
    case TcpState::CLOSE_WAIT:
        return "CLOSE-WAIT";
    case TcpState::CLOSING:
        return "CLOSING";
    case TcpState::LAST_ACK:
        return "LAST-ACK";
    case TcpState::TIME_WAIT:
        return "TIME-WAIT";
    }
    return "";
}

std::optional<TcpWireHeader>
AnswerStray(const TcpWireHeader& header, uint32_t length)
{
    if (header.Has(TcpWireHeader::RST))
    {
        return std::nullopt;
    }
    TcpWireHeader answer;
    answer.sourcePort = header.destinationPort;
    answer.destinationPort = header.sourcePort;
    answer.flags = TcpWireHeader::RST;
    if (header.Has(TcpWireHeader::ACK))
    {
        answer.sequence = header.acknowledgment;
    }
    else
    {
        answer.flags |= TcpWireHeader::ACK;
        answer.acknowledgment = header.sequence + SpanOf(header, length);
    }
    return answer;
}

TcpMachine::TcpMachine(const TcpEngineSettings& settings,
                       TcpMachineActions& actions,
                       TcpEngineCounters& counters,
                       Ports ports,
                       uint32_t initialSequence)
    : m_settings(settings),
      m_actions(actions),
      m_counters(counters),
      m_ports(ports),
      m_send(settings, m_deadlines, counters),
      m_receive(settings, m_deadlines, counters),
      m_own(initialSequence),
      m_timestamps(settings.timestamps),
      m_sack(settings.sack),
      m_scaling(settings.windowScaling)
{
}

// The user

void
TcpMachine::Connect(Time now)
{
    m_state = TcpState::SYN_SENT;
    m_ecn = m_settings.ecn == TcpEngineSettings::Ecn::ASK ||
            m_settings.control == TcpEngineSettings::Control::DCTCP;
    SendSyn(now);
}

void
TcpMachine::Listen()
{
    m_passive = true;
    m_state = TcpState::LISTEN;
}

bool
TcpMachine::Send(uint32_t size, Time now, bool more)
{
    if (m_closing || m_state == TcpState::CLOSED || !m_send.Give(size, now))
    {
        return false;
    }
    if (!more)
    {
        SendPending(now);
    }
    return true;
}

void
TcpMachine::Consume(uint64_t octets, Time now)
{
    m_receive.Consume(octets);
    SendPending(now);
}

void
TcpMachine::Shutdown(Time now)
{
    if (m_closing || m_state == TcpState::CLOSED)
    {
        return;
    }
    m_closing = true;
    m_send.Finish();
    switch (m_state)
    {
    case TcpState::LISTEN:
    case TcpState::SYN_SENT:
        Leave(TcpEnd::CLOSED);
        return;
    case TcpState::ESTABLISHED:
        m_state = TcpState::FIN_WAIT_1;
        break;
    case TcpState::CLOSE_WAIT:
        m_state = TcpState::LAST_ACK;
        break;
    default:
        break;
    }
    SendPending(now);
}

void
TcpMachine::Close(Time now)
{
    m_orphan = true;
    m_receive.Consume(m_receive.GetWaiting());
    Shutdown(now);
    if (m_state == TcpState::FIN_WAIT_2)
    {
        m_deadlines.Set(TcpTimer::LINGER, now + m_settings.finTimeout);
    }
}

void
TcpMachine::Abort(Time now)
{
    const bool known = m_state == TcpState::SYN_RECEIVED || m_state == TcpState::ESTABLISHED ||
                       m_state == TcpState::FIN_WAIT_1 || m_state == TcpState::FIN_WAIT_2 ||
                       m_state == TcpState::CLOSE_WAIT;
    if (known)
    {
        ++m_counters.outResets;
        m_actions.Transmit(Begin(TcpWireHeader::RST, m_send.GetNext(), now));
    }
    if (m_state != TcpState::CLOSED)
    {
        Leave(TcpEnd::ABORTED);
    }
}

void
TcpMachine::SetPathMss(uint32_t mss, Time now)
{
    const uint32_t options = m_timestamps ? TcpOptions::TIMESTAMP_OCTETS : 0;
    m_segmentSize = m_send.LimitSegments(
        std::max(std::min({mss, m_settings.mss, m_peerMss}), LEAST_PATH_MSS) - options);
    m_send.Narrow(m_segmentSize);
    if (mss >= std::min(m_settings.mss, m_peerMss))
    {
        m_deadlines.Cancel(TcpTimer::PATH_MTU);
    }
    else if (m_settings.pathMtuRaise.IsStrictlyPositive())
    {
        m_deadlines.Set(TcpTimer::PATH_MTU, now + m_settings.pathMtuRaise);
    }
    SendPending(now);
}

// The network

TcpMachine::Verdict
TcpMachine::HandleSegment(const TcpWireHeader& header, uint32_t length, bool marked, Time now)
{
    ++m_counters.inSegments;
    switch (m_state)
    {
    case TcpState::CLOSED:
        SendReset(header, length);
        return Verdict::TAKEN;
    case TcpState::LISTEN:
        HandleInListen(header, length, now);
        return Verdict::TAKEN;
    case TcpState::SYN_SENT:
        HandleInSynSent(header, length, marked, now);
        return Verdict::TAKEN;
    default:
        return HandleSynchronized(header, length, marked, now);
    }
}

void
TcpMachine::HandleInListen(const TcpWireHeader& header, uint32_t length, Time now)
{
    if (header.Has(TcpWireHeader::RST))
    {
        return;
    }
    if (header.Has(TcpWireHeader::ACK))
    {
        SendReset(header, length);
        return;
    }
    if (!header.Has(TcpWireHeader::SYN))
    {
        return;
    }
    m_ports.remote = header.sourcePort;
    LearnFromSyn(header, now);
    m_ecn = (header.flags & ECN_REQUEST) == ECN_REQUEST &&
            m_settings.ecn != TcpEngineSettings::Ecn::OFF;
    m_state = TcpState::SYN_RECEIVED;
    m_synsSent = 0;
    SendSyn(now);
}

void
TcpMachine::HandleInSynSent(const TcpWireHeader& header, uint32_t length, bool marked, Time now)
{
    const bool acknowledges = header.Has(TcpWireHeader::ACK);
    if (acknowledges && header.acknowledgment != m_own.ToSequence(FIRST_OCTET))
    {
        SendReset(header, length);
        return;
    }
    if (header.Has(TcpWireHeader::RST))
    {
        if (acknowledges)
        {
            Leave(TcpEnd::REFUSED);
        }
        return;
    }
    if (!header.Has(TcpWireHeader::SYN))
    {
        return;
    }
    const bool asked = m_ecn;
    LearnFromSyn(header, now);
    if (!acknowledges)
    {
        m_ecn = (header.flags & ECN_REQUEST) == ECN_REQUEST &&
                m_settings.ecn != TcpEngineSettings::Ecn::OFF;
        m_state = TcpState::SYN_RECEIVED;
        m_synsSent = 0;
        SendSyn(now);
        return;
    }
    m_ecn = asked && (header.flags & ECN_REQUEST) == TcpWireHeader::ECE;
    Establish(header, now);
    m_receive.Demand();
    TakeOctets(header, length, marked, now);
    SendPending(now);
}

TcpMachine::Verdict
TcpMachine::HandleSynchronized(const TcpWireHeader& header, uint32_t length, bool marked, Time now)
{
    m_lastHeard = now;
    m_keepAlives = 0;
    const Position begin = m_peer.ToPosition(header.sequence, m_receive.GetNext());
    const bool simultaneous = IsOfSimultaneousOpen(header, length);
    if (m_state == TcpState::TIME_WAIT)
    {
        return HandleInTimeWait(header, length, now);
    }
    if (!simultaneous && !IsInSequence(header, length, now))
    {
        SendPending(now);
        return Verdict::TAKEN;
    }
    if (header.Has(TcpWireHeader::RST))
    {
        HandleReset(begin, now);
        return Verdict::TAKEN;
    }
    if (header.Has(TcpWireHeader::SYN) && !simultaneous)
    {
        Challenge(now);
        return Verdict::TAKEN;
    }
    if (!header.Has(TcpWireHeader::ACK))
    {
        return Verdict::TAKEN;
    }
    const Position last = std::min(begin + static_cast<Position>(length), m_receive.GetEdge());
    if (length > 0 && begin < last && begin >= FIRST_OCTET && !m_receive.IsFinished() &&
        !m_actions.Offer(ToOffset(begin), 0, static_cast<uint32_t>(last - begin)))
    {
        return Verdict::LOST;
    }
    if (m_timestamps && header.options.timestamps && !simultaneous)
    {
        m_receive.RememberTimestamp(header.options.timestamps->value, begin, now);
    }
    if (!TakeAcknowledgment(header, length, now))
    {
        return Verdict::TAKEN;
    }
    TakeOctets(header, length, marked, now);
    TakeAcknowledgedFin(now);
    SendPending(now);
    return Verdict::TAKEN;
}

bool
TcpMachine::IsOfSimultaneousOpen(const TcpWireHeader& header, uint32_t length) const
{
    constexpr uint16_t SYN_ACK = TcpWireHeader::SYN | TcpWireHeader::ACK;
    return m_state == TcpState::SYN_RECEIVED && !m_passive && length == 0 &&
           (header.flags & (SYN_ACK | TcpWireHeader::RST | TcpWireHeader::FIN)) == SYN_ACK &&
           header.sequence == m_peer.ToSequence(0) &&
           header.acknowledgment == m_own.ToSequence(FIRST_OCTET);
}

bool
TcpMachine::IsInSequence(const TcpWireHeader& header, uint32_t length, Time now)
{
    const bool isReset = header.Has(TcpWireHeader::RST);
    const uint32_t span = SpanOf(header, length);
    const Position begin = m_peer.ToPosition(header.sequence, m_receive.GetNext());
    if (m_timestamps && !isReset)
    {
        if (!header.options.timestamps)
        {
            return false;
        }
        if (m_receive.IsOld(header.options.timestamps->value, now))
        {
            ++m_counters.pawsDropped;
            AnswerInvalid(length > 0, now);
            return false;
        }
    }
    if (m_receive.IsAcceptable(begin, span))
    {
        return true;
    }
    if (isReset)
    {
        return false;
    }
    if (m_state == TcpState::SYN_RECEIVED && header.Has(TcpWireHeader::SYN) && begin == 0)
    {
        if (!header.Has(TcpWireHeader::ACK))
        {
            SendSyn(now);
        }
        return false;
    }
    if (length > 0)
    {
        m_receive.NoteUnacceptable(begin, length);
        return false;
    }
    AnswerInvalid(header.Has(TcpWireHeader::FIN), now);
    return false;
}

void
TcpMachine::HandleReset(Position begin, Time now)
{
    if (begin != m_receive.GetNext())
    {
        Challenge(now);
        return;
    }
    if (m_state == TcpState::SYN_RECEIVED && m_passive)
    {
        m_deadlines.CancelAll();
        m_state = TcpState::LISTEN;
        m_ports.remote = 0;
        return;
    }
    const bool orderly = m_state == TcpState::CLOSING || m_state == TcpState::LAST_ACK;
    Leave(m_state == TcpState::SYN_RECEIVED ? TcpEnd::REFUSED
          : orderly                         ? TcpEnd::CLOSED
                                            : TcpEnd::RESET);
}

TcpAcknowledgment
TcpMachine::Read(const TcpWireHeader& header, uint32_t length) const
{
    TcpAcknowledgment read;
    read.position = m_own.ToPosition(header.acknowledgment, m_send.GetNext());
    read.sequence = m_peer.ToPosition(header.sequence, m_receive.GetNext());
    const bool isSyn = header.Has(TcpWireHeader::SYN);
    read.window = static_cast<uint64_t>(header.window) << (isSyn ? 0 : m_peerScale);
    read.bringsOctets = SpanOf(header, length) > 0;
    read.echo = header.Has(TcpWireHeader::ECE) && !isSyn;
    if (m_timestamps && header.options.timestamps)
    {
        read.timestampEcho = header.options.timestamps->echo;
    }
    for (const SackRange& range : header.options.sack)
    {
        const Position begin = m_own.ToPosition(range.begin, m_send.GetNext());
        read.sack[read.sackSize++] = {begin, m_own.ToPosition(range.end, begin)};
    }
    return read;
}

bool
TcpMachine::TakeAcknowledgment(const TcpWireHeader& header, uint32_t length, Time now)
{
    const TcpAcknowledgment read = Read(header, length);
    if (m_state == TcpState::SYN_RECEIVED)
    {
        if (read.position != FIRST_OCTET)
        {
            SendReset(header, length);
            return false;
        }
        Establish(header, now);
        if (m_closing)
        {
            m_state = TcpState::FIN_WAIT_1;
        }
        return true;
    }
    const auto oldest =
        m_send.GetUnacknowledged() - static_cast<Position>(m_send.GetLargestWindow());
    if (read.position > m_send.GetNext())
    {
        AnswerInvalid(length > 0, now);
        SendPending(now);
        return false;
    }
    if (read.position < oldest)
    {
        Challenge(now);
        return false;
    }
    m_send.Acknowledge(read, now);
    m_segmentSize = m_send.GetPathSegmentSize();
    const uint64_t released = ToOffset(m_send.GetAcknowledgedOctets());
    if (released > m_released)
    {
        m_released = released;
        m_actions.Release(released);
    }
    return true;
}

void
TcpMachine::TakeAcknowledgedFin(Time now)
{
    if (!m_send.IsFinAcknowledged())
    {
        return;
    }
    switch (m_state)
    {
    case TcpState::FIN_WAIT_1:
        m_state = TcpState::FIN_WAIT_2;
        if (m_orphan)
        {
            m_deadlines.Set(TcpTimer::LINGER, now + m_settings.finTimeout);
        }
        break;
    case TcpState::CLOSING:
        EnterTimeWait(now);
        break;
    case TcpState::LAST_ACK:
        Leave(TcpEnd::CLOSED);
        break;
    default:
        break;
    }
}

void
TcpMachine::TakeOctets(const TcpWireHeader& header, uint32_t length, bool marked, Time now)
{
    const bool fin = header.Has(TcpWireHeader::FIN);
    if ((length == 0 && !fin) || m_receive.IsFinished())
    {
        return;
    }
    const Position begin = m_peer.ToPosition(header.sequence, m_receive.GetNext()) +
                           (header.Has(TcpWireHeader::SYN) ? 1 : 0);
    if (m_receive.IsEchoChanging(marked))
    {
        SendAcknowledgment(now);
    }
    m_receive.NoteMark(marked, header.Has(TcpWireHeader::CWR));
    const auto change = m_receive.Take(begin, begin + static_cast<Position>(length), fin, now);
    if (length > 0 && change.added.empty())
    {
        m_receive.Demand();
    }
    if (m_orphan)
    {
        m_receive.Consume(m_receive.GetWaiting());
    }
    else
    {
        for (const SequenceRange& added : change.added)
        {
            m_actions.Keep(ToOffset(added.begin),
                           static_cast<uint32_t>(added.begin - begin),
                           static_cast<uint32_t>(added.end - added.begin));
        }
        if (change.advanced)
        {
            m_actions.Deliver(ToOffset(m_receive.GetOctetsEnd()));
        }
    }
    if (m_receive.IsFinished())
    {
        TakeFin(now);
    }
}

void
TcpMachine::TakeFin(Time now)
{
    switch (m_state)
    {
    case TcpState::ESTABLISHED:
        m_state = TcpState::CLOSE_WAIT;
        break;
    case TcpState::FIN_WAIT_1:
        m_state = m_send.IsFinAcknowledged() ? TcpState::FIN_WAIT_2 : TcpState::CLOSING;
        break;
    default:
        break;
    }
    if (!m_endTold && !m_orphan)
    {
        m_endTold = true;
        m_actions.EndOfStream();
    }
    if (m_state == TcpState::FIN_WAIT_2)
    {
        EnterTimeWait(now);
    }
}

TcpMachine::Verdict
TcpMachine::HandleInTimeWait(const TcpWireHeader& header, uint32_t length, Time now)
{
    const Position begin = m_peer.ToPosition(header.sequence, m_receive.GetNext());
    if (header.Has(TcpWireHeader::RST))
    {
        return Verdict::TAKEN;
    }
    const bool isSyn = header.Has(TcpWireHeader::SYN) && !header.Has(TcpWireHeader::ACK);
    const bool hasNewer =
        m_timestamps && header.options.timestamps &&
        static_cast<int32_t>(header.options.timestamps->value - m_receive.GetTimestampToEcho()) > 0;
    if (isSyn && (begin > m_receive.GetNext() || hasNewer))
    {
        Leave(TcpEnd::CLOSED);
        return Verdict::NEW_CONNECTION;
    }
    if (header.Has(TcpWireHeader::FIN) || length > 0 || isSyn)
    {
        if (header.Has(TcpWireHeader::FIN))
        {
            m_deadlines.Set(TcpTimer::LINGER, now + m_settings.timeWait);
        }
        SendAcknowledgment(now);
    }
    return Verdict::TAKEN;
}

// Connecting

void
TcpMachine::LearnFromSyn(const TcpWireHeader& header, Time now)
{
    const TcpOptions& options = header.options;
    m_peer = SequenceSpace(header.sequence);
    m_timestamps = m_settings.timestamps && options.timestamps.has_value();
    m_sack = m_settings.sack && options.sackPermitted;
    m_scaling = m_settings.windowScaling && options.windowScale.has_value();
    m_peerScale =
        m_scaling ? std::min(*options.windowScale, TcpOptions::MOST_WINDOW_SCALE) : uint8_t{0};
    m_peerMss = std::max<uint32_t>(options.maximumSegmentSize ? *options.maximumSegmentSize
                                                              : m_settings.assumedPeerMss,
                                   LEAST_MSS);
    if (m_timestamps)
    {
        m_receive.RememberTimestamp(options.timestamps->value, 0, now);
    }
    m_segmentSize = GetMostSegment();
}

uint32_t
TcpMachine::GetMostSegment() const
{
    return std::min(m_settings.mss, m_peerMss) - (m_timestamps ? TcpOptions::TIMESTAMP_OCTETS : 0);
}

void
TcpMachine::Establish(const TcpWireHeader& header, Time now)
{
    const bool countsMarks = m_settings.control == TcpEngineSettings::Control::DCTCP;
    m_state = TcpState::ESTABLISHED;
    m_deadlines.CancelAll();
    m_receive.Start({m_scaling ? m_receive.GetOfferedScale() : uint8_t{0},
                     m_segmentSize,
                     m_sack,
                     m_timestamps,
                     m_ecn,
                     countsMarks});
    const TcpAcknowledgment read = Read(header, 0);
    SendStart start;
    start.now = now;
    start.segmentSize = m_segmentSize;
    start.window = read.window;
    start.sequence = read.sequence;
    start.sack = m_sack;
    start.timestamps = m_timestamps;
    start.ecn = m_ecn;
    start.seed = m_own.ToSequence(0) ^ (uint32_t{m_ports.local} << 16 | m_ports.remote);
    if (m_synsSent == 1)
    {
        start.roundTrip = now - m_synSentAt;
    }
    constexpr uint32_t FROM_THE_BEGINNING = 2;
    if (m_settings.mtuProbing == FROM_THE_BEGINNING)
    {
        const uint32_t options = m_timestamps ? TcpOptions::TIMESTAMP_OCTETS : 0;
        m_segmentSize = std::min(m_segmentSize, m_settings.baseMss - options);
        start.segmentSize = m_segmentSize;
    }
    m_send.Start(start);
    if (m_settings.mtuProbing == FROM_THE_BEGINNING)
    {
        m_send.Search(GetMostSegment(), now);
    }
    m_lastHeard = now;
    if (m_settings.keepAlive)
    {
        m_deadlines.Set(TcpTimer::KEEP_ALIVE, now + m_settings.keepaliveTime);
    }
    m_actions.Establish();
}

void
TcpMachine::SendSyn(Time now)
{
    const bool isAnswer = m_state == TcpState::SYN_RECEIVED;
    auto segment =
        Begin(isAnswer ? TcpWireHeader::SYN | TcpWireHeader::ACK : TcpWireHeader::SYN, 0, now);
    TcpOptions& options = segment.header.options;
    options.maximumSegmentSize =
        static_cast<uint16_t>(std::min<uint32_t>(m_settings.mss, ReceiveWindow::MOST_UNSCALED));
    options.sackPermitted = m_sack;
    if (m_scaling)
    {
        options.windowScale = m_receive.GetOfferedScale();
    }
    if (m_ecn && (isAnswer || m_synsSent == 0))
    {
        segment.header.flags |= isAnswer ? TcpWireHeader::ECE : ECN_REQUEST;
    }
    else if (!isAnswer)
    {
        m_ecn = false;
    }
    segment.repeated = m_synsSent > 0;
    ++(segment.repeated ? m_counters.retransmits : m_counters.outSegments);
    m_synSentAt = now;
    Time wait = m_settings.initialRto;
    for (uint32_t i = 0; i < std::min(m_synsSent, MOST_SYN_DOUBLINGS); ++i)
    {
        wait = wait * 2;
    }
    ++m_synsSent;
    m_deadlines.Set(TcpTimer::RETRANSMISSION, now + std::min(wait, m_settings.rtoMax));
    m_actions.Transmit(segment);
}

void
TcpMachine::HandleSynTimeout(Time now)
{
    const uint32_t most =
        m_state == TcpState::SYN_SENT ? m_settings.synRetries : m_settings.synackRetries;
    ++m_counters.timeouts;
    if (m_synsSent > most)
    {
        ++m_counters.aborted;
        Leave(TcpEnd::TIMED_OUT);
        return;
    }
    SendSyn(now);
}

// Sending

OutgoingTcpSegment
TcpMachine::Begin(uint16_t flags, Position begin, Time now)
{
    OutgoingTcpSegment segment;
    TcpWireHeader& header = segment.header;
    header.sourcePort = m_ports.local;
    header.destinationPort = m_ports.remote;
    header.sequence = m_own.ToSequence(begin);
    segment.offset = begin > FIRST_OCTET ? ToOffset(begin) : 0;
    header.flags = flags;
    const bool syn = (flags & TcpWireHeader::SYN) != 0;
    const bool acknowledges = (flags & TcpWireHeader::ACK) != 0;
    if (acknowledges)
    {
        header.acknowledgment = m_peer.ToSequence(m_receive.GetNext());
    }
    header.window = m_receive.OfferWindow(syn);
    if (m_timestamps)
    {
        m_stamped = std::max(m_stamped, now);
        header.options.timestamps =
            TcpTimestamps{m_settings.GetTimestamp(m_stamped),
                          acknowledges ? m_receive.GetTimestampToEcho() : 0};
    }
    if (acknowledges && !syn)
    {
        header.flags |= m_ecn && m_receive.OwesEcho() ? TcpWireHeader::ECE : uint16_t{0};
    }
    return segment;
}

void
TcpMachine::SendPending(Time now)
{
    if (m_state == TcpState::SYN_RECEIVED && m_receive.IsAcknowledgmentDue())
    {
        SendAcknowledgment(now);
    }
    if (!IsSynchronized())
    {
        return;
    }
    while (const auto segment = m_send.Next(now))
    {
        SendSegment(*segment, now);
    }
    if (m_send.TakeProbe())
    {
        SendProbe(now);
    }
    if (m_receive.IsAcknowledgmentDue())
    {
        SendAcknowledgment(now);
    }
}

void
TcpMachine::SendSegment(const SegmentToSend& due, Time now)
{
    auto segment = Begin(TcpWireHeader::ACK, due.begin, now);
    segment.offset = ToOffset(due.begin);
    segment.length = static_cast<uint32_t>(due.end - due.begin);
    segment.capable = due.capable;
    segment.repeated = due.repeated;
    segment.header.flags |= due.fin ? TcpWireHeader::FIN : uint16_t{0};
    segment.header.flags |= due.reduced ? TcpWireHeader::CWR : uint16_t{0};
    segment.header.flags |= due.last && segment.length > 0 ? TcpWireHeader::PSH : uint16_t{0};
    if (m_sack)
    {
        constexpr uint32_t OCTETS_OF_RANGE = 8;
        constexpr uint32_t OCTETS_BEFORE_RANGES = 4;
        const uint32_t room = m_segmentSize - std::min(segment.length, m_segmentSize);
        const uint32_t fit =
            room < OCTETS_BEFORE_RANGES ? 0 : (room - OCTETS_BEFORE_RANGES) / OCTETS_OF_RANGE;
        m_receive.ReportRanges(segment.header.options.sack,
                               std::min(fit, TcpOptions::MostSackRanges(m_timestamps)),
                               [this](Position position) { return m_peer.ToSequence(position); });
    }
    m_receive.NoteAcknowledged();
    m_actions.Transmit(segment);
}

void
TcpMachine::SendAcknowledgment(Time now)
{
    auto segment = Begin(TcpWireHeader::ACK, m_send.GetNext(), now);
    if (m_sack)
    {
        m_receive.ReportRanges(segment.header.options.sack,
                               TcpOptions::MostSackRanges(m_timestamps),
                               [this](Position position) { return m_peer.ToSequence(position); });
    }
    m_receive.NoteAcknowledged();
    ++m_counters.outSegments;
    m_actions.Transmit(segment);
}

void
TcpMachine::SendProbe(Time now)
{
    ++m_counters.outSegments;
    m_actions.Transmit(Begin(TcpWireHeader::ACK, m_send.GetUnacknowledged() - 1, now));
}

void
TcpMachine::Challenge(Time now)
{
    if (now - m_challengesSince >= m_settings.challengeAckWindow)
    {
        m_challengesSince = now;
        m_challenges = 0;
    }
    if (m_challenges >= m_settings.challengeAckLimit)
    {
        ++m_counters.challengesSkipped;
        return;
    }
    ++m_challenges;
    ++m_counters.challengeAcks;
    SendAcknowledgment(now);
}

void
TcpMachine::AnswerInvalid(bool bringsOctets, Time now)
{
    if (!bringsOctets)
    {
        if (m_invalidAnsweredAt && now - *m_invalidAnsweredAt < m_settings.invalidRatelimit)
        {
            return;
        }
        m_invalidAnsweredAt = now;
    }
    m_receive.Demand();
}

void
TcpMachine::SendReset(const TcpWireHeader& cause, uint32_t length)
{
    if (const auto answer = AnswerStray(cause, length))
    {
        ++m_counters.outResets;
        OutgoingTcpSegment segment;
        segment.header = *answer;
        m_actions.Transmit(segment);
    }
}

// Ending

bool
TcpMachine::IsSynchronized() const
{
    return m_state != TcpState::CLOSED && m_state != TcpState::LISTEN &&
           m_state != TcpState::SYN_SENT && m_state != TcpState::SYN_RECEIVED;
}

void
TcpMachine::EnterTimeWait(Time now)
{
    m_state = TcpState::TIME_WAIT;
    m_deadlines.CancelAll();
    m_deadlines.Set(TcpTimer::LINGER, now + m_settings.timeWait);
}

void
TcpMachine::Leave(TcpEnd end)
{
    m_state = TcpState::CLOSED;
    m_deadlines.CancelAll();
    m_actions.End(end);
}

// Time

void
TcpMachine::HandleTimers(Time now)
{
    while (const auto timer = m_deadlines.Take(now))
    {
        bool goesOn = true;
        switch (*timer)
        {
        case TcpTimer::DELAYED_ACK:
            ++m_counters.delayedAcks;
            m_receive.Demand();
            break;
        case TcpTimer::KEEP_ALIVE:
            HandleKeepAlive(now);
            break;
        case TcpTimer::PATH_MTU:
            SetPathMss(m_settings.mss, now);
            break;
        case TcpTimer::USER_TIMEOUT:
            goesOn = false;
            break;
        case TcpTimer::LINGER:
            Leave(TcpEnd::CLOSED);
            break;
        case TcpTimer::RETRANSMISSION:
            if (!IsSynchronized())
            {
                HandleSynTimeout(now);
                break;
            }
            [[fallthrough]];
        default:
            goesOn = m_send.HandleTimer(*timer, now);
            break;
        }
        if (!goesOn)
        {
            ++m_counters.aborted;
            Leave(TcpEnd::TIMED_OUT);
        }
        else if (*timer == TcpTimer::RETRANSMISSION && m_settings.mtuProbing > 0)
        {
            SuspectBlackHole(now);
        }
        SendPending(now);
    }
}

/// Linux's tcp_mtu_probing(): a path that swallows large packets and does not say so.
void
TcpMachine::SuspectBlackHole(Time now)
{
    const uint32_t timeouts = m_send.GetTimeouts();
    if (!IsSynchronized() || timeouts < m_settings.retries1)
    {
        return;
    }
    const uint32_t options = m_timestamps ? TcpOptions::TIMESTAMP_OCTETS : 0;
    const uint32_t half =
        timeouts == m_settings.retries1 ? m_settings.baseMss : (m_segmentSize + options) / 2;
    const uint32_t mss = std::max(std::min(m_settings.baseMss, half), m_settings.mtuProbeFloor);
    if (mss < m_segmentSize + options)
    {
        ++m_counters.mtuProbings;
        m_segmentSize = mss - options;
        m_send.Narrow(m_segmentSize);
        m_send.Search(GetMostSegment(), now);
        SendPending(now);
    }
}

void
TcpMachine::HandleKeepAlive(Time now)
{
    if (!m_send.IsIdle())
    {
        m_deadlines.Set(TcpTimer::KEEP_ALIVE, now + m_settings.keepaliveTime);
        return;
    }
    const Time due = m_lastHeard + m_settings.keepaliveTime;
    if (m_keepAlives == 0 && now < due)
    {
        m_deadlines.Set(TcpTimer::KEEP_ALIVE, due);
        return;
    }
    if (m_keepAlives >= m_settings.keepaliveProbes)
    {
        ++m_counters.aborted;
        ++m_counters.outResets;
        m_actions.Transmit(Begin(TcpWireHeader::RST, m_send.GetNext(), now));
        Leave(TcpEnd::TIMED_OUT);
        return;
    }
    ++m_keepAlives;
    ++m_counters.keepAlives;
    m_deadlines.Set(TcpTimer::KEEP_ALIVE, now + m_settings.keepaliveInterval);
    SendProbe(now);
}

} // namespace ns3::nfsrdma
