/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/active-connection.h"

#include "rpcrdma/client/message-kind.h"
#include "rpcrdma/client/reply-decoder.h"
#include "wire/simulation-clock.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcRdmaConnection");

namespace
{

/// Region number space of the connection itself: its write pad belongs to no slot.
constexpr uint32_t NO_SLOT = 0;
/// Of receives for a grant that nothing has bounded: as many as a slot table may have. Linux goes
/// on until its memory is exhausted.
constexpr uint32_t LARGEST_RAW_GRANT = 16384;
/// No write pad is registered when one in so many of a device's regions is in use already, or a
/// connection has no more than so many, since it keeps its region as long as the connection lasts.
constexpr uint32_t PADS_PART = 4;

} // namespace

RpcRdmaConnection::RpcRdmaConnection(Ptr<RnicDevice> device,
                                     RpcRdmaConnectionSettings settings,
                                     const CallFormPolicy& callForms,
                                     ReplyMechanismPolicy& replyMechanism,
                                     XprtRdmaStatistics& statistics,
                                     RpcRdmaConnectionOwner& owner)
    : m_device(device),
      m_settings(std::move(settings)),
      m_sizes(m_settings.FitTo(*m_device)),
      m_callForms(callForms),
      m_replyMechanism(replyMechanism),
      m_statistics(statistics),
      m_owner(owner),
      m_end(m_settings.terminates),
      m_window(m_settings.slots, m_settings.reservedCredits),
      m_sends(std::min(m_settings.slots, m_settings.CountRequests())),
      m_givenUp(m_settings.cancelPolicyName),
      m_check(m_settings.replyRules)
{
    m_window.SetObserver([this](uint32_t calls) { m_owner.HandleOutstanding(calls); });
}

RpcRdmaConnection::~RpcRdmaConnection()
{
    TearDown();
}

bool
RpcRdmaConnection::Connect(const Address& server)
{
    m_endpoint = VerbsEndpoint::Create(
        m_device,
        m_sizes.pair,
        MakeHandling(),
        [this](const WorkCompletion& completion) { HandleSendCompletion(completion); },
        [this](const WorkCompletion& completion) { HandleReceive(completion); });
    if (!m_endpoint)
    {
        m_state = State::ENDED;
        return false;
    }
    m_room =
        std::make_unique<RpcRdmaSendRoom>(m_endpoint->GetQueuePair(),
                                          m_sizes.pair.sendDepth,
                                          [this] { Disconnect("the queue pair refuses work"); });
    m_endpoint->GetQueuePair()->TraceConnectWithoutContext(
        "TerminateSent",
        MakeCallback(&ConnectionEnd::HandleTerminateSent, &m_end));
    m_endpoint->GetQueuePair()->TraceConnectWithoutContext(
        "TerminateReceived",
        MakeCallback(&ConnectionEnd::HandleTerminateReceived, &m_end));
    m_limits.segments = m_sizes.segments;
    m_registrar =
        ChunkRegistrar::Create(m_device, m_endpoint->GetDomain(), m_settings.registration);
    NS_ABORT_MSG_UNLESS(m_registrar,
                        "no registration strategy " << m_settings.registration.strategy);
    m_registrar->SetThread(m_endpoint->GetQueuePair()->GetThread(), m_settings.mapCost);
    m_regions = std::make_unique<RpcRdmaRegionWait>(
        *m_registrar,
        m_settings.regionAllocationTime,
        [this] { m_owner.HandleRegions(); },
        [this](const std::string& what) { m_owner.HandleNoRegions(what); });
    m_retirement = std::make_unique<RpcRdmaChunkRetirement>(
        *m_registrar,
        *m_room,
        m_statistics,
        [this](RpcRdmaRequest& request) { EndIfDone(request); },
        [this](const std::string& reason) { Disconnect(reason); });
    m_receives = std::make_unique<ReceiveBuffers>(m_device->GetHostMemory(),
                                                  m_endpoint->GetQueuePair(),
                                                  m_settings.inlineReceive,
                                                  nullptr,
                                                  m_settings.memoryAccount);
    m_endpoint->GetQueuePair()->SetMemoryAccount(m_settings.memoryAccount);
    const uint32_t reverseReceives =
        m_settings.reverse.server ? RpcRdmaReverseResponder::GetReceives(m_settings.reverse.credits)
                                  : 0;
    m_receives->Post(m_settings.replyMessages + std::min(reverseReceives, m_sizes.reverseReceives));

    CmConnectionParameters parameters;
    parameters.privateData = GetPrivateData().EncodeWithin(m_device->GetSettings().maxPrivateData);
    parameters.responderResources =
        std::min(m_settings.responderResources, m_device->GetSettings().maxIrd);
    parameters.initiatorDepth = 0;
    ReplyPullSettings& pull = m_settings.replyPull;
    pull.supported =
        pull.supported && ReadChunkExtension::Fits(m_device->GetSettings().maxPrivateData);
    pull.remoteInvalidation = pull.remoteInvalidation && GetPrivateData().remoteInvalidation;
    if (const auto extension = MakeExtension())
    {
        const ByteVector octets = extension->Encode();
        parameters.privateData.insert(parameters.privateData.end(), octets.begin(), octets.end());
    }
    if (pull.supported)
    {
        parameters.initiatorDepth = std::min(pull.reads, m_device->GetSettings().maxOrd);
    }
    m_cm = CmId::Create(m_device);
    m_cm->SetEventCallback(MakeCallback(&RpcRdmaConnection::HandleEvent, this));
    m_cm->Connect(m_endpoint->GetQueuePair(), server, parameters);
    return true;
}

