/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/stream-tcp-socket.h"

#include "mpa/host-tcp.h"
#include "mpa/internet-address.h"
#include "mpa/mtu-plateaus.h"
#include "mpa/segment-size-offer.h"
#include "mpa/tcp-header-start.h"
#include "wire/ns3-version.h"

#include "ns3/icmpv4.h"
#include "ns3/icmpv6-header.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-route.h"
#include "ns3/ipv6-routing-protocol.h"
#include "ns3/ipv6.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-option-rfc793.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-rx-buffer.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaStreamTcpSocket");
NS_OBJECT_ENSURE_REGISTERED(StreamTcpSocket);

namespace
{

constexpr uint32_t IP_AND_TCP_HEADERS = 40;
constexpr uint32_t MIN_IPV6_MTU = 1280;
constexpr uint32_t TIMESTAMP_OPTION = 12;
constexpr uint32_t TIMESTAMP_OPTION_UNPADDED = 10;
constexpr uint32_t MIN_TCP_HEADER = 20;

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

/// RFC 9293 section 3.10.7.2: an acknowledgment in LISTEN is of a connection that is not known.
void
RefuseStranger(const TcpL4Protocol& tcp,
               SequenceNumber32 acknowledgment,
               const Address& peer,
               const Address& local)
{
    const auto from = ReadSocketAddress(local).value_or(InternetEndPoint{});
    const auto to = ReadSocketAddress(peer).value_or(InternetEndPoint{});
    TcpHeader header;
    header.SetFlags(TcpHeader::RST);
    header.SetSequenceNumber(acknowledgment);
    header.SetSourcePort(from.port);
    header.SetDestinationPort(to.port);
    header.SetWindowSize(0);
    tcp.SendPacket(ns3::Create<Packet>(),
                   header,
                   ToHostAddress(from.address),
                   ToHostAddress(to.address));
}

constexpr uint8_t FIN_AND_ACK = TcpHeader::FIN | TcpHeader::ACK;

} // namespace

TypeId
StreamTcpSocket::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::StreamTcpSocket")
            .SetParent<SackTcpSocket>()
            .SetGroupName("NfsRdma")
            .AddConstructor<StreamTcpSocket>()
            .AddAttribute(
                "CloseTimeout",
                "Time after Close() at which a connection that is not closed yet is reset "
                "(s). Linux gives orphaned connections 60 s (tcp_fin_timeout); shorter "
                "here because ns-3 repeats an unanswered FIN without back-off.",
                TimeValue(Seconds(5)),
                MakeTimeAccessor(&StreamTcpSocket::m_closeTimeout),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "InitialSequence",
                "Sequence number of the SYN, for connections opened and accepted (count). ns-3 "
                "has 0.",
                UintegerValue(0),
                MakeUintegerAccessor(&StreamTcpSocket::SetInitialSequence,
                                     &StreamTcpSocket::GetInitialSequence),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("PathMtuRaiseTimeout",
                          "Time after \"fragmentation needed\" at which full segments are tried "
                          "again (Time); 0 is never. Default: 10 min (RFC 1191 section 6.3).",
                          TimeValue(Minutes(10)),
                          MakeTimeAccessor(&StreamTcpSocket::m_pathMtuRaiseTimeout),
                          MakeTimeChecker(Time(0)));
    return tid;
}

Ptr<StreamTcpSocket>
StreamTcpSocket::Create(Ptr<Node> node, const Address& end)
{
    auto socket = CreateObject<StreamTcpSocket>();
    socket->Install(node);
    if (!GetHostOf(end).IsIpv4())
    {
        socket->LeaveRoomForIpv6();
    }
    return socket;
}

void
StreamTcpSocket::LeaveRoomForIpv6()
{
    SetAttribute("SegmentSize", UintegerValue(GetSegSize() - IPV6_EXCESS));
}

void
StreamTcpSocket::Install(Ptr<Node> node)
{
    auto tcp = node->GetObject<TcpL4Protocol>();
    NS_ABORT_MSG_IF(!tcp,
                    "node " << node->GetId() << " has no TCP: install an InternetStack first");
    SetNode(node);
    SetTcp(tcp);
    SetRtt(CreateByTypeAttribute<RttEstimator>(tcp, "RttEstimatorType"));
    SetCongestionControlAlgorithm(CreateByTypeAttribute<TcpCongestionOps>(tcp, "SocketType"));
    SetRecoveryAlgorithm(CreateByTypeAttribute<TcpRecoveryOps>(tcp, "RecoveryType"));
    SetTcpNoDelay(true);
    SegmentSizeOffer::Install(node);
    m_icmpCallback = MakeCallback(&StreamTcpSocket::HandleIcmp, this);
    m_icmpCallback6 = MakeCallback(&StreamTcpSocket::HandleIcmpv6, this);
    tcp->AddSocket(this);
}

