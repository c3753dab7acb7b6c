/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/sack-tcp-socket.h"

#include "ns3/tcp-option-sack.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(SackTcpSocket);

TypeId
SackTcpSocket::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::SackTcpSocket").SetParent<TcpSocketBase>().SetGroupName("NfsRdma");
    return tid;
}

uint32_t
SackTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    if (m_processesAck && seq < m_tcb->m_highTxMark.Get())
    {
        SequenceNumber32 missing;
        SequenceNumber32 end;
        if (!m_txBuffer->NextSeg(&missing, &end, false) || missing != seq)
        {
            m_tcb->m_nextTxSequence = m_tcb->m_highTxMark;
            return maxSize;
        }
    }
    const SequenceNumber32 sentEnd = m_tcb->m_highTxMark;
    const uint32_t sent = TcpSocketBase::SendDataPacket(seq, maxSize, withAck);
    SegmentSent(seq, sent, sentEnd);
    return sent;
}

uint32_t
SackTcpSocket::AvailableWindow() const
{
    const uint32_t window = TcpSocketBase::AvailableWindow();
    return window > 0 && IsNextInFlight() ? 0 : window;
}

bool
SackTcpSocket::IsNextInFlight() const
{
    if (!m_sackEnabled || m_tcb->m_congState != TcpSocketState::CA_RECOVERY)
    {
        return false;
    }
    SequenceNumber32 next;
    SequenceNumber32 end;
    return !m_txBuffer->NextSeg(&next, &end, false) && m_txBuffer->NextSeg(&next, &end, true) &&
           (!m_sackedEnd || next >= *m_sackedEnd);
}

void
SackTcpSocket::ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
    NoteSacked(tcpHeader);
    TcpSocketBase::ReceivedAck(packet, tcpHeader);
}

void
SackTcpSocket::NoteSacked(const TcpHeader& tcpHeader)
{
    const auto option = DynamicCast<const TcpOptionSack>(tcpHeader.GetOption(TcpOption::SACK));
    if (!option)
    {
        return;
    }
    for (const auto& block : option->GetSackList())
    {
        if (block.second <= m_tcb->m_highTxMark.Get())
        {
            m_sackedEnd = m_sackedEnd ? std::max(*m_sackedEnd, block.second) : block.second;
        }
    }
}

void
SackTcpSocket::BeginAck()
{
    m_processesAck = m_sackEnabled;
}

void
SackTcpSocket::EndAck()
{
    m_processesAck = false;
}

} // namespace ns3::nfsrdma