void
RpcRdmaConnection::Disconnect(const std::string& reason)
{
    if (m_state == State::ESTABLISHED)
    {
        m_end.Note(reason);
        m_state = State::CLOSING;
        StopNotices();
        // A queue pair that closes with work outstanding fails, and what it has sent may be lost.
        m_lingers = m_pull && m_pull->GetNotifier().GetOpen() != 0;
        if (!m_lingers)
        {
            m_cm->Disconnect();
        }
    }
}

void
RpcRdmaConnection::Drop(const std::string& reason)
{
    if (m_state == State::ENDED || !m_cm)
    {
        return;
    }
    m_end.Note(reason);
    m_state = State::CLOSING;
    StopNotices();
    const Ptr<CmId> cm = m_cm;
    cm->SetEventCallback(CmId::EventCallback());
    cm->Destroy();
    Simulator::ScheduleNow(
        [self = Ptr<RpcRdmaConnection>(this)] { self->HandleEnd(CmEventType::DISCONNECTED); });
}

void
RpcRdmaConnection::StopNotices()
{
    if (m_pull)
    {
        m_pull->GetNotifier().Stop();
    }
}

void
RpcRdmaConnection::InjectError()
{
    if (m_endpoint)
    {
        m_end.Note("the queue pair has failed");
        m_endpoint->GetQueuePair()->MoveToError();
    }
}

void
RpcRdmaConnection::Abort()
{
    m_state = State::ENDED;
    TearDown();
}

void
RpcRdmaConnection::HandleEvent(Ptr<CmId> /*id*/, const CmEvent& event)
{
    if (event.type == CmEventType::ESTABLISHED)
    {
        HandleEstablished(event);
        return;
    }
    Simulator::ScheduleNow([self = Ptr<RpcRdmaConnection>(this), event] {
        self->m_end.Note(DescribeEnd(event));
        self->HandleEnd(event.type);
    });
}

void
RpcRdmaConnection::HandleEstablished(const CmEvent& event)
{
    const uint32_t segments = m_sizes.segments;
    RpcRdmaPrivateData own = GetPrivateData();
    own.receiveSize = own.GetAdvertised(m_device->GetSettings().maxPrivateData).receiveSize;
    const RpcRdmaPrivateData peer = DecodePrivateDataOrDefault(
        event.privateData,
        m_settings.privateDataAtFront ? PrivateDataPlace::FRONT : PrivateDataPlace::ANYWHERE);
    m_limits = InlineLimits::Negotiate(own, peer, segments);
    m_invalidatesRemotely = own.remoteInvalidation && peer.remoteInvalidation;
    m_state = State::ESTABLISHED;
    m_lastUsed = SimulationClock::Now();
    m_lastHeard = m_lastUsed;

    m_registrar->Grow(segments);
    m_regions->SetBatch(m_limits.segments);
    CallEncoderSettings settings;
    settings.limits = m_limits;
    settings.credits = m_settings.slots;
    settings.elements = m_device->GetSettings().maxElements;
    settings.bufferSize = m_settings.bufferSize;
    settings.account = m_settings.memoryAccount;
    settings.maxReadChunks = m_settings.maxReadChunks;
    settings.maxWriteChunks = m_settings.maxWriteChunks;
    settings.maxChunkSegments = m_settings.maxChunkSegments;
    settings.readPad = m_settings.readPad;
    settings.exactHeader = m_settings.exactCallHeader;
    settings.ownWritePads = m_settings.writePadSegment && m_invalidatesRemotely;
    if (m_settings.writePadSegment && !settings.ownWritePads)
    {
        RegisterWritePad(settings);
    }
    settings.peerGivesReadChunks = m_settings.replyPull.IsEnabled() && StartPullSession(event);
    AgreeOnContinuation(event);
    settings.replyMessages = m_replyMessages;
    m_encoder = std::make_unique<RpcRdmaCallEncoder>(m_device->GetHostMemory(),
                                                     *m_registrar,
                                                     m_callForms,
                                                     m_replyMechanism,
                                                     m_statistics,
                                                     settings);
    if (m_settings.reverse.server)
    {
        m_reverse = Create<RpcRdmaReverseResponder>(
            m_settings.reverse,
            m_device->GetHostMemory(),
            m_endpoint->GetQueuePair(),
            *m_room,
            m_limits.send,
            m_settings.reverseStatistics,
            [this](const std::string& reason) { Disconnect(reason); });
    }
    m_owner.HandleEstablished();
}

