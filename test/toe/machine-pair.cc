/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/machine-pair.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t MILLE = 1000;
constexpr uint32_t OCTETS_AROUND = 58; // Of Ethernet, with preamble and gap, and IP.

} // namespace

MachinePair::MachinePair(const std::array<TcpEngineSettings, 2>& settings,
                         const Weather& weather,
                         uint64_t seed)
    : m_weather(weather),
      m_random(seed)
{
    for (std::size_t side = 0; side < 2; ++side)
    {
        m_hosts[side] = std::make_unique<Host>();
        Host& host = *m_hosts[side];
        host.pair = this;
        host.side = side;
        host.settings = settings[side];
        host.machine = std::make_unique<TcpMachine>(host.settings,
                                                    host,
                                                    host.counters,
                                                    side == 0 ? TcpMachine::Ports{1000, 2000}
                                                              : TcpMachine::Ports{2000, 0},
                                                    static_cast<uint32_t>(m_random()));
    }
}

void
MachinePair::Exchange(std::array<uint64_t, 2> octets, uint32_t largestUnit)
{
    m_largestUnit = largestUnit;
    for (std::size_t side = 0; side < 2; ++side)
    {
        m_hosts[side]->total = octets[side];
        m_hosts[1 - side]->kept.resize(octets[side]);
    }
    m_hosts[1]->machine->Listen();
    m_hosts[0]->machine->Connect(m_now);
}

bool
MachinePair::Run(uint64_t mostEvents, std::optional<Time> until)
{
    for (uint64_t event = 0; event < mostEvents; ++event)
    {
        std::optional<Time> next;
        if (!m_flying.empty())
        {
            next = m_flying.begin()->first;
        }
        Host* due = nullptr;
        for (const auto& host : m_hosts)
        {
            const auto deadline = host->machine->GetDeadline();
            if (deadline && (!next || *deadline < *next))
            {
                next = deadline;
                due = host.get();
            }
        }
        if (!next || (until && *next > *until))
        {
            return true;
        }
        m_now = std::max(m_now, *next);
        if (due != nullptr)
        {
            due->machine->HandleTimers(m_now);
            Serve(*due);
            continue;
        }
        const Flying segment = m_flying.begin()->second;
        m_flying.erase(m_flying.begin());
        Arrive(segment);
    }
    return false;
}

uint32_t
MachinePair::Draw(uint32_t below)
{
    return static_cast<uint32_t>(m_random() % below);
}

