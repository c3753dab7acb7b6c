/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/replay-byte-stream.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ReplayByteStream);

namespace
{

constexpr uint32_t ROOM = 1 << 20;
constexpr uint32_t EMSS = 1448;

} // namespace

TypeId
ReplayByteStream::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::ReplayByteStream")
                            .SetParent<ByteStream>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<ReplayByteStream>();
    return tid;
}

void
ReplayByteStream::Arrive(ByteSpan octets)
{
    const auto packet = Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size()));
    if (m_arrived)
    {
        m_arrived->AddAtEnd(packet);
    }
    else
    {
        m_arrived = packet;
    }
    if (!m_callbacks.receive.IsNull())
    {
        m_callbacks.receive();
    }
}

void
ReplayByteStream::End(StreamEnd end)
{
    if (!m_callbacks.ended.IsNull())
    {
        m_callbacks.ended(end);
    }
}

bool
ReplayByteStream::SendUnit(Ptr<Packet> unit)
{
    if (m_firstUnit.empty())
    {
        m_firstUnit.resize(unit->GetSize());
        unit->CopyData(m_firstUnit.data(), unit->GetSize());
    }
    return true;
}

uint32_t
ReplayByteStream::GetTxAvailable() const
{
    return ROOM;
}

uint32_t
ReplayByteStream::GetEmss() const
{
    return EMSS;
}

Ptr<Packet>
ReplayByteStream::ReceiveAtMost(uint32_t limit)
{
    auto octets = std::exchange(m_arrived, nullptr);
    if (octets && octets->GetSize() > limit)
    {
        m_arrived = octets->CreateFragment(limit, octets->GetSize() - limit);
        octets = octets->CreateFragment(0, limit);
    }
    m_receivedOctets += octets ? octets->GetSize() : 0;
    return octets;
}

uint64_t
ReplayByteStream::GetReceivedOctets() const
{
    return m_receivedOctets;
}

void
ReplayByteStream::Close()
{
}

void
ReplayByteStream::Abort()
{
}

Address
ReplayByteStream::GetPeerAddress() const
{
    return {};
}

Address
ReplayByteStream::GetLocalAddress() const
{
    return {};
}

} // namespace ns3::nfsrdma
