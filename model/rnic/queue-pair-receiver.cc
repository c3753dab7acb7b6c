/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue-pair-receiver.h"

#include "rnic/queue-pair.h"
#include "rnic/rnic-device.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

QueuePairReceiver::QueuePairReceiver(QueuePair& pair)
    : m_pair(pair)
{
}

tl::expected<void, DdpError>
QueuePairReceiver::PlaceTagged(Stag stag, uint64_t offset, ByteSpan payload)
{
    RnicDevice& device = m_pair.GetDevice();
    const auto region = device.GetStagTable().Check(stag,
                                                    m_pair.GetDomain(),
                                                    ACCESS_REMOTE_WRITE,
                                                    offset,
                                                    payload.size());
    if (!region)
    {
        device.Counters().placementFaults++;
        return tl::make_unexpected(ToDdpError(region.error()));
    }
    if (!device.GetHostMemory()->TryWrite((*region)->ToHostAddress(offset), payload))
    {
        device.Counters().placementFaults++;
        return tl::make_unexpected(DdpError::LOCAL_CATASTROPHIC);
    }
    device.PlacePayload(payload.size());
    return {};
}

tl::expected<void, DdpError>
QueuePairReceiver::PlaceWrite(Stag stag, uint64_t offset, ByteSpan payload)
{
    return PlaceTagged(stag, offset, payload);
}

tl::expected<void, DdpError>
QueuePairReceiver::PlaceReadResponse(Stag stag, uint64_t offset, ByteSpan payload)
{
    return PlaceTagged(stag, offset, payload);
}

void
QueuePairReceiver::DeliverReadResponse()
{
    const RnicDevice& device = m_pair.GetDevice();
    m_pair.GetSendQueue().FinishOldestRead(device.GetReceiveDone() + device.GetCqeWrite());
    m_pair.GetTransmitter().ReadFinished();
}

tl::expected<void, DdpError>
QueuePairReceiver::PlaceSend(uint32_t msn, uint32_t messageOffset, ByteSpan payload)
{
    RnicDevice& device = m_pair.GetDevice();
    const ReceiveQueueEntry* entry = m_pair.GetReceiveQueue().Find(msn);
    if (entry == nullptr)
    {
        device.Counters().receiveFaults++;
        return tl::make_unexpected(DdpError::UNTAGGED_NO_BUFFER);
    }
    if (uint64_t{messageOffset} + payload.size() > entry->length)
    {
        device.Counters().receiveFaults++;
        m_receiveStatus = WorkCompletionStatus::LOC_LEN_ERR;
        return tl::make_unexpected(DdpError::UNTAGGED_TOO_LONG);
    }
    if (!m_pair.GetMemory().Scatter(entry->request.elements, messageOffset, payload))
    {
        device.Counters().localFaults++;
        m_receiveStatus = WorkCompletionStatus::LOC_PROT_ERR;
        return tl::make_unexpected(DdpError::LOCAL_CATASTROPHIC);
    }
    device.PlacePayload(payload.size());
    return {};
}

tl::expected<void, RdmapError>
QueuePairReceiver::DeliverSend(const SendDelivery& send)
{
    WorkCompletion completion;
    completion.length = send.length;
    completion.withInvalidate = send.opcode == RdmapOpcode::SEND_INVALIDATE ||
                                send.opcode == RdmapOpcode::SEND_SE_INVALIDATE;
    if (completion.withInvalidate)
    {
        const auto invalidated = Invalidate(send.invalidateStag);
        if (!invalidated)
        {
            return invalidated;
        }
        completion.invalidatedStag = send.invalidateStag;
    }
    const RnicDevice& device = m_pair.GetDevice();
    m_pair.GetReceiveQueue().Complete(completion, device.GetReceiveDone() + device.GetCqeWrite());
    return {};
}

tl::expected<void, RdmapError>
QueuePairReceiver::Invalidate(Stag stag)
{
    RnicDevice& device = m_pair.GetDevice();
    const auto region = device.GetStagTable().CheckInvalidation(stag, m_pair.GetDomain());
    if (!region)
    {
        device.Counters().invalidationFaults++;
        m_receiveStatus = WorkCompletionStatus::REM_INV_REQ_ERR;
        return tl::make_unexpected(region.error() == StagFault::NOT_ASSOCIATED
                                       ? RdmapError::PROTECTION_CANNOT_INVALIDATE
                                       : RdmapError::PROTECTION_INVALID_STAG);
    }
    if ((*region)->IsValid())
    {
        (*region)->Invalidate();
        device.Counters().remoteInvalidations++;
    }
    return {};
}

tl::expected<PayloadSource, RdmapError>
QueuePairReceiver::OpenReadSource(Stag stag, uint64_t offset, uint32_t length)
{
    RnicDevice& device = m_pair.GetDevice();
    const auto checked =
        device.GetStagTable().Check(stag, m_pair.GetDomain(), ACCESS_REMOTE_READ, offset, length);
    if (!checked)
    {
        device.Counters().readSourceFaults++;
        return tl::make_unexpected(ToRdmapError(checked.error()));
    }
    m_openedLength = length;
    const Ptr<MemoryRegion> region(*checked);
    const uint64_t generation = region->GetGeneration();
    const uint64_t address = region->ToHostAddress(offset);
    return [this, region, generation, address](uint32_t messageOffset, MutableByteSpan out) {
        if (region->GetGeneration() != generation ||
            !m_pair.GetDevice().GetHostMemory()->TryRead(address + messageOffset, out))
        {
            std::fill_n(out.data(), out.size(), uint8_t{0});
            m_pair.GetTransmitter().SourceFault();
        }
    };
}

void
QueuePairReceiver::SegmentReceived(RdmapOpcode opcode, uint32_t /* ulpduLength */)
{
    m_pair.GetDevice().Counters().segmentsReceived[static_cast<std::size_t>(opcode)]++;
    if (opcode == RdmapOpcode::READ_REQUEST)
    {
        m_pair.GetTransmitter().ResponseRequested(std::exchange(m_openedLength, 0));
    }
}

void
QueuePairReceiver::EmissionReady()
{
    m_pair.GetTransmitter().Pump();
}

void
QueuePairReceiver::StreamFailed(const TerminateMessage& message)
{
    m_pair.FailStream(message, m_receiveStatus);
}

void
QueuePairReceiver::TerminateReceived(const TerminateMessage& message)
{
    m_pair.TerminateReceived(message);
}

} // namespace ns3::nfsrdma