void
MachinePair::Fly(const Flying& segment)
{
    Flying flying = segment;
    Host& from = *m_hosts[1 - segment.to];
    Time leaves = m_now;
    if (m_weather.rate > 0)
    {
        leaves = std::max(m_now, from.busyUntil);
        if (leaves - m_now > m_weather.queue)
        {
            return;
        }
        flying.marked = leaves - m_now > m_weather.markAbove && segment.capable;
        const uint64_t bits = 8 * (segment.header.size() + segment.length + OCTETS_AROUND);
        leaves += NanoSeconds(static_cast<int64_t>(bits * 1'000'000'000 / m_weather.rate));
        from.busyUntil = leaves;
    }
    if (Draw(MILLE) < m_weather.lost)
    {
        return;
    }
    flying.marked = flying.marked || (segment.capable && Draw(MILLE) < m_weather.marked);
    const uint32_t copies = Draw(MILLE) < m_weather.doubled ? 2 : 1;
    for (uint32_t copy = 0; copy < copies; ++copy)
    {
        Time arrives = leaves + m_weather.delay;
        if (m_weather.jitter.IsStrictlyPositive() && Draw(MILLE) < m_weather.late)
        {
            arrives += NanoSeconds(Draw(static_cast<uint32_t>(m_weather.jitter.GetNanoSeconds())));
        }
        m_flying.insert({arrives, flying});
    }
}

void
MachinePair::Arrive(const Flying& segment)
{
    Host& host = *m_hosts[segment.to];
    const auto received = ReceivedTcpSegment::Decode(segment.header);
    ASSERT_TRUE(received.has_value());
    host.inHand = &segment;
    const auto verdict =
        host.machine->HandleSegment(received->header, segment.length, segment.marked, m_now);
    host.inHand = nullptr;
    ASSERT_NE(verdict, TcpMachine::Verdict::NEW_CONNECTION);
    Serve(host);
}

void
MachinePair::Serve(Host& host)
{
    const bool canSend = host.machine->GetState() == TcpState::ESTABLISHED ||
                         host.machine->GetState() == TcpState::CLOSE_WAIT;
    while (canSend && host.given < host.total)
    {
        const uint64_t left = std::min<uint64_t>(host.total - host.given, host.settings.sendBuffer);
        const auto size = static_cast<uint32_t>(std::min<uint64_t>(1 + Draw(m_largestUnit), left));
        if (!host.machine->Send(size, m_now))
        {
            break;
        }
        host.given += size;
    }
    if (host.given == host.total && canSend && !host.closed)
    {
        host.closed = true;
        host.machine->Shutdown(m_now);
    }
    const uint64_t waiting = host.delivered - host.consumed;
    if (waiting > 0)
    {
        const uint64_t take =
            m_slowUsers && Draw(4) > 0 ? Draw(static_cast<uint32_t>(waiting)) : waiting;
        host.consumed += take;
        host.machine->Consume(take, m_now);
    }
    EXPECT_LE(host.machine->GetReceiveSide().GetWaiting() +
                  host.machine->GetReceiveSide().GetOutOfOrder(),
              host.settings.receiveBuffer);
}

void
MachinePair::Host::Transmit(const OutgoingTcpSegment& segment)
{
    const uint32_t options =
        segment.length > 0 && segment.header.options.timestamps ? TcpOptions::TIMESTAMP_OCTETS : 0;
    EXPECT_LE(segment.length + options, settings.mss);
    EXPECT_LE(segment.length + segment.header.options.GetSize(),
              std::max(settings.mss, TcpOptions::MOST_OCTETS));
    EXPECT_EQ(segment.repeated && segment.length > 0,
              segment.length > 0 && segment.offset < sentEnd);
    EXPECT_TRUE(segment.length == 0 || segment.offset >= released);
    const uint64_t fin = segment.length == 0 ? 1 : 0; // An acknowledgment may follow it.
    EXPECT_LE(segment.offset + segment.length, given + (segment.length > 0 ? UINT16_MAX : fin));
    sentEnd = std::max(sentEnd, segment.length > 0 ? segment.offset + segment.length : 0);
    ByteVector header(segment.header.GetSize());
    EXPECT_TRUE(segment.header.Encode(header));
    pair->Fly({1 - side, header, segment.offset, segment.length, segment.capable, false});
}

bool
MachinePair::Host::Offer(uint64_t offset, uint32_t from, uint32_t length)
{
    EXPECT_EQ(offset, inHand->offset + from);
    EXPECT_LE(from + length, inHand->length);
    return pair->Draw(MILLE) >= pair->m_weather.refused;
}

void
MachinePair::Host::Keep(uint64_t offset, uint32_t from, uint32_t length)
{
    ASSERT_EQ(offset, inHand->offset + from);
    ASSERT_LE(from + length, inHand->length);
    ASSERT_LE(offset + length, kept.size());
    for (uint64_t i = offset; i < offset + length; ++i)
    {
        ASSERT_FALSE(kept[i]) << "octet " << i << " came twice";
        kept[i] = true;
    }
}

void
MachinePair::Host::Deliver(uint64_t edge)
{
    ASSERT_GT(edge, delivered);
    ASSERT_LE(edge, kept.size());
    for (uint64_t i = delivered; i < edge; ++i)
    {
        ASSERT_TRUE(kept[i]) << "octet " << i << " never came";
    }
    delivered = edge;
}

void
MachinePair::Host::Release(uint64_t edge)
{
    EXPECT_GT(edge, released);
    EXPECT_LE(edge, sentEnd);
    released = edge;
}

void
MachinePair::Host::Establish()
{
    EXPECT_FALSE(end.has_value());
}

void
MachinePair::Host::EndOfStream()
{
    EXPECT_FALSE(endOfStream);
    EXPECT_EQ(delivered, kept.size());
    endOfStream = true;
}

void
MachinePair::Host::End(TcpEnd how)
{
    EXPECT_FALSE(end.has_value());
    end = how;
}

} // namespace ns3::nfsrdma
