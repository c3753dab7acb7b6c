/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/mpa-connection.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaMpaConnection");
NS_OBJECT_ENSURE_REGISTERED(MpaConnection);

TypeId
MpaConnection::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::MpaConnection")
            .SetParent<MpaSettings>()
            .SetGroupName("NfsRdma")
            .AddConstructor<MpaConnection>()
            .AddTraceSource("ReassemblyOctets",
                            "Octets that have arrived and must be buffered: they are neither "
                            "delivered nor placed. Updated for each segment; when segments are "
                            "only counted, just before TCP takes the next one.",
                            MakeTraceSourceAccessor(&MpaConnection::m_reassemblyOctets),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("State",
                            "The state has changed.",
                            MakeTraceSourceAccessor(&MpaConnection::m_stateTrace),
                            "ns3::nfsrdma::MpaConnection::StateTracedCallback")
            .AddTraceSource("FpduTx",
                            "An FPDU has been handed to the stream.",
                            MakeTraceSourceAccessor(&MpaConnection::m_fpduTx),
                            "ns3::nfsrdma::MpaConnection::FpduTracedCallback")
            .AddTraceSource("FpduRx",
                            "A good FPDU has arrived.",
                            MakeTraceSourceAccessor(&MpaConnection::m_fpduRx),
                            "ns3::nfsrdma::MpaConnection::FpduTracedCallback")
            .AddTraceSource("StartupFrame",
                            "A startup frame has been sent or received.",
                            MakeTraceSourceAccessor(&MpaConnection::m_startupFrame),
                            "ns3::nfsrdma::MpaConnection::StartupFrameTracedCallback")
            .AddTraceSource("StartupFailed",
                            "Startup has failed for another reason than the peer's rejection.",
                            MakeTraceSourceAccessor(&MpaConnection::m_startupFailed),
                            "ns3::nfsrdma::MpaConnection::StartupFailedTracedCallback");
    return tid;
}

MpaConnection::MpaConnection() = default;

MpaConnection::~MpaConnection()
{
    m_timer.Remove();
    DetachStream();
}

void
MpaConnection::DoDispose()
{
    m_timer.Remove();
    DetachStream();
    m_requested = RequestCallback();
    m_operational = OperationalCallback();
    m_rejected = RejectedCallback();
    m_ulpdu = UlpduCallback();
    m_place = PlaceCallback();
    m_ready = ReadyCallback();
    m_error = ErrorCallback();
    m_closed = ClosedCallback();
    Object::DoDispose();
}

void
MpaConnection::StartInitiator(Ptr<ByteStream> stream,
                              const MpaStartupParameters& local,
                              ByteSpan unread)
{
    NS_ABORT_MSG_IF(m_state != State::IDLE, "an MpaConnection is started once");
    m_initiator = true;
    m_pendingFrame = m_handshake.StartInitiator(GetPolicy(), local);
    m_unread.assign(unread.begin(), unread.end());
    TakeStream(stream);
    SetState(State::WAIT_REPLY);
    if (m_stream->GetTxAvailable() > 0)
    {
        HandleEstablished();
    }
}

void
MpaConnection::StartResponder(Ptr<ByteStream> stream, ByteSpan unread)
{
    NS_ABORT_MSG_IF(m_state != State::IDLE, "an MpaConnection is started once");
    m_unread.assign(unread.begin(), unread.end());
    TakeStream(stream);
    SetState(State::WAIT_REQUEST);
    m_handshake.StartResponder(GetPolicy());
    StartTimer(m_requestTimeout);
    Simulator::ScheduleNow(&MpaConnection::HandleReceive, Ptr<MpaConnection>(this));
}

