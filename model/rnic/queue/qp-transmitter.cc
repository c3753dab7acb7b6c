/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/qp-transmitter.h"

#include "host/transfer-time.h"
#include "mpa/fpdu.h"
#include "rnic/hardware/device.h"
#include "rnic/queue/qp.h"
#include "wire/simulation-clock.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

bool
IsOwnMessage(RdmapOpcode opcode)
{
    return opcode != RdmapOpcode::READ_RESPONSE && opcode != RdmapOpcode::ATOMIC_RESPONSE &&
           opcode != RdmapOpcode::TERMINATE;
}

} // namespace

QueuePairTransmitter::QueuePairTransmitter(QueuePair& pair)
    : m_pair(pair),
      m_memoryWork(pair, *this)
{
}

QueuePairTransmitter::~QueuePairTransmitter()
{
    m_wake.Cancel();
}

void
QueuePairTransmitter::Stop()
{
    m_wake.Cancel();
    m_memoryWork.Stop();
    if (m_waiting)
    {
        m_pair.GetDevice().GetTransmitEngine().Remove(*this);
        m_waiting = false;
    }
    m_responseDue.clear();
}

void
QueuePairTransmitter::Pump()
{
    m_memoryWork.Run();
    if (m_waiting)
    {
        return;
    }
    const std::optional<Time> start = GetNextTransmission();
    if (!start)
    {
        return;
    }
    TransmitEngine& engine = m_pair.GetDevice().GetTransmitEngine();
    if (*start <= engine.GetFree())
    {
        m_waiting = true;
        engine.Request(*this);
    }
    else if (!m_wake.IsRunning() || m_wake.GetDue() > *start)
    {
        m_wake.Plan(SimulationClock::Now(), *start, &QueuePairTransmitter::Wake, this);
    }
}

void
QueuePairTransmitter::Wake()
{
    const std::optional<Time> start = GetNextTransmission();
    if (!m_waiting && start && *start <= SimulationClock::Now())
    {
        m_waiting = true;
        m_pair.GetDevice().GetTransmitEngine().Serve(*this);
        return;
    }
    Pump();
}

void
QueuePairTransmitter::Served()
{
    m_waiting = false;
    Pump();
}

uint32_t
QueuePairTransmitter::GetWeight() const
{
    return m_pair.GetTransmitShare().weight;
}

void
QueuePairTransmitter::MemoryWorkDone()
{
    m_headStalled = false;
    m_headSince = SimulationClock::Now();
}

bool
QueuePairTransmitter::IsStalled(const SendQueueEntry& entry)
{
    const uint32_t requests = m_pair.GetStream()->GetOutstandingReads();
    if (requests == 0)
    {
        return false;
    }
    RnicCounters& counters = m_pair.GetDevice().Counters();
    const bool fenced =
        (entry.request.fence || entry.request.opcode == WorkRequestOpcode::LOCAL_INVALIDATE) &&
        m_pair.GetSendQueue().GetOutstandingReads() != 0;
    const bool full = entry.AwaitsResponse() && m_pair.GetOrd() != 0 && requests >= m_pair.GetOrd();
    if (!m_headStalled && (fenced || full))
    {
        m_headStalled = true;
        (full ? counters.ordStalls : counters.fenceStalls)++;
    }
    return fenced || full;
}

Time
QueuePairTransmitter::GetReleased(const SendQueueEntry& entry) const
{
    return m_headStalled ? std::max(entry.readyAt, m_released) : entry.readyAt;
}

FpduSize
QueuePairTransmitter::MakeSize(uint32_t payload, uint32_t ulpduLength) const
{
    const bool crc = m_pair.GetConnection().GetAgreement().crc;
    return {payload, crc ? Fpdu::WireSize(ulpduLength) : 0};
}

FpduSize
QueuePairTransmitter::GetFirstFpdu(const SendQueueEntry& entry) const
{
    if (entry.AwaitsResponse())
    {
        const uint32_t request = entry.request.opcode == WorkRequestOpcode::RDMA_READ
                                     ? RdmaReadRequest::SIZE
                                     : AtomicRequest::SIZE;
        return MakeSize(0, DdpUntaggedHeader::SIZE + request);
    }
    const bool tagged = entry.request.opcode == WorkRequestOpcode::RDMA_WRITE ||
                        entry.request.opcode == WorkRequestOpcode::RDMA_WRITE_WITH_IMM;
    const uint32_t header = tagged ? DdpTaggedHeader::SIZE : DdpUntaggedHeader::SIZE;
    const uint32_t payload = std::min(entry.length, m_pair.GetConnection().GetMulpdu() - header);
    return MakeSize(payload, header + payload);
}

Time
QueuePairTransmitter::GetDecided() const
{
    return std::max(m_begins, SimulationClock::Now());
}

