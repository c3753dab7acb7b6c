/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/read-response-queue.h"

#include <utility>

namespace ns3::nfsrdma
{

ReadResponseQueue::ReadResponseQueue(uint32_t ird)
    : m_ird(ird)
{
}

bool
ReadResponseQueue::IsEmpty() const
{
    return m_responses.empty();
}

bool
ReadResponseQueue::IsFull() const
{
    return m_responses.size() >= m_ird;
}

uint32_t
ReadResponseQueue::GetCount() const
{
    return static_cast<uint32_t>(m_responses.size());
}

void
ReadResponseQueue::Push(const RdmaReadRequest& request, PayloadSource source)
{
    m_responses.push_back({request, std::move(source), std::nullopt});
}

void
ReadResponseQueue::PushAtomic(const AtomicResponse& response)
{
    m_responses.push_back({{}, nullptr, response});
}

const ReadResponse&
ReadResponseQueue::Front() const
{
    return m_responses.front();
}

void
ReadResponseQueue::Pop()
{
    m_responses.pop_front();
}

void
ReadResponseQueue::Clear()
{
    m_responses.clear();
}

} // namespace ns3::nfsrdma
