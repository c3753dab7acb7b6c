/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/requester.h"

#include "mpa/internet-address.h"
#include "rpc/message.h"
#include "rpcrdma/connection-end.h"
#include "rpcrdma/message/transport-header.h"
#include "wire/ns3-version.h"
#include "wire/simulation-clock.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcRdmaClient");

NS_OBJECT_ENSURE_REGISTERED(RpcRdmaClient);

namespace
{

/// \return a NULL RPC, which nobody waits for: its order is 0.
std::unique_ptr<RpcTransportCall>
MakeProbe(uint32_t xid, uint32_t program, uint32_t version)
{
    auto call = std::make_unique<RpcTransportCall>();
    RpcCallHeader header;
    header.xid = xid;
    header.program = program;
    header.version = version;
    XdrWriter writer;
    header.Encode(writer);
    call->call.octets = writer.Take();
    call->reply.head = RpcReplyHeader::ACCEPTED_SIZE;
    call->record.xid = xid;
    call->record.program = program;
    call->record.version = version;
    call->record.submitted = SimulationClock::Now();
    call->completed = [](RpcRecord&, RpcReceivedMessage&&) {};
    return call;
}

} // namespace

TypeId
RpcRdmaClient::GetTypeId()
{
    static TypeId tid = [] {
        TypeId made =
            TypeId("ns3::nfsrdma::RpcRdmaClient")
                .SetParent<RpcClientTransport>()
                .SetGroupName("NfsRdma")
                .AddConstructor<RpcRdmaClient>()
                .AddTraceSource("Connected",
                                "A connection is established.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_connectedTrace),
                                "ns3::nfsrdma::RpcRdmaClient::ConnectedTracedCallback")
                .AddTraceSource("Disconnected",
                                "The connection has ended, or could not be made.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_disconnectedTrace),
                                "ns3::nfsrdma::RpcRdmaClient::DisconnectedTracedCallback")
                .AddTraceSource(
                    "ConnectionEnded",
                    "The connection has ended, or could not be made: what has ended it.",
                    MakeTraceSourceAccessor(&RpcRdmaClient::m_endedTrace),
                    "ns3::nfsrdma::RpcRdmaClient::ConnectionEndedTracedCallback")
                .AddTraceSource("Retry",
                                "A connection is to be made for calls that wait.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_retryTrace),
                                "ns3::nfsrdma::RpcRdmaClient::RetryTracedCallback")
                .AddTraceSource("CallRefused",
                                "A call can never be sent, and ends: why.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_callRefusedTrace),
                                "ns3::nfsrdma::RpcRdmaClient::CallRefusedTracedCallback")
                .AddTraceSource("TimedOut",
                                "A call has waited too long; its connection is being closed.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_timedOutTrace),
                                "ns3::nfsrdma::RpcRdmaClient::TimedOutTracedCallback")
                .AddTraceSource("CallSent",
                                "A call was posted.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_callSentTrace),
                                "ns3::nfsrdma::RpcRdmaClient::CallSentTracedCallback")
                .AddTraceSource("CallHeader",
                                "Transport header of a call that was posted.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_callHeaderTrace),
                                "ns3::nfsrdma::RpcRdmaClient::HeaderTracedCallback")
                .AddTraceSource("ReplyHeader",
                                "Transport header of a reply that has ended its call.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_replyHeaderTrace),
                                "ns3::nfsrdma::RpcRdmaClient::HeaderTracedCallback")
                .AddTraceSource("BadMessage",
                                "A received message is not what it should be; the RPC may fail.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_badMessageTrace),
                                "ns3::nfsrdma::RpcRdmaClient::BadMessageTracedCallback")
                .AddTraceSource("Credits",
                                "Credits granted by the server.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_credits),
                                "ns3::TracedValueCallback::Uint32")
                .AddTraceSource("Outstanding",
                                "Calls that hold a credit have changed: before, now.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_outstanding),
                                "ns3::TracedValueCallback::Uint32")
                .AddTraceSource("CreditEnd",
                                "A call has given its credit back: how long it had it.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_creditEndTrace),
                                "ns3::nfsrdma::RpcRdmaClient::CreditEndTracedCallback")
                .AddTraceSource("ReplyPulled",
                                "A reply that came as Read chunk has been pulled.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_replyPulledTrace),
                                "ns3::nfsrdma::RpcRdmaClient::ReplyPulledTracedCallback")
                .AddTraceSource("DoneSent",
                                "The server is told that a Read chunk is not needed any more.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_doneSentTrace),
                                "ns3::nfsrdma::RpcRdmaClient::DoneSentTracedCallback")
                .AddTraceSource("DoneEnd",
                                "An RDMA_DONE is known to have been received: how long it was not.",
                                MakeTraceSourceAccessor(&RpcRdmaClient::m_doneEndTrace),
                                "ns3::nfsrdma::RpcRdmaClient::DoneEndTracedCallback");
        return AddAttributes(made, RpcRdmaClientSettings::GetRows(), &RpcRdmaClient::m_settings);
    }();
    return tid;
}

