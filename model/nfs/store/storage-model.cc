/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/storage-model.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(StorageModel);

#define SETTINGS_OF StorageSettings
#define SETTINGS_FILE "nfs/store/device.def"
#include "settings/rows.def"

TypeId
StorageModel::GetTypeId()
{
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::StorageModel")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<StorageModel>()
            .AddTraceSource("InService",
                            "Requests that hold a place of the device have changed: before, now.",
                            MakeTraceSourceAccessor(&StorageModel::m_inService),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("Queued",
                            "Requests that wait for a place have changed: before, now.",
                            MakeTraceSourceAccessor(&StorageModel::m_queued),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("DeviceTaken",
                            "A request has got a place of the device: how long it waited.",
                            MakeTraceSourceAccessor(&StorageModel::m_takenTrace),
                            "ns3::nfsrdma::StorageModel::DeviceTakenTracedCallback")
            .AddTraceSource("DeviceServed",
                            "A request has left its place of the device: how long it had it.",
                            MakeTraceSourceAccessor(&StorageModel::m_deviceTrace),
                            "ns3::nfsrdma::StorageModel::DeviceServedTracedCallback")
            .AddTraceSource("Stalled",
                            "The device answers nothing from now on (true), or again.",
                            MakeTraceSourceAccessor(&StorageModel::m_stalledTrace),
                            "ns3::nfsrdma::StorageModel::StalledTracedCallback")
            .AddTraceSource("Served",
                            "A request is done: work, octets, time since it was submitted.",
                            MakeTraceSourceAccessor(&StorageModel::m_servedTrace),
                            "ns3::nfsrdma::StorageModel::ServedTracedCallback"),
        StorageSettings::GetRows(),
        &StorageModel::m_settings);
    return tid;
}

namespace
{

NameTable<StorageKind>&
GetTable()
{
    static NameTable<StorageKind> kinds{{"device", "StorageModel"}};
    return kinds;
}

} // namespace

const NameTable<StorageKind>&
StorageModel::GetKinds()
{
    return GetTable();
}

void
StorageModel::AddKind(StorageKind kind)
{
    const auto type = std::string("ns3::nfsrdma::") + kind.type;
    TypeId tid;
    if (!TypeId::LookupByNameFailSafe(type, &tid) || !tid.IsChildOf(GetTypeId()))
    {
        throw std::invalid_argument("no class of storage: " + type);
    }
    GetTable().Add(std::move(kind));
}

StorageModel::StorageModel()
    : m_latencies(CreateObject<ExponentialRandomVariable>())
{
}

void
StorageModel::DoDispose()
{
    m_devices.clear();
    m_stalled.clear();
    Object::DoDispose();
}

void
StorageModel::Submit(StorageWork work,
                     uint64_t octets,
                     std::function<void()> done,
                     std::optional<uint64_t> position)
{
    auto request = std::make_shared<Request>();
    request->work = work;
    request->octets = octets;
    request->position = position;
    request->submitted = Simulator::Now();
    request->done = std::move(done);
    ++m_pending;
    const bool needsDevice = work != StorageWork::METADATA;
    if (m_settings.metadataCost.IsZero())
    {
        if (needsDevice)
        {
            Begin(request);
        }
        else
        {
            Finish(request);
        }
        return;
    }
    Simulator::Schedule(m_settings.metadataCost,
                        needsDevice ? &StorageModel::Begin : &StorageModel::Finish,
                        Ptr<StorageModel>(this),
                        request);
}

void
StorageModel::MakeDevices()
{
    if (m_devices.empty())
    {
        m_devices.resize(CountDevices());
        if (m_settings.raid != RaidLevel::NONE)
        {
            m_layout.emplace(m_settings.raid, m_settings.raidDevices, m_settings.raidChunk);
        }
    }
}

void
StorageModel::Begin(const RequestPtr& request)
{
    MakeDevices();
    if (m_layout)
    {
        Divide(request);
    }
    else
    {
        Enqueue(request);
    }
}

uint32_t
StorageModel::ChooseMirror()
{
    const auto hasFewer = [](const Device& one, const Device& other) {
        return one.inService + one.queue.size() < other.inService + other.queue.size();
    };
    return static_cast<uint32_t>(std::min_element(m_devices.begin(), m_devices.end(), hasFewer) -
                                 m_devices.begin());
}

void
StorageModel::Divide(const RequestPtr& request)
{
    const uint64_t position = request->position.value_or(0);
    RaidWrite parts;
    switch (request->work)
    {
    case StorageWork::READ:
        parts.reads = m_layout->Read(position, request->octets, ChooseMirror());
        break;
    case StorageWork::WRITE:
    case StorageWork::WRITE_SYNC:
        parts = m_layout->Write(position, request->octets);
        break;
    case StorageWork::METADATA:
    case StorageWork::METADATA_CHANGE:
    case StorageWork::SYNC:
        break;
    }
    if (parts.reads.empty() && parts.writes.empty())
    {
        for (uint32_t device = 0; device < m_settings.raidDevices; ++device)
        {
            parts.writes.push_back({device, position, 0});
        }
    }
    if (parts.reads.empty())
    {
        SubmitParts(request, request->work, parts.writes);
        return;
    }
    request->next = std::move(parts.writes);
    SubmitParts(request, StorageWork::READ, parts.reads);
}

void
StorageModel::SubmitParts(const RequestPtr& whole,
                          StorageWork work,
                          const std::vector<RaidOperation>& operations)
{
    whole->parts = static_cast<uint32_t>(operations.size());
    for (const RaidOperation& operation : operations)
    {
        auto part = std::make_shared<Request>();
        part->work = work;
        part->octets = operation.octets;
        part->position = operation.position;
        part->device = operation.device;
        part->whole = whole;
        Enqueue(part);
    }
}

void
StorageModel::FinishPart(const RequestPtr& whole)
{
    if (--whole->parts != 0)
    {
        return;
    }
    if (whole->next.empty())
    {
        Finish(whole);
        return;
    }
    SubmitParts(whole, whole->work, std::exchange(whole->next, {}));
}

void
StorageModel::Enqueue(const RequestPtr& request)
{
    Device& device = m_devices[request->device];
    request->queued = Simulator::Now();
    if (device.queue.empty() && device.inService < m_settings.queueDepth)
    {
        Start(request);
    }
    else
    {
        device.queue.push_back(request);
        ++m_queued;
    }
}

void
StorageModel::Start(const RequestPtr& request)
{
    ++m_devices[request->device].inService;
    ++m_inService;
    request->started = Simulator::Now();
    m_takenTrace(request->work, request->started - request->queued);
    const Time latency = DrawLatency(request->work, request->octets, request->position);
    if (latency.IsZero())
    {
        Reach(request);
        return;
    }
    Simulator::Schedule(latency, &StorageModel::Reach, Ptr<StorageModel>(this), request);
}

void
StorageModel::Reach(const RequestPtr& request)
{
    if (m_settings.turnTime.IsZero() || !request->position)
    {
        Transfer(request);
        return;
    }
    auto& disk = m_devices[request->device].disk;
    if (!disk)
    {
        const auto track =
            static_cast<uint64_t>(static_cast<double>(m_settings.bandwidth.GetBitRate()) *
                                  m_settings.turnTime.GetSeconds() / 8);
        disk.emplace(DiskMechanics::Parameters{m_settings.capacity,
                                               track,
                                               m_settings.turnTime,
                                               m_settings.singleTrackSeek,
                                               m_settings.averageSeek,
                                               m_settings.fullStrokeSeek});
    }
    const Time reached = disk->Access(Simulator::Now(), *request->position, request->octets);
    Simulator::Schedule(reached, &StorageModel::Transfer, Ptr<StorageModel>(this), request);
}

void
StorageModel::Transfer(const RequestPtr& request)
{
    const Time now = Simulator::Now();
    Time end = now;
    if (request->octets != 0 && m_settings.bandwidth.GetBitRate() != 0)
    {
        Time& free = m_devices[request->device].pipeFree;
        free = std::max(free, now) + m_settings.bandwidth.CalculateBytesTxTime(request->octets);
        end = free;
    }
    if (request->work != StorageWork::READ && request->work != StorageWork::WRITE)
    {
        end += m_settings.syncLatency;
    }
    if (end == now)
    {
        Complete(request);
        return;
    }
    Simulator::Schedule(end - now, &StorageModel::Complete, Ptr<StorageModel>(this), request);
}

void
StorageModel::Stall()
{
    if (m_stalls++ == 0)
    {
        m_stalledTrace(true);
    }
}

void
StorageModel::Resume()
{
    if (m_stalls == 0 || --m_stalls != 0)
    {
        return;
    }
    m_stalledTrace(false);
    while (!m_stalled.empty() && m_stalls == 0)
    {
        const RequestPtr next = m_stalled.front();
        m_stalled.pop_front();
        Complete(next);
    }
}

void
StorageModel::Complete(const RequestPtr& request)
{
    if (m_stalls != 0)
    {
        m_stalled.push_back(request);
        return;
    }
    --m_devices[request->device].inService;
    --m_inService;
    const Time held = Simulator::Now() - request->started;
    m_serviceTime += held;
    m_transferred += request->octets;
    m_deviceTrace(request->work, held);
    if (request->whole)
    {
        FinishPart(request->whole);
    }
    else
    {
        Finish(request);
    }
    if (m_devices.empty())
    {
        return;
    }
    Device& device = m_devices[request->device];
    while (!device.queue.empty() && device.inService < m_settings.queueDepth)
    {
        const RequestPtr next = device.queue.front();
        device.queue.pop_front();
        --m_queued;
        Start(next);
    }
}

void
StorageModel::Finish(const RequestPtr& request)
{
    --m_pending;
    m_servedTrace(request->work, request->octets, Simulator::Now() - request->submitted);
    request->done();
}

int64_t
StorageModel::AssignStreams(int64_t stream)
{
    m_latencies->SetStream(stream);
    return 1;
}

Time
StorageModel::DrawLatency(StorageWork work,
                          uint64_t /* octets */,
                          std::optional<uint64_t> /* position */)
{
    Time mean;
    switch (work)
    {
    case StorageWork::READ:
        mean = m_settings.readLatency;
        break;
    case StorageWork::WRITE:
    case StorageWork::WRITE_SYNC:
        mean = m_settings.writeLatency;
        break;
    case StorageWork::METADATA:
    case StorageWork::METADATA_CHANGE:
    case StorageWork::SYNC:
        break;
    }
    if (mean.IsZero() || m_settings.latencyDistribution == StorageLatency::CONSTANT)
    {
        return mean;
    }
    return NanoSeconds(std::llround(mean.GetDouble() * m_latencies->GetValue(1, 0)));
}

} // namespace ns3::nfsrdma
