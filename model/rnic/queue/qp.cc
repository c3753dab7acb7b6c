/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/qp.h"

#include "rnic/hardware/device.h"
#include "rnic/queue/work-descriptor.h"
#include "rnic/queue/work-request-checker.h"
#include "wire/name-of.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(QueuePair);

const char*
ToString(QueuePairState state)
{
    return NameOf(state,
                  {{QueuePairState::IDLE, "IDLE"},
                   {QueuePairState::RTS, "RTS"},
                   {QueuePairState::CLOSING, "CLOSING"},
                   {QueuePairState::TERMINATE, "TERMINATE"},
                   {QueuePairState::ERROR, "ERROR"}});
}

TypeId
QueuePair::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::QueuePair")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddTraceSource("State",
                            "The state has changed: before, after.",
                            MakeTraceSourceAccessor(&QueuePair::m_stateTrace),
                            "ns3::nfsrdma::QueuePair::StateTracedCallback")
            .AddTraceSource("PostSend",
                            "A send work request has been accepted.",
                            MakeTraceSourceAccessor(&QueuePair::m_postSendTrace),
                            "ns3::nfsrdma::QueuePair::PostSendTracedCallback")
            .AddTraceSource("PostReceive",
                            "A receive work request has been accepted.",
                            MakeTraceSourceAccessor(&QueuePair::m_postReceiveTrace),
                            "ns3::nfsrdma::QueuePair::PostReceiveTracedCallback")
            .AddTraceSource("WorkDone",
                            "A work request of either queue is over: its completion was polled, or "
                            "none is made; and how it has spent its time. To be connected before "
                            "the work request is posted.",
                            MakeTraceSourceAccessor(&QueuePair::m_workDoneTrace),
                            "ns3::nfsrdma::QueuePair::WorkDoneTracedCallback")
            .AddTraceSource("TerminateSent",
                            "An error was found here, for which a Terminate is sent if possible.",
                            MakeTraceSourceAccessor(&QueuePair::m_terminateSentTrace),
                            "ns3::nfsrdma::QueuePair::TerminateTracedCallback")
            .AddTraceSource("TerminateReceived",
                            "The peer has sent a Terminate.",
                            MakeTraceSourceAccessor(&QueuePair::m_terminateReceivedTrace),
                            "ns3::nfsrdma::QueuePair::TerminateTracedCallback")
            .AddTraceSource("AsyncEvent",
                            "QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, SQ_DRAINED or "
                            "QP_LAST_WQE_REACHED, with the number of the pair.",
                            MakeTraceSourceAccessor(&QueuePair::m_asyncEventTrace),
                            "ns3::nfsrdma::AsyncEventTracedCallback");
    return tid;
}

QueuePair::QueuePair()
    : m_receiver(*this),
      m_transmitter(*this),
      m_stream(*this),
      m_termination(*this),
      m_asyncEvents(m_asyncEventTrace)
{
}

QueuePair::~QueuePair() = default;

void
QueuePair::Bind(RnicDevice& device,
                Ptr<ProtectionDomain> domain,
                Ptr<CompletionQueue> sendCompletions,
                Ptr<CompletionQueue> receiveCompletions,
                const QueuePairCapabilities& capabilities,
                uint32_t number)
{
    m_device = &device;
    m_domain = domain;
    m_sendCompletions = sendCompletions;
    m_receiveCompletions = receiveCompletions;
    m_number = number;
    m_capabilities = capabilities;
    m_thread = Create<HostThread>();
    m_memory.emplace(*device.GetHostMemory(), device.GetStagTable(), *domain);
    m_sendQueue.Bind(device.Counters(), sendCompletions, capabilities.sendDepth, number);
    m_receiveQueue.Bind(receiveCompletions,
                        capabilities.receiveDepth,
                        number,
                        capabilities.sharedReceiveQueue);
    m_sendQueue.SetUser(*this);
    m_receiveQueue.SetUser(*this);
    m_domain->AddUser();
    if (capabilities.sharedReceiveQueue)
    {
        capabilities.sharedReceiveQueue->AddUser();
    }
    m_sendCompletions->Attach(number, *this);
    m_receiveCompletions->Attach(number, *this);
}

void
QueuePair::Shutdown()
{
    m_stream.End(Ending::ABORT);
    SetState(QueuePairState::ERROR);
    m_sendCompletions->Detach(m_number);
    m_receiveCompletions->Detach(m_number);
    m_domain->RemoveUser();
    if (m_capabilities.sharedReceiveQueue)
    {
        m_capabilities.sharedReceiveQueue->RemoveUser();
    }
}