void
MpaConnection::TakeStream(Ptr<ByteStream> stream)
{
    m_stream = stream;
    m_stream->SetEstablishedCallback(MakeCallback(&MpaConnection::HandleEstablished, this));
    m_stream->SetReceiveCallback(MakeCallback(&MpaConnection::HandleReceive, this));
    m_stream->SetSpaceCallback(MakeCallback(&MpaConnection::HandleSpace, this));
    m_stream->SetEmssCallback(MakeCallback(&MpaConnection::HandleEmss, this));
    m_stream->SetEndCallback(MakeCallback(&MpaConnection::HandleEnd, this));
}

MpaConnection::Released
MpaConnection::ReleaseStream()
{
    NS_ABORT_MSG_IF(m_state != State::REJECTED, "only a rejected startup leaves a stream");
    Released released;
    released.unread = std::exchange(m_unread, {});
    released.stream = DetachStream();
    SetState(State::CLOSED);
    return released;
}

Ptr<ByteStream>
MpaConnection::DetachStream()
{
    auto stream = std::exchange(m_stream, nullptr);
    if (stream)
    {
        stream->SetEstablishedCallback(ByteStream::EstablishedCallback());
        stream->SetReceiveCallback(ByteStream::ReceiveCallback());
        stream->SetSpaceCallback(ByteStream::SpaceCallback());
        stream->SetEmssCallback(ByteStream::EmssCallback());
        stream->SetSegmentCallback(ByteStream::SegmentCallback());
        stream->SetEndCallback(ByteStream::EndCallback());
    }
    return stream;
}

void
MpaConnection::CloseStream()
{
    if (const auto stream = DetachStream())
    {
        stream->Close();
    }
}

void
MpaConnection::Accept(const MpaStartupParameters& local)
{
    if (m_state != State::WAIT_DECISION)
    {
        return;
    }
    SendStartupFrame(m_handshake.Accept(local));
    BecomeOperational();
}

void
MpaConnection::Reject(ByteSpan privateData)
{
    if (m_state != State::WAIT_DECISION)
    {
        return;
    }
    SendStartupFrame(m_handshake.Reject(privateData));
    SetState(State::REJECTED);
}

void
MpaConnection::Close()
{
    SetState(State::CLOSED);
    CloseStream();
}

void
MpaConnection::Abort()
{
    SetState(State::CLOSED);
    if (const auto stream = DetachStream())
    {
        stream->Abort();
    }
}

Address
MpaConnection::GetPeerAddress() const
{
    return m_stream ? m_stream->GetPeerAddress() : Address();
}

bool
MpaConnection::CanSend() const
{
    const bool maySpeak = m_state == State::OPERATIONAL || m_state == State::OBSTRUCTED;
    return maySpeak && (m_initiator || m_fpduReceived) && !m_pendingFrame && !m_readyToReceiveDue &&
           m_stream->GetTxAvailable() >= m_transmitter.WireSize(GetMulpdu());
}

uint32_t
MpaConnection::GetMulpdu() const
{
    if (!m_stream)
    {
        return m_mulpdu;
    }
    const uint32_t room = m_stream->GetUnitRoom();
    if (room >= m_emss)
    {
        return m_mulpdu;
    }
    const uint32_t fitting = m_transmitter.GetFraming().UlpduFitting(room - room % m_emssMultiple);
    return fitting >= Fpdu::MIN_MULPDU ? std::min(fitting, m_mulpdu) : m_mulpdu;
}

MutableByteSpan
MpaConnection::BeginUlpdu(uint32_t length)
{
    NS_ASSERT_MSG(length > 0 && length <= Fpdu::MAX_MULPDU, "ULPDU of " << length << " octets");
    return m_transmitter.Begin(length);
}

void
MpaConnection::CommitUlpdu()
{
    const ByteSpan fpdu = m_transmitter.Seal();
    const auto size = static_cast<uint32_t>(fpdu.size());
    if (m_stream && m_stream->SendUnit(Create<Packet>(fpdu.data(), size)))
    {
        m_transmitter.Advance(size);
        ++m_counters.txFpdus;
        m_counters.txOctets += size;
        m_fpduTx(m_transmitter.GetLentLength());
    }
}