Time
QueuePairTransmitter::GetStart(SendQueueEntry& entry)
{
    if (!entry.start)
    {
        const FpduSize first = GetFirstFpdu(entry);
        LocateGathered(entry, 0, entry.request.inlineData ? 0 : first.payload);
        entry.start =
            m_pair.GetDevice().GetClocks().UseEngine(m_pair.GetNumber(),
                                                     std::max(GetReleased(entry), GetDecided()),
                                                     first,
                                                     entry.request.inlineData,
                                                     m_gathered);
    }
    return GetReleased(entry) + entry.start->GetSum();
}

void
QueuePairTransmitter::MarkStart(SendQueueEntry& entry)
{
    if (!entry.timeline)
    {
        return;
    }
    WorkTimeline& timeline = *entry.timeline;
    const Time now = GetDecided();
    const Time begin = now - entry.start->GetSum();
    timeline.Mark(WorkStage::QUEUE, std::max(GetReleased(entry), std::min(m_headSince, begin)));
    timeline.Mark(WorkStage::CONTEXT, timeline.GetLatest() + entry.start->context);
    timeline.Mark(WorkStage::ENGINE, now - entry.start->gather);
    timeline.Mark(WorkStage::GATHER, now);
}

std::optional<Time>
QueuePairTransmitter::GetNextTransmission()
{
    const RdmapStream* stream = m_pair.GetStream();
    if (stream == nullptr)
    {
        return std::nullopt;
    }
    std::optional<Time> start;
    if (stream->IsFailed() || !stream->IsIdle())
    {
        if (stream->HasSegment())
        {
            start = GetNextSegment();
        }
    }
    else if (m_pair.GetState() == QueuePairState::RTS)
    {
        if (stream->HasSegment())
        {
            start = m_responseDue.front();
        }
        SendQueueEntry* head = m_pair.GetSendQueue().GetNext();
        if (head != nullptr && !head->IsMemoryWork() && !IsStalled(*head))
        {
            const Time headStart = GetStart(*head);
            start = start ? std::min(*start, headStart) : headStart;
        }
    }
    return start && m_pair.GetConnection().CanSend() ? std::optional(std::max(*start, m_paced))
                                                     : std::nullopt;
}

Time
QueuePairTransmitter::GetNextSegment()
{
    if (!m_midMessage)
    {
        return SimulationClock::Now();
    }
    if (!m_contextReady)
    {
        m_contextReady =
            m_pair.GetDevice().GetClocks().UseContext(m_pair.GetNumber(), GetDecided());
    }
    return std::max(*m_contextReady, SimulationClock::Now());
}

std::optional<TransmitClient::Service>
QueuePairTransmitter::AwaitEngine()
{
    if (m_prepaid.IsZero())
    {
        const RnicDevice& device = m_pair.GetDevice();
        const Time now = SimulationClock::Now();
        const Time work = device.GetSettings().txPerFpdu +
                          (m_midMessage ? Time(0) : device.GetSettings().txPerWqe);
        const Time done = m_pair.GetDevice().GetClocks().AwaitEngine(work);
        if (done > now)
        {
            m_prepaid = work;
            return Service{done - now, true};
        }
    }
    return std::nullopt;
}

std::optional<TransmitClient::Service>
QueuePairTransmitter::Transmit(Time begins)
{
    m_waiting = false;
    const std::optional<Time> start = GetNextTransmission();
    if (!start || *start > begins)
    {
        return std::nullopt;
    }
    if (auto wait = AwaitEngine())
    {
        m_waiting = true;
        return wait;
    }
    m_begins = begins;
    m_pair.SetDeparture(begins);
    RdmapStream& stream = *m_pair.GetStream();
    if (stream.IsIdle() && !stream.IsFailed())
    {
        SendQueueEntry* head = m_pair.GetSendQueue().GetNext();
        if (head != nullptr && !head->IsMemoryWork() && !IsStalled(*head) &&
            GetStart(*head) <= begins)
        {
            StartHead(*head);
        }
    }
    if (!stream.HasSegment())
    {
        return std::nullopt;
    }
    RnicDevice& device = m_pair.GetDevice();
    SendQueueEntry* head = m_pair.GetSendQueue().GetNext();
    const bool first = !m_midMessage;
    m_gathered.clear();
    const EmittedSegment emitted = stream.EmitSegment();
    if (emitted.faulty)
    {
        SourceFailed(emitted.opcode);
        return std::nullopt;
    }
    m_midMessage = !emitted.messageComplete;
    const bool own = IsOwnMessage(emitted.opcode) && head != nullptr;
    m_contextReady.reset();
    const Time extra =
        (first ? device.GetSettings().txPerWqe : Time(0)) - std::exchange(m_prepaid, Time(0));
    const Time interval =
        std::max(GetTransferTime(emitted.payloadLength, device.GetSettings().qpRate),
                 GetTransferTime(emitted.payloadLength, m_pair.GetTransmitShare().rate));
    m_paced = std::max(m_paced + interval, begins);
    RnicCounters& counters = device.Counters();
    counters.segmentsSent[static_cast<std::size_t>(emitted.opcode)]++;
    counters.payloadSent += emitted.payloadLength;
    const Time occupancy =
        device.GetClocks().SendFpdu(begins,
                                    MakeSize(emitted.payloadLength, emitted.ulpduLength),
                                    own && head->request.inlineData,
                                    extra,
                                    m_gathered);
    FinishSegment(emitted);
    return Service{occupancy, false};
}

