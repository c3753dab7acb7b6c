/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/connect/streaming-mode.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

ByteVector
Repeat(const std::string& text, uint32_t octets)
{
    ByteVector message(octets);
    for (uint32_t i = 0; i < octets; ++i)
    {
        message[i] = static_cast<uint8_t>(text[i % text.size()]);
    }
    return message;
}

} // namespace

StreamingMode
StreamingMode::OfSize(uint32_t octets)
{
    return {Repeat("Hello. ", octets), Repeat("Hello Ack. ", octets)};
}

StreamingExchange::StreamingExchange(MpaConnection::Released stream,
                                     StreamingMode mode,
                                     bool initiator,
                                     Time limit,
                                     Finished finished)
    : m_stream(std::move(stream)),
      m_own(std::move(initiator ? mode.hello : mode.lastMessage)),
      m_expected(std::move(initiator ? mode.lastMessage : mode.hello)),
      m_initiator(initiator),
      m_finished(std::move(finished))
{
    ByteStream::Callbacks& callbacks = m_stream.stream->GetCallbacks();
    callbacks.established = MakeCallback(&StreamingExchange::HandleEstablished, this);
    callbacks.space = MakeCallback(&StreamingExchange::HandleSpace, this);
    callbacks.receive = MakeCallback(&StreamingExchange::HandleReceive, this);
    callbacks.ended = MakeCallback(&StreamingExchange::HandleEnd, this);
    m_step = Simulator::ScheduleNow(&StreamingExchange::HandleReceive, this);
    if (limit.IsStrictlyPositive())
    {
        m_expiry = Simulator::Schedule(limit, &StreamingExchange::Finish, this, Outcome::LATE);
    }
}

StreamingExchange::~StreamingExchange()
{
    if (const auto stream = Take().stream)
    {
        stream->Abort();
    }
}

MpaConnection::Released
StreamingExchange::Take()
{
    m_step.Cancel();
    m_expiry.Cancel();
    if (m_stream.stream)
    {
        m_stream.stream->GetCallbacks() = {};
    }
    return std::exchange(m_stream, {});
}

void
StreamingExchange::HandleEstablished()
{
    m_established = true;
    HandleSpace();
}

void
StreamingExchange::HandleReceive()
{
    if (m_over)
    {
        return;
    }
    if (const auto packet = m_stream.stream->Receive())
    {
        const std::size_t before = m_stream.unread.size();
        m_stream.unread.resize(before + packet->GetSize());
        packet->CopyData(m_stream.unread.data() + before, packet->GetSize());
    }
    Hear();
    HandleSpace();
}

void
StreamingExchange::Hear()
{
    ByteVector& unread = m_stream.unread;
    const auto taken =
        static_cast<std::ptrdiff_t>(std::min(unread.size(), m_expected.size() - m_heard));
    const bool same = std::equal(unread.begin(),
                                 unread.begin() + taken,
                                 m_expected.begin() + static_cast<std::ptrdiff_t>(m_heard));
    m_heard += static_cast<std::size_t>(taken);
    unread.erase(unread.begin(), unread.begin() + taken);
    if (!same)
    {
        Finish(Outcome::WRONG);
    }
}

void
StreamingExchange::HandleSpace()
{
    if (m_over)
    {
        return;
    }
    const bool heardAll = m_heard == m_expected.size();
    if (m_initiator || heardAll)
    {
        Say();
    }
    if (heardAll && m_sent == m_own.size())
    {
        Finish(Outcome::DONE);
    }
}

void
StreamingExchange::Say()
{
    while (m_sent < m_own.size())
    {
        const auto size =
            std::min<std::size_t>(m_stream.stream->GetTxAvailable(), m_own.size() - m_sent);
        if (size == 0 || !m_stream.stream->SendUnit(
                             Create<Packet>(m_own.data() + m_sent, static_cast<uint32_t>(size))))
        {
            return;
        }
        m_sent += size;
    }
}

void
StreamingExchange::HandleEnd(StreamEnd end)
{
    m_end = end;
    Finish(Outcome::LOST);
}

void
StreamingExchange::Finish(Outcome outcome)
{
    if (std::exchange(m_over, true))
    {
        return;
    }
    m_expiry.Cancel();
    m_step.Cancel();
    m_step = Simulator::ScheduleNow(&StreamingExchange::Report, this, outcome);
}

void
StreamingExchange::Report(Outcome outcome) const
{
    const auto finished = m_finished; // It may destroy this.
    finished(outcome == Outcome::DONE && m_end ? Outcome::LOST : outcome);
}

} // namespace ns3::nfsrdma
