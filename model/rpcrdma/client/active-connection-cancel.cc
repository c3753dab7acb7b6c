/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/active-connection.h"

#include "ns3/simulator.h"

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

bool
RpcRdmaConnection::Cancel(uint32_t xid)
{
    const auto found = m_requests.find(xid);
    if (found == m_requests.end() || found->second->replied ||
        found->second->cancellation != RpcCancellation::NONE)
    {
        return false;
    }
    RpcRdmaRequest& request = *found->second;
    const bool fences = request.registrations.empty() ||
                        m_registrar->GetFencing() == ChunkRegistrar::Fencing::INVALIDATES;
    const bool setsAside = MaySetAside(request);
    if (!fences && !setsAside)
    {
        return false;
    }
    m_givenUp.insert(xid);
    request.creditKept = setsAside || KeepsCredit();
    if (request.creditKept)
    {
        m_owed[xid] = request.call->record.sent;
    }
    if (setsAside)
    {
        request.cancellation = RpcCancellation::SET_ASIDE;
        ++m_setAside;
        m_owner.HandleCancelled(request);
        return true;
    }
    request.cancellation = RpcCancellation::FENCING;
    m_requests.erase(found);
    m_fencing.push_back(&request);
    if (!request.registrations.empty())
    {
        FenceChunks(request);
    }
    EndCancelled(request);
    return true;
}

bool
RpcRdmaConnection::MaySetAside(const RpcRdmaRequest& request) const
{
    if (!request.registrations.empty() &&
        m_registrar->GetFencing() == ChunkRegistrar::Fencing::DETACHED)
    {
        return true;
    }
    return m_cancelPolicy->SetsAside() && OwnsMemory(*request.call);
}

bool
RpcRdmaConnection::KeepsCredit() const
{
    return m_cancelPolicy->KeepsCredit() || !m_window.HasGrant();
}

void
RpcRdmaConnection::FenceChunks(RpcRdmaRequest& request)
{
    std::vector<SendWorkRequest> chain;
    for (ChunkRegistrar::Registration& registration : request.registrations)
    {
        m_registrar->Fence(registration, chain);
    }
    PostInvalidations(request, std::move(chain));
}

void
RpcRdmaConnection::EndCancelled(RpcRdmaRequest& request)
{
    if (request.invalidationPending || request.hostPending || m_state != State::ESTABLISHED)
    {
        return;
    }
    if (request.cancellation == RpcCancellation::SET_ASIDE)
    {
        if (request.replied)
        {
            --m_setAside;
            m_requests.erase(request.call->record.xid);
            ReleaseRegions(request);
            LeaveIfIdle();
            request.cancellation = RpcCancellation::NONE;
            m_owner.HandleRelease(request);
        }
        return;
    }
    if (request.sendPending && request.sendMapped && m_cancelPolicy->AwaitsSend())
    {
        return;
    }
    m_fencing.erase(std::find(m_fencing.begin(), m_fencing.end(), &request));
    ReleaseRegions(request);
    LeaveIfIdle();
    if (!request.creditKept)
    {
        EndCredit(request.call->record.sent);
    }
    request.cancellation = RpcCancellation::NONE;
    m_owner.HandleCancelled(request);
}

void
RpcRdmaConnection::TakeLateGrant(const RpcRdmaFixedHeader& header)
{
    if (m_cancelPolicy->KeepsCredit() && m_owed.count(header.xid) != 0)
    {
        m_window.OnGrant(header.credit);
        m_owner.HandleGrant(m_window.GetGranted());
    }
}

bool
RpcRdmaConnection::HandleLateReply(uint32_t xid, const WorkCompletion& completion)
{
    m_givenUp.erase(xid);
    const auto owed = m_owed.find(xid);
    if (owed == m_owed.end())
    {
        return false;
    }
    const Time sent = owed->second;
    m_owed.erase(owed);
    EndCredit(sent);
    const auto found = m_requests.find(xid);
    const bool setAside =
        found != m_requests.end() && found->second->cancellation == RpcCancellation::SET_ASIDE;
    if (setAside)
    {
        RpcRdmaRequest& request = *found->second;
        request.replied = true;
        ReleaseInvalidated(request, completion);
        if (!request.registrations.empty())
        {
            RetireChunks(request);
        }
        EndCancelled(request);
    }
    m_owner.HandleRegions();
    return setAside;
}

} // namespace ns3::nfsrdma
