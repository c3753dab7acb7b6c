/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/qp-receiver.h"

#include "mpa/fpdu.h"
#include "rnic/hardware/device.h"
#include "rnic/queue/qp.h"
#include "wire/simulation-clock.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
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
    const auto target = device.GetStagTable().Check(stag,
                                                    m_pair.GetStagUser(),
                                                    ACCESS_REMOTE_WRITE,
                                                    offset,
                                                    payload.size());
    if (!target)
    {
        return tl::make_unexpected(ToDdpError(target.error()));
    }
    if (!LocateIn(*target->region, target->offset, payload.size()))
    {
        return tl::make_unexpected(DdpError::LOCAL_CATASTROPHIC);
    }
    FpduHandled();
    device.GetClocks().UseStag(m_progress, stag, offset, payload.size());
    PlacePayload(payload);
    target->buffer->NoteWrite(m_progress.done);
    PlacementWatch& watch = device.GetPlacementWatch();
    if (!watch.IsEmpty())
    {
        for (const MemoryPiece& piece : m_pieces)
        {
            watch.Placed(piece.address, piece.length, m_progress.done);
        }
    }
    return {};
}

bool
QueuePairReceiver::LocateIn(const MemoryRegion& region, uint64_t offset, uint64_t length)
{
    const HostMemory& memory = *m_pair.GetDevice().GetHostMemory();
    m_pieces.clear();
    if (length == 0)
    {
        return true;
    }
    return region.ForEachPiece(offset, length, [&](uint64_t address, uint64_t octets) {
        m_pieces.push_back({address, octets});
        return memory.Contains(address, octets);
    });
}

bool
QueuePairReceiver::PlaceAhead(RdmapStream& stream, ByteSpan ulpdu)
{
    m_aheadLength = ulpdu.size();
    const bool placed = stream.PlaceUlpdu(ulpdu);
    m_aheadLength = 0;
    return placed;
}

void
QueuePairReceiver::FpduHandled()
{
    if (m_aheadLength != 0)
    {
        Receive(m_aheadLength);
    }
}

void
QueuePairReceiver::Receive(std::size_t ulpduLength)
{
    const bool crc = m_pair.GetConnection().GetAgreement().crc;
    m_pair.GetDevice().Counters().fpduOctetsReceived += Fpdu::WireSize(ulpduLength);
    m_pair.GetDevice().GetClocks().ReceiveFpdu(m_progress,
                                               m_pair.GetNumber(),
                                               crc ? Fpdu::WireSize(ulpduLength) : 0);
}

void
QueuePairReceiver::PlacePayload(ByteSpan payload)
{
    RnicDevice& device = m_pair.GetDevice();
    device.GetClocks().PlacePayload(m_progress, payload.size(), m_pieces);
    for (const MemoryPiece& piece : m_pieces)
    {
        device.GetHostMemory()->Post(m_progress.done,
                                     piece.address,
                                     payload.first(piece.length),
                                     m_pair.GetNumber());
        payload = payload.subspan(piece.length);
    }
}

void
QueuePairReceiver::SegmentRefused(RdmapOpcode opcode, DdpError error)
{
    RnicCounters& counters = m_pair.GetDevice().Counters();
    if (opcode == RdmapOpcode::WRITE || opcode == RdmapOpcode::READ_RESPONSE)
    {
        counters.placementFaults++;
    }
    else if (error == DdpError::LOCAL_CATASTROPHIC)
    {
        counters.localFaults++;
        m_receiveStatus = m_pair.GetDevice().GetFaultStatus().OfReceive(m_elementFault);
    }
    else
    {
        counters.receiveFaults++;
        if (error == DdpError::UNTAGGED_TOO_LONG)
        {
            m_receiveStatus = WorkCompletionStatus::LOC_LEN_ERR;
        }
    }
}

void
QueuePairReceiver::DeliverReadResponse()
{
    SendQueueEntry* const read = m_pair.GetSendQueue().GetOldestRead();
    if (read != nullptr && read->request.invalidatesSink && !InvalidateSink(*read))
    {
        return;
    }
    m_pair.GetSendQueue().FinishOldestRead(m_progress);
    m_pair.GetTransmitter().ReadFinished();
}