RpcRdmaClient::RpcRdmaClient()
    : m_watch(m_settings.watch, MakeSubject())
{
    RpcRdmaConnectionSettings& connection = m_settings.connection;
    connection.terminates = std::make_shared<TerminateTally>();
    connection.reverseStatistics = std::make_shared<RpcRdmaReverseStatistics>();
    connection.registration.statistics = std::make_shared<RegistrationStatistics>();
    connection.replyPull.statistics = std::make_shared<ReplyPullStatistics>();
    connection.replyPull.replyPulled = [this](uint32_t xid, uint32_t segments, uint64_t octets) {
        m_replyPulledTrace(xid, segments, octets);
    };
    connection.replyPull.doneSent = [this](uint32_t xid, bool onCall) {
        m_doneSentTrace(xid, onCall);
    };
    connection.replyPull.doneEnded = [this](Time held) { m_doneEndTrace(held); };
}

void
RpcRdmaClient::DoDispose()
{
    Close();
    if (m_connection)
    {
        m_connection->Abort();
        m_connection = nullptr;
    }
    m_backlogWake.Cancel();
    m_queue.Clear();
    m_slots.Clear();
    m_device = nullptr;
    m_settings.connection.reverse.server = nullptr;
    RpcClientTransport::DoDispose();
}

RpcRdmaConnectionWatch::Subject
RpcRdmaClient::MakeSubject()
{
    return {[this] { return GetPending() == 0; },
            [this] { return m_connection->GetLastUsed(); },
            [this] { return m_connection->GetLastHeard(); },
            [this] { return SendProbe(); },
            [this](const std::string& reason) { m_connection->Drop(reason); }};
}

void
RpcRdmaClient::SetCallFormPolicy(std::unique_ptr<CallFormPolicy> policy)
{
    NS_ABORT_MSG_IF(m_connection, "the policies of a connection cannot be replaced");
    m_callForms.Set(std::move(policy), m_settings.callForm);
}

void
RpcRdmaClient::SetReplyMechanismPolicy(std::unique_ptr<ReplyMechanismPolicy> policy)
{
    NS_ABORT_MSG_IF(m_connection, "the policies of a connection cannot be replaced");
    m_replyMechanism.Set(std::move(policy), m_settings.replyMechanism);
}

void
RpcRdmaClient::MakePolicies()
{
    m_callForms.Renew(m_settings.callForm, "call form policy");
    m_replyMechanism.Renew(m_settings.replyMechanism, "reply mechanism policy");
    m_inlineReview.Configure(
        {CreateNamed<InlineThresholdPolicy>(m_settings.inlinePolicy, "inline threshold policy"),
         {m_settings.connection.inlineSend, m_settings.connection.inlineReceive},
         m_settings.inlineShare,
         m_settings.inlineReview});
}

