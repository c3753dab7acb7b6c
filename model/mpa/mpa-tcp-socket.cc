/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/mpa-tcp-socket.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaMpaTcpSocket");
NS_OBJECT_ENSURE_REGISTERED(MpaTcpSocket);

namespace
{

template <typename T>
Ptr<T>
CreateByTypeAttribute(Ptr<TcpL4Protocol> tcp, const std::string& attribute)
{
    TypeIdValue type;
    tcp->GetAttribute(attribute, type);
    ObjectFactory factory;
    factory.SetTypeId(type.Get());
    return factory.Create<T>();
}

void
DiscardReceived(Ptr<Socket> socket)
{
    static_cast<void>(socket->Recv(std::numeric_limits<uint32_t>::max(), 0));
}

} // namespace

TypeId
MpaTcpSocket::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::MpaTcpSocket")
            .SetParent<TcpSocketBase>()
            .SetGroupName("NfsRdma")
            .AddConstructor<MpaTcpSocket>()
            .AddAttribute(
                "CloseTimeout",
                "Time after Close() at which a connection that is not closed yet is reset "
                "(s). Linux gives orphaned connections 60 s (tcp_fin_timeout); shorter "
                "here because ns-3 repeats an unanswered FIN without back-off.",
                TimeValue(Seconds(5)),
                MakeTimeAccessor(&MpaTcpSocket::m_closeTimeout),
                MakeTimeChecker(Time(0)));
    return tid;
}

TypeId
MpaTcpSocket::GetInstanceTypeId() const
{
    return GetTypeId();
}

Ptr<MpaTcpSocket>
MpaTcpSocket::Create(Ptr<Node> node)
{
    auto tcp = node->GetObject<TcpL4Protocol>();
    NS_ABORT_MSG_IF(!tcp,
                    "node " << node->GetId() << " has no TCP: install an InternetStack first");
    auto socket = CreateObject<MpaTcpSocket>();
    socket->SetNode(node);
    socket->SetTcp(tcp);
    socket->SetRtt(CreateByTypeAttribute<RttEstimator>(tcp, "RttEstimatorType"));
    socket->SetCongestionControlAlgorithm(
        CreateByTypeAttribute<TcpCongestionOps>(tcp, "SocketType"));
    socket->SetRecoveryAlgorithm(CreateByTypeAttribute<TcpRecoveryOps>(tcp, "RecoveryType"));
    socket->SetTcpNoDelay(true);
    tcp->AddSocket(socket);
    return socket;
}

MpaTcpSocket::MpaTcpSocket() = default;

MpaTcpSocket::MpaTcpSocket(const MpaTcpSocket& other)
    : TcpSocketBase(other),
      m_closeTimeout(other.m_closeTimeout)
{
}

MpaTcpSocket::~MpaTcpSocket()
{
    m_closeGuard.Remove();
}

Ptr<TcpSocketBase>
MpaTcpSocket::Fork()
{
    return CopyObject<MpaTcpSocket>(this);
}

bool
MpaTcpSocket::SendUnit(Ptr<Packet> unit)
{
    if ((m_state != ESTABLISHED && m_state != CLOSE_WAIT) || Send(unit, 0) < 0)
    {
        return false;
    }
    m_unitEnds.push_back(m_txBuffer->TailSequence());
    return true;
}

uint32_t
MpaTcpSocket::GetEmss() const
{
    return m_tcb->m_segmentSize;
}

TcpSocket::TcpStates_t
MpaTcpSocket::GetState() const
{
    return m_state;
}

uint32_t
MpaTcpSocket::OctetsToUnitEnd(SequenceNumber32 seq)
{
    const SequenceNumber32 acknowledged = m_txBuffer->HeadSequence();
    while (!m_unitEnds.empty() && m_unitEnds.front() <= acknowledged)
    {
        m_unitEnds.pop_front();
    }
    const auto end = std::upper_bound(m_unitEnds.begin(), m_unitEnds.end(), seq);
    return end == m_unitEnds.end() ? std::numeric_limits<uint32_t>::max()
                                   : static_cast<uint32_t>(*end - seq);
}