bool
QueuePairReceiver::InvalidateSink(SendQueueEntry& read)
{
    RnicDevice& device = m_pair.GetDevice();
    const auto buffer = device.GetStagTable().CheckInvalidation(read.request.elements[0].lkey,
                                                                m_pair.GetStagUser());
    if (!buffer)
    {
        m_pair.FailLocally(&read,
                           device.GetFaultStatus().OfMemoryWork(WorkRequestOpcode::LOCAL_INVALIDATE,
                                                                buffer.error()));
        return false;
    }
    m_progress.done = std::max(m_progress.done, (*buffer)->GetWritten());
    if ((*buffer)->IsValid())
    {
        (*buffer)->Invalidate();
        device.Counters().localInvalidations++;
    }
    return true;
}

tl::expected<void, DdpError>
QueuePairReceiver::PlaceSend(uint32_t msn, uint32_t messageOffset, ByteSpan payload)
{
    ReceiveQueueEntry* const entry = m_pair.GetReceiveQueue().Find(msn);
    if (entry == nullptr)
    {
        return tl::make_unexpected(DdpError::UNTAGGED_NO_BUFFER);
    }
    if (entry->arrivedAt.IsZero())
    {
        entry->arrivedAt = SimulationClock::Now();
    }
    if (uint64_t{messageOffset} + payload.size() >
        ElementMemory::GetLength(entry->request.elements))
    {
        return tl::make_unexpected(DdpError::UNTAGGED_TOO_LONG);
    }
    const auto located = m_pair.GetReceiveMemory().Locate(entry->request.elements,
                                                          messageOffset,
                                                          payload.size(),
                                                          m_pieces);
    if (!located)
    {
        m_elementFault = located.error();
        return tl::make_unexpected(DdpError::LOCAL_CATASTROPHIC);
    }
    FpduHandled();
    if (messageOffset == 0)
    {
        UseReceiveQueue();
    }
    PlacePayload(payload);
    return {};
}

void
QueuePairReceiver::UseReceiveQueue()
{
    const Ptr<SharedReceiveQueue>& shared = m_pair.GetCapabilities().sharedReceiveQueue;
    m_pair.GetDevice().GetClocks().UseReceiveQueue(m_progress,
                                                   shared ? shared->GetNumber()
                                                          : m_pair.GetNumber(),
                                                   shared != nullptr);
}

tl::expected<void, RdmapError>
QueuePairReceiver::DeliverSend(const SendDelivery& send)
{
    WorkCompletion completion;
    completion.length = send.length;
    m_pair.GetDevice().Counters().sendsReceived++;
    m_pair.GetDevice().Counters().messageOctetsReceived += send.length;
    completion.solicited =
        send.opcode == RdmapOpcode::SEND_SE || send.opcode == RdmapOpcode::SEND_SE_INVALIDATE;
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
    m_pair.GetReceiveQueue().Complete(completion, m_progress);
    return {};
}

tl::expected<void, RdmapError>
QueuePairReceiver::Invalidate(Stag stag)
{
    RnicDevice& device = m_pair.GetDevice();
    const auto buffer = device.GetStagTable().CheckInvalidation(stag, m_pair.GetStagUser());
    if (!buffer)
    {
        device.Counters().invalidationFaults++;
        m_receiveStatus = device.GetFaultStatus().OfInvalidation(buffer.error());
        return tl::make_unexpected(buffer.error() == StagFault::NOT_ASSOCIATED
                                       ? RdmapError::PROTECTION_CANNOT_INVALIDATE
                                       : ToRdmapError(buffer.error()));
    }
    m_progress.done = std::max(m_progress.done, (*buffer)->GetWritten());
    if ((*buffer)->IsValid())
    {
        (*buffer)->Invalidate();
        device.Counters().remoteInvalidations++;
    }
    return {};
}

tl::expected<PayloadSource, RdmapError>
QueuePairReceiver::OpenReadSource(Stag stag, uint64_t offset, uint32_t length)
{
    RnicDevice& device = m_pair.GetDevice();
    const auto checked =
        device.GetStagTable().Check(stag, m_pair.GetStagUser(), ACCESS_REMOTE_READ, offset, length);
    if (!checked)
    {
        device.Counters().readSourceFaults++;
        return tl::make_unexpected(ToRdmapError(checked.error()));
    }
    m_openedLength = length;
    device.GetClocks().UseStag(m_progress, stag, offset, std::min<uint32_t>(length, 1));
    const Ptr<const TaggedBuffer> buffer(checked->buffer);
    const Ptr<const MemoryRegion> region(checked->region);
    const uint64_t generation = buffer->GetGeneration();
    const uint64_t first = checked->offset;
    if (device.GetClocks().NeedsPieces())
    {
        (void)LocateIn(*region, first, std::min(length, m_pair.GetConnection().GetMulpdu()));
    }
    return [this, buffer, region, generation, first](uint32_t messageOffset, MutableByteSpan out) {
        const HostMemory& memory = *m_pair.GetDevice().GetHostMemory();
        if (buffer->GetGeneration() != generation ||
            !region->Read(memory, first + messageOffset, out))
        {
            m_pair.GetTransmitter().SourceFault();
            return false;
        }
        m_pair.GetTransmitter().NoteGathered(*region, first + messageOffset, out.size());
        return true;
    };
}

