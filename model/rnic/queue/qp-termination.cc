/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/qp-termination.h"

#include "rnic/hardware/device.h"
#include "rnic/queue/qp.h"

#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t LAYER_RDMAP = 0;
constexpr uint8_t LAYER_DDP = 1;
constexpr uint8_t TYPE_LOCAL = 0;
constexpr uint8_t TYPE_REMOTE_PROTECTION = 1;

AsyncEventType
EventFor(const TerminateReason& reason)
{
    if (reason.layer == LAYER_DDP)
    {
        return AsyncEventType::QP_ACCESS_ERR;
    }
    return reason.layer == LAYER_RDMAP && reason.errorType != TYPE_LOCAL
               ? AsyncEventType::QP_REQ_ERR
               : AsyncEventType::QP_FATAL;
}

} // namespace

QueuePairTermination::QueuePairTermination(QueuePair& pair)
    : m_pair(pair)
{
}

void
QueuePairTermination::FailLocally(const SendQueueEntry* entry, WorkCompletionStatus status)
{
    m_pair.GetDevice().Counters().localFaults++;
    if (entry != nullptr)
    {
        Blame(*entry, status);
    }
    Terminate();
}

void
QueuePairTermination::Blame(const SendQueueEntry& entry, WorkCompletionStatus status)
{
    m_blamed = &entry;
    m_status = status;
}

void
QueuePairTermination::Terminate()
{
    TerminateMessage message;
    message.reason = TerminateReason::From(RdmapError::LOCAL_CATASTROPHIC);
    m_pair.GetStream()->Fail(message);
}

void
QueuePairTermination::StreamFailed(const TerminateMessage& message,
                                   WorkCompletionStatus receiveStatus)
{
    if (m_pair.GetState() != QueuePairState::RTS)
    {
        return;
    }
    m_pair.EnterTerminate(EventFor(message.reason),
                          std::exchange(m_blamed, nullptr),
                          m_status,
                          receiveStatus);
    m_pair.GetTerminateSentTrace()(message);
    if (m_pair.GetConnectedStream().IsMute())
    {
        m_pair.GetConnectedStream().ScheduleEnd(QueuePairStream::Ending::CLOSE);
    }
}

void
QueuePairTermination::TerminateSent()
{
    m_pair.GetDevice().Counters().terminatesSent++;
    m_pair.GetConnectedStream().ScheduleEnd(QueuePairStream::Ending::CLOSE);
}

void
QueuePairTermination::TerminateReceived(const TerminateMessage& message)
{
    RnicDevice& device = m_pair.GetDevice();
    device.Counters().terminatesReceived++;
    m_pair.GetTerminateReceivedTrace()(message);
    if (m_pair.GetState() != QueuePairState::RTS)
    {
        return;
    }
    const SendQueueEntry* refused = nullptr;
    if (message.reason.layer == LAYER_RDMAP && message.reason.errorType == TYPE_REMOTE_PROTECTION &&
        message.readRequest)
    {
        refused = m_pair.GetSendQueue().FindRead(message.readRequest->sinkStag,
                                                 message.readRequest->sinkOffset);
    }
    m_pair.EnterTerminate(AsyncEventType::QP_FATAL,
                          refused,
                          device.GetFaultStatus().OfRefusedRead(),
                          WorkCompletionStatus::WR_FLUSH_ERR);
    m_pair.GetConnectedStream().ScheduleEnd(QueuePairStream::Ending::CLOSE);
}

} // namespace ns3::nfsrdma