RpcRdmaConnectionSettings
RpcRdmaClient::MakeConnectionSettings()
{
    RpcRdmaConnectionSettings settings = m_settings.connection;
    const InlineThresholds thresholds = m_inlineReview.Start();
    settings.inlineSend = thresholds.send;
    settings.inlineReceive = thresholds.receive;
    settings.replyRules =
        *CreateNamed<ReplyHeaderRules>(m_settings.replyRules, "reply header rules");
    if (settings.reverse.server)
    {
        settings.backchannelCredits =
            std::max(settings.backchannelCredits, settings.reverse.credits);
    }
    return settings;
}

void
RpcRdmaClient::Connect()
{
    if (!m_open)
    {
        Open();
    }
    m_disconnectWhenIdle = false;
    if (!m_down && !m_connection && !IsPending(m_attempt))
    {
        StartConnection();
    }
}

void
RpcRdmaClient::Disconnect()
{
    m_disconnectWhenIdle = true;
    DisconnectIfIdle();
}

void
RpcRdmaClient::InjectError()
{
    if (m_connection)
    {
        m_connection->InjectError();
    }
}

void
RpcRdmaClient::Open()
{
    NS_ABORT_MSG_UNLESS(m_device, "RpcRdmaClient has no device");
    MakePolicies();
    if (m_settings.connection.memoryAccount == 0)
    {
        m_settings.connection.memoryAccount =
            m_device->GetHostMemory()->OpenAccount(GetHostOf(m_server));
    }
    m_open = true;
    if (!m_queue.IsEmpty())
    {
        WatchTimeouts(m_settings.timeout.initial);
    }
}

void
RpcRdmaClient::StartConnection()
{
    m_connectStart = SimulationClock::Now();
    m_wasEstablished = false;
    m_credits = 1;
    RpcRdmaConnectionOwner& owner = *this;
    m_connection = Create<RpcRdmaConnection>(m_device,
                                             MakeConnectionSettings(),
                                             m_callForms.Get(),
                                             m_replyMechanism.Get(),
                                             m_statistics,
                                             owner);
    if (!m_connection->Connect(m_server))
    {
        m_connection = nullptr;
        Delay(false);
        m_open = m_settings.reconnect;
        NoteEnd(DescribeMissingObjects(*m_device));
        m_disconnectedTrace(CmEventType::CONNECT_ERROR);
        ConnectIfNeeded();
    }
}

void
RpcRdmaClient::ConnectIfNeeded()
{
    if (!m_open || m_down || m_connection || m_queue.IsEmpty() || IsPending(m_attempt))
    {
        return;
    }
    const Time delay = std::max(m_nextAttempt - SimulationClock::Now(), Time(0));
    m_retryTrace(delay);
    m_attempt = Simulator::Schedule(delay, [this] {
        if (m_open && !m_connection && !m_queue.IsEmpty())
        {
            StartConnection();
        }
    });
}

void
RpcRdmaClient::Delay(bool made)
{
    m_nextAttempt =
        m_backoff.OnFailure(m_settings.backoff, made, m_connectStart, SimulationClock::Now());
}

void
RpcRdmaClient::HandleEstablished()
{
    m_limits = m_connection->GetInlineLimits();
    m_wasEstablished = true;
    m_connectedAt = SimulationClock::Now();
    m_backoff.OnConnected();
    m_nextAttempt = SimulationClock::Now();
    ++m_statistics.connectCount;
    m_statistics.connectTime +=
        static_cast<uint64_t>((SimulationClock::Now() - m_connectStart).ToInteger(Time::S));
    m_watch.Start();
    m_connectedTrace(m_limits.send, m_limits.receive);
    Pump();
    DisconnectIfIdle();
}

