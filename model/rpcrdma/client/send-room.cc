/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/send-room.h"

#include "wire/ns3-version.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcRdmaSendRoom");

namespace
{

/// Wait before work is posted again that the queue pair had no memory for.
const Time RETRY = MicroSeconds(40);

} // namespace

RpcRdmaSendRoom::RpcRdmaSendRoom(Ptr<QueuePair> pair, uint32_t depth, std::function<void()> refused)
    : m_pair(pair),
      m_depth(depth),
      m_refused(std::move(refused))
{
}

RpcRdmaSendRoom::~RpcRdmaSendRoom()
{
    m_retry.Cancel();
}

tl::expected<void, VerbsError>
RpcRdmaSendRoom::Post(Chain chain)
{
    const bool waits = !m_waiting.empty();
    m_waiting.push_back(std::move(chain));
    return waits ? tl::expected<void, VerbsError>() : Pump();
}

RpcRdmaSendRoom::Chain
RpcRdmaSendRoom::TakePart()
{
    Chain& first = m_waiting.front();
    const uint32_t room = m_depth - m_used;
    Chain part;
    if (first.size() <= room)
    {
        part = std::move(first);
        m_waiting.pop_front();
    }
    else
    {
        const auto end = std::next(first.begin(), room);
        part.assign(std::make_move_iterator(first.begin()), std::make_move_iterator(end));
        first.erase(first.begin(), end);
        part.back().id = part.back().signaled ? part.back().id : OWN_WORK;
    }
    part.back().signaled = part.back().signaled || part.size() == room;
    return part;
}

tl::expected<void, VerbsError>
RpcRdmaSendRoom::Pump()
{
    while (!m_waiting.empty() && m_used < m_depth && !IsPending(m_retry))
    {
        Chain part = TakePart();
        if (const auto posted = m_pair->PostSend(part); !posted)
        {
            NS_LOG_LOGIC("not posted: " << ToString(posted.error()));
            if (posted.error() != VerbsError::NO_MEMORY)
            {
                return posted;
            }
            m_waiting.push_front(std::move(part));
            m_retry = Simulator::Schedule(RETRY, [this] {
                if (!Pump())
                {
                    m_refused();
                }
            });
            break;
        }
        for (const SendWorkRequest& request : part)
        {
            ++m_silent;
            if (request.signaled)
            {
                m_signaled.push_back(m_silent);
                m_silent = 0;
            }
        }
        m_used += part.size();
    }
    return {};
}

void
RpcRdmaSendRoom::HandleCompletion(const WorkCompletion& completion)
{
    if (completion.status != WorkCompletionStatus::SUCCESS || m_signaled.empty())
    {
        return;
    }
    m_used -= m_signaled.front();
    m_signaled.pop_front();
    if (!Pump())
    {
        m_refused();
    }
}

uint32_t
RpcRdmaSendRoom::GetWaiting() const
{
    uint32_t count = 0;
    for (const Chain& chain : m_waiting)
    {
        count += chain.size();
    }
    return count;
}

} // namespace ns3::nfsrdma
