/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/connection.h"

#include "wire/simulation-clock.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaMpaConnection");
NS_OBJECT_ENSURE_REGISTERED(MpaConnection);

namespace
{

template <typename Told, typename... Arguments>
void
Tell(const Told& told, Arguments&&... arguments)
{
    if (!told.IsNull())
    {
        told(std::forward<Arguments>(arguments)...);
    }
}

} // namespace

TypeId
MpaConnection::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::MpaConnection")
            .SetParent<Object>()
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

MpaConnection::MpaConnection()
    : MpaConnection(CreateObject<MpaSettings>())
{
}

MpaConnection::MpaConnection(Ptr<MpaSettings> settings)
    : m_settings(settings),
      m_startup([this](const MpaStartupFrame& frame, bool sent) { m_startupFrame(frame, sent); },
                [this] { HandleTimeout(); })
{
}

MpaConnection::~MpaConnection()
{
    DetachStream();
}

void
MpaConnection::DoDispose()
{
    m_startup.StopTimer();
    DetachStream();
    m_callbacks = {};
    Object::DoDispose();
}

void
MpaConnection::StartInitiator(Ptr<ByteStream> stream,
                              const MpaStartupParameters& local,
                              ByteSpan unread)
{
    NS_ABORT_MSG_IF(m_state != State::IDLE, "an MpaConnection is started once");
    m_initiator = true;
    m_startup.StartInitiator(m_settings->GetValues().policy, local, unread);
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
    TakeStream(stream);
    SetState(State::WAIT_REQUEST);
    m_startup.StartResponder(m_settings->GetValues().policy,
                             m_settings->GetValues().requestTimeout,
                             unread);
    Simulator::ScheduleNow(&MpaConnection::HandleReceive, Ptr<MpaConnection>(this));
}

void
MpaConnection::TakeStream(Ptr<ByteStream> stream)
{
    m_stream = stream;
    m_stream->GetCallbacks().established = MakeCallback(&MpaConnection::HandleEstablished, this);
    m_stream->GetCallbacks().receive = MakeCallback(&MpaConnection::HandleReceive, this);
    m_stream->GetCallbacks().space = MakeCallback(&MpaConnection::HandleSpace, this);
    m_stream->GetCallbacks().emss = MakeCallback(&MpaConnection::HandleEmss, this);
    m_stream->GetCallbacks().ended = MakeCallback(&MpaConnection::HandleEnd, this);
}

MpaConnection::Released
MpaConnection::ReleaseStream()
{
    NS_ABORT_MSG_IF(m_state != State::REJECTED, "only a rejected startup leaves a stream");
    Released released;
    released.unread = m_startup.GetRest();
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
        stream->GetCallbacks() = {};
        stream->SetSegmentCallback({});
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
    m_startup.Accept(*m_stream, local);
    BecomeOperational();
}

void
MpaConnection::Reject(ByteSpan privateData)
{
    if (m_state != State::WAIT_DECISION)
    {
        return;
    }
    m_startup.Reject(*m_stream, privateData);
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
        m_startup.StopTimer();
    }
    m_stateTrace(before, state);
}

void
MpaConnection::HandleTimeout()
{
    Ptr<MpaConnection> self(this);
    FailStartup(MpaError::INVALID_STARTUP);
}

void
MpaConnection::HandleEstablished()
{
    if (m_state == State::WAIT_REPLY &&
        m_startup.SendRequest(*m_stream, m_settings->GetValues().replyTimeout) &&
        m_startup.HasUnread())
    {
        Simulator::ScheduleNow(&MpaConnection::HandleReceive, Ptr<MpaConnection>(this));
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
        Conclude(m_startup.Receive(*m_stream));
        return;
    }
    if (m_state == State::OPERATIONAL && !m_deliveryStopped)
    {
        ReceiveFpdus();
    }
    else if (m_state == State::OPERATIONAL || m_state == State::OBSTRUCTED)
    {
        (void)m_stream->Receive();
    }
}

void
MpaConnection::Resume()
{
    const Ptr<MpaConnection> self(this);
    if (!std::exchange(m_stalled, false) || m_state != State::OPERATIONAL)
    {
        return;
    }
    HandleReceive();
    if (m_endWaits && !m_stalled && m_stream)
    {
        Conclude(StreamEnd::GRACEFUL);
    }
}

void
MpaConnection::HandleSpace()
{
    Ptr<MpaConnection> self(this);
    HandleEstablished();
    if (m_stream)
    {
        m_startup.SendPending(*m_stream);
    }
    SendReadyToReceive();
    if (m_state == State::OPERATIONAL && (m_initiator || m_fpduReceived))
    {
        Tell(m_callbacks.ready);
    }
}

void
MpaConnection::HandleEnd(StreamEnd end)
{
    const Ptr<MpaConnection> self(this);
    m_streamEnd = end;
    m_endWaits = m_stalled && end == StreamEnd::GRACEFUL && m_state == State::OPERATIONAL;
    if (!m_endWaits)
    {
        Conclude(end);
    }
}

void
MpaConnection::Conclude(StreamEnd end)
{
    m_endWaits = false;
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
        Tell(m_callbacks.closed);
    }
    else
        Tell(m_callbacks.error, MpaError::LLP_LOST);
}