RpcRdmaPrivateData
RpcRdmaConnection::GetPrivateData() const
{
    const bool hasTagToKeep = m_settings.writePadSegment && m_settings.protectWritePad;
    const bool invalidates = m_settings.remoteInvalidation && !hasTagToKeep &&
                             m_registrar->AllowsRemoteInvalidation() &&
                             m_device->GetSettings().sendWithInvalidate;
    return {invalidates, m_settings.inlineSend, m_settings.inlineReceive};
}

std::optional<ReadChunkExtension>
RpcRdmaConnection::MakeExtension() const
{
    const bool continues = m_settings.replyMessages > 1 &&
                           ReadChunkExtension::Fits(m_device->GetSettings().maxPrivateData);
    if (!continues && !m_settings.replyPull.supported)
    {
        return std::nullopt;
    }
    ReadChunkExtension extension = m_settings.replyPull.supported
                                       ? m_settings.replyPull.MakeExtension()
                                       : ReadChunkExtension();
    extension.continuation = continues;
    extension.replyMessages = static_cast<uint16_t>(continues ? m_settings.replyMessages : 0);
    return extension;
}

void
RpcRdmaConnection::AgreeOnContinuation(const CmEvent& event)
{
    const auto own = MakeExtension();
    if (!own)
    {
        return;
    }
    m_replyMessages = AgreeOnReplyMessages(*own, DecodeReadChunkExtensionOrNone(event.privateData));
    m_continued = RpcRdmaContinuedMessage(uint64_t{m_replyMessages} * m_limits.receive);
}

bool
RpcRdmaConnection::StartPullSession(const CmEvent& event)
{
    PullNotifier::Limits limits;
    if (m_settings.replyPull.supported && event.ord > 0)
    {
        limits.agreement =
            ReadChunkAgreement::Agree(m_settings.replyPull.MakeExtension(),
                                      DecodeReadChunkExtensionOrNone(event.privateData));
        limits.agreement.remoteInvalidation &= m_invalidatesRemotely;
    }
    if (limits.agreement.active)
    {
        m_check.AllowReadChunks();
        m_regions->ExpectSinks();
    }
    limits.sendSize = m_limits.send;
    limits.elements = m_device->GetSettings().maxElements;
    m_pull =
        std::make_unique<ReplyPullSession>(ReplyPullSession::Resources{m_device->GetHostMemory(),
                                                                       *m_room,
                                                                       GetSinkRegistrar(),
                                                                       m_window,
                                                                       m_settings.replyPull},
                                           limits);
    return limits.agreement.active;
}

ChunkRegistrar&
RpcRdmaConnection::GetSinkRegistrar()
{
    RegistrationSettings settings = m_settings.registration;
    settings.strategy = ChunkRegistrar::GetSinkStrategy(settings.strategy);
    if (settings.strategy == m_settings.registration.strategy)
    {
        return *m_registrar;
    }
    m_sinkRegistrar = ChunkRegistrar::Create(m_device, m_endpoint->GetDomain(), settings);
    m_sinkRegistrar->SetThread(m_endpoint->GetQueuePair()->GetThread(), m_settings.mapCost);
    return *m_sinkRegistrar;
}

