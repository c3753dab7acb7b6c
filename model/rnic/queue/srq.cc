/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/srq.h"

#include "rnic/hardware/device.h"
#include "rnic/queue/work-descriptor.h"
#include "rnic/queue/work-request-checker.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(SharedReceiveQueue);

TypeId
SharedReceiveQueue::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::SharedReceiveQueue")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddTraceSource("PostReceive",
                            "A receive work request has been accepted.",
                            MakeTraceSourceAccessor(&SharedReceiveQueue::m_postReceiveTrace),
                            "ns3::nfsrdma::SharedReceiveQueue::PostReceiveTracedCallback")
            .AddTraceSource("AsyncEvent",
                            "SRQ_LIMIT_REACHED, with the queue's number.",
                            MakeTraceSourceAccessor(&SharedReceiveQueue::m_asyncEventTrace),
                            "ns3::nfsrdma::AsyncEventTracedCallback");
    return tid;
}

SharedReceiveQueue::SharedReceiveQueue()
    : m_asyncEvents(m_asyncEventTrace)
{
}

SharedReceiveQueue::~SharedReceiveQueue() = default;

void
SharedReceiveQueue::Bind(RnicDevice& device,
                         Ptr<ProtectionDomain> domain,
                         uint32_t depth,
                         uint32_t maxElements,
                         uint32_t number)
{
    m_device = &device;
    m_domain = domain;
    m_memory.emplace(*device.GetHostMemory(), device.GetStagTable(), *domain);
    m_depth = depth;
    m_maxElements = maxElements;
    m_number = number;
    m_thread = Create<HostThread>();
    m_domain->AddUser();
}

void
SharedReceiveQueue::DoDispose()
{
    m_asyncEvents.Close();
    m_entries.clear();
    m_memory.reset();
    m_domain = nullptr;
    m_device = nullptr;
    Object::DoDispose();
}

tl::expected<void, VerbsError>
SharedReceiveQueue::PostReceive(const ReceiveWorkRequest& request)
{
    if (m_device == nullptr)
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    const auto length = WorkRequestChecker(m_device->GetSettings(), *m_device->GetHostMemory())
                            .Check(request, m_maxElements);
    if (!length)
    {
        return tl::make_unexpected(length.error());
    }
    if (m_entries.size() >= m_depth)
    {
        return tl::make_unexpected(VerbsError::NO_MEMORY);
    }
    m_device->Counters().receivesPosted++;
    const PostTimes times = m_device->GetClocks().Post(*m_thread, DescribePost(request));
    m_entries.push_back({request, Simulator::Now(), times.posted});
    m_postReceiveTrace(request);
    return {};
}

tl::expected<void, VerbsError>
SharedReceiveQueue::Arm(uint32_t limit)
{
    if (m_device == nullptr || limit > m_depth)
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    m_limit = limit;
    CheckLimit();
    return {};
}

std::optional<ReceiveQueueEntry>
SharedReceiveQueue::Take()
{
    if (m_entries.empty())
    {
        return std::nullopt;
    }
    std::optional<ReceiveQueueEntry> entry(std::move(m_entries.front()));
    m_entries.pop_front();
    CheckLimit();
    return entry;
}

void
SharedReceiveQueue::CheckLimit()
{
    if (m_entries.size() < m_limit)
    {
        m_limit = 0;
        m_asyncEvents.Raise(AsyncEventType::SRQ_LIMIT_REACHED, m_number);
    }
}

void
SharedReceiveQueue::SetThread(Ptr<HostThread> thread)
{
    m_thread = thread ? thread : Create<HostThread>();
}

void
SharedReceiveQueue::Shutdown()
{
    m_domain->RemoveUser();
}

} // namespace ns3::nfsrdma