void
MpaConnection::FailStartup(MpaError error)
{
    NS_LOG_INFO("startup failed: " << ToString(error));
    m_startupFailed(error);
    SetState(State::CLOSED);
    CloseStream();
    Tell(m_callbacks.error, error);
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
        Tell(m_callbacks.request, m_startup.GetHandshake().GetPeer());
        break;
    case MpaHandshake::Outcome::REFUSED:
        m_startup.Refuse(*m_stream);
        FailStartup(m_startup.GetHandshake().GetError());
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
        FailStartup(m_startup.GetHandshake().GetError());
        break;
    }
}

void
MpaConnection::BecomeObstructed()
{
    EnterFullOperation();
    m_deliveryStopped = true;
    m_startupFailed(m_startup.GetHandshake().GetError());
    SetState(State::OBSTRUCTED);
    Tell(m_callbacks.error, m_startup.GetHandshake().GetError());
}

void
MpaConnection::BecomeRejected()
{
    SetState(State::REJECTED);
    Tell(m_callbacks.rejected, m_startup.GetHandshake().GetPeer().privateData);
}

void
MpaConnection::BecomeOperational()
{
    const Ptr<MpaConnection> self(this);
    EnterFullOperation();
    const MpaStartup::Agreement& agreement = GetAgreement();
    const ByteSpan rest = m_startup.GetHandshake().GetRest();
    if (!rest.empty())
    {
        m_receiver.Append(*Create<Packet>(rest.data(), static_cast<uint32_t>(rest.size())));
    }
    WatchSegments();
    SetState(State::OPERATIONAL);
    m_readyToReceiveDue = m_initiator && agreement.peerToPeer;
    SendReadyToReceive();
    MpaStartupParameters heard = m_startup.GetHandshake().GetPeer();
    heard.ird = agreement.ird;
    heard.ord = agreement.ord;
    Tell(m_callbacks.operational, heard);
    if (m_state == State::OPERATIONAL && !rest.empty())
    {
        ReceiveFpdus();
    }
}

bool
MpaConnection::CanSend() const
{
    const bool maySpeak = m_state == State::OPERATIONAL || m_state == State::OBSTRUCTED;
    return maySpeak && (m_initiator || m_fpduReceived) && !m_startup.HasPending() &&
           !m_readyToReceiveDue &&
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
    const uint32_t fitting =
        m_transmitter.GetFraming().UlpduFitting(room - room % m_settings->GetValues().emssMultiple);
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
    const Time leaves = std::max(m_departure, SimulationClock::Now());
    if (m_stream && m_stream->SendUnitAt(Create<Packet>(fpdu.data(), size), leaves))
    {
        m_transmitter.Advance(size);
        ++m_counters.txFpdus;
        m_counters.txOctets += size;
        m_fpduTx(m_transmitter.GetLentLength());
    }
}

void
MpaConnection::ReceiveFpdus()
{
    ProcessFpdus();
    UpdateReassembly();
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
    m_mulpdu =
        m_transmitter.GetFraming().Mulpdu(m_emss - m_emss % m_settings->GetValues().emssMultiple);
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
    m_watch.Start(m_settings->GetValues().segments, m_receiver, *m_stream, [this](ByteSpan ulpdu) {
        return m_state == State::OPERATIONAL && !m_callbacks.place.IsNull() &&
               m_callbacks.place(ulpdu);
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
    while (m_state == State::OPERATIONAL && !m_deliveryStopped && !m_stalled)
    {
        const auto size = m_receiver.PeekWireSize();
        if (size && *size <= m_receiver.Rest().size() && !HasRoomFor(*size))
        {
            return;
        }
        const auto fpdu = m_receiver.TakeFpdu();
        if (!fpdu)
        {
            FailReception(fpdu.error());
            return;
        }
        if (*fpdu)
        {
            DeliverUlpdu(**fpdu);
        }
        else if (!Pull())
        {
            return;
        }
    }
}

bool
MpaConnection::HasRoomFor(uint32_t octets)
{
    m_stalled = octets > 0 && !m_callbacks.room.IsNull() && m_callbacks.room(octets) < octets;
    return !m_stalled;
}

/// Takes octets from the stream: no more than what the owner has room for, and the FPDU at the
/// front only when there is room for the whole. \return whether it has got any
bool
MpaConnection::Pull()
{
    uint32_t limit = std::numeric_limits<uint32_t>::max();
    if (!m_callbacks.room.IsNull())
    {
        const auto rest = static_cast<uint32_t>(m_receiver.Rest().size());
        const uint32_t needed = std::max(m_receiver.PeekWireSize().value_or(0), rest + 1);
        const uint32_t room = m_callbacks.room(needed);
        m_stalled = room < needed;
        if (m_stalled)
        {
            return false;
        }
        limit = room - rest;
    }
    const auto octets = m_stream->ReceiveAtMost(limit);
    if (octets)
    {
        m_receiver.Append(*octets);
    }
    return octets != nullptr;
}

void
MpaConnection::FailReception(MpaError error)
{
    ++(error == MpaError::CRC_MISMATCH ? m_counters.crcErrors : m_counters.markerErrors);
    m_deliveryStopped = true;
    m_receiver.Skip(m_receiver.Rest().size());
    Tell(m_callbacks.error, error);
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
    if (!readyToReceive)
    {
        Tell(m_callbacks.ulpdu, fpdu.ulpdu, fpdu.placed);
    }
    if (opensResponder && m_state == State::OPERATIONAL)
    {
        Tell(m_callbacks.ready);
    }
}

} // namespace ns3::nfsrdma
