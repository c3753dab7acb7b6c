/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/mpa-connection.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

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
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<MpaConnection>()
            .AddAttribute("Revision",
                          "Highest MPA revision spoken: 1 (RFC 5044) or 2 (RFC 6581). Default: "
                          "Linux siw.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&MpaConnection::m_revision),
                          MakeUintegerChecker<uint8_t>(1, 2))
            .AddAttribute("Crc",
                          "Ask for CRCs. They are used in both directions when either side asks. "
                          "Default: Linux siw.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MpaConnection::m_crcWanted),
                          MakeBooleanChecker())
            .AddAttribute("PeerToPeer",
                          "As initiator of revision 2, offer to send a zero-length RDMA Write "
                          "first so that the responder may send at once. Default: Linux siw.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MpaConnection::m_peerToPeer),
                          MakeBooleanChecker())
            .AddAttribute("MaxIrd",
                          "Inbound RDMA Reads to which a peer's wish may raise this side's IRD. "
                          "Default: Linux siw.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&MpaConnection::m_maxIrd),
                          MakeUintegerChecker<uint16_t>(0, MpaEnhancedBlock::NO_NEGOTIATION - 1))
            .AddAttribute("EmssMultiple",
                          "EMSS is rounded down to a multiple of this before MULPDU is computed "
                          "(octets). Default: RFC 5044 section 5.1; Linux siw has 8.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&MpaConnection::m_emssMultiple),
                          MakeUintegerChecker<uint32_t>(1, 128))
            .AddAttribute("ReplyTimeout",
                          "Time the initiator waits for the Reply (s). Default: Linux siw.",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&MpaConnection::m_replyTimeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RequestTimeout",
                          "Time the responder waits for the Request (s). Default: Linux siw.",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&MpaConnection::m_requestTimeout),
                          MakeTimeChecker(Time(0)))
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
                            "ns3::nfsrdma::MpaConnection::StartupFrameTracedCallback");
    return tid;
}

MpaConnection::MpaConnection() = default;

MpaConnection::~MpaConnection()
{
    m_timer.Remove();
    ReleaseStream();
}

void
MpaConnection::DoDispose()
{
    m_timer.Remove();
    ReleaseStream();
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

MpaStartup::Policy
MpaConnection::GetPolicy() const
{
    return {m_revision, m_crcWanted, m_peerToPeer, m_maxIrd};
}

void
MpaConnection::StartInitiator(Ptr<ByteStream> stream, const MpaStartupParameters& local)
{
    NS_ABORT_MSG_IF(m_state != State::IDLE, "an MpaConnection is started once");
    m_initiator = true;
    m_local = local;
    TakeStream(stream);
    SetState(State::WAIT_REPLY);
    if (m_stream->GetTxAvailable() > 0)
    {
        HandleEstablished();
    }
}

void
MpaConnection::StartResponder(Ptr<ByteStream> stream)
{
    NS_ABORT_MSG_IF(m_state != State::IDLE, "an MpaConnection is started once");
    TakeStream(stream);
    SetState(State::WAIT_REQUEST);
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

Ptr<ByteStream>
MpaConnection::ReleaseStream()
{
    auto stream = std::exchange(m_stream, nullptr);
    if (stream)
    {
        stream->SetEstablishedCallback(ByteStream::EstablishedCallback());
        stream->SetReceiveCallback(ByteStream::ReceiveCallback());
        stream->SetSpaceCallback(ByteStream::SpaceCallback());
        stream->SetEmssCallback(ByteStream::EmssCallback());
        stream->SetEndCallback(ByteStream::EndCallback());
    }
    return stream;
}

void
MpaConnection::CloseStream()
{
    if (const auto stream = ReleaseStream())
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
    const auto agreement = MpaStartup::AgreeAsResponder(GetPolicy(), m_request, local);
    SendStartupFrame(MpaStartup::MakeReply(m_request, agreement, local.privateData));
    BecomeOperational(agreement, MpaStartup::Heard(m_request).value_or(MpaStartupParameters{}));
}

void
MpaConnection::Reject(ByteSpan privateData)
{
    if (m_state != State::WAIT_DECISION)
    {
        return;
    }
    SendStartupFrame(MpaStartup::MakeRejection(m_request, privateData));
    Close();
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
    if (const auto stream = ReleaseStream())
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
    return m_state == State::OPERATIONAL && (m_initiator || m_fpduReceived) &&
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
    if (state == State::OPERATIONAL || state == State::CLOSED || state == State::WAIT_DECISION)
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
    NS_ABORT_MSG_IF(frame.privateData.size() > MpaStartupFrame::MAX_PRIVATE_DATA,
                    "private data too long for a startup frame");
    const ByteVector octets = frame.Encode();
    const bool sent =
        m_stream->SendUnit(Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size())));
    NS_ABORT_MSG_UNLESS(sent, "the send buffer of the stream does not hold a startup frame");
    m_startupFrame(frame, true);
}

void
MpaConnection::HandleEstablished()
{
    if (m_state == State::WAIT_REPLY && !m_timer.IsRunning())
    {
        m_request = MpaStartup::MakeRequest(GetPolicy(), m_local);
        SendStartupFrame(m_request);
        StartTimer(m_replyTimeout);
    }
}

