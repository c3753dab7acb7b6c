/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/receive-side.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

/// After so long the peer's clock may have gone round: RFC 7323 section 5.5.
constexpr int64_t DAYS_OF_TIMESTAMP = 24;

} // namespace

ReceiveSide::ReceiveSide(const TcpEngineSettings& settings,
                         TcpDeadlines& deadlines,
                         TcpEngineCounters& counters)
    : m_settings(settings),
      m_deadlines(deadlines),
      m_counters(counters),
      m_window(settings.receiveBuffer)
{
}

void
ReceiveSide::Start(const Agreement& agreement)
{
    m_agreement = agreement;
    m_window.Start(agreement.scale, agreement.segmentSize);
}

bool
ReceiveSide::IsAcceptable(Position begin, uint32_t length) const
{
    const Position next = GetNext();
    const Position edge = std::max(m_window.GetEdge(), next);
    if (length == 0)
    {
        return begin == next || (begin > next && begin < edge);
    }
    return begin == next || (begin < edge && begin + length > next);
}

bool
ReceiveSide::IsOld(uint32_t value, Time now) const
{
    return m_recent && static_cast<int32_t>(value - *m_recent) < 0 &&
           now - m_recentAt <= Days(DAYS_OF_TIMESTAMP);
}

void
ReceiveSide::RememberTimestamp(uint32_t value, Position begin, Time now)
{
    if (begin <= m_lastAcknowledged && !IsOld(value, now))
    {
        m_recent = value;
        m_recentAt = now;
    }
}

bool
ReceiveSide::IsEchoChanging(bool marked) const
{
    return m_agreement.ecn && m_agreement.countsMarks && marked != m_echo && m_pending > 0;
}

void
ReceiveSide::NoteMark(bool marked, bool reduced)
{
    m_counters.ecnMarked += marked ? 1 : 0;
    if (m_agreement.ecn)
    {
        m_echo = marked || (m_echo && !reduced && !m_agreement.countsMarks);
    }
}

void
ReceiveSide::NoteRepeated(SequenceRange range)
{
    m_due = true;
    m_counters.repeatedOctets += static_cast<uint64_t>(range.end - range.begin);
    if (m_agreement.sack && range.begin >= FIRST_OCTET)
    {
        m_repeated = range;
    }
}

ReceivedRanges::Change
ReceiveSide::Take(Position begin, Position end, bool fin, Time now)
{
    if (fin && end <= m_window.GetEdge())
    {
        m_finAt = m_finAt.value_or(end);
    }
    end = std::min(end, m_finAt.value_or(m_window.GetEdge()));
    end = std::min(end, m_window.GetEdge());
    ReceivedRanges::Change change;
    if (begin < end)
    {
        const bool hadGap = !m_ranges.GetRanges().empty();
        const bool ahead = begin > m_ranges.GetNext();
        change = m_ranges.Add(begin, end);
        m_counters.outOfOrder += ahead && !change.added.empty() ? 1 : 0;
        if (change.duplicate)
        {
            NoteRepeated(*change.duplicate);
        }
        if (hadGap || ahead)
        {
            m_due = true;
        }
        DelayAcknowledgment(now);
    }
    if (m_finAt && m_ranges.GetNext() == *m_finAt && !m_finished)
    {
        m_finished = true;
        m_due = true;
    }
    m_due = m_due || fin;
    return change;
}

void
ReceiveSide::NoteUnacceptable(Position begin, uint32_t length)
{
    m_due = true;
    const Position end = std::min(begin + static_cast<Position>(length), m_ranges.GetNext());
    if (begin < end)
    {
        NoteRepeated({begin, end});
    }
}

void
ReceiveSide::DelayAcknowledgment(Time now)
{
    if (++m_pending >= m_settings.ackEvery)
    {
        m_due = true;
    }
    else if (!m_due && !m_deadlines.IsSet(TcpTimer::DELAYED_ACK))
    {
        m_deadlines.Set(TcpTimer::DELAYED_ACK, now + m_settings.delayedAck);
    }
}

void
ReceiveSide::Consume(uint64_t octets)
{
    m_consumed += static_cast<Position>(std::min(octets, GetWaiting()));
    m_due = m_due || (!m_finished && m_window.IsUpdateDue(m_ranges.GetNext(), GetWaiting()));
}

uint16_t
ReceiveSide::OfferWindow(bool syn)
{
    return syn ? m_window.OfferInSyn() : m_window.Offer(m_ranges.GetNext(), GetWaiting());
}

uint8_t
ReceiveSide::GetOfferedScale() const
{
    return m_window.GetOfferedScale();
}

void
ReceiveSide::NoteAcknowledged()
{
    m_due = false;
    m_pending = 0;
    m_lastAcknowledged = GetNext();
    m_deadlines.Cancel(TcpTimer::DELAYED_ACK);
}

} // namespace ns3::nfsrdma