StreamTcpSocket::StreamTcpSocket(const StreamTcpSocket& other)
    : SackTcpSocket(other),
      m_closeTimeout(other.m_closeTimeout),
      m_pathMtuRaiseTimeout(other.m_pathMtuRaiseTimeout)
{
    m_icmpCallback = MakeCallback(&StreamTcpSocket::HandleIcmp, this);
    m_icmpCallback6 = MakeCallback(&StreamTcpSocket::HandleIcmpv6, this);
}

StreamTcpSocket::~StreamTcpSocket()
{
    m_closeGuard.Remove();
    m_pathMtuRaise.Remove();
    m_emssEvent.Remove();
    if (HostTcp* const host = GetHost())
    {
        host->Count().abandoned += m_held;
        host->ChangeHeld(m_held, 0);
        host->ChangeWaiting(m_waiting, 0);
    }
}

HostTcp*
StreamTcpSocket::GetHost()
{
    if (m_host == nullptr && m_tcp)
    {
        m_host = dynamic_cast<HostTcp*>(PeekPointer(m_tcp));
    }
    return m_host;
}

int
StreamTcpSocket::Send(Ptr<Packet> packet, uint32_t flags)
{
    const int taken = SackTcpSocket::Send(packet, flags);
    if (HostTcp* const host = GetHost(); host != nullptr && taken > 0)
    {
        host->Count().given += static_cast<uint64_t>(taken);
        SetBuffers(*host, m_held + static_cast<uint64_t>(taken), m_waiting);
        CountLimit();
    }
    return taken;
}

Ptr<Packet>
StreamTcpSocket::Recv(uint32_t maxSize, uint32_t flags)
{
    const Ptr<Packet> octets = SackTcpSocket::Recv(maxSize, flags);
    if (octets && m_waiting > 0)
    {
        CountBuffers();
    }
    if (octets && !m_takesSegment)
    {
        AnnounceWindow();
    }
    return octets;
}

void
StreamTcpSocket::SegmentSent(SequenceNumber32 seq, uint32_t octets, SequenceNumber32 sentEnd)
{
    HostTcp* const host = GetHost();
    if (host == nullptr || octets == 0)
    {
        return;
    }
    TcpCounters& counters = host->Count();
    ++counters.segmentsSent;
    if (seq >= sentEnd)
    {
        counters.octetsSent += octets;
    }
    else
    {
        counters.octetsRepeated += octets;
        ++(m_tcb->m_congState == TcpSocketState::CA_LOSS ? counters.timerRetransmits
                                                         : counters.fastRetransmits);
    }
    CountLimit();
}

void
StreamTcpSocket::SendEmptyPacket(uint8_t flags)
{
    if (HostTcp* const host = GetHost();
        host != nullptr && (flags & TcpHeader::SYN) != 0 && m_synCount < m_synRetries)
    {
        ++host->Count().timeouts;
    }
    if ((flags & TcpHeader::SYN) != 0)
    {
        BoundByDevice();
    }
    SackTcpSocket::SendEmptyPacket(flags);
}

void
StreamTcpSocket::CountBuffers()
{
    HostTcp* const host = GetHost();
    if (host == nullptr)
    {
        return;
    }
    const uint64_t held = m_txBuffer->Size();
    host->Count().acknowledged += m_held - held;
    SetBuffers(*host, held, m_tcb->m_rxBuffer->Size());
}

void
StreamTcpSocket::SetBuffers(HostTcp& host, uint64_t held, uint64_t waiting)
{
    if (held == m_held && waiting == m_waiting)
    {
        return;
    }
    if (held != m_held)
    {
        host.ChangeHeld(std::exchange(m_held, held), held);
    }
    if (waiting != m_waiting)
    {
        host.ChangeWaiting(std::exchange(m_waiting, waiting), waiting);
    }
    if (!m_bufferHandler.IsNull())
    {
        m_bufferHandler(m_held, m_waiting);
    }
}