bool
QueuePairTransmitter::CanGoAhead() const
{
    const RdmapStream* stream = m_pair.GetStream();
    return stream != nullptr && !stream->IsFailed() &&
           !m_pair.GetDevice().GetSettings().engineOnHost && m_pair.GetConnection().TakesAhead();
}

void
QueuePairTransmitter::SourceFailed(RdmapOpcode opcode)
{
    const SendQueueEntry* entry = IsOwnMessage(opcode) ? m_pair.GetSendQueue().GetNext() : nullptr;
    m_midMessage = false;
    m_pair.FailLocally(entry, m_sourceFault);
}

void
QueuePairTransmitter::FinishSegment(const EmittedSegment& emitted)
{
    if (!emitted.messageComplete)
    {
        return;
    }
    m_pair.GetDevice().Counters().messagesSent[static_cast<std::size_t>(emitted.opcode)]++;
    SendQueueEntry* head = m_pair.GetSendQueue().GetNext();
    if (emitted.opcode == RdmapOpcode::WRITE &&
        head->request.opcode == WorkRequestOpcode::RDMA_WRITE_WITH_IMM)
    {
        m_pair.GetStream()->StartImmediate(head->request.solicited ? RdmapOpcode::IMMEDIATE_SE
                                                                   : RdmapOpcode::IMMEDIATE,
                                           {head->request.immediate});
        return;
    }
    const Time now = GetDecided();
    switch (emitted.opcode)
    {
    case RdmapOpcode::TERMINATE:
        m_pair.GetTermination().TerminateSent();
        break;
    case RdmapOpcode::READ_RESPONSE:
    case RdmapOpcode::ATOMIC_RESPONSE:
        m_responseDue.pop_front();
        break;
    case RdmapOpcode::READ_REQUEST:
    case RdmapOpcode::ATOMIC_REQUEST:
        m_headStalled = false;
        m_headSince = now;
        m_pair.GetSendQueue().Advance(SendQueueEntry::State::AWAITING_RESPONSE, now);
        break;
    default:
        m_headStalled = false;
        m_headSince = now;
        head->Mark(WorkStage::TRANSMIT, now);
        m_pair.GetSendQueue().Advance(SendQueueEntry::State::DONE, now);
        break;
    }
}

std::optional<WorkCompletionStatus>
QueuePairTransmitter::FindFault(const SendQueueEntry& entry) const
{
    const SendWorkRequest& request = entry.request;
    const FaultStatus& statuses = m_pair.GetDevice().GetFaultStatus();
    const bool read = request.opcode == WorkRequestOpcode::RDMA_READ;
    if (read && entry.length != 0 && request.elements[0].lkey == 0)
    {
        return statuses.OfSend(StagFault::UNKNOWN);
    }
    uint32_t access = entry.AwaitsResponse() ? uint32_t{ACCESS_LOCAL_WRITE} : 0;
    access |= read ? uint32_t{ACCESS_REMOTE_WRITE} : 0;
    if (!request.inlineData)
    {
        const auto checked = m_pair.GetMemory().Check(request.elements, access);
        if (!checked)
        {
            return statuses.OfSend(checked.error());
        }
    }
    if (entry.AwaitsResponse() && m_pair.GetOrd() == 0)
    {
        return WorkCompletionStatus::LOC_QP_OP_ERR;
    }
    return std::nullopt;
}

void
QueuePairTransmitter::StartHead(SendQueueEntry& entry)
{
    if (const auto fault = FindFault(entry))
    {
        m_pair.FailLocally(&entry, *fault);
        return;
    }
    entry.state = SendQueueEntry::State::ACTIVE;
    MarkStart(entry);
    StartMessage(entry);
}

