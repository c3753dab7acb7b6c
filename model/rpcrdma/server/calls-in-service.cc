/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/calls-in-service.h"

#include <optional>
#include <utility>
#include <variant>

namespace ns3::nfsrdma
{

SvcRdmaCallsInService::SvcRdmaCallsInService(std::shared_ptr<SvcRdmaFailedCalls> failed,
                                             bool discardsDuplicates)
    : m_failed(std::move(failed)),
      m_discardsDuplicates(discardsDuplicates)
{
}

CallFault
SvcRdmaCallsInService::Check(const IpAddress& client, uint32_t xid) const
{
    if (m_xids.count(xid) != 0)
    {
        return CallFault::DUPLICATE_XID;
    }
    return m_failed->Take(client, xid) ? CallFault::FAILED_BEFORE : CallFault::NONE;
}

void
SvcRdmaCallsInService::Add(const std::shared_ptr<const SvcRdmaCall>& call)
{
    ++m_count;
    if (m_discardsDuplicates)
    {
        m_xids.insert(call->xid);
    }
    const uint32_t capacity = m_failed->GetCapacity();
    if (capacity == 0 || call->chunks.IsEmpty())
    {
        return;
    }
    if (m_recent.size() == capacity)
    {
        m_recent.pop_front();
    }
    m_recent.push_back(call);
}

void
SvcRdmaCallsInService::End(const SvcRdmaCall& call)
{
    --m_count;
    m_xids.erase(call.xid);
}

void
SvcRdmaCallsInService::HandleTerminate(const TerminateMessage& message)
{
    std::optional<Stag> named;
    if (message.readRequest)
    {
        named = message.readRequest->sourceStag;
    }
    else if (message.ddpHeader && std::holds_alternative<DdpTaggedHeader>(*message.ddpHeader))
    {
        named = std::get<DdpTaggedHeader>(*message.ddpHeader).stag;
    }
    for (const auto& call : m_recent)
    {
        if (!named || call->chunks.Names(*named))
        {
            m_failed->Add(call->client, call->xid);
        }
    }
    m_recent.clear();
}

} // namespace ns3::nfsrdma