void
RpcRdmaConnection::RegisterWritePad(CallEncoderSettings& settings)
{
    const RnicCensus census = m_device->GetCensus();
    if (census.memoryRegions >= m_device->GetSettings().maxMrs / PADS_PART ||
        m_registrar->GetMost() <= PADS_PART)
    {
        return;
    }
    const uint32_t padLength = 4;
    m_writePad = HostBuffer(m_device->GetHostMemory(), padLength);
    std::vector<SendWorkRequest> chain;
    const auto registration = m_registrar->Register(
        {NO_SLOT, m_writePad.GetAddress(), padLength, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE, 0},
        chain);
    if (!registration)
    {
        return;
    }
    for (SendWorkRequest& request : chain)
    {
        request.id = RpcRdmaSendRoom::OWN_WORK;
    }
    if (chain.empty() || m_room->Post(std::move(chain)))
    {
        settings.writePad = registration->segment;
    }
}

void
RpcRdmaConnection::HandleEnd(CmEventType reason)
{
    if (m_state == State::ENDED)
    {
        return;
    }
    NS_LOG_LOGIC("connection ended: " << ToString(reason));
    m_state = State::ENDED;
    TearDown();
    EndSends(false);
    m_owner.HandleEnd(reason);
}

void
RpcRdmaConnection::TearDown()
{
    if (m_cm)
    {
        m_cm->SetEventCallback(CmId::EventCallback());
    }
    m_regions.reset();
    m_encoder.reset();
    if (m_reverse)
    {
        m_reverse->Close();
        m_reverse = nullptr;
    }
    m_pull.reset();
    if (m_registrar)
    {
        m_statistics.mrsAllocated += m_registrar->GetAllocated();
    }
    m_retirement.reset();
    m_registrar.reset();
    m_sinkRegistrar.reset();
    m_receives.reset();
    m_room.reset();
    m_endpoint.reset();
    m_writePad = HostBuffer();
    m_cm = nullptr;
}

std::vector<RpcRdmaRequest*>
RpcRdmaConnection::TakeRequests()
{
    std::vector<RpcRdmaRequest*> requests = m_givenUp.GetFencing();
    for (const auto& [xid, request] : m_requests)
    {
        requests.push_back(request);
    }
    for (RpcRdmaRequest* request : requests)
    {
        request->registrations.clear();
        request->Restart();
    }
    m_givenUp.Clear();
    m_requests.clear();
    m_requestOfSlot.clear();
    m_window.Reset();
    return requests;
}

bool
RpcRdmaConnection::MaySend() const
{
    return m_state == State::ESTABLISHED && !m_regions->IsWaiting() && m_window.MaySend() &&
           (!m_pull || m_pull->GetNotifier().MayCall());
}

VerbsEndpoint::Handling
RpcRdmaConnection::MakeHandling()
{
    const Ptr<HostCpu> cpu = m_device->GetHostCpu();
    const HostCosts& costs = cpu->GetCosts();
    const bool locks = !costs.clientSendHold.IsZero() || !costs.clientReceiveHold.IsZero();
    const Ptr<HostLock> lock = locks ? cpu->MakeLock("transport_lock") : nullptr;
    m_sendWork = HostWork(costs.clientSendCost).Under(lock, costs.clientSendHold);
    VerbsEndpoint::Handling handling;
    handling.context = costs.clientCompletions;
    handling.send.Then(costs.clientSendDoneCost);
    handling.receive.Then(costs.clientReceiveCost).Under(lock, costs.clientReceiveHold);
    return handling;
}

RpcRdmaConnection::SendResult
RpcRdmaConnection::Send(RpcRdmaRequest& request)
{
    if (!m_regions->Enter())
    {
        m_regions->Begin();
        return SendResult::NO_REGIONS;
    }
    m_device->GetHostCpu()->Run(*m_endpoint->GetQueuePair()->GetThread(), m_sendWork);
    auto chain = m_encoder->Encode(request);
    if (!chain)
    {
        LeaveIfIdle();
        if (chain.error() == RpcRdmaCallEncoder::Failure::NO_REGIONS)
        {
            m_regions->Begin();
            return SendResult::NO_REGIONS;
        }
        return SendResult::TOO_LONG;
    }
    m_regions->EndTurn();
    if (m_pull)
    {
        m_pull->GetNotifier().PrepareCall(request, chain->back());
    }
    Post(request, std::move(*chain));
    return m_state == State::ESTABLISHED ? SendResult::SENT : SendResult::REFUSED;
}