StreamTcpSocket::Limit
StreamTcpSocket::FindLimit() const
{
    const uint32_t unsent = m_txBuffer->SizeFromSequence(m_tcb->m_nextTxSequence);
    if (unsent == 0 || (m_state != ESTABLISHED && m_state != CLOSE_WAIT))
    {
        return Limit::NONE;
    }
    const uint32_t window = Window();
    const uint32_t underWay = m_txBuffer->BytesInFlight();
    if (underWay + std::min(unsent, m_tcb->m_segmentSize) <= window)
    {
        return Limit::NONE;
    }
    return m_rWnd.Get() < m_tcb->m_cWnd.Get() ? Limit::PEER_WINDOW : Limit::CONGESTION_WINDOW;
}

void
StreamTcpSocket::CountLimit()
{
    HostTcp* const host = GetHost();
    if (host == nullptr)
    {
        return;
    }
    const Time now = Simulator::Now();
    if (m_limit == Limit::PEER_WINDOW)
    {
        host->Count().peerWindowLimited += now - m_limitedSince;
    }
    else if (m_limit == Limit::CONGESTION_WINDOW)
    {
        host->Count().congestionWindowLimited += now - m_limitedSince;
    }
    m_limitedSince = now;
    m_limit = FindLimit();
}

Ptr<TcpSocketBase>
StreamTcpSocket::Fork()
{
    return CopyObject<StreamTcpSocket>(this);
}

void
StreamTcpSocket::SetInitialSequence(uint32_t sequence)
{
    const SequenceNumber32 first(sequence);
    m_tcb->m_nextTxSequence = first;
    m_tcb->m_highTxMark = first;
    m_txBuffer->SetHeadSequence(first);
    m_highRxAckMark = first;
    m_recover = first;
    m_ecnEchoSeq = first;
    m_ecnCWRSeq = first;
}

uint32_t
StreamTcpSocket::GetInitialSequence() const
{
    return m_tcb->m_nextTxSequence.Get().GetValue();
}

bool
StreamTcpSocket::SendUnit(Ptr<Packet> unit)
{
    return (m_state == ESTABLISHED || m_state == CLOSE_WAIT) && Send(unit, 0) >= 0;
}

uint32_t
StreamTcpSocket::GetEmss() const
{
    return m_tcb->m_segmentSize;
}

uint32_t
StreamTcpSocket::GetOutOfOrderOctets() const
{
    return m_tcb->m_rxBuffer->Size() - m_tcb->m_rxBuffer->Available();
}

uint32_t
StreamTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    if (maxSize == 0)
    {
        m_windowUsedUp = true;
        return 0;
    }
    uint32_t size = maxSize;
    const SequenceNumber32 sentEnd = m_tcb->m_highTxMark;
    if (seq < sentEnd)
    {
        size = std::min(size, static_cast<uint32_t>(sentEnd - seq));
    }
    return SackTcpSocket::SendDataPacket(seq, size, withAck);
}

uint32_t
StreamTcpSocket::AvailableWindow() const
{
    if (m_windowUsedUp)
    {
        m_windowUsedUp = false;
        return 0;
    }
    return SackTcpSocket::AvailableWindow();
}

uint16_t
StreamTcpSocket::AdvertisedWindowSize(bool scale) const
{
    const uint16_t window = SackTcpSocket::AdvertisedWindowSize(scale);
    m_offeredEdge =
        m_tcb->m_rxBuffer->NextRxSequence() + (uint32_t{window} << (scale ? m_rcvWindShift : 0));
    return window;
}

void
StreamTcpSocket::AnnounceWindow()
{
    if (m_state != ESTABLISHED && m_state != FIN_WAIT_1 && m_state != FIN_WAIT_2)
    {
        return;
    }
    const TcpRxBuffer& buffer = *m_tcb->m_rxBuffer;
    const SequenceNumber32 next = buffer.NextRxSequence();
    const uint32_t offered = m_offeredEdge > next ? static_cast<uint32_t>(m_offeredEdge - next) : 0;
    const auto possible = static_cast<uint32_t>(buffer.MaxRxSequence() - next);
    if (2 * offered <= buffer.MaxBufferSize() && possible > 0 && possible >= 2 * offered)
    {
        SendEmptyPacket(TcpHeader::ACK);
    }
}