void
QueuePair::DoDispose()
{
    m_disconnected = ConnectionCallback();
    m_opened = ConnectionCallback();
    if (m_device != nullptr)
    {
        m_transmitter.Stop();
    }
    m_sendQueue.Close();
    m_receiveQueue.Close();
    m_stream.Dispose();
    m_memory.reset();
    m_asyncEvents.Close();
    m_capabilities.sharedReceiveQueue = nullptr;
    m_sendCompletions = nullptr;
    m_receiveCompletions = nullptr;
    m_domain = nullptr;
    m_device = nullptr;
    m_state = QueuePairState::ERROR;
    Object::DoDispose();
}

tl::expected<void, VerbsError>
QueuePair::PostSend(const SendWorkRequest& request)
{
    return PostSend(std::vector<SendWorkRequest>{request});
}

tl::expected<void, VerbsError>
QueuePair::PostSend(const std::vector<SendWorkRequest>& chain)
{
    if (m_device == nullptr)
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (m_state == QueuePairState::IDLE || m_state == QueuePairState::CLOSING)
    {
        return tl::make_unexpected(VerbsError::NOT_CONNECTED);
    }
    const WorkRequestChecker checker(m_device->GetSettings(), *m_device->GetHostMemory());
    std::vector<uint32_t> lengths;
    lengths.reserve(chain.size());
    uint64_t pages = 0;
    for (const SendWorkRequest& request : chain)
    {
        const auto length =
            checker.Check(request, m_capabilities.maxSendElements, m_capabilities.maxInline);
        if (!length)
        {
            return tl::make_unexpected(length.error());
        }
        lengths.push_back(*length);
        pages += WorkRequestChecker::CountPinned(request);
    }
    if (!m_sendQueue.HasSlots(chain.size()))
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    auto pins = PinnedPages::Pin(m_device->GetHostMemory(), pages, m_memoryAccount);
    if (!pins)
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    RnicCounters& counters = m_device->Counters();
    counters.doorbells++;
    counters.sendsPosted += chain.size();
    const uint32_t batch = m_device->GetSettings().wqeBatch;
    const PostedWork work = DescribePost(chain, lengths, batch);
    PostTimes times = m_device->GetClocks().Post(*m_thread, work);
    for (std::size_t i = 0; i < chain.size(); i++)
    {
        if (i != 0 && batch != 0 && i % batch == 0 && !work.pushed)
        {
            const uint64_t octets = GetDescriptorOctets(chain, lengths, i, batch);
            times.fetched =
                std::max(times.fetched, m_device->GetClocks().Fetch(times.rung, octets));
        }
        const uint64_t pinned = WorkRequestChecker::CountPinned(chain[i]);
        m_sendQueue.Post(chain[i], lengths[i], times, pins->Split(pinned));
        counters.messageOctetsPosted +=
            chain[i].opcode == WorkRequestOpcode::SEND ||
                    chain[i].opcode == WorkRequestOpcode::SEND_WITH_INVALIDATE
                ? lengths[i]
                : 0;
        if (chain[i].inlineData)
        {
            CaptureInline(chain[i], lengths[i]);
        }
        m_postSendTrace(chain[i]);
    }
    if (m_state == QueuePairState::RTS)
    {
        m_transmitter.Pump();
    }
    else
    {
        m_sendQueue.Flush();
    }
    return {};
}

void
QueuePair::CaptureInline(const SendWorkRequest& request, uint32_t length)
{
    const HostMemory& memory = *m_device->GetHostMemory();
    MutableByteSpan room = m_sendQueue.AppendInline(length);
    for (const ScatterGatherElement& element : request.elements)
    {
        memory.Read(element.address, room.first(element.length));
        room = room.subspan(element.length);
    }
}

tl::expected<void, VerbsError>
QueuePair::PostReceive(const ReceiveWorkRequest& request)
{
    if (m_device == nullptr || m_capabilities.sharedReceiveQueue)
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    const auto length = WorkRequestChecker(m_device->GetSettings(), *m_device->GetHostMemory())
                            .Check(request, m_capabilities.maxReceiveElements);
    if (!length)
    {
        return tl::make_unexpected(length.error());
    }
    if (!m_receiveQueue.HasRoom())
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    m_device->Counters().receivesPosted++;
    const PostTimes times = m_device->GetClocks().Post(*m_thread, DescribePost(request));
    m_receiveQueue.Post(request, times.posted);
    m_postReceiveTrace(request);
    if (m_state != QueuePairState::IDLE && m_state != QueuePairState::RTS)
    {
        m_receiveQueue.Flush(WorkCompletionStatus::WR_FLUSH_ERR);
    }
    return {};
}

tl::expected<void, VerbsError>
QueuePair::SetTransmitShare(const TransmitShare& share)
{
    if (share.weight == 0)
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    m_transmitShare = share;
    return {};
}