void
RpcRdmaConnection::LeaveIfIdle()
{
    if (m_requests.empty() && m_givenUp.GetFencing().empty())
    {
        m_regions->Leave();
    }
}

void
RpcRdmaConnection::Post(RpcRdmaRequest& request, std::vector<SendWorkRequest>&& chain)
{
    m_sends.Add(request, chain);
    for (SendWorkRequest& workRequest : chain)
    {
        workRequest.id = RpcRdmaSendRoom::OWN_WORK;
    }
    chain.back().id = request.slot;
    request.Restart();
    request.cancellation = RpcCancellation::NONE;
    RpcRecord& record = request.call->record;
    ++record.transmissions;
    m_requests[record.xid] = &request;
    if (m_requestOfSlot.size() <= request.slot)
    {
        m_requestOfSlot.resize(request.slot + 1);
    }
    m_requestOfSlot[request.slot] = &request;
    m_window.OnSent();
    record.sent = SimulationClock::Now();
    record.firstSent = record.transmissions == 1 ? record.sent : record.firstSent;
    NoteUse(*request.call);

    if (const auto posted = m_room->Post(std::move(chain)); !posted)
    {
        Disconnect(std::string("the queue pair refuses a call: ") + ToString(posted.error()));
    }
}

void
RpcRdmaConnection::HandleSendCompletion(const WorkCompletion& completion)
{
    m_room->HandleCompletion(completion);
    const Ptr<RpcRdmaConnection> held = m_lingers ? this : nullptr;
    HandleCompletionOfSend(completion);
    if (held)
    {
        EndLinger(completion.status == WorkCompletionStatus::SUCCESS);
    }
}

void
RpcRdmaConnection::EndLinger(bool completed)
{
    if (m_lingers && m_cm && (!completed || !m_pull || m_pull->GetNotifier().GetOpen() == 0))
    {
        m_lingers = false;
        m_cm->Disconnect();
    }
}

void
RpcRdmaConnection::HandleCompletionOfSend(const WorkCompletion& completion)
{
    if (completion.status != WorkCompletionStatus::SUCCESS ||
        completion.id == RpcRdmaSendRoom::OWN_WORK ||
        (m_reverse && m_reverse->HandleCompletion(completion)) ||
        (m_pull && m_pull->HandleCompletion(completion)))
    {
        return;
    }
    RpcRdmaRequest& request = *m_requestOfSlot[completion.id];
    if (completion.opcode == WorkCompletionOpcode::LOCAL_INVALIDATE)
    {
        request.invalidationPending = false;
        EndIfDone(request);
    }
    else
    {
        EndSends(true);
    }
}

void
RpcRdmaConnection::EndSends(bool completed)
{
    const auto ended = [this](RpcRdmaRequest& request) {
        const auto mapped = std::exchange(request.mapped, {});
        if (m_registrar)
        {
            m_registrar->Unmap(mapped);
        }
        m_owner.HandleSendDone(request);
        if (request.cancellation == RpcCancellation::FENCING)
        {
            EndCancelled(request);
        }
    };
    if (completed)
    {
        m_sends.EndNext(ended);
    }
    else
    {
        m_sends.EndAll(ended);
    }
}

void
RpcRdmaConnection::PostReceives()
{
    const uint32_t needed = m_window.GetGranted() * m_replyMessages + m_sizes.reverseReceives;
    if (m_receives->GetPosted() <= needed)
    {
        m_receives->Post(needed - m_receives->GetPosted() + m_settings.receiveBatch);
    }
}

uint64_t
RpcRdmaConnection::CountMissingReceives() const
{
    const uint64_t needed = uint64_t{m_window.GetOutstanding()} * m_replyMessages;
    const uint64_t there = (m_receives ? m_receives->GetPosted() : 0) + m_continued.GetBegun();
    return needed > there ? needed - there : 0;
}

uint64_t
RpcRdmaConnection::CountNoticesBeyond() const
{
    return m_pull ? m_pull->GetNotifier().CountBeyond() : 0;
}

void
RpcRdmaConnection::HandleReceive(const WorkCompletion& completion)
{
    if (completion.status != WorkCompletionStatus::SUCCESS)
    {
        return;
    }
    m_receives->Take(completion, m_message);
    m_lastHeard = SimulationClock::Now();
    m_messageLength = completion.length;
    m_messageSends = 1;
    if (m_replyMessages == 1)
    {
        HandleMessage(completion);
        return;
    }
    const uint32_t xid =
        m_message.size() < sizeof(uint32_t) ? 0 : boost::endian::load_big_u32(m_message.data());
    if (TakePart())
    {
        HandleMessage(completion);
    }
    else if (completion.withInvalidate)
    {
        TakePartInvalidation(xid, completion.invalidatedStag);
    }
}