void
StreamTcpSocket::ProbeSmallWindow()
{
    const bool sends = m_state == ESTABLISHED || m_state == CLOSE_WAIT;
    if (sends && m_rWnd.Get() < m_tcb->m_segmentSize && m_persistEvent.IsExpired() &&
        UnAckDataCount() == 0 && m_txBuffer->SizeFromSequence(m_tcb->m_nextTxSequence) > 0)
    {
        m_persistEvent =
            Simulator::Schedule(m_persistTimeout, &StreamTcpSocket::PersistTimeout, this);
    }
}

void
StreamTcpSocket::EstimateRtt(const TcpHeader& tcpHeader)
{
    const bool timestamps = m_timestampEnabled;
    m_timestampEnabled = false;
    TcpSocketBase::EstimateRtt(tcpHeader);
    m_timestampEnabled = timestamps;
}

void
StreamTcpSocket::NewAck(const SequenceNumber32& seq, bool resetRTO)
{
    TcpSocketBase::NewAck(seq, resetRTO);
    if (m_finWaitsForAck && m_txBuffer->Size() == 0)
    {
        m_finWaitsForAck = false;
        Simulator::ScheduleNow(&StreamTcpSocket::SendFin, Ptr<StreamTcpSocket>(this));
    }
}

void
StreamTcpSocket::PersistTimeout()
{
    if (m_txBuffer->SizeFromSequence(m_tcb->m_nextTxSequence) > 0)
    {
        if (HostTcp* const host = GetHost())
        {
            ++host->Count().probes;
        }
        TcpSocketBase::PersistTimeout();
    }
}

void
StreamTcpSocket::ReTxTimeout()
{
    const Ptr<StreamTcpSocket> self(this);
    const bool noDelay = m_noDelay;
    m_noDelay = true;
    const bool missing =
        m_state != CLOSED && m_state != TIME_WAIT &&
        (m_state > ESTABLISHED || m_txBuffer->HeadSequence() < m_tcb->m_highTxMark.Get());
    if (HostTcp* const host = GetHost(); host != nullptr && missing)
    {
        ++host->Count().timeouts;
    }
    TcpSocketBase::ReTxTimeout();
    m_noDelay = noDelay;
}

void
StreamTcpSocket::ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
    const Ptr<StreamTcpSocket> self(this);
    const bool noDelay = m_noDelay;
    m_noDelay = noDelay || m_tcb->m_congState == TcpSocketState::CA_RECOVERY ||
                m_tcb->m_congState == TcpSocketState::CA_LOSS;
    const auto before = m_tcb->m_congState.Get();
    SackTcpSocket::ReceivedAck(packet, tcpHeader);
    m_noDelay = noDelay;
    if (HostTcp* const host = GetHost())
    {
        TcpCounters& counters = host->Count();
        const auto now = m_tcb->m_congState.Get();
        counters.echoes += (tcpHeader.GetFlags() & TcpHeader::ECE) != 0 ? 1 : 0;
        if (now != before)
        {
            counters.fastRecoveries += now == TcpSocketState::CA_RECOVERY ? 1 : 0;
            counters.reductions += now == TcpSocketState::CA_CWR ? 1 : 0;
        }
    }
}

void
StreamTcpSocket::DoForwardUp(Ptr<Packet> packet,
                             const Address& fromAddress,
                             const Address& toAddress)
{
    const TcpHeaderStart start(*packet);
    m_segmentShown = false;
    if (m_state == SYN_SENT && (start.flags & TcpHeader::SYN) != 0)
    {
        TcpHeader header;
        packet->PeekHeader(header);
        TakeOffer(header);
    }
    if (m_state == SYN_SENT && (start.flags & TcpHeader::RST) != 0)
    {
        HandleRefusal(start.flags, start.acknowledgment);
        return;
    }
    if (m_state == LISTEN && (start.flags & TcpHeader::ACK) != 0)
    {
        if ((start.flags & TcpHeader::RST) == 0)
        {
            RefuseStranger(*m_tcp, start.acknowledgment, fromAddress, toAddress);
        }
        return;
    }
    if (!m_segmentHandler.IsNull() && start.payload > 0 &&
        (m_state == ESTABLISHED || m_state == FIN_WAIT_1 || m_state == FIN_WAIT_2) &&
        (start.flags & (TcpHeader::SYN | TcpHeader::RST)) == 0 &&
        (!m_timestampEnabled || start.headerSize >= MIN_TCP_HEADER + TIMESTAMP_OPTION_UNPADDED))
    {
        m_segmentShown = true;
        if (!Show(start.sequence, packet->CreateFragment(start.headerSize, start.payload)))
        {
            return;
        }
    }
    if ((start.flags & FIN_AND_ACK) == FIN_AND_ACK)
    {
        ForwardFin(packet, fromAddress, toAddress);
    }
    else
    {
        if (m_state == ESTABLISHED && start.flags == TcpHeader::ACK && start.payload > 0 &&
            start.acknowledgment < m_txBuffer->HeadSequence())
        {
            TcpHeader header;
            packet->RemoveHeader(header);
            header.SetFlags(header.GetFlags() & ~TcpHeader::ACK);
            packet->AddHeader(header);
        }
        TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
    }
    if (m_rWnd.Get() > m_largestWindow && m_state != LISTEN)
    {
        m_largestWindow = m_rWnd;
        ApplySegmentSize();
    }
    ProbeSmallWindow();
    CountBuffers();
    CountLimit();
}