void
RpcRdmaClient::HandleEnd(CmEventType reason)
{
    const Ptr<RpcRdmaConnection> ended = m_connection;
    m_connection = nullptr;
    m_renegotiates = false;
    m_watch.Reset();
    if (!m_wasEstablished)
    {
        Delay(true);
    }
    m_open = m_open && m_settings.reconnect;
    if (!m_open)
    {
        m_disconnectWhenIdle = false;
        m_timeoutCheck.Remove();
    }
    NoteEnd(ended->GetEndReason());
    m_disconnectedTrace(reason);
    TakeBack(ended->TakeRequests());
    DisconnectIfIdle();
    ConnectIfNeeded();
}

void
RpcRdmaClient::NoteEnd(const std::string& reason)
{
    ++m_ends[reason];
    m_endedTrace(reason);
}

void
RpcRdmaClient::DisconnectIfIdle()
{
    RenegotiateIfIdle();
    if (!m_disconnectWhenIdle || GetPending() != 0)
    {
        return;
    }
    if (!m_connection)
    {
        Close();
    }
    else if (IsConnected())
    {
        Close();
        m_connection->Disconnect("the client needs it no longer");
    }
}

void
RpcRdmaClient::RenegotiateIfIdle()
{
    if (m_renegotiates && m_connection && m_connection->GetRequestCount() == 0)
    {
        m_renegotiates = false;
        m_connection->Drop("another inline threshold is to be agreed on");
    }
}

void
RpcRdmaClient::Close()
{
    m_open = false;
    m_disconnectWhenIdle = false;
    m_attempt.Remove();
    m_timeoutCheck.Remove();
    m_watch.Stop();
}

void
RpcRdmaClient::TakeBack(std::vector<RpcRdmaRequest*>&& requests)
{
    std::sort(requests.begin(),
              requests.end(),
              [](const RpcRdmaRequest* one, const RpcRdmaRequest* other) {
                  return one->call->order > other->call->order;
              });
    std::vector<Call> sent;
    std::vector<Call> cancelled;
    std::vector<Call> timedOut;
    for (RpcRdmaRequest* request : requests)
    {
        const RpcCancellation cancellation = request->cancellation;
        Call call = std::move(request->call);
        m_slots.Release(*request);
        if (cancellation == RpcCancellation::FENCING ||
            (m_down && cancellation == RpcCancellation::NONE && call->order != 0))
        {
            cancelled.push_back(std::move(call));
        }
        else if (cancellation != RpcCancellation::NONE || call->order == 0)
        {
            continue;
        }
        else if (call->times.over)
        {
            timedOut.push_back(std::move(call));
        }
        else if (m_open)
        {
            ++call->record.reconnects;
            m_queue.PutBack(std::move(call));
        }
        else
        {
            sent.push_back(std::move(call));
        }
    }
    EndAll(std::move(timedOut), RpcOutcome::TIMED_OUT);
    EndAll(std::move(cancelled), RpcOutcome::CANCELLED);
    EndAll(std::move(sent), RpcOutcome::DISCONNECTED);
}

void
RpcRdmaClient::EndAll(std::vector<Call>&& calls, RpcOutcome outcome)
{
    while (!calls.empty())
    {
        const Call call = std::move(calls.back());
        calls.pop_back();
        call->record.outcome = outcome;
        End(*call, {});
    }
}

void
RpcRdmaClient::Submit(std::unique_ptr<RpcTransportCall> call)
{
    ++m_statistics.submitted;
    m_program = call->record.program;
    m_version = call->record.version;
    m_settings.timeout.Start(call->times, SimulationClock::Now());
    call->record.handed = SimulationClock::Now();
    m_queue.Add(std::move(call));
    WatchTimeouts(m_settings.timeout.initial);
    Pump();
    ConnectIfNeeded();
}