void
RpcRdmaConnection::TakePartInvalidation(uint32_t xid, Stag stag)
{
    const auto found = m_requests.find(xid);
    if (found == m_requests.end() || found->second->replied ||
        !m_retirement->TakeInvalidated(*found->second, stag))
    {
        HandleForeignInvalidation(xid, ReplyVerdict::DISCARD);
    }
}

bool
RpcRdmaConnection::TakePart()
{
    if (!RpcRdmaContinuation::IsIn(m_message))
    {
        if (m_continued.Drop())
        {
            DropPart(0);
        }
        return true;
    }
    const uint32_t xid = boost::endian::load_big_u32(m_message.data());
    m_partsLength += m_messageLength;
    const auto state = m_continued.Take(m_message);
    if (state == RpcRdmaContinuedMessage::State::PARTIAL)
    {
        return false;
    }
    m_messageLength = std::exchange(m_partsLength, 0);
    m_messageSends = m_continued.GetCount();
    if (state == RpcRdmaContinuedMessage::State::BAD)
    {
        DropPart(xid);
        return false;
    }
    return true;
}

void
RpcRdmaConnection::DropPart(uint32_t xid)
{
    m_partsLength = 0;
    ++m_statistics.badReply;
    Report(xid, ReplyVerdict::DISCARD, ReplyFault::CONTINUATION);
    RefillUnawaited();
}

XidState
RpcRdmaConnection::GetXidState(uint32_t xid) const
{
    const auto found = m_requests.find(xid);
    if (found == m_requests.end())
    {
        return m_givenUp.Contains(xid) ? XidState::KNOWN : XidState::UNKNOWN;
    }
    const RpcRdmaRequest& request = *found->second;
    return request.replied || request.cancellation != RpcCancellation::NONE ? XidState::KNOWN
                                                                            : XidState::AWAITED;
}

void
RpcRdmaConnection::HandleMessage(const WorkCompletion& completion)
{
    ByteReader reader(m_message);
    const auto header = RpcRdmaFixedHeader::Decode(reader);
    switch (Classify(header,
                     m_message,
                     header ? GetXidState(header->xid) : XidState::UNKNOWN,
                     m_reverse != nullptr,
                     m_pull && m_pull->IsAgreed()))
    {
    case MessageKind::MALFORMED:
        ++m_statistics.badReply;
        Report(header ? header->xid : 0,
               ReplyVerdict::DISCARD,
               header ? ReplyFault::VERSION : ReplyFault::TOO_SHORT);
        RefillUnawaited();
        return;
    case MessageKind::REVERSE_CALL:
        if (m_reverse)
        {
            RefillUnawaited();
            m_reverse->HandleCall(m_message);
            return;
        }
        [[fallthrough]]; // As Linux without a callback service.
    case MessageKind::UNKNOWN_XID:
        ++m_statistics.badXids;
        Report(header->xid, ReplyVerdict::DISCARD, ReplyFault::UNKNOWN_XID);
        TakeLateGrant(*header);
        RefillUnawaited();
        if (m_settings.grantClamp == GrantClamp::WINDOW)
        {
            PostForRawGrant(header->credit);
        }
        if (!HandleLateReply(header->xid, completion) && completion.withInvalidate)
        {
            HandleForeignInvalidation(header->xid, ReplyVerdict::DISCARD);
        }
        if (m_pull)
        {
            m_pull->HandleDiscarded(m_message);
        }
        return;
    case MessageKind::REPLY:
        break;
    }
    RpcRdmaRequest& request = *m_requests.at(header->xid);
    request.checked = m_check.Check(m_message, request.header.chunks);
    if (request.checked.fault != ReplyFault::NONE)
    {
        Report(header->xid, request.checked.verdict, request.checked.fault);
    }
    if (request.checked.verdict == ReplyVerdict::DISCARD)
    {
        ++m_statistics.badReply;
        ReleaseInvalidated(request, completion);
        PostReceives();
        if (m_pull)
        {
            m_pull->HandleDiscarded(m_message);
        }
        return;
    }
    if (header->credit == 0)
    {
        Report(header->xid, request.checked.verdict, ReplyFault::NO_CREDITS);
    }
    m_window.OnGrant(header->credit);
    m_owner.HandleGrant(m_window.GetGranted());
    if (m_settings.receiveOrder == ReceiveOrder::BEFORE_COMPLETION)
    {
        PostReceives();
        HandleReply(request, completion);
        return;
    }
    const Ptr<RpcRdmaConnection> self(this);
    HandleReply(request, completion);
    if (m_receives)
    {
        PostReceives();
    }
}