void
StreamTcpSocket::HandleRefusal(uint8_t flags, SequenceNumber32 acknowledgment)
{
    // RFC 9293 section 3.10.7.3: one that does not acknowledge the SYN is not the answer to it.
    if ((flags & TcpHeader::ACK) == 0 || acknowledgment != m_tcb->m_nextTxSequence.Get() + 1)
    {
        return;
    }
    const Ptr<StreamTcpSocket> self(this);
    CancelAllTimers();
    m_state = CLOSED;
    DeallocateEndPoint();
    NotifyConnectionFailed();
}

void
StreamTcpSocket::ForwardFin(Ptr<Packet> packet,
                            const Address& fromAddress,
                            const Address& toAddress)
{
    const TcpHeaderStart start(*packet);
    const bool takesOctets =
        m_state == ESTABLISHED || m_state == FIN_WAIT_1 || m_state == FIN_WAIT_2;
    const bool newAcknowledgment =
        m_state == ESTABLISHED && start.acknowledgment > m_txBuffer->HeadSequence();
    if (takesOctets && (start.payload > 0 || newAcknowledgment))
    {
        TcpHeader header;
        packet->RemoveHeader(header);
        const auto fin = ns3::Create<Packet>();
        header.SetFlags(header.GetFlags() & ~TcpHeader::FIN);
        packet->AddHeader(header);
        TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
        header.SetFlags(header.GetFlags() | TcpHeader::FIN);
        header.SetSequenceNumber(start.sequence + start.payload);
        fin->AddHeader(header);
        TcpSocketBase::DoForwardUp(fin, fromAddress, toAddress);
        return;
    }
    TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
}

void
StreamTcpSocket::ReceivedData(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
    if (!m_segmentHandler.IsNull() && !m_segmentShown && packet->GetSize() > 0)
    {
        m_segmentShown = true;
        if (!Show(tcpHeader.GetSequenceNumber(), packet))
        {
            return;
        }
    }
    HostTcp* const host = GetHost();
    const Ptr<StreamTcpSocket> self(this);
    if (host == nullptr)
    {
        TakeSegment(packet, tcpHeader);
        return;
    }
    auto& buffer = *m_tcb->m_rxBuffer;
    const SequenceNumber32 next = buffer.NextRxSequence();
    const bool finished = buffer.Finished();
    const int32_t distance = tcpHeader.GetSequenceNumber() - next;
    TcpCounters& counters = host->Count();
    counters.outOfOrder += distance > 0 ? 1 : 0;
    counters.repeatedOctets +=
        distance < 0 ? std::min(static_cast<uint32_t>(-distance), packet->GetSize()) : 0;
    TakeSegment(packet, tcpHeader);
    counters.delivered += static_cast<uint32_t>(buffer.NextRxSequence() - next) -
                          (buffer.Finished() && !finished ? 1 : 0);
}

void
StreamTcpSocket::TakeSegment(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
    m_takesSegment = true;
    TcpSocketBase::ReceivedData(packet, tcpHeader);
    m_takesSegment = false;
    AnnounceWindow();
}