bool
QueuePair::Attach(Ptr<MpaConnection> connection, uint32_t ird, uint32_t ord)
{
    if (m_device == nullptr || m_state != QueuePairState::IDLE)
    {
        return false;
    }
    m_device->RunCommand(m_device->GetSettings().hostModifyQp);
    m_ird = ird;
    m_ord = ord;
    const MpaStartup::Agreement& agreement = connection->GetAgreement();
    RdmapStreamOptions options;
    options.ird = ird;
    options.version = agreement.headerVersion;
    options.rtr = agreement.rtr;
    options.initiator = connection->IsInitiator();
    options.extensions = m_device->GetSettings().rdmapExtensions;
    m_receiveQueue.SetFirstMsn(options.GetFirstInboundSend());
    m_stream.Open(connection, m_receiver, options);
    SetState(QueuePairState::RTS);
    return true;
}

void
QueuePair::Disconnect()
{
    if (m_state != QueuePairState::RTS)
    {
        return;
    }
    SetState(m_sendQueue.GetOutstanding() == 0 ? QueuePairState::CLOSING : QueuePairState::ERROR);
    Flush();
    m_stream.ScheduleEnd(Ending::CLOSE);
}

void
QueuePair::Abort()
{
    if (m_device == nullptr)
    {
        return;
    }
    if (m_state != QueuePairState::ERROR)
    {
        SetState(QueuePairState::ERROR);
        Flush();
    }
    m_stream.End(Ending::ABORT);
}

tl::expected<void, VerbsError>
QueuePair::Modify(QueuePairState state)
{
    const bool fromRts = m_state == QueuePairState::RTS;
    if (m_device != nullptr && state == QueuePairState::ERROR)
    {
        MoveToError();
    }
    else if (fromRts && state == QueuePairState::CLOSING)
    {
        Disconnect();
    }
    else if (fromRts && state == QueuePairState::TERMINATE)
    {
        m_termination.Terminate();
    }
    else
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    return {};
}

void
QueuePair::MoveToError()
{
    if (m_device == nullptr || m_state == QueuePairState::ERROR)
    {
        return;
    }
    const bool connected = m_state != QueuePairState::IDLE;
    SetState(QueuePairState::ERROR);
    Flush();
    if (connected)
    {
        m_stream.ScheduleEnd(Ending::CLOSE);
    }
}

void
QueuePair::EnterTerminate(AsyncEventType event,
                          const SendQueueEntry* failed,
                          WorkCompletionStatus sendStatus,
                          WorkCompletionStatus receiveStatus)
{
    SetState(QueuePairState::TERMINATE);
    m_asyncEvents.Raise(event, m_number);
    Flush(failed, sendStatus, receiveStatus);
}

void
QueuePair::Flush(const SendQueueEntry* failed,
                 WorkCompletionStatus sendStatus,
                 WorkCompletionStatus receiveStatus)
{
    m_device->GetHostMemory()->HastenPosts(m_number);
    m_sendQueue.Flush(failed, sendStatus);
    m_receiveQueue.Flush(receiveStatus);
}

void
QueuePair::ConnectionReady()
{
    if (!m_opened.IsNull())
    {
        const ConnectionCallback opened = m_opened;
        m_opened = ConnectionCallback();
        opened();
    }
    m_transmitter.Pump();
}

void
QueuePair::ConnectionLost()
{
    if (m_state == QueuePairState::RTS)
    {
        SetState(QueuePairState::ERROR);
        Flush();
    }
}

void
QueuePair::ConnectionEnded()
{
    if (m_state == QueuePairState::CLOSING)
    {
        m_asyncEvents.Raise(AsyncEventType::SQ_DRAINED, m_number);
    }
    SetState(QueuePairState::ERROR);
    if (!m_disconnected.IsNull())
    {
        const ConnectionCallback disconnected = m_disconnected;
        m_disconnected = ConnectionCallback();
        disconnected();
    }
}

void
QueuePair::SetThread(Ptr<HostThread> thread)
{
    m_thread = thread ? thread : Create<HostThread>();
}

void
QueuePair::SetState(QueuePairState state)
{
    if (state != m_state)
    {
        const QueuePairState before = m_state;
        m_state = state;
        m_stateTrace(before, state);
        if (state == QueuePairState::ERROR && m_capabilities.sharedReceiveQueue &&
            m_device->GetSettings().lastWqeReached)
        {
            m_asyncEvents.Raise(AsyncEventType::QP_LAST_WQE_REACHED, m_number);
        }
    }
}

Time
QueuePair::GetLastCompletion() const
{
    return std::max(m_sendQueue.GetLastCompletion(), m_receiveQueue.GetLastCompletion());
}

} // namespace ns3::nfsrdma