void
RpcRdmaConnection::RefillUnawaited()
{
    if (m_settings.receiveRefill == ReceiveRefill::EVERY_MESSAGE)
    {
        PostReceives();
    }
}

void
RpcRdmaConnection::PostForRawGrant(uint32_t credits)
{
    const uint32_t needed =
        std::min(credits, LARGEST_RAW_GRANT) * m_replyMessages + m_sizes.reverseReceives;
    if (m_receives->GetPosted() <= needed)
    {
        m_receives->Reserve(needed + m_settings.receiveBatch);
        m_receives->Post(needed - m_receives->GetPosted() + m_settings.receiveBatch);
    }
}

void
RpcRdmaConnection::Report(uint32_t xid, ReplyVerdict verdict, ReplyFault fault)
{
    NS_LOG_LOGIC(DescribeXid(xid) << ": " << ToString(verdict) << ", " << ToString(fault));
    ++m_statistics.replyFaults.at(static_cast<std::size_t>(fault));
    m_owner.HandleFault(xid, verdict, fault);
}

void
RpcRdmaConnection::HandleForeignInvalidation(uint32_t xid, ReplyVerdict verdict)
{
    Report(xid, verdict, ReplyFault::FOREIGN_STAG);
    if (m_check.GetRules().closeOnForeignStag)
    {
        Disconnect("an STag that the reply had no right to was invalidated (client_reply_rules)");
    }
}

void
RpcRdmaConnection::HandleReply(RpcRdmaRequest& request, const WorkCompletion& completion)
{
    ++m_statistics.recvs;
    NoteUse(*request.call);
    request.replied = true;
    std::swap(request.reply, m_message);
    RpcRecord& record = request.call->record;
    record.replied = SimulationClock::Now();
    const auto core = m_endpoint->GetReceiveCompletions()->GetThread()->GetCore();
    record.replyCore = core ? static_cast<int16_t>(*core) : int16_t{-1};
    record.replyInlineBytes = m_messageLength;
    request.replySends = m_messageSends;
    ReleaseInvalidated(request, completion);
    m_retirement->Retire(request);
    if (m_pull)
    {
        m_pull->HandleReply(request, [this, &request] { EndIfDone(request); });
    }
    EndIfDone(request);
}

void
RpcRdmaConnection::ReleaseInvalidated(RpcRdmaRequest& request, const WorkCompletion& completion)
{
    if (completion.withInvalidate &&
        !m_retirement->TakeInvalidated(request, completion.invalidatedStag))
    {
        HandleForeignInvalidation(request.call->record.xid, request.checked.verdict);
    }
}

void
RpcRdmaConnection::EndIfDone(RpcRdmaRequest& request)
{
    if (request.cancellation != RpcCancellation::NONE)
    {
        EndCancelled(request);
        return;
    }
    if (!request.replied || request.invalidationPending || request.hostPending)
    {
        return;
    }
    if (request.pullPending)
    {
        ReleaseRegions(request); // Its Read chunk may be in need of them.
        return;
    }
    ReleaseRegions(request);
    RpcReceivedMessage message = DecodeReply(request, *m_device->GetHostMemory(), m_statistics);
    const RpcRecord& record = request.call->record;
    if (record.outcome == RpcOutcome::SUCCESS)
    {
        m_replyMechanism.Observe({record.program, record.procedure, request.call->reply.kind},
                                 message.octets.size());
    }
    m_requests.erase(record.xid);
    LeaveIfIdle();
    EndCredit(record.sent);
    if (m_pull)
    {
        m_pull->GetNotifier().Pump();
    }
    if (m_settings.requestRelease == RequestRelease::REPLY && request.sendPending &&
        !request.sendMapped)
    {
        m_sends.Forget(request);
        ++m_statistics.requestsUnsent;
    }
    m_owner.HandleReply(request, std::move(message));
}

void
RpcRdmaConnection::NoteUse(const RpcTransportCall& call)
{
    const bool isProbe = call.order == 0;
    if (!isProbe)
    {
        m_lastUsed = SimulationClock::Now();
    }
}