bool
StreamTcpSocket::Show(SequenceNumber32 sequence, Ptr<const Packet> octets)
{
    const auto& buffer = *m_tcb->m_rxBuffer;
    const int32_t room = buffer.MaxRxSequence() - sequence;
    if (room <= 0)
    {
        return true;
    }
    if (octets->GetSize() > static_cast<uint32_t>(room))
    {
        octets = octets->CreateFragment(0, static_cast<uint32_t>(room));
    }
    if (m_segmentHandler(sequence - buffer.NextRxSequence(), octets))
    {
        return true;
    }
    if (const auto tcp = DynamicCast<HostTcp>(m_tcp))
    {
        tcp->NoteLost(octets, HostTcp::Loss::FPDU);
    }
    return false;
}

void
StreamTcpSocket::HandleIcmp(Ipv4Address /* source */,
                            uint8_t /* ttl */,
                            uint8_t type,
                            uint8_t code,
                            uint32_t info)
{
    if (type != Icmpv4Header::ICMPV4_DEST_UNREACH ||
        code != Icmpv4DestinationUnreachable::ICMPV4_FRAG_NEEDED || m_state == LISTEN)
    {
        return;
    }
    const uint32_t before = GetEmss() + GetHeaderSize();
    const uint32_t mtu = info == 0 ? GetNextLowerPlateau(before) : std::max(info, MIN_MTU);
    if (mtu >= before || (info == 0 && Simulator::Now() < m_believesPlateausFrom))
    {
        return;
    }
    m_believesPlateausFrom = Simulator::Now() + m_rto.Get();
    TakePathMtu(mtu);
}

void
StreamTcpSocket::HandleIcmpv6(Ipv6Address /* source */,
                              uint8_t /* ttl */,
                              uint8_t type,
                              uint8_t /* code */,
                              uint32_t info)
{
    const uint32_t mtu = std::max(info, MIN_IPV6_MTU);
    if (type == Icmpv6Header::ICMPV6_ERROR_PACKET_TOO_BIG && m_state != LISTEN &&
        mtu < GetEmss() + GetHeaderSize())
    {
        TakePathMtu(mtu);
    }
}

void
StreamTcpSocket::TakePathMtu(uint32_t mtu)
{
    NS_LOG_LOGIC("path MTU " << mtu);
    SetPathMtu(mtu);
    if (m_pathMtuRaiseTimeout.IsStrictlyPositive())
    {
        m_pathMtuRaise =
            Simulator::Schedule(m_pathMtuRaiseTimeout, &StreamTcpSocket::RaisePathMtu, this);
    }
    RetransmitAll();
}

void
StreamTcpSocket::SetPathMtu(uint32_t mtu)
{
    m_pathMtuRaise.Remove();
    m_pathMtu = std::max(mtu, MIN_MTU);
    ApplySegmentSize();
}

void
StreamTcpSocket::RaisePathMtu()
{
    m_pathMtu = 0;
    ApplySegmentSize();
}

uint32_t
StreamTcpSocket::GetHeaderSize() const
{
    return IP_AND_TCP_HEADERS + (m_endPoint6 != nullptr ? IPV6_EXCESS : 0) +
           (m_timestampEnabled ? TIMESTAMP_OPTION : 0);
}

void
StreamTcpSocket::CompleteFork(Ptr<Packet> packet,
                              const TcpHeader& tcpHeader,
                              const Address& fromAddress,
                              const Address& toAddress)
{
    TakeOffer(tcpHeader);
    SackTcpSocket::CompleteFork(packet, tcpHeader, fromAddress, toAddress);
}

void
StreamTcpSocket::TakeOffer(const TcpHeader& syn)
{
    constexpr uint32_t LEAST_MSS = 48; // tcp_min_snd_mss of Linux.
    if (const auto offer = DynamicCast<const TcpOptionMSS>(syn.GetOption(TcpOption::MSS)))
    {
        m_peerMss = std::max<uint32_t>(offer->GetMSS(), LEAST_MSS);
        ApplySegmentSize();
    }
}