tl::expected<void, DdpError>
QueuePairReceiver::DeliverImmediate(RdmapOpcode opcode, const ImmediateData& data)
{
    if (m_pair.GetReceiveQueue().FindNext() == nullptr)
    {
        return tl::make_unexpected(DdpError::UNTAGGED_NO_BUFFER);
    }
    UseReceiveQueue();
    WorkCompletion completion;
    completion.solicited = opcode == RdmapOpcode::IMMEDIATE_SE;
    completion.withImmediate = true;
    completion.immediate = data.value;
    m_pair.GetReceiveQueue().Complete(completion, m_progress);
    return {};
}

tl::expected<uint64_t, RdmapError>
QueuePairReceiver::ExecuteAtomic(const AtomicRequest& request)
{
    RnicDevice& device = m_pair.GetDevice();
    const auto target = device.GetStagTable().Check(request.remoteStag,
                                                    m_pair.GetStagUser(),
                                                    ACCESS_REMOTE_ATOMIC,
                                                    request.remoteOffset,
                                                    AtomicRequest::OPERAND_SIZE);
    if (!target)
    {
        device.Counters().readSourceFaults++;
        return tl::make_unexpected(ToRdmapError(target.error()));
    }
    std::array<uint8_t, AtomicRequest::OPERAND_SIZE> octets{};
    if (!LocateIn(*target->region, target->offset, octets.size()))
    {
        return tl::make_unexpected(RdmapError::LOCAL_CATASTROPHIC);
    }
    MutableByteSpan operand(octets);
    for (const MemoryPiece& piece : m_pieces)
    {
        (void)device.GetHostMemory()->TryReadBehindPosts(piece.address,
                                                         operand.first(piece.length));
        operand = operand.subspan(piece.length);
    }
    const uint64_t value = boost::endian::load_little_u64(octets.data());
    boost::endian::store_little_u64(octets.data(), request.Apply(value));
    FpduHandled();
    PlacePayload(octets);
    target->buffer->NoteWrite(m_progress.done);
    return value;
}

tl::expected<void, RdmapError>
QueuePairReceiver::DeliverAtomicResponse(uint64_t value)
{
    std::array<uint8_t, AtomicRequest::OPERAND_SIZE> octets{};
    boost::endian::store_little_u64(octets.data(), value);
    const SendQueueEntry& entry = *m_pair.GetSendQueue().GetOldestRead();
    const auto located =
        m_pair.GetMemory().Locate(entry.request.elements, 0, octets.size(), m_pieces);
    if (!located)
    {
        RnicDevice& device = m_pair.GetDevice();
        device.Counters().localFaults++;
        m_pair.GetTermination().Blame(entry, device.GetFaultStatus().OfSend(located.error()));
        return tl::make_unexpected(RdmapError::LOCAL_CATASTROPHIC);
    }
    FpduHandled();
    PlacePayload(octets);
    DeliverReadResponse();
    return {};
}

void
QueuePairReceiver::SegmentReceived(RdmapOpcode opcode, bool isLast)
{
    RnicCounters& counters = m_pair.GetDevice().Counters();
    counters.segmentsReceived[static_cast<std::size_t>(opcode)]++;
    counters.messagesReceived[static_cast<std::size_t>(opcode)] += isLast ? 1 : 0;
    if (opcode == RdmapOpcode::READ_REQUEST || opcode == RdmapOpcode::ATOMIC_REQUEST)
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
    m_pair.GetTermination().StreamFailed(message, m_receiveStatus);
}

void
QueuePairReceiver::TerminateReceived(const TerminateMessage& message)
{
    m_pair.GetTermination().TerminateReceived(message);
}

} // namespace ns3::nfsrdma