void
RpcRdmaConnection::EndCredit(Time sent)
{
    m_window.OnEnded();
    m_owner.HandleCreditEnd(SimulationClock::Now() - sent);
}

bool
RpcRdmaConnection::Cancel(uint32_t xid)
{
    if (GetXidState(xid) != XidState::AWAITED)
    {
        return false;
    }
    RpcRdmaRequest& request = *m_requests.at(xid);
    const RpcCancellation way = m_givenUp.Choose(request, m_registrar->GetFencing());
    if (way == RpcCancellation::NONE)
    {
        return false;
    }
    m_givenUp.Add(request, way, !m_window.HasGrant() || !m_sizes.hasSpareReceives);
    if (way == RpcCancellation::SET_ASIDE)
    {
        m_owner.HandleCancelled(request);
        return true;
    }
    m_requests.erase(xid);
    m_retirement->Fence(request);
    EndCancelled(request);
    return true;
}

void
RpcRdmaConnection::EndCancelled(RpcRdmaRequest& request)
{
    if (request.invalidationPending || request.hostPending || m_state != State::ESTABLISHED)
    {
        return;
    }
    if (request.cancellation == RpcCancellation::SET_ASIDE)
    {
        if (request.replied)
        {
            m_requests.erase(request.call->record.xid);
            ReleaseRegions(request);
            LeaveIfIdle();
            m_givenUp.Remove(request);
            m_owner.HandleRelease(request);
        }
        return;
    }
    if (m_givenUp.AwaitsSend(request))
    {
        return;
    }
    m_givenUp.Remove(request);
    ReleaseRegions(request);
    LeaveIfIdle();
    if (!request.creditKept)
    {
        EndCredit(request.call->record.sent);
    }
    m_owner.HandleCancelled(request);
}

void
RpcRdmaConnection::TakeLateGrant(const RpcRdmaFixedHeader& header)
{
    if (m_givenUp.TakesGrantOf(header.xid))
    {
        m_window.OnGrant(header.credit);
        m_owner.HandleGrant(m_window.GetGranted());
    }
}

bool
RpcRdmaConnection::HandleLateReply(uint32_t xid, const WorkCompletion& completion)
{
    const std::optional<Time> sent = m_givenUp.TakeLate(xid);
    if (!sent)
    {
        return false;
    }
    EndCredit(*sent);
    const auto found = m_requests.find(xid);
    const bool setAside =
        found != m_requests.end() && found->second->cancellation == RpcCancellation::SET_ASIDE;
    if (setAside)
    {
        RpcRdmaRequest& request = *found->second;
        request.replied = true;
        ReleaseInvalidated(request, completion);
        m_retirement->Retire(request);
        EndCancelled(request);
    }
    m_owner.HandleRegions();
    return setAside;
}

uint64_t
RpcRdmaConnection::GetLargestRoom(const RpcReplyEstimate& reply) const
{
    return m_encoder ? m_encoder->GetLargestRoom(reply) : UINT64_MAX;
}

void
RpcRdmaConnection::ForEachCall(const std::function<void(RpcTransportCall&)>& visit) const
{
    for (const auto& [xid, request] : m_requests)
    {
        if (request->cancellation == RpcCancellation::NONE)
        {
            visit(*request->call);
        }
    }
}

void
RpcRdmaConnection::AddLiveStatistics(XprtRdmaStatistics& statistics) const
{
    if (m_registrar)
    {
        statistics.mrsAllocated += m_registrar->GetAllocated();
    }
    if (IsEstablished())
    {
        statistics.idleTime =
            static_cast<uint64_t>((SimulationClock::Now() - m_lastUsed).ToInteger(Time::S));
    }
}

std::vector<std::string>
RpcRdmaConnection::DescribeWaiting() const
{
    std::vector<std::string> lines;
    for (const auto& [xid, request] : m_requests)
    {
        std::string what = "reply";
        if (request->cancellation != RpcCancellation::NONE)
        {
            what = "late reply, given up";
        }
        else if (request->replied)
        {
            what = request->pullPending
                       ? std::string("its Read chunk being pulled")
                       : "invalidation of " + std::to_string(request->registrations.size()) +
                             " chunk segments";
        }
        lines.push_back(DescribeXid(xid) + ": " + what);
    }
    if (const uint32_t waiting = m_room ? m_room->GetWaiting() : 0; waiting > 0)
    {
        lines.push_back("room in the send queue: " + std::to_string(waiting) + " work requests");
    }
    return lines;
}

} // namespace ns3::nfsrdma
