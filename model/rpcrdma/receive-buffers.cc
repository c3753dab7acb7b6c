/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/receive-buffers.h"

namespace ns3::nfsrdma
{

ReceiveBuffers::ReceiveBuffers(Ptr<HostMemory> memory, Ptr<QueuePair> pair, uint32_t bufferSize)
    : m_memory(memory),
      m_pair(pair),
      m_bufferSize(bufferSize)
{
}

bool
ReceiveBuffers::Post(uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (m_free.empty())
        {
            m_free.push_back(m_buffers.size());
            m_buffers.emplace_back(m_memory, m_bufferSize);
        }
        ReceiveWorkRequest request;
        request.id = m_free.back();
        request.elements.push_back({m_buffers[request.id].GetAddress(), m_bufferSize});
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
ReceiveBuffers::Take(const WorkCompletion& completion, ByteVector& message)
{
    message.resize(completion.length);
    m_buffers[completion.id].Read(0, message);
    m_free.push_back(completion.id);
    --m_posted;
}

uint32_t
ReceiveBuffers::GetPosted() const
{
    return m_posted;
}

} // namespace ns3::nfsrdma