bool
RpcRdmaClient::Cancel(uint32_t xid)
{
    if (Call queued = m_queue.Take(xid))
    {
        queued->record.outcome = RpcOutcome::CANCELLED;
        End(*queued, {});
        DisconnectIfIdle();
        return true;
    }
    return m_connection && m_connection->Cancel(xid);
}

void
RpcRdmaClient::Crash()
{
    m_down = true;
    m_attempt.Remove();
    m_timeoutCheck.Remove();
    if (m_connection)
    {
        m_connection->NoteEnd("the client has crashed");
    }
    EndAll(m_queue.TakeAll(), RpcOutcome::CANCELLED);
}

void
RpcRdmaClient::Boot()
{
    m_down = false;
    m_backoff = {};
    m_nextAttempt = SimulationClock::Now();
    if (m_open)
    {
        Connect();
        if (!m_queue.IsEmpty())
        {
            WatchTimeouts(m_settings.timeout.initial);
        }
    }
}

void
RpcRdmaClient::GrantSlots()
{
    const std::size_t slots = m_settings.connection.slots;
    const std::size_t used = m_connection ? m_connection->GetRequestCount() : 0;
    m_queue.GrantSlots(slots - std::min(slots, used),
                       SimulationClock::Now(),
                       m_settings.backlogDelay);
}

void
RpcRdmaClient::WakeBacklog()
{
    const Time now = SimulationClock::Now();
    const Time next = m_settings.backlogDelay.IsZero() ? Time::Max() : m_queue.GetNextReady(now);
    if (next != Time::Max() && !IsPending(m_backlogWake))
    {
        m_backlogWake = Simulator::Schedule(next - now, &RpcRdmaClient::Pump, this);
    }
}

void
RpcRdmaClient::Pump()
{
    GrantSlots();
    while (m_connection && !m_down && !m_renegotiates && !m_queue.IsEmpty() &&
           m_connection->MaySend() && m_queue.BringReady(SimulationClock::Now()) && SendNext())
    {
    }
    WakeBacklog();
}

bool
RpcRdmaClient::SendNext()
{
    using SendResult = RpcRdmaConnection::SendResult;
    const uint32_t xid = m_queue.GetFront().record.xid;
    if (m_connection->IsOutstanding(xid))
    {
        NS_LOG_WARN("XID " << xid << " is in use: its second call fails");
        Refuse(m_queue.TakeFront(), "its XID is in use");
        return true;
    }
    if (m_slots.CountUsed() >= m_settings.connection.CountRequests())
    {
        m_statistics.requestWaits += m_awaitsRequest != xid ? 1 : 0;
        m_awaitsRequest = xid;
        return false;
    }
    m_awaitsRequest.reset();
    RpcRdmaRequest& request = m_slots.Take();
    request.call = m_queue.TakeFront();
    if (!request.call->hasSlot)
    {
        request.call->hasSlot = true;
        request.call->record.slot = SimulationClock::Now();
    }
    if (!request.call->isTurn)
    {
        request.call->isTurn = true;
        request.call->record.connected = m_connectedAt;
        request.call->record.credit = SimulationClock::Now();
    }
    if (request.call->record.transmissions > 0 && request.call->reencode)
    {
        request.call->reencode(*request.call);
    }
    const SendResult result = m_connection->Send(request);
    if (result == SendResult::SENT)
    {
        m_callHeaderTrace(request.header);
        CountSend(request.call->record);
        return true;
    }
    if (result == SendResult::REFUSED)
    {
        return false;
    }
    Call call = std::move(request.call);
    m_slots.Release(request);
    if (result == SendResult::TOO_LONG)
    {
        Refuse(std::move(call), m_connection->DescribeRefusal());
        return true;
    }
    m_queue.PutBack(std::move(call));
    m_refusedXid = xid;
    return false;
}

void
RpcRdmaClient::Refuse(Call call, const std::string& reason)
{
    m_callRefusedTrace(call->record, reason);
    call->record.outcome = RpcOutcome::TRANSPORT_ERROR;
    End(*call, {});
    DisconnectIfIdle();
}