void
QueuePairTransmitter::StartMessage(const SendQueueEntry& entry)
{
    RdmapStream& stream = *m_pair.GetStream();
    const SendWorkRequest& request = entry.request;
    const auto source = [this](uint32_t offset, MutableByteSpan out) {
        return GatherHead(offset, out);
    };
    switch (request.opcode)
    {
    case WorkRequestOpcode::SEND:
        stream.StartSend(request.solicited ? RdmapOpcode::SEND_SE : RdmapOpcode::SEND,
                         entry.length,
                         0,
                         source);
        break;
    case WorkRequestOpcode::SEND_WITH_INVALIDATE:
        stream.StartSend(request.solicited ? RdmapOpcode::SEND_SE_INVALIDATE
                                           : RdmapOpcode::SEND_INVALIDATE,
                         entry.length,
                         request.invalidateStag,
                         source);
        break;
    case WorkRequestOpcode::RDMA_WRITE:
    case WorkRequestOpcode::RDMA_WRITE_WITH_IMM:
        stream.StartWrite(request.remoteStag, request.remoteOffset, entry.length, source);
        break;
    case WorkRequestOpcode::RDMA_READ: {
        RdmaReadRequest read;
        read.sinkStag = request.elements[0].lkey;
        read.sinkOffset = request.elements[0].address;
        read.length = entry.length;
        read.sourceStag = request.remoteStag;
        read.sourceOffset = request.remoteOffset;
        stream.StartReadRequest(read);
        break;
    }
    case WorkRequestOpcode::ATOMIC_FETCH_AND_ADD:
    case WorkRequestOpcode::ATOMIC_CMP_AND_SWP:
        StartAtomic(request);
        break;
    case WorkRequestOpcode::REGISTER_MR:
    case WorkRequestOpcode::LOCAL_INVALIDATE:
    case WorkRequestOpcode::BIND_WINDOW:
        break;
    }
}

void
QueuePairTransmitter::StartAtomic(const SendWorkRequest& request)
{
    const bool add = request.opcode == WorkRequestOpcode::ATOMIC_FETCH_AND_ADD;
    AtomicRequest atomic;
    atomic.operation = add ? AtomicOpcode::FETCH_ADD : AtomicOpcode::CMP_SWAP;
    atomic.identifier = m_nextAtomic++;
    atomic.remoteStag = request.remoteStag;
    atomic.remoteOffset = request.remoteOffset;
    atomic.data = request.atomic.data;
    atomic.mask = add ? request.atomic.fieldBoundaries : request.atomic.swapMask;
    if (!add)
    {
        atomic.compareData = request.atomic.compare;
        atomic.compareMask = request.atomic.compareMask;
    }
    m_pair.GetStream()->StartAtomic(atomic);
}

void
QueuePairTransmitter::LocateGathered(const SendQueueEntry& entry, uint64_t offset, uint64_t length)
{
    m_gathered.clear();
    if (length != 0 && m_pair.GetDevice().GetClocks().NeedsPieces() &&
        !m_pair.GetMemory().Locate(entry.request.elements, offset, length, m_gathered, 0))
    {
        m_gathered.clear();
    }
}

void
QueuePairTransmitter::NoteGathered(const MemoryRegion& region, uint64_t offset, uint64_t length)
{
    m_gathered.clear();
    if (m_pair.GetDevice().GetClocks().NeedsPieces())
    {
        (void)region.ForEachPiece(offset, length, [this](uint64_t address, uint64_t octets) {
            m_gathered.push_back({address, octets});
            return true;
        });
    }
}

bool
QueuePairTransmitter::GatherHead(uint32_t offset, MutableByteSpan out)
{
    const SendQueueEntry* entry = m_pair.GetSendQueue().GetNext();
    if (entry != nullptr && entry->request.inlineData)
    {
        m_pair.GetSendQueue().ReadInline(offset, out);
        return true;
    }
    const auto gathered = entry == nullptr
                              ? tl::make_unexpected(StagFault::UNKNOWN)
                              : m_pair.GetMemory().Gather(entry->request.elements, offset, out);
    if (!gathered)
    {
        m_sourceFault = m_pair.GetDevice().GetFaultStatus().OfSend(gathered.error());
    }
    else
    {
        LocateGathered(*entry, offset, out.size());
    }
    return gathered.has_value();
}

void
QueuePairTransmitter::ResponseRequested(uint32_t length)
{
    const RnicDevice& device = m_pair.GetDevice();
    const uint32_t payload =
        std::min(length, m_pair.GetConnection().GetMulpdu() - DdpTaggedHeader::SIZE);
    const FpduSize first = MakeSize(payload, DdpTaggedHeader::SIZE + payload);
    const auto sources = device.GetClocks().NeedsPieces() ? m_pair.GetReceiver().GetPieces()
                                                          : std::vector<MemoryPiece>();
    m_responseDue.push_back(m_pair.GetReceiver().GetProgress().done +
                            device.GetSettings().readRequestTurnaround +
                            device.GetClocks().GetResponseCosts(first, sources).GetSum());
}

void
QueuePairTransmitter::ReadFinished()
{
    m_released = m_pair.GetReceiver().GetProgress().done;
    Pump();
}

} // namespace ns3::nfsrdma
