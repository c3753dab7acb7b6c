/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/raw-stream.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

RawStream::~RawStream()
{
    m_end.Cancel();
    if (const auto stream = Detach())
    {
        stream->Abort();
    }
}

void
RawStream::Connect(MpaTransport& transport, const Address& remote)
{
    m_stream = transport.Connect(remote);
    m_stream->GetCallbacks().established = MakeCallback(&RawStream::Established, this);
    m_stream->GetCallbacks().receive = MakeCallback(&RawStream::Readable, this);
    m_stream->GetCallbacks().ended = MakeCallback(&RawStream::Ended, this);
}

Ptr<ByteStream>
RawStream::Detach()
{
    auto stream = std::exchange(m_stream, nullptr);
    if (stream)
    {
        stream->GetCallbacks() = {};
    }
    return stream;
}

bool
RawStream::SendOctets(ByteSpan octets)
{
    while (IsOpen() && !octets.empty())
    {
        const std::size_t room = std::min(m_stream->GetEmss(), m_stream->GetTxAvailable());
        const std::size_t length = std::min(room, octets.size());
        if (length == 0 ||
            !m_stream->SendUnit(Create<Packet>(octets.data(), static_cast<uint32_t>(length))))
        {
            return false;
        }
        octets = octets.subspan(length);
    }
    return octets.empty();
}

void
RawStream::Close()
{
    if (const auto stream = Detach())
    {
        stream->Close();
        ScheduleEnd();
    }
}

void
RawStream::Abort()
{
    if (const auto stream = Detach())
    {
        stream->Abort();
        ScheduleEnd();
    }
}

void
RawStream::ScheduleEnd()
{
    m_end = Simulator::ScheduleNow(&RawStream::Finish, this);
}

void
RawStream::Established()
{
    m_connected = true;
    HandleConnected();
}

void
RawStream::Readable()
{
    const auto packet = m_stream->Receive();
    if (!packet)
    {
        return;
    }
    ByteVector octets(packet->GetSize());
    packet->CopyData(octets.data(), packet->GetSize());
    HandleOctets(octets);
}

void
RawStream::Ended(StreamEnd /* end */)
{
    if (const auto stream = Detach())
    {
        stream->Close();
    }
    Finish();
}

void
RawStream::Finish()
{
    m_over = true;
    HandleEnd();
}

} // namespace ns3::nfsrdma