uint32_t
MpaTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    uint32_t size = std::min(maxSize, OctetsToUnitEnd(seq));
    const SequenceNumber32 sentEnd = m_tcb->m_highTxMark;
    if (seq < sentEnd)
    {
        size = std::min(size, static_cast<uint32_t>(sentEnd - seq));
    }
    return TcpSocketBase::SendDataPacket(seq, size, withAck);
}

void
MpaTcpSocket::EstimateRtt(const TcpHeader& tcpHeader)
{
    const bool timestamps = m_timestampEnabled;
    m_timestampEnabled = false;
    TcpSocketBase::EstimateRtt(tcpHeader);
    m_timestampEnabled = timestamps;
}

void
MpaTcpSocket::NewAck(const SequenceNumber32& seq, bool resetRTO)
{
    TcpSocketBase::NewAck(seq, resetRTO);
    if (m_finWaitsForAck && m_txBuffer->Size() == 0)
    {
        m_finWaitsForAck = false;
        Simulator::ScheduleNow(&MpaTcpSocket::SendFin, Ptr<MpaTcpSocket>(this));
    }
}

void
MpaTcpSocket::PersistTimeout()
{
    if (m_txBuffer->SizeFromSequence(m_tcb->m_nextTxSequence) > 0)
    {
        TcpSocketBase::PersistTimeout();
    }
}

void
MpaTcpSocket::DoForwardUp(Ptr<Packet> packet, const Address& fromAddress, const Address& toAddress)
{
    constexpr std::size_t FLAGS_OFFSET = 13;
    constexpr uint8_t FIN_AND_ACK = TcpHeader::FIN | TcpHeader::ACK;
    std::array<uint8_t, FLAGS_OFFSET + 1> start{};
    packet->CopyData(start.data(), start.size());
    if (m_state == ESTABLISHED && (start[FLAGS_OFFSET] & FIN_AND_ACK) == FIN_AND_ACK)
    {
        TcpHeader acknowledgment;
        packet->PeekHeader(acknowledgment);
        if (acknowledgment.GetAckNumber() > m_txBuffer->HeadSequence())
        {
            acknowledgment.SetFlags(TcpHeader::ACK);
            const auto withoutFin = ns3::Create<Packet>();
            withoutFin->AddHeader(acknowledgment);
            TcpSocketBase::DoForwardUp(withoutFin, fromAddress, toAddress);
        }
    }
    TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
}

void
MpaTcpSocket::CloseInOrder()
{
    NS_LOG_FUNCTION(this << TcpStateName[m_state]);
    if (m_endPoint == nullptr && m_endPoint6 == nullptr)
    {
        return;
    }
    SetRecvCallback(MakeCallback(&DiscardReceived));
    DiscardReceived(this);
    m_closeGuard = Simulator::Schedule(m_closeTimeout, &MpaTcpSocket::Reset, this);
    m_state.ConnectWithoutContext(MakeCallback(&MpaTcpSocket::StateChanged, this));
    const bool nothingMissing = m_state == ESTABLISHED &&
                                m_tcb->m_congState == TcpSocketState::CA_OPEN &&
                                m_tcb->m_nextTxSequence == m_tcb->m_highTxMark;
    if (nothingMissing || m_txBuffer->Size() == 0)
    {
        SendFin();
    }
    else
    {
        m_finWaitsForAck = true;
    }
}

void
MpaTcpSocket::SendFin()
{
    if (m_endPoint != nullptr || m_endPoint6 != nullptr)
    {
        Close();
    }
}

void
MpaTcpSocket::StateChanged(TcpStates_t /* before */, TcpStates_t now)
{
    if (now == CLOSED || now == TIME_WAIT)
    {
        m_closeGuard.Remove();
    }
}

void
MpaTcpSocket::Reset()
{
    NS_LOG_FUNCTION(this << TcpStateName[m_state]);
    const Ptr<MpaTcpSocket> self(this);
    m_closeGuard.Remove();
    if (m_endPoint == nullptr && m_endPoint6 == nullptr)
    {
        m_tcp->RemoveSocket(this);
    }
    else if (m_state == CLOSED || m_state == LISTEN || m_state == SYN_SENT || m_state == TIME_WAIT)
    {
        DeallocateEndPoint();
    }
    else
    {
        SendRST();
    }
    m_state = CLOSED;
}

} // namespace ns3::nfsrdma
