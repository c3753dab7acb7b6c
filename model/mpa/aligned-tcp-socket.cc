/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/aligned-tcp-socket.h"

#include "ns3/boolean.h"
#include "ns3/node.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MpaTcpSocket);

TypeId
MpaTcpSocket::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::MpaTcpSocket")
            .SetParent<StreamTcpSocket>()
            .SetGroupName("NfsRdma")
            .AddConstructor<MpaTcpSocket>()
            .AddAttribute(
                "Packing",
                "Whether a segment may carry several whole units (RFC 5044 appendix A.2). "
                "Default: false, one unit in each segment.",
                BooleanValue(false),
                MakeBooleanAccessor(&MpaTcpSocket::m_packing),
                MakeBooleanChecker());
    return tid;
}

Ptr<MpaTcpSocket>
MpaTcpSocket::Create(Ptr<Node> node)
{
    auto socket = CreateObject<MpaTcpSocket>();
    socket->Install(node);
    return socket;
}

MpaTcpSocket::MpaTcpSocket(const MpaTcpSocket& other)
    : StreamTcpSocket(other),
      m_packing(other.m_packing)
{
}

Ptr<TcpSocketBase>
MpaTcpSocket::Fork()
{
    return CopyObject<MpaTcpSocket>(this);
}

bool
MpaTcpSocket::SendUnit(Ptr<Packet> unit)
{
    const SequenceNumber32 begin = m_txBuffer->TailSequence();
    if (!StreamTcpSocket::SendUnit(unit))
    {
        return false;
    }
    const SequenceNumber32 end = m_txBuffer->TailSequence();
    m_unitEnds.push_back(end);
    if (m_packing)
    {
        NoteQueued(begin, end);
    }
    return true;
}

void
MpaTcpSocket::NoteQueued(SequenceNumber32 begin, SequenceNumber32 end)
{
    const uint32_t emss = GetEmss();
    const SequenceNumber32 sentEnd = m_tcb->m_highTxMark;
    SequenceNumber32 start = m_unitEnds.size() > 1 ? std::max(m_fillStart, sentEnd) : sentEnd;
    if (m_insideUnit)
    {
        start = std::max(start, m_unitEnds.front());
    }
    if (static_cast<uint32_t>(end - start) > emss)
    {
        start = begin;
    }
    m_fillStart = static_cast<uint32_t>(end - start) >= emss ? end : start;
}

uint32_t
MpaTcpSocket::GetUnitRoom() const
{
    const uint32_t emss = GetEmss();
    if (!m_packing || m_unitEnds.empty())
    {
        return emss;
    }
    const SequenceNumber32 sentEnd = m_tcb->m_highTxMark;
    const auto queued = static_cast<uint32_t>(m_unitEnds.back() - std::max(m_fillStart, sentEnd));
    return queued < emss ? emss - queued : emss;
}

uint32_t
MpaTcpSocket::FirstSize(SequenceNumber32 seq, uint32_t maxSize) const
{
    if (m_unitEnds.empty())
    {
        return maxSize;
    }
    auto size = static_cast<uint32_t>(m_unitEnds.front() - seq);
    if (size >= maxSize || !m_packing || m_insideUnit)
    {
        return std::min(size, maxSize);
    }
    for (const auto& end : m_unitEnds)
    {
        const auto more = static_cast<uint32_t>(end - seq);
        if (more > maxSize)
        {
            break;
        }
        size = more;
    }
    return size;
}

uint32_t
MpaTcpSocket::RepeatedSize(SequenceNumber32 seq, uint32_t maxSize) const
{
    const auto end = std::upper_bound(m_segmentEnds.begin(), m_segmentEnds.end(), seq);
    return end == m_segmentEnds.end() ? maxSize
                                      : std::min(maxSize, static_cast<uint32_t>(*end - seq));
}

void
MpaTcpSocket::NoteFirst(SequenceNumber32 end)
{
    m_segmentEnds.push_back(end);
    m_insideUnit = true;
    while (!m_unitEnds.empty() && m_unitEnds.front() <= end)
    {
        m_insideUnit = m_unitEnds.front() != end;
        m_unitEnds.pop_front();
    }
}

void
MpaTcpSocket::NoteRepeated(SequenceNumber32 end)
{
    const auto at = std::lower_bound(m_segmentEnds.begin(), m_segmentEnds.end(), end);
    if (at != m_segmentEnds.end() && *at != end)
    {
        m_segmentEnds.insert(at, end);
    }
}

uint32_t
MpaTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    const SequenceNumber32 acknowledged = m_txBuffer->HeadSequence();
    while (!m_segmentEnds.empty() && m_segmentEnds.front() <= acknowledged)
    {
        m_segmentEnds.pop_front();
    }
    const bool first = seq >= m_tcb->m_highTxMark;
    const uint32_t size = first ? FirstSize(seq, maxSize) : RepeatedSize(seq, maxSize);
    const uint32_t sent = StreamTcpSocket::SendDataPacket(seq, size, withAck);
    if (sent > 0 && first)
    {
        NoteFirst(seq + sent);
    }
    else if (sent > 0)
    {
        NoteRepeated(seq + sent);
    }
    return sent;
}

} // namespace ns3::nfsrdma