void
MpaConnection::SetState(State state)
{
    if (state == m_state)
    {
        return;
    }
    const State before = std::exchange(m_state, state);
    if (state != State::WAIT_REPLY && state != State::WAIT_REQUEST)
    {
        m_timer.Remove();
    }
    m_stateTrace(before, state);
}

void
MpaConnection::StartTimer(Time timeout)
{
    m_timer = Simulator::Schedule(timeout, &MpaConnection::HandleTimeout, this);
}

void
MpaConnection::HandleTimeout()
{
    Ptr<MpaConnection> self(this);
    FailStartup(MpaError::INVALID_STARTUP);
}

void
MpaConnection::SendStartupFrame(const MpaStartupFrame& frame)
{
    m_pendingFrame = frame;
    SendPendingFrame();
}

void
MpaConnection::SendPendingFrame()
{
    if (!m_pendingFrame)
    {
        return;
    }
    NS_ABORT_MSG_IF(m_pendingFrame->privateData.size() > MpaStartupFrame::MAX_PRIVATE_DATA,
                    "private data too long for a startup frame");
    const ByteVector octets = m_pendingFrame->Encode();
    if (m_stream->SendUnit(Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size()))))
    {
        const MpaStartupFrame sent = *std::exchange(m_pendingFrame, std::nullopt);
        m_startupFrame(sent, true);
    }
}

void
MpaConnection::HandleEstablished()
{
    if (m_state == State::WAIT_REPLY && !m_timer.IsRunning())
    {
        SendPendingFrame();
        StartTimer(m_replyTimeout);
        if (!m_unread.empty())
        {
            Simulator::ScheduleNow(&MpaConnection::HandleReceive, Ptr<MpaConnection>(this));
        }
    }
}

bool
MpaConnection::IsStarting() const
{
    return m_state == State::WAIT_REPLY || m_state == State::WAIT_REQUEST ||
           m_state == State::WAIT_DECISION;
}

void
MpaConnection::HandleReceive()
{
    Ptr<MpaConnection> self(this);
    if (IsStarting())
    {
        ReceiveStartup();
        return;
    }
    const bool reads = m_state == State::OPERATIONAL || m_state == State::OBSTRUCTED;
    const auto octets = reads ? m_stream->Receive() : nullptr;
    if (octets && !m_deliveryStopped)
    {
        m_receiver.Append(*octets);
        ReceiveFpdus();
    }
}

void
MpaConnection::ReceiveFpdus()
{
    ProcessFpdus();
    UpdateReassembly();
}

void
MpaConnection::HandleSpace()
{
    Ptr<MpaConnection> self(this);
    HandleEstablished();
    SendPendingFrame();
    SendReadyToReceive();
    if (m_state == State::OPERATIONAL && (m_initiator || m_fpduReceived) && !m_ready.IsNull())
    {
        m_ready();
    }
}

void
MpaConnection::HandleEnd(StreamEnd end)
{
    Ptr<MpaConnection> self(this);
    const bool complete = end == StreamEnd::GRACEFUL &&
                          (m_state == State::OPERATIONAL || m_state == State::REJECTED) &&
                          m_receiver.Rest().empty();
    if (IsStarting())
    {
        m_startupFailed(MpaError::LLP_LOST);
    }
    SetState(State::CLOSED);
    CloseStream();
    if (complete)
    {
        if (!m_closed.IsNull())
        {
            m_closed();
        }
    }
    else if (!m_error.IsNull())
    {
        m_error(MpaError::LLP_LOST);
    }
}

void
MpaConnection::FailStartup(MpaError error)
{
    NS_LOG_INFO("startup failed: " << ToString(error));
    m_startupFailed(error);
    SetState(State::CLOSED);
    CloseStream();
    if (!m_error.IsNull())
    {
        m_error(error);
    }
}

