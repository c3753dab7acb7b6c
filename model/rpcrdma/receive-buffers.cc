/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/receive-buffers.h"

#include "wire/spare-octets.h"

#include <utility>

namespace ns3::nfsrdma
{

ReceiveBuffers::ReceiveBuffers(Ptr<HostMemory> memory,
                               Ptr<QueuePair> pair,
                               uint32_t bufferSize,
                               SvcRdmaReceiveBudget* budget,
                               HostMemoryAccount account)
    : m_memory(memory),
      m_pair(pair),
      m_bufferSize(bufferSize),
      m_budget(budget),
      m_purpose(HostMemoryUse::RECEIVES, account)
{
}

ReceiveBuffers::~ReceiveBuffers()
{
    for (uint32_t i = 0; m_budget && i < m_allocated; ++i)
    {
        m_budget->Give(m_bufferSize);
    }
    for (const uint64_t address : m_addresses)
    {
        if (address != 0)
        {
            m_memory->Free(address);
        }
    }
}

bool
ReceiveBuffers::Post(uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (m_posted == m_pair->GetCapabilities().receiveDepth)
        {
            return false;
        }
        if (m_free.empty() && !Allocate())
        {
            return false;
        }
        ReceiveWorkRequest request;
        request.id = m_free.back();
        request.elements.push_back({m_addresses[request.id], m_bufferSize});
        if (!m_pair->PostReceive(request))
        {
            return false;
        }
        m_free.pop_back();
        ++m_posted;
    }
    return true;
}

void
ReceiveBuffers::Reserve(uint32_t count)
{
    while (m_allocated < count && Allocate())
    {
    }
}

void
ReceiveBuffers::Take(const WorkCompletion& completion, ByteVector& message)
{
    if (message.empty())
    {
        message = SpareOctets::Take();
    }
    message.resize(completion.length);
    m_memory->Read(m_addresses[completion.id], message);
    m_free.push_back(completion.id);
    --m_posted;
}

bool
ReceiveBuffers::Allocate()
{
    if (m_budget && !m_budget->Take(m_bufferSize))
    {
        return false;
    }
    if (m_trimmed.empty())
    {
        m_free.push_back(m_addresses.size());
        m_addresses.push_back(m_memory->Allocate(m_bufferSize, m_purpose));
    }
    else
    {
        m_free.push_back(m_trimmed.back());
        m_trimmed.pop_back();
        m_addresses[m_free.back()] = m_memory->Allocate(m_bufferSize, m_purpose);
    }
    ++m_allocated;
    return true;
}

void
ReceiveBuffers::Trim(uint32_t count)
{
    while (m_allocated > count && !m_free.empty())
    {
        m_trimmed.push_back(m_free.back());
        m_memory->Free(std::exchange(m_addresses[m_free.back()], 0));
        m_free.pop_back();
        --m_allocated;
        if (m_budget)
        {
            m_budget->Give(m_bufferSize);
        }
    }
}

} // namespace ns3::nfsrdma