void
RpcRdmaClient::CountSend(const RpcRecord& record)
{
    ++m_statistics.sends;
    m_statistics.repeated += record.transmissions > 1 ? 1 : 0;
    m_statistics.reqU += m_statistics.sends + GetReverseStatistics().replies - m_statistics.recvs;
    const std::size_t inSlots = m_settings.connection.slots - m_connection->GetRequestCount();
    m_statistics.bklogU += m_queue.GetSize() > inSlots ? m_queue.GetSize() - inSlots : 0;
    m_callSentTrace(record);
}

void
RpcRdmaClient::HandleNoRegions(const std::string& what)
{
    if (!m_queue.IsEmpty() && m_queue.GetFront().record.xid == m_refusedXid)
    {
        NS_LOG_WARN(DescribeXid(m_refusedXid) << " cannot be sent: it needs " << what);
        Refuse(m_queue.TakeFront(), "it needs " + what);
    }
}

void
RpcRdmaClient::HandleReply(RpcRdmaRequest& request, RpcReceivedMessage&& message)
{
    if (request.checked.header)
    {
        m_replyHeaderTrace(*request.checked.header);
    }
    const Call call = std::move(request.call);
    if (!request.sendPending)
    {
        m_slots.Release(request);
    }
    if (call->order == 0)
    {
        m_watch.EndProbe();
    }
    else if (call->record.outcome == RpcOutcome::SUCCESS)
    {
        m_inlineReview.Count(*call, m_limits);
        m_renegotiates = m_renegotiates || (m_settings.reconnect && m_inlineReview.WantsOthers());
    }
    Pump();
    End(*call, std::move(message));
    DisconnectIfIdle();
}

void
RpcRdmaClient::HandleCancelled(RpcRdmaRequest& request)
{
    request.call->record.outcome = RpcOutcome::CANCELLED;
    End(*request.call, {});
    if (request.cancellation == RpcCancellation::SET_ASIDE)
    {
        request.call->completed = nullptr;
        Pump();
        DisconnectIfIdle();
    }
    else
    {
        HandleRelease(request);
    }
}

void
RpcRdmaClient::HandleRelease(RpcRdmaRequest& request)
{
    request.call = nullptr;
    HandleSendDone(request);
    Pump();
    DisconnectIfIdle();
}

void
RpcRdmaClient::HandleSendDone(RpcRdmaRequest& request)
{
    if (!request.call && !request.sendPending)
    {
        m_slots.Release(request);
        if (m_settings.connection.requests > 0)
        {
            Pump();
        }
    }
}

void
RpcRdmaClient::End(RpcTransportCall& call, RpcReceivedMessage&& message)
{
    if (call.order != 0)
    {
        const RpcOutcome outcome = call.record.outcome;
        ++(outcome == RpcOutcome::SUCCESS     ? m_statistics.succeeded
           : outcome == RpcOutcome::CANCELLED ? m_statistics.cancelled
                                              : m_statistics.failed);
    }
    call.record.completed = SimulationClock::Now();
    call.completed(call.record, std::move(message));
}

void
RpcRdmaClient::WatchTimeouts(Time delay)
{
    if (m_open && !m_settings.timeout.initial.IsZero() && !IsPending(m_timeoutCheck))
    {
        m_timeoutCheck = Simulator::Schedule(delay, &RpcRdmaClient::CheckTimeouts, this);
    }
}

void
RpcRdmaClient::CheckTimeouts()
{
    const Time now = SimulationClock::Now();
    Time next = now + m_settings.timeout.initial;
    const bool drop = m_connection && FindLateCall(next);
    std::vector<Call> over = m_queue.TakeOver(m_settings.timeout, now, next);
    if (drop)
    {
        NS_LOG_LOGIC("no reply in time: the connection is dropped");
        m_connection->Drop("no reply in client_timeout");
    }
    if (GetPending() > 0)
    {
        m_timeoutCheck = Simulator::Schedule(next - now, &RpcRdmaClient::CheckTimeouts, this);
    }
    EndAll(std::move(over), RpcOutcome::TIMED_OUT);
    DisconnectIfIdle();
}