void
MpaConnection::ReceiveStartup()
{
    const bool frameKnown = m_handshake.GetPeerFrame().has_value();
    ByteVector octets = std::exchange(m_unread, {});
    if (const auto packet = m_stream->Receive())
    {
        const std::size_t before = octets.size();
        octets.resize(before + packet->GetSize());
        packet->CopyData(octets.data() + before, packet->GetSize());
    }
    const auto outcome = m_handshake.Receive(octets);
    if (!frameKnown && m_handshake.GetPeerFrame())
    {
        m_startupFrame(*m_handshake.GetPeerFrame(), false);
    }
    Conclude(outcome);
}

void
MpaConnection::Conclude(MpaHandshake::Outcome outcome)
{
    switch (outcome)
    {
    case MpaHandshake::Outcome::INCOMPLETE:
        break;
    case MpaHandshake::Outcome::REQUESTED:
        SetState(State::WAIT_DECISION);
        if (!m_requested.IsNull())
        {
            m_requested(m_handshake.GetPeer());
        }
        break;
    case MpaHandshake::Outcome::REFUSED:
        SendStartupFrame(m_handshake.MakeRefusal());
        FailStartup(m_handshake.GetError());
        break;
    case MpaHandshake::Outcome::ESTABLISHED:
        BecomeOperational();
        break;
    case MpaHandshake::Outcome::OBSTRUCTED:
        BecomeObstructed();
        break;
    case MpaHandshake::Outcome::REJECTED:
        BecomeRejected();
        break;
    case MpaHandshake::Outcome::FAILED:
        FailStartup(m_handshake.GetError());
        break;
    }
}

void
MpaConnection::EnterFullOperation()
{
    const MpaStartup::Agreement& agreement = GetAgreement();
    m_transmitter.StartFullOperation({agreement.crc, agreement.sendMarkers});
    m_receiver.StartFullOperation({agreement.crc, agreement.receiveMarkers});
    UpdateMulpdu();
}

void
MpaConnection::BecomeObstructed()
{
    EnterFullOperation();
    m_deliveryStopped = true;
    m_startupFailed(m_handshake.GetError());
    SetState(State::OBSTRUCTED);
    if (!m_error.IsNull())
    {
        m_error(m_handshake.GetError());
    }
}

void
MpaConnection::BecomeRejected()
{
    const ByteSpan rest = m_handshake.GetRest();
    m_unread.assign(rest.begin(), rest.end());
    SetState(State::REJECTED);
    if (!m_rejected.IsNull())
    {
        m_rejected(m_handshake.GetPeer().privateData);
    }
}

void
MpaConnection::BecomeOperational()
{
    const Ptr<MpaConnection> self(this);
    EnterFullOperation();
    const MpaStartup::Agreement& agreement = GetAgreement();
    const ByteSpan rest = m_handshake.GetRest();
    if (!rest.empty())
    {
        m_receiver.Append(*Create<Packet>(rest.data(), static_cast<uint32_t>(rest.size())));
    }
    WatchSegments();
    SetState(State::OPERATIONAL);
    m_readyToReceiveDue = m_initiator && agreement.peerToPeer;
    SendReadyToReceive();
    MpaStartupParameters heard = m_handshake.GetPeer();
    heard.ird = agreement.ird;
    heard.ord = agreement.ord;
    if (!m_operational.IsNull())
    {
        m_operational(heard);
    }
    if (m_state == State::OPERATIONAL && !rest.empty())
    {
        ReceiveFpdus();
    }
}

void
MpaConnection::SendReadyToReceive()
{
    const ByteSpan operation = GetReadyToReceiveUlpdu(GetAgreement().rtr);
    const auto size = static_cast<uint32_t>(operation.size());
    if (m_readyToReceiveDue && m_stream->GetTxAvailable() >= m_transmitter.WireSize(size))
    {
        m_readyToReceiveDue = false;
        const auto ulpdu = BeginUlpdu(size);
        std::copy(operation.begin(), operation.end(), ulpdu.begin());
        CommitUlpdu();
    }
}

