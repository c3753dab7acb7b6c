/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/given-up-calls.h"

#include "rpcrdma/policy/named-policy.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

/// \return whether the call keeps all memory that its chunks name.
bool
OwnsMemory(const RpcTransportCall& call)
{
    const auto isOwned = [](const auto& item) { return item.owner != nullptr; };
    return std::all_of(call.call.items.begin(), call.call.items.end(), isOwned) &&
           std::all_of(call.reply.items.begin(), call.reply.items.end(), isOwned);
}

} // namespace

RpcRdmaGivenUpCalls::RpcRdmaGivenUpCalls(const std::string& policy)
    : m_policy(CreateNamed<CancelPolicy>(policy, "cancel policy"))
{
}

RpcCancellation
RpcRdmaGivenUpCalls::Choose(const RpcRdmaRequest& request, ChunkRegistrar::Fencing fencing) const
{
    const bool exposed = !request.registrations.empty();
    if ((exposed && fencing == ChunkRegistrar::Fencing::DETACHED) ||
        (m_policy->SetsAside() && OwnsMemory(*request.call)))
    {
        return RpcCancellation::SET_ASIDE;
    }
    return !exposed || fencing == ChunkRegistrar::Fencing::INVALIDATES ? RpcCancellation::FENCING
                                                                       : RpcCancellation::NONE;
}

void
RpcRdmaGivenUpCalls::Add(RpcRdmaRequest& request, RpcCancellation cancellation, bool keepsCredit)
{
    const RpcRecord& record = request.call->record;
    const bool setsAside = cancellation == RpcCancellation::SET_ASIDE;
    request.cancellation = cancellation;
    request.creditKept = setsAside || m_policy->KeepsCredit() || keepsCredit;
    m_givenUp.insert(record.xid);
    if (request.creditKept)
    {
        m_owed[record.xid] = record.sent;
    }
    if (setsAside)
    {
        ++m_setAside;
    }
    else
    {
        m_fencing.push_back(&request);
    }
}

void
RpcRdmaGivenUpCalls::Remove(RpcRdmaRequest& request)
{
    if (request.cancellation == RpcCancellation::SET_ASIDE)
    {
        --m_setAside;
    }
    else
    {
        m_fencing.erase(std::find(m_fencing.begin(), m_fencing.end(), &request));
    }
    request.cancellation = RpcCancellation::NONE;
}

std::optional<Time>
RpcRdmaGivenUpCalls::TakeLate(uint32_t xid)
{
    m_givenUp.erase(xid);
    const auto owed = m_owed.extract(xid);
    return owed ? std::optional<Time>(owed.mapped()) : std::nullopt;
}

Time
RpcRdmaGivenUpCalls::GetOldestOwed() const
{
    Time oldest = Time::Max();
    for (const auto& [xid, sent] : m_owed)
    {
        oldest = std::min(oldest, sent);
    }
    return oldest;
}

void
RpcRdmaGivenUpCalls::Clear()
{
    m_fencing.clear();
    m_owed.clear();
    m_givenUp.clear();
    m_setAside = 0;
}

} // namespace ns3::nfsrdma
