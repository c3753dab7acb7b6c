/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/call-queue.h"

#include "rpcrdma/client/request.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::nfsrdma
{

void
RpcRdmaCallQueue::Add(Call call)
{
    call->order = m_nextOrder++;
    m_calls.push_back(std::move(call));
}

RpcRdmaCallQueue::Call
RpcRdmaCallQueue::TakeFront()
{
    Call call = std::move(m_calls.front());
    m_calls.pop_front();
    m_slotted -= m_slotted > 0 ? 1 : 0;
    return call;
}

RpcRdmaCallQueue::Call
RpcRdmaCallQueue::Take(uint32_t xid)
{
    const auto found = std::find_if(m_calls.begin(), m_calls.end(), [xid](const Call& call) {
        return call->record.xid == xid;
    });
    if (found == m_calls.end())
    {
        return nullptr;
    }
    Call call = std::move(*found);
    m_calls.erase(found);
    RecountSlots();
    return call;
}

std::vector<RpcRdmaCallQueue::Call>
RpcRdmaCallQueue::TakeAll()
{
    std::vector<Call> calls(std::make_move_iterator(m_calls.rbegin()),
                            std::make_move_iterator(m_calls.rend()));
    Clear();
    return calls;
}

std::vector<RpcRdmaCallQueue::Call>
RpcRdmaCallQueue::TakeOver(const RpcTimeout& timeout, Time now, Time& next)
{
    std::vector<Call> over;
    for (Call& call : m_calls)
    {
        const bool major = call->times.major <= now && timeout.Expire(call->times, now);
        if (major && timeout.soft)
        {
            over.insert(over.begin(), std::move(call));
            continue;
        }
        next = std::min(next, timeout.soft ? call->times.major : Time::Max());
    }
    m_calls.erase(std::remove(m_calls.begin(), m_calls.end(), nullptr), m_calls.end());
    RecountSlots();
    return over;
}

void
RpcRdmaCallQueue::GrantSlots(std::size_t slots, Time now, Time delay)
{
    const std::size_t granted = std::min(slots, m_calls.size());
    for (; m_slotted < granted; ++m_slotted)
    {
        RpcTransportCall& call = *m_calls[m_slotted];
        const bool waited = call.record.handed != now;
        call.hasSlot = true;
        call.record.slot = now;
        call.ready = waited ? now + delay : now;
    }
}

bool
RpcRdmaCallQueue::BringReady(Time now)
{
    std::size_t place = 0;
    while (place < m_slotted && m_calls[place]->ready > now)
    {
        ++place;
    }
    if (place > 0 && place == m_slotted)
    {
        return false;
    }
    for (; place > 0; --place)
    {
        std::swap(m_calls[place], m_calls[place - 1]);
    }
    return true;
}

Time
RpcRdmaCallQueue::GetNextReady(Time now) const
{
    Time next = Time::Max();
    for (std::size_t place = 0; place < m_slotted; ++place)
    {
        const Time ready = m_calls[place]->ready;
        next = ready > now ? std::min(next, ready) : next;
    }
    return next;
}

void
RpcRdmaCallQueue::RecountSlots()
{
    m_slotted =
        static_cast<std::size_t>(std::find_if(m_calls.begin(),
                                              m_calls.end(),
                                              [](const Call& call) { return !call->hasSlot; }) -
                                 m_calls.begin());
}

std::vector<std::string>
RpcRdmaCallQueue::Describe(const std::string& what) const
{
    std::vector<std::string> lines;
    lines.reserve(m_calls.size());
    for (const Call& call : m_calls)
    {
        lines.push_back(DescribeXid(call->record.xid) + ": " + what);
    }
    return lines;
}

} // namespace ns3::nfsrdma