void
MpaConnection::UpdateMulpdu()
{
    m_emss = m_stream->GetEmss();
    m_mulpdu = m_transmitter.GetFraming().Mulpdu(m_emss - m_emss % m_emssMultiple);
}

void
MpaConnection::HandleEmss()
{
    if (m_state == State::OPERATIONAL)
    {
        UpdateMulpdu();
        HandleSpace();
    }
}

void
MpaConnection::WatchSegments()
{
    const SegmentWatch::Options options{m_outOfOrderPlacement,
                                        m_dropBadSegments,
                                        m_countReassembly,
                                        m_reassemblyLimit};
    m_watch.Start(options, m_receiver, *m_stream, [this](ByteSpan ulpdu) {
        return m_state == State::OPERATIONAL && !m_place.IsNull() && m_place(ulpdu);
    });
    if (m_watch.IsActive())
    {
        m_stream->SetSegmentCallback(MakeCallback(&MpaConnection::HandleSegment, this));
    }
}

bool
MpaConnection::HandleSegment(uint64_t offset, Ptr<const Packet> segment)
{
    const Ptr<MpaConnection> self(this);
    if (m_state != State::OPERATIONAL || m_deliveryStopped)
    {
        return true;
    }
    const bool taken = m_watch.LookAt(offset, *segment);
    if (const FpduAssembler::Statistics* seen = m_watch.GetStatistics())
    {
        m_counters.rxFpdusPlacedAhead = seen->placedFpdus;
        m_counters.duplicateOctets = seen->duplicateOctets;
        m_counters.droppedSegments = seen->droppedSegments;
        m_counters.refusedSegments = seen->refusedSegments;
    }
    UpdateReassembly();
    return taken;
}

void
MpaConnection::UpdateReassembly()
{
    if (m_state == State::OPERATIONAL && m_watch.IsActive())
    {
        const uint64_t octets = m_watch.GetHeldOctets(*m_stream);
        m_counters.peakReassemblyOctets = std::max(m_counters.peakReassemblyOctets, octets);
        m_reassemblyOctets = static_cast<uint32_t>(octets);
    }
}

void
MpaConnection::ProcessFpdus()
{
    while (m_state == State::OPERATIONAL && !m_deliveryStopped)
    {
        const auto fpdu = m_receiver.TakeFpdu();
        if (!fpdu)
        {
            FailReception(fpdu.error());
            return;
        }
        if (!*fpdu)
        {
            return;
        }
        DeliverUlpdu(**fpdu);
    }
}

void
MpaConnection::FailReception(MpaError error)
{
    ++(error == MpaError::CRC_MISMATCH ? m_counters.crcErrors : m_counters.markerErrors);
    m_deliveryStopped = true;
    m_receiver.Skip(m_receiver.Rest().size());
    if (!m_error.IsNull())
    {
        m_error(error);
    }
}

void
MpaConnection::DeliverUlpdu(const FpduReceiver::Received& fpdu)
{
    ++m_counters.rxFpdus;
    m_counters.rxOctets += fpdu.wireSize;
    m_fpduRx(static_cast<uint32_t>(fpdu.ulpdu.size()));
    const bool opensResponder = !m_initiator && !m_fpduReceived;
    m_fpduReceived = true;
    const ReadyToReceive rtr = GetAgreement().rtr;
    const bool readyToReceive =
        opensResponder && rtr != ReadyToReceive::READ && IsReadyToReceiveUlpdu(rtr, fpdu.ulpdu);
    if (!readyToReceive && !m_ulpdu.IsNull())
    {
        m_ulpdu(fpdu.ulpdu, fpdu.placed);
    }
    if (opensResponder && m_state == State::OPERATIONAL && !m_ready.IsNull())
    {
        m_ready();
    }
}

} // namespace ns3::nfsrdma