bool
RpcRdmaClient::FindLateCall(Time& next)
{
    const RpcTimeout& timeout = m_settings.timeout;
    const Time now = SimulationClock::Now();
    bool late = false;
    m_connection->ForEachCall([&](RpcTransportCall& call) {
        if (call.order == 0)
        {
            return;
        }
        const Time deadline = RpcTimeout::GetDeadline(call.times, call.record.sent);
        if (deadline > now)
        {
            next = std::min(next, deadline);
            return;
        }
        late = true;
        m_timedOutTrace(call.record);
        call.times.over = timeout.Expire(call.times, now) && timeout.soft;
    });
    const Time owed = m_connection->GetOldestOwed();
    return late || (owed != Time::Max() && owed + timeout.GetMaximum() <= now);
}

bool
RpcRdmaClient::SendProbe()
{
    if (!m_connection->MaySendProbe() || m_program == 0)
    {
        return false;
    }
    RpcRdmaRequest& request = m_slots.Take();
    request.call = MakeProbe(TakeXid(), m_program, m_version);
    const auto result = m_connection->Send(request);
    if (result == RpcRdmaConnection::SendResult::NO_REGIONS ||
        result == RpcRdmaConnection::SendResult::TOO_LONG)
    {
        request.call = nullptr;
        m_slots.Release(request);
        return false;
    }
    CountSend(request.call->record);
    return true;
}

uint64_t
RpcRdmaClient::GetLargestRoom(const RpcReplyEstimate& reply) const
{
    return m_connection ? m_connection->GetLargestRoom(reply) : UINT64_MAX;
}

RpcReverseLimits
RpcRdmaClient::GetReverseLimits() const
{
    const uint32_t threshold = std::min(m_limits.send, m_limits.receive);
    return {std::min(threshold, m_settings.reverseMessageSize) - RpcRdmaHeader::MINIMUM_SIZE,
            m_settings.connection.reverse.credits};
}

uint32_t
RpcRdmaClient::GetPending() const
{
    return m_queue.GetSize() +
           (m_connection ? m_connection->GetRequestCount() - m_watch.GetProbes() : 0);
}

XprtRdmaStatistics
RpcRdmaClient::GetStatistics() const
{
    XprtRdmaStatistics statistics = m_statistics;
    // Linux counts an answer to a callback as sent, and never as received: as in CountSend().
    const uint64_t replies = GetReverseStatistics().replies;
    statistics.sends += replies;
    statistics.reqU += replies * (replies + 1) / 2;
    if (m_connection)
    {
        m_connection->AddLiveStatistics(statistics);
    }
    return statistics;
}

std::vector<std::string>
RpcRdmaClient::DescribeWaiting() const
{
    std::vector<std::string> lines;
    std::string queued = "connection";
    if (m_connection)
    {
        lines = m_connection->DescribeWaiting();
        queued = "connection being made";
    }
    if (IsConnected())
    {
        const CreditWindow& window = m_connection->GetWindow();
        queued = m_connection->IsWaitingForRegions()
                     ? "memory regions"
                     : "credit (" + std::to_string(window.GetOutstanding()) + " of " +
                           std::to_string(window.GetGranted()) + " used)";
    }
    const std::vector<std::string> waiting = m_queue.Describe(queued);
    lines.insert(lines.end(), waiting.begin(), waiting.end());
    if (!lines.empty())
    {
        const std::vector<std::string> ends = GetTerminates().Describe();
        lines.insert(lines.end(), ends.begin(), ends.end());
    }
    return lines;
}

} // namespace ns3::nfsrdma