void
MpaConnection::HandleReceive()
{
    Ptr<MpaConnection> self(this);
    const auto octets = m_stream ? m_stream->Receive() : nullptr;
    if (!octets || m_deliveryStopped)
    {
        return;
    }
    m_receiver.Append(*octets);
    if (m_state != State::OPERATIONAL)
    {
        ProcessStartup();
    }
    if (m_state == State::OPERATIONAL)
    {
        ProcessFpdus();
    }
}

void
MpaConnection::HandleSpace()
{
    Ptr<MpaConnection> self(this);
    if (m_state == State::OPERATIONAL && (m_initiator || m_fpduReceived) && !m_ready.IsNull())
    {
        m_ready();
    }
}

void
MpaConnection::HandleEnd(StreamEnd end)
{
    Ptr<MpaConnection> self(this);
    const bool complete =
        end == StreamEnd::GRACEFUL && m_state == State::OPERATIONAL && m_receiver.Rest().empty();
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
    SetState(State::CLOSED);
    CloseStream();
    if (!m_error.IsNull())
    {
        m_error(error);
    }
}

void
MpaConnection::ProcessStartup()
{
    if (m_state == State::WAIT_DECISION)
    {
        FailStartup(MpaError::INVALID_STARTUP);
        return;
    }
    const auto frame = MpaStartup::FrameAtFront(m_receiver.Rest(), m_initiator);
    if (frame && !*frame)
    {
        return;
    }
    if (!frame)
    {
        FailStartup(frame.error());
        return;
    }
    m_receiver.Skip((*frame)->EncodedSize());
    m_startupFrame(**frame, false);
    if (m_initiator)
    {
        ProcessReply(**frame);
    }
    else
    {
        ProcessRequest(**frame);
    }
}

void
MpaConnection::ProcessRequest(const MpaStartupFrame& request)
{
    const auto verdict = MpaStartup::Judge(GetPolicy(), request);
    const auto heard = MpaStartup::Heard(request);
    if (verdict == MpaStartup::Verdict::REJECT)
    {
        SendStartupFrame(MpaStartup::MakeRejection(request, {}));
    }
    if (verdict != MpaStartup::Verdict::ANSWER || !heard)
    {
        FailStartup(MpaError::INVALID_STARTUP);
        return;
    }
    m_request = request;
    SetState(State::WAIT_DECISION);
    if (!m_requested.IsNull())
    {
        m_requested(*heard);
    }
}

void
MpaConnection::ProcessReply(const MpaStartupFrame& reply)
{
    if (reply.rejected)
    {
        SetState(State::CLOSED);
        CloseStream();
        if (!m_rejected.IsNull())
        {
            m_rejected(reply.GetConsumerPrivateData());
        }
        return;
    }
    const auto agreement = MpaStartup::AgreeAsInitiator(GetPolicy(), m_request, reply, m_local);
    if (!agreement)
    {
        FailStartup(agreement.error());
        return;
    }
    BecomeOperational(*agreement, MpaStartup::Heard(reply).value_or(MpaStartupParameters{}));
}

void
MpaConnection::BecomeOperational(const MpaStartup::Agreement& agreement, MpaStartupParameters heard)
{
    m_agreement = agreement;
    m_transmitter.StartFullOperation({agreement.crc, agreement.sendMarkers});
    m_receiver.StartFullOperation({agreement.crc, agreement.receiveMarkers});
    UpdateMulpdu();
    SetState(State::OPERATIONAL);
    if (m_initiator && agreement.peerToPeer)
    {
        SendReadyToReceive();
    }
    heard.ird = agreement.ird;
    heard.ord = agreement.ord;
    if (!m_operational.IsNull())
    {
        m_operational(heard);
    }
}

void
MpaConnection::SendReadyToReceive()
{
    const ByteSpan write = MpaStartup::ReadyToReceiveWrite();
    const auto ulpdu = BeginUlpdu(static_cast<uint32_t>(write.size()));
    std::copy(write.begin(), write.end(), ulpdu.begin());
    CommitUlpdu();
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
        DeliverUlpdu((*fpdu)->ulpdu, (*fpdu)->wireSize, false);
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
MpaConnection::DeliverUlpdu(ByteSpan ulpdu, uint32_t wireSize, bool placed)
{
    ++m_counters.rxFpdus;
    m_counters.rxOctets += wireSize;
    m_fpduRx(static_cast<uint32_t>(ulpdu.size()));
    const bool opensResponder = !m_initiator && !m_fpduReceived;
    m_fpduReceived = true;
    const bool readyToReceive =
        opensResponder && m_agreement.peerToPeer && MpaStartup::IsReadyToReceiveWrite(ulpdu);
    if (!readyToReceive && !m_ulpdu.IsNull())
    {
        m_ulpdu(ulpdu, placed);
    }
    if (opensResponder && m_state == State::OPERATIONAL && !m_ready.IsNull())
    {
        m_ready();
    }
}

} // namespace ns3::nfsrdma
