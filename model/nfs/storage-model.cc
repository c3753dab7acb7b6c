/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/storage-model.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(StorageModel);

TypeId
StorageModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::StorageModel")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<StorageModel>()
            .AddAttribute(
                "MetadataCost",
                "Time of any procedure on names and attributes in memory. Default: a page "
                "cache hit, 2 to 5 us (estimate).",
                TimeValue(MicroSeconds(3)),
                MakeTimeAccessor(&StorageModel::m_metadataCost),
                MakeTimeChecker(Time(0)))
            .AddAttribute("ReadLatency",
                          "Time from a READ's start on the device to its first octet. Default: "
                          "none, the data are in memory.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&StorageModel::m_readLatency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("WriteLatency",
                          "Time from a WRITE's start on the device to its first octet. Default: "
                          "none, the data go to memory.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&StorageModel::m_writeLatency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("SyncLatency",
                          "Time to make data or metadata stable: COMMIT, WRITE with DATA_SYNC or "
                          "FILE_SYNC, and procedures that change metadata. Default: flush of an "
                          "NVMe device with a protected write cache, 15 to 20 us (estimate).",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&StorageModel::m_syncLatency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Bandwidth",
                          "Rate of the pipe that all transfers share; 0bps: no limit. Default: one "
                          "copy through memory, 8 to 12 GB/s (estimate).",
                          DataRateValue(DataRate("80Gbps")),
                          MakeDataRateAccessor(&StorageModel::m_bandwidth),
                          MakeDataRateChecker())
            .AddAttribute("QueueDepth",
                          "Requests the device serves at once. Default: a queue of an NVMe device "
                          "as Linux uses it (estimate).",
                          UintegerValue(128),
                          MakeUintegerAccessor(&StorageModel::m_queueDepth),
                          MakeUintegerChecker<uint32_t>(1))
            .AddTraceSource("Served",
                            "A request is done: work, octets, time since it was submitted.",
                            MakeTraceSourceAccessor(&StorageModel::m_servedTrace),
                            "ns3::nfsrdma::StorageModel::ServedTracedCallback");
    return tid;
}

StorageModel::StorageModel() = default;
StorageModel::~StorageModel() = default;

void
StorageModel::DoDispose()
{
    m_queue.clear();
    Object::DoDispose();
}

void
StorageModel::Submit(StorageWork work, uint64_t octets, std::function<void()> done)
{
    auto request = std::make_shared<Request>();
    request->work = work;
    request->octets = octets;
    request->submitted = Simulator::Now();
    request->done = std::move(done);
    ++m_pending;
    const bool needsDevice = work != StorageWork::METADATA;
    if (m_metadataCost.IsZero())
    {
        if (needsDevice)
        {
            Enqueue(request);
        }
        else
        {
            Finish(request);
        }
        return;
    }
    Simulator::Schedule(m_metadataCost,
                        needsDevice ? &StorageModel::Enqueue : &StorageModel::Finish,
                        Ptr<StorageModel>(this),
                        request);
}

void
StorageModel::Enqueue(const RequestPtr& request)
{
    if (m_queue.empty() && m_inService < m_queueDepth)
    {
        Start(request);
    }
    else
    {
        m_queue.push_back(request);
    }
}

void
StorageModel::Start(const RequestPtr& request)
{
    ++m_inService;
    request->started = Simulator::Now();
    const Time latency = GetLatency(request->work);
    if (latency.IsZero())
    {
        Transfer(request);
        return;
    }
    Simulator::Schedule(latency, &StorageModel::Transfer, Ptr<StorageModel>(this), request);
}

void
StorageModel::Transfer(const RequestPtr& request)
{
    const Time now = Simulator::Now();
    Time end = now;
    if (request->octets != 0 && m_bandwidth.GetBitRate() != 0)
    {
        m_pipeFree = std::max(m_pipeFree, now) + m_bandwidth.CalculateBytesTxTime(request->octets);
        end = m_pipeFree;
    }
    if (request->work != StorageWork::READ && request->work != StorageWork::WRITE)
    {
        end += m_syncLatency;
    }
    if (end == now)
    {
        Complete(request);
        return;
    }
    Simulator::Schedule(end - now, &StorageModel::Complete, Ptr<StorageModel>(this), request);
}

void
StorageModel::Complete(const RequestPtr& request)
{
    --m_inService;
    m_serviceTime += Simulator::Now() - request->started;
    m_transferred += request->octets;
    Finish(request);
    while (!m_queue.empty() && m_inService < m_queueDepth)
    {
        const RequestPtr next = m_queue.front();
        m_queue.pop_front();
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

Time
StorageModel::GetLatency(StorageWork work) const
{
    switch (work)
    {
    case StorageWork::READ:
        return m_readLatency;
    case StorageWork::WRITE:
    case StorageWork::WRITE_SYNC:
        return m_writeLatency;
    case StorageWork::METADATA:
    case StorageWork::METADATA_CHANGE:
    case StorageWork::SYNC:
        return Time(0);
    }
    return Time(0);
}

uint32_t
StorageModel::GetPending() const
{
    return m_pending;
}

uint32_t
StorageModel::GetInService() const
{
    return m_inService;
}

uint32_t
StorageModel::GetQueued() const
{
    return m_queue.size();
}

Time
StorageModel::GetServiceTime() const
{
    return m_serviceTime;
}

uint64_t
StorageModel::GetTransferred() const
{
    return m_transferred;
}

} // namespace ns3::nfsrdma