void
StreamTcpSocket::BoundByDevice()
{
    Ptr<NetDevice> device;
    Socket::SocketErrno error = ERROR_NOTERROR;
    if (const auto ipv4 = m_node->GetObject<Ipv4>(); ipv4 && m_endPoint != nullptr)
    {
        Ipv4Header header;
        header.SetDestination(m_endPoint->GetPeerAddress());
        const auto route = ipv4->GetRoutingProtocol()->RouteOutput(ns3::Create<Packet>(),
                                                                   header,
                                                                   m_boundnetdevice,
                                                                   error);
        device = route ? route->GetOutputDevice() : nullptr;
    }
    else if (const auto ipv6 = m_node->GetObject<Ipv6>(); ipv6 && m_endPoint6 != nullptr)
    {
        Ipv6Header header;
        header.SetDestination(m_endPoint6->GetPeerAddress());
        const auto route = ipv6->GetRoutingProtocol()->RouteOutput(ns3::Create<Packet>(),
                                                                   header,
                                                                   m_boundnetdevice,
                                                                   error);
        device = route ? route->GetOutputDevice() : nullptr;
    }
    if (device)
    {
        m_deviceMtu = std::max<uint32_t>(device->GetMtu(), MIN_MTU);
        ApplySegmentSize();
    }
}

void
StreamTcpSocket::ApplySegmentSize()
{
    constexpr uint32_t DEFAULT_SEGMENT = 536;
    if (m_attributeSegment == 0)
    {
        m_attributeSegment = m_tcb->m_segmentSize;
    }
    uint32_t size = m_attributeSegment;
    for (const uint32_t mtu : {m_deviceMtu, m_pathMtu})
    {
        size = mtu > 0 ? std::min(size, mtu - GetHeaderSize()) : size;
    }
    if (m_peerMss > 0)
    {
        size = std::min(size, m_peerMss - (m_timestampEnabled ? TIMESTAMP_OPTION : 0));
    }
    if (m_largestWindow > 0)
    {
        size = std::min(size,
                        m_largestWindow > DEFAULT_SEGMENT ? m_largestWindow / 2 : m_largestWindow);
    }
    if (size == m_tcb->m_segmentSize)
    {
        return;
    }
    m_tcb->m_segmentSize = size;
    m_txBuffer->SetSegmentSize(size);
    m_tcb->m_cWnd = std::max(m_tcb->m_cWnd.Get(), size);
    m_tcb->m_cWndInfl = std::max(m_tcb->m_cWndInfl.Get(), size);
    if (!IsPending(m_emssEvent))
    {
        m_emssEvent = Simulator::ScheduleNow(&StreamTcpSocket::TellEmss, this);
    }
}

void
StreamTcpSocket::TellEmss()
{
    if (!m_emssHandler.IsNull())
    {
        m_emssHandler();
    }
}

void
StreamTcpSocket::RetransmitAll()
{
    if (m_txBuffer->Size() == 0 || m_txBuffer->HeadSequence() == m_tcb->m_highTxMark)
    {
        return;
    }
    m_dupAckCount = 0;
    if (!m_sackEnabled)
    {
        m_txBuffer->ResetRenoSack();
    }
    m_txBuffer->SetSentListLost(!m_sackEnabled);
    m_recover = m_tcb->m_highTxMark;
    m_recoverActive = true;
    m_history.clear();
    m_congestionControl->CongestionStateSet(m_tcb, TcpSocketState::CA_LOSS);
    m_tcb->m_congState = TcpSocketState::CA_LOSS;
    m_retxEvent.Cancel();
    const bool noDelay = m_noDelay;
    m_noDelay = true;
    SendPendingData(m_connected);
    m_noDelay = noDelay;
}

void
StreamTcpSocket::CloseInOrder()
{
    NS_LOG_FUNCTION(this << TcpStateName[m_state]);
    m_pathMtuRaise.Remove();
    if (m_endPoint == nullptr && m_endPoint6 == nullptr)
    {
        return;
    }
    SetRecvCallback(MakeCallback(&DiscardReceived));
    DiscardReceived(this);
    m_closeGuard = Simulator::Schedule(m_closeTimeout, &StreamTcpSocket::Reset, this);
    m_state.ConnectWithoutContext(MakeCallback(&StreamTcpSocket::StateChanged, this));
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
StreamTcpSocket::SendFin()
{
    if (m_endPoint != nullptr || m_endPoint6 != nullptr)
    {
        Close();
    }
}

void
StreamTcpSocket::StateChanged(TcpStates_t /* before */, TcpStates_t now)
{
    if (now == CLOSED || now == TIME_WAIT)
    {
        m_closeGuard.Remove();
    }
}

void
StreamTcpSocket::Reset()
{
    NS_LOG_FUNCTION(this << TcpStateName[m_state]);
    const Ptr<StreamTcpSocket> self(this);
    m_closeGuard.Remove();
    m_pathMtuRaise.Remove();
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
